"""Events: their kinds, how each is told to people, and the log that rules write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .compiling import Log, Record, inlined, rule
from .seats import CHANCE, bit


@dataclass(frozen=True)
class Event:
    """A kind of event: its values with the names of each, and the sentence people read.

    `values` maps a value's name to its names (such as the cards), or to None for a plain number.
    Values in `secret` are seen only by the seats in the event's eyes; the others read `veiled`.
    The one whom it is about reads `you`. Events that follow each other are told as one, with the
    values named by `joins` in a row; `{count}` says how many cards that are. Those with a `part`
    are told as one, too, `{parts}` being the part of each. A value called `whom` is another seat,
    and people read its player's name.
    """

    kind: str
    says: str
    you: str = ""
    values: Mapping[str, Sequence[str] | None] = field(default_factory=dict)
    secret: frozenset[str] = frozenset()
    veiled: str = ""
    joins: str = ""
    part: str = ""


def scoring_events(
    cards: Sequence[str], parts: Sequence[str], part: str = ""
) -> tuple[Event, Event, Event, Event]:
    """How rounds and matches are told to end: hands shown, counted, points written down, winners.

    A seat's points are counted part by part: `parts` are what there is to count, each with how many
    and what it brings, which adds up to the points that are written down. `part` is how each is
    told; left out, other sentences say it.
    """
    return (
        Event(
            "showed",
            "{seat} shows {card}.",
            "You are left with {card}.",
            {"card": cards},
            joins="card",
        ),
        Event(
            "counted",
            "{seat} counts {parts}." if part else "",
            "You count {parts}." if part else "",
            {"what": parts, "count": None, "points": None},
            part=part,
        ),
        Event(
            "scored",
            "{seat}: {points} this round, {score} in all.",
            "You: {points} this round, {score} in all.",
            {"points": None, "score": None},
        ),
        Event("won", "{seat} wins with {score}.", "You win with {score}.", {"score": None}),
    )


# --- The log --------------------------------------------------------------------------------------
#
# A log is an int32 array. Its first row holds the number of events; every other row is one event:
# kind, seat, eyes (the seats that may see its secret values, as bits), then the values.

LOG_COLUMNS = 6
LOG_VALUES = 3  # the column of the first value
PUBLIC = (1 << CHANCE) - 1


@rule("void(int32[:, ::1], int64, int64, int64, int64, int64, int64)")
def _write(log: Log, kind: int, seat: int, eyes: int, a: int, b: int, c: int) -> None:
    if log[0, 0] + 1 >= log.shape[0]:
        return
    log[0, 0] += 1
    row = log[0, 0]
    log[row, 0] = kind
    log[row, 1] = seat
    log[row, 2] = eyes
    log[row, LOG_VALUES] = a
    log[row, LOG_VALUES + 1] = b
    log[row, LOG_VALUES + 2] = c


@rule("void(int32[:, ::1], int64, int64, int64, int64, int64, int64)")
def emit(log: Log, kind: int, seat: int, eyes: int, a: int, b: int, c: int) -> None:
    """Writes an event, if there is room for it."""
    if log.shape[0] > 0:  # apart, so that this much is compiled into the rules, and costs nothing
        _write(log, kind, seat, eyes, a, b, c)


@inlined
def show_hand(s: Record, seat: int, kinds: int, event: int, log: Log) -> None:
    """An event for every card of a hand, for everybody to see."""
    if log.shape[0] > 0:
        for card in range(kinds):
            for _ in range(s.hands[seat, card]):
                emit(log, event, seat, PUBLIC, card, 0, 0)


@inlined
def tell_winners(s: Record, event: int, log: Log) -> None:
    """An event for every winner, with the score."""
    for seat in range(s.players):
        if s.winners & bit(seat):
            emit(log, event, seat, PUBLIC, s.scores[seat], 0, 0)
