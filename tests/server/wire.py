"""Servers with limits of their own, and connections on which anything may be sent."""

from __future__ import annotations

import contextlib
import re
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from lastcard.server.app import Application
from lastcard.server.bounded import BoundedHttp
from lastcard.server.doors import Doors
from lastcard.server.gate import Gate
from lastcard.server.limits import Limits
from lastcard.server.reach import Reach
from lastcard.server.websocket import WebSocket
from lastcard.table.times import Times
from tests.server.inside import inside

TABLE_FOR_THREE = {"game": "chiko", "players": 3, "name": "Ann"}
MASK = bytes(4)
TEXT, PING, PONG, CLOSE, MORE = 0x81, 0x89, 0x8A, 0x88, 0x00  # the first bytes of frames
PATIENCE = 60.0
LOOP = "lastcard.server.gate:Loop"


@contextlib.contextmanager
def served(tmp_path: Path, reach: Reach | None = None, **limits: Any) -> Iterator[str]:
    """A server with everything that the real one has between the network and the tables."""
    bounds, before = Limits(**limits), Gate.doors
    app = Application(f"sqlite:///{tmp_path / 'tables.db'}", bounds, Times(pace=60), reach)
    more = {"ws": WebSocket, "proxy_headers": False}
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


def is_let_in(raw: Raw) -> bool:
    raw.send(f"GET /live HTTP/1.1\r\nHost: {urlsplit(raw.url).netloc}\r\n\r\n".encode())
    try:
        return bool(raw.socket.recv(100))
    except OSError:
        return False


def status_of(url: str, path: str, host: str, *more: str) -> int:
    """What comes of a request for this host."""
    with Raw(url) as raw:
        lines = (f"GET {path} HTTP/1.1", f"Host: {host}", "Connection: close", *more)
        raw.send("\r\n".join((*lines, "", "")).encode())
        found = re.match(rb"HTTP/1.1 (\d+)", raw.rest())
    return int(found[1]) if found else 0


def application(tmp_path: Path, **limits: Any) -> Any:
    return Application(f"sqlite:///{tmp_path / 'tables.db'}", Limits(**limits), Times(pace=60))
