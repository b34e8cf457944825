"""Tables in memory: read from their journals when needed, dropped when idle."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from .clock import now
from .hosted import HostedTable
from .journals import Journals
from .table import Table
from .times import Times


class Shelf:
    def __init__(
        self,
        tables: dict[str, HostedTable],
        journals: Journals,
        when_read: Callable[[HostedTable], Awaitable[None]],
    ) -> None:
        self._tables = tables
        self._journals = journals
        self._when_read = when_read
        self._reading: dict[str, asyncio.Task[HostedTable]] = {}

    async def find(self, id: str) -> HostedTable:
        """A table, from memory or from its journal; Refused if there is none."""
        if (hosted := self._tables.get(id)) is not None:
            hosted.used = now()
            return hosted
        if id not in self._reading:
            self._reading[id] = asyncio.create_task(self._read(id))
            self._reading[id].add_done_callback(lambda _: self._reading.pop(id, None))
        return await asyncio.shield(self._reading[id])

    async def game_of(self, id: str) -> str | None:
        """The game of a table, if there is one."""
        if (hosted := self._tables.get(id)) is not None:
            return hosted.table.game.id
        return await self._journals.game_of(id)

    def put(self, table: Table) -> HostedTable:
        at = now()
        hosted = HostedTable(table, used=at, gone=dict.fromkeys(table.people, at))
        self._tables[table.id] = hosted
        return hosted

    async def _read(self, id: str) -> HostedTable:
        hosted = self.put(await self._journals.read(id))
        await self._when_read(hosted)
        return hosted

    async def sweep(self, times: Times) -> None:
        """Drops tables that have been idle for a while; their journals keep them."""
        while True:
            await asyncio.sleep(times.sweep)
            idle = now() - times.linger
            for id, hosted in list(self._tables.items()):
                quiet = not hosted.clients and hosted.timer is None and not hosted.busy
                if quiet and hosted.used < idle:
                    hosted.dropped = True  # somebody may have found it, and not come in yet
                    del self._tables[id]

    async def close(self) -> None:
        reading = list(self._reading.values())
        for task in reading:
            task.cancel()
        await asyncio.gather(*reading, return_exceptions=True)
