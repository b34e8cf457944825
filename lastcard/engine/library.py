"""A library that was built ahead, as Python functions that take records and arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from lastcard.kernel.exports import Signature, passed

C_TYPES = {"address": "void *", "int64": "int64_t", "float64": "double", "": "void"}
PASSED = "passed"  # the attribute of a function that `fixed` looks for


def fixed(function: Callable[..., Any], *arguments: Any) -> Callable[..., Any]:
    """A call with its arguments fixed, but for numbers that are given as `...`: whoever makes it
    over and over, on the same memory, need not wait for addresses to be found every time, which
    takes longer than most rules."""
    call, values = getattr(function, PASSED, lambda *given: (function, given))(*arguments)
    names = [f"value_{number}" for number in range(len(values))]
    open = [name for name, value in zip(names, values, strict=True) if value is ...]
    if not open:
        return partial(call, *values)
    source = f"lambda {', '.join(open)}: call({', '.join(names)})"
    return eval(source, {"call": call, **dict(zip(names, values, strict=True))})


class Library:
    """The functions of one game. It is opened when the first of them is wanted."""

    def __init__(self, path: Path, manifest: Mapping[str, Any]) -> None:
        self.path = path
        self.manifest = manifest

    def has(self, name: str) -> bool:
        return name in self.manifest["functions"]

    def function(self, signature: Signature) -> Callable[..., Any]:
        """One that takes the same arguments as the rule it was built from.

        It is written in Python just for that, since a loop over arguments would take longer than
        most rules. Addresses come from the buffers of records and arrays, which must be contiguous.
        """
        known = self.manifest["dimensions"]
        lengths: dict[str, str] = {}
        values = []
        for one in passed(signature, known):
            if one.name in lengths:
                values.append(lengths[one.name])
                continue
            where = _place(signature, one.name)
            values.append(f"at({where})" if one.of else where)
            for axis, dimension in enumerate(one.shape):
                lengths.setdefault(dimension, f"{where}.shape[{axis}]" if axis else f"len({where})")
        names = ", ".join(one.name for one in signature.arguments)
        given = ", ".join(values)
        source = (
            f"def {signature.name}({names}):\n    return call({given})\n"
            f"def {PASSED}({names}):\n    return call, ({given},)\n"
        )
        call = getattr(self._opened.functions, signature.name)
        space: dict[str, Any] = {"call": call, "at": self._opened.at}
        exec(source, space)
        setattr(space[signature.name], PASSED, space[PASSED])
        return space[signature.name]

    @cached_property
    def _opened(self) -> SimpleNamespace:
        import _cffi_backend  # type: ignore[import-untyped]
        from cffi import FFI

        ffi = FFI()
        ffi.cdef("\n".join(map(_declared, self.manifest["functions"].items())))
        functions = ffi.dlopen(str(self.path))
        # Not ffi.from_buffer, which is written in Python: it takes as long as a short rule.
        at = partial(_cffi_backend.from_buffer, ffi.typeof("char[]"))
        return SimpleNamespace(functions=functions, at=at)


def _place(signature: Signature, name: str) -> str:
    """Where Python finds an argument that may be a field of a tuple."""
    for one in signature.arguments:
        if any(field.name == name for field in one.fields):
            return f"{one.name}.{name}"
    return name


def _declared(function: tuple[str, Mapping[str, Any]]) -> str:
    name, facts = function
    types = ", ".join(C_TYPES[one["type"]] for one in facts["arguments"])
    return f"{C_TYPES[facts['returns']]} {name}({types});"
