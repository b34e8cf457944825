"""One WebSocket: checks messages from the client, and sends it messages in order."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections import deque
from typing import TYPE_CHECKING

import msgspec
from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

from lastcard.table import messages
from lastcard.table.bucket import Bucket
from lastcard.table.hosted import HostedTable
from lastcard.table.messages import Asked, Error, Hello, encode
from lastcard.table.refusals import Code, Refused

from .security import check_host, check_origin, client_address

if TYPE_CHECKING:
    from .app import Server

log = logging.getLogger("lastcard.server")

PATH = re.compile(r"/api/tables/([^/]+)/live")
POLICY, TRY_AGAIN, IDLE, NO_TABLE = 1008, 1013, 4000, 4004  # close codes


class Closed(Exception):
    """The connection is closed, or has to be."""

    def __init__(self, code: int = 1000) -> None:
        super().__init__(code)
        self.code = code


class Socket:
    """A client at a table."""

    def __init__(self, server: Server, receive: Receive, send: Send, address: str = "") -> None:
        self.seat: int | None = None
        self._server = server
        self._address = address
        self._receive = receive
        self._send = send
        self._unsent: deque[bytes] = deque()
        self._unsent_bytes = 0
        self._more: asyncio.Future[None] | None = None  # wakes the writing task
        self._close: int | None = None
        self._writing: asyncio.Task[None] | None = None
        limits = server.limits
        self.heard = time.monotonic()  # when the client last sent something
        self._rate = Bucket(limits.messages_per_second, limits.messages_at_once, self.heard)
        self._reactions = Bucket(limits.reactions_per_second, limits.reactions_at_once, self.heard)
        self._offences = 0
        self._hints: set[asyncio.Task[None]] = set()  # under way

    def send(self, message: bytes) -> None:
        """Never waits: a client that does not read must not hold up its table."""
        limits = self._server.limits
        if len(self._unsent) >= limits.unsent or self._unsent_bytes > limits.unsent_bytes:
            self.close(POLICY)
            if self._writing is not None:
                self._writing.cancel()  # it would wait for the client forever
        elif self._close is None:
            self._unsent.append(message)
            self._unsent_bytes += len(message)
            self._wake()

    def close(self, code: int = 1000) -> None:
        if self._close is None:
            self._close = code
            self._wake()

    def _wake(self) -> None:
        if self._more is not None and not self._more.done():
            self._more.set_result(None)

    async def run(self, hosted: HostedTable) -> None:
        self._writing = writing = asyncio.create_task(self._write())
        reading = asyncio.create_task(self._read(hosted))
        try:
            await asyncio.wait({writing, reading}, return_when=asyncio.FIRST_COMPLETED)
            if reading.done():
                self.close(_code_of(reading))
                await asyncio.wait({writing}, timeout=2)
        finally:
            self._server.house.disconnect(hosted, self)
            tasks = (reading, writing, *self._hints)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _write(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            while self._unsent:
                message = self._unsent.popleft()
                self._unsent_bytes -= len(message)
                await self._send({"type": "websocket.send", "text": message.decode()})
            if self._close is not None:
                await self._send({"type": "websocket.close", "code": self._close})
                return
            self._more = loop.create_future()
            await self._more
            self._more = None

    async def _read(self, hosted: HostedTable) -> None:
        limits = self._server.limits
        try:
            async with asyncio.timeout(limits.hello):  # wait_for can lose a cancellation
                hello = await self._next(first=True)
        except TimeoutError:
            raise Closed(IDLE) from None
        try:
            if not isinstance(hello, Hello):
                raise Refused(Code.HELLO_FIRST, "Say hello first.")
            if hello.token is None and hosted.watching >= limits.watchers:
                raise Refused(Code.FULL, "This table has too many spectators already.")
            await self._server.house.connect(hosted, self, hello.token)
        except Refused as refused:
            self._refuse(hello.id, refused)
            raise Closed(_closed_with(refused)) from None
        while True:
            asked = await self._next()
            if isinstance(asked, messages.Hint):  # the player may move before it comes
                task = asyncio.create_task(self._answer(hosted, asked))
                self._hints.add(task)
                task.add_done_callback(self._hints.discard)
            else:
                await self._answer(hosted, asked)

    async def _answer(self, hosted: HostedTable, asked: Asked) -> None:
        started = time.perf_counter()
        try:
            if isinstance(asked, messages.React) and not self._reactions.take(self.heard):
                raise Refused(Code.TOO_FAST, "Enough reactions for now.")
            answer = await self._server.house.handler.handle(hosted, self, asked)
        except Refused as refused:
            self._refuse(asked.id, refused)
        else:
            self.send(encode(answer))
            if isinstance(asked, messages.Move):
                self._server.metrics.moves.observe(time.perf_counter() - started)

    def _refuse(self, id: str | None, refused: Refused) -> None:
        self._server.metrics.refused.labels(refused.code).inc()
        self.send(encode(Error(id, refused.code, refused.text)))

    async def _next(self, first: bool = False) -> Asked:
        """The next valid message. Others are refused here, and the connection is closed after too
        many of them, or if the first is one."""
        while True:
            received = await self._receive()
            if received["type"] != "websocket.receive":
                raise Closed(received.get("code") or 1000)
            self.heard = time.monotonic()
            text = received.get("text")
            try:
                if not self._rate.take(self.heard) or not self._server.messages.take(self._address):
                    raise Refused(Code.TOO_FAST, "Too many messages. Wait a moment.")
                return decode(text)
            except Refused as refused:
                self._refuse(messages.id_of(text), refused)
            self._offences += 1
            if first or self._offences > self._server.limits.offences:
                raise Closed(POLICY)


def decode(body: str | None) -> Asked:
    """A client's message, from a text frame; raises Refused if it is none."""
    if body is None:
        raise Refused(Code.MALFORMED, "Messages are text frames: see docs/protocol.md.")
    if len(body) > messages.MOST_BYTES:
        raise Refused(Code.TOO_LARGE, f"A message has at most {messages.MOST_BYTES} bytes.")
    try:
        return messages.decode(body)
    except msgspec.ValidationError as error:
        raise Refused(Code.MALFORMED, f"{error}.") from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise Refused(Code.MALFORMED, "This is not a message: see docs/protocol.md.") from None


def _code_of(task: asyncio.Task[None]) -> int:
    error = task.exception()
    if isinstance(error, Closed):
        return error.code
    if error is not None:
        log.error("a connection has failed", exc_info=error)
    return 1011


async def serve_socket(server: Server, scope: Scope, receive: Receive, send: Send) -> None:
    """Accepts a WebSocket for a table, and serves it until it is closed."""
    await receive()  # websocket.connect
    address = client_address(scope)
    try:
        headers = Headers(scope=scope)
        check_host(headers, server.reach)
        check_origin(headers, server.origins)
        if not server.requests.take(address):
            raise Refused(Code.TOO_FAST, "Too many requests. Wait a moment.")
        if server.connections[address] >= server.limits.connections_per_address:
            raise Refused(Code.TOO_FAST, "Too many connections from one address.")
        path = PATH.fullmatch(scope["path"])
        hosted = await server.house.shelf.find(path[1] if path else "")
    except Refused as refused:
        server.metrics.refused.labels(refused.code).inc()
        await _turn_away(send, refused)
        return
    server.connections[address] += 1
    server.metrics.connections.inc()
    try:
        await send({"type": "websocket.accept"})
        socket = Socket(server, receive, send, address)
        server.sockets.add(socket)
        try:
            await socket.run(hosted)
        finally:
            server.sockets.discard(socket)
    finally:
        server.metrics.connections.dec()
        server.connections[address] -= 1
        if not server.connections[address]:
            del server.connections[address]


async def _turn_away(send: Send, refused: Refused) -> None:
    """Accepts, explains and closes: a page cannot see why a handshake was refused."""
    await send({"type": "websocket.accept"})
    error = encode(Error(None, refused.code, refused.text)).decode()
    await send({"type": "websocket.send", "text": error})
    await send({"type": "websocket.close", "code": _closed_with(refused)})


def _closed_with(refused: Refused) -> int:
    """Clients come back by themselves only where that may help."""
    return {Code.UNAVAILABLE: TRY_AGAIN, Code.NOT_FOUND: NO_TABLE}.get(refused.code, POLICY)
