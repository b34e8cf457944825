"""The only way out for cards: what a seat, or a spectator, is shown of a match.

Everything here is made from the seat's redacted record (hints by search, which sees no more) and
from events redacted for the seat. No other module puts any part of a match into a message.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Raw

from lastcard.bots.learned import Opinion
from lastcard.bots.search import Judgement
from lastcard.core.events import log_of, told_of
from lastcard.core.game import Game
from lastcard.core.views import Watch
from lastcard.kernel import NOBODY

from .messages import Advice, Liked, MatchChanged, MatchShown, Step, Update, encode
from .table import Happened, Table

MOST_ADVICE = 5  # actions in a hint


def advice_of(
    game: Game, judged: Sequence[Judgement], opinions: Sequence[Opinion] = ()
) -> list[Advice]:
    """The content of a hint, best action first; with the opinions of a self-taught bot."""
    likings = {one.action: round(one.liking, 3) for one in opinions}
    return [
        Advice(_named(game, one.action), round(one.chance, 3), likings.get(one.action))
        for one in judged[:MOST_ADVICE]
    ]


def liked_of(game: Game, opinions: Sequence[Opinion]) -> Liked | None:
    """What a self-taught bot would do, for a hint; None if there is no such bot."""
    return (
        Liked(_named(game, opinions[0].action), round(opinions[0].liking, 3)) if opinions else None
    )


def _named(game: Game, action: int) -> str | None:
    return None if action == NOBODY else game.actions[action]


class Window:
    """The view of one seat, or of all spectators (None)."""

    __slots__ = ("_watch", "seat")

    def __init__(self, table: Table, seat: int | None) -> None:
        self.seat = seat
        self._watch = Watch(table.game, seat)

    def shown(self, table: Table) -> MatchShown | None:
        """The whole match as it is now."""
        if table.match is None:
            return None
        view = self._watch.whole(table.match.hidden(self.seat))
        undo = table.may_undo(self.seat)
        return MatchShown(table.number, table.version, undo, Raw(view))

    def anew(self, table: Table) -> bytes | None:
        """The same, as a message, after anything but a move."""
        match = self.shown(table)
        return None if match is None else encode(MatchChanged(match))

    def update(self, table: Table, happened: Happened, seconds: float | None) -> bytes:
        """The move that was just made."""
        match, seat, log = table.match, happened.seat, happened.log
        assert match is not None and log is not None and seat is not None
        undo = table.may_undo(self.seat)
        told = self._watch.follow(match.raw, log)
        if told is None:
            told = told_of(table.game, log, self.seat), self._watch.look(match.hidden(self.seat))
        events, changes = Raw(told[0]), Raw(told[1])
        return encode(Update(table.version, seat, happened.by, events, changes, undo, seconds))

    def step(self, table: Table, happened: Happened, *, all_open: bool = False) -> Step:
        """One step of a replay; `all_open` only once the match is over."""
        match = table.match
        assert match is not None
        moved = happened.log is not None
        log = happened.log if moved else log_of([])
        told = Raw(told_of(table.game, log, self.seat, all_open=all_open))
        view = Raw(self._watch.whole(match.revealed() if all_open else match.hidden(self.seat)))
        by = happened.by if moved else None
        return Step(table.version, happened.seat if moved else None, by, told, view)
