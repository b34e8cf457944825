"""Attacks a server beside honest tables, and tells what those saw.

    python -m tests.server.attack [--kinds pings pipeline ...] [--seconds 30] [--race 60]

For every kind a server of its own with default limits is started, on one core; honest players and
the attacker share another, and the attacker is the one that has to wait. Chiko and TAKI, people
against people and against bots, are played at a fixed pace, first in peace and then beside the
attack, all of which comes from one address. The database is in memory where there is such a folder:
how long a disk takes changes from minute to minute. Everything stays on this machine, and ends.

At last two servers share a PostgreSQL database: whoever's turn it is must hear of it.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import http.client
import itertools
import json
import multiprocessing
import os
import random
import re
import socket
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.postgres import postgres
from tests.server.client import Player, Refused, Server

ATTACKER = "127.0.0.2"  # everybody else has another address
TABLES = 24
PACE = 0.2  # seconds between two moves at a table
WARM_UP = 4.0
SETTLED = 20.0  # seconds after which memory is looked at again
HEARD_WITHIN = 1.0
MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
SPAWNED = multiprocessing.get_context("spawn")  # there are threads here
MOVES, LONG = 400, 205_000  # of a long match: moves, and entries of its journal


# --- Honest players ------------------------------------------------------------------------------


@dataclass
class Saw:
    """What honest players have seen in some time: how long each move took, in seconds."""

    seconds: float
    moves: list[float] = field(default_factory=list)

    def quantile(self, part: float) -> float:
        ordered = sorted(self.moves)
        return 1000 * ordered[min(int(part * len(ordered)), len(ordered) - 1)]


class Crowd:
    """Honest tables."""

    def __init__(self, players: list[list[Player]]) -> None:
        self._tables = players
        self._saw: Saw | None = None

    async def look(self, seconds: float) -> Saw:
        saw = self._saw = Saw(seconds)
        await asyncio.sleep(seconds)
        self._saw = None
        return saw

    async def play(self, table: list[Player], rng: random.Random) -> None:
        while True:
            due = time.monotonic() + PACE * rng.uniform(0.8, 1.2)
            able = [one for one in table if one.legal]
            if able:
                started = time.perf_counter()
                player = rng.choice(able)
                with contextlib.suppress(Refused):  # somebody else was faster
                    await player.move(rng.choice(player.legal))
                    if self._saw is not None:
                        self._saw.moves.append(time.perf_counter() - started)
            elif table[0].view.get("over"):
                for one in table:
                    with contextlib.suppress(Refused):
                        await one.say("rematch")
            await asyncio.sleep(max(due - time.monotonic(), 0.01))


def seats(server: Server, number: int) -> list[tuple[str, str]]:
    """A table, as ids and tokens of its people: every third one has a bot."""
    game, has_bot = ("chiko", "taki")[number % 2], number // 2 % 3 == 0
    setup = {"game": game, "players": 2, "name": "Ann", "bots": ["easy"] * has_bot}
    status, made = server.request("POST", "/api/tables", setup)
    assert status == 201, made
    found = [(made["table"], made["token"])]
    for _ in range(1 - has_bot):
        _, joined = server.request("POST", f"/api/tables/{made['table']}/join", {"name": "Ben"})
        found.append((made["table"], joined["token"]))
    return found


@contextlib.asynccontextmanager
async def crowd(server: Server) -> Any:
    async with contextlib.AsyncExitStack() as stack:
        tables = [
            [await stack.enter_async_context(Player(server.url, *one)) for one in seats(server, n)]
            for n in range(TABLES)
        ]
        all_ = Crowd(tables)
        playing = [
            asyncio.create_task(all_.play(table, random.Random(number)))
            for number, table in enumerate(tables)
        ]
        try:
            yield all_
        finally:
            for task in playing:
                task.cancel()
            for ended in await asyncio.gather(*playing, return_exceptions=True):
                if isinstance(ended, Exception):
                    raise ended


# --- The attacker --------------------------------------------------------------------------------


def call(url: str) -> socket.socket:
    address = urlsplit(url)
    one = socket.socket()
    one.settimeout(5)
    one.bind((ATTACKER, 0))
    one.connect((address.hostname, address.port))
    return one


def ask(path: str, host: str = "127.0.0.1") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()


def upgraded(url: str, table: str) -> socket.socket:
    one = call(url)
    key = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
    head = ask(f"/api/tables/{table}/live")[:-2] + b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
    one.sendall(head + key.encode())
    while not one.recv(65_536):
        raise ConnectionResetError
    return one


def text(**message: Any) -> bytes:
    body = json.dumps(message).encode()
    assert len(body) < 126
    return bytes((0x81, 0x80 | len(body), 0, 0, 0, 0)) + body


@dataclass(frozen=True)
class Target:
    url: str
    table: str  # the attacker's own
    token: str
    long: str  # a table with a long journal


Attack = Callable[[Target], Iterator[None]]  # yields after every blow


def pings(target: Target, *, unread: bool = False) -> Iterator[None]:
    """One connection's pings, without end."""
    ping = bytes((0x89, 0x80, 0, 0, 0, 0)) * 400
    while True:
        with upgraded(target.url, target.table) as one, contextlib.suppress(OSError):
            one.sendall(text(type="hello", token=target.token))
            one.settimeout(0.2)
            while True:
                one.sendall(ping)
                if not unread and not one.recv(1 << 20):
                    break
                yield
        yield


def pings_unread(target: Target) -> Iterator[None]:
    """The same, and the answers are not read."""
    return pings(target, unread=True)


def flood(target: Target, data: bytes, connections: int, unread: bool = False) -> Iterator[None]:
    """As much as possible of the same on so many connections, which are made anew when cut."""
    many: list[socket.socket | None] = [None] * connections
    while True:
        for place in range(connections):
            one = many[place]
            try:
                if one is None:
                    one = many[place] = call(target.url)
                    one.setblocking(False)
                one.send(data)
                if not unread and not one.recv(1 << 20):
                    raise ConnectionResetError
            except BlockingIOError:
                pass
            except OSError:
                if one is not None:
                    one.close()
                many[place] = None
            yield


def pipeline(target: Target) -> Iterator[None]:
    """Pages, asked for without waiting for them."""
    return flood(target, ask("/") * 200, 20, unread=True)


def requests(target: Target) -> Iterator[None]:
    """What is for operators, as often as possible."""
    return flood(target, ask("/metrics") + ask("/ready"), 20)


def garbage(target: Target) -> Iterator[None]:
    """What is no HTTP at all."""
    return flood(target, b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", 20)


def connections(target: Target) -> Iterator[None]:
    """Connections on which nothing is said, as many as there may be."""
    kept: list[socket.socket] = []
    while True:
        with contextlib.suppress(OSError):
            kept.append(call(target.url))
        if len(kept) > 800:
            for one in kept[:400]:
                one.close()
            del kept[:400]
        yield


def replays(target: Target) -> Iterator[None]:
    """Steps of a match from a very long journal, just within the limit of requests."""
    paths = (f"/api/tables/{target.long}/matches/1/steps?from={n}&count=200" for n in (0, 600))
    return paced(target, [ask(path) for path in paths], 19)


def pages(target: Target) -> Iterator[None]:
    """Everything else that may be asked for, just within the limit."""
    table = f"/api/tables/{target.table}"
    paths = ("/api/games", "/api/tables", table, f"{table}/qr.svg", f"{table}/matches/1/steps")
    return paced(target, [ask(path) for path in paths], 19)


def paced(target: Target, asked: list[bytes], per_second: float) -> Iterator[None]:
    many: list[socket.socket | None] = [None] * 20
    due = time.monotonic()
    for number in itertools.count():
        place = number % len(many)
        one = many[place]
        try:
            if one is None:
                one = many[place] = call(target.url)
                one.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                if not one.recv(1 << 20):
                    raise ConnectionResetError
            one.send(asked[number % len(asked)])
        except OSError:
            if one is not None:
                one.close()
            many[place] = None
        due += 1 / per_second
        while time.monotonic() < due:
            yield


def pauses(target: Target) -> Iterator[None]:
    """Pause and resume, as often as a connection may speak."""
    while True:
        with upgraded(target.url, target.table) as one, contextlib.suppress(OSError):
            one.sendall(text(type="hello", token=target.token))
            one.settimeout(0.01)
            due = time.monotonic()
            while True:
                one.sendall(text(type="pause") + text(type="resume"))
                due += 1 / 14
                while time.monotonic() < due:
                    with contextlib.suppress(TimeoutError):
                        if not one.recv(1 << 20):
                            raise ConnectionResetError
                    yield
        yield


def hints(target: Target) -> Iterator[None]:
    """As much thinking as one address may ask for."""
    body = json.dumps({"game": "chiko", "players": 4, "bots": ["expert"] * 3, "name": "Eve"})
    address = urlsplit(target.url).netloc
    many = []
    for _ in range(40):
        one = http.client.HTTPConnection(address, source_address=(ATTACKER, 0))
        one.request("POST", "/api/tables", body, {"Content-Type": "application/json"})
        made = json.loads(one.getresponse().read())
        one.close()
        player = upgraded(target.url, made["table"])
        player.sendall(text(type="hello", token=made["token"]))
        player.setblocking(False)
        many.append(player)
        yield
    while True:
        for player in many:
            with contextlib.suppress(OSError):
                player.send(text(type="hint"))
                player.recv(1 << 20)
            yield
        time.sleep(0.1)


def unread(target: Target) -> Iterator[None]:
    """A hundred who watch and do not read, while something always happens."""
    watching = []
    for _ in range(90):
        with contextlib.suppress(OSError):
            one = upgraded(target.url, target.table)
            one.sendall(text(type="hello", token=target.token))
            watching.append(one)
        yield
    stale = text(type="move", id="0" * 22, version=0, action="draw")
    while True:
        for one in watching:
            with contextlib.suppress(OSError):
                one.settimeout(0.01)
                one.sendall(stale * 2)
            yield
        time.sleep(0.07)


KINDS: dict[str, Attack] = {
    one.__name__: one
    for one in (
        pings,
        pings_unread,
        pipeline,
        requests,
        garbage,
        connections,
        replays,
        pages,
        pauses,
        hints,
        unread,
    )
}


def attack(kind: str, target: Target, begin: Connection) -> None:
    """In a process of its own, from the word on until it is killed."""
    os.nice(19)
    begin.recv()
    while True:
        with contextlib.suppress(OSError):
            for _ in KINDS[kind](target):
                pass


# --- What came of it -----------------------------------------------------------------------------


def memory(pid: int) -> float:
    """Megabytes that a process has."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    assert found
    return int(found[1]) / 1024


def pin(pid: int, core: int) -> None:
    if (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(pid, {core})


@dataclass(frozen=True)
class Report:
    kind: str
    quiet: Saw
    attacked: Saw
    before: float  # megabytes,
    most: float
    after: float
    lines: int  # of the log

    @property
    def ratio(self) -> float:
        return self.attacked.quantile(0.99) / self.quiet.quantile(0.99)

    def __str__(self) -> str:
        quiet, attacked = self.quiet, self.attacked
        return (
            f"{self.kind:13} moves/s {len(quiet.moves) / quiet.seconds:5.1f} ->"
            f" {len(attacked.moves) / attacked.seconds:5.1f}"
            f"   median {quiet.quantile(0.5):5.1f} -> {attacked.quantile(0.5):5.1f} ms"
            f"   p99 {quiet.quantile(0.99):5.1f} -> {attacked.quantile(0.99):5.1f} ms"
            f" (x {self.ratio:4.2f})"
            f"   memory {self.before:4.0f}, {self.most - self.before:+4.0f},"
            f" then {self.after - self.before:+4.0f} MB   log {self.lines} lines"
        )


def long_journal(path: Path, table: str) -> None:
    """Makes a table's journal long, as it could become before that was bounded."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        (last,) = database.execute(
            "SELECT max(seq) FROM entries WHERE table_id = ?", (table,)
        ).fetchone()
        bodies = (b'{"is":"agreed","seat":0,"all":true}', b'{"is":"resumed","seat":0}')
        rows = ((table, last + 1 + n, time.time(), bodies[n % 2]) for n in range(LONG))
        database.executemany("INSERT INTO entries VALUES (?, ?, ?, ?)", rows)
        database.commit()


async def beside(kind: str, seconds: float) -> Report:
    with tempfile.TemporaryDirectory(prefix="lastcard-attack-", dir=MEMORY) as folder:
        path = Path(folder) / "tables.sqlite"
        with Server(f"sqlite:///{path}") as server:
            long = ""
            if kind == "replays":
                long = await played(server)
                server.terminate()
                long_journal(path, long)
                server.start()
            assert server._process is not None
            pid = server._process.pid
            pin(pid, 0)
            pin(0, 1 % (os.cpu_count() or 1))
            await asyncio.to_thread(wait_until_quiet, pid)
            setup = {"game": "taki", "players": 2, "bots": ["easy"], "name": "Eve"}
            _, own = server.request("POST", "/api/tables", setup)
            target = Target(server.url, own["table"], own["token"], long)
            begin, word = SPAWNED.Pipe()
            attacker = SPAWNED.Process(target=attack, args=(kind, target, word), daemon=True)
            attacker.start()
            async with crowd(server) as honest:
                await asyncio.sleep(WARM_UP)
                before = memory(pid)
                quiet = await honest.look(seconds)
                begin.send(None)
                try:
                    watching = asyncio.create_task(most_memory(pid))
                    attacked = await honest.look(seconds)
                finally:
                    watching.cancel()
                    attacker.kill()
                    attacker.join()
                most = max(await asyncio.gather(watching))
                await asyncio.sleep(SETTLED)
                after = memory(pid)
            lines = server.log.count("\n")
    return Report(kind, quiet, attacked, before, most, after, lines)


async def played(server: Server) -> str:
    """A table where many moves have been made."""
    setup = {"game": "taki", "players": 2, "name": "Eve", "options": {"rounds": 20}}
    _, made = server.request("POST", "/api/tables", setup)
    _, other = server.request("POST", f"/api/tables/{made['table']}/join", {"name": "Eva"})
    at, rng = made["table"], random.Random(0)
    async with (
        Player(server.url, at, made["token"]) as one,
        Player(server.url, at, other["token"]) as two,
    ):
        for _ in range(MOVES):
            able = [player for player in (one, two) if player.legal]
            if able:
                await able[0].move(rng.choice(able[0].legal))
            while one.version != two.version:
                await asyncio.sleep(0.002)
    return at


async def most_memory(pid: int) -> float:
    most = 0.0
    with contextlib.suppress(asyncio.CancelledError):
        while True:
            most = max(most, memory(pid))
            await asyncio.sleep(0.05)
    return most


def wait_until_quiet(pid: int) -> None:
    """Until a server has compiled what it will need, and waits."""
    quiet = 0
    while quiet < 4:
        before = _ticks(pid)
        time.sleep(0.5)
        quiet = quiet + 1 if _ticks(pid) - before < 5 else 0


def _ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


# --- Two processes -------------------------------------------------------------------------------


async def race(seconds: float, tables: int, pace: float) -> str:
    """Tables of four at two servers: how long it takes until whoever's turn it is hears of it."""
    limits = ("--connections-per-address", "1000")  # all of them come from one address
    with (
        postgres() as database,
        Server(database, *limits) as one,
        Server(database, *limits) as two,
    ):
        async with contextlib.AsyncExitStack() as stack:
            waits: list[float] = []
            playing = []
            for number in range(tables):
                setup = {"game": ("chiko", "taki")[number % 2], "players": 4, "name": "Ann"}
                _, made = one.request("POST", "/api/tables", setup | {"grace": None})
                tokens = [made["token"]]
                for name in ("Ben", "Cid", "Dan"):
                    at = f"/api/tables/{made['table']}/join"
                    tokens.append(two.request("POST", at, {"name": name})[1]["token"])
                urls = (one.url, two.url, two.url, two.url)
                table = [
                    await stack.enter_async_context(Player(url, made["table"], token))
                    for url, token in zip(urls, tokens, strict=True)
                ]
                playing.append(run_on(table, waits, pace, time.monotonic() + seconds, number))
            await asyncio.gather(*playing)
    late = sum(wait > HEARD_WITHIN for wait in waits)
    worst = max(waits)
    return (
        f"two processes: {tables} tables for {seconds:.0f} s, {len(waits)} turns,"
        f" heard of within {1000 * statistics.median(waits):.0f} ms (median),"
        f" {1000 * worst:.0f} ms (worst); {late} later than {HEARD_WITHIN:.0f} s"
    )


async def run_on(
    table: list[Player], waits: list[float], pace: float, until: float, seed: int
) -> None:
    rng = random.Random(seed)
    while time.monotonic() < until:
        able = [one for one in table if one.legal]
        if able:
            player = rng.choice(able)
            try:
                move = await player.move(rng.choice(player.legal))
            except Refused:
                continue
            began = time.monotonic()
            # The one to move is known only to whoever has heard: all are to hear.
            while any(one.number == move.match and one.version < move.led_to for one in table):
                await asyncio.sleep(0.002)
                if time.monotonic() - began > 30:
                    raise AssertionError(f"{table[0]} hangs")
            waits.append(time.monotonic() - began)
            await asyncio.sleep(pace)
        elif all(one.view.get("over") for one in table):
            for one in table:
                with contextlib.suppress(Refused):
                    await one.say("rematch")
        else:
            await asyncio.sleep(0.005)


async def main() -> None:
    parser = argparse.ArgumentParser(description="Attacks a server beside honest tables.")
    parser.add_argument("--kinds", nargs="*", choices=KINDS, default=list(KINDS))
    parser.add_argument("--seconds", type=float, default=30, help="in peace, and of each attack")
    parser.add_argument("--race", type=float, default=60, help="seconds of two processes; 0: none")
    parser.add_argument("--tables", type=int, default=12, help="of two processes")
    asked = parser.parse_args()
    for kind in asked.kinds:
        print(await beside(kind, asked.seconds), flush=True)
    if asked.race:
        print(await race(asked.race, asked.tables, 0.02), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
