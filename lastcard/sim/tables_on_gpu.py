"""Where a game's tables are on an NVIDIA GPU. Imported only where there is numba-cuda.

It would put each into constant memory, once for every place in which it is used. That is too small
for some games; and it serves one address at a time, while threads that run together mostly read
different places of a table. So tables of Last Card lie in plain memory, each of them once.
"""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.cuda.target import CUDATargetContext

OURS = "lastcard"
PLAIN_MEMORY = 1  # an address space
ALIGNED = 8  # bytes


@cache
def share_tables() -> None:
    """From now on, for what is compiled of this package."""
    theirs = CUDATargetContext.make_constant_array

    def make_constant_array(context: Any, builder: Any, type: Any, table: Any) -> Any:
        if OURS in builder.function.name:
            return _shared(context, builder, type, table)
        return theirs(context, builder, type, table)

    CUDATargetContext.make_constant_array = make_constant_array


def _shared(context: Any, builder: Any, type: Any, table: Any) -> Any:
    content = np.ascontiguousarray(table)
    data = content.tobytes()
    name = f"{OURS}_{hashlib.sha256(data).hexdigest()[:24]}"
    there = builder.module.globals.get(name)
    if there is None:
        memory = ir.ArrayType(ir.IntType(8), len(data))
        there = ir.GlobalVariable(builder.module, memory, name, PLAIN_MEMORY)
        there.linkage = "linkonce_odr"  # those of other modules are the same
        there.global_constant = True
        there.align = ALIGNED
        there.initializer = ir.Constant(memory, bytearray(data))
    array = context.make_array(type)(context, builder)
    address = builder.addrspacecast(there, ir.IntType(8).as_pointer())
    context.populate_array(
        array,
        data=builder.bitcast(address, array.data.type),
        shape=[context.get_constant(types.intp, one) for one in content.shape],
        strides=[context.get_constant(types.intp, one) for one in content.strides],
        itemsize=context.get_constant(types.intp, content.itemsize),
        parent=None,
        meminfo=None,
    )
    return array._getvalue()
