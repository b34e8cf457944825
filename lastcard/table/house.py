"""All live tables of one process: who is connected, what they ask for, and what they are told."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import re
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from lastcard.core.game import Game
from lastcard.core.registry import game as find
from lastcard.core.registry import games
from lastcard.core.shuffle import new_secret
from lastcard.core.views import Made

from . import entries, messages, replay
from .clock import not_later, now
from .database import DatabaseError
from .entries import Entry, Left, Moved, Pronoun, Returned
from .live import Client, Live, Times
from .messages import Asked, HintShown, Ok, TableChanged, UndoneMove, Welcome, encode
from .refusals import Code, Refused
from .replay import Played
from .setup import Setup, checked
from .shown import listing_of
from .store import Founded, Line, Note, Store
from .table import Happened, Start, Table, hash_of
from .thinking import HURRIED
from .turns import Turns
from .window import advice_of

log = logging.getLogger("lastcard.table")
T = TypeVar("T")

TABLE_ID = re.compile(r"[A-Za-z0-9_-]{16}")
TOKEN_BYTES = 24
LISTED_FOR = 24 * 3600  # seconds
ATTEMPTS = 10  # to write something, while other processes do, too


@dataclass(frozen=True, slots=True)
class Seated:
    table: str
    seat: int
    token: str


class Overtaken(Exception):
    """Another process has written an entry of the same number: look again."""


class House:
    """The tables of one process."""

    def __init__(self, store: Store, times: Times | None = None) -> None:
        self.store = store
        self.times = times or Times()
        self.tables: dict[str, Live] = {}
        self.counts: Counter[str] = Counter()  # for metrics
        self._turns = Turns(self, self.times)
        self._loading: dict[str, asyncio.Task[Live]] = {}
        self._ready: dict[str, asyncio.Task[None]] = {}
        self._heard: dict[str, float] = {}  # processes, and when they were heard last
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closing = False
        self.spawn(self._sweep())
        if store.shared:
            store.listen(self._hear, self._catch_up_all)
            self.spawn(self._beat())
            self.spawn(self._look())

    async def close(self) -> None:
        """Stops; what is being written is written."""
        self._closing = True
        self._turns.close(self.tables.values())
        running = [*self._tasks, *self._loading.values()]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        nobody: dict[str, list[int | None]] = {id: [] for id in self.tables}
        await self.store.tell(Note(self.store.process, here=nobody))

    # --- Games are compiled, or loaded, before they are needed -----------------------------------

    async def warm(self) -> None:
        """What every table needs."""
        for id in games():
            await self.prepare(find(id))

    async def warm_search(self) -> None:
        """What hints and the better bots need, of games that are played first. It comes after all
        the rest, since only one thread can compile at a time."""
        left = list(games())
        while left:
            played = Counter(live.table.game.id for live in self.tables.values())
            left.sort(key=lambda one: -played[one])
            await self._turns.thinkers.get_ready(find(left.pop(0)))

    @property
    def warmed(self) -> list[str]:
        return [id for id, task in self._ready.items() if task.done() and not task.exception()]

    async def prepare(self, game: Game) -> None:
        before = self._ready.get(game.id)
        if before is None or (before.done() and before.exception()):
            self._ready[game.id] = asyncio.create_task(asyncio.to_thread(_warm, game))
        await asyncio.shield(self._ready[game.id])

    # --- Finding, opening, joining ---------------------------------------------------------------

    async def open(
        self, setup: Setup, name: str, seed: str | None, pronoun: Pronoun | None = None
    ) -> Seated:
        """A new table, with whoever opens it in the first seat."""
        game, setup = checked(setup)
        await self.prepare(game)
        founded = Founded(
            secrets.token_urlsafe(12), time.time(), msgspec.json.encode(setup), new_secret()
        )
        table = Table(founded.id, setup, founded.secret, founded.created)
        token = self._token(table, None)
        entry = table.join(name, seed, token, pronoun)
        await self._stored(self.store.found(founded, listing_of(table)))
        live = self._admit(table)
        async with live.lock:
            await self.write(live, entry)
        self.counts["tables"] += 1
        return Seated(table.id, entry.seat, token)

    async def join(
        self,
        live: Live,
        name: str,
        seed: str | None,
        id: str | None,
        pronoun: Pronoun | None = None,
    ) -> Seated:
        token = self._token(live.table, id)
        table = live.table

        async def sit_down() -> int:
            for seat, chair in enumerate(table.chairs):
                if chair.token == hash_of(token):
                    return seat
            entry = table.join(name, seed, token, pronoun)
            await self.write(live, entry)
            return entry.seat

        return Seated(table.id, await self.in_turn(live, sit_down), token)

    async def in_turn(self, live: Live, work: Callable[[], Awaitable[T]]) -> T:
        """One at a time at each table; if another process was faster, it is tried again."""
        async with live.lock:
            for _ in range(ATTEMPTS):
                await self._catch_up(live)
                try:
                    return await work()
                except Overtaken:
                    continue
        raise Refused(Code.UNAVAILABLE, "Too many want something at once. Try it again.")

    def _token(self, table: Table, id: str | None) -> str:
        """A new token. Whoever repeats a request gets the same one again."""
        if id is None:
            return secrets.token_urlsafe(TOKEN_BYTES)
        made = hmac.new(bytes.fromhex(table.secret), f"seat {id}".encode(), hashlib.sha256)
        return made.hexdigest()

    async def live(self, id: str) -> Live:
        """A table, from memory or from its journal."""
        if (live := self.tables.get(id)) is not None:
            live.used = now()
            return live
        if not TABLE_ID.fullmatch(id):
            raise _no_table()
        if id not in self._loading:
            self._loading[id] = asyncio.create_task(self._load(id))
            self._loading[id].add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(self._loading[id])

    async def game_of(self, id: str) -> str | None:
        """The game of a table, if there is one; nothing has to be got ready for that."""
        if (live := self.tables.get(id)) is not None:
            return live.table.game.id
        if not TABLE_ID.fullmatch(id):
            return None
        founded = await self._stored(self.store.founded(id))
        return None if founded is None else msgspec.json.decode(founded.setup, type=Setup).game

    async def _load(self, id: str) -> Live:
        table = await self._read(id)
        live = self._admit(table)
        if self.store.shared:
            # Others may have written while it was read, and nobody here listened.
            live.mine, live.unsure = False, True
            self.spawn(self._read_on(live))
            await self.store.tell(Note(self.store.process, asking=[id]))
        self._turns.schedule(live)
        return live

    async def _read(self, id: str) -> Table:
        founded = await self._stored(self.store.founded(id))
        if founded is None:
            raise _no_table()
        setup = msgspec.json.decode(founded.setup, type=Setup)
        await self.prepare(find(setup.game))
        table = Table(id, setup, founded.secret, founded.created)
        if (start := await self._stored(self.store.start(id))) is not None:
            table.begin_at(msgspec.structs.replace(start, at=not_later(start.at)))
        async for line in self._journal(id, table.seq):
            self._fold(table, entries.decode(line.body), not_later(line.at))
        return table

    def _fold(self, table: Table, entry: Entry, at: float) -> Happened:
        start = table.start
        happened = table.fold(entry, at)
        if table.start is not None and table.start is not start:
            self.store.keep(table.id, table.start)
        return happened

    async def listed(self) -> list[bytes]:
        """Public tables of this day, as JSON: who opened an older one has gone."""
        return await self._stored(self.store.listed(time.time() - LISTED_FOR))

    async def played(self, table: Table, number: int) -> Played:
        """A match of a table, to be played again; Refused if there is none of this number."""
        over = replay.is_over(table, number)
        last, end = table.seq, table.version + 1
        start = await self._start(table, number)
        if number < table.number:
            following = await self._start(table, number + 1)
            last, end = following.seq - 1, following.version
        lines = await self._stored(self.store.steps(table.id, start.seq, last))
        return Played(table, start, lines, end - start.version, over)

    async def _start(self, table: Table, number: int) -> Start:
        """Where a match begins."""
        if table.start is not None and number == table.number:
            return table.start
        then = Table(table.id, table.setup, table.secret, table.since)
        if (known := await self._stored(self.store.start(table.id, number))) is not None:
            if known.number == number:
                return known
            then.begin_at(known)
        async for line in self._journal(table.id, then.seq):
            self._fold(then, entries.decode(line.body), line.at)
            if then.start is not None and then.number == number:
                return then.start
        raise _no_table()

    def _admit(self, table: Table) -> Live:
        at = now()
        live = Live(table, used=at, gone=dict.fromkeys(table.people, at))
        self.tables[table.id] = live
        return live

    async def _journal(self, id: str, after: int) -> AsyncIterator[Line]:
        lines = self.store.all_lines(id, after)
        while (line := await self._stored(anext(lines, None))) is not None:
            yield line

    async def _stored(self, work: Awaitable[T]) -> T:
        try:
            return await work
        except DatabaseError:
            log.exception("the database does not answer")
            raise Refused(
                Code.UNAVAILABLE, "The server cannot keep this just now. Try it again."
            ) from None

    # --- Connecting ------------------------------------------------------------------------------

    async def connect(self, live: Live, client: Client, token: str | None) -> None:
        """Seats a client by its token, or lets it watch, and tells it everything."""

        async def enter() -> None:
            if token is None:
                if not live.table.setup.watch:
                    raise Refused(Code.UNAUTHORIZED, "At this table nobody may watch.")
            else:
                client.seat = live.table.seat_of(token)
                if live.table.chairs[client.seat].left:
                    await self.write(live, Returned(client.seat))
            live.clients.add(client)
            if client.seat is not None:
                live.gone.pop(client.seat, None)
                if live.clock_of(client.seat) < now():
                    # It ran out while nobody was here: who comes himself may still move.
                    live.back[client.seat] = now()
            self._welcome(live, client)

        await self.in_turn(live, enter)
        self._presence(live, client)

    def _welcome(self, live: Live, client: Client) -> None:
        match = live.window(client.seat).shown(live.table)
        client.send(encode(Welcome(client.seat, live.shown(), match)))

    def disconnect(self, live: Live, client: Client) -> None:
        if client not in live.clients:
            return
        live.clients.discard(client)
        live.used = now()
        if client.seat not in {other.seat for other in live.clients}:
            live.windows.pop(client.seat, None)
        live.note_gone()
        self._presence(live, client)

    def _presence(self, live: Live, client: Client) -> None:
        """Tells who is here to everybody else, and to the other processes."""
        if self._closing:
            return
        self._tell_table(live, but=client)
        self._turns.schedule(live)
        if self.store.shared:
            here = {live.table.id: [one.seat for one in live.clients]}
            self.spawn(self.store.tell(Note(self.store.process, here=here)))

    # --- What clients ask for --------------------------------------------------------------------

    async def act(self, live: Live, client: Client, asked: Asked) -> Ok | HintShown:
        """Does what a client asks, or raises Refused. The answer comes when it is on disk."""
        seat = client.seat
        if isinstance(asked, messages.Ping):
            return Ok(asked.id)
        if isinstance(asked, messages.Hello):
            raise Refused(Code.MALFORMED, "You have said hello already.")
        if seat is None:
            raise Refused(Code.NOT_SEATED, "Who watches cannot do this: take a seat first.")
        if isinstance(asked, messages.React):
            self._react(live, seat, asked.reaction)
            if self.store.shared:
                told = [(live.table.id, seat, asked.reaction)]
                await self.store.tell(Note(self.store.process, reactions=told))
            return Ok(asked.id)
        if isinstance(asked, messages.Hurry):
            if seat not in live.table.waiting:
                live.hurry(seat)
            return Ok(asked.id)
        if isinstance(asked, messages.Hint):
            return await self._advise(live, seat, asked.id)
        version = await self.in_turn(live, lambda: self._do(live, client, seat, asked))
        return Ok(asked.id, version)

    async def _do(self, live: Live, client: Client, seat: int, asked: Asked) -> int | None:
        table = live.table
        if client.seat != seat:  # it has been given up meanwhile
            raise Refused(Code.NOT_SEATED, "You have left this seat.")
        match asked:
            case messages.Move():
                done = table.moved_already(seat, asked.id or "")
                if done is not None:
                    return done
                try:
                    entry: Entry = table.move(seat, asked.version, asked.action, asked.id or "")
                    await self.write(live, entry)
                except Refused as refused:
                    if refused.code == Code.STALE:
                        self._send_whole(live, client)
                    raise
                return table.version
            case messages.Undo():
                entry = table.undo(seat, asked.version)
            case messages.Pause():
                entry = table.pause(seat, live.electorate)
                if seat in table.agreed and not entry.all:
                    return None
            case messages.Resume():
                entry = table.resume(seat)
            case messages.Fill():
                entry = table.fill(asked.level)
            case messages.Seed():
                entry = table.seed(seat, asked.seed)
            case messages.Rematch():
                entry = table.rematch(seat, live.electorate, asked.seed)
            case messages.Leave():
                entry = table.leave(seat)
            case _:
                raise Refused(Code.MALFORMED, "This is not a message to a table.")
        await self.write(live, entry)
        return table.version if isinstance(asked, messages.Undo) else None

    async def _advise(self, live: Live, seat: int, id: str | None) -> HintShown:
        """Changes nothing, so the table goes on meanwhile."""
        if seat in live.advised:
            raise Refused(Code.TOO_FAST, "One hint at a time.")
        table, thinkers = live.table, self._turns.thinkers
        table.may_be_advised(seat)
        live.advised.add(seat)
        try:
            await thinkers.get_ready(table.game)
            match, version = table.may_be_advised(seat), table.version  # as it is now
            judged = await thinkers.advise(match, seat)
        except Refused:
            raise
        except Exception:
            log.exception("a hint has failed")
            raise Refused(Code.UNAVAILABLE, "Something went wrong here. Try it again.") from None
        finally:
            live.advised.discard(seat)
        return HintShown(id, version, advice_of(live.table.game, judged))

    def _react(self, live: Live, seat: int, reaction: str) -> None:
        message = encode(messages.Reaction(seat, reaction))
        for client in live.clients:
            client.send(message)

    # --- Writing, carrying out, telling ----------------------------------------------------------

    async def write(self, live: Live, entry: Entry) -> None:
        """Journal first, then everything else. The table's lock is held."""
        table, at = live.table, now()
        table.bound(entry)
        if not isinstance(entry, Moved) and not live.besides.take(at):
            raise Refused(Code.TOO_FAST, "Not so much at once: wait a little.")
        line = Line(table.id, table.seq + 1, at, entries.encode(entry))
        live.unsure = True  # until we know what became of it
        written, cancelled = await self._stored(_settled(self.store.append(line)))
        if not written:
            await self._catch_up(live)
            raise Overtaken
        live.unsure, live.mine, live.used = False, True, at
        self.counts["moves"] += isinstance(entry, Moved)
        if self._carry_out(live, entry, at).table and table.setup.public:
            self.store.relist(table.id, listing_of(table))
        if cancelled:
            raise asyncio.CancelledError

    def _carry_out(self, live: Live, entry: Entry, at: float) -> Happened:
        happened = self._fold(live.table, entry, at)
        if isinstance(entry, Left):
            self._unseat(live, entry.seat)
        if happened.table:
            live.note_gone()
        self._tell(live, happened)
        self._turns.schedule(live)
        return happened

    def _unseat(self, live: Live, seat: int) -> None:
        """Who has given up a seat may only watch, if anybody may."""
        live.windows.pop(seat, None)
        for client in [one for one in live.clients if one.seat == seat]:
            client.seat = None
            if live.table.setup.watch:
                self._welcome(live, client)
            else:
                live.clients.discard(client)
                client.close()

    async def _catch_up(self, live: Live) -> None:
        """Reads what the journal has more; after trouble, or when another process wrote it.
        The table's lock is held, but news may arrive while it is being read."""
        table = live.table
        while live.unsure or table.seq < live.newest:
            newest = live.newest
            for line in await self._stored(self.store.lines(table.id, table.seq)):
                live.mine = False
                self._carry_out(live, entries.decode(line.body), not_later(line.at))
            live.unsure = False
            if live.newest == newest:
                live.newest = table.seq  # whatever was said, there is no more

    def _tell(self, live: Live, happened: Happened) -> None:
        table = live.table
        if happened.undone is not None:
            undone = encode(UndoneMove(happened.undone))
            for client in live.clients:
                client.send(undone)
        made: dict[int | None, bytes | None] = {}
        if happened.events is not None or happened.whole:
            seconds = live.seconds
            shared: Made = {}
            for client in live.clients:
                seat = client.seat
                if seat not in made:
                    window = live.window(seat)
                    if happened.whole:
                        made[seat] = window.anew(table)
                    else:
                        made[seat] = window.update(table, happened, seconds, shared)
                message = made[seat]
                if message is not None:
                    client.send(message)
        if happened.table:
            self._tell_table(live)

    def _tell_table(self, live: Live, but: Client | None = None) -> None:
        others = [client for client in live.clients if client is not but]
        if others:
            message = encode(TableChanged(live.shown()))
            for client in others:
                client.send(message)

    def _send_whole(self, live: Live, client: Client) -> None:
        match = live.window(client.seat).shown(live.table)
        if match is not None:
            client.send(encode(messages.MatchChanged(match)))

    # --- Other processes -------------------------------------------------------------------------

    def _hear(self, note: Note) -> None:
        self._heard[note.process] = now()
        for id, seq in note.entries.items():
            live = self.tables.get(id)
            if live is not None:
                self._note_newest(live, seq)
        for id, seats in note.here.items():
            if (live := self.tables.get(id)) is not None:
                self._set_elsewhere(live, note.process, seats)
        mine = [self.tables[id] for id in note.asking if id in self.tables]
        if mine:
            self.spawn(self.store.tell(Note(self.store.process, here=_here(mine))))
        for id, seat, reaction in note.reactions:
            if (live := self.tables.get(id)) is not None:
                self._react(live, seat, reaction)

    def _set_elsewhere(self, live: Live, process: str, seats: list[int | None]) -> None:
        if live.elsewhere.get(process, []) == seats:
            return
        live.elsewhere.pop(process, None)
        if seats:
            live.elsewhere[process] = seats
        live.note_gone()
        self._tell_table(live)
        self._turns.schedule(live)

    def _note_newest(self, live: Live, seq: int) -> None:
        """An entry of this number is in the journal."""
        if seq > live.table.seq:
            live.newest = max(live.newest, seq)
            self.spawn(self._read_on(live))

    async def _read_on(self, live: Live, again: bool = False) -> None:
        """Reads what is new; or looks whether anything is."""
        while True:
            try:
                async with live.lock:
                    live.unsure |= again
                    await self._catch_up(live)
                    return
            except Refused:
                await asyncio.sleep(1)

    async def _catch_up_all(self) -> None:
        """News may have been lost: everything is looked at again."""
        for live in list(self.tables.values()):
            self.spawn(self._read_on(live, again=True))
        await self.store.tell(Note(self.store.process, asking=list(self.tables)[:100]))

    async def _look(self) -> None:
        """Looks now and then for what nobody has told us."""
        while True:
            await asyncio.sleep(self.times.look)
            used = [id for id, live in self.tables.items() if live.clients]
            try:
                found = await self.store.newest(used)
            except DatabaseError:
                continue  # whoever wants something hears of it
            for id, seq in found.items():
                if (live := self.tables.get(id)) is not None:
                    self._note_newest(live, seq)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self.times.heartbeat)
            used = [live for live in self.tables.values() if live.clients]
            await self.store.tell(Note(self.store.process, here=_here(used)))
            silent = now() - self.times.silence
            for process in [one for one, heard in self._heard.items() if heard < silent]:
                del self._heard[process]
                for live in self.tables.values():
                    self._set_elsewhere(live, process, [])

    # --- Housekeeping ----------------------------------------------------------------------------

    async def _sweep(self) -> None:
        """Tables that nobody has looked at for a while leave memory; the journal has them."""
        while True:
            await asyncio.sleep(self.times.sweep)
            idle = now() - self.times.linger
            for id, live in list(self.tables.items()):
                quiet = not live.clients and live.timer is None and not live.lock.locked()
                if quiet and live.used < idle:
                    del self.tables[id]

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        if self._closing:  # others may still be heard, but nobody would wait for what they start
            work.close()
            return
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            if not isinstance(error, Refused):
                log.error("a task has failed", exc_info=error)


async def _settled(done: asyncio.Future[bool]) -> tuple[bool, bool]:
    """What became of an entry, and whether we were to be cancelled meanwhile: whoever asked for a
    move and is gone has still made it, and the others are to be told."""
    try:
        return await done, False
    except asyncio.CancelledError:
        if done.exception() is not None:
            raise
        return done.result(), True


def _here(tables: list[Live]) -> dict[str, list[int | None]]:
    return {live.table.id: [client.seat for client in live.clients] for live in tables}


def _warm(game: Game) -> None:
    from lastcard.bots import bot

    game.warm("new", "waiting", "bystanders", "legal", "apply", "hide", "guess")
    bot(HURRIED, game).warm()


def _no_table() -> Refused:
    return Refused(Code.NOT_FOUND, "There is no such table.")
