"""What uvicorn leaves open: a client that never finishes its request, or its headers."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


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
