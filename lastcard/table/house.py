"""All live tables of one process: who is connected, whose turn it is, and what comes next."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import math
import re
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar

import msgspec

from lastcard.core.game import Game
from lastcard.core.match import Seat
from lastcard.core.registry import game as find
from lastcard.core.registry import games
from lastcard.core.shuffle import new_secret
from lastcard.core.views import CHANCE_NAME, Made, seats_of
from lastcard.rules.kernel import CHANCE

from . import entries, messages
from .database import DatabaseError
from .entries import Agreed, By, Entry, Left, Moved, Returned
from .messages import Asked, Ok, TableChanged, UndoneMove, Welcome, encode
from .refusals import Code, Refused
from .setup import Setup, checked
from .shown import listing_of, shown
from .store import Founded, Line, Note, Store
from .table import Happened, Table, hash_of
from .thinking import HURRIED, Thinkers
from .window import Window

log = logging.getLogger("lastcard.table")
T = TypeVar("T")

DICE = 1 << CHANCE  # who is waited for then
TABLE_ID = re.compile(r"[A-Za-z0-9_-]{16}")
TOKEN_BYTES = 24
LISTED_FOR = 24 * 3600  # seconds
ATTEMPTS = 10  # to write something, while other processes do, too
FOLDED_AT_ONCE = 500  # entries of a journal, before others have their turn


@dataclass(frozen=True)
class Times:
    """How long things take, in seconds."""

    pace: float = 0.8  # before a bot moves, so that people can follow
    patience: float = 2.5  # the same where people may act out of turn: they need a chance to
    linger: float = 60.0  # before a table that nobody looks at leaves memory
    sweep: float = 10.0  # how often that is looked after
    others: float = 3.0  # before a process does what another one should have done
    heartbeat: float = 5.0  # how often processes tell each other who is connected to them
    silence: float = 16.0  # after which a process is taken for dead


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
    timer: asyncio.TimerHandle | None = None
    asked: int = -1  # the version for which bots have been asked whether they act out of turn
    thinking: int = -1  # the version for which a turn is being taken
    mine: bool = True  # this process wrote the last entry, so it goes on with the table
    behind: bool = False  # the journal may have more than is known here
    used: float = 0.0

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

    def window(self, seat: int | None) -> Window:
        if seat not in self.windows:
            self.windows[seat] = Window(self.table, seat)
        return self.windows[seat]


@dataclass(frozen=True, slots=True)
class Turn:
    """What is to be done next at a table without anybody asking for it."""

    when: float
    seat: Seat | None  # None: bots are asked whether they act out of turn
    by: By | Literal["agreement"]
    level: str = HURRIED
    ready: float = 0.0  # a bot that has decided waits until then


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
        self._thinkers = Thinkers()
        self._loading: dict[str, asyncio.Task[Live]] = {}
        self._ready: dict[str, asyncio.Task[None]] = {}
        self._heard: dict[str, float] = {}  # processes, and when they were heard last
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closing = False
        self._spawn(self._sweep())
        if store.shared:
            store.listen(self._hear, self._catch_up_all)
            self._spawn(self._beat())

    async def close(self) -> None:
        """Stops; what is being written is written."""
        self._closing = True
        for live in self.tables.values():
            self._cancel(live)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        nobody: dict[str, list[int | None]] = {id: [] for id in self.tables}
        await self.store.tell(Note(self.store.process, here=nobody))
        self._thinkers.close()

    # --- Games are compiled, or loaded, before they are needed -----------------------------------

    async def warm(self) -> None:
        for id in games():
            await self._warmed(find(id))

    @property
    def warmed(self) -> list[str]:
        return [id for id, task in self._ready.items() if task.done() and not task.exception()]

    async def _warmed(self, game: Game) -> None:
        before = self._ready.get(game.id)
        if before is None or (before.done() and before.exception()):
            self._ready[game.id] = asyncio.create_task(asyncio.to_thread(_warm, game))
        await asyncio.shield(self._ready[game.id])

    # --- Finding, opening, joining ---------------------------------------------------------------

    async def open(self, setup: Setup, name: str, seed: str | None) -> Seated:
        """A new table, with whoever opens it in the first seat."""
        game, setup = checked(setup)
        await self._warmed(game)
        founded = Founded(
            secrets.token_urlsafe(12), time.time(), msgspec.json.encode(setup), new_secret()
        )
        table = Table(founded.id, setup, founded.secret, founded.created)
        token = self._token(table, None)
        entry = table.join(name, seed, token)
        await self._stored(self.store.found(founded, listing_of(table)))
        live = self._admit(table)
        async with live.lock:
            await self._write(live, entry)
        self.counts["tables"] += 1
        return Seated(table.id, entry.seat, token)

    async def join(self, live: Live, name: str, seed: str | None, id: str | None) -> Seated:
        token = self._token(live.table, id)
        table = live.table

        async def sit_down() -> int:
            for seat, chair in enumerate(table.chairs):
                if chair.token == hash_of(token):
                    return seat
            entry = table.join(name, seed, token)
            await self._write(live, entry)
            return entry.seat

        return Seated(table.id, await self._in_turn(live, sit_down), token)

    async def _in_turn(self, live: Live, work: Callable[[], Awaitable[T]]) -> T:
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
            live.used = time.time()
            return live
        if not TABLE_ID.fullmatch(id):
            raise _no_table()
        if id not in self._loading:
            self._loading[id] = asyncio.create_task(self._load(id))
            self._loading[id].add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(self._loading[id])

    async def _load(self, id: str) -> Live:
        table = await self._read(id)
        live = self._admit(table)
        if self.store.shared:
            # Others may have written while it was read, and nobody here listened.
            live.mine, live.behind = False, True
            self._spawn(self._read_on(live))
            await self.store.tell(Note(self.store.process, asking=[id]))
        self._schedule(live)
        return live

    async def _read(self, id: str) -> Table:
        founded = await self._stored(self.store.founded(id))
        if founded is None:
            raise _no_table()
        setup = msgspec.json.decode(founded.setup, type=Setup)
        await self._warmed(find(setup.game))
        table = Table(id, setup, founded.secret, founded.created)
        for number, line in enumerate(await self._stored(self.store.lines(id)), 1):
            table.fold(entries.decode(line.body), line.at)
            if number % FOLDED_AT_ONCE == 0:
                await asyncio.sleep(0)
        return table

    async def listed(self) -> list[bytes]:
        """Public tables of this day, as JSON: who opened an older one has gone."""
        return await self._stored(self.store.listed(time.time() - LISTED_FOR))

    async def journal(self, table: Table) -> list[Line]:
        """The entries that have led to a table."""
        known = table.seq
        return (await self._stored(self.store.lines(table.id)))[:known]

    def _admit(self, table: Table) -> Live:
        now = time.time()
        live = Live(table, used=now, gone=dict.fromkeys(table.people, now))
        self.tables[table.id] = live
        return live

    async def _stored(self, work: Coroutine[Any, Any, T]) -> T:
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
                    await self._write(live, Returned(client.seat))
            live.clients.add(client)
            if client.seat is not None:
                live.gone.pop(client.seat, None)
                if self._clock_of(live, client.seat) < time.time():
                    # It ran out while nobody was here: who comes himself may still move.
                    live.back[client.seat] = time.time()
            self._welcome(live, client)

        await self._in_turn(live, enter)
        self._presence(live, client)

    def _welcome(self, live: Live, client: Client) -> None:
        match = live.window(client.seat).shown(live.table)
        client.send(encode(Welcome(client.seat, self.shown(live), match)))

    def disconnect(self, live: Live, client: Client) -> None:
        if client not in live.clients:
            return
        live.clients.discard(client)
        live.used = time.time()
        if client.seat not in {other.seat for other in live.clients}:
            live.windows.pop(client.seat, None)
        self._note_gone(live)
        self._presence(live, client)

    def _note_gone(self, live: Live) -> None:
        here = live.here
        for seat in live.table.people:
            if seat in here:
                live.gone.pop(seat, None)
            else:
                live.gone.setdefault(seat, time.time())

    def _presence(self, live: Live, client: Client) -> None:
        """Tells who is here to everybody else, and to the other processes."""
        if self._closing:
            return
        self._tell_table(live, but=client)
        self._schedule(live)
        if self.store.shared:
            here = {live.table.id: [one.seat for one in live.clients]}
            self._spawn(self.store.tell(Note(self.store.process, here=here)))

    # --- What clients ask for --------------------------------------------------------------------

    async def act(self, live: Live, client: Client, asked: Asked) -> Ok:
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
        version = await self._in_turn(live, lambda: self._do(live, client, seat, asked))
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
                    await self._write(live, entry)
                except Refused as refused:
                    if refused.code == Code.STALE:
                        self._send_whole(live, client)
                    raise
                self.counts["moves"] += 1
                return table.version
            case messages.Undo():
                entry = table.undo(seat, asked.version)
            case messages.Pause():
                entry = table.pause(seat, self._asked(live))
                if seat in table.agreed and not entry.all:
                    return None
            case messages.Resume():
                entry = table.resume(seat)
            case messages.Fill():
                entry = table.fill(asked.level)
            case messages.Seed():
                entry = table.seed(seat, asked.seed)
            case messages.Rematch():
                entry = table.rematch(seat, self._asked(live), asked.seed)
            case messages.Leave():
                entry = table.leave(seat)
            case _:
                raise Refused(Code.MALFORMED, "This is not a message to a table.")
        await self._write(live, entry)
        return table.version if isinstance(asked, messages.Undo) else None

    def _asked(self, live: Live) -> set[int]:
        """Whose agreement is needed: people who are here, or will be in a moment."""
        grace, now = live.table.setup.grace, time.time()
        return {
            seat
            for seat in live.table.people
            if not live.table.chairs[seat].left
            and (seat not in live.gone or grace is None or now < live.gone[seat] + grace)
        }

    def _react(self, live: Live, seat: int, reaction: str) -> None:
        message = encode(messages.Reaction(seat, reaction))
        for client in live.clients:
            client.send(message)

    # --- Writing, carrying out, telling ----------------------------------------------------------

    async def _write(self, live: Live, entry: Entry) -> None:
        """Journal first, then everything else. The table's lock is held."""
        table, now = live.table, time.time()
        line = Line(table.id, table.seq + 1, now, entries.encode(entry))
        live.behind = True  # until we know what became of it
        written, cancelled = await self._stored(_settled(self.store.append(line)))
        if not written:
            await self._catch_up(live)
            raise Overtaken
        live.behind, live.mine, live.used = False, True, now
        if self._carry_out(live, entry, now).table and table.setup.public:
            self.store.relist(table.id, listing_of(table))
        if cancelled:
            raise asyncio.CancelledError

    def _carry_out(self, live: Live, entry: Entry, at: float) -> Happened:
        happened = live.table.fold(entry, at)
        if isinstance(entry, Left):
            self._unseat(live, entry.seat)
        if happened.table:
            self._note_gone(live)
        self._tell(live, happened)
        self._schedule(live)
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
        """Reads what the journal has more; after trouble, or when another process wrote it."""
        if not live.behind:
            return
        for line in await self._stored(self.store.lines(live.table.id, live.table.seq)):
            live.mine = False
            self._carry_out(live, entries.decode(line.body), line.at)
        live.behind = False

    def _tell(self, live: Live, happened: Happened) -> None:
        table = live.table
        if happened.undone is not None:
            undone = encode(UndoneMove(happened.undone))
            for client in live.clients:
                client.send(undone)
        made: dict[int | None, bytes | None] = {}
        if happened.events is not None or happened.whole:
            seconds = self._seconds(live)
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
            message = encode(TableChanged(self.shown(live)))
            for client in others:
                client.send(message)

    def _send_whole(self, live: Live, client: Client) -> None:
        match = live.window(client.seat).shown(live.table)
        if match is not None:
            client.send(encode(messages.MatchChanged(match)))

    def shown(self, live: Live) -> messages.TableShown:
        return shown(live.table, live.here, live.watching, self._seconds(live))

    def _seconds(self, live: Live) -> float | None:
        if live.table.setup.clock is None or live.table.status != "playing":
            return None
        ends = [self._clock_of(live, seat) for seat in live.table.asked_at]
        return round(max(min(ends) - time.time(), 0.0), 1) if ends else None

    def _clock_of(self, live: Live, seat: int) -> float:
        """When the time of a seat runs out."""
        clock, asked_at = live.table.setup.clock, live.table.asked_at.get(seat)
        if clock is None or asked_at is None:
            return math.inf
        return max(asked_at, live.back.get(seat, asked_at)) + clock

    # --- Bots, clocks and dice -------------------------------------------------------------------

    def _next_turn(self, live: Live) -> Turn | None:
        """What is to be done, and when, if nobody acts before."""
        table = live.table
        waiting = table.waiting
        if not waiting or table.match is None:
            return None
        if waiting == [CHANCE_NAME]:
            return Turn(table.since, CHANCE_NAME, "chance")
        chairs = table.chairs
        # Everybody may know who may act out of turn; who has something to do, not: bots wait
        # for all of them alike.
        bystanders = seats_of(int(table.game.rules.bystanders(table.match.record)))
        slow = table.setup.undo or any(chairs[seat].kind == "person" for seat in bystanders)
        ready = table.since + (self.times.patience if slow else self.times.pace)
        turns = []
        if live.asked != table.version and any(chairs[seat].kind == "bot" for seat in bystanders):
            turns.append(Turn(table.since, None, "bot", ready=ready))
        for seat in waiting:
            assert isinstance(seat, int)
            if chairs[seat].kind == "bot":
                turns.append(Turn(table.since, seat, "bot", chairs[seat].level, ready))
            elif live.here:  # where nobody waits, nobody has to hurry
                turns += self._stand_ins(live, seat, ready)
        if not turns:
            return None
        return min(turns, key=lambda turn: turn.when)

    def _agreement(self, live: Live) -> Turn | None:
        """All may agree because those who do not are gone, or have left."""
        table = live.table
        if not table.agreed or table.status not in ("playing", "over"):
            return None
        missing, grace = self._asked(live) - table.agreed, table.setup.grace
        if any(seat not in live.gone or grace is None for seat in missing):
            return None
        ends = [live.gone[seat] + (grace or 0) for seat in missing]
        return Turn(max(ends, default=0.0), min(table.agreed), "agreement")

    def _stand_ins(self, live: Live, seat: int, ready: float) -> list[Turn]:
        """Who moves for a person: a bot if he has left or is gone too long, or the clock."""
        setup, turns = live.table.setup, []
        if live.table.chairs[seat].left:
            turns.append(Turn(ready, seat, "bot"))
        elif setup.grace is not None and seat in live.gone:
            turns.append(Turn(max(ready, live.gone[seat] + setup.grace), seat, "bot"))
        if setup.clock is not None:
            turns.append(Turn(self._clock_of(live, seat), seat, "clock"))
        return turns

    def _schedule(self, live: Live, wait: float = 0.0) -> None:
        self._cancel(live)
        table = live.table
        idle = not (live.gone or table.agreed) and table.setup.clock is None
        if self._closing or (idle and not table.served and table.waited != DICE):
            return  # all are people, here, and have time
        turns = [self._next_turn(live), self._agreement(live)]
        if live.thinking == live.table.version:
            turns = turns[1:]  # that is under way
        turn = min(filter(None, turns), key=lambda turn: turn.when, default=None)
        if turn is None:
            return
        # Another process that wrote the last entry is at it: step in only if it does not go on.
        late = 0.0 if live.mine else self.times.others
        delay = max(turn.when + late - time.time(), wait)
        loop = asyncio.get_running_loop()

        def fire() -> None:
            live.timer = None
            self._spawn(self._take(live, turn))

        live.timer = loop.call_later(delay, fire)

    def _cancel(self, live: Live) -> None:
        if live.timer is not None:
            live.timer.cancel()
            live.timer = None

    async def _take(self, live: Live, turn: Turn) -> None:
        """Does what was due, if it still is."""
        if turn not in (self._next_turn(live), self._agreement(live)):
            self._schedule(live)
            return
        live.thinking = live.table.version
        try:
            if turn.by == "agreement":
                await self._in_turn(live, lambda: self._agree(live))
            elif turn.seat is None:
                await self._ask_bystanders(live, turn.ready)
            else:
                await self._stand_in(live, turn)
        except Refused:
            wait = 1.0  # for the database
        except Exception:
            log.exception("a turn could not be taken")
            wait = 1.0
        else:
            wait = 0.0
        live.thinking = -1
        if wait or live.timer is None:
            self._schedule(live, wait)

    async def _agree(self, live: Live) -> None:
        table = live.table
        if table.agreed and self._asked(live) <= table.agreed:
            seat = min(table.agreed)
            await self._write(live, Agreed(seat, True, table.chairs[seat].seed))

    async def _ask_bystanders(self, live: Live, ready: float) -> None:
        table = live.table
        match, version = table.match, table.version
        live.asked = version
        if match is None:
            return
        for seat in seats_of(int(table.game.rules.bystanders(match.record))):
            if table.chairs[seat].kind != "bot" or table.version != version:
                continue
            action = await self._thinkers.decide(match, seat, table.chairs[seat].level)
            await _wait_until(ready)  # how long it thinks is nobody's business
            if action is not None:
                await self._move(live, seat, action, version, "bot")

    async def _stand_in(self, live: Live, turn: Turn) -> None:
        match, version, seat = live.table.match, live.table.version, turn.seat
        assert match is not None and seat is not None and turn.by != "agreement"
        if isinstance(seat, str):
            await self._move(live, seat, match.tossed(), version, turn.by)
            return
        action = await self._thinkers.decide(match, seat, turn.level)
        await _wait_until(turn.ready)
        if action is not None:
            await self._move(live, seat, action, version, turn.by)

    async def _move(self, live: Live, seat: Seat, action: int, version: int, by: By) -> None:
        async def move() -> None:
            table = live.table
            if table.version == version and table.status == "playing":
                await self._write(live, Moved(seat, table.game.actions[action], by=by))
                self.counts["moves"] += 1

        await self._in_turn(live, move)

    # --- Other processes -------------------------------------------------------------------------

    def _hear(self, note: Note) -> None:
        self._heard[note.process] = time.time()
        for id, seq in note.entries.items():
            live = self.tables.get(id)
            if live is not None and seq > live.table.seq:
                self._spawn(self._read_on(live))
        for id, seats in note.here.items():
            if (live := self.tables.get(id)) is not None:
                self._set_elsewhere(live, note.process, seats)
        mine = [self.tables[id] for id in note.asking if id in self.tables]
        if mine:
            self._spawn(self.store.tell(Note(self.store.process, here=_here(mine))))
        for id, seat, reaction in note.reactions:
            if (live := self.tables.get(id)) is not None:
                self._react(live, seat, reaction)

    def _set_elsewhere(self, live: Live, process: str, seats: list[int | None]) -> None:
        if live.elsewhere.get(process, []) == seats:
            return
        live.elsewhere.pop(process, None)
        if seats:
            live.elsewhere[process] = seats
        self._note_gone(live)
        self._tell_table(live)
        self._schedule(live)

    async def _read_on(self, live: Live) -> None:
        live.behind = True
        while live.behind:
            try:
                async with live.lock:
                    await self._catch_up(live)
            except Refused:
                await asyncio.sleep(1)

    async def _catch_up_all(self) -> None:
        """News may have been lost: everything is looked at again."""
        for live in list(self.tables.values()):
            self._spawn(self._read_on(live))
        await self.store.tell(Note(self.store.process, asking=list(self.tables)[:100]))

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self.times.heartbeat)
            used = [live for live in self.tables.values() if live.clients]
            await self.store.tell(Note(self.store.process, here=_here(used)))
            silent = time.time() - self.times.silence
            for process in [one for one, heard in self._heard.items() if heard < silent]:
                del self._heard[process]
                for live in self.tables.values():
                    self._set_elsewhere(live, process, [])

    # --- Housekeeping ----------------------------------------------------------------------------

    async def _sweep(self) -> None:
        """Tables that nobody has looked at for a while leave memory; the journal has them."""
        while True:
            await asyncio.sleep(self.times.sweep)
            idle = time.time() - self.times.linger
            for id, live in list(self.tables.items()):
                quiet = not live.clients and live.timer is None and not live.lock.locked()
                if quiet and live.used < idle:
                    del self.tables[id]

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> None:
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


async def _wait_until(when: float) -> None:
    if (left := when - time.time()) > 0:
        await asyncio.sleep(left)


def _here(tables: list[Live]) -> dict[str, list[int | None]]:
    return {live.table.id: [client.seat for client in live.clients] for live in tables}


def _warm(game: Game) -> None:
    from lastcard.bots import bot

    game.warm("new", "waiting", "bystanders", "legal", "apply", "hide", "guess")
    bot(HURRIED, game).warm()


def _no_table() -> Refused:
    return Refused(Code.NOT_FOUND, "There is no such table.")
