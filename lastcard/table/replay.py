"""Replays: a match step by step from a seat's view, or as a file."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from lastcard.core import files
from lastcard.core.match import Seat

from . import entries
from .messages import Steps
from .refusals import Code, Refused
from .store import Line
from .table import Happened, Start, Table
from .window import Window

MOST_STEPS = 200  # in one answer
AT_A_TIME, REST = 0.001, 0.004  # seconds of work, then of rest

T = TypeVar("T")


def gently(work: Iterable[T]) -> Iterator[T]:
    """The same items, with rests in between. For threads: they share Python's lock with the event
    loop, and players must not wait for replays."""
    began = time.perf_counter()
    for one in work:
        yield one
        if time.perf_counter() - began > AT_A_TIME:
            time.sleep(REST)
            began = time.perf_counter()


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match as the journal has it."""

    table: Table
    start: Start
    lines: Sequence[Line]  # its moves and undos so far
    length: int  # steps: the deal, and each move or undo
    over: bool

    def steps(self) -> Iterator[tuple[Table, Happened]]:
        """The deal and every step after it, each with the table as it was then."""
        table = self.table
        then = Table(table.id, table.setup, table.secret, self.start.at)
        yield then, then.begin_at(self.start)
        for line in self.lines:
            yield then, then.fold(entries.decode(line.body), line.at)


def is_over(table: Table, number: int) -> bool:
    """Whether a match is over; Refused if there is none of this number."""
    begun = table.number if table.match is not None else 0
    if not 1 <= number <= begun:
        raise Refused(Code.NOT_FOUND, "There is no such match at this table.")
    return number < table.number or table.status == "over"


def steps(played: PlayedMatch, seat: int | None, all_open: bool, first: int, count: int) -> Steps:
    """Some steps of a match as a seat saw it, or as a spectator did (None)."""
    if all_open and not played.over:
        raise Refused(Code.NOT_NOW, "All cards can be shown once the match is over.")
    window, last = Window(played.table, seat), first + min(count, MOST_STEPS)
    found = [
        window.step(then, happened, all_open=all_open)
        for place, (then, happened) in enumerate(islice(gently(played.steps()), last))
        if place >= first
    ]
    return Steps(played.length, found)


def match_file(played: PlayedMatch) -> str:
    """A finished match as a file."""
    if not played.over:
        raise Refused(Code.NOT_NOW, "The file is available once the match is over.")
    moves: list[tuple[Seat, str]] = []
    for then, happened in gently(played.steps()):
        if happened.undone is not None:
            moves.pop()
        elif happened.seat is not None:
            moves.append((happened.seat, happened.action))
        else:
            match = then.game.match(len(then.chairs), then.key, then.setup.options)
            seats = [chair.level if chair.kind == "bot" else files.HUMAN for chair in then.chairs]
            shuffle = then.shuffle
    for seat, action in gently(moves):
        match.play(seat, action)
    return files.dumps(match, seats, shuffle)
