"""What each seat has seen of a match so far: the information state, in words and in numbers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np

from lastcard.core.events import rows_of as events_of
from lastcard.core.events import told_of
from lastcard.core.game import Game
from lastcard.core.match import duplicate
from lastcard.core.views import shown
from lastcard.kernel import LOG_COLUMNS, NOBODY, PUBLIC, UNKNOWN
from lastcard.sim.batch import WAIT

OWN_ACTION, EVENT = 1, 2  # in numbers: what an entry is; + the kind of event
COLUMNS = 5  # of an entry: what it is, whose it is, three values
NO_ROWS = np.zeros((0, COLUMNS), np.float32)
NO_EVENTS = np.zeros((1, LOG_COLUMNS), np.int32)


class Past(ABC):
    """One thing that happened, after all that happened before. States that come from each other
    share it, and what was worked out about it."""

    __slots__ = ("_rows", "_texts", "before")
    KEPT: tuple[str, ...] = ()  # what it consists of, apart from what came before

    def __init__(self, before: Past | None) -> None:
        self.before = before
        self._texts: dict[int, str] | None = None  # by seat, once somebody asks
        self._rows: dict[int, Any] | None = None

    def text(self, rules: Game, seat: int) -> str:
        """What a seat knows of it, or a spectator: NOBODY."""
        if self._texts is None:
            self._texts = {}
        if seat not in self._texts:
            self._texts[seat] = self._tell(rules, seat)
        return self._texts[seat]

    def rows(self, rules: Game, seat: int, players: int) -> Any:
        """The same in numbers. Seats are counted from this one on."""
        if self._rows is None:
            self._rows = {}
        if seat not in self._rows:
            self._rows[seat] = self._count(rules, seat, players)
        return self._rows[seat]

    @abstractmethod
    def _tell(self, rules: Game, seat: int) -> str: ...

    @abstractmethod
    def _count(self, rules: Game, seat: int, players: int) -> Any: ...

    def whole(self) -> Iterator[Past]:
        """The last thing first."""
        step: Past | None = self
        while step is not None:
            yield step
            step = step.before


class Dealt(Past):
    """A round was dealt, and everybody saw what there was to see."""

    __slots__ = ("record",)
    KEPT = __slots__

    def __init__(self, before: Past | None, record: Any) -> None:
        super().__init__(before)
        self.record = record

    def _tell(self, rules: Game, seat: int) -> str:
        return f"deal {view(rules, self.record, seat)}\n"

    def _count(self, rules: Game, seat: int, players: int) -> Any:
        return NO_ROWS


class Moved(Past):
    """A seat, or chance, did something, and events came of it."""

    __slots__ = ("action", "log", "seat")
    KEPT = __slots__

    def __init__(self, before: Past, seat: int, action: int, log: Any) -> None:
        Past.__init__(self, before)  # there are many of these: `super` takes longer
        self.seat, self.action, self.log = seat, action, log

    def _tell(self, rules: Game, seat: int) -> str:
        own = f"> {action_name(rules, self.action)}\n" if seat == self.seat else ""
        if not self.log[0, 0]:
            return own
        told = told_of(rules, self.log, None if seat == NOBODY else seat)
        return f"{own}{told.decode()}\n"

    def _count(self, rules: Game, seat: int, players: int) -> Any:
        own = [(OWN_ACTION, 0, self.action, 0, 0)] if seat == self.seat else []
        events = [_event(rules, seat, players, *row) for row in events_of(self.log)]
        return np.array([*own, *events], np.float32).reshape(-1, COLUMNS)


class Remembered(Past):
    """All that one seat knows of a past; the others only know what a spectator has seen."""

    __slots__ = ()
    KEPT = ("_texts", "_rows")

    def __init__(self, past: Past, rules: Game, seat: int, players: int, recall: int) -> None:
        super().__init__(None)
        viewers = (seat, NOBODY)
        self._texts = {one: text_of(past, rules, one) for one in viewers}
        self._rows = {one: rows_of(past, rules, one, players, recall) for one in viewers}

    def _tell(self, rules: Game, seat: int) -> str:
        return self.text(rules, NOBODY)

    def _count(self, rules: Game, seat: int, players: int) -> Any:
        turned = self.rows(rules, NOBODY, players).copy()  # counted from seat 0 on
        turned[:, 1] = (turned[:, 1] - seat) % players
        return turned


def _event(
    rules: Game, seat: int, players: int, kind: int, whose: int, eyes: int, *values: int
) -> tuple[int, ...]:
    """As `told_of` tells it: secrets of others are UNKNOWN."""
    event = rules.events[kind]
    known = list(values)
    if not (eyes == PUBLIC or (seat != NOBODY and eyes >> seat & 1)):
        for place, name in enumerate(event.values):
            if name in event.secret:
                known[place] = UNKNOWN
    return (EVENT + kind, (whose - max(seat, 0)) % players, *known)


def text_of(past: Past | None, rules: Game, seat: int) -> str:
    pieces = [] if past is None else [step.text(rules, seat) for step in past.whole()]
    return "".join(reversed(pieces))


def rows_of(past: Past | None, rules: Game, seat: int, players: int, recall: int) -> Any:
    """The newest entries, so many at most, the last one last."""
    found: list[Any] = []
    count = 0
    for step in () if past is None else past.whole():
        if count >= recall:
            break
        found.append(step.rows(rules, seat, players))
        count += len(found[-1])
    return np.concatenate([NO_ROWS, *reversed(found)])[max(count - recall, 0) :]


def flat(past: Past | None) -> list[tuple[type[Past], tuple[Any, ...]]]:
    """A past as a list: pickle cannot follow a long chain."""
    steps = [] if past is None else [*past.whole()]
    return [(type(one), tuple(getattr(one, name) for name in one.KEPT)) for one in reversed(steps)]


def rebuilt(steps: list[tuple[type[Past], tuple[Any, ...]]]) -> Past | None:
    """The past that a list was made of."""
    past: Past | None = None
    for kind, parts in steps:
        step = kind.__new__(kind)
        Past.__init__(step, past)
        for name, value in zip(kind.KEPT, parts, strict=True):
            setattr(step, name, value)
        past = step
    return past


def view(rules: Game, record: Any, seat: int) -> str:
    """What a seat sees of a record, as JSON."""
    hidden = duplicate(record)
    rules.rules.hide(hidden[0], seat)
    return shown(rules, hidden[0], None if seat == NOBODY else seat).decode()


def beyond(seen: str, known: str) -> str:
    """The keys of a view, as JSON, that are not the same in another."""
    own, others = msgspec.json.decode(seen), msgspec.json.decode(known)
    told = {key: value for key, value in own.items() if others.get(key) != value}
    return msgspec.json.encode(told).decode()


def action_name(rules: Game, action: int) -> str:
    """To wait is no action of the rules: it comes after the last one."""
    return WAIT if action == len(rules.actions) else rules.actions[action]
