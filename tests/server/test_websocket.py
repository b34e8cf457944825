"""WebSockets, frame by frame (RFC 6455)."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Awaitable, Callable
from typing import Any, cast

import pytest
import uvicorn
from uvicorn.server import ServerState

from lastcard.server import websocket
from lastcard.server.websocket import (
    CLOSE,
    FLUSHED_EARLY,
    LAST,
    MORE,
    MOST_DUE,
    PING,
    PONG,
    TEXT,
    WIRE,
    Closed,
    Outbox,
    WebSocket,
)
from lastcard.table.messages import MOST_BYTES
from tests.server.fuzz import HANDSHAKE, Transport
from tests.server.wire import frames

MASK = b"\x11\x22\x33\x44"


def frame(first: int, content: bytes = b"", mask: bytes = MASK) -> bytes:
    size = len(content)
    length = bytes((0x80 | size,)) if size < 126 else b"\xfe" + struct.pack("!H", size)
    masked = bytes(one ^ mask[n % 4] for n, one in enumerate(content))
    return bytes((first,)) + length + mask + masked


def goodbye(code: int) -> bytes:
    return frame(LAST | CLOSE, struct.pack("!H", code))


class Line:
    """A connection whose messages are kept, and what came back."""

    def __init__(self) -> None:
        self.heard: list[str | bytes] = []
        self.ended: int | None = None
        self.transport = Transport()
        self.state = ServerState()
        self.config = uvicorn.Config(self.app, log_config=None, interface="asgi3")
        self.config.load()
        self.socket = WebSocket(self.config, self.state, {})
        self.socket.connection_made(self.transport)
        self.socket.data_received(HANDSHAKE)

    async def app(self, scope: dict[str, Any], receive: object, send: object) -> None:
        wire = scope["extensions"][WIRE]["wire"]
        over = asyncio.Event()

        def hear() -> None:
            try:
                while (text := wire.take()) is not None:
                    self.heard.append(text)
            except Closed as closed:
                self.ended = closed.code
                over.set()

        wire.listen(hear)
        await over.wait()

    async def take(self, data: bytes) -> None:
        self.socket.data_received(data)
        for _ in range(5):
            await asyncio.sleep(0)

    @property
    def answers(self) -> list[tuple[int, bytes]]:
        """Frames that were sent after the handshake."""
        return frames(b"".join(self.transport.written).partition(b"\r\n\r\n")[2])


def on_a_line(work: Callable[[Line], Awaitable[None]]) -> None:
    async def main() -> None:
        line = Line()
        await work(line)
        line.socket.connection_lost(None)
        assert not line.state.connections

    asyncio.run(main())


def test_of_many_connections_the_first_are_flushed_early_and_all_in_the_end() -> None:
    flushed: list[int] = []

    class Due:
        def __init__(self, number: int) -> None:
            self.number = number

        def flush(self) -> None:
            flushed.append(self.number)

    async def main() -> None:
        outbox = Outbox()
        for number in range(3 * MOST_DUE):
            outbox.add(cast(WebSocket, Due(number)))
            assert number - len(flushed) < MOST_DUE  # who has just got something may get more
            assert len(flushed) <= max(number - (MOST_DUE - FLUSHED_EARLY), 0)
        assert flushed
        await asyncio.sleep(0)
        assert flushed == list(range(3 * MOST_DUE))

    asyncio.run(main())


WHOLE = frame(LAST | TEXT, b"hello")


@pytest.mark.parametrize("step", [1, 2, 3, 7, 1000])
def test_messages_arrive_however_they_are_cut(step: int) -> None:
    long = "שלום" * 200
    data = WHOLE + frame(LAST | TEXT, long.encode()) + frame(LAST | 2, b"\x00") + WHOLE
    data += frame(TEXT, b"one ") + frame(LAST | PING, b"?") + frame(MORE, b"two ")
    data += frame(LAST | MORE, b"three")

    async def work(line: Line) -> None:
        for at in range(0, len(data), step):
            await line.take(data[at : at + step])
        assert line.heard == ["hello", long, b"\x00", "hello", "one two three"]
        assert line.answers == [(LAST | PONG, b"?")]
        line.socket.write(b"a")
        line.socket.write(b"b" * 300)
        await asyncio.sleep(0)
        assert line.answers[1:] == [(LAST | TEXT, b"a"), (LAST | TEXT, b"b" * 300)]
        assert len(line.transport.written) == 3  # what is sent together leaves together

    on_a_line(work)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\x81\x05hello", 1002),  # not masked
        (frame(0xC1, b"x"), 1002),  # a reserved bit
        (frame(0x83, b"x"), 1002),  # a kind that there is not
        (frame(LAST | MORE, b"x"), 1002),  # the rest of nothing
        (frame(TEXT, b"x") + frame(TEXT, b"y"), 1002),  # the last one did not end
        (frame(PING, b""), 1002),  # in parts
        (frame(LAST | PING, b"x" * 126), 1002),
        (frame(LAST | TEXT, b"\xff\xfe"), 1007),
        (frame(LAST | TEXT, b"x" * (MOST_BYTES + 1)), 1009),
        (b"\x81\xff" + struct.pack("!Q", 1 << 40), 1009),
        (frame(TEXT, b"x" * MOST_BYTES) + frame(LAST | MORE, b"x"), 1009),
        (frame(LAST | PING) * 100, 1008),
        (frame(TEXT, b"x") + frame(MORE) * 100, 1008),
    ],
)
def test_what_no_client_sends_ends_the_connection(data: bytes, code: int) -> None:
    async def work(line: Line) -> None:
        await line.take(WHOLE + data + WHOLE * 3)
        assert line.heard == ["hello"]
        assert line.answers[-1] == (LAST | CLOSE, struct.pack("!H", code))
        assert line.ended == code
        await line.take(WHOLE)  # nothing after it is looked at
        assert line.heard == ["hello"]

    on_a_line(work)


@pytest.mark.parametrize(
    ("said", "answered"), [(1000, 1000), (4321, 4321), (1005, 1002), (999, 1002), (2500, 1002)]
)
def test_a_goodbye_is_answered(said: int, answered: int) -> None:
    async def work(line: Line) -> None:
        await line.take(goodbye(said))
        assert line.answers == [(LAST | CLOSE, struct.pack("!H", answered))]
        assert line.transport.closing and line.ended == said

    on_a_line(work)


def test_our_goodbye_waits_for_theirs() -> None:
    async def work(line: Line) -> None:
        line.socket.write(b"last words")
        line.socket.close(4000)
        await line.take(WHOLE)
        assert line.answers == [
            (LAST | TEXT, b"last words"),
            (LAST | CLOSE, struct.pack("!H", 4000)),
        ]
        assert not line.transport.closing and not line.heard
        await line.take(goodbye(4000))
        assert line.transport.closing
        line.socket.close(1011)
        assert len(line.answers) == 2

    on_a_line(work)


def test_who_is_silent_is_asked_and_then_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket, "SILENCE", 0.001)

    async def work(line: Line) -> None:
        async with asyncio.timeout(60):
            while not line.transport.closing:
                await asyncio.sleep(0.001)
        assert line.answers == [(LAST | PING, b"")]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert line.ended == 1006

    on_a_line(work)


def test_who_answers_stays() -> None:
    async def work(line: Line) -> None:
        line.socket._check()  # as the timer does: the handshake was heard
        for asked in range(1, 6):
            line.socket._check()
            assert line.answers == [(LAST | PING, b"")] * asked
            await line.take(frame(LAST | PONG))
            line.socket._check()
        assert line.ended is None and not line.transport.closing

    on_a_line(work)


def test_who_does_not_read_is_not_written_to() -> None:
    async def work(line: Line) -> None:
        line.socket.pause_writing()
        for _ in range(3):
            line.socket.write(b"x" * 10)
        await asyncio.sleep(0)
        assert line.answers == [] and (line.socket.unsent, line.socket.unsent_bytes) == (3, 30)
        line.socket.resume_writing()
        assert len(line.answers) == 3 and line.socket.unsent == 0
        line.socket.pause_writing()
        line.socket.write(b"x")
        line.socket.close(1008)  # it would wait for ever
        assert line.transport.closing

    on_a_line(work)


def test_a_handshake_that_is_none() -> None:
    async def main() -> None:
        async def app(scope: object, receive: object, send: object) -> None:
            raise AssertionError

        config, transport = uvicorn.Config(app, log_config=None), Transport()
        config.load()
        one = WebSocket(config, ServerState(), {})
        one.connection_made(transport)
        one.data_received(HANDSHAKE.replace(b"Sec-WebSocket-Key", b"X-Key"))
        assert transport.closing and transport.written[0].startswith(b"HTTP/1.1 4")

    asyncio.run(main())
