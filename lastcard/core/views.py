"""Views: what a seat may see. They are made from a hidden record, so nothing else can leak."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from lastcard.kernel import CHANCE, NOBODY, Record
from lastcard.kernel.forms import places_in
from lastcard.kernel.telling import told
from lastcard.kernel.texts import CHANCE_NAME

from .scratch import scratch

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
    viewer, memory = NOBODY if seat is None else seat, scratch()
    return told(memory.written, game.telling.view(s, s.data, viewer, memory.text))


class Watch:
    """A seat's view from look to look."""

    __slots__ = ("_last", "game", "seat")

    def __init__(self, game: Game, seat: int | None) -> None:
        self.game = game
        self.seat = seat
        self._last: bytes | None = None  # of the hidden record that was looked at last

    def look(self, hidden: Any) -> bytes:
        """The keys of the view that changed since the last look, as JSON; all of them the first
        time."""
        desk = self.game.desks.mine
        before, self._last = self._last, hidden.tobytes()
        desk.now[:] = self._last
        if before is None:
            return desk.view(self.seat)
        desk.before[:] = before
        return desk.changes(self.seat)

    def follow(self, raw: Any, log: Any) -> tuple[bytes, bytes] | None:
        """The events of a move and what it changed in the view, both as JSON, in one call; `raw`
        are the bytes of the match. None if nothing was seen before."""
        if self._last is None:
            return None
        desk = self.game.desks.mine
        desk.before[:] = self._last
        told = desk.update(self.seat, raw, log)
        self._last = desk.now.tobytes()
        return told

    def whole(self, hidden: Any) -> bytes:
        """The whole view, as JSON, whatever was seen before."""
        self._last = None
        return self.look(hidden)


def seats_of(bits: int) -> list[int]:
    return places_in(bits) if bits else []


def seats_or_chance(bits: int) -> list[int | str]:
    return [CHANCE_NAME] if bits == 1 << CHANCE else list(seats_of(bits))


def legal_of(game: Game, s: Record, seat: int) -> list[int]:
    desk = game.desks.mine
    return desk.listed[: game.rules.legal(s, seat, desk.legal)].tolist()
