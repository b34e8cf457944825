"""Arrays handed to other frameworks as DLPack has it, without a copy.

Numba's arrays on a GPU have `__cuda_array_interface__` only. So the arrays of a batch are of
classes of their own, which lend their memory as well.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

CPU, CUDA = 1, 2  # kinds of devices
CODES = {"i": 0, "u": 1, "f": 2, "b": 6}  # of NumPy's kinds of numbers
NAME = b"dltensor"  # of a capsule that nobody has taken yet
WAIT_FOR_NOTHING = -1  # a stream


class Tensor(ctypes.Structure):
    """DLTensor, with the small structures in it spelt out."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32 * 2),  # kind and number
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),  # in numbers, not in bytes
        ("byte_offset", ctypes.c_uint64),
    ]


class Managed(ctypes.Structure):
    """DLManagedTensor."""

    _fields_ = [
        ("tensor", Tensor),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    ]


_lent: dict[int, tuple[Any, ...]] = {}  # what must stay while somebody uses it, by its address


def _give_back(managed: int) -> None:
    """Called by whoever has taken it, when he needs it no more."""
    _lent.pop(managed, None)


_new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", ctypes.pythonapi)
)
_is_named = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_IsValid", ctypes.pythonapi)
)
_inside = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


def _drop(capsule: int) -> None:
    """Called when a capsule goes away: if nobody took what is in it, it is given back."""
    if _is_named(capsule, NAME):
        _give_back(_inside(capsule, NAME))


# As C calls them. They must stay as long as the process.
_ON_AN_ADDRESS = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
_GIVE_BACK, _DROP = _ON_AN_ADDRESS(_give_back), _ON_AN_ADDRESS(_drop)


def lend(array: Any, address: int, device: tuple[int, int]) -> Any:
    """A capsule with an array that lies at an address; it lives as long as it is lent."""
    kind = np.dtype(array.dtype)
    if kind.kind not in CODES:
        raise BufferError(f"DLPack knows numbers only, not {kind}.")
    many = ctypes.c_int64 * len(array.shape)
    shape, strides = many(*array.shape), many(*(one // kind.itemsize for one in array.strides))
    managed = Managed(
        Tensor(
            *(address, (ctypes.c_int32 * 2)(*device), len(array.shape)),
            *(CODES[kind.kind], 8 * kind.itemsize, 1, shape, strides, 0),
        ),
        None,
        ctypes.cast(_GIVE_BACK, ctypes.c_void_p).value,
    )
    place = ctypes.addressof(managed)
    _lent[place] = managed, shape, strides, array
    return _new(place, NAME, ctypes.cast(_DROP, ctypes.c_void_p).value)


def lending(
    array: Any, address_of: Callable[[Any], int], device: tuple[int, int], wait: Callable[[], None]
) -> Any:
    """The same array, which lends its memory; who takes it finds all work on it done (`wait`)."""
    kind: Any = type(array)
    array.__class__ = _lending(kind, address_of, device, wait)
    return array


@cache
def _lending(
    kind: Any, address_of: Callable[[Any], int], device: tuple[int, int], wait: Callable[[], None]
) -> Any:
    class Lending(kind):  # type: ignore[misc]
        def __dlpack_device__(self) -> tuple[int, int]:
            return device

        def __dlpack__(
            self,
            *,
            stream: Any = None,
            max_version: Any = None,
            dl_device: Any = None,
            copy: bool | None = None,
        ) -> Any:
            if copy or dl_device not in (None, device):
                raise BufferError("it is lent where it is, without a copy.")
            if stream != WAIT_FOR_NOTHING:
                wait()
            return lend(self, address_of(self), device)

    return Lending
