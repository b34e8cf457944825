"""Compiling: the `@rule` decorator, and templates bound to a game."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from functools import cache, partial, wraps
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias, TypeVar, overload

import numba
import numpy as np
from numba.core.dispatcher import Dispatcher

Record: TypeAlias = Any  # a NumPy record: its fields differ from game to game
Log: TypeAlias = Any  # int32 array of shape (rows, LOG_COLUMNS), or (0, LOG_COLUMNS) for no log
Rng: TypeAlias = Any  # uint64 array of one element: the state of a rollout's own generator
F = TypeVar("F", bound=Callable[..., Any])


KERNEL = Path(__file__).parent


@cache
def digest_of(folder: Path) -> str:
    """Changes whenever a Python file of the folder does."""
    content = [
        f"{file.name}\n".encode() + file.read_bytes() for file in sorted(folder.glob("*.py"))
    ]
    return hashlib.sha256(b"".join(content)).hexdigest()[:12]


@cache
def cache_folder(sources: Path) -> str:
    """Where code compiled from a folder of sources is kept: always one that the user may write.

    Numba notices changes in a function's own file only. But a rule has helpers of its game's other
    files and of the kernel compiled into it, so each state of these folders has its own cache.
    """
    base = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    base = base or os.path.join(os.path.expanduser("~"), ".cache")
    states = digest_of(KERNEL) + ("" if sources == KERNEL else digest_of(sources))
    folder = os.path.join(base, "lastcard", states)
    try:
        os.makedirs(folder, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return tempfile.mkdtemp(prefix="lastcard-")


PLAIN_PYTHON = bool(numba.config.DISABLE_JIT)
_lock = threading.RLock()


@overload
def rule(function: F) -> F: ...
@overload
def rule(function: str) -> Callable[[F], F]: ...
def rule(function: Any) -> Any:
    """Compiles a rule: no exceptions for arithmetic, no GIL, kept on disk from one run to the next.

    Small helpers that many rules call with all kinds of integers are given their types, as
    `@rule("int64(int64)")`, so that they are compiled once and not for every kind.
    With NUMBA_DISABLE_JIT=1 the function stays what it is, and gives the same bytes.
    """
    if isinstance(function, str):
        return partial(_compile, types=[function])
    return _compile(function)


def inlined(function: F) -> F:
    """A part of a rule, compiled into whatever calls it: faster than a call, and than compiling
    it by itself. For what is called from one or two places."""
    return _compile(function, inline=True)


def _compile(function: F, types: Sequence[str] = (), inline: bool = False) -> F:
    if PLAIN_PYTHON:
        return _interpreted(function)
    bound = function.__globals__.get("__bound__")
    if bound:
        function.__qualname__ += f"-{bound}"  # Numba's cache goes by this name
    folder = cache_folder(Path(function.__code__.co_filename).parent)
    with _lock:
        # CACHE_DIR is global to Numba: other packages in this process keep theirs.
        theirs, numba.config.CACHE_DIR = numba.config.CACHE_DIR, folder
        try:
            # Without Numba's run time (`_nrt`) nothing can be allocated, and no references to
            # arrays are counted: that would take longer than most rules.
            compiled = numba.njit(
                *types,
                cache=True,
                nogil=True,
                error_model="numpy",
                inline="always" if inline else "never",
                _nrt=False,
            )(function)
        finally:
            numba.config.CACHE_DIR = theirs
    template = compiled.get_call_template
    compiled.get_call_template = lambda args, kws: template([*map(_wide, args)], kws)
    return compiled


def _interpreted(function: F) -> F:
    """Plain Python takes fields of a record as plain integers, as compiled rules do: an int8 of
    NumPy's would run over."""

    @wraps(function)
    def rule(*args: Any) -> Any:
        return function(*[int(one) if isinstance(one, np.signedinteger) else one for one in args])

    return rule  # type: ignore[return-value]


def _wide(type: Any) -> Any:
    """Other rules call a rule with plain integers only: it is not compiled for every width, and
    not for every constant, either."""
    type = numba.types.unliteral(type)
    narrow = isinstance(type, numba.types.Integer) and type.signed
    return numba.types.int64 if narrow else type


def allow_gpu(game: ModuleType) -> None:
    """Lets `numba.cuda` compile helpers with declared types, of the kernel and of a game's package.

    Call it before it does.
    """
    packages = (__package__, game.__name__)
    modules = [
        module
        for name, module in list(sys.modules.items())
        if name in packages or name.rpartition(".")[0] in packages
    ]
    for module in modules:
        for helper in vars(module).values():
            if isinstance(helper, Dispatcher):
                helper.disable_compile(False)


def bind(template: str, **parts: ModuleType) -> ModuleType:
    """The module `template`, loaded once more with globals set to the modules given.

    Code that is written once for all games and compiled together with each game's rules (random
    play, search) lives in such a template: a module whose functions call `rules.legal` and so on,
    bound as `bind("lastcard.sim.selfplay", rules=game.rules)`. Functions made inside functions
    would be compiled anew in every process. These are not; and as their names hold a digest of all
    that is bound, a changed game never meets code compiled with the game as it was.
    """
    states = [
        f"{part.__name__} {digest_of(Path(str(part.__file__)).parent)}" for part in parts.values()
    ]
    digest = hashlib.sha256("\n".join(states).encode()).hexdigest()[:12]
    bound = f"{parts['rules'].__name__.rpartition('.')[2]}_{digest}"
    name = f"{template}_{bound}"
    with _lock:
        if name not in sys.modules:
            original = importlib.util.find_spec(template)
            assert original and original.origin
            spec = importlib.util.spec_from_file_location(name, original.origin)
            assert spec and spec.loader
            module = importlib.util.module_from_spec(spec)
            module.__dict__["__bound__"] = bound
            sys.modules[name] = module
            spec.loader.exec_module(module)
            module.__dict__.update(parts)
        return sys.modules[name]
