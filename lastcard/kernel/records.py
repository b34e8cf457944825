"""The record: one match in one NumPy record, the same bytes wherever rules run."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from operator import itemgetter, methodcaller
from typing import Any

import numpy as np

from .compiling import Record, rule, words
from .seats import bit

UNKNOWN = -1  # a card that this record's reader may not know
BLOCK_WORDS = 16  # 32-bit words in one block of chance
MOST_CARDS = 127  # in a deck: what a hand's size, an int8, can count, and a shuffle takes

_HEADER: list[tuple[Any, ...]] = [
    ("key", np.uint32, (8,)),  # the match's secret: all its shuffles follow from it
    ("block", np.uint32, (BLOCK_WORDS,)),  # scratch for one block of chance; zeros between actions
    ("counter", np.int64),  # the next block of this round's chance
    ("round_number", np.int16),  # 1 for the first deal
    ("winners", np.int16),  # bits of seats, 0 before the end
    ("players", np.int8),
    ("opener", np.int8),  # who opens this round
    ("over", np.int8),  # 1 when the match is over
]


def record(seats: int, options: int, fields: Sequence[tuple[Any, ...]]) -> np.dtype[Any]:
    """The layout of a game's record: what all games have, then the game's own fields.

    Wide fields come first, and named bytes fill the end, so that every byte has a name: NumPy does
    not copy padding, and equal matches must have equal bytes.
    """
    shared = [*_HEADER, ("options", np.int16, (options,)), ("scores", np.int16, (seats,))]
    layout = sorted([*shared, *fields], key=lambda one: -np.dtype(one[1]).itemsize)
    for name, *_ in layout:
        assert not hasattr(np.void, name), f"NumPy's records have a method called {name}"
    size = np.dtype(layout).itemsize
    layout.append(("filling", np.int8, (-size % 8 or 8,)))
    # Where a pickle finds the class again: every game calls its layout RECORD.
    return with_fields(
        np.dtype(layout, align=True), sys._getframe(1).f_globals["__name__"], "RECORD"
    )


def with_fields(plain: np.dtype[Any], module: str, name: str) -> np.dtype[Any]:
    """The same layout with fields as properties: in plain Python those of `np.record` take seven
    times as long to find."""
    members: dict[str, Any] = {one: _field(one) for one in plain.names or ()}
    # Numba finds a record's memory by this attribute; NumPy's own first describes every field.
    members["data"] = property(methodcaller("getfield", np.dtype((np.uint8, plain.itemsize)), 0))
    members["__module__"], members["__qualname__"] = module, f"{name}.type"
    return np.dtype((type("Row", (np.void,), members), plain))


def _field(name: str) -> property:
    def change(s: Record, value: Any) -> None:
        s[name] = value

    return property(itemgetter(name), change)


@rule
def set_up(s: Record, players: int, options: Any) -> None:
    """What every new match starts with. Only the key in the record is given."""
    s.players = players
    s.round_number = 0
    s.counter = 0
    s.over = 0
    s.winners = 0
    for i in range(len(s.options)):
        s.options[i] = options[i]
    for seat in range(len(s.scores)):
        s.scores[seat] = 0


@words
def copy_record(to: Any, place: int, s: Record) -> None:
    """A copy of a record at a place of an array. Compiled, it goes word by word: Numba's own goes
    byte by byte on a GPU."""
    to[place] = s


@rule("int64(int64)")
def wide(number: int) -> int:
    """A field's small integer as a plain one, for sums and shifts that outgrow its type."""
    return number


@rule
def finish(s: Record, lowest_wins: bool) -> None:
    """The match is over; every best player is a winner."""
    sign = -1 if lowest_wins else 1
    best = sign * s.scores[0]
    for seat in range(1, s.players):
        best = max(best, sign * s.scores[seat])
    s.winners = 0
    for seat in range(s.players):
        if sign * s.scores[seat] == best:
            s.winners |= bit(seat)
    s.over = 1
