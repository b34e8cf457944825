"""What compiled code gives to other languages: functions of integers and of memory.

A module lists them in `EXPORTS`, each with its arguments in words:

    "legal": "s:record seat:int out:int16[most_legal] -> int"

A record is its address; an array is the address of its first element, its shape in brackets. A
dimension is a number, one of the game's (such as `most_legal`), or any other name: then the
function takes it as one more argument, right after the first array that has it. A tuple of arrays
(`buffers:Buffers`) stands for its fields, which the module lists in `STRUCTURES`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

SCALARS = {"int": "int64", "flag": "int64", "float": "float64"}  # and how they are passed
NUMBERS = (
    *("bool", "uint8", "int8", "int16", "int32", "int64", "uint32", "uint64"),
    *("float32", "float64"),
)

_ARGUMENT = re.compile(r"(\w+):(\w+)(?:\[([\w,]+)\])?")


@dataclass(frozen=True)
class Argument:
    name: str
    kind: str  # a scalar, a kind of number, or a layout of records
    shape: tuple[str, ...] = ()  # of an array
    fields: tuple[Argument, ...] = ()  # of a tuple of arrays

    @property
    def scalar(self) -> bool:
        return self.kind in SCALARS


@dataclass(frozen=True)
class Signature:
    name: str
    arguments: tuple[Argument, ...]
    returns: str  # a scalar, or nothing

    def flat(self) -> Iterator[Argument]:
        """The arguments with tuples taken apart."""
        for one in self.arguments:
            yield from one.fields or (one,)


def signatures(exports: Mapping[str, str], structures: Mapping[str, str]) -> list[Signature]:
    """The functions of a module."""
    return [_signature(name, text, structures) for name, text in exports.items()]


def _signature(name: str, text: str, structures: Mapping[str, str]) -> Signature:
    words, _, returns = text.partition("->")
    return Signature(name, _arguments(words, structures), returns.strip())


def _arguments(words: str, structures: Mapping[str, str]) -> tuple[Argument, ...]:
    found = []
    for word in words.split():
        parts = _ARGUMENT.fullmatch(word)
        if not parts:
            raise ValueError(f"{word!r} is no argument: write name:kind or name:kind[shape].")
        name, kind, shape = parts.groups()
        fields = _arguments(structures[kind], {}) if kind in structures else ()
        found.append(Argument(name, kind, tuple(shape.split(",")) if shape else (), fields))
    return tuple(found)


@dataclass(frozen=True)
class Passed:
    """An argument as compiled code takes it: a scalar, or an address."""

    name: str
    type: str  # "address", "int64" or "float64"
    of: str = ""  # at an address: the kind of what lies there
    shape: tuple[str, ...] = ()


def passed(signature: Signature, known: Mapping[str, int]) -> list[Passed]:
    """The arguments in order, with the dimensions that are not `known` beforehand."""
    result: list[Passed] = []
    for one in signature.flat():
        if one.scalar:
            result.append(Passed(one.name, SCALARS[one.kind]))
            continue
        result.append(Passed(one.name, "address", one.kind, one.shape))
        for dimension in one.shape:
            told = any(dimension == other.name for other in result)
            if not dimension.isdigit() and dimension not in known and not told:
                result.append(Passed(dimension, "int64"))
    return result


def dtype_of(kind: str, layouts: Mapping[str, np.dtype[Any]]) -> np.dtype[Any]:
    """What lies at an address: a number or a record."""
    return np.dtype(kind) if kind in NUMBERS else layouts[kind]
