"""A table in memory: its state, who is connected to it, and since when."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from .bucket import Bucket
from .clock import now
from .messages import TableShown
from .shown import shown
from .table import Table
from .times import Times
from .window import Window

if TYPE_CHECKING:
    from .writer import Job

# Sitting down, leaving, pausing and undoing write entries, too; nobody needs many of them.
NON_MOVES_PER_SECOND, NON_MOVES_AT_ONCE = 2.0, 60
BACK_WITHIN = 60.0  # seconds after a break in which nobody's clock runs who is not back


def _non_moves() -> Bucket:
    return Bucket(NON_MOVES_PER_SECOND, NON_MOVES_AT_ONCE, now())


class Client(Protocol):
    """A connection to a table."""

    seat: int | None  # None for a spectator

    def send(self, message: bytes) -> None: ...

    def close(self) -> None: ...


@dataclass(slots=True, eq=False)
class HostedTable:
    """A table as this process hosts it."""

    table: Table
    busy: bool = False  # something is being done here: see writer.py
    queue: list[Job] = field(default_factory=list)  # to be done after that
    clients: set[Client] = field(default_factory=set)
    windows: dict[int | None, Window] = field(default_factory=dict)
    gone: dict[int, float] = field(default_factory=dict)  # people not connected, and since when
    back: dict[int, float] = field(default_factory=dict)  # whose clocks began again, and when
    unserved_until: float = 0.0  # before this, no process served the table for a while,
    servers: frozenset[str] = frozenset()  # unless one of these says that it does
    elsewhere: dict[str, list[int | None]] = field(default_factory=dict)  # clients by process
    heard: dict[str, float] = field(default_factory=dict)  # when each of these last said so
    advised: set[int] = field(default_factory=set)  # seats with a hint under way
    hurried: set[int] = field(default_factory=set)  # people who are only waiting for bots
    woken: asyncio.Event = field(default_factory=asyncio.Event)  # wakes bots that are pausing
    timer: asyncio.TimerHandle | None = None
    asked: int = -1  # the version for which bots were last asked to act out of turn
    thinking: int = -1  # the version whose turn is under way
    mine: bool = True  # this process wrote the last entry, so it takes the next turn
    newest: int = 0  # the number of the last entry that other processes announced
    unsure: bool = False  # the journal may hold still more; changed only by whose turn it is
    rereading: bool = False  # the journal is read as soon as the database answers
    used: float = 0.0
    dropped: bool = False  # from memory: the table has to be found again
    non_moves: Bucket = field(default_factory=_non_moves)  # bounds entries other than moves

    @property
    def behind(self) -> bool:
        """The journal may hold entries that are not known here."""
        return self.unsure or self.table.seq < self.newest

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

    def note_back(self, seat: int) -> None:
        """Somebody is here again, and may still move if the clock ran while he could not."""
        self.gone.pop(seat, None)
        if self._is_awaited(seat) or self.clock_of(seat) < now():
            self.back[seat] = now()

    def note_gone(self) -> None:
        here = self.here
        for seat in self.table.people:
            if seat in here:
                self.gone.pop(seat, None)
            else:
                self.gone.setdefault(seat, now())

    @property
    def electorate(self) -> set[int]:
        """Whose agreement is needed: people who are here, or were until a moment ago."""
        grace, at = self.table.setup.grace, now()
        return {
            seat
            for seat in self.table.people
            if not self.table.chairs[seat].left
            and (seat not in self.gone or grace is None or at < self.gone[seat] + grace)
        }

    def hurry(self, seat: int) -> None:
        """Bots need not pause for this seat. Once all people say so, they move at once."""
        self.hurried.add(seat)
        if self.hurried >= self.electorate:
            self.woken.set()  # wakes those waiting now,
            self.woken.clear()  # but not those who wait later

    def pace(self, times: Times, slow: bool) -> float:
        """How long a bot waits before it moves."""
        if self.hurried and self.hurried >= self.electorate:
            return min(times.hurry, times.pace)
        return times.patience if slow else times.pace

    def clock_of(self, seat: int) -> float:
        """When the seat runs out of time."""
        clock, asked_at = self.table.setup.clock, self.table.asked_at.get(seat)
        if clock is None or asked_at is None:
            return math.inf
        if self._is_awaited(seat):
            return self.unserved_until + BACK_WITHIN + clock
        return max(asked_at, self.back.get(seat, asked_at)) + clock

    def served_since(self, when: float) -> None:
        """There was no break later than this: time that was given for one is taken back."""
        clock, asked_at = self.table.setup.clock or 0, self.table.asked_at
        self.unserved_until = when
        self.back = {
            seat: back
            for seat, back in self.back.items()
            if asked_at.get(seat, math.inf) < max(when, back - clock)
        }

    def _is_awaited(self, seat: int) -> bool:
        """Whether the seat was to move when the break began, and is not back yet."""
        asked_at = self.table.asked_at.get(seat, math.inf)
        return max(asked_at, self.back.get(seat, asked_at)) < self.unserved_until

    @property
    def seconds(self) -> float | None:
        """Time left on the clock, if there is one."""
        if self.table.setup.clock is None or self.table.status != "playing":
            return None
        left = [self.clock_of(seat) - now() for seat in self.table.asked_at]
        return round(max(min(*left, self.table.setup.clock), 0.0), 1) if left else None

    def window(self, seat: int | None) -> Window:
        window = self.windows.get(seat)
        if window is None:
            window = self.windows[seat] = Window(self.table, seat)
        return window

    def shown(self) -> TableShown:
        return shown(self.table, self.here, self.watching, self.seconds)
