"""uvicorn's protocols, with the limits it lacks: how much a client may send at once, and how long
it may take to send, or to read."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from .gate import Gate


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
