"""Accepts connections. Those that are refused cost next to nothing, and when there are many of
them all newcomers wait a little, so that players do not."""

from __future__ import annotations

import asyncio
import logging
import socket
import struct
from collections.abc import Callable
from typing import Any, ClassVar

from lastcard.table.bucket import Bucket

from .doors import Doors
from .limits import Limits
from .security import limited_address

try:  # it is optional, and quicker
    from uvloop import Loop as EventLoop
except ModuleNotFoundError:
    from asyncio import SelectorEventLoop as EventLoop  # type: ignore[assignment]

log = logging.getLogger("lastcard.server")

AT_ONCE = 8  # connections accepted before the event loop goes on
REFUSED_PER_SECOND, REFUSED_AT_ONCE = 2000.0, 8  # connections refused before a pause
PAUSE = 0.004  # seconds, after too many refusals or without free file descriptors
RESET = struct.pack("ii", 1, 0)  # SO_LINGER: close with a reset, leaving no state behind


class Gate(asyncio.AbstractServer):
    """An asyncio server."""

    doors: ClassVar[Doors] = Doors(Limits())  # one for the whole process

    def __init__(
        self, loop: asyncio.AbstractEventLoop, protocol: Callable[[], Any], listening: socket.socket
    ) -> None:
        self.sockets = [listening]
        self._loop = loop
        self._protocol = protocol
        self._opening: set[asyncio.Task[Any]] = set()
        self._pause: asyncio.TimerHandle | None = None
        self._refused = Bucket(REFUSED_PER_SECOND, REFUSED_AT_ONCE, loop.time())
        listening.setblocking(False)
        self._open()

    def close(self) -> None:
        if self._pause is not None:
            self._pause.cancel()
        for listening in self.sockets:
            self._loop.remove_reader(listening)
            listening.close()
        self.sockets = []

    async def wait_closed(self) -> None:
        """Closing is immediate."""

    def get_loop(self) -> asyncio.AbstractEventLoop:
        return self._loop

    def is_serving(self) -> bool:
        return bool(self.sockets)

    async def start_serving(self) -> None:
        """Serves from the start."""

    async def serve_forever(self) -> None:
        await asyncio.Event().wait()

    def _open(self) -> None:
        self._pause = None
        self._loop.add_reader(self.sockets[0], self._accept)

    def _wait(self) -> None:
        self._loop.remove_reader(self.sockets[0])
        self._pause = self._loop.call_later(PAUSE, self._open)

    def _accept(self) -> None:
        for _ in range(AT_ONCE):
            try:
                one, address = self.sockets[0].accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                break
            except OSError as error:
                log.error("no connection can be accepted: %s", error.strerror)
                self._wait()
                return
            who = str(address[0]), limited_address(str(address[0]))
            if self.doors.enter(*who):
                self._loop.call_later(self.doors.wait(*who), self._let_in, one, who[1])
                continue
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            one.close()
            if not self._refused.take(self._loop.time()):
                self._wait()
                return

    def _let_in(self, one: socket.socket, address: str) -> None:
        one.setblocking(False)
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        protocol = self._protocol()
        protocol.address = address
        task = self._loop.create_task(self._loop.connect_accepted_socket(lambda: protocol, one))
        self._opening.add(task)
        task.add_done_callback(self._opening.discard)


class Loop(EventLoop):
    """An event loop whose servers are gates."""

    async def create_server(  # type: ignore[override]
        self,
        protocol_factory: Callable[[], Any],
        host: str | None = None,
        port: int | None = None,
        *,
        sock: socket.socket | None = None,
        backlog: int = 100,
        ssl: None = None,
    ) -> Gate:
        listening = sock or socket.create_server((host or "", port or 0), backlog=backlog)
        return Gate(self, protocol_factory, listening)
