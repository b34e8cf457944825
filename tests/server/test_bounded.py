"""What a client may send at once, and how long it may take."""

from __future__ import annotations

import asyncio
import re
import socket
import struct
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from lastcard.server.bounded import BoundedHttp
from lastcard.server.doors import Doors
from lastcard.server.limits import Limits
from tests.server.client import fetch, request
from tests.server.inside import inside
from tests.server.wire import (
    CLOSE,
    LOOP,
    MORE,
    PING,
    PONG,
    TABLE_FOR_THREE,
    TEXT,
    Raw,
    application,
    frames,
    served,
    wait_for,
)

FLOODS = {
    "pings": lambda raw: raw.frame(PING) * 4000,
    "pongs": lambda raw: raw.frame(PONG) * 4000,
    "empty parts": lambda raw: raw.frame(0x01) + raw.frame(MORE) * 4000,
    "messages": lambda raw: raw.frame(TEXT, b"{}") * 4000,
}


class Hasty(BoundedHttp):
    headers_within = 0.3
    longest_headers = 1000


def answered(url: str, text: str) -> bytes:
    address = urlsplit(url)
    assert address.hostname and address.port
    with socket.create_connection((address.hostname, address.port), 20) as one:
        one.sendall(text.encode())
        return one.recv(100)


@pytest.mark.parametrize("kind", FLOODS)
def test_frames_count(tmp_path: Path, kind: str) -> None:
    # Messages are counted when they are read: how many wait for that is bounded before.
    with served(tmp_path, messages_per_second=1e9, offences=10**9) as url:
        _, seat = request("POST", f"{url}/api/tables", TABLE_FOR_THREE)
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
        _, seat = request("POST", f"{url}/api/tables", TABLE_FOR_THREE)
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


def test_requests_must_come_to_their_end(tmp_path: Path) -> None:
    with inside(application(tmp_path), http=Hasty, loop=LOOP) as url:
        for text in (
            "",
            "GET /live HTTP/1.1\r\nHost",
            "GET /live HTTP/1.1\r\nHost: x\r\n" + "a: b\r\n" * 500,
        ):
            assert answered(url, text) == b""
    head = "POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    with inside(application(tmp_path, body_within=0.3)) as url:
        answer = answered(url, head + "Content-Length: 100\r\n\r\n{")
        assert answer.startswith(b"HTTP/1.1 400")
        assert request("GET", f"{url}/api/games")[0] == 200
