"""What somebody may send who wants nobody to play. All of it goes to this machine, and ends."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import re
import socket
import sqlite3
import struct
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.sync.client import connect

from lastcard.server.app import Application
from lastcard.server.doors import Doors
from lastcard.server.gate import Gate
from lastcard.server.limits import Limits, Queue, Spacing
from lastcard.server.logs import LINES_AT_ONCE, Thrift
from lastcard.server.protocols import BoundedHttp, BoundedWebSocket
from lastcard.server.reach import Reach
from lastcard.table.refusals import Code, Refused
from lastcard.table.times import Times
from tests.server.client import Server, fetch, request
from tests.server.inside import inside
from tests.server.test_http import closed

OPEN = {"game": "chiko", "players": 3, "name": "Ann"}
MASK = bytes(4)
TEXT, PING, PONG, CLOSE, MORE = 0x81, 0x89, 0x8A, 0x88, 0x00  # the first bytes of frames
PATIENCE = 60.0
LOOP = "lastcard.server.gate:Loop"


@contextlib.contextmanager
def served(tmp_path: Path, reach: Reach | None = None, **limits: Any) -> Iterator[str]:
    """A server with everything that the real one has between the network and the tables."""
    bounds, before = Limits(**limits), Gate.doors
    app = Application(f"sqlite:///{tmp_path / 'tables.db'}", bounds, Times(pace=60), reach)
    more = {"ws": BoundedWebSocket, "ws_per_message_deflate": False, "proxy_headers": False}
    Gate.doors = Doors(bounds)
    try:
        with inside(app, http=BoundedHttp, loop=LOOP, **more) as url:
            yield url
    finally:
        Gate.doors = before


def wait_for(condition: Callable[[], object]) -> None:
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.1)


class Raw:
    """A connection on which anything may be sent."""

    def __init__(self, url: str, room: int | None = None) -> None:
        address = urlsplit(url)
        self.socket = socket.socket()
        self.socket.settimeout(PATIENCE)
        if room is not None:  # for what is not read yet
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        with contextlib.suppress(ConnectionResetError):  # it may be closed already
            self.socket.connect((address.hostname, address.port))
        self.url = url

    def __enter__(self) -> Raw:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, data: bytes) -> None:
        with contextlib.suppress(OSError):  # it may be closed already
            self.socket.sendall(data)

    def upgrade(self, table: str) -> None:
        """The handshake of a WebSocket."""
        head = f"GET /api/tables/{table}/live HTTP/1.1\r\nHost: {urlsplit(self.url).netloc}\r\n"
        head += "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        self.send(f"{head}Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n".encode())
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            answer += self.socket.recv(1)
        assert b" 101 " in answer

    def frame(self, first: int, data: bytes = b"") -> bytes:
        return bytes([first, 0x80 | len(data)]) + MASK + data

    def rest(self) -> bytes:
        """All that comes until the other side closes."""
        found = b""
        with contextlib.suppress(ConnectionResetError):
            while part := self.socket.recv(65_536):
                found += part
        return found


def frames(data: bytes) -> list[tuple[int, bytes]]:
    """What a server has sent on a WebSocket."""
    found = []
    while len(data) >= 2:
        first, length = data[0], data[1]
        size = {126: 4, 127: 10}.get(length, 2)
        if size > 2:
            length = int.from_bytes(data[2:size], "big")
        found.append((first, data[size : size + length]))
        data = data[size + length :]
    return found


FLOODS = {
    "pings": lambda raw: raw.frame(PING) * 4000,
    "pongs": lambda raw: raw.frame(PONG) * 4000,
    "empty parts": lambda raw: raw.frame(0x01) + raw.frame(MORE) * 4000,
    "messages": lambda raw: raw.frame(TEXT, b"{}") * 4000,
}


@pytest.mark.parametrize("kind", FLOODS)
def test_frames_count(tmp_path: Path, kind: str) -> None:
    # Messages are counted when they are read: how many wait for that is bounded before.
    with served(tmp_path, messages_per_second=1e9, offences=10**9) as url:
        _, seat = request("POST", f"{url}/api/tables", OPEN)
        with Raw(url) as raw:
            raw.upgrade(seat["table"])
            raw.send(raw.frame(TEXT, b'{"type": "hello"}'))
            raw.send(FLOODS[kind](raw))
            sent = frames(raw.rest())
        assert sum(first == PONG for first, _ in sent) <= 1024 // 6 + Limits.frames_at_once
        assert (CLOSE, 1008) in [
            (first, *struct.unpack("!H", data[:2])) for first, data in sent if first == CLOSE
        ]
        assert request("GET", f"{url}/api/games")[0] == 200


def test_frames_count_while_a_connection_is_being_closed(tmp_path: Path) -> None:
    with served(tmp_path, hello=0.2) as url:
        _, seat = request("POST", f"{url}/api/tables", OPEN)
        with Raw(url) as raw:
            raw.upgrade(seat["table"])
            assert raw.socket.recv(2) == bytes([CLOSE, 2])  # no hello; an answer is waited for
            raw.send(raw.frame(PING) * 4000)
            assert len(frames(raw.rest()[2:])) < 400


def test_who_does_not_read_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = BoundedHttp.connection_made

    def small(self: BoundedHttp, transport: asyncio.Transport) -> None:
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        made(self, transport)

    lost: list[str] = []
    monkeypatch.setattr(Doors, "leave", lambda _, address: lost.append(address))
    monkeypatch.setattr(BoundedHttp, "connection_made", small)  # the system would take much more
    with served(tmp_path, written_within=0.2) as url, Raw(url, room=4096) as raw:
        app = re.search(r"/web/\w+/app.js", fetch("GET", url)[1].decode())
        wait_for(lambda: lost)
        assert app and lost.pop()
        raw.send(f"GET {app[0]} HTTP/1.1\r\nHost: {urlsplit(url).netloc}\r\n\r\n".encode())
        wait_for(lambda: lost)
        assert len(raw.rest()) < 100_000  # of more


def test_few_requests_wait_for_the_answers_before_them(tmp_path: Path) -> None:
    with served(tmp_path) as url, Raw(url) as raw:
        ask = f"GET /api/games HTTP/1.1\r\nHost: {urlsplit(url).netloc}\r\n\r\n".encode()
        raw.send(ask * 90)
        assert raw.rest().count(b"HTTP/1.1 200") <= Limits.pipelined + 1


def test_who_asks_too_much_has_to_come_again(tmp_path: Path) -> None:
    with served(tmp_path, requests_per_second=0.01) as url, Raw(url) as raw:
        raw.send(f"GET /api/games HTTP/1.1\r\nHost: {urlsplit(url).netloc}\r\n\r\n".encode())
        answer = raw.rest()
        assert b" 429 " in answer and b"connection: close" in answer


@pytest.mark.parametrize("path", ["/metrics", "/ready", "/live"])
def test_what_is_for_operators_is_bounded_too(tmp_path: Path, path: str) -> None:
    with served(tmp_path, requests_per_second=0.4) as url:
        statuses = [fetch("GET", url + path)[0] for _ in range(4)]
    assert 429 not in statuses[:2] and statuses[2:] == [429, 429]


# --- Connections ---------------------------------------------------------------------------------


def is_let_in(raw: Raw) -> bool:
    raw.send(f"GET /live HTTP/1.1\r\nHost: {urlsplit(raw.url).netloc}\r\n\r\n".encode())
    try:
        return bool(raw.socket.recv(100))
    except OSError:
        return False


def test_connections_of_one_address_are_counted_before_they_say_anything(tmp_path: Path) -> None:
    with served(tmp_path, raw_per_address=4, arrivals_per_second=1000) as url:
        with contextlib.ExitStack() as stack:
            many = [stack.enter_context(Raw(url)) for _ in range(4)]
            assert all(is_let_in(raw) for raw in many)
            assert not is_let_in(stack.enter_context(Raw(url)))
        while True:  # they have gone, and soon that is known
            with Raw(url) as raw:
                if is_let_in(raw):
                    break


def test_a_socket_counts_until_it_is_closed(tmp_path: Path) -> None:
    with served(tmp_path, raw_per_address=2, arrivals_per_second=1000) as url:
        _, seat = request("POST", f"{url}/api/tables", OPEN)
        at = f"{url.replace('http', 'ws')}/api/tables/{seat['table']}/live"
        with connect(at) as one, connect(at) as two:
            for socket_ in (one, two):
                socket_.send('{"type": "hello"}')
                socket_.recv(timeout=PATIENCE)
            with Raw(url) as raw:
                assert not is_let_in(raw)
        while True:
            with Raw(url) as raw:
                if is_let_in(raw):
                    break


def test_who_goes_before_he_is_let_in_is_not_counted_for_good(tmp_path: Path) -> None:
    with served(tmp_path) as url:
        address = urlsplit(url)
        for _ in range(40):  # they are let in one after another, and all are gone by then
            with socket.create_connection((address.hostname, address.port)) as one:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        with Raw(url) as raw:
            assert is_let_in(raw)
        doors = Gate.doors
        wait_for(lambda: not doors._inside)
        assert doors._all == 0


def test_much_of_one_address_begins_one_after_another() -> None:
    now = 10.0
    spacing = Spacing(0.5, 2, lambda: now)
    assert [spacing.wait("a") for _ in range(3)] == [0.0, 0.5, 1.0]
    assert spacing.wait("b") == 0.0  # whatever others do
    now = 11.25
    assert [spacing.wait("a") for _ in range(2)] == [0.25, 0.75]
    now = 20.0
    assert [spacing.wait("a") for _ in range(2)] == [0.0, 0.5]
    assert spacing.wait("c") == 0.0  # "b" is forgotten
    assert list(spacing._due) == ["a", "c"]


def test_connections_and_requests_are_spaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def wait(self: Spacing, address: str) -> float:
        asked.append(address)
        return 0.01

    monkeypatch.setattr(Spacing, "wait", wait)
    with served(tmp_path) as url:
        before = len(asked)  # of whoever looks whether the server is there
        assert fetch("GET", f"{url}/live")[0] == 200
    assert asked[before:] == ["127.0.0.1"] * 2
    assert Doors(Limits(), proxies={"p"}).wait("p", "p") == 0.0


def test_who_may_come_in(caplog: pytest.LogCaptureFixture) -> None:
    bounds = Limits(raw_per_address=2, arrivals_per_second=1e-9, raw_connections=6)
    doors = Doors(bounds, proxies={"p"})
    assert [doors.enter("a", "a") for _ in range(3)] == [True, True, False]
    doors.leave("a")
    assert not doors.enter("a", "a")  # it came too often
    assert all(doors.enter("p", "p") for _ in range(4))  # a proxy comes for many
    assert doors.enter("b", "b")
    assert "no room" not in caplog.text
    assert not doors.enter("p", "p") and not doors.enter("c", "c")
    assert "no room for more connections" in caplog.text
    assert doors.refused == 4
    doors.leave("b")
    assert doors.enter("c", "c")


def test_running_out_of_files_is_told(tmp_path: Path) -> None:
    with Server(f"sqlite:///{tmp_path / 'tables.db'}", files=300) as server:
        with contextlib.ExitStack() as stack:
            many = [stack.enter_context(Raw(server.url)) for _ in range(200)]
            assert not all(is_let_in(raw) for raw in many)
        wait_for(lambda: "no room for more connections" in server.log)


# --- Replays -------------------------------------------------------------------------------------


def test_work_of_one_address_waits_for_its_own() -> None:
    async def main() -> None:
        queue, running, go_on = Queue(2, 3), [], asyncio.Event()

        async def work(address: str) -> None:
            async with queue.turn(address):
                running.append(address)
                await go_on.wait()

        tasks = [asyncio.create_task(work(address)) for address in "aaaab"]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert running == ["a", "b"]
        with pytest.raises(Refused) as refused:
            async with queue.turn("a"):
                pass
        assert refused.value.code == Code.TOO_FAST
        go_on.set()
        await asyncio.gather(*tasks)
        assert sorted(running) == list("aaaab")
        while queue._here or queue._one:  # after a rest nothing is left of it
            await asyncio.sleep(0.001)
        async with queue.turn("a"):
            pass

    asyncio.run(main())


# --- Logs ----------------------------------------------------------------------------------------


def test_lines_of_one_kind_are_written_now_and_then() -> None:
    now = 0.0
    thrift = Thrift(lambda: now)

    def lines(count: int, text: str, level: int = logging.WARNING) -> list[logging.LogRecord]:
        made = [logging.LogRecord("a", level, "", 0, text, (), None) for _ in range(count)]
        return [one for one in made if thrift.filter(one)]

    assert len(lines(1000, "garbage")) == LINES_AT_ONCE
    assert len(lines(1, "something else")) == 1
    assert len(lines(100, "told", logging.INFO)) == 100
    now = 60.0
    (first, *others) = lines(1000, "garbage")
    assert len(others) < LINES_AT_ONCE
    assert first.facts == {"left_out": 1000 - LINES_AT_ONCE}  # type: ignore[attr-defined]


def test_garbage_does_not_fill_the_log(tmp_path: Path) -> None:
    with Server(f"sqlite:///{tmp_path / 'tables.db'}") as server:
        for _ in range(2 * LINES_AT_ONCE):
            with Raw(server.url) as raw:
                raw.send(b"\x16\x03\x01 no HTTP\r\n\r\n")
                raw.rest()
        told = server.log.count("Invalid HTTP request")
    assert 1 <= told <= LINES_AT_ONCE + 5


# --- A database that takes nothing ---------------------------------------------------------------


def test_a_server_that_cannot_write_is_not_ready(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    with Server(f"sqlite:///{path}") as server:
        with contextlib.closing(sqlite3.connect(path)) as database:
            full = "BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END"
            database.execute(f"CREATE TRIGGER full BEFORE UPDATE ON health {full}")
            database.commit()
            wait_for(lambda: fetch("GET", f"{server.url}/ready")[0] == 503)
            database.execute("DROP TRIGGER full")
            database.commit()
        wait_for(lambda: fetch("GET", f"{server.url}/ready")[0] == 200)


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Somebody else writes into the database, and does not come to an end."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("BEGIN IMMEDIATE")
        yield


def test_a_server_stops_also_when_the_database_is_locked(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    with Server(f"sqlite:///{path}") as server, contextlib.ExitStack() as stack:
        seats = [server.request("POST", "/api/tables", OPEN)[1] for _ in range(2)]
        stack.enter_context(locked(path))
        at = f"{server.url.replace('http', 'ws')}/api/tables"
        for seat in seats:  # the second entry is written after the first
            one = stack.enter_context(connect(f"{at}/{seat['table']}/live"))
            one.send(json.dumps({"type": "hello", "token": seat["token"]}))
            one.recv(timeout=PATIENCE)
            one.send('{"type": "fill", "level": "easy"}')
            one.send('{"type": "ping", "id": "0"}')
        assert server.terminate() == 1
        assert "stopped in the middle" in server.log


# --- Names ---------------------------------------------------------------------------------------


def test_a_first_message_that_is_none_is_the_last(tmp_path: Path) -> None:
    with served(tmp_path) as url:
        _, seat = request("POST", f"{url}/api/tables", OPEN)
        for first in ("{", '{"type": "dance"}', '{"type": "hello", "token": 5}'):
            with connect(f"{url.replace('http', 'ws')}/api/tables/{seat['table']}/live") as one:
                one.send(first)
                assert '"malformed"' in str(one.recv(timeout=PATIENCE))
                assert closed(one) == 1008


def status_of(url: str, path: str, host: str, *more: str) -> int:
    """What comes of a request for this host."""
    with Raw(url) as raw:
        lines = (f"GET {path} HTTP/1.1", f"Host: {host}", "Connection: close", *more)
        raw.send("\r\n".join((*lines, "", "")).encode())
        found = re.match(rb"HTTP/1.1 (\d+)", raw.rest())
    return int(found[1]) if found else 0


def test_other_names_of_this_machine_are_not_ours(tmp_path: Path) -> None:
    with served(tmp_path, Reach("https://cards.example")) as url:
        port = urlsplit(url).port
        _, seat = request("POST", f"{url}/api/tables", OPEN)
        ours = ["cards.example", "localhost", f"127.0.0.1:{port}", "192.168.1.7:80", "[::1]:80"]
        ours += ["nas", "nas.local", "my.home.arpa:8000", "CARDS.example.:443"]
        for host in ours:
            assert status_of(url, "/api/games", host) == 200, host
        for host in (
            "evil.example",
            "cards.example.evil.example",
            "a" * 4000,
            "",
            "[::1",
            "b.com:1",
        ):
            for path in ("/api/games", "/", f"/api/tables/{seat['table']}/qr.svg"):
                assert status_of(url, path, host) in (400, 403), host
            assert status_of(url, "/live", host) in (200, 400)
        socket_ = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"]
        socket_ += ["Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==", "Origin: http://evil.example"]
        with Raw(url) as raw:
            at = f"/api/tables/{seat['table']}/live"
            lines = (f"GET {at} HTTP/1.1", "Host: evil.example", *socket_)
            raw.send("\r\n".join((*lines, "", "")).encode())
            answer = b""
            while b"wrong_origin" not in answer:
                part = raw.socket.recv(4096)
                assert part, answer
                answer += part


def test_who_is_behind_a_proxy_counts_himself(tmp_path: Path) -> None:
    limits = ("--requests-per-second", "1")
    for proxy, believed in ((("--public-url", "http://cards.example"), True), ((), False)):
        with Server(f"sqlite:///{tmp_path / 'tables.db'}", *limits, *proxy) as server:
            statuses = [
                status_of(server.url, "/api/games", "localhost", f"X-Forwarded-For: 10.0.0.{one}")
                for one in range(30)
            ]
        assert (429 not in statuses) == believed
