"""What tests need to talk to a server: the server itself, requests, and players who come back."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from tests.postgres import free_port

ROOT = Path(__file__).parents[2]
READY = 600.0  # seconds; a machine may have much else to do, and nothing compiled yet
STOPPED = 30.0
ANSWERED = 300.0
RECONNECT = 0.05
POLL = 0.05
AGAIN = 0.2
# The server takes 30 messages a second and 60 at once from a connection.
MESSAGES, SECONDS = 28, 1.0
FINAL = (1008, 1009, 4004)  # closed with these, it is no use to come back


class Server:
    """`lastcard serve` as a process of its own, at the same address however often it is started.
    Its deals are the same each time."""

    def __init__(
        self,
        database: str,
        *options: str,
        port: int = 0,
        files: int = 0,
        package: Path | None = None,
        listening: socket.socket | None = None,
    ) -> None:
        if listening is not None:
            port = listening.getsockname()[1]
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._command = [sys.executable, "-m", "tests.server.served", "serve"]
        self._run_in, self._environment = ROOT, None
        if package:  # a copy of ours, as plain Python: to compile it would take long
            self._command = [sys.executable, "-m", "lastcard.cli", "serve"]
            self._run_in = package.parent
            self._environment = os.environ | {"LASTCARD_ENGINE": "plain"}
        self._command += ["--port", str(self.port), "--database", database, *options]
        if files:  # so many may be open at once
            self._command = ["bash", "-c", f'ulimit -n {files} && exec "$@"', "-", *self._command]
        self._passed: tuple[int, ...] = ()
        if listening is not None:  # as systemd passes a socket on
            self._passed = (listening.fileno(),)
            known = "exec 3<&$0; export LISTEN_PID=$$ LISTEN_FDS=1"
            pass_on = ["bash", "-c", f'{known}; exec "$@"', str(listening.fileno())]
            self._command = [*pass_on, *self._command]
        self._process: subprocess.Popen[bytes] | None = None
        self._folder = tempfile.TemporaryDirectory(prefix="lastcard-server-")
        self._log = Path(self._folder.name) / "log"

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def log(self) -> str:
        """What it has written since it was first started."""
        return self._log.read_text(errors="replace") if self._log.exists() else ""

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self, patience: float = READY) -> None:
        """Starts it, and returns as soon as it can serve."""
        assert not self.running, "the server runs already"
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                cwd=self._run_in,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                pass_fds=self._passed,
            )
        deadline = time.monotonic() + patience
        while not self._ready():
            if not self.running:
                code = self._process.returncode
                raise AssertionError(f"the server ended with {code} at its start:\n{self.log}")
            if time.monotonic() > deadline:
                self.kill()
                raise AssertionError(f"the server was not ready in {patience} s:\n{self.log}")
            time.sleep(POLL)

    def kill(self) -> None:
        """kill -9, with all its processes: it is asked nothing and can finish nothing."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(STOPPED)

    def terminate(self) -> int:
        """Asks it to stop, as an operator does; returns its exit status."""
        assert self._process is not None, "the server was never started"
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(STOPPED)

    def close(self) -> None:
        self.kill()
        self._folder.cleanup()

    def request(
        self, method: str, path: str, body: Any = None, token: str | None = None
    ) -> tuple[int, dict[str, Any]]:
        return request(method, self.url + path, body, token)

    def _ready(self) -> bool:
        try:
            return fetch("GET", self.url + "/ready")[0] == 200
        except (OSError, http.client.HTTPException):
            return False


def request(
    method: str, url: str, body: Any = None, token: str | None = None
) -> tuple[int, dict[str, Any]]:
    """The status and the JSON object of an answer."""
    status, content = fetch(method, url, body, token)
    return status, json.loads(content)


def fetch(
    method: str, url: str, body: Any = None, token: str | None = None, patience: float = ANSWERED
) -> tuple[int, bytes]:
    """An answer as it is. Proxies are not asked: it is this machine."""
    address = urlsplit(url)
    headers = {"Connection": "close"}
    if body is not None:
        headers["Content-Type"] = "application/json"
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    connection = http.client.HTTPConnection(address.netloc, timeout=patience)
    try:
        connection.request(
            method,
            address.path + (f"?{address.query}" if address.query else ""),
            None if body is None else json.dumps(body),
            headers,
        )
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


class Refused(Exception):
    """An `error` of the server."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(f"{code}: {text}")
        self.code = code
        self.text = text


class Lost(Exception):
    """The connection broke before the answer came."""


@dataclass
class Move:
    """A move, and the version that it led to, once that is known."""

    id: str
    match: int
    version: int
    action: str
    led_to: int = 0
    connection: int = 0  # the one on which it was sent last
    welcomed: tuple[int, int] = (0, 0)  # the match's number and version when that one was made
    answer: asyncio.Future[dict[str, Any]] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future(), repr=False
    )

    def forget_answer(self) -> None:
        """It is to be sent again, also on the same connection."""
        self.connection = 0
        self.answer = asyncio.get_running_loop().create_future()

    @property
    def was_there(self) -> bool:
        """Whether it was sent again although it had been carried out."""
        return (self.match, self.led_to) <= self.welcomed


class Player:
    """Somebody in a seat who connects again and again, and knows what the server has told him."""

    def __init__(self, url: str, table: str, token: str | None = None) -> None:
        self.id = table
        self.token = token
        self.seat: int | None = None
        self.table: dict[str, Any] = {}
        self.number = 0  # of the match; 0 before the first
        self.version = 0
        self.view: dict[str, Any] = {}
        self.connections = 0
        self.trouble: Exception | None = None  # what ended the last connection
        self._url = f"ws{url.removeprefix('http')}/api/tables/{table}/live"
        self._socket: ClientConnection | None = None
        self._moves: dict[str, Move] = {}
        self._answers: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._news = asyncio.Event()
        self._failure: BaseException | None = None
        self._task: asyncio.Task[None] | None = None
        self._welcomed = (0, 0)
        self._sent_at: deque[float] = deque(maxlen=MESSAGES)
        self._sending = asyncio.Lock()

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        try:
            while not self.table:
                await self.news()
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        if self._socket is not None:
            await self._socket.close()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    @property
    def legal(self) -> list[str]:
        """What may be done now; nothing while the match does not go on."""
        if self.table.get("status") != "playing" or self.view.get("over", True):
            return []
        legal: list[str] = self.view["legal"]
        return legal

    @property
    def unanswered(self) -> bool:
        """Whether a move is on its way."""
        return bool(self._moves)

    async def news(self, patience: float = ANSWERED) -> None:
        """Waits for the next message, whatever it is."""
        self._check()
        try:
            async with asyncio.timeout(patience):
                await self._news.wait()
        except TimeoutError:
            why = f" ({self.trouble!r})" if self.trouble else ""
            raise AssertionError(f"{self} has heard nothing for {patience} s{why}") from None
        self._check()

    async def move(self, action: str, patience: float = ANSWERED) -> Move:
        """Carries out an action; comes back when it is on the server's disk, or raises Refused."""
        self._check()
        move = Move(secrets.token_urlsafe(16), self.number, self.version, action)
        self._moves[move.id] = move
        deadline = time.monotonic() + patience
        try:
            while True:
                try:
                    await self._send_move(move)
                    message = await self._wait(move.answer, patience, f"move {action!r}")
                    break
                except Refused as refusal:
                    if refusal.code != "unavailable" or time.monotonic() > deadline:
                        raise
                await asyncio.sleep(AGAIN)
                move.forget_answer()
        finally:
            del self._moves[move.id]
        move.led_to = message["version"]
        return move

    async def say(self, type: str, patience: float = ANSWERED, **more: Any) -> dict[str, Any]:
        """Sends anything else; the `ok`. Raises Refused, or Lost if the connection breaks."""
        self._check()
        id = secrets.token_urlsafe(16)
        answer = self._answers[id] = asyncio.get_running_loop().create_future()
        try:
            async with self._sending:
                await self._pace()
                if not await self._send({"type": type, "id": id, **more}):
                    raise Lost
            return await self._wait(answer, patience, repr(type))
        finally:
            del self._answers[id]

    def calling(self) -> None:
        """Comes before every hello."""

    def heard(self, message: dict[str, Any]) -> None:
        """Takes note of a message."""
        type = message["type"]
        if type in ("welcome", "table"):
            self.table = message["table"]
        if type == "welcome":
            self.seat = message["seat"]
        if type in ("welcome", "match") and message["match"] is not None:
            match = message["match"]
            self.number, self.version = match["number"], match["version"]
            self.view = match["view"]
        if type == "welcome":
            self._welcomed = (self.number, self.version)
        if type == "update":
            self.version = message["version"]
            self.view = {**self.view, **message["changes"]}
        if type in ("ok", "error"):
            self._answered(message)

    def __str__(self) -> str:
        return f"seat {self.seat} of table {self.id}"

    def _answered(self, message: dict[str, Any]) -> None:
        id = message.get("id", "")
        answer = self._moves[id].answer if id in self._moves else self._answers.get(id)
        if answer is None:
            if message["type"] == "error" and message["code"] == "unavailable":
                raise ConnectionError(message["text"])  # a server that is not ready for a hello
            if message["type"] == "error":
                raise Refused(message["code"], message["text"])
        elif not answer.done():
            if message["type"] == "ok":
                answer.set_result(message)
            else:
                answer.set_exception(Refused(message["code"], message["text"]))

    async def _wait(
        self, answer: asyncio.Future[dict[str, Any]], patience: float, what: str
    ) -> dict[str, Any]:
        try:
            async with asyncio.timeout(patience):  # wait_for may lose a cancellation
                return await answer
        except TimeoutError:
            raise AssertionError(f"{self}: no answer to {what} in {patience} s") from None

    async def _run(self) -> None:
        try:
            while True:
                try:
                    async with connect(
                        self._url, proxy=None, compression=None, close_timeout=1.0, max_size=2**22
                    ) as socket:
                        await self._live(socket)
                except (OSError, EOFError, TimeoutError, WebSocketException) as error:
                    self.trouble = error
                    self._give_up_if_told(error)
                finally:
                    self._lost()
                await asyncio.sleep(RECONNECT)
        except Exception as error:
            self._failure = error
            for move in self._moves.values():
                if not move.answer.done():
                    move.answer.set_exception(error)
            self._tell()

    async def _live(self, socket: ClientConnection) -> None:
        """One connection, from hello to its end."""
        hello = {"type": "hello"} | ({} if self.token is None else {"token": self.token})
        self.calling()
        await socket.send(json.dumps(hello))
        again: asyncio.Task[None] | None = None
        try:
            async for text in socket:
                message = json.loads(text)
                self.heard(message)
                self._tell()
                if message["type"] == "welcome":
                    self.connections += 1
                    self._sent_at.clear()
                    self._socket = socket
                    again = asyncio.create_task(self._send_again())
        finally:
            if again is not None:
                again.cancel()
                await asyncio.gather(again, return_exceptions=True)

    async def _send_again(self) -> None:
        for move in list(self._moves.values()):
            if not move.answer.done():
                await self._send_move(move)

    async def _send_move(self, move: Move) -> None:
        async with self._sending:
            await self._pace()
            if move.connection != self.connections:
                move.connection, move.welcomed = self.connections, self._welcomed
                fields = {"id": move.id, "version": move.version, "action": move.action}
                await self._send({"type": "move", **fields})

    async def _pace(self) -> None:
        """Waits until the server takes another message."""
        if len(self._sent_at) == MESSAGES:
            await asyncio.sleep(self._sent_at[0] + SECONDS - time.monotonic())

    async def _send(self, message: dict[str, Any]) -> bool:
        """Whether it went out."""
        if self._socket is None:
            return False
        self._sent_at.append(time.monotonic())
        try:
            await self._socket.send(json.dumps(message))
        except ConnectionClosed:
            return False
        return True

    def _give_up_if_told(self, error: Exception) -> None:
        if isinstance(error, ConnectionClosed) and error.rcvd is not None:
            if error.rcvd.code in FINAL:
                raise AssertionError(f"{self}: the server closed with {error.rcvd}") from error

    def _lost(self) -> None:
        if self._socket is None:
            return
        self._socket = None
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(Lost())
        self._tell()

    def _tell(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    def _check(self) -> None:
        if self._failure is not None:
            raise self._failure
