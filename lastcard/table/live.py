"""A table in memory: its state, who is connected to it, and how long that has been so."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass, field
from typing import Protocol

from .bucket import Bucket
from .clock import now
from .messages import TableShown
from .shown import shown
from .table import Table
from .window import Window

# Whoever sits down, leaves, rests or takes back writes an entry, too: nobody needs many of them.
BESIDES_PER_SECOND, BESIDES_AT_ONCE = 2.0, 60


def _besides() -> Bucket:
    return Bucket(BESIDES_PER_SECOND, BESIDES_AT_ONCE, now())


@dataclass(frozen=True)
class Times:
    """How long things take, in seconds."""

    pace: float = 0.8  # before a bot moves, so that people can follow
    patience: float = 2.0  # the same where people need a chance to act out of turn, or take back
    hurry: float = 0.2  # the same where all people want it to go on quickly
    linger: float = 60.0  # before a table that nobody looks at leaves memory
    sweep: float = 10.0  # how often that is looked after
    others: float = 3.0  # before a process does what another one should have done
    heartbeat: float = 5.0  # how often processes tell each other who is connected to them
    silence: float = 16.0  # after which a process is taken for dead
    look: float = 5.0  # how often the journal is looked at for what nobody has told


class Client(Protocol):
    """Somebody who is connected to a table."""

    seat: int | None  # None watches

    def send(self, message: bytes) -> None: ...

    def close(self) -> None: ...


@dataclass(slots=True, eq=False)
class Live:
    """A table in memory."""

    table: Table
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    clients: set[Client] = field(default_factory=set)
    windows: dict[int | None, Window] = field(default_factory=dict)
    gone: dict[int, float] = field(default_factory=dict)  # people who are not here, since when
    back: dict[int, float] = field(default_factory=dict)  # who came when the clock had run out
    elsewhere: dict[str, list[int | None]] = field(default_factory=dict)  # by process
    advised: set[int] = field(default_factory=set)  # seats for which a hint is being thought out
    hurried: set[int] = field(default_factory=set)  # people who have nothing to do but to wait
    woken: asyncio.Event = field(default_factory=asyncio.Event)  # for bots that bide their time
    timer: asyncio.TimerHandle | None = None
    asked: int = -1  # the version for which bots have been asked whether they act out of turn
    thinking: int = -1  # the version for which a turn is being taken
    mine: bool = True  # this process wrote the last entry, so it goes on with the table
    newest: int = 0  # the number of the last entry that others are known to have written
    unsure: bool = False  # the journal may have more than that; only who has the lock changes this
    used: float = 0.0
    besides: Bucket = field(default_factory=_besides)  # entries that are no moves

    @property
    def here(self) -> set[int]:
        """The seats of people who are connected, to any process."""
        seats = [client.seat for client in self.clients]
        for others in self.elsewhere.values():
            seats += others
        return {seat for seat in seats if seat is not None}

    @property
    def watching(self) -> int:
        mine = sum(client.seat is None for client in self.clients)
        return mine + sum(others.count(None) for others in self.elsewhere.values())

    def note_gone(self) -> None:
        here = self.here
        for seat in self.table.people:
            if seat in here:
                self.gone.pop(seat, None)
            else:
                self.gone.setdefault(seat, now())

    @property
    def electorate(self) -> set[int]:
        """Whose agreement is needed: people who are here, or will be in a moment."""
        grace, at = self.table.setup.grace, now()
        return {
            seat
            for seat in self.table.people
            if not self.table.chairs[seat].left
            and (seat not in self.gone or grace is None or at < self.gone[seat] + grace)
        }

    def hurry(self, seat: int) -> None:
        """A seat need not be waited for. Once all say so, bots that bide their time move."""
        self.hurried.add(seat)
        if self.hurried >= self.electorate:
            self.woken.set()  # whoever waits just now,
            self.woken.clear()  # and nobody who will

    def pace(self, times: Times, slow: bool) -> float:
        """How long a bot waits before it moves."""
        if self.hurried and self.hurried >= self.electorate:
            return min(times.hurry, times.pace)
        return times.patience if slow else times.pace

    def clock_of(self, seat: int) -> float:
        """When the time of a seat runs out."""
        clock, asked_at = self.table.setup.clock, self.table.asked_at.get(seat)
        if clock is None or asked_at is None:
            return math.inf
        return max(asked_at, self.back.get(seat, asked_at)) + clock

    @property
    def seconds(self) -> float | None:
        """What is left on the clock, if there is one."""
        if self.table.setup.clock is None or self.table.status != "playing":
            return None
        ends = [self.clock_of(seat) for seat in self.table.asked_at]
        return round(max(min(ends) - now(), 0.0), 1) if ends else None

    def window(self, seat: int | None) -> Window:
        if seat not in self.windows:
            self.windows[seat] = Window(self.table, seat)
        return self.windows[seat]

    def shown(self) -> TableShown:
        return shown(self.table, self.here, self.watching, self.seconds)
