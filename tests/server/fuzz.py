"""Millions of things that are nearly right: messages, frames, requests, positions and match files.

usage: python -m tests.server.fuzz --count 10000000 [--seed 1] [--workers 16]

Several workers share the count, each with a seed and servers of its own, at which tables of every
game stand in every state. Each thing is refused in the way that is written down, or taken for what
it is; nothing changes that was not asked for, nothing fails otherwise, nothing that is hidden gets
out, and memory does not grow.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import logging
import math
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

import lastcard
from lastcard.core import files
from lastcard.core.match import Match
from lastcard.core.registry import games
from lastcard.errors import BadFile, BadOption, BadPosition
from lastcard.server.app import Application
from lastcard.server.app import Server as App
from lastcard.server.bounded import BoundedHttp
from lastcard.server.doors import Doors
from lastcard.server.examples import scenarios_of
from lastcard.server.faces import face_of
from lastcard.server.gate import Gate
from lastcard.server.limits import Limits
from lastcard.server.reach import Reach
from lastcard.server.socket import Socket
from lastcard.server.websocket import WIRE, Closed, WebSocket
from lastcard.table import load
from lastcard.table.hosted import HostedTable
from lastcard.table.house import House
from lastcard.table.messages import MOST_BYTES
from lastcard.table.refusals import Code
from lastcard.table.store import Line, Store
from lastcard.table.times import Times
from tests.deals import deal_alike
from tests.server.nearly import frame, is_valid, mangled, mutation, odd
from tests.server.nearly import request as raw_request
from tests.server.standing import Standing, prepared
from tests.workers import format_failure, spread

SHARES = {
    "frames": 0.5,
    "messages": 0.39,
    "positions": 0.04,
    "files": 0.04,
    "requests": 0.02,
    "raw requests": 0.01,
}
CODES = {str(code) for code in Code}
ANSWERS = ("welcome", "error", "match", "table")  # to whoever says nothing right; `match` if stale
WARM = 0.1  # of each kind before memory is looked at
GROWTH = 24_000_000  # bytes that it may grow by, whatever the count: pools and caches fill up
AT_ONCE = 2000
FRAMES = 20  # sent over one connection
TURNS = 20  # of the event loop until a client is gone that has sent something like requests
PATIENCE = 60.0  # seconds, many times what anything takes
STANDING = Times(pace=1e6, patience=1e6, hurry=1e6, linger=0.5, sweep=0.25)  # bots never move
UNBOUNDED = Limits(
    messages_per_second=1e9,
    messages_at_once=10**9,
    address_messages_per_second=1e9,
    address_messages_at_once=10**9,
    requests_per_second=1e9,
    connections_per_address=10**9,
    arrivals_per_second=1e9,
    raw_per_address=10**9,
    raw_connections=10**9,
    tables_per_hour=10**9,
    offences=10**9,
    unsent=10**9,
    unsent_bytes=10**12,
)

Some = Callable[[int], Any]  # does so many
Tally = Counter[str]


# --- Messages ------------------------------------------------------------------------------------


class Person:
    """A client at a table who says nothing right."""

    unsent = unsent_bytes = 0

    def __init__(self, rng: random.Random, at: Standing, hosted: HostedTable) -> None:
        self.at = at
        self.hosted = hosted
        self.left = 0
        self.closed: int | None = None
        self.codes: Tally = Counter()
        self.wrong: list[tuple[str, bytes]] = []  # what was said, and an answer it should not get
        self._said = ""
        self._rng = rng
        self._hear: Callable[[], None] = lambda: None
        self._hello: str | None = json.dumps({"type": "hello", "token": at.token})

    def listen(self, hear: Callable[[], None]) -> None:
        self._hear = hear
        hear()

    def take(self) -> str | bytes | None:
        if self._hello is not None:
            hello, self._hello = self._hello, None
            return hello
        if self.left == 0:
            return None
        self.left -= 1
        table = self.hosted.table
        text = mutation(self._rng, table.version)
        while is_valid(text, table, 0):
            text = mutation(self._rng, table.version)
        self._said = text
        return text.encode(errors="replace") if self._rng.random() < 0.02 else text

    async def say(self, count: int) -> None:
        self.left = count
        while self.left:
            self._hear()
            await asyncio.sleep(0)
        assert not self.wrong, (self.at, self.wrong)
        assert self.closed is None, (self.at, self.closed)

    def write(self, message: bytes) -> None:
        answer = json.loads(message)
        self.codes[answer.get("code", answer["type"])] += 1
        if answer["type"] not in ANSWERS or answer.get("code", "malformed") not in CODES:
            self.wrong.append((self._said, message))

    def close(self, code: int = 1000) -> None:
        self.closed = code


# --- Connections ---------------------------------------------------------------------------------


class Transport:
    """What a connection writes to."""

    def __init__(self, protocol: Any = None) -> None:
        self.protocol = protocol
        self.written: list[bytes] = []
        self.closing = False

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def close(self) -> None:
        self.closing = True

    abort = close

    def is_closing(self) -> bool:
        return self.closing

    def get_protocol(self) -> Any:
        return self.protocol

    def set_protocol(self, protocol: Any) -> None:
        self.protocol = protocol

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...

    def get_extra_info(self, name: str, default: object = None) -> object:
        return default


HANDSHAKE = (
    b"GET /x HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: bGFzdGNhcmQgYmVuY2hhYg==\r\n\r\n"
)


async def echo(scope: dict[str, Any], receive: object, send: object) -> None:
    wire = scope["extensions"][WIRE]["wire"]
    over = asyncio.Event()

    def hear() -> None:
        try:
            while (heard := wire.take()) is not None:
                assert len(heard) <= MOST_BYTES
                wire.write(heard if isinstance(heard, bytes) else heard.encode())
        except Closed:
            over.set()

    wire.listen(hear)
    await over.wait()


def connected(protocol: Any) -> Transport:
    """A client that was let in."""
    assert Gate.doors.enter("127.0.0.1", "")
    transport = Transport(protocol)
    protocol.connection_made(transport)
    return transport


async def one_connection(config: uvicorn.Config, rng: random.Random, state: ServerState) -> None:
    one = WebSocket(config, state, {})
    transport = connected(one)
    one.data_received(HANDSHAKE)
    data = b"".join(frame(rng) for _ in range(FRAMES))
    at = 0
    while at < len(data) and not transport.closing:
        step = rng.choice((1, 3, 50, 1000, 100_000))
        one.data_received(data[at : at + step])
        assert len(one._rest) <= MOST_BYTES + 14
        at += step
        if rng.random() < 0.05:
            await asyncio.sleep(0)
    one.connection_lost(None)
    await asyncio.sleep(0)
    await asyncio.sleep(0)


async def one_client(
    config: uvicorn.Config, rng: random.Random, state: ServerState, path: str
) -> list[int]:
    """Bytes for the server's HTTP, cut anywhere; the statuses of its answers."""
    transport = connected(BoundedHttp(config, state, {}))
    data, at = raw_request(rng, path), 0
    while at < len(data) and not transport.closing:
        step = rng.choice((1, 7, 100, 5000, 100_000))
        transport.protocol.data_received(data[at : at + step])
        at += step
        if rng.random() < 0.05:
            await asyncio.sleep(0)
    for _ in range(rng.choice((0, TURNS))):
        await asyncio.sleep(0)
    transport.protocol.connection_lost(None)
    if state.tasks:
        _, pending = await asyncio.wait(state.tasks, timeout=PATIENCE)
        assert not pending, f"still served: {data!r}"
    written = b"".join(transport.written)
    return [int(status) for status in re.findall(rb"^HTTP/1.1 (\d{3})", written, re.MULTILINE)]


# --- Positions and files -------------------------------------------------------------------------


def sample(rng: random.Random) -> Match:
    match = lastcard.game(rng.choice(games())).match(seed=rng.randrange(1000))
    for _ in range(rng.randrange(60)):
        if match.over:
            break
        seat = match.waiting[0]
        match.roll() if isinstance(seat, str) else match.play(seat, rng.choice(match.legal(seat)))
    return match


def read_positions(rng: random.Random, count: int, seen: Tally) -> None:
    """What is taken for a position is one: it can be written, and read again as the same."""
    match = sample(rng)
    position = match.position()
    for _ in range(count):
        bent = odd(rng, position)
        with suppress(BadPosition, BadOption):
            read = match.game.position(bent, rng.choice((None, match.players, 3)))
            seen["positions read again"] += 1
            check_again(read)


def check_again(match: Match) -> None:
    written = match.position()
    again = match.game.position(written, match.players, match.options, match.seed)
    assert again.position() == written, written


def read_files(rng: random.Random, count: int, path: Path, seen: Tally) -> None:
    """The same for files."""
    text = files.dumps(sample(rng))
    facts = json.loads(text)
    for _ in range(count):
        body = json.dumps(odd(rng, facts)) if rng.random() < 0.5 else mangled(rng, text)
        path.write_bytes(body.encode("utf-8", "replace"))
        with suppress(BadFile):
            match = files.load(path)
            seen["files read again"] += 1
            path.write_text(files.dumps(match), encoding="utf-8")
            again = files.load(path)
            assert (again.state, again.moves) == (match.state, match.moves), body


# --- Requests ------------------------------------------------------------------------------------


def all_examples() -> list[str]:
    return [
        f"/api/games/{id}/examples/{one.stem}"
        for id in games()
        if (face := face_of(id)) is not None
        for one in scenarios_of(face)
    ]


EXAMPLES = all_examples()
PATHS = (
    *("/api/tables", "/api/tables/{id}", "/api/tables/{id}/join", "/api/tables/{id}/qr.svg"),
    *(
        "/api/tables/{id}/live",
        "/api/tables/{id}/matches/{n}/file",
        "/t/{id}",
        "/t/{id}/matches/{n}",
    ),
    *(
        "/api/games",
        "/rules/{game}",
        "/new/{game}",
        "/web/{junk}",
        "/live",
        "/ready",
        "/",
        "/{junk}",
    ),
)
QUERIES = (b"", b"seat=0", b"seat=1", b"open=true", b"from=-1&count=99999999999", b"%ff%9a=%00&&&=")
NUMBERS = ("1", "1", "0", "2", "-1", "9" * 30, "x")


def some_path(rng: random.Random, at: Standing) -> str:
    path = rng.choice((*PATHS, "/api/tables/{id}/matches/{n}/steps", "example", "example"))
    if path == "example":
        path = rng.choice(EXAMPLES)
    junk = rng.choice(("x", "..", "%2e%2e/app.py", "a" * 3000, "é", "%00", "//", "chiko.js"))
    path = path.replace("{id}", at.id).replace("{game}", at.game).replace("{junk}", junk)
    path = path.replace("{n}", rng.choice(NUMBERS))
    return mangled(rng, path) if rng.random() < 0.15 else path


def some_body(rng: random.Random, path: str, at: Standing) -> str:
    kind = rng.random()
    if kind < 0.4:
        return mutation(rng)
    if "/examples/" in path:
        return json.dumps(odd(rng, {"moves": [rng.choice(("draw", "play e", "x"))] * 3}))
    if path.endswith("/join") and at.state != "open":  # there it could be right
        return json.dumps(odd(rng, {"name": "Ben", "id": "x" * 30, "seed": "y"}))
    return json.dumps(odd(rng, {"game": at.game, "players": 2, "name": rng.choice(("", "Ann"))}))


async def ask(app: Application, rng: random.Random, at: Standing) -> tuple[int, bytes]:
    """A request straight to the application; its status and answer."""
    path = some_path(rng, at)
    token = rng.choice((at.token, at.token, mangled(rng, at.token), "", "é", "x" * 5000))
    headers = [
        (b"host", b"localhost"),
        (b"content-type", rng.choice((b"application/json", b"application/json", b"text/plain"))),
    ]
    if rng.random() < 0.5:
        headers.append((b"authorization", f"Bearer {token}".encode()))
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": rng.choice(("GET", "GET", "POST", "POST", "PUT", "HEAD", "OPTIONS")),
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": rng.choice(QUERIES),
        "root_path": "",
        "headers": headers,
        "client": (f"10.{rng.randrange(99)}.{rng.randrange(99)}.1", 1),
        "server": ("127.0.0.1", 80),
    }
    body = some_body(rng, path, at).encode("utf-8", "replace")
    statuses: list[int] = []
    answer: list[bytes] = []
    parts = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        return parts.pop() if parts else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])
        else:
            answer.append(message.get("body", b""))

    await app(scope, receive, send)
    return statuses[0], b"".join(answer)


# --- All of it -----------------------------------------------------------------------------------


class Complaints(logging.Handler):
    """Whatever a server logs as an error."""

    LOGS = ("lastcard", "uvicorn.error", "asyncio")

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.heard.append(logging.Formatter().format(record))

    @contextlib.contextmanager
    def listening(self) -> Any:
        logs = [logging.getLogger(name) for name in self.LOGS]
        for log in logs:
            log.addHandler(self)
        try:
            yield
        finally:
            for log in logs:
                log.removeHandler(self)


class Watched:
    """Tables that must stay as they are, in memory and on disk."""

    def __init__(self, house: House, standing: Sequence[Standing]) -> None:
        self.standing = standing
        self._house = house
        self._tables = 0
        self._before: dict[str, tuple[object, ...]] = {}
        self._secrets = [at.token.encode() for at in standing]

    async def look(self) -> None:
        self._tables = await self._count()
        for at in self.standing:
            self._before[at.id] = await self._now(at)
            table = (await self._house.shelf.find(at.id)).table
            numbers = (2,) if at.state == "over" else (1, 2)
            self._secrets += [table.match_secret(number).encode() for number in numbers]

    async def _count(self) -> int:
        rows = await self._house.store._rows("SELECT count(*) FROM tables")
        return int(rows[0][0])

    async def opened(self) -> int:
        """How many tables there are besides those that were there."""
        return await self._count() - self._tables

    async def check(self) -> None:
        for at in self.standing:
            assert await self._now(at) == self._before[at.id], f"{at} was changed"

    async def _now(self, at: Standing) -> tuple[object, ...]:
        hosted = await self._house.shelf.find(at.id)
        lines: list[Line] = await self._house.store.lines(at.id)
        assert lines[-1].seq == hosted.table.seq
        return state_of(hosted), lines

    def hides(self, answer: bytes) -> bool:
        """Whether nothing in an answer gives away cards that nobody may know yet, or a seat."""
        return not any(secret in answer for secret in self._secrets)


def state_of(hosted: HostedTable) -> tuple[object, ...]:
    table = hosted.table
    return (
        (table.seq, table.version, table.base, table.number, table.paused, table.status),
        table.match and table.match.state,
        str(table.chairs),
        set(table.agreed),
        str(table._recent),
        set(hosted.hurried),
    )


def memory() -> int:
    """Resident, in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


@contextlib.asynccontextmanager
async def house_at(database: str) -> AsyncIterator[House]:
    store = await Store.open(database)
    house = House(store, STANDING)
    try:
        yield house
    finally:
        await house.close()
        await store.close()


@dataclass
class Outcome:
    """What one worker did, and what it has checked."""

    done: Tally  # by kind
    seen: Tally
    grown: int  # bytes of memory


class Targets:
    """What all of it is sent to."""

    def __init__(self, rng: random.Random, folder: Path, app: Application, others: Watched) -> None:
        self.people: list[Person] = []
        self.seen: Tally = Counter()
        self.statuses: Counter[int] = Counter()
        self._rng = rng
        self._file = folder / "match.json"
        self._app = app
        self._others = others
        self._connections = ServerState()
        self._for_frames = uvicorn.Config(echo, log_config=None)
        self._for_requests = uvicorn.Config(app, log_config=None, ws=WebSocket)
        self._for_frames.load()
        self._for_requests.load()

    @property
    def kinds(self) -> dict[str, Some]:
        return {
            "frames": self._frames,
            "messages": self._messages,
            "positions": self._positions,
            "files": self._files,
            "requests": self._requests,
            "raw requests": self._raw_requests,
        }

    async def _frames(self, some: int) -> None:
        for _ in range(-(-some // FRAMES)):
            await one_connection(self._for_frames, self._rng, self._connections)

    async def _messages(self, some: int) -> None:
        many = len(self.people)
        for number, person in enumerate(self.people):
            await person.say(some * (number + 1) // many - some * number // many)

    async def _positions(self, some: int) -> None:
        read_positions(self._rng, some, self.seen)

    async def _files(self, some: int) -> None:
        read_files(self._rng, some, self._file, self.seen)

    async def _requests(self, some: int) -> None:
        for _ in range(some):
            status, answer = await ask(self._app, self._rng, self._any_table())
            assert status == 201 or self._others.hides(answer), answer
            self.statuses[status] += 1

    async def _raw_requests(self, some: int) -> None:
        for _ in range(some):
            path = some_path(self._rng, self._any_table())
            self.statuses.update(
                await one_client(self._for_requests, self._rng, self._connections, path)
            )

    def _any_table(self) -> Standing:
        return self._rng.choice(self._others.standing)

    async def check(self) -> None:
        """What is left of it."""
        assert not self._connections.connections, "connections were left behind"
        assert not Gate.doors._inside and not Gate.doors._all, "clients were left behind"
        for person in self.people:
            answered = {f"messages answered {code}": n for code, n in person.codes.items()}
            self.seen.update(answered)
        bad = [status for status in self.statuses if status >= 500 and status != 503]
        assert not bad, self.statuses
        self.seen.update({f"requests answered {code}": n for code, n in self.statuses.items()})
        opened, wanted = await self._others.opened(), self.statuses[201]
        assert opened == wanted, f"{opened} tables were opened, {wanted} by those who were told so"
        self.seen["tables opened"] = opened


async def fuzz(count: int, seed: int, folder: Path) -> Outcome:
    rng, complaints = random.Random(seed), Complaints()
    talked, asked = (f"sqlite:///{folder / name}.db" for name in ("messages", "requests"))
    app = Application(asked, UNBOUNDED, STANDING)
    async with contextlib.AsyncExitStack() as stack:
        stack.enter_context(complaints.listening())
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        deal_alike(f"fuzz {seed}", patch)
        patch.setattr(Gate, "doors", Doors(UNBOUNDED))
        patch.setattr(load, "BUSY", math.inf)  # so much at once would be refused unread
        at_tables, at_doors = await prepared(talked, rng), await prepared(asked, rng)
        house = await stack.enter_async_context(house_at(talked))
        await stack.enter_async_context(app._lifespan(app._requests))
        mine, others = Watched(house, at_tables), Watched(app.server().house, at_doors)
        await mine.look()
        await others.look()
        targets = Targets(rng, folder, app, others)
        server = App(house, UNBOUNDED, Reach())
        talking = []
        for at in at_tables:
            person = Person(rng, at, await house.shelf.find(at.id))
            targets.people.append(person)
            talking.append(asyncio.create_task(Socket(server, person).run(person.hosted)))
        done, grown = await run_all(targets.kinds, count)
        await targets.check()
        await mine.check()
        await others.check()
        targets.seen["tables unchanged"] = len(at_tables) + len(at_doors)
        assert not complaints.heard, complaints.heard[0]
        for task in talking:
            task.cancel()
    return Outcome(done, targets.seen, grown)


async def run_all(kinds: dict[str, Some], count: int) -> tuple[Tally, int]:
    """How many of each kind there were, and by how much memory has grown."""
    done: Tally = Counter()
    began, start = 0, time.monotonic()
    rounds = max(count // (10 * AT_ONCE), 10)
    for turn in range(rounds):
        for name, share in SHARES.items():
            some = max(int(count * share * (turn + 1) / rounds) - done[name], 0)
            await kinds[name](some)
            done[name] += some
        if began == 0 and turn >= WARM * rounds:
            began = memory()
        if turn % max(rounds // 20, 1) == 0:
            passed = time.monotonic() - start
            print(f"{done.total():>12,} in {passed:5.0f} s, {memory() / 1e6:.0f} MB", flush=True)
    grown = memory() - began
    assert grown < GROWTH, f"memory has grown by {grown / 1e6:.1f} MB"
    return done, grown


def one_share(count: int, seed: int) -> Outcome:
    """What one worker does; in memory, where there is a folder for that."""
    where = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(prefix="lastcard-fuzz-", dir=where) as folder:
        return asyncio.run(fuzz(count, seed, Path(folder)))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1, help="processes at a time")
    arguments = parser.parse_args()
    share = -(-arguments.count // arguments.workers)
    seeds = range(arguments.seed, arguments.seed + arguments.workers)
    done, seen, grown = Tally(), Tally(), 0
    for seed, result in spread(partial(one_share, share), seeds, arguments.workers):
        if isinstance(result, BaseException):
            again = f"python -m tests.server.fuzz --count {share} --seed {seed}"
            sys.exit(f"{format_failure(result)}\nAgain: {again}")
        done.update(result.done)
        seen.update(result.seen)
        grown = max(grown, result.grown)
    print(f"{done.total():,} malformed things: {listed(done)}.")
    print(f"Checked: {listed(seen)}.")
    print(
        "No table was changed, in memory or on disk; no secret was shown; nothing was logged as "
        f"an error; no connection was left behind; memory has grown by {grown / 1e6:.1f} MB."
    )


def listed(counts: Tally) -> str:
    return ", ".join(f"{many:,} {name}" for name, many in counts.items())


if __name__ == "__main__":
    main()
