"""All tables that one process hosts: people open them, join, connect and disconnect."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from dataclasses import dataclass

import msgspec

from lastcard.core.shuffle import new_secret

from . import broadcast
from .clock import now
from .entries import Joined, Pronoun, Returned
from .handler import MessageHandler
from .hosted import Client, HostedTable
from .journals import Journals
from .load import Load
from .processes import Processes
from .refusals import Code, Refused
from .setup import Setup, checked
from .shelf import Shelf
from .store import Founded, Store
from .table import Table, hash_of
from .tasks import Tasks
from .thinking import Thinkers
from .times import Times
from .turns import Turns
from .warmup import Warmup
from .writer import Writer

TOKEN_BYTES = 24


@dataclass(frozen=True, slots=True)
class Seated:
    table: str
    seat: int
    token: str


class House:
    """Brings together whatever a table needs; each part has a module of its own."""

    def __init__(self, store: Store, times: Times | None = None) -> None:
        times = times or Times()
        self.store = store
        self.tables: dict[str, HostedTable] = {}  # in memory
        self.opened = 0  # for metrics
        self.tasks = Tasks()
        self.load = Load(store.longest_wait)
        self.thinkers = Thinkers(self.load)
        self.warmup = Warmup(self.thinkers, self.tables)
        self.journals = Journals(store, self.warmup)
        self.writer = Writer(self.journals, self._schedule, self.tasks)
        self.turns = Turns(self.writer, self.thinkers, self.tasks, times)
        self.processes = Processes(
            store, self.tables, self.writer, self._schedule, self.tasks, times
        )
        self.handler = MessageHandler(self.writer, self.thinkers, self.processes)
        self.shelf = Shelf(self.tables, self.journals, self._go_on)
        self.tasks.spawn(self.shelf.sweep(times))
        self.tasks.spawn(self.load.watch())
        self.processes.start()

    async def close(self) -> None:
        """Stops; entries that are being written are still written."""
        self.turns.close(self.tables.values())
        self.thinkers.close()
        await self.tasks.close()
        await self.shelf.close()
        await self.processes.say_goodbye()

    def _schedule(self, hosted: HostedTable) -> None:
        """The writer and the turns need each other; this comes between them."""
        self.turns.schedule(hosted)

    async def _go_on(self, hosted: HostedTable) -> None:
        """After a table was read from its journal."""
        await self.processes.introduce(hosted)
        self.turns.schedule(hosted)

    # --- Taking a seat ---------------------------------------------------------------------------

    async def open(
        self, setup: Setup, name: str, seed: str | None, pronoun: Pronoun | None = None
    ) -> Seated:
        """A new table, with the person who opens it in the first seat."""
        game, setup = checked(setup)
        self.load.check()
        await self.warmup.prepare(game)
        founded = Founded(
            secrets.token_urlsafe(12), time.time(), msgspec.json.encode(setup), new_secret()
        )
        table = Table(founded.id, setup, founded.secret, founded.created)
        token = _token(table, None)
        entry = table.join(name, seed, token, pronoun)
        await self.journals.found(founded, table)
        hosted = self.shelf.put(table)
        seat = await self.writer.in_turn(hosted, lambda: entry, lambda: entry.seat)
        self.opened += 1
        return Seated(table.id, seat, token)

    async def join(
        self,
        hosted: HostedTable,
        name: str,
        seed: str | None,
        id: str | None,
        pronoun: Pronoun | None = None,
    ) -> Seated:
        table = hosted.table
        token = _token(table, id)

        def sit_down() -> Joined | None:
            mine = hash_of(token)
            if any(chair.token == mine for chair in table.chairs):
                return None  # the request was repeated
            return table.join(name, seed, token, pronoun)

        seat = await self.writer.in_turn(
            hosted, sit_down, lambda: table.seat_of(token), afresh=self.store.shared
        )
        return Seated(table.id, seat, token)

    # --- Coming and going ------------------------------------------------------------------------

    async def connect(self, hosted: HostedTable, client: Client, token: str | None) -> None:
        """Seats a client by its token, or lets it watch, and tells it everything."""

        def come() -> Returned | None:
            if token is None:
                if not hosted.table.setup.watch:
                    raise Refused(Code.UNAUTHORIZED, "This table does not allow spectators.")
                return None
            client.seat = hosted.table.seat_of(token)
            return Returned(client.seat) if hosted.table.chairs[client.seat].left else None

        def enter() -> None:
            hosted.clients.add(client)
            if client.seat is not None:
                hosted.note_back(client.seat)
            broadcast.welcome(hosted, client)

        # Whoever comes from another process, where news is newer, must not be taken back in time.
        await self.writer.in_turn(hosted, come, enter, afresh=self.store.shared)
        self._tell_presence(hosted, client)

    def disconnect(self, hosted: HostedTable, client: Client) -> None:
        if client not in hosted.clients:
            return
        hosted.clients.discard(client)
        hosted.used = now()
        if client.seat not in {other.seat for other in hosted.clients}:
            hosted.windows.pop(client.seat, None)
        hosted.note_gone()
        self._tell_presence(hosted, client)

    def _tell_presence(self, hosted: HostedTable, client: Client) -> None:
        """Tells everybody else, here and in other processes, who is here."""
        if not self.tasks.closed:
            broadcast.tell_table(hosted, but=client)
            self.turns.schedule(hosted)
            self.processes.tell_presence(hosted)


def _token(table: Table, id: str | None) -> str:
    """A new token. A request that is repeated with its id gets the same one again."""
    if id is None:
        return secrets.token_urlsafe(TOKEN_BYTES)
    made = hmac.new(bytes.fromhex(table.secret), f"seat {id}".encode(), hashlib.sha256)
    return made.hexdigest()
