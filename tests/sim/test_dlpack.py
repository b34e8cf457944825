"""Memory lent to other frameworks: the same addresses, and given back."""

from __future__ import annotations

import gc
import subprocess
import sys
from importlib.util import find_spec
from typing import Any

import numpy as np
import polars
import pyarrow as pa
import pytest

import lastcard
from lastcard.sim import dlpack
from lastcard.sim.dlpack import CPU, lending


class Elsewhere:
    """An array that has no DLPack of its own, as Numba's on a GPU."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array
        self.dtype, self.shape, self.strides = array.dtype, array.shape, array.strides


def lent(array: np.ndarray, waited: list[str]) -> Any:
    one: Any = Elsewhere(array)
    lending(one, lambda one: int(one.array.ctypes.data), (CPU, 0), lambda: waited.append("yes"))
    return one


@pytest.mark.parametrize("kind", ["bool", "int8", "int16", "int64", "uint32", "float32"])
def test_numpy_takes_it_without_a_copy(kind: str) -> None:
    array = np.arange(24).astype(kind).reshape(4, 6)[:, ::2]
    waited: list[str] = []
    taken = np.from_dlpack(lent(array, waited))
    assert taken.dtype == array.dtype and np.array_equal(taken, array)
    assert taken.ctypes.data == array.ctypes.data and taken.strides == array.strides
    assert waited == ["yes"]


IN_JAX = """
import jax, numpy as np
from tests.sim.test_dlpack import lent
array = np.arange(12, dtype=np.float32).reshape(3, 4)
taken = jax.dlpack.from_dlpack(lent(array, []))
assert np.array_equal(taken, array)
print("taken")
"""


@pytest.mark.skipif(find_spec("jax") is None, reason="JAX is not installed")
def test_jax_takes_it() -> None:
    """In a process of its own: JAX objects to any that is forked from one with it."""
    command = [sys.executable, "-c", IN_JAX]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == "taken\n", done.stderr


def test_what_is_lent_stays_until_it_is_given_back() -> None:
    before = len(dlpack._lent)
    taken = np.from_dlpack(lent(np.arange(5), []))
    gc.collect()
    assert len(dlpack._lent) == before + 1 and taken.tolist() == [0, 1, 2, 3, 4]
    del taken
    untaken = lent(np.arange(5), []).__dlpack__(stream=-1)
    assert len(dlpack._lent) == before + 1
    del untaken
    gc.collect()
    assert len(dlpack._lent) == before


def test_what_cannot_be_lent() -> None:
    records = np.zeros(2, [("a", np.int8)])
    with pytest.raises(BufferError, match="numbers only"):
        lent(records, []).__dlpack__()
    with pytest.raises(BufferError, match="without a copy"):
        lent(np.zeros(2), []).__dlpack__(copy=True)


def test_polars_takes_rows_without_a_copy() -> None:
    """The numbers of each part lie where Arrow has them."""
    rows: pa.Table = lastcard.simulate("chiko", 50, 3, part=30)
    frame = polars.from_arrow(rows, rechunk=False)
    assert isinstance(frame, polars.DataFrame)
    for name in ("match", "opener", "rounds", "decisions", "event_drew"):
        theirs = [one.to_numpy(allow_copy=False) for one in frame[name].get_chunks()]
        ours = [one.buffers()[1].address for one in rows[name].chunks]
        assert [one.ctypes.data for one in theirs] == ours and len(ours) == 2, name
