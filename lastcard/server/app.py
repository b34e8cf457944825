"""The ASGI application: what is served where."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from lastcard import __version__
from lastcard.core.registry import game as find
from lastcard.core.registry import games
from lastcard.table.clearing import clear_for_good
from lastcard.table.house import House
from lastcard.table.refusals import Refused
from lastcard.table.store import Store
from lastcard.table.times import Times

from . import examples, operators, replays, tables
from .answers import answered, http_error
from .catalogue import offered
from .doors import Doors
from .files import ICON, MANIFEST, Files
from .guard import Guard
from .limits import Buckets, Limits, Queue, Spacing
from .metrics import Metrics
from .reach import Reach
from .reading import body_of
from .security import SecurityHeaders, client_address
from .socket import IDLE, Socket, serve_socket

log = logging.getLogger("lastcard.server")

API = "/api/"
WATCH_EVERY = 15.0  # seconds between checks for idle connections


class Server:
    """One process: its tables, its connections, its limits."""

    def __init__(
        self, house: House, limits: Limits, reach: Reach, doors: Doors | None = None
    ) -> None:
        self.house = house
        self.limits = limits
        self.reach = reach
        self.origins = {_origin(reach.public_url)} if reach.public_url else set()
        self.metrics = Metrics(house, doors or Doors(limits))
        self.files = Files()
        self.sockets: set[Socket] = set()
        self.connections: Counter[str] = Counter()  # by address
        most = limits.addresses
        per_second = limits.requests_per_second
        self.requests = Buckets(per_second, 5 * per_second, most)
        files_per_second = limits.files_for_a_request * per_second
        self.downloads = Buckets(files_per_second, 5 * files_per_second, most)
        self.spacing = Spacing(1 / (2 * files_per_second), most)
        self.messages = Buckets(
            limits.address_messages_per_second, limits.address_messages_at_once, most
        )
        self.checks = Buckets(per_second, 5 * per_second, most)  # of operators
        self.replays = Queue(limits.replays_at_once, limits.replays_waiting)
        hourly = limits.tables_per_hour
        self.openings = Buckets(hourly / 3600, hourly, most)

    def buckets_of(self, path: str) -> Buckets:
        """A page is many small files, and a family's phones share one address."""
        if path in operators.PATHS:
            return self.checks
        return self.requests if path.startswith(API) else self.downloads

    async def close_idle(self) -> None:
        while True:
            await asyncio.sleep(min(WATCH_EVERY, self.limits.idle))
            before = time.monotonic() - self.limits.idle
            for socket in list(self.sockets):
                if socket.heard < before:
                    socket.close(IDLE)

    async def games(self, request: Request) -> Response:
        return Response(self._offered(request), media_type="application/json")

    def _offered(self, request: Request) -> bytes:
        base, others = self.base(request)
        return msgspec.json.encode(offered({"base": base, "others": others}))

    # --- Examples in the rules -------------------------------------------------------------------

    async def example(self, request: Request) -> Response:
        path = await self._example(request)
        async with self.replays.turn(client_address(request.scope)):
            return answered(await asyncio.to_thread(examples.shown, path))

    async def play_example(self, request: Request) -> Response:
        wanted = await body_of(request, examples.Moves, self.limits)
        path = await self._example(request)
        async with self.replays.turn(client_address(request.scope)):
            return answered(await asyncio.to_thread(examples.played, path, wanted.moves))

    async def _example(self, request: Request) -> Path:
        game, name = request.path_params["game"], request.path_params["name"]
        path = examples.find(game, name)
        await self.house.warmup.prepare(find(game))
        return path

    # --- The page --------------------------------------------------------------------------------

    async def page(self, request: Request) -> Response:
        """One page for all paths: it looks at its own address. What it will need there is embedded,
        or preloaded."""
        modules: list[str] = []
        asks: list[str] = []
        path = request.path_params
        game = path.get("game")
        if "table" in path:
            with contextlib.suppress(Refused):  # the page will say so
                game = await self.house.shelf.game_of(path["table"])
            asks = [TABLE_PATH.format(table=path["table"])] if game else []
        if game in games() and not request.url.path.startswith("/new/"):
            modules.append(f"{game}.js")
            if request.url.path.startswith("/rules/"):
                modules.append(f"{game}.rules.{{language}}.js")
        known = {"/api/games": self._offered(request)}
        return self.files.page(request.headers, known=known, modules=modules, asks=asks)

    async def file(self, request: Request) -> Response:
        path = request.path_params["path"]
        if (game := self.files.played(path)) is not None:
            await self.house.warmup.prepare(find(game))
        return self.files.answer(path, request.headers)

    async def manifest(self, request: Request) -> Response:
        return self.files.answer(MANIFEST, request.headers)

    async def service(self, request: Request) -> Response:
        return self.files.service(request.headers)

    async def icon(self, request: Request) -> Response:
        return self.files.answer(ICON, request.headers)

    def base(self, request: Request) -> tuple[str, bool]:
        return self.reach.base(request.url.scheme, request.headers.get("host", ""))


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}".lower()


TABLE_PATH = "/api/tables/{table}"
ROUTES = (
    ("GET", "/", Server.page),
    ("GET", "/new/{game}", Server.page),
    ("GET", "/t/{table}", Server.page),
    ("GET", "/t/{table}/matches/{number}", Server.page),
    ("GET", "/rules", Server.page),
    ("GET", "/rules/{game}", Server.page),
    ("GET", "/settings", Server.page),
    ("GET", "/web/{path:path}", Server.file),
    ("GET", "/manifest.webmanifest", Server.manifest),
    ("GET", "/service.js", Server.service),
    ("GET", "/favicon.ico", Server.icon),
    ("GET", "/api/games", Server.games),
    ("GET", "/api/games/{game}/examples/{name}", Server.example),
    ("POST", "/api/games/{game}/examples/{name}", Server.play_example),
    ("GET", "/api/tables", tables.list_tables),
    ("POST", "/api/tables", tables.open_table),
    ("GET", TABLE_PATH, tables.show_table),
    ("POST", f"{TABLE_PATH}/join", tables.join),
    ("GET", f"{TABLE_PATH}/qr.svg", tables.show_qr_code),
    ("GET", f"{TABLE_PATH}/matches/{{number}}/steps", replays.steps),
    ("GET", f"{TABLE_PATH}/matches/{{number}}/file", replays.match_file),
    ("GET", "/live", operators.live),
    ("GET", "/ready", operators.ready),
    ("GET", "/metrics", operators.metrics),
)


class Application:
    """What an ASGI server runs. Opens the database when it starts."""

    def __init__(
        self,
        database: str,
        limits: Limits | None = None,
        times: Times | None = None,
        reach: Reach | None = None,
        doors: Doors | None = None,
        keep: float | None = None,
        when_ready: Callable[[], None] = lambda: None,
        when_stopping: Callable[[], None] = lambda: None,
    ) -> None:
        self._database = database
        self._limits = limits or Limits()
        self._times = times
        self._reach = reach or Reach()
        self._doors = doors or Doors(self._limits)
        self._keep = keep  # days, after which unused tables are removed
        self._when_ready = when_ready
        self._when_stopping = when_stopping
        self._server: Server | None = None
        self._requests = Starlette(
            routes=[Route(path, self._by(work), methods=[how]) for how, path, work in ROUTES],
            middleware=[Middleware(SecurityHeaders), Middleware(Guard, server=self.server)],
            exception_handlers={HTTPException: self._http_error},
            lifespan=self._lifespan,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":  # bypasses the middleware, which is for requests
            await serve_socket(self.server(), scope)
        else:
            await self._requests(scope, receive, send)

    def server(self) -> Server:
        assert self._server is not None, "not started"
        return self._server

    async def _http_error(self, request: Request, error: Exception) -> Response:
        """People get the page, which says it in their language; programs get JSON."""
        assert isinstance(error, HTTPException)
        for_people = "text/html" in request.headers.get("accept", "")
        if error.status_code == 404 and for_people and not request.url.path.startswith("/api/"):
            answer = await self.server().page(request)
            answer.status_code = 404 if answer.status_code == 200 else answer.status_code
            return answer
        return http_error(error)

    def _by(self, work: Callable[[Server, Request], Awaitable[Response]]) -> Any:
        async def endpoint(request: Request) -> Response:
            return await work(self.server(), request)

        return endpoint

    @contextlib.asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        store = await Store.open(self._database)
        house = House(store, self._times)
        self._server = Server(house, self._limits, self._reach, self._doors)
        work = [
            asyncio.create_task(self._get_ready(house)),
            asyncio.create_task(self._server.close_idle()),
        ]
        if self._keep is not None:
            work.append(asyncio.create_task(clear_for_good(store, house.tables, self._keep)))
        log.info("serving", extra={"facts": {"version": __version__}})
        yield
        self._when_stopping()
        for task in work:
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)
        await house.close()
        await store.close()
        log.info("stopped")

    async def _get_ready(self, house: House) -> None:
        await house.warmup.all_games()
        await house.warmup.search()
        self._when_ready()
