"""One WebSocket: checks messages from the client, and sends it messages in order."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

import msgspec
from starlette.datastructures import Headers
from starlette.types import Scope

from lastcard.table import messages
from lastcard.table.bucket import Bucket
from lastcard.table.hosted import HostedTable
from lastcard.table.messages import Asked, Error, Hello, Ok, encode
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

    def listen(self, hear: Callable[[], None]) -> None:
        """Calls it whenever there may be something to take."""

    def take(self) -> str | bytes | None:
        """The next message, None if it has not arrived yet; raises Closed when there is no more."""

    def write(self, message: bytes) -> None: ...

    def close(self, code: int = 1000) -> None:
        """Says goodbye; the second time, nothing."""


class Socket:
    """A client at a table."""

    def __init__(self, server: Server, wire: Wire, address: str = "") -> None:
        self.seat: int | None = None
        self._server = server
        self._wire = wire
        self._limits = limits = server.limits
        self.heard = time.monotonic()  # when the client last sent something
        self._rate = Bucket(limits.messages_per_second, limits.messages_at_once, self.heard)
        self._address_rate = server.messages.of(address)
        self._reactions: Bucket | None = None
        self._offences = 0
        self._hints: set[asyncio.Task[None]] = set()  # under way
        self._hosted: HostedTable | None = None  # once the client has said hello
        self._asked: Asked | None = None  # to be answered before the next message is looked at
        self._since = 0.0  # when that came
        self._closed: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._hearing = False

    def send(self, message: bytes) -> None:
        """Never waits: a client that does not read must not hold up its table."""
        wire, limits = self._wire, self._limits
        if wire.unsent >= limits.unsent or wire.unsent_bytes > limits.unsent_bytes:
            wire.close(POLICY)
        else:
            wire.write(message)

    def close(self, code: int = 1000) -> None:
        self._wire.close(code)

    async def run(self, hosted: HostedTable) -> None:
        code = 1011
        try:
            await self._greet(hosted)
            self._hosted = hosted
            self._wire.listen(self._hear)
            code = await self._closed
        except Closed as closed:
            code = closed.code
        finally:
            self._closed.cancel()
            self._server.house.disconnect(hosted, self)
            for task in self._hints:
                task.cancel()
            self.close(code)

    # --- The first message -----------------------------------------------------------------------

    async def _greet(self, hosted: HostedTable) -> None:
        limits = self._limits
        try:
            async with asyncio.timeout(limits.hello):  # wait_for can lose a cancellation
                hello = self._read(await self._first())
        except TimeoutError:
            raise Closed(IDLE) from None
        if hello is None:
            raise Closed(POLICY)
        try:
            if not isinstance(hello, Hello):
                raise Refused(Code.HELLO_FIRST, "Say hello first.")
            if hello.token is None and hosted.watching >= limits.watchers:
                raise Refused(Code.FULL, "This table has too many spectators already.")
            await self._server.house.connect(hosted, self, hello.token)
        except Refused as refused:
            self._refuse(hello.id, refused)
            raise Closed(_closed_with(refused)) from None

    async def _first(self) -> str | bytes:
        arrived: asyncio.Future[str | bytes] = asyncio.get_running_loop().create_future()

        def hear() -> None:
            if arrived.done():
                return  # what comes next waits until the client is let in
            try:
                if (text := self._wire.take()) is not None:
                    arrived.set_result(text)
            except Closed as closed:
                arrived.set_exception(closed)

        self._wire.listen(hear)
        return await arrived

    # --- The others ------------------------------------------------------------------------------

    def _hear(self) -> None:
        """Looks at what has arrived; each message is answered before the next."""
        if self._hearing:
            return
        self._hearing = True
        try:
            while self._asked is None and not self._closed.done():
                if (text := self._wire.take()) is None:
                    break
                if (asked := self._read(text)) is not None:
                    self._handle(asked)
                elif self._offences > self._limits.offences:
                    raise Closed(POLICY)
        except Closed as closed:
            self._closed.set_result(closed.code)
        except Exception as error:
            self._closed.set_exception(error)
        finally:
            self._hearing = False

    def _handle(self, asked: Asked) -> None:
        assert self._hosted is not None
        if isinstance(asked, messages.Hint):  # the player may move before it comes
            task = asyncio.create_task(self._advise(self._hosted, asked))
            self._hints.add(task)
            task.add_done_callback(self._hints.discard)
            return
        self._asked, self._since = asked, time.perf_counter()
        if isinstance(asked, messages.React) and not self._may_react():
            self._answer(Refused(Code.TOO_FAST, "Enough reactions for now."))
        else:
            self._server.house.handler.handle(self._hosted, self, asked, self._answer)

    def _answer(self, answer: Ok | Exception) -> None:
        asked, self._asked = self._asked, None
        assert asked is not None
        if isinstance(answer, Ok):
            self.send(encode(answer))
            if isinstance(asked, messages.Move):
                self._server.metrics.moves.observe(time.perf_counter() - self._since)
        elif isinstance(answer, Refused):
            self._refuse(asked.id, answer)
        elif not self._closed.done():
            self._closed.set_exception(answer)
        self._hear()

    async def _advise(self, hosted: HostedTable, asked: messages.Hint) -> None:
        try:
            answer = await self._server.house.handler.advise(hosted, self, asked)
        except Refused as refused:
            self._refuse(asked.id, refused)
        else:
            self.send(encode(answer))

    def _may_react(self) -> bool:
        if self._reactions is None:
            limits = self._limits
            most = limits.reactions_per_second, limits.reactions_at_once
            self._reactions = Bucket(*most, self.heard)
        return self._reactions.take(self.heard)

    def _refuse(self, id: str | None, refused: Refused) -> None:
        self._server.metrics.refused.labels(refused.code).inc()
        self.send(encode(Error(id, refused.code, refused.text)))

    def _read(self, text: str | bytes) -> Asked | None:
        """A valid message; others are refused here."""
        self.heard = now = time.monotonic()
        try:
            if not self._rate.take(now) or not self._address_rate.take(now):
                raise Refused(Code.TOO_FAST, "Too many messages. Wait a moment.")
            return decode(text)
        except Refused as refused:
            self._offences += 1
            self._refuse(None if isinstance(text, bytes) else messages.id_of(text), refused)
            return None


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
