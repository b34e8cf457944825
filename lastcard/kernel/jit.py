"""Compiling rules with Numba, in this process. Imported only where that is asked for.

`adopt` puts compiled functions in the place of the rules of some modules. Each is compiled when it
is first called, and kept on disk from one run to the next.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
from llvmlite import ir
from numba.core import cgutils
from numba.core.dispatcher import Dispatcher
from numba.extending import intrinsic

from .compiling import BOUND, KERNEL, Recipe, digest_of, rules_in

_lock = threading.RLock()


def adopt(*packages: str) -> None:
    """Compiles the rules of the kernel and of some packages or modules, which must be imported;
    and of those that they took rules from."""
    with _lock:
        wanted = {str(__package__), *packages}
        while True:
            found = list(rules_in(_modules_of(wanted)))
            theirs = {recipe.function.__module__ for _, _, recipe in found}
            if theirs <= wanted:
                break
            wanted |= theirs
        for module, name, recipe in found:
            if recipe.compiled is None:
                recipe.compiled = _dispatcher(recipe)
            setattr(module, name, recipe.compiled)
        # Only now, when all that they call is in its place.
        for _, _, recipe in found:
            if recipe.types and not recipe.compiled.signatures:
                recipe.compiled.compile(recipe.types)
                recipe.compiled.disable_compile()


def allow_gpu(rules: ModuleType) -> None:
    """Lets `numba.cuda` compile helpers with declared types, of the kernel and of a game's package,
    which has been adopted. Call it before it does."""
    for module in _modules_of({str(__package__), rules.__name__}):
        for helper in vars(module).values():
            if isinstance(helper, Dispatcher):
                helper.disable_compile(False)


def _modules_of(names: set[str]) -> list[ModuleType]:
    """The modules with these names, and those in packages with these names."""
    return [
        module
        for name, module in list(sys.modules.items())
        if name in names or name.rpartition(".")[0] in names
    ]


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


def _dispatcher(recipe: Recipe) -> Any:
    function = _INSTRUCTIONS[recipe.instruction] if recipe.instruction else recipe.function
    bound = function.__globals__.get(BOUND)
    if bound:
        function.__qualname__ += f"-{bound}"  # Numba's cache goes by this name
    folder = cache_folder(Path(function.__code__.co_filename).parent)
    # CACHE_DIR is global to Numba: other packages in this process keep theirs.
    theirs, numba.config.CACHE_DIR = numba.config.CACHE_DIR, folder
    try:
        # Without Numba's run time (`_nrt`) nothing can be allocated, and no references to
        # arrays are counted: that would take longer than most rules.
        compiled = numba.njit(
            cache=True,
            nogil=True,
            error_model="numpy",
            inline="always" if recipe.inline else "never",
            _nrt=False,
        )(function)
    finally:
        numba.config.CACHE_DIR = theirs
    template = compiled.get_call_template
    compiled.get_call_template = lambda args, kws: template([*map(_wide, args)], kws)
    return compiled


def _wide(type: Any) -> Any:
    """Other rules call a rule with plain integers only: it is not compiled for every width, and
    not for every constant, either."""
    type = numba.types.unliteral(type)
    narrow = isinstance(type, numba.types.Integer) and type.signed
    return numba.types.int64 if narrow else type


@intrinsic  # type: ignore[untyped-decorator]
def _trailing_zeros(context: Any, number: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], cgutils.true_bit)

    return numba.types.int64(numba.types.int64), lower


@intrinsic  # type: ignore[untyped-decorator]
def _ones(context: Any, number: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return numba.types.int64(numba.types.int64), lower


@intrinsic  # type: ignore[untyped-decorator]
def _copy_words(context: Any, array: Any, place: Any, s: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        to = context.make_array(signature.args[0])(context, builder, arguments[0])
        size = context.get_constant(numba.types.int64, signature.args[2].size)
        word = ir.IntType(8 * alignment(signature.args[2]))
        target = builder.gep(
            builder.bitcast(to.data, ir.IntType(8).as_pointer()),
            [builder.mul(arguments[1], size)],
        )
        target = builder.bitcast(target, word.as_pointer())
        source = builder.bitcast(arguments[2], word.as_pointer())
        words = context.get_constant(numba.types.int64, 8 * signature.args[2].size // word.width)
        with cgutils.for_range(builder, words) as loop:
            content = builder.load(builder.gep(source, [loop.index]))
            builder.store(content, builder.gep(target, [loop.index]))
        return context.get_dummy_value()

    return numba.types.none(array, numba.types.int64, s), lower


def alignment(record: Any) -> int:
    """Of a record's memory, in bytes: that of its widest field."""
    size: int = record.size
    return 8 if size % 8 == 0 else 4


def _copy(to: Any, place: int, s: Any) -> None:
    _copy_words(to, place, s)


def _cttz(number: int) -> int:
    return _trailing_zeros(number)


def _ctpop(number: int) -> int:
    return _ones(number)


_INSTRUCTIONS = {"cttz": _cttz, "ctpop": _ctpop, "copy": _copy}
