"""The servers that are measured, each in a process on a core of its own."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, cast

import asyncpg
import boardgame

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.postgres import postgres  # noqa: E402

HOST = "127.0.0.1"
START_WITHIN = 180  # seconds; the first start compiles all games
JOIN_WITHIN = 60
MADE_AT_ONCE = 40  # tables opened over one connection
ECHO = 400  # bytes, about the size of an update


class Server:
    """`lastcard serve` with an empty database, on a core of its own."""

    program = "from lastcard.cli import main; main()"
    workers = 1
    is_ready = "/ready"  # a path that answers as soon as it is

    def __init__(self, cores: list[int]) -> None:
        self.cores = cores
        self.folder = tempfile.TemporaryDirectory(prefix="lastcard-bench-")
        self.log = Path(self.folder.name, "log")
        with socket.create_server((HOST, 0)) as free:
            self.port: int = free.getsockname()[1]

    def command(self) -> tuple[list[str], dict[str, str]]:
        command = [sys.executable, "-c", self.program, "serve", "--host", HOST]
        command += ["--port", str(self.port), "--workers", str(self.workers)]
        command += ["--database", self.database()]
        command += ["--tables-per-hour", "1000000", "--connections-per-address", "100000"]
        command += ["--requests-per-second", "100000"]
        return command, dict(os.environ)

    def database(self) -> str:
        return f"sqlite:///{Path(self.folder.name, 'tables.db')}"

    def __enter__(self) -> Server:
        command, env = self.command()
        if len(self.cores) > 1:
            os.sched_setaffinity(0, self.cores[:1])  # inherited by all threads of the server
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=log, stderr=log)
        if len(self.cores) > 1:
            os.sched_setaffinity(0, self.cores[1:2])
        give_up = time.monotonic() + START_WITHIN
        while not self.ready():
            if self.process.poll() is not None or time.monotonic() > give_up:
                self.__exit__(None, None, None)
                sys.exit(f"The server was not ready after {START_WITHIN} s.")
            time.sleep(0.1)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        ended = self.process.poll()
        self.process.terminate()
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        log = self.log.read_text(errors="replace")[-2000:]
        self.folder.cleanup()
        if ended is not None:
            sys.exit(f"The server exited with {ended}. The end of its log:\n{log}")

    def ready(self) -> bool:
        connection = http.client.HTTPConnection(HOST, self.port, timeout=5)
        try:
            connection.request("GET", self.is_ready)
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    def memory(self) -> int:
        """Resident, in KB."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))

    def cpu(self) -> float:
        """CPU seconds that it has used so far, with all its processes."""
        return cpu_of(self.process.pid)

    def metric(self, name: str) -> float:
        """One of those at /metrics."""
        connection = http.client.HTTPConnection(HOST, self.port, timeout=JOIN_WITHIN)
        connection.request("GET", "/metrics")
        lines = connection.getresponse().read().decode().splitlines()
        connection.close()
        return next(float(line.split()[1]) for line in lines if line.split()[0] == name)

    def core_cpu(self) -> float:
        """CPU seconds that its core has spent so far, on any process."""
        lines = Path("/proc/stat").read_text().splitlines()
        fields = next(line.split() for line in lines if line.startswith(f"cpu{self.cores[0]} "))
        user, nice, system, _idle, _waiting, irq, softirq, steal = map(int, fields[1:9])
        ticks = user + nice + system + irq + softirq + steal
        return ticks / os.sysconf("SC_CLK_TCK")

    def make_tables(
        self, game: str, count: int, bots: Sequence[str], options: Mapping[str, int]
    ) -> list[tuple[str, list[str]]]:
        """Opens full tables of two over HTTP; returns the id and people's tokens of each."""
        setup: dict[str, Any] = {"game": game, "players": 2, "bots": list(bots), "grace": None}
        setup["options"] = dict(options)

        def make(first: int) -> list[tuple[str, list[str]]]:
            connection = http.client.HTTPConnection(HOST, self.port, timeout=JOIN_WITHIN)

            def post(path: str, body: dict[str, Any]) -> dict[str, Any]:
                headers = {"Content-Type": "application/json"}
                connection.request("POST", path, json.dumps(body), headers)
                response = connection.getresponse()
                answer = response.read()
                if response.status == 503:  # too much at once for this machine
                    time.sleep(0.1)
                    return post(path, body)
                if response.status != 201:
                    sys.exit(f"POST {path}: {response.status} {answer.decode()}")
                return cast(dict[str, Any], json.loads(answer))

            made = []
            for _ in range(first, min(first + MADE_AT_ONCE, count)):
                seat = post("/api/tables", {**setup, "name": "Ann"})
                tokens = [seat["token"]]
                if not bots:
                    joined = post(f"/api/tables/{seat['table']}/join", {"name": "Ben"})
                    tokens.append(joined["token"])
                made.append((seat["table"], tokens))
            connection.close()
            return made

        with ThreadPoolExecutor(8) as pool:
            made = pool.map(make, range(0, count, MADE_AT_ONCE))
            return [table for some in made for table in some]


class OnPostgres(Server):
    """The same with a PostgreSQL of its own, which runs on any core."""

    def __enter__(self) -> Server:
        self._running = ExitStack()
        self._url = self._running.enter_context(postgres())
        try:
            self._postmaster = asyncio.run(_postmaster(self._url))
            return super().__enter__()
        except BaseException:
            self._running.close()
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            super().__exit__(kind, error, trace)
        finally:
            self._running.close()

    def database(self) -> str:
        return self._url

    def database_cpu(self) -> float:
        """CPU seconds that PostgreSQL has used so far."""
        return cpu_of(self._postmaster)


class TwoOnPostgres(OnPostgres):
    """Two processes, which share the core; people at a table may come to different ones."""

    workers = 2


async def _postmaster(url: str) -> int:
    """The process that all others of a PostgreSQL come from."""
    connection = await asyncpg.connect(url)
    try:
        return _times_of(await connection.fetchval("SELECT pg_backend_pid()"))[0]
    finally:
        await connection.close()


def _times_of(pid: int) -> tuple[int, int]:
    """The parent of a process, and its CPU time, in ticks, with that of children that ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[1]), sum(map(int, fields[11:15]))


def cpu_of(pid: int) -> float:
    """CPU seconds of a process and all that come from it."""
    known: dict[int, tuple[int, int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has just ended
            known[int(folder.name)] = _times_of(int(folder.name))
    family, grown = {pid}, 0
    while len(family) > grown:
        grown = len(family)
        family |= {one for one, (parent, _) in known.items() if parent in family}
    return sum(known[one][1] for one in family) / os.sysconf("SC_CLK_TCK")


ANSWER = f"""
async def app(scope, receive, send):
    if scope["type"] == "http":
        await send({{"type": "http.response.start", "status": 200, "headers": []}})
        await send({{"type": "http.response.body", "body": b"ok"}})
    elif scope["type"] == "websocket":
        await receive()
        await send({{"type": "websocket.accept"}})
        while (await receive())["type"] == "websocket.receive":
            for _ in range(2):
                await send({{"type": "websocket.send", "text": "x" * {ECHO}}})
"""


class Bare(Server):
    """uvicorn, set up as in `lastcard serve`, with an application that does next to nothing."""

    program = f"""
import sys, uvicorn
{ANSWER}
port = int(sys.argv[sys.argv.index("--port") + 1])
uvicorn.run(app, port=port, ws="websockets-sansio", loop="uvloop", http="httptools",
            ws_per_message_deflate=False, log_level="error", lifespan="off", backlog=2048)
"""


class Granian(Server):
    """The same application with Granian, which is written in Rust."""

    program = f"""
import sys, uvloop
from granian.constants import Interfaces
from granian.server.embed import Server
{ANSWER}
port = int(sys.argv[sys.argv.index("--port") + 1])
server = Server(app, "127.0.0.1", port, interface=Interfaces.ASGINL, log_enabled=False)
uvloop.run(server.serve())
"""


class Picows(Server):
    """The same with picows, WebSockets written in Cython, which know no ASGI."""

    program = f"""
import asyncio, sys, picows, uvloop
class Listener(picows.WSListener):
    def on_ws_frame(self, transport, frame):
        if frame.msg_type == picows.WSMsgType.TEXT:
            for _ in range(2):
                transport.send(picows.WSMsgType.TEXT, b"x" * {ECHO})
        elif frame.msg_type == picows.WSMsgType.CLOSE:
            transport.disconnect()
async def main():
    port = int(sys.argv[sys.argv.index("--port") + 1])
    server = await picows.ws_create_server(lambda _: Listener(), "127.0.0.1", port, backlog=2048)
    await server.serve_forever()
uvloop.run(main())
"""

    def ready(self) -> bool:
        """It knows no other requests, and says so."""
        try:
            socket.create_connection((HOST, self.port), timeout=5).close()
        except OSError:
            return False
        return True


class Frames(Server):
    """The same with our own WebSockets, past ASGI."""

    program = f"""
import asyncio, sys, uvicorn
from lastcard.server.websocket import WIRE, Closed, WebSocket
async def app(scope, receive, send):
    if scope["type"] == "http":
        await send({{"type": "http.response.start", "status": 200, "headers": []}})
        await send({{"type": "http.response.body", "body": b"ok"}})
    elif scope["type"] == "websocket":
        wire, over = scope["extensions"][WIRE]["wire"], asyncio.Event()
        def hear():
            try:
                while wire.take() is not None:
                    for _ in range(2):
                        wire.write(b"x" * {ECHO})
            except Closed:
                over.set()
        wire.listen(hear)
        await over.wait()
port = int(sys.argv[sys.argv.index("--port") + 1])
uvicorn.run(app, port=port, ws=WebSocket, loop="uvloop", http="httptools",
            log_level="error", lifespan="off", backlog=2048)
"""


class BoardgameIO(Server):
    is_ready = "/socket.io/?EIO=4&transport=polling"

    def command(self) -> tuple[list[str], dict[str, str]]:
        return boardgame.command("server.cjs", self.port), boardgame.environment()
