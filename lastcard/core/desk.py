"""Memory at which a game's moves are made and told, always at the same places: to find the
addresses of records, logs and texts takes longer than what is then done with them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from lastcard.engine import fixed
from lastcard.kernel import LOG_COLUMNS, NOBODY
from lastcard.kernel.telling import told

from .scratch import LOG_ROWS, scratch
from .telling import SPLIT

if TYPE_CHECKING:
    from .game import Game


class Desk:
    """Records are copied here and back as bytes."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._memory = scratch()
        self._written = self._memory.written
        self._true, self._before, self._now = (np.zeros(1, game.rules.RECORD) for _ in range(3))
        self.before, self.now = memoryview(_raw(self._before)), memoryview(_raw(self._now))
        self._true_bytes = memoryview(_raw(self._true))
        self._log = np.zeros((LOG_ROWS, LOG_COLUMNS), np.int32)
        self._rows = memoryview(cast(Any, self._log))  # a number of it is found quicker here
        self._logged: Any = None  # what it holds, with the match right after that
        self._calls: dict[str, dict[int | None, Callable[[], int]]] = {
            name: {} for name in ("view", "changes", "update")
        }
        self._updates = self._calls["update"]
        self.legal = np.zeros(game.rules.MOST_LEGAL, np.int16)
        self.listed = memoryview(cast(Any, self.legal))
        rules = game.rules
        self._apply = fixed(rules.apply, self._true[0], ..., ..., self._log)
        self._waiting = fixed(rules.waiting, self._now[0])
        self._legal = fixed(rules.legal, self._now[0], ..., self.legal)

    # `raw` are the bytes of a match.

    def waiting(self, raw: memoryview) -> int:
        """The seats that it waits for, as bits."""
        self.now[:] = raw
        return self._waiting()

    def legal_for(self, raw: memoryview, seat: int) -> list[int]:
        self.now[:] = raw
        return self.listed[: self._legal(seat)].tolist()

    def carry_out(self, raw: memoryview, seat: int, action: int) -> Any:
        """The events, as the engine logs them."""
        self._logged = None
        self._true_bytes[:] = raw
        self._rows[0, 0] = 0
        self._apply(seat, action)
        raw[:] = self._true_bytes
        self._logged = log = self._log[: 1 + self._rows[0, 0]].copy()
        return log

    def view(self, seat: int | None) -> bytes:
        """All that a seat sees of `now`, as JSON."""
        return told(self._written, self._call("view", seat)())

    def changes(self, seat: int | None) -> bytes:
        """What a seat sees otherwise `now` than `before`."""
        return told(self._written, self._call("changes", seat)())

    def update(self, seat: int | None, raw: memoryview, log: Any) -> tuple[bytes, bytes]:
        """The events of a move as a seat is told them, and what it then sees otherwise than
        `before`; `now` becomes all it may know of the match."""
        if log is not self._logged:  # otherwise both still lie here
            self._true_bytes[:] = raw
            self._log[: len(log)] = log
            self._logged = log
        sizes = (self._updates.get(seat) or self._call("update", seat))()
        between, end = (sizes // SPLIT, sizes % SPLIT) if sizes >= 0 else (sizes, sizes)
        return told(self._written, between), told(self._written, end, between)

    def _call(self, name: str, seat: int | None) -> Callable[[], int]:
        calls = self._calls[name]
        if seat not in calls:
            calls[seat] = self._fixed(name, NOBODY if seat is None else seat)
        return calls[seat]

    def _fixed(self, name: str, viewer: int) -> Callable[[], int]:
        before, now = (self._before[0], _raw(self._before)), (self._now[0], _raw(self._now))
        memory, true = self._memory, _raw(self._true)
        arguments: dict[str, tuple[Any, ...]] = {
            "view": (*now, viewer, memory.text),
            "changes": (*before, *now, viewer, memory.before, memory.text),
            "update": (true, *before, *now, viewer, self._log, memory.before, memory.text),
        }
        return fixed(getattr(self._game.telling, name), *arguments[name])


class Desks(threading.local):
    """Each thread has its own."""

    def __init__(self, game: Game) -> None:
        self.mine = Desk(game)


def _raw(array: Any) -> Any:
    """The bytes of a record."""
    return array.view(np.uint8)
