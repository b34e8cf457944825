"""uvicorn's protocols, with the limits it lacks: how much a client may send at once, and how long
it may take to send, or to read."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame

from lastcard.table.bucket import Bucket

from .gate import Gate

WAITING = 4  # times `messages_at_once` may be queued, so that a client is told before it is cut off
PART = 1024  # bytes parsed at a time, since even few bytes can hold many frames


class TooMuch(Exception):
    """More pipelined requests than anybody needs."""


class Guest(asyncio.Protocol):
    """A client: counted by its address while connected, and cut off if it does not read."""

    address = ""  # set by the gate, since a closed socket cannot tell

    transport: asyncio.Transport
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        before = transport.get_protocol()
        if isinstance(before, Guest):  # a WebSocket begins as HTTP
            self.address = before.address

    def connection_lost(self, exc: Exception | None) -> None:
        Gate.doors.leave(self.address)
        self._has_read()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        loop, within = asyncio.get_running_loop(), Gate.doors.limits.written_within
        self._unread = loop.call_later(within, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._has_read()

    def _has_read(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None


class BoundedHttp(Guest, HttpToolsProtocol):
    """HTTP with a limit on the time and size of headers, and on pipelined requests."""

    headers_within = 15.0  # seconds
    longest_headers = 65_536  # bytes

    _deadline: asyncio.TimerHandle
    _awaited: bool
    _length: int

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._expect_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        self._deadline.cancel()
        self._unset_keepalive_if_required()
        self.pipeline.clear()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._awaited:
            self._length += len(data)
            if self._length > self.longest_headers:
                self._give_up()
                return
        super().data_received(data)

    def on_message_begin(self) -> None:
        self._deadline.cancel()
        self._expect_headers()
        super().on_message_begin()

    def on_headers_complete(self) -> Any:
        self._deadline.cancel()
        self._awaited = False
        if len(self.pipeline) >= Gate.doors.limits.pipelined:
            raise TooMuch
        return super().on_headers_complete()

    def _expect_headers(self) -> None:
        self._awaited, self._length = True, 0
        self._deadline = self.loop.call_later(self.headers_within, self._give_up)

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()


class BoundedWebSocket(Guest, WebSocketsSansIOProtocol):
    """A WebSocket with a limit on pings, pongs and fragments."""

    _frames: Bucket

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        limits = Gate.doors.limits
        self._frames = Bucket(limits.frames_per_second, limits.frames_at_once, self.loop.time())

    def data_received(self, data: bytes) -> None:
        for first in range(0, len(data), PART):
            if self.transport.is_closing():
                return
            super().data_received(data[first : first + PART])
            if self.queue.qsize() > WAITING * Gate.doors.limits.messages_at_once:
                self._close()

    def handle_ping(self) -> None:
        self._count()
        super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        self._count()
        super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        self._count()
        super().handle_cont(event)

    def _count(self) -> None:
        if not self._frames.take(self.loop.time()):
            self._close()

    def _close(self) -> None:
        if self.close_sent:
            self.transport.close()
        elif not self.transport.is_closing():
            self.conn.fail(CloseCode.POLICY_VIOLATION, "too much at once")
            self.handle_parser_exception()
