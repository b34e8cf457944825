"""A process of a world: the real application, in a context of its own."""

from __future__ import annotations

import asyncio
import math
import os
import sqlite3
from contextvars import Context
from typing import TYPE_CHECKING

from lastcard.server.app import Application
from lastcard.server.limits import Limits
from lastcard.table.hosted import HostedTable
from lastcard.table.times import Times

from .loop import OWNER, Owner

if TYPE_CHECKING:
    from .network import Lines, Wire
    from .world import World

LIMITS = Limits(requests_per_second=200.0, tables_per_hour=10_000)
FIRST_STEPS, LAST_STEPS = 30, 3_000  # after which a process is killed, if it is
RESTARTED_WITHIN = 4.0  # seconds


class Process(Owner):
    def __init__(self, world: World, number: int) -> None:
        self.world = world
        self.number = number
        self.context = Context()
        self.context.run(OWNER.set, self)
        self.up = False  # it can serve
        self.served_since = math.inf
        self.app: Application
        self.tables: dict[str, HostedTable] = {}
        self.wires: dict[Wire, None] = {}
        self.calls: dict[Lines, None] = {}  # requests under way
        self.threads: dict[object, str] = {}  # SQLite's, and what may happen to them
        self.opened: list[sqlite3.Connection] = []
        self.locks: list[int] = []
        self.trouble_until = 0.0  # it may not know, or not answer, before
        self.slow_until = 0.0
        self._stopping = asyncio.Event()
        self._steps = self._lifetime()
        self._set_clock()
        world.loop.create_task(self._run(), context=self.context)

    def __repr__(self) -> str:
        return f"process {self.number}"

    def _lifetime(self) -> int:
        faults = self.world.faults
        if not faults.happens("kill"):
            return -1
        luck = faults.luck("kill")
        return int(FIRST_STEPS * (LAST_STEPS / FIRST_STEPS) ** luck.random())

    def _set_clock(self) -> None:
        """Its wall clock is off, as in the plan; one that is alone may be set to any time."""
        faults, skew = self.world.faults, self.world.plan.skew
        off = self.world.rng.uniform(-skew, skew)
        if faults.happens("clock set"):
            most = 2.0 if self.world.plan.processes > 1 else 7200.0
            off += faults.luck("clock set").uniform(-most, most)
        self.began = self.wall = self.world.epoch + off

    def step(self) -> bool:
        if self.dead:
            return False
        self._steps -= 1
        if self._steps == 0 and not self.world.faults.calm:
            self.world.note("killed", self)
            self.die()
            return False
        return True

    async def _run(self) -> None:
        times = Times(linger=4.0, sweep=2.0) if self.world.plan.seed % 2 else Times()
        app = Application("sqlite:///world.db", LIMITS, times)
        async with app._lifespan(app._requests):
            self.app, self.tables = app, app.server().house.tables
            self.world.goes_up(self)
            self.up, self.served_since = True, self.world.loop.now
            self.world.note("up", self)
            await self._stopping.wait()
            self.world.goes_down(self)
            self.up = False
            for wire in list(self.wires):
                wire.hang_up(1012)
            await asyncio.sleep(0.1)  # uvicorn waits for those who are still served
        self.world.note("stopped", self)
        self.opened, self.locks = [], []  # closed
        self.die()

    def stop(self) -> None:
        """As when an operator asks it to."""
        self._stopping.set()

    def die(self) -> None:
        """kill -9: nothing of it runs any more."""
        self.dead = True
        for raw in self.opened:
            sqlite3.Connection.close(raw)
        for lock in self.locks:
            os.close(lock)
        self.world.died(self)
        self.up = False
        for wire in list(self.wires):
            wire.lose()
        for call in list(self.calls):
            call.lose()

    def in_trouble(self, seconds: float) -> None:
        """For so long the database keeps it from knowing, or from answering."""
        self.trouble_until = max(self.trouble_until, self.world.loop.time() + seconds)

    def stall(self, seconds: float) -> None:
        self.stalled_until = self.world.loop.time() + seconds
        self.in_trouble(seconds)
