"""Millions of things that are nearly right: messages, frames, requests, positions and match files.

usage: python -m tests.server.fuzz --count 10000000 [--seed 1] [--workers 16]

Several workers share the count, each with a seed and a server of its own. Each thing is refused in
the way that is written down, or taken for what it is; nothing changes that was not asked for,
nothing fails otherwise, and memory does not grow.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import uvicorn
from uvicorn.server import ServerState

import lastcard
from lastcard.core import files
from lastcard.core.match import Match
from lastcard.core.registry import games
from lastcard.errors import BadFile, BadOption, BadPosition
from lastcard.server.app import Application
from lastcard.server.app import Server as App
from lastcard.server.limits import Limits
from lastcard.server.reach import Reach
from lastcard.server.socket import Socket
from lastcard.server.websocket import WIRE, Closed, WebSocket
from lastcard.table.house import House
from lastcard.table.messages import MOST_BYTES
from lastcard.table.refusals import Code
from lastcard.table.setup import Setup
from lastcard.table.store import Store
from lastcard.table.times import Times
from tests.server.nearly import ODD, is_valid, mutation
from tests.workers import format_failure, spread

SHARES = {"frames": 0.5, "messages": 0.4, "positions": 0.04, "files": 0.04, "requests": 0.02}
CODES = {str(code) for code in Code}
WARM = 0.1  # of each kind before memory is looked at
GROWTH = 24_000_000  # bytes that it may grow by, whatever the count: pools and caches fill up
AT_ONCE = 2000
FRAMES = 20  # sent over one connection
UNBOUNDED = Limits(
    messages_per_second=1e9,
    messages_at_once=10**9,
    address_messages_per_second=1e9,
    address_messages_at_once=10**9,
    requests_per_second=1e9,
    tables_per_hour=10**9,
    offences=10**9,
    unsent=10**9,
    unsent_bytes=10**12,
)

Some = Callable[[int], Any]  # does so many


class Person:
    """A client at a table who says nothing right."""

    unsent = unsent_bytes = 0

    def __init__(self, rng: random.Random, token: str) -> None:
        self.left = 0
        self.closed: int | None = None
        self.kinds: Counter[str] = Counter()
        self.codes: Counter[str] = Counter()
        self._rng = rng
        self._hear: Callable[[], None] = lambda: None
        self._hello: str | None = json.dumps({"type": "hello", "token": token})

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
        text = mutation(self._rng)
        while is_valid(text):
            text = mutation(self._rng)
        return text.encode(errors="replace") if self._rng.random() < 0.02 else text

    async def say(self, count: int) -> None:
        self.left = count
        while self.left:
            self._hear()
            await asyncio.sleep(0)

    def write(self, message: bytes) -> None:
        answer = json.loads(message)
        self.kinds[answer["type"]] += 1
        if "code" in answer:
            self.codes[answer["code"]] += 1

    def close(self, code: int = 1000) -> None:
        self.closed = code


class Transport:
    """What a connection writes to."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.closing = False

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def close(self) -> None:
        self.closing = True

    abort = close

    def is_closing(self) -> bool:
        return self.closing

    def get_protocol(self) -> None:
        return None

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


def frame(rng: random.Random) -> bytes:
    """Something like a frame: any bits, any way to say its length, true or not."""
    content = rng.choice(
        (b"", rng.randbytes(rng.randrange(200)), mutation(rng).encode("utf-8", "replace"))
    )
    content = content[: rng.choice((10, 200, 5000, 70_000))]
    first = rng.choice(
        (0x81, 0x81, 0x81, 0x01, 0x80, 0x00, 0x82, 0x88, 0x89, 0x8A, rng.randrange(256))
    )
    masked = 0x80 if rng.random() < 0.97 else 0
    size = len(content) if rng.random() < 0.95 else rng.randrange(1 << rng.choice((6, 16, 40)))
    way = rng.random()
    if size < 126 and way < 0.9:
        head = bytes((first, masked | size))
    elif size < 1 << 16 and way < 0.97:
        head = bytes((first, masked | 126)) + size.to_bytes(2, "big")
    else:
        head = bytes((first, masked | 127)) + size.to_bytes(8, "big")
    return head + (bytes(4) if masked else b"") + content


async def one_connection(config: uvicorn.Config, rng: random.Random, state: ServerState) -> None:
    one, transport = WebSocket(config, state, {}), Transport()
    one.connection_made(transport)
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


def odd(rng: random.Random, value: Any) -> Any:
    """Nearly the same value."""
    kind = rng.randrange(6)
    if isinstance(value, dict) and value and kind < 4:
        key = rng.choice(list(value))
        return {**value, key: odd(rng, value[key])}
    if isinstance(value, list) and value and kind < 4:
        at = rng.randrange(len(value))
        return [*value[:at], odd(rng, value[at]), *value[at + 1 :]]
    if isinstance(value, str) and value and kind < 3:
        at = rng.randrange(len(value))
        return (
            value[:at] + rng.choice(("", "?", "e", " ", "5", "é")) + value[at + rng.randrange(2) :]
        )
    if isinstance(value, dict) and kind == 4:
        return {key: one for key, one in value.items() if rng.random() < 0.9}
    if isinstance(value, int) and kind < 3:
        return value + rng.choice((-1, 1, 100, -(10**6)))
    return rng.choice(ODD)


def sample(rng: random.Random) -> Match:
    match = lastcard.game(rng.choice(games())).match(seed=rng.randrange(1000))
    for _ in range(rng.randrange(60)):
        if match.over:
            break
        seat = match.waiting[0]
        match.roll() if isinstance(seat, str) else match.play(seat, rng.choice(match.legal(seat)))
    return match


def read_positions(rng: random.Random, count: int) -> None:
    match = sample(rng)
    position = match.position()
    for _ in range(count):
        bent = odd(rng, position)
        with suppress(BadPosition, BadOption):
            match.game.position(bent, rng.choice((None, match.players, 3)))


def read_files(rng: random.Random, count: int, path: Path) -> None:
    match = sample(rng)
    text = files.dumps(match)
    facts = json.loads(text)
    state = match.state
    for _ in range(count):
        if rng.random() < 0.5:
            body = json.dumps(odd(rng, facts))
        else:
            at = rng.randrange(len(text))
            body = (
                text[:at]
                + rng.choice(("", '"', "}", "[", "\x00", "9"))
                + text[at + rng.randrange(4) :]
            )
        path.write_bytes(body.encode("utf-8", "replace"))
        with suppress(BadFile):
            files.load(path)
    assert match.state == state


async def ask(app: Application, rng: random.Random, table: str) -> int:
    """A request straight to the application; its status."""
    path = rng.choice(
        ("/api/tables", f"/api/tables/{table}/join", f"/api/tables/{table}", "/", "/x")
    )
    if rng.random() < 0.2:
        path = f"/api/tables/{table}/matches/{rng.choice(('1', '0', '-1', '9' * 30, 'x'))}/steps"
    body = mutation(rng)
    if rng.random() < 0.5:
        body = json.dumps(odd(rng, {"game": "chiko", "players": 2, "name": "", "bots": ["easy"]}))
    query = rng.choice((b"", b"seat=1", b"from=-1&count=99999999999", b"%ff%9a=%00&&&="))
    content = rng.choice((b"application/json", b"text/plain", b""))
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": rng.choice(("GET", "POST", "POST", "PUT", "HEAD", "OPTIONS")),
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query,
        "root_path": "",
        "headers": [(b"host", b"localhost"), (b"content-type", content)],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
    statuses: list[int] = []
    sent = False

    async def receive() -> dict[str, Any]:
        nonlocal sent
        if sent:
            return {"type": "http.disconnect"}
        sent = True
        return {"type": "http.request", "body": body.encode("utf-8", "replace"), "more_body": False}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    await app(scope, receive, send)
    return statuses[0]


class Complaints(logging.Handler):
    """Whatever a server logs as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.heard.append(logging.Formatter().format(record))


def memory() -> int:
    """Resident, in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


async def fuzz(count: int, seed: int, folder: Path) -> dict[str, int]:
    """How many of each kind there were."""
    rng, complaints = random.Random(seed), Complaints()
    logging.getLogger("lastcard").addHandler(complaints)
    database = f"sqlite:///{folder / 'tables.db'}"
    app = Application(f"sqlite:///{folder / 'requests.db'}", UNBOUNDED, Times(pace=3600.0))
    store = await Store.open(database)
    house = House(store, Times(pace=3600.0))
    try:
        async with app._lifespan(app._requests):
            setup = Setup(game="taki", players=2, bots=["easy"], options={"opener": 1})
            seated = await house.open(setup, "Ann", None)
            hosted = await house.shelf.find(seated.table)
            before = state_of(hosted.table)
            person = Person(rng, seated.token)
            talking = asyncio.create_task(
                Socket(App(house, UNBOUNDED, Reach()), person).run(hosted)
            )
            other = await app.server().house.open(setup, "Ann", None)
            config = uvicorn.Config(echo, log_config=None)
            config.load()
            connections = ServerState()
            statuses: Counter[int] = Counter()

            async def frames(some: int) -> None:
                for _ in range(-(-some // FRAMES)):
                    await one_connection(config, rng, connections)

            async def requests(some: int) -> None:
                for _ in range(some):
                    statuses[await ask(app, rng, other.table)] += 1

            async def positions(some: int) -> None:
                read_positions(rng, some)

            async def some_files(some: int) -> None:
                read_files(rng, some, folder / "match.json")

            kinds: dict[str, Some] = {
                "frames": frames,
                "messages": person.say,
                "positions": positions,
                "files": some_files,
                "requests": requests,
            }
            done = await run_all(kinds, count)
            assert not connections.connections, "connections were left behind"
            assert state_of(hosted.table) == before, "a message changed something"
            assert len(await store.lines(seated.table)) == hosted.table.seq == 1
            assert set(person.codes) <= CODES, person.codes
            assert set(person.kinds) <= {"welcome", "error", "match"}, person.kinds
            assert person.closed is None
            assert all(status < 500 or status == 503 for status in statuses), statuses
            assert not complaints.heard, complaints.heard[0]
            talking.cancel()
            return done
    finally:
        logging.getLogger("lastcard").removeHandler(complaints)
        await house.close()
        await store.close()


async def run_all(kinds: dict[str, Some], count: int) -> dict[str, int]:
    done: Counter[str] = Counter()
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
            print(
                f"{sum(done.values()):>12,} in {passed:5.0f} s, {memory() / 1e6:.0f} MB", flush=True
            )
    grown = memory() - began
    assert grown < GROWTH, f"memory has grown by {grown / 1e6:.1f} MB"
    return dict(done)


def state_of(table: Any) -> tuple[object, ...]:
    return table.seq, table.version, table.match.state, str(table.chairs), set(table.agreed)


def one_share(count: int, seed: int) -> dict[str, int]:
    """What one worker does."""
    with tempfile.TemporaryDirectory(prefix="lastcard-fuzz-") as folder:
        return asyncio.run(fuzz(count, seed, Path(folder)))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1, help="processes at a time")
    arguments = parser.parse_args()
    share = -(-arguments.count // arguments.workers)
    seeds = range(arguments.seed, arguments.seed + arguments.workers)
    done: Counter[str] = Counter()
    for seed, result in spread(partial(one_share, share), seeds, arguments.workers):
        if isinstance(result, BaseException):
            again = f"python -m tests.server.fuzz --count {share} --seed {seed}"
            sys.exit(f"{format_failure(result)}\nAgain: {again}")
        done.update(result)
    told = ", ".join(f"{n:,} {name}" for name, n in done.items())
    print(f"{done.total():,} malformed things: {told}. None did any harm.")


if __name__ == "__main__":
    main()
