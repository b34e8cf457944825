"""The network of a world: requests and WebSockets, delayed, cut off, or sent twice.

What a connection carries stays in order; between connections there is none. On the side of a
process it speaks ASGI, as uvicorn does.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable
from contextvars import Context, copy_context
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec.json import decode

from lastcard.server.websocket import WIRE, Closed

from .loop import settle
from .storage import OUTSIDE

if TYPE_CHECKING:
    from .process import Process
    from .world import World

AT_ONCE, QUICK = 0.001, 0.03  # seconds for a message
SLOW = 6.0
NOTICED_WITHIN = 25.0  # seconds until a server learns of a client that vanished
HOST = (b"host", b"localhost")


Check: TypeAlias = Callable[[int, str], None]  # of a status and a text; raises Violation


class Lost(Exception):
    """No answer came: whether anything was done is not known."""


def latency(world: World) -> float:
    faults = world.faults
    if faults.happens("slow"):
        return faults.luck("slow").uniform(0, SLOW)
    return world.rng.uniform(AT_ONCE, QUICK)


def _scope(kind: str, path: str, address: str, headers: list[tuple[bytes, bytes]]) -> Any:
    path, _, query = path.partition("?")
    return {
        "type": kind,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [HOST, *headers],
        "client": (address, 1),
        "server": ("localhost", 80),
        "http_version": "1.1",
    }


class Lines:
    """A request and its answer."""

    def __init__(self, world: World, process: Process) -> None:
        self._world = world
        self._process = process
        self._answer: asyncio.Future[tuple[int, Any]] = world.loop.create_future()

    def lose(self) -> None:
        settle(self._answer, None, Lost())

    async def ask(
        self,
        method: str,
        path: str,
        address: str,
        body: Any = None,
        token: str = "",
        check: Check | None = None,
    ) -> tuple[int, Any]:
        """The status and the JSON of the answer, whose text is checked when it is given; or raises
        Lost."""
        world, process = self._world, self._process
        await asyncio.sleep(latency(world))
        if not process.up:
            raise Lost
        headers = [(b"content-type", b"application/json")]
        if token:
            headers.append((b"authorization", f"Bearer {token}".encode()))
        scope = _scope("http", path, address, headers) | {"method": method, "scheme": "http"}
        content = b"" if body is None else json.dumps(body).encode()
        process.calls[self] = None
        world.loop.create_task(
            self._serve(scope, content, check), context=process.context.run(copy_context)
        )
        try:
            return await self._answer
        finally:
            process.calls.pop(self, None)

    async def _serve(self, scope: Any, content: bytes, check: Check | None) -> None:
        world, status, parts = self._world, 0, []

        async def receive() -> Any:
            return {"type": "http.request", "body": content, "more_body": False}

        async def send(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            else:
                parts.append(message.get("body", b""))

        await self._process.app(scope, receive, send)
        text = b"".join(parts).decode()
        world.answered(scope, status, text, check)
        if world.faults.happens("answer lost"):
            world.loop.call_later(latency(world), self.lose, context=OUTSIDE)
        else:
            answer = status, decode(text)
            arrives = latency(world)
            world.loop.call_later(arrives, settle, self._answer, answer, None, context=OUTSIDE)


class Wire:
    """A WebSocket of a client."""

    def __init__(self, world: World, process: Process, path: str, address: str) -> None:
        self.world = world
        self.process = process
        self.path = path
        self.number = world.next_wire()
        self.open = True  # as far as the client knows
        self.closed_with = 0
        self.unread_until = 0.0  # the client reads nothing before
        self.unanswered: list[tuple[str | None, float]] = []  # ids that the server has, since when
        self._inbox: deque[str | None] = deque()  # the client's; None: closed
        self._to_server: deque[str | None] = deque()  # None: the client is gone
        self._held: list[bytes] = []  # the client does not read
        self._hung_up = 0  # the server has closed it, with this code
        self._due = [0.0, 0.0]  # when what was sent so far arrives: at the server, at the client
        self._drains = False  # what is on its way to the server arrives although it is cut
        self._left = False  # the server knows that it is closed
        self._news: asyncio.Future[None] | None = None
        self._hear: Callable[[], None] | None = None  # in the context of its process
        self._context: Context | None = None
        process.wires[self] = None
        scope = _scope("websocket", path, address, [])
        world.loop.create_task(self._serve(scope), context=process.context.run(copy_context))

    def __repr__(self) -> str:
        return f"wire {self.number}"

    def __hash__(self) -> int:
        return self.number

    # --- The client's side -----------------------------------------------------------------------

    def say(self, text: str) -> int:
        """Returns how often it was sent."""
        world = self.world
        if not self.open:
            return 0
        if world.faults.happens("cut"):
            self.cut()
            return 1
        copies = 1 + world.faults.happens("sent twice")
        for _ in range(copies):
            self._due[0] = max(self._due[0], world.loop.time() + latency(world))
            world.loop.call_at(self._due[0], self._arrive, text)
        return copies

    async def next(self, within: float) -> str | None:
        """The next message; None if there is none in so many seconds, or it is closed."""
        if not self._inbox and self.open:
            self._news = self.world.loop.create_future()
            timer = self.world.loop.call_later(within, settle, self._news, None, None)
            await self._news
            timer.cancel()
        return self._inbox.popleft() if self._inbox else None

    def cut(self) -> None:
        """The connection breaks. What is on its way is lost, or some of it."""
        if not self.open:
            return
        world, faults = self.world, self.world.faults
        world.note("cut", self)
        self.open = False
        self._wake_client()
        after = world.rng.uniform(0, QUICK)
        if faults.happens("half cut"):
            self._drains = True
            after = faults.luck("half cut").uniform(0, NOTICED_WITHIN)
        world.loop.call_later(after, self._tell_server)

    def lose(self) -> None:
        """Its process is gone. What it has sent still arrives."""
        self.process.wires.pop(self, None)
        self._left = True
        self._close(1006)

    # --- The network -----------------------------------------------------------------------------

    def _arrive(self, text: str) -> None:
        if self.open or self._drains:
            self._to_server.append(text)
            self._wake_server()

    def _tell_server(self) -> None:
        self._left, self._drains = True, False
        self._to_server.append(None)
        self._wake_server()

    def _reach_client(self, text: str | None) -> None:
        if self.open:
            self.world.note("heard", self, text)
            self._inbox.append(text)
            self._wake_client()

    def _wake_client(self) -> None:
        if self._news is not None:
            settle(self._news, None, None)

    def _wake_server(self) -> None:
        if self._hear is not None:
            self.world.loop.call_soon(self._hear, context=self._context)

    # --- The server's side: what a Socket needs of a connection ----------------------------------

    async def _serve(self, scope: Any) -> None:
        async def past_asgi(*_: object) -> Any:
            raise AssertionError("messages do not go by ASGI")

        scope["extensions"] = {WIRE: {"wire": self}}
        try:
            await self.process.app(scope, past_asgi, past_asgi)
        finally:
            self.process.wires.pop(self, None)
            self._close(self.closed_with or 1006)

    def listen(self, hear: Callable[[], None]) -> None:
        self._hear, self._context = hear, copy_context()
        self._wake_server()

    def take(self) -> str | None:
        if not self._to_server:
            if self._hung_up:
                raise Closed(self._hung_up)
            return None
        text = self._to_server.popleft()
        if text is None:
            self._to_server.append(None)  # gone for good
            raise Closed(1006)
        self.world.arrived(self, text)
        return text

    @property
    def unsent(self) -> int:
        return len(self._held)

    @property
    def unsent_bytes(self) -> int:
        return sum(map(len, self._held))

    def write(self, message: bytes) -> None:
        world = self.world
        if self._left or self._hung_up:
            return
        if self._held or self.unread_until > world.loop.time():
            if not self._held:
                world.loop.call_at(self.unread_until, self._release)
            self._held.append(message)
            return
        self._transmit(message)

    def _release(self) -> None:
        """The client reads again."""
        held, self._held = self._held, []
        for message in held:
            self.write(message)

    def _transmit(self, message: bytes) -> None:
        world, text = self.world, message.decode()
        world.sent(self, text)
        if world.faults.happens("unread"):
            self.unread_until = world.loop.time() + world.faults.luck("unread").uniform(0, 15)
        self._due[1] = max(self._due[1], world.loop.time() + latency(world))
        world.loop.call_at(self._due[1], self._reach_client, text, context=OUTSIDE)

    def close(self, code: int = 1000) -> None:
        if not self._hung_up:
            self._hung_up = code
            if not self._left:
                self.world.closed(self, code)
            self._close(code)
            self._wake_server()

    def hang_up(self, code: int) -> None:
        """The server closes the connection, of its own accord."""
        self._tell_server()
        self._close(code)

    def _close(self, code: int) -> None:
        if self.open and not self.closed_with:
            self.closed_with = code
            due = max(self._due[1], self.world.loop.time()) + AT_ONCE
            self.world.loop.call_at(due, self._end, context=OUTSIDE)

    def _end(self) -> None:
        self._reach_client(None)
        self.open = False
        self._wake_client()
