"""Views: what a seat may see. They are made from a hidden record, so nothing else can leak."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from lastcard.kernel import CHANCE, NOBODY, Record
from lastcard.kernel.forms import places_in
from lastcard.kernel.telling import told
from lastcard.kernel.texts import CHANCE_NAME

from .scratch import scratch
from .telling import SPLIT

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


class _Seen:
    """A hidden record, and its bytes."""

    __slots__ = ("raw", "record")

    def __init__(self, array: Any) -> None:
        self.record: Record = array[0]
        self.raw = array.view(np.uint8)


class Watch:
    """A seat's view from look to look."""

    __slots__ = ("_last", "_spare", "game", "seat")

    def __init__(self, game: Game, seat: int | None) -> None:
        self.game = game
        self.seat = seat
        self._last: _Seen | None = None  # the hidden record that was looked at last
        self._spare: _Seen | None = None  # memory for the next one

    def look(self, hidden: Any) -> bytes:
        """The keys of the view that changed since the last look, as JSON; all of them the first
        time. The record is kept: nobody may change it later."""
        before, now = self._last, _Seen(hidden)
        self._last = now
        if before is None:
            return shown(self.game, now.record, self.seat)
        seat, memory = NOBODY if self.seat is None else self.seat, scratch()
        size = self.game.telling.changes(
            before.record, before.raw, now.record, now.raw, seat, memory.before, memory.text
        )
        return told(memory.written, size)

    def follow(self, raw: Any, log: Any) -> tuple[bytes, bytes] | None:
        """The events of a move and what it changed in the view, both as JSON, in one call; `raw`
        are the bytes of the match. None if nothing was seen before."""
        before, now = self._last, self._spare
        if before is None:
            return None
        if now is None:
            now = _Seen(np.empty(1, self.game.rules.RECORD))
        seat, memory = NOBODY if self.seat is None else self.seat, scratch()
        sizes = self.game.telling.update(
            raw,
            before.record,
            before.raw,
            now.record,
            now.raw,
            seat,
            log,
            memory.before,
            memory.text,
        )
        self._last, self._spare = now, before
        between, end = divmod(sizes, SPLIT) if sizes >= 0 else (sizes, sizes)
        return told(memory.written, between), told(memory.written, end, between)

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
