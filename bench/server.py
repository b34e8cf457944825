"""The live server under load: moves per second, how long a move takes, memory per table.

    python bench/server.py [--game chiko --game taki ...] [--tables 500] [--seconds 10]

Every part starts `lastcard serve` on one core with a fresh SQLite file; the load runs on another
core. Players move at random and start another match when one is over. A move is timed until its
`ok`, that is until it is on disk: from sending it, or, where moves come at some rate, from when it
was due. People wait for the answer before they move again, but what is due meanwhile is not
forgotten. The parts:

- bare uvicorn, which answers every message with two: what the machine can do at the moment; the
  same with Granian and picows, and with the WebSockets of `lastcard serve`;
- tables of two people: first everybody moves as soon as possible, which gives the most moves per
  second, but latencies that are mostly queueing; then at half that rate; Chiko also in matches as
  long as people's;
- the same with PostgreSQL, if it is there, by one process and by two;
- boardgame.io from npm, if there is Node, in the same way: a small card game in memory. A move is
  timed until its player is told of it, and is not on disk;
- twice of what it can do: four times as many tables, of which moves are due at three quarters of
  the most it made, whether or not it is behind; people who want new tables, which would take as
  much again; and for the rest people who play against bots that search, and ask for hints;
- twice as many tables of a person and a bot, where every person moves once in five seconds;
- ten times as many tables at which people sit, of which one in a hundred is played at: memory of a
  connection;
- memory of twice as many tables after people have left them.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import gc
import itertools
import json
import os
import random
import resource
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, cast

import boardgame
import msgspec
import uvloop
from servers import (
    ECHO,
    HOST,
    JOIN_WITHIN,
    Bare,
    BoardgameIO,
    Frames,
    Granian,
    OnPostgres,
    Picows,
    Server,
    TwoOnPostgres,
)

from lastcard.core.registry import games
from tests.postgres import NoPostgres

# Play at random ends a match of Chiko after 15 moves, and then there is another to deal. Two normal
# bots take 171; so many points make play at random take as long.
LONG = 600
WARM_UP = 1.5  # seconds of load before the measurement
BETWEEN_MOVES = 5  # seconds between a person's moves against a bot
MOVES_BEFORE_IDLE = 8  # moves per table when measuring memory
GROUP = 50  # tables connected at once when measuring memory
NOTEWORTHY = 0.1  # share of the server's core used by others that is worth reporting
SPARE_FILES = 500  # besides one per connection
OFTEN, THINKING = (
    0.75,
    0.5,
)  # shares of what the server can do: moves and new tables; bots and hints
SEARCHING = "master"  # the level of bots that take a core for all of the time they are given
HINT_TAKES = 0.3  # seconds of a core
CALLERS = 200  # connections over which people ask for new tables
HINT = "hint"  # the id of messages that ask for one

# The server allows 30 messages per second and connection, and bursts of 60: stay below.
MESSAGE_COSTS = 1 / 28
MOST_AHEAD = 1.5


class Changes(msgspec.Struct):
    """What a random player needs of a view, whole or changed."""

    waiting: list[int | str] | None = None
    legal: list[str] | None = None
    over: bool | None = None


class MatchNow(msgspec.Struct):
    version: int
    view: Changes


class Message(msgspec.Struct):
    type: str
    id: str | None = None
    version: int | None = None
    changes: Changes | None = None
    match: MatchNow | None = None
    code: str = ""


decode = msgspec.json.Decoder(Message).decode


def frame(body: bytes, opcode: int = 1) -> bytes:
    """A client's frame. Frames must be masked; the key 0 changes nothing."""
    if len(body) < 126:
        return bytes((0x80 | opcode, 0x80 | len(body), 0, 0, 0, 0)) + body
    return bytes((0x80 | opcode, 0xFE)) + len(body).to_bytes(2, "big") + bytes(4) + body


class Table:
    def __init__(self, id: str) -> None:
        self.id = id
        self.players: list[Player] = []
        # Under a paced load, since when players may move; each move takes one.
        self.due: collections.deque[float] = collections.deque()

    def move(self, due: float) -> None:
        self.due.append(due)
        for player in self.players:
            player.play()


def handshake(path: str) -> bytes:
    return (
        f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: bGFzdGNhcmQgYmVuY2ghIQ==\r\n\r\n"
    ).encode()


class Load:
    """All players, and what was measured."""

    def __init__(self) -> None:
        self.tables: list[Table] = []
        self.paced = True
        self.against_bots = False
        self.welcomed = 0
        self.times: list[float] = []
        self.failures: collections.Counter[str] = collections.Counter()
        self.closing = False
        self.asked = 0  # hints
        self.advised: list[float] = []  # how long the answers took

    @property
    def players(self) -> list[Player]:
        return [player for table in self.tables for player in table.players]


class Player(asyncio.Protocol):
    """One connection. Lean, as the load must cost far less than the server."""

    def __init__(self, load: Load, table: Table, seat: int, token: str) -> None:
        self.load = load
        self.table = table
        self.seat = seat
        self.token = token
        self.rest = b""
        self.upgraded = False
        self.version = 0
        self.needed = 0  # the version to wait for before the next move
        self.waited_for = False
        self.legal: list[str] = []
        self.over = False
        self.pending = ""  # the id of the unanswered message
        self.moving = False  # whether the unanswered message is a move
        self.due = 0.0  # since when the unanswered move has been waited for
        self.my_turn = 0.0  # since when it has been
        self.asked_at = 0.0  # for a hint
        self.ahead = 0.0  # when the messages so far would be sent at the allowed rate
        self.ids = itertools.count(seat, 2)  # unique at the table

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.transport.write(handshake(f"/api/tables/{self.table.id}/live"))

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.load.closing:
            self.load.failures["connection lost"] += 1

    def data_received(self, data: bytes) -> None:
        if self.rest:
            data = self.rest + data
        at = 0
        if not self.upgraded:
            at = data.find(b"\r\n\r\n") + 4
            if at < 4:
                self.rest = data
                return
            if b" 101 " not in data[:20]:
                self.load.failures[data.partition(b"\r\n")[0].decode()] += 1
                return
            self.upgraded = True
            hello = json.dumps({"type": "hello", "token": self.token})
            self.transport.write(frame(hello.encode()))
        size = len(data)
        while size - at >= 2:
            length, body = data[at + 1], at + 2  # a server does not mask
            if length == 126:
                body = at + 4
                length = int.from_bytes(data[at + 2 : body], "big")
            elif length == 127:
                body = at + 10
                length = int.from_bytes(data[at + 2 : body], "big")
            if body + length > size:
                break
            content, opcode = data[body : body + length], data[at]
            at = body + length
            if opcode == 0x81:
                self.hear(decode(content))
            elif opcode == 0x89:
                self.transport.write(frame(content, opcode=10))
            elif opcode == 0x88:
                self.load.failures[f"closed with {int.from_bytes(content[:2], 'big')}"] += 1
            else:
                self.load.failures[f"frame {opcode:02x}"] += 1
        self.rest = data[at:]

    def hear(self, message: Message) -> None:
        kind = message.type
        if kind == "update":
            self.version = message.version or 0
            self.look(message.changes)
        elif kind == "ok":
            if message.id != self.pending:
                return
            if self.moving:
                self.load.times.append(time.perf_counter() - self.due)
                self.needed = message.version or 0
            self.pending = ""
        elif kind in ("match", "welcome"):
            if kind == "welcome":
                self.load.welcomed += 1
            if message.match:
                self.version, self.needed = message.match.version, 0
                self.look(message.match.view)
        elif kind == "hint":
            self.load.advised.append(time.perf_counter() - self.asked_at)
            return
        elif kind == "error" and message.id == HINT:
            self.load.failures[f"hint: {message.code}"] += 1
            return
        elif kind == "error":
            self.load.failures[message.code] += 1
            self.pending, self.over = "", not self.moving
            if message.code != "stale":  # the whole view has already come
                asyncio.get_running_loop().call_later(1, self.play)
                return
        else:
            return
        self.play()

    def look(self, changes: Changes | None) -> None:
        if changes:
            if changes.waiting is not None:
                self.waited_for = self.seat in changes.waiting
                self.my_turn = time.perf_counter()
            if changes.legal is not None:
                self.legal = changes.legal
            if changes.over is not None:
                self.over = changes.over

    def play(self) -> None:
        """Makes a move, if there is one to make."""
        if self.pending or self.version < self.needed:
            return
        if self.over:
            self.over = self.waited_for = self.moving = False
            self.send('"type":"rematch"')
        elif self.waited_for and self.legal and (self.table.due or not self.load.paced):
            now = time.perf_counter()
            if self.ahead > now + MOST_AHEAD:
                self.load.failures["held back by the message limit"] += 1
                asyncio.get_running_loop().call_later(MOST_AHEAD / 2, self.play)
                return
            self.moving, self.due = True, now
            if self.load.paced:
                self.due = self.table.due.popleft()
                if self.load.against_bots:  # who take their time
                    self.due = max(self.due, self.my_turn)
            action = self.legal[int(random.random() * len(self.legal))]
            self.send(f'"type":"move","version":{self.version},"action":"{action}"')

    def send(self, text: str) -> None:
        self.pending = str(next(self.ids))
        self.ahead = max(self.ahead, time.perf_counter()) + MESSAGE_COSTS
        self.transport.write(frame(f'{{"id":"{self.pending}",{text}}}'.encode()))

    def ask_for_a_hint(self) -> None:
        if self.waited_for and self.legal:
            self.load.asked += 1
            self.asked_at = time.perf_counter()
            self.transport.write(frame(f'{{"id":"{HINT}","type":"hint"}}'.encode()))


class Echoed(asyncio.Protocol):
    """A connection to bare uvicorn: the next message goes out when two have come back."""

    def __init__(self, load: Load) -> None:
        self.load = load
        self.expected = 0
        self.sent_at = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.transport.write(handshake("/"))

    def data_received(self, data: bytes) -> None:
        self.expected -= len(data)
        if b"\r\n\r\n" in data:
            self.expected = 0
        elif self.expected == 0:
            self.load.times.append(time.perf_counter() - self.sent_at)
        if self.expected == 0 and not self.load.closing:
            self.expected = 2 * (4 + ECHO)
            self.sent_at = time.perf_counter()
            self.transport.write(frame(b"x" * 60))


class Measured(NamedTuple):
    rate: float
    p50: float
    p99: float
    server_cpu: float
    load_cpu: float
    others_cpu: float

    @property
    def each(self) -> float:
        """Seconds of the server's CPU for each."""
        return self.server_cpu / self.rate

    def __str__(self) -> str:
        others = f", {self.others_cpu:.0%} others" if self.others_cpu > NOTEWORTHY else ""
        return (
            f"{self.rate:8,.0f}/s   p50 {self.p50 * 1e3:7.1f} ms   p99 {self.p99 * 1e3:7.1f} ms"
            f"   CPU {self.server_cpu:4.0%} server ({self.each * 1e6:.0f} µs each),"
            f" {self.load_cpu:4.0%} load{others}"
        )


@dataclass
class Bench:
    server: Server
    load: Load

    async def sit_down(self, game: str, count: int, *bots: str, **options: int) -> None:
        """Opens more tables and connects to them."""
        self.load.against_bots = bool(bots)
        tables = await asyncio.to_thread(self.server.make_tables, game, count, bots, options)
        for id, tokens in tables:
            table = Table(id)
            self.load.tables.append(table)
            table.players = [Player(self.load, table, s, token) for s, token in enumerate(tokens)]
            for player in table.players:
                await self.connect(player)
        give_up = time.monotonic() + JOIN_WITHIN
        while self.load.welcomed < len(self.load.players):
            if time.monotonic() > give_up or self.load.failures:
                missing = len(self.load.players) - self.load.welcomed
                sys.exit(f"{missing} connections were not welcomed: {dict(self.load.failures)}")
            await asyncio.sleep(0.01)
        gc.collect()
        gc.freeze()

    async def connect(self, player: Player) -> None:
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: player, HOST, self.server.port)

    async def flat_out(self, seconds: float) -> Measured:
        """Everybody moves as soon as possible."""
        self.load.paced = False
        for player in self.load.players:
            player.play()
        await asyncio.sleep(WARM_UP)
        measured = await self.measure(asyncio.sleep(seconds))
        self.load.paced = True
        await asyncio.sleep(1)  # lets messages in flight arrive
        return measured

    async def at_rate(self, rate: float, seconds: float) -> Measured:
        """A fixed total rate of moves, table by table."""
        tables = itertools.cycle(self.load.tables)
        for table in self.load.tables:
            table.due.clear()
        await self.pace(tables, rate, WARM_UP)
        return await self.measure(self.pace(tables, rate, seconds))

    async def pace(self, tables: itertools.cycle[Table], rate: float, seconds: float) -> None:
        start = time.perf_counter()
        given = 0
        while (passed := time.perf_counter() - start) < seconds:
            while given < passed * rate:
                next(tables).move(start + given / rate)
                given += 1
            await asyncio.sleep(0.001)

    async def measure(self, work: Any) -> Measured:
        def clocks() -> tuple[float, float, float, float]:
            server, core = self.server.cpu(), self.server.core_cpu()
            return time.perf_counter(), server, time.process_time(), core

        self.load.times = []
        before = clocks()
        await work
        passed, server, load, core = (b - a for a, b in zip(before, clocks(), strict=True))
        times = sorted(self.load.times) or [float("nan")]
        p50, p99 = times[len(times) // 2], times[len(times) * 99 // 100]
        others = core - server if len(self.server.cores) > 1 else 0.0
        shares = (seconds / passed for seconds in (server, load, others))
        return Measured(len(self.load.times) / passed, p50, p99, *shares)

    async def get_up(self, patience: float = 2) -> None:
        """Closes all connections."""
        self.load.closing = True
        for player in self.load.players:
            player.transport.close()
        await asyncio.sleep(patience)  # the server notices
        if self.load.failures:
            print(f"  unexpected: {dict(self.load.failures)}")


async def bare(bench: Bench, connections: int, seconds: float) -> Measured:
    loop, load = asyncio.get_running_loop(), bench.load
    for _ in range(connections):
        await loop.create_connection(lambda: Echoed(load), HOST, bench.server.port)
    await asyncio.sleep(WARM_UP)
    measured = await bench.measure(asyncio.sleep(seconds))
    print(f"  {'':11s} flat out      {measured}", flush=True)
    load.closing = True
    return measured


async def two_people(
    bench: Bench, game: str, tables: int, seconds: float, alone: Measured, **options: int
) -> float:
    await bench.sit_down(game, tables, **options)
    most = await bench.flat_out(seconds)
    ratios = f"{most.rate / alone.rate:.2f} of uvicorn, {alone.each / most.each:.2f} by CPU"
    what = " to ".join((game, *map(str, options.values())))
    print(f"  {what:11s} flat out      {most}: {ratios}", flush=True)
    rate = most.rate / 2
    print(f"  {what:11s} at {rate:5,.0f}/s    {await bench.at_rate(rate, seconds)}", flush=True)
    await bench.get_up()
    return most.rate


def in_boardgame_io(cores: list[int], tables: int, seconds: float, ours: float) -> None:
    core = cores[0] if len(cores) > 1 else -1
    try:
        boardgame.install()
        with BoardgameIO(cores) as server:
            found = boardgame.play(server.port, server.process.pid, core, tables, seconds)
    except boardgame.Missing as why:
        print(f"  not measured: {why}")
        return
    most, half = (Measured(**one) for one in found)
    print(f"  {'':11s} flat out      {most}: ours {ours / most.rate:.1f} times that")
    print(f"  {'':11s} at {half.rate:5,.0f}/s    {half}", flush=True)


@dataclass
class Asking:
    """People who want new tables, at some rate, and what they are told."""

    port: int
    game: str
    due: collections.deque[float]
    answers: collections.Counter[str]
    times: list[float]

    async def call(self) -> None:
        """One of those who ask: the next asks as soon as the last is answered."""
        reader, writer = await asyncio.open_connection(HOST, self.port)
        body = json.dumps({"game": self.game, "players": 2, "name": "Ann"})
        head = f"POST /api/tables HTTP/1.1\r\nHost: {HOST}\r\nContent-Type: application/json\r\n"
        request = f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode()
        while True:
            if not self.due:
                await asyncio.sleep(0.002)
                continue
            due = self.due.popleft()
            writer.write(request)
            answer = (await reader.readuntil(b"\r\n\r\n")).lower()
            size = int(answer.partition(b"content-length:")[2].split()[0])
            await reader.readexactly(size)
            self.answers[answer.split()[1].decode()] += 1
            self.times.append(time.perf_counter() - due)


async def at_times(rate: float, do: Callable[[float], object]) -> None:
    """Calls it at a fixed rate, with the time that it was due."""
    began, done = time.perf_counter(), 0
    while True:
        while (due := began + done / rate) <= time.perf_counter():
            do(due)
            done += 1
        await asyncio.sleep(0.002)


async def too_much(bench: Bench, game: str, tables: int, most: float, seconds: float) -> None:
    """Twice what it can do: moves at tables that are played at, and all that may be refused."""
    before = bench.server.cpu()
    await bench.sit_down(game, tables)
    opening = (bench.server.cpu() - before) / tables  # two people sit down at each
    thinking = Bench(bench.server, Load())
    await thinking.sit_down(game, max(tables // 20, 1), SEARCHING)
    asking = Asking(bench.server.port, game, collections.deque(), collections.Counter(), [])
    callers = [asyncio.create_task(asking.call()) for _ in range(CALLERS)]
    people = itertools.cycle(thinking.load.players)
    against_bots = itertools.cycle(thinking.load.tables)
    wanted, hints = OFTEN / opening, THINKING / HINT_TAKES
    background = [
        asyncio.create_task(work)
        for work in (
            at_times(wanted, asking.due.append),
            at_times(hints, lambda _: next(people).ask_for_a_hint()),
            at_times(len(thinking.load.tables) / BETWEEN_MOVES, next_move(against_bots)),
        )
    ]
    measured = await bench.at_rate(OFTEN * most, seconds)
    late = await asyncio.to_thread(bench.server.metric, "lastcard_late_seconds")
    for task in (*callers, *background):
        task.cancel()
    rate = OFTEN * most
    print(f"  {game:11s} at {rate:5,.0f}/s    {measured}", flush=True)
    behind = sum(len(table.due) for table in bench.load.tables)
    print(f"  {'':11s} {behind:,} moves still due in the end; arrivals waited {late * 1e3:.0f} ms")
    print(
        f"  {'':11s} new tables, {wanted:,.0f}/s: {asking.answers['201']} opened,"
        f" {asking.answers['503']} told to come again, {len(asking.due)} not answered;"
        f" {quantiles(asking.times)}"
    )
    told = thinking.load.failures.pop("hint: unavailable", 0)
    print(
        f"  {'':11s} hints, {hints:,.1f}/s: {thinking.load.asked} asked for,"
        f" {len(thinking.load.advised)} given, {told} told to come again;"
        f" {quantiles(thinking.load.advised)}"
    )
    print(f"  {'':11s} moves against {SEARCHING} bots: {quantiles(thinking.load.times)}")
    await thinking.get_up(0.2)
    await bench.get_up()


def next_move(tables: itertools.cycle[Table]) -> Callable[[float], None]:
    return lambda due: next(tables).move(due)


def quantiles(times: list[float]) -> str:
    ordered = sorted(times) or [float("nan")]
    p50, p99 = ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100]
    return f"p50 {p50 * 1e3:.1f} ms, p99 {p99 * 1e3:.1f} ms"


async def with_postgres(bench: Bench, game: str, tables: int, seconds: float) -> None:
    """The same tables of two people, with the CPU of PostgreSQL beside the server's."""
    server = cast(OnPostgres, bench.server)
    await bench.sit_down(game, tables)
    before = server.database_cpu()
    most = await bench.flat_out(seconds)
    database = (server.database_cpu() - before) / (most.rate * (seconds + WARM_UP))
    who = f"{server.workers} process" + ("es" if server.workers > 1 else "")
    print(f"  {who:11s} flat out      {most}, {database * 1e6:.0f} µs PostgreSQL", flush=True)
    rate = most.rate / 2
    print(f"  {who:11s} at {rate:5,.0f}/s    {await bench.at_rate(rate, seconds)}", flush=True)
    await bench.get_up()


async def many(bench: Bench, game: str, tables: int, seconds: float) -> None:
    """People who sit at tables, and few who play."""
    await bench.sit_down(game, GROUP)
    before = bench.server.memory()
    await bench.sit_down(game, tables - GROUP)
    each = (bench.server.memory() - before) / (2 * (tables - GROUP))
    all_tables = bench.load.tables
    bench.load.tables = random.sample(all_tables, max(tables // 100, 1))
    measured = await bench.at_rate(tables / 100 / BETWEEN_MOVES * 2, seconds)
    bench.load.tables = all_tables
    print(f"  {game:11s} {measured}")
    print(f"  {'':11s} {each:.1f} KB for a connection and half a table")
    await bench.get_up()


async def with_bots(bench: Bench, game: str, tables: int, seconds: float) -> None:
    await bench.sit_down(game, tables, "normal")
    print(f"  {game:11s} {await bench.at_rate(tables / BETWEEN_MOVES, seconds)}", flush=True)
    await bench.get_up()


async def memory(bench: Bench, game: str, tables: int) -> None:
    """Memory of tables after people have left. They come in groups, so that few are connected."""

    async def come_and_go() -> None:
        group = Bench(bench.server, Load())
        await group.sit_down(game, GROUP, "normal")
        moves = GROUP * MOVES_BEFORE_IDLE
        await group.pace(itertools.cycle(group.load.tables), 1000, moves / 1000)
        await group.get_up(0.2)

    for _ in range(5):
        await come_and_go()  # loads what is loaded only once
    before, made = bench.server.memory(), 0
    while made < tables:
        await come_and_go()
        made += GROUP
    each = (bench.server.memory() - before) / made
    print(f"  {game:11s} {before / 1024:.0f} MB at the start; {each:.1f} KB for each of {made:,}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--game", action="append", choices=games(), help="one or more (chiko and taki)"
    )
    parser.add_argument("--tables", type=int, default=500, help="tables of two people (500)")
    parser.add_argument("--seconds", type=float, default=10, help="of each measurement (10)")
    arguments = parser.parse_args()
    tables, seconds = arguments.tables, arguments.seconds
    chosen = arguments.game or ["chiko", "taki"]

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # stop the server in any case
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    files = 20 * tables + SPARE_FILES
    if hard != resource.RLIM_INFINITY and files > hard:
        sys.exit(f"{tables} tables need {files} open files, and `ulimit -Hn` allows {hard}.")
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))  # the server inherits it
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        print("There is only one core: the load slows the server down.")

    def run(part: Any, *values: Any, kind: type[Server] = Server) -> Any:
        gc.disable()  # messages leave no cycles behind
        with kind(cores) as server:
            return uvloop.run(part(Bench(server, Load()), *values))

    print(f"Bare uvicorn, {2 * tables:,} connections, every message answered by two:")
    alone = run(bare, 2 * tables, seconds, kind=Bare)
    for kind in (Granian, Picows):
        print(f"The same with {kind.__name__}:")
        run(bare, 2 * tables, seconds, kind=kind)
    print("The same with our own WebSockets:")
    run(bare, 2 * tables, seconds, kind=Frames)
    print(f"{tables:,} tables of two people, until the move is on disk:")
    most = {game: run(two_people, game, tables, seconds, alone) for game in chosen}
    if "chiko" in chosen:  # in matches as long as people's
        run(partial(two_people, target=LONG), "chiko", tables, seconds, alone)
    print(f"boardgame.io with {tables:,} tables of two people, in memory, nothing on disk:")
    in_boardgame_io(cores, tables, min(seconds, 8), most[chosen[0]])
    print(f"{chosen[0]} on PostgreSQL, {tables:,} tables of two people:")
    try:
        for server in (OnPostgres, TwoOnPostgres):
            run(with_postgres, chosen[0], tables, seconds, kind=server)
    except NoPostgres as why:
        print(f"  not measured: {why}")
    print(f"Twice of what it can do, {4 * tables:,} tables of two people, and others:")
    run(too_much, chosen[0], 4 * tables, most[chosen[0]], seconds)
    print(f"{2 * tables:,} tables of a person and a bot, a move every {BETWEEN_MOVES} s each:")
    run(with_bots, chosen[0], 2 * tables, seconds)
    print(f"{10 * tables:,} tables with {20 * tables:,} connections, 1 % of them played at:")
    run(many, chosen[0], 10 * tables, seconds)
    print("Memory of the server per table that nobody watches, before it drops them:")
    run(memory, chosen[0], 2 * tables)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("Stopped.")
