"""What uvicorn leaves open: how much a client may send at once, and how long it may take to send
it, or to read."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame

from lastcard.table.bucket import Bucket

from .gate import Gate
from .security import whom_limits_are_for

UNKNOWN = "unknown"  # an address, where the system does not tell
WAITING = 4  # times as many messages as may come at once: who is too fast is told so first
PART = 1024  # bytes of a WebSocket are looked at before the next ones: they may be many frames


class TooMuch(Exception):
    """More requests than anybody needs before the first is answered."""


class Reader:
    """Cuts off who does not read what is sent to him."""

    def __init__(self, transport: asyncio.Transport, within: float) -> None:
        self._transport = transport
        self._within = within
        self._deadline: asyncio.TimerHandle | None = None

    def is_waited_for(self) -> None:
        loop = asyncio.get_running_loop()
        self._deadline = loop.call_later(self._within, self._transport.abort)

    def is_there(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class BoundedHttp(HttpToolsProtocol):
    """HTTP whose headers must come soon, and be short, and whose requests wait for answers."""

    headers_within = 15.0  # seconds
    longest_headers = 65_536  # bytes

    _address: str
    _deadline: asyncio.TimerHandle
    _awaited: bool
    _length: int
    _reader: Reader

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._address = whom_limits_are_for(self.client[0] if self.client else UNKNOWN)
        self._reader = Reader(transport, Gate.doors.limits.written_within)
        self._expect_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        Gate.doors.leave(self._address)
        self._deadline.cancel()
        self._reader.is_there()
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

    def pause_writing(self) -> None:
        super().pause_writing()
        self._reader.is_waited_for()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._reader.is_there()

    def _expect_headers(self) -> None:
        self._awaited, self._length = True, 0
        self._deadline = self.loop.call_later(self.headers_within, self._give_up)

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()


class BoundedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket whose pings, pongs and parts of messages count, too."""

    _address: str
    _reader: Reader
    _frames: Bucket

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        limits = Gate.doors.limits
        self._address = whom_limits_are_for(self.client[0] if self.client else UNKNOWN)
        self._reader = Reader(self.transport, limits.written_within)
        self._frames = Bucket(limits.frames_per_second, limits.frames_at_once, self.loop.time())

    def connection_lost(self, exc: Exception | None) -> None:
        Gate.doors.leave(self._address)
        self._reader.is_there()
        super().connection_lost(exc)

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

    def pause_writing(self) -> None:
        super().pause_writing()
        self._reader.is_waited_for()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._reader.is_there()

    def _count(self) -> None:
        if not self._frames.take(self.loop.time()):
            self._close()

    def _close(self) -> None:
        if self.close_sent:
            self.transport.close()
        elif not self.transport.is_closing():
            self.conn.fail(CloseCode.POLICY_VIOLATION, "too much at once")
            self.handle_parser_exception()
