"""WebSockets (RFC 6455), the server's side, as uvicorn runs them: the handshake by the library
`websockets`, frames by ourselves.

Messages go straight from the transport to a `Socket` and back, past ASGI: with uvicorn's own
protocols most of a move's time went into tasks, queues and one system call for every message. What
is sent to a client while the event loop handles what has arrived leaves together.
"""

from __future__ import annotations

import asyncio
import logging
import struct
from collections import deque
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from uvicorn.config import Config
from uvicorn.protocols.utils import get_local_addr, get_remote_addr, is_ssl
from uvicorn.server import ServerState
from websockets.http11 import Request
from websockets.server import ServerProtocol

from lastcard.table.bucket import Bucket
from lastcard.table.messages import MOST_BYTES

from .bounded import Guest
from .gate import Gate

log = logging.getLogger("lastcard.server")

SILENT = logging.getLogger("lastcard.handshakes")  # they name tables
SILENT.disabled = True

OUTBOX = "lastcard.outbox"  # where a server's connections find it
WIRE = "lastcard.wire"  # the extension of ASGI by which an application gets the connection

MORE, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10  # what a frame is
LAST, RESERVED, KIND = 0x80, 0x70, 0x0F  # bits of its first byte; LAST: of a message's last frame
WHOLE = LAST | TEXT  # the first byte of a text in one frame
MASKED = 0x80  # of its second byte
LONG, LONGER = 126, 127  # the length follows, in two or eight bytes
LONGEST_CONTROL = 125  # bytes

PROTOCOL_ERROR, BAD_TEXT, POLICY, TOO_LARGE, RESTART = 1002, 1007, 1008, 1009, 1012
GONE, UNSAID = 1006, 1005  # without a goodbye; with one that says no code
SAYABLE = {*range(1000, 1004), *range(1007, 1015)}  # codes of a close, besides private ones

WAITING = 4  # times `messages_at_once` may be queued, so that a client is told before it is cut off
SILENCE = 20.0  # seconds after which we ask whether the client is still there, and then give up
MOST_DUE, FLUSHED_EARLY = 32, 24  # connections with something to send
FAREWELL = 2.0  # seconds for a client to answer a close


class Closed(Exception):
    """The connection is closed, or has to be."""

    def __init__(self, code: int = 1000) -> None:
        super().__init__(code)
        self.code = code


class Outbox:
    """Connections with something to send: all are flushed at once, when what has arrived is
    handled. A callback for each would cost as much as the frame. If there are many, the first ones
    need not wait: by then they have got all, and are still in the processor's cache."""

    def __init__(self) -> None:
        self._due: list[WebSocket] = []

    def add(self, connection: WebSocket) -> None:
        due = self._due
        if not due:
            asyncio.get_running_loop().call_soon(self._flush)
        elif len(due) == MOST_DUE:
            self._due = due[FLUSHED_EARLY:]
            for one in due[:FLUSHED_EARLY]:
                one.flush()
        self._due.append(connection)

    def _flush(self) -> None:
        due, self._due = self._due, []
        for connection in due:
            connection.flush()


class WebSocket(Guest):
    """One connection: parses what arrives, and is the wire of a `Socket`."""

    __slots__ = (
        "_arrived",
        "_asked",
        "_config",
        "_deaf",
        "_ended",
        "_flushing",
        "_frames",
        "_full",
        "_handshake",
        "_hear",
        "_heard",
        "_kind",
        "_loop",
        "_outbox",
        "_parts",
        "_rest",
        "_said_goodbye",
        "_state",
        "_timer",
        "_unsent",
        "transport",
        "unsent",
        "unsent_bytes",
    )

    def __init__(
        self, config: Config, server_state: ServerState, app_state: dict[str, Any]
    ) -> None:
        self._config = config
        self._state = server_state
        self._loop = asyncio.get_running_loop()
        self._handshake: ServerProtocol | None = ServerProtocol(logger=SILENT)
        self._rest = b""  # of an incomplete frame
        self._parts: list[bytes] = []  # of an incomplete message
        self._kind = TEXT  # of that message
        self._arrived: deque[str | bytes] = deque()
        self._hear: Callable[[], None] = _nobody_hears
        self._outbox: Outbox = app_state.setdefault(OUTBOX, Outbox())
        self._unsent: list[bytes] = []  # heads and contents of frames
        self.unsent = 0  # messages
        self.unsent_bytes = 0
        self._flushing = False
        self._full = False  # the client does not read as fast as we write
        self._ended: int | None = None  # the code it was closed with
        self._said_goodbye = False
        self._frames: Bucket | None = None  # made by the first ping, pong or part
        self._timer: asyncio.TimerHandle | None = None
        self._deaf = False  # after what no client sends
        self._asked = False  # whether the client is still there
        self._heard = True

    # --- What the event loop calls ---------------------------------------------------------------

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        super().connection_made(transport)
        self._state.connections.add(self)  # type: ignore[arg-type]

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._state.connections.discard(self)
        self._end(GONE)
        self._hear = _nobody_hears
        self._stop_timer()
        self._unsent.clear()
        self.unsent = self.unsent_bytes = 0

    def eof_received(self) -> bool:
        return False

    def pause_writing(self) -> None:
        self._full = True
        super().pause_writing()

    def resume_writing(self) -> None:
        self._full = False
        super().resume_writing()
        self.flush()

    def data_received(self, data: bytes) -> None:
        if self._handshake is not None:
            self._shake_hands(data)
            return
        self._heard = True
        if self._rest:
            data = self._rest + data
        at = self._parse(data)
        self._rest = data[at:] if at < len(data) else b""

    def shutdown(self) -> None:
        """The server stops."""
        if self._handshake is None:
            self.close(RESTART)
        else:
            self.transport.close()

    # --- The handshake ---------------------------------------------------------------------------

    def _shake_hands(self, data: bytes) -> None:
        """All of the request is there: uvicorn has read it as HTTP before."""
        assert self._handshake is not None
        self._handshake.receive_data(data)
        events = self._handshake.events_received()
        request = events[0] if events else None
        if self._handshake.handshake_exc is not None or not isinstance(request, Request):
            self._refuse(400, "Bad Request")
            return
        response = self._handshake.accept(request)
        self._handshake.send_response(response)
        self.transport.write(b"".join(self._handshake.data_to_send()))
        if response.status_code != 101:
            self.transport.close()
            return
        self._handshake = None
        self._rearm()
        task = self._loop.create_task(self._run(self._scope(request)))
        self._state.tasks.add(task)
        task.add_done_callback(self._state.tasks.discard)

    def _refuse(self, status: int, text: str) -> None:
        head = f"HTTP/1.1 {status} {text}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
        self.transport.write(head.encode())
        self.transport.close()

    def _scope(self, request: Request) -> dict[str, Any]:
        path, _, query = request.path.partition("?")
        headers = request.headers.raw_items()
        return {
            "type": "websocket",
            "asgi": {"version": self._config.asgi_version, "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "wss" if is_ssl(self.transport) else "ws",
            "server": get_local_addr(self.transport),
            "client": get_remote_addr(self.transport),
            "root_path": "",
            "path": unquote(path),
            "raw_path": path.encode("ascii"),
            "query_string": query.encode("ascii"),
            "headers": [
                (name.lower().encode(), value.encode("latin-1")) for name, value in headers
            ],
            "subprotocols": [],
            "extensions": {WIRE: {"wire": self}},
        }

    async def _run(self, scope: dict[str, Any]) -> None:
        async def past_asgi(*_: object) -> Any:
            raise RuntimeError(f"messages come and go by scope['extensions']['{WIRE}']")

        try:
            await self._config.loaded_app(scope, past_asgi, past_asgi)
        except Exception:
            log.exception("a connection has failed")
        finally:
            self.close(1011)

    # --- The wire --------------------------------------------------------------------------------

    def listen(self, hear: Callable[[], None]) -> None:
        """Calls it whenever there may be something to take."""
        self._hear = hear
        hear()

    def take(self) -> str | bytes | None:
        """The next message, None if it has not arrived yet; raises Closed when there is no more."""
        if self._arrived:
            return self._arrived.popleft()
        if self._ended is not None:
            raise Closed(self._ended)
        return None

    def write(self, message: bytes) -> None:
        if self._ended is not None:
            return
        size = len(message)
        self._unsent.append(_HEADS[size] if size < LONG else _head(TEXT, size))
        self._unsent.append(message)
        self.unsent += 1
        self.unsent_bytes += size
        if not self._flushing and not self._full:
            self._flushing = True
            self._outbox.add(self)

    def close(self, code: int = 1000) -> None:
        """Says goodbye after all that was written before."""
        if self._ended is not None:
            return
        self.flush()
        if not self._full:
            self._say_goodbye(code)
        self._end(code)
        self._stop_timer()
        if self._full or self.transport.is_closing():
            self.transport.abort()
        else:
            self._timer = self._loop.call_later(FAREWELL, self.transport.abort)

    def flush(self) -> None:
        self._flushing = False
        if self.unsent and not self._full:
            self.transport.write(b"".join(self._unsent))
            self._unsent.clear()
            self.unsent = self.unsent_bytes = 0

    def _say_goodbye(self, code: int) -> None:
        if not self._said_goodbye:
            self._said_goodbye = True
            self.transport.write(_framed(CLOSE, b"" if code == UNSAID else code.to_bytes(2, "big")))

    def _end(self, code: int) -> None:
        if self._ended is None:
            self._ended = code
            self._hear()

    # --- Whether the client is still there -------------------------------------------------------

    def _rearm(self) -> None:
        self._timer = self._loop.call_later(SILENCE, self._check)

    def _check(self) -> None:
        if not self._heard and self._asked:
            self._end(GONE)
            self.transport.abort()
            return
        self._asked = not self._heard
        if self._asked:
            self.transport.write(_framed(PING, b""))
        self._heard = False
        self._rearm()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    # --- Frames ----------------------------------------------------------------------------------

    def _parse(self, data: bytes) -> int:
        """Takes in all frames that are complete; returns where the rest begins."""
        at, end = 0, len(data)
        while end - at >= 2 and not self._deaf:
            first, size, body = data[at], data[at + 1] - MASKED, at + 6
            if first & RESERVED or size < 0:
                self._fail(PROTOCOL_ERROR)
                break
            if size >= LONG:
                if end - at < 4:
                    break
                body += 2
                size = MOST_BYTES + 1 if size == LONGER else int.from_bytes(data[at + 2 : body - 4])
                if size > MOST_BYTES:
                    self._fail(TOO_LARGE)
                    break
            if body + size > end:
                break
            at = body + size
            content = _unmasked(data[body - 4 : body], data[body:at])
            if first == WHOLE and self._ended is None and not self._parts:  # as most are
                self._deliver(TEXT, content)
            else:
                self._take(first, content)
        return end if self._deaf else at

    def _take(self, first: int, content: bytes) -> None:
        """A frame that is not a whole text."""
        kind = first & KIND
        if self._ended is not None:  # we have said goodbye, and wait for theirs
            if kind == CLOSE:
                self.transport.close()
        elif kind in (TEXT, BINARY, MORE):
            self._take_part(kind, first, content)
        elif kind not in (CLOSE, PING, PONG) or not first & LAST or len(content) > LONGEST_CONTROL:
            self._fail(PROTOCOL_ERROR)
        elif kind == CLOSE:
            self._take_goodbye(content)
        elif not self._counts():
            self._fail(POLICY)
        elif kind == PING:
            self.flush()
            self.transport.write(_framed(PONG, content))

    def _take_part(self, kind: int, first: int, content: bytes) -> None:
        """A part of a message, or all of one that is not text."""
        if (kind == MORE) != bool(self._parts):
            self._fail(PROTOCOL_ERROR)
            return
        if kind == MORE and not self._counts():
            self._fail(POLICY)
            return
        if kind != MORE:
            self._kind = kind
        self._parts.append(content)
        if sum(map(len, self._parts)) > MOST_BYTES:
            self._fail(TOO_LARGE)
        elif first & LAST:
            parts, self._parts = self._parts, []
            self._deliver(self._kind, b"".join(parts))

    def _take_goodbye(self, content: bytes) -> None:
        code = int.from_bytes(content[:2], "big") if len(content) >= 2 else UNSAID
        self.flush()
        self._say_goodbye(code if code in SAYABLE or 3000 <= code < 5000 else PROTOCOL_ERROR)
        self._end(code)
        self.transport.close()

    def _deliver(self, kind: int, content: bytes) -> None:
        """A message; only texts are decoded."""
        try:
            self._arrived.append(content.decode() if kind == TEXT else content)
        except UnicodeDecodeError:
            self._fail(BAD_TEXT)
            return
        self._hear()
        if self._arrived and len(self._arrived) > WAITING * Gate.doors.limits.messages_at_once:
            self._fail(POLICY)

    def _counts(self) -> bool:
        """Whether one more ping, pong or part is allowed."""
        now = self._loop.time()
        if self._frames is None:
            limits = Gate.doors.limits
            self._frames = Bucket(limits.frames_per_second, limits.frames_at_once, now)
        return self._frames.take(now)

    def _fail(self, code: int) -> None:
        """Nothing that comes after this is looked at."""
        self._deaf = True
        self.close(code)


def _nobody_hears() -> None:
    """The table is still being looked for."""


def _framed(kind: int, content: bytes) -> bytes:
    return _head(kind, len(content)) + content


def _head(kind: int, size: int) -> bytes:
    if size < LONG:
        return bytes((LAST | kind, size))
    if size < 1 << 16:
        return _pack(LAST | kind, LONG, size)
    return bytes((LAST | kind, LONGER)) + size.to_bytes(8, "big")


_pack = struct.Struct(">BBH").pack
_HEADS = [_head(TEXT, size) for size in range(LONG)]


def _unmasked(mask: bytes, content: bytes) -> bytes:
    """One operation on long integers instead of one for each byte."""
    size = len(content)
    repeated = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(content, "big") ^ int.from_bytes(repeated, "big")).to_bytes(size, "big")
