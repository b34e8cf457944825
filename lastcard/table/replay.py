"""Matches again: step by step from a seat's view, or as a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lastcard.core import files
from lastcard.core.match import Seat

from . import entries
from .entries import Moved, Undone
from .messages import Steps
from .refusals import Code, Refused
from .store import Line
from .table import Happened, Table
from .window import Window

MOST_STEPS = 200  # in one answer


def steps(
    table: Table,
    journal: Sequence[Line],
    number: int,
    seat: int | None,
    all_open: bool,
    first: int,
    count: int,
) -> Steps:
    """Some steps of a match, as a seat saw it, or somebody who watched (None).

    `table` is where the journal leads to: only there shows whether the match is over.
    """
    if all_open and not is_over(table, number):
        raise Refused(Code.NOT_NOW, "All cards are open when the match is over.")
    window, found, place = Window(table, seat), [], 0
    for then, happened in _match(table, journal, number):
        if first <= place < first + min(count, MOST_STEPS):
            found.append(window.step(then, happened, all_open=all_open))
        place += 1
    return Steps(place, found)


def match_file(table: Table, journal: Sequence[Line], number: int) -> str:
    """A finished match as a file."""
    if not is_over(table, number):
        raise Refused(Code.NOT_NOW, "The file is there when the match is over.")
    moves: list[tuple[Seat, str]] = []
    for then, happened in _match(table, journal, number):
        if happened.undone is not None:
            moves.pop()
        elif happened.seat is not None:
            moves.append((happened.seat, happened.action))
        else:
            match = then.game.match(len(then.chairs), then.key, then.setup.options)
            seats = [chair.level if chair.kind == "bot" else files.HUMAN for chair in then.chairs]
            shuffle = then.shuffle
    for seat, action in moves:
        match.play(seat, action)
    return files.dumps(match, seats, shuffle)


def is_over(table: Table, number: int) -> bool:
    """Whether a match is over; Refused if there is none of this number."""
    begun = table.number if table.match is not None else 0
    if not 1 <= number <= begun:
        raise Refused(Code.NOT_FOUND, "There is no such match at this table.")
    return number < table.number or table.status == "over"


def _match(table: Table, journal: Sequence[Line], number: int) -> Iterator[tuple[Table, Happened]]:
    """The deal of a match and all that was done in it, each with the table as it was then."""
    is_over(table, number)
    then = Table(table.id, table.setup, table.secret, table.since)
    for line in journal:
        entry = entries.decode(line.body)
        happened = then.fold(entry, line.at)
        if then.number > number:
            return
        if then.number == number and (happened.whole or isinstance(entry, Moved | Undone)):
            yield then, happened
