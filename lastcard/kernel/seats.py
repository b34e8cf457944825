"""Seats, and sets of seats or cards as bits."""

from __future__ import annotations

from typing import Any

import numba
from numba.core import cgutils
from numba.extending import intrinsic

from .compiling import PLAIN_PYTHON, Record, rule

NOBODY = -1  # no seat; as an observer: a spectator
CHANCE = 15  # the pseudo-seat that rolls dice; seats are 0 to 14


@rule("int64(int64)")
def bit(seat: int) -> int:
    """One seat as a set of seats."""
    return 1 << seat


@rule("int64(int64)")
def everybody(players: int) -> int:
    """All seats as a set."""
    return bit(players) - 1


@intrinsic  # type: ignore[untyped-decorator]
def _trailing_zeros(context: Any, number: Any) -> Any:
    """The processor's own instruction, for which Numba has no name."""

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], cgutils.true_bit)

    return numba.types.int64(numba.types.int64), lower


@rule("int64(int64)")
def lowest(set: int) -> int:
    """The first of a set that is not empty: the place of its lowest bit."""
    if PLAIN_PYTHON:
        return (int(set) & -int(set)).bit_length() - 1
    return _trailing_zeros(set)


@rule
def nobody(s: Record) -> int:
    """The `bystanders` of a game in which nobody acts out of turn."""
    return 0


@intrinsic  # type: ignore[untyped-decorator]
def _ones(context: Any, number: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return numba.types.int64(numba.types.int64), lower


@rule("int64(int64)")
def popcount(set: int) -> int:
    """How many bits of a set are 1."""
    if PLAIN_PYTHON:
        return int(set).bit_count()
    return _ones(set)


@rule("int64(int64, int64, int64)")
def beside(seat: int, direction: int, players: int) -> int:
    """The next seat: clockwise with direction 1, counter-clockwise with -1."""
    seat += direction
    if seat == players:
        return 0
    return seat if seat >= 0 else players - 1
