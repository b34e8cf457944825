"""The other processes that serve the same tables: who is connected there, what they write."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from . import broadcast
from .clock import now
from .database import DatabaseError
from .hosted import HostedTable
from .store import Note, Store
from .tasks import Tasks
from .times import Times
from .writer import Writer

MOST_ASKED = 100  # tables asked about at once, after news was lost


class Processes:
    """What this process tells the others, and hears from them. Silent where there are none."""

    def __init__(
        self,
        store: Store,
        tables: Mapping[str, HostedTable],
        writer: Writer,
        schedule: Callable[[HostedTable], None],
        tasks: Tasks,
        times: Times,
    ) -> None:
        self._store = store
        self._tables = tables
        self._writer = writer
        self._schedule = schedule
        self._tasks = tasks
        self._times = times
        self._since = now()  # there has been a process at every moment
        self._met: dict[str, float] = {}  # other processes, and when each was heard last
        # Tables that are not in memory here: who serves them, and said so when.
        self._served: dict[str, dict[str, float]] = {}

    def start(self) -> None:
        if self._store.shared:
            self.listen()
            self._tasks.spawn(self._beat())
            self._tasks.spawn(self._look())

    def listen(self) -> None:
        self._store.listen(self.hear, self._catch_up_all)

    # --- Telling ---------------------------------------------------------------------------------

    async def introduce(self, hosted: HostedTable) -> None:
        """Asks who is at a table that was just read. Others may have written to it meanwhile, and
        nobody here was listening. Or one has died that served it."""
        hosted.unserved_until = self._since
        if self._store.shared:
            hosted.servers = frozenset(self._served.pop(hosted.table.id, ()))
            if hosted.servers:
                hosted.unserved_until = now()
            hosted.mine, hosted.unsure = False, True
            self._tasks.spawn(self._writer.read_on(hosted))
            await self._store.tell(Note(self._store.process, asking=[hosted.table.id]))

    def tell_presence(self, hosted: HostedTable) -> None:
        if self._store.shared:
            self._tasks.spawn(self._tell_who_is_here(hosted))

    def tell_reaction(self, hosted: HostedTable, seat: int, reaction: str) -> None:
        if self._store.shared:
            told = [(hosted.table.id, seat, reaction)]
            self._tasks.spawn(self._store.tell(Note(self._store.process, reactions=told)))

    async def say_goodbye(self) -> None:
        nobody: dict[str, list[int | None]] = {id: [] for id in self._tables}
        await self._store.tell(Note(self._store.process, here=nobody))

    async def _tell_who_is_here(self, *tables: HostedTable, asked: bool = False) -> None:
        here = {one.table.id: [client.seat for client in one.clients] for one in tables}
        serving = {
            one.table.id: one.unserved_until
            for one in tables
            if asked and any(client.seat is not None for client in one.clients)
        }
        process, met = self._store.process, [*self._met]
        note = Note(process, here=here, since=self._since, met=met, serving=serving)
        await self._store.tell(note)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self._times.heartbeat)
            await self._tell_who_is_here(*self._in_use())
            self._forget_the_silent()

    def _in_use(self) -> list[HostedTable]:
        return [hosted for hosted in self._tables.values() if hosted.clients]

    # --- Hearing ---------------------------------------------------------------------------------

    def hear(self, note: Note) -> None:
        self._meet(note)
        for id, since in note.serving.items():
            hosted = self._tables.get(id)
            if hosted is not None and note.process in hosted.servers:
                hosted.servers = frozenset()
                self._go_on(hosted, since)
        for id, seq in note.entries.items():
            self._note_newest(id, seq)
        for id, seats in note.here.items():
            if (hosted := self._tables.get(id)) is not None:
                self._set_elsewhere(hosted, note.process, seats)
            else:
                self._served.setdefault(id, {})[note.process] = now()
        if asked := [self._tables[id] for id in note.asking if id in self._tables]:
            self._tasks.spawn(self._tell_who_is_here(*asked, asked=True))
        for id, seat, reaction in note.reactions:
            if (hosted := self._tables.get(id)) is not None:
                broadcast.tell_reaction(hosted, seat, reaction)

    def _meet(self, note: Note) -> None:
        """Where another process has been there for longer than this one, and still is, nobody had
        to wait for this one."""
        if note.process not in self._met:
            self._tasks.spawn(self._tell_who_is_here())  # so it knows that it was heard
        self._met[note.process] = now()
        if self._store.process in note.met and note.since < self._since:
            before, self._since = self._since, note.since
            for hosted in self._tables.values():
                if hosted.unserved_until == before:
                    self._go_on(hosted, note.since)

    def _go_on(self, hosted: HostedTable, since: float) -> None:
        """Clocks have not stopped since then."""
        if hosted.unserved_until > since:
            hosted.served_since(since)
            self._schedule(hosted)

    def _set_elsewhere(self, hosted: HostedTable, process: str, seats: list[int | None]) -> None:
        if seats:
            hosted.heard[process] = now()
        else:
            hosted.heard.pop(process, None)
        if hosted.elsewhere.get(process, []) == seats:
            return
        before = hosted.here
        hosted.elsewhere.pop(process, None)
        if seats:
            hosted.elsewhere[process] = seats
        for seat in hosted.here - before:
            hosted.note_back(seat)
        hosted.note_gone()
        broadcast.tell_table(hosted)
        self._schedule(hosted)

    def _forget_the_silent(self) -> None:
        """Whoever is said to be here has to be said so again and again: a process may have died, or
        the note that somebody has gone may be lost."""
        silent = now() - self._times.silence
        for hosted in list(self._tables.values()):
            for process in [one for one, heard in hosted.heard.items() if heard < silent]:
                self._set_elsewhere(hosted, process, [])
        for id, served in list(self._served.items()):
            self._served[id] = {one: heard for one, heard in served.items() if heard >= silent}
            if not self._served[id]:
                del self._served[id]
        self._met = {one: heard for one, heard in self._met.items() if heard >= silent}

    def _note_newest(self, id: str, seq: int) -> None:
        """The journal of this table has an entry of this number."""
        hosted = self._tables.get(id)
        if hosted is not None and seq > hosted.table.seq:
            hosted.newest = max(hosted.newest, seq)
            self._tasks.spawn(self._writer.read_on(hosted))

    async def _catch_up_all(self) -> None:
        """News may have been lost, so every table is checked again."""
        for hosted in list(self._tables.values()):
            self._tasks.spawn(self._writer.read_on(hosted, again=True))
        await self._store.tell(Note(self._store.process, asking=list(self._tables)[:MOST_ASKED]))

    async def _look(self) -> None:
        """Checks now and then for entries that nobody announced."""
        while True:
            await asyncio.sleep(self._times.look)
            try:
                found = await self._store.newest([one.table.id for one in self._in_use()])
            except DatabaseError:
                continue  # whoever asks for something is told
            for id, seq in found.items():
                self._note_newest(id, seq)
