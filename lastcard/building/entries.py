"""Entries: for each exported function one that takes addresses instead of records and arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numba
from numba import types
from numba.core.registry import CPUDispatcher
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from lastcard.kernel.exports import Argument, Passed, Signature, dtype_of, passed

NUMBA_TYPES = {"address": types.voidptr, "int64": types.int64, "float64": types.float64}
RETURNED = {"": types.void, "int": types.int64, "float": types.float64}


@dataclass(frozen=True)
class Entry:
    name: str
    arguments: list[Passed]
    returns: str
    symbol: str  # of Numba's function
    code: str  # LLVM's, of it and of all that it calls


def compile_entry(
    signature: Signature,
    function: Callable[..., Any],
    tuples: Mapping[str, Any],
    layouts: Mapping[str, Any],
    known: Mapping[str, int],
) -> Entry:
    """Compiles a function of the game behind an entry."""
    arguments = passed(signature, known)
    space: dict[str, Any] = {"function": function, **tuples}
    values = ", ".join(_value(one, space, layouts, known) for one in signature.arguments)
    names = ", ".join(one.name for one in arguments)
    exec(f"def entry({names}):\n    return function({values})\n", space)
    kind = RETURNED[signature.returns](*(NUMBA_TYPES[one.type] for one in arguments))
    compiled: CPUDispatcher = numba.njit(kind, error_model="numpy", _nrt=False)(space["entry"])
    result = compiled.overloads[kind.args]
    return Entry(
        signature.name,
        arguments,
        signature.returns,
        result.fndesc.llvm_func_name,
        result.library.get_llvm_str(),
    )


def _value(
    one: Argument, space: dict[str, Any], layouts: Mapping[str, Any], known: Mapping[str, int]
) -> str:
    """An argument of the function, made of what the entry is given."""
    if one.fields:
        fields = ", ".join(_value(field, space, layouts, known) for field in one.fields)
        return f"{one.kind}({fields})"
    if one.scalar:
        return f"{one.name} != 0" if one.kind == "flag" else one.name
    item = numba.from_dtype(dtype_of(one.kind, layouts))
    maker = f"{one.kind}_at_{len(one.shape)}"
    space.setdefault(maker, _array_at(item, len(one.shape)) if one.shape else _record_at(item))
    shape = [str(known.get(dimension, dimension)) for dimension in one.shape]
    return f"{maker}({', '.join([one.name, *shape])})"


def _record_at(layout: Any) -> Any:
    @intrinsic  # type: ignore[untyped-decorator]
    def record_at(context: Any, address: Any) -> Any:
        def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.bitcast(arguments[0], context.get_value_type(layout))

        return layout(address), lower

    return record_at


def _array_at(item: Any, dimensions: int) -> Any:
    kind = types.Array(item, dimensions, "C")

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address, *shape = arguments
        size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(item)))
        strides = [size]
        for length in reversed(shape[1:]):
            strides.insert(0, builder.mul(strides[0], length))
        array = make_array(kind)(context, builder)
        populate_array(
            array,
            data=builder.bitcast(address, array.data.type),
            shape=shape,
            strides=strides,
            itemsize=size,
            meminfo=None,
        )
        return array._getvalue()

    if dimensions == 1:

        @intrinsic  # type: ignore[untyped-decorator]
        def row_at(context: Any, address: Any, length: Any) -> Any:
            return kind(types.voidptr, types.intp), lower

        return row_at

    @intrinsic  # type: ignore[untyped-decorator]
    def table_at(context: Any, address: Any, rows: Any, columns: Any) -> Any:
        return kind(types.voidptr, types.intp, types.intp), lower

    return table_at
