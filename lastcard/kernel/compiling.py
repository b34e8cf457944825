"""Rules: plain functions that run as they are, or compiled; and templates bound to a game.

`@rule` changes nothing about a function but its arguments, which become plain integers. How rules
really run is decided game by game: from a library that was built ahead, by Numba's JIT
(`kernel.jit`), or just so. All three give the same bytes.
"""

from __future__ import annotations

import hashlib
import importlib.util
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache, partial, wraps
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias, TypeVar, overload

import numpy as np

Record: TypeAlias = Any  # a NumPy record: its fields differ from game to game
Log: TypeAlias = Any  # int32 array of shape (rows, LOG_COLUMNS), or (0, LOG_COLUMNS) for no log
Rng: TypeAlias = Any  # uint64 array of one element: the state of a rollout's own generator
F = TypeVar("F", bound=Callable[..., Any])

KERNEL = Path(__file__).parent
RULE = "__rule__"  # the attribute of a rule that says how to compile it
BOUND = "__bound__"  # the global of a bound template that tells it from others
_lock = threading.RLock()


@dataclass
class Recipe:
    """How a rule is compiled."""

    function: Callable[..., Any]
    types: str = ""  # declared, for helpers that are called with all kinds of integers
    inline: bool = False
    instruction: str = ""  # of the processor, instead of the function
    compiled: Any = field(default=None, repr=False)  # by `kernel.jit`


@overload
def rule(function: F) -> F: ...
@overload
def rule(function: str) -> Callable[[F], F]: ...
def rule(function: Any) -> Any:
    """A rule, or a part of one that others call.

    Small helpers that many rules call with all kinds of integers are given their types, as
    `@rule("int64(int64)")`, so that they are compiled once and not for every kind.
    """
    if isinstance(function, str):
        return partial(_rule, types=function)
    return _rule(function)


def inlined(function: F) -> F:
    """A part of a rule, compiled into whatever calls it: faster than a call, and than compiling
    it by itself. For what is called from one or two places."""
    return _rule(function, inline=True)


def instruction(name: str) -> Callable[[F], F]:
    """A function of one integer for which the processor has an instruction, by LLVM's name."""
    return partial(_rule, types="int64(int64)", instruction=name)


def words(function: F) -> F:
    """A copy of a record, for which compiled code has its own way."""
    return _rule(function, instruction="copy")


def _rule(function: F, **how: Any) -> F:
    """Plain Python takes fields of a record as plain integers, as compiled rules do: an int8 of
    NumPy's would run over."""

    @wraps(function)
    def rule(*args: Any) -> Any:
        return function(*[int(one) if isinstance(one, np.signedinteger) else one for one in args])

    setattr(rule, RULE, Recipe(function, **how))
    return rule  # type: ignore[return-value]


@cache
def digest_of(*sources: Path) -> str:
    """Changes whenever one of these Python files does, or one in these folders."""
    files = [
        file
        for source in sources
        for file in (sorted(source.glob("*.py")) if source.is_dir() else [source])
    ]
    content = [f"{file.name}\n".encode() + file.read_bytes() for file in files]
    return hashlib.sha256(b"".join(content)).hexdigest()[:12]


def bind(template: str, way: str = "", **parts: ModuleType) -> ModuleType:
    """The module `template`, loaded once more with globals set to the modules given.

    Code that is written once for all games and compiled together with each game's rules (random
    play, search) lives in such a template: a module whose functions call `rules.legal` and so on,
    bound as `bind("lastcard.sim.selfplay", rules=game.rules)`. Functions made inside functions
    would be compiled anew in every process. These are not; and as their names hold a digest of all
    that is bound, a changed game never meets code compiled with the game as it was. If a game runs
    in several ways in one process, each `way` has a module of its own.
    """
    states = [
        f"{part.__name__} {digest_of(Path(str(part.__file__)).parent)}" for part in parts.values()
    ]
    digest = hashlib.sha256("\n".join(states).encode()).hexdigest()[:12]
    bound = f"{parts['rules'].__name__.rpartition('.')[2]}_{digest}"
    name = f"{template}_{bound}{way and '_'}{way}"
    with _lock:
        if name not in sys.modules:
            original = importlib.util.find_spec(template)
            assert original and original.origin
            spec = importlib.util.spec_from_file_location(name, original.origin)
            assert spec and spec.loader
            module = importlib.util.module_from_spec(spec)
            module.__dict__[BOUND] = bound
            sys.modules[name] = module
            spec.loader.exec_module(module)
            module.__dict__.update(parts)
        return sys.modules[name]


def as_it_runs(rule: F) -> F:
    """A rule that somebody may have got hold of before Numba put a compiled one in its place."""
    recipe: Recipe | None = getattr(rule, RULE, None)
    return recipe.compiled if recipe and recipe.compiled else rule


def rules_in(modules: Iterable[ModuleType]) -> Iterable[tuple[ModuleType, str, Recipe]]:
    """Every rule of some modules: where it stands, its name there, and its recipe."""
    for module in modules:
        for name, value in list(vars(module).items()):
            recipe = getattr(value, RULE, None)
            if isinstance(recipe, Recipe):
                yield module, name, recipe
