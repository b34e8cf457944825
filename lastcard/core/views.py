"""Views: what a seat may see. They are made from a hidden record, so nothing else can leak."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from lastcard.kernel import CHANCE, NOBODY, Record
from lastcard.kernel.forms import places_in
from lastcard.kernel.telling import new_text, told
from lastcard.kernel.texts import CHANCE_NAME

if TYPE_CHECKING:
    from .game import Game


def view_of(game: Game, hidden: Any, seat: int | None) -> dict[str, Any]:
    """A JSON-able mapping from an array of one record that has been through `hide`.

    A zone of cards is {"size": how many, "cards": the known ones}. If any card of an ordered zone
    is known, all are listed, with "?" for the unknown ones.
    """
    return msgspec.json.decode(shown(game, hidden[0], seat))


def shown(game: Game, s: Record, seat: int | None) -> bytes:
    """The same as JSON, of the record itself."""
    out = new_text()
    return told(out, game.telling.view(s, s.data, NOBODY if seat is None else seat, out))


class Watch:
    """A seat's view from look to look."""

    __slots__ = ("_last", "game", "seat")

    def __init__(self, game: Game, seat: int | None) -> None:
        self.game = game
        self.seat = seat
        self._last: Record | None = None  # the hidden record that was looked at last

    def look(self, hidden: Any) -> bytes:
        """The keys of the view that changed since the last look, as JSON; all of them the first
        time. The record is kept: nobody may change it later."""
        before, now = self._last, hidden[0]
        self._last = now
        if before is None:
            return shown(self.game, now, self.seat)
        seat = NOBODY if self.seat is None else self.seat
        scratch, out = new_text(), new_text()
        changes = self.game.telling.changes
        return told(out, changes(before, before.data, now, now.data, seat, scratch, out))

    def whole(self, hidden: Any) -> bytes:
        """The whole view, as JSON, whatever was seen before."""
        self._last = None
        return self.look(hidden)


def seats_of(bits: int) -> list[int]:
    return places_in(bits) if bits else []


def waiting_of(game: Game, s: Record) -> list[int | str]:
    return seats_or_chance(int(game.rules.waiting(s)))


def seats_or_chance(bits: int) -> list[int | str]:
    return [CHANCE_NAME] if bits == 1 << CHANCE else list(seats_of(bits))


def legal_of(game: Game, s: Record, seat: int) -> list[int]:
    out = np.empty(game.rules.MOST_LEGAL, np.int16)
    return out[: game.rules.legal(s, seat, out)].tolist()
