"""What a player knows, as far as it has a meaning: tests/games/<id>/known.py says it of each game.

A record's bytes say more: who sits on which chair, in which order cards came that nobody draws in
that order, who opened the first round. `meaning_of` leaves that out.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lastcard.core.game import Game
from lastcard.kernel import NOBODY, Record


def nothing_more(_: Record, __: Record, ___: str) -> None:
    pass


@dataclass(frozen=True)
class Known:
    """One game's `KNOWN`: its own fields, besides those that all games have."""

    by_seat: tuple[str, ...]  # fields with an entry for each seat
    seat: tuple[str, ...]  # fields that name a seat, or NOBODY
    # How many rounds the match has. Those that are left matter, not which one it is.
    rounds: Callable[[Record], int]
    # Of a hidden record as its observer sees it, on seat 0: what is meant by fields whose bytes say
    # more than matters, or nothing that others do not.
    meaning: Callable[[Record], Mapping[str, Any]]
    seats: tuple[str, ...] = ()  # fields that are sets of seats
    options: tuple[str, ...] = ()  # that are among the meanings
    # Fields with entries that belong together: a test changes all that a seat has there at once.
    rows: tuple[str, ...] = ()
    # Values of fields that seldom or never change in random play.
    rare: Mapping[str, Iterable[int]] = field(default_factory=dict)
    # Completes a record after a change from what it was before in one field: with what follows
    # from it, and so that no other number tells of it.
    settle: Callable[[Record, Record, str], None] = nothing_more


def known_of(id: str) -> Known:
    known = importlib.import_module(f"tests.games.{id}.known").KNOWN
    assert isinstance(known, Known)
    return known


def turned(array: Any, known: Known, by: int) -> Any:
    """The same match with everybody so many seats further on."""
    new = array.copy()
    players = int(array[0].players)
    by %= players
    for name in ("scores", *known.by_seat):
        new[name][0, :players] = np.roll(array[name][0, :players], by, axis=0)
    for name in ("opener", *known.seat):
        seats = new[name]
        new[name] = np.where(seats == NOBODY, NOBODY, (seats + by) % players)
    for name in ("winners", *known.seats):
        sets = new[name].astype(np.int64)
        new[name] = (sets << by | sets >> players - by) & ((1 << players) - 1)
    return new


# Of all games: who opened the first round, and how many rounds there are in all.
PAST = ("opener", "rounds")


def meaning_of(game: Game, known: Known, hidden: Any, seat: int) -> dict[str, Any]:
    """All that the seat knows and that has a meaning, by field, as on seat 0."""
    array = turned(hidden, known, -seat)
    s = array[0]
    meant: dict[str, Any] = {
        "round_number": known.rounds(s) - int(s.round_number),
        "options": [
            int(value)
            for option, value in zip(game.options, s.options, strict=True)
            if option.name not in (*PAST, *known.options)
        ],
        **known.meaning(s),
    }
    fields = array.dtype.names
    return {**{name: array[name].tobytes() for name in fields if name not in meant}, **meant}


def counted(cards: Any) -> list[int]:
    """Cards in any order."""
    return sorted(int(card) for card in cards)
