"""One WebSocket: checks messages from the client, and sends it messages in order."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from typing import TYPE_CHECKING, Protocol

import msgspec
from starlette.datastructures import Headers
from starlette.types import Scope

from lastcard.table import messages
from lastcard.table.bucket import Bucket
from lastcard.table.hosted import HostedTable
from lastcard.table.messages import Asked, Error, Hello, encode
from lastcard.table.refusals import Code, Refused

from .security import check_host, check_origin, client_address
from .websocket import WIRE, Closed

if TYPE_CHECKING:
    from .app import Server

log = logging.getLogger("lastcard.server")

PATH = re.compile(r"/api/tables/([^/]+)/live")
POLICY, TRY_AGAIN, IDLE, NO_TABLE = 1008, 1013, 4000, 4004  # close codes


class Wire(Protocol):
    """The connection below: messages in order, both ways."""

    unsent: int  # messages that wait until the client reads
    unsent_bytes: int

    async def receive(self) -> str | bytes:
        """The next message; raises Closed when there is no more."""

    def write(self, message: bytes) -> None: ...

    def close(self, code: int = 1000) -> None:
        """Says goodbye; the second time, nothing."""


class Socket:
    """A client at a table."""

    def __init__(self, server: Server, wire: Wire, address: str = "") -> None:
        self.seat: int | None = None
        self._server = server
        self._address = address
        self._wire = wire
        limits = server.limits
        self.heard = time.monotonic()  # when the client last sent something
        self._rate = Bucket(limits.messages_per_second, limits.messages_at_once, self.heard)
        self._reactions: Bucket | None = None
        self._offences = 0
        self._hints: set[asyncio.Task[None]] = set()  # under way

    def send(self, message: bytes) -> None:
        """Never waits: a client that does not read must not hold up its table."""
        wire, limits = self._wire, self._server.limits
        if wire.unsent >= limits.unsent or wire.unsent_bytes > limits.unsent_bytes:
            wire.close(POLICY)
        else:
            wire.write(message)

    def close(self, code: int = 1000) -> None:
        self._wire.close(code)

    async def run(self, hosted: HostedTable) -> None:
        code = 1011
        try:
            await self._read(hosted)
        except Closed as closed:
            code = closed.code
        finally:
            self._server.house.disconnect(hosted, self)
            for task in self._hints:
                task.cancel()
            self.close(code)

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
            if isinstance(asked, messages.React):
                self._bound_reactions()
            answer = await self._server.house.handler.handle(hosted, self, asked)
        except Refused as refused:
            self._refuse(asked.id, refused)
        else:
            self.send(encode(answer))
            if isinstance(asked, messages.Move):
                self._server.metrics.moves.observe(time.perf_counter() - started)

    def _bound_reactions(self) -> None:
        if self._reactions is None:
            limits = self._server.limits
            most = limits.reactions_per_second, limits.reactions_at_once
            self._reactions = Bucket(*most, self.heard)
        if not self._reactions.take(self.heard):
            raise Refused(Code.TOO_FAST, "Enough reactions for now.")

    def _refuse(self, id: str | None, refused: Refused) -> None:
        self._server.metrics.refused.labels(refused.code).inc()
        self.send(encode(Error(id, refused.code, refused.text)))

    async def _next(self, first: bool = False) -> Asked:
        """The next valid message. Others are refused here, and the connection is closed after too
        many of them, or if the first is one."""
        while True:
            text = await self._wire.receive()
            self.heard = time.monotonic()
            try:
                if not self._rate.take(self.heard) or not self._server.messages.take(self._address):
                    raise Refused(Code.TOO_FAST, "Too many messages. Wait a moment.")
                return decode(text)
            except Refused as refused:
                self._refuse(None if isinstance(text, bytes) else messages.id_of(text), refused)
            self._offences += 1
            if first or self._offences > self._server.limits.offences:
                raise Closed(POLICY)


def decode(body: str | bytes) -> Asked:
    """A client's message, from a text frame; raises Refused if it is none."""
    if isinstance(body, bytes):
        raise Refused(Code.MALFORMED, "Messages are text frames: see docs/protocol.md.")
    if len(body) > messages.MOST_BYTES:
        raise Refused(Code.TOO_LARGE, f"A message has at most {messages.MOST_BYTES} bytes.")
    try:
        return messages.decode(body)
    except msgspec.ValidationError as error:
        raise Refused(Code.MALFORMED, f"{error}.") from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise Refused(Code.MALFORMED, "This is not a message: see docs/protocol.md.") from None


async def serve_socket(server: Server, scope: Scope) -> None:
    """Serves a WebSocket of a table until it is closed."""
    wire: Wire = scope["extensions"][WIRE]["wire"]
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
        _turn_away(wire, refused)
        return
    server.connections[address] += 1
    server.metrics.connections.inc()
    try:
        socket = Socket(server, wire, address)
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


def _turn_away(wire: Wire, refused: Refused) -> None:
    """Explains and closes: a page cannot see why a handshake was refused."""
    wire.write(encode(Error(None, refused.code, refused.text)))
    wire.close(_closed_with(refused))


def _closed_with(refused: Refused) -> int:
    """Clients come back by themselves only where that may help."""
    return {Code.UNAVAILABLE: TRY_AGAIN, Code.NOT_FOUND: NO_TABLE}.get(refused.code, POLICY)
