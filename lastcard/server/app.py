"""The ASGI application: what is served where."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec
import segno
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from lastcard import __version__
from lastcard.bots import LEVELS
from lastcard.core.registry import game as find
from lastcard.core.registry import games
from lastcard.kernel.options import Above, Choice, Clash, Option
from lastcard.table import replay
from lastcard.table.entries import Pronoun
from lastcard.table.house import House, Seated
from lastcard.table.live import Live, Times
from lastcard.table.messages import REACTIONS, Error, encode
from lastcard.table.refusals import Code, Refused
from lastcard.table.setup import LONGEST_ID, SHORTEST_ID, Setup
from lastcard.table.store import Store
from lastcard.table.table import Table

from . import examples
from .doors import Doors
from .files import ICON, MANIFEST, Files
from .limits import REST_AFTER_RESTING, Buckets, Limits, Queue, Spacing
from .metrics import Metrics
from .reach import Reach
from .security import SecurityHeaders, check_host, check_origin, client_address
from .socket import IDLE, Socket, serve_socket

log = logging.getLogger("lastcard.server")
T = TypeVar("T")

STATUS = {
    Code.MALFORMED: 400,
    Code.TOO_LARGE: 413,
    Code.TOO_FAST: 429,
    Code.WRONG_ORIGIN: 403,
    Code.UNAUTHORIZED: 401,
    Code.NOT_FOUND: 404,
    Code.BAD_SETUP: 400,
    Code.BAD_NAME: 400,
    Code.FULL: 409,
    Code.NOT_SEATED: 403,
    Code.NOT_NOW: 409,
    Code.ILLEGAL: 409,
    Code.UNAVAILABLE: 503,
}
API = "/api/"
FOR_OPERATORS = ("/live", "/ready", "/metrics")
WATCH_EVERY = 15.0  # seconds between looks for connections that are idle


class NewTable(Setup, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What POST /api/tables takes: a setup, and who opens the table."""

    name: str
    seed: str | None = None
    pronoun: Pronoun | None = None


class Join(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    seed: str | None = None
    id: str | None = None
    pronoun: Pronoun | None = None


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
        """A page is many small files, and a family of phones has one address."""
        if path in FOR_OPERATORS:
            return self.checks
        return self.requests if path.startswith(API) else self.downloads

    async def close_idle(self) -> None:
        while True:
            await asyncio.sleep(min(WATCH_EVERY, self.limits.idle))
            before = time.monotonic() - self.limits.idle
            for socket in list(self.sockets):
                if socket.heard < before:
                    socket.close(IDLE)

    # --- Tables ----------------------------------------------------------------------------------

    async def open_table(self, request: Request) -> Response:
        wanted = await self._body(request, NewTable)
        if not self.openings.take(client_address(request.scope)):
            raise Refused(Code.TOO_FAST, "Too many tables from one address: wait a while.")
        facts = msgspec.structs.asdict(wanted)
        name, seed, pronoun = (facts.pop(one) for one in ("name", "seed", "pronoun"))
        seated = await self.house.open(Setup(**facts), name, seed, pronoun)
        return self._seated(request, seated)

    async def join(self, request: Request) -> Response:
        wanted = await self._body(request, Join)
        live = await self._live(request)
        id = _checked_id(wanted.id)
        seated = await self.house.join(live, wanted.name, wanted.seed, id, wanted.pronoun)
        return self._seated(request, seated)

    def _seated(self, request: Request, seated: Seated) -> Response:
        link = self._link(request, seated.table)
        answer = {
            "table": seated.table,
            "seat": seated.seat,
            "token": seated.token,
            "link": link,
            "own_link": f"{link}#{seated.token}",
        }
        return answered(answer, 201)

    async def table(self, request: Request) -> Response:
        return answered((await self._live(request)).shown())

    async def list_tables(self, request: Request) -> Response:
        found = await self.house.listed()
        return answered({"tables": [msgspec.Raw(one) for one in found]})

    async def qr(self, request: Request) -> Response:
        """The link as a picture, for phones in the same room."""
        live = await self._live(request)
        link = self._link(request, live.table.id)
        async with self.replays.turn(client_address(request.scope)):
            picture = await asyncio.to_thread(_qr, link)
        return Response(picture, media_type="image/svg+xml")

    async def games(self, request: Request) -> Response:
        return Response(self._offered(request), media_type="application/json")

    def _offered(self, request: Request) -> bytes:
        base, others = self._base(request)
        return msgspec.json.encode(
            {
                "invite": {"base": base, "others": others},
                "version": __version__,
                "games": [_game(id) for id in games()],
                "levels": LEVELS,
                "reactions": REACTIONS,
            }
        )

    # --- Matches again ---------------------------------------------------------------------------

    async def steps(self, request: Request) -> Response:
        table, number = await self._replayed(request)
        query = request.query_params
        first, count = _number(query.get("from"), 0), _number(query.get("count"), 50)
        seat, all_open = query.get("seat"), query.get("open") == "true"
        asked = None if seat is None else _number(seat, 0)
        self._may_see(request, table, number, asked)
        async with self.replays.turn(client_address(request.scope), REST_AFTER_RESTING):
            played = await self.house.played(table, number)
            found = await asyncio.to_thread(replay.steps, played, asked, all_open, first, count)
        return answered(found)

    async def match_file(self, request: Request) -> Response:
        table, number = await self._replayed(request)
        self._may_see(request, table, number, None)
        async with self.replays.turn(client_address(request.scope), REST_AFTER_RESTING):
            played = await self.house.played(table, number)
            text = await asyncio.to_thread(replay.match_file, played)
        name = f"{table.game.id}-{table.id}-{number}.json"
        disposition = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(text, media_type="application/json", headers=disposition)

    async def _replayed(self, request: Request) -> tuple[Table, int]:
        table = (await self._live(request)).table
        number = _number(request.path_params["number"], 0)
        replay.is_over(table, number)  # or there is no such match
        return table, number

    def _may_see(self, request: Request, table: Table, number: int, seat: int | None) -> None:
        """While a match goes on: one's own seat, or what those see who watch."""
        if seat is not None and seat >= len(table.chairs):
            raise Refused(Code.NOT_FOUND, "There is no such seat at this table.")
        token = _token(request)
        own = None if token is None else table.seat_of(token)
        if own is None and not table.setup.watch:
            raise Refused(Code.UNAUTHORIZED, "At this table nobody may watch.")
        if seat is not None and seat != own and not replay.is_over(table, number):
            raise Refused(Code.UNAUTHORIZED, "While the match goes on, only for your own seat.")

    # --- Examples in the rules -------------------------------------------------------------------

    async def example(self, request: Request) -> Response:
        path = await self._example(request)
        async with self.replays.turn(client_address(request.scope)):
            return answered(await asyncio.to_thread(examples.shown, path))

    async def play_example(self, request: Request) -> Response:
        wanted = await self._body(request, examples.Moves)
        path = await self._example(request)
        async with self.replays.turn(client_address(request.scope)):
            return answered(await asyncio.to_thread(examples.played, path, wanted.moves))

    async def _example(self, request: Request) -> Path:
        game, name = request.path_params["game"], request.path_params["name"]
        path = examples.find(game, name)
        await self.house.prepare(find(game))
        return path

    # --- The page for people ---------------------------------------------------------------------

    async def page(self, request: Request) -> Response:
        """The same for all addresses: it looks itself at which it was asked for. What it will need
        there is sent along, or named."""
        modules: list[str] = []
        asks: list[str] = []
        path = request.path_params
        game = path.get("game")
        if "table" in path:
            with contextlib.suppress(Refused):  # the page will say it
                game = await self.house.game_of(path["table"])
            asks = [AT.format(table=path["table"])] if game else []
        if game in games() and not request.url.path.startswith("/new/"):
            modules.append(f"{game}.js")
            if request.url.path.startswith("/rules/"):
                modules.append(f"{game}.rules.{{language}}.js")
        known = {"/api/games": self._offered(request)}
        return self.files.page(request.headers, known=known, modules=modules, asks=asks)

    async def file(self, request: Request) -> Response:
        return self.files.answer(request.path_params["path"], request.headers)

    async def manifest(self, request: Request) -> Response:
        return self.files.answer(MANIFEST, request.headers)

    async def icon(self, request: Request) -> Response:
        return self.files.answer(ICON, request.headers)

    # --- For operators ---------------------------------------------------------------------------

    async def live(self, request: Request) -> Response:
        return PlainTextResponse("ok")

    async def ready(self, request: Request) -> Response:
        missing = [id for id in games() if id not in self.house.warmed]
        if missing:
            return PlainTextResponse(f"getting ready: {', '.join(missing)}", 503)
        if not await self.house.store.is_writable():
            return PlainTextResponse("the database takes nothing", 503)
        return PlainTextResponse("ok")

    async def measure(self, request: Request) -> Response:
        return Response(self.metrics.text(), media_type="text/plain; version=0.0.4")

    # --- Reading requests ------------------------------------------------------------------------

    async def _live(self, request: Request) -> Live:
        return await self.house.live(request.path_params["table"])

    async def _body(self, request: Request, type: type[T]) -> T:
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise Refused(Code.MALFORMED, "A request has the content type application/json.")
        body = b""
        try:
            async with asyncio.timeout(self.limits.body_within):
                async for part in request.stream():
                    body += part
                    if len(body) > self.limits.body:
                        why = f"A request has at most {self.limits.body} bytes."
                        raise Refused(Code.TOO_LARGE, why)
        except TimeoutError:
            raise Refused(Code.MALFORMED, "The request did not come to its end.") from None
        try:
            return msgspec.json.decode(body, type=type)
        except msgspec.ValidationError as error:
            raise Refused(Code.MALFORMED, f"{error}.") from None
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            raise Refused(Code.MALFORMED, "This is not JSON.") from None

    def _link(self, request: Request, table: str) -> str:
        return f"{self._base(request)[0]}/t/{table}"

    def _base(self, request: Request) -> tuple[str, bool]:
        return self.reach.base(request.url.scheme, request.headers.get("host", ""))


class Guard:
    """Counts, bounds and logs requests; answers what is refused."""

    def __init__(self, app: ASGIApp, server: Callable[[], Server]) -> None:
        self.app = app
        self._server = server

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        server, started, status = self._server(), time.perf_counter(), 500
        request = Request(scope, receive)

        async def noted(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            address = client_address(scope)
            if not server.buckets_of(scope["path"]).take(address):
                raise Refused(Code.TOO_FAST, "Too many requests: wait a little.")
            if wait := server.spacing.wait(address):
                await asyncio.sleep(wait)
            if scope["path"] not in FOR_OPERATORS:
                check_host(request.headers, server.reach)
            if request.method not in ("GET", "HEAD"):
                check_origin(request.headers, server.origins)
            await self.app(scope, receive, noted)
        except Refused as refused:
            server.metrics.refused.labels(refused.code).inc()
            await refusal(refused)(scope, receive, noted)
        except ClientDisconnect:
            pass
        except Exception:
            log.exception("a request has failed")
            failed = Refused(Code.UNAVAILABLE, "Something went wrong here. Try it again.")
            await refusal(failed)(scope, receive, noted)
        finally:
            server.metrics.requests.labels(status).inc()
            route = scope.get("route")
            facts = {
                "method": request.method,
                "route": getattr(route, "path", None),
                "status": status,
                "ms": round(1000 * (time.perf_counter() - started), 1),
            }
            log.info("request", extra={"facts": facts})


def answered(content: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(content), status, media_type="application/json")


def refusal(refused: Refused) -> Response:
    error, status = Error(None, refused.code, refused.text), STATUS.get(refused.code, 409)
    # Whoever asks too much has to come again for every answer, and that is counted, too.
    headers = {"connection": "close"} if refused.code == Code.TOO_FAST else None
    return Response(encode(error), status, headers, media_type="application/json")


def http_error(error: HTTPException) -> Response:
    if error.status_code == 404:
        return refusal(Refused(Code.NOT_FOUND, "There is nothing here."))
    answer = refusal(Refused(Code.MALFORMED, f"{error.detail}."))
    answer.status_code = error.status_code
    return answer


def _token(request: Request) -> str | None:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" and token else None


def _number(text: str | None, default: int) -> int:
    if text is None:
        return default
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise Refused(Code.MALFORMED, "Numbers are written in digits.")
    return int(text)


def _checked_id(id: str | None) -> str | None:
    if id is not None and not SHORTEST_ID <= len(id) <= LONGEST_ID:
        raise Refused(Code.MALFORMED, f"An id has {SHORTEST_ID} to {LONGEST_ID} characters.")
    return id


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}".lower()


@lru_cache(256)
def _qr(link: str) -> str:
    code = segno.make(link, micro=False)
    picture = code.svg_inline(scale=8, border=4, dark="#000", light="#fff", omitsize=True)
    return picture.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)


def _game(id: str) -> dict[str, Any]:
    game = find(id)
    return {
        "id": id,
        "title": game.title,
        "tagline": game.tagline,
        "players": [game.fewest, game.most],
        "minutes": game.minutes,
        "lowest_wins": bool(game.rules.LOWEST_WINS),
        "options": [_option(option) for option in game.options],
        "clashes": [_clash(clash) for clash in game.clashes],
    }


def _option(option: Option) -> dict[str, Any]:
    facts = {name: getattr(option, name) for name in ("name", "kind", "default", "help")}
    if option.kind in ("number", "limit"):
        facts |= {"low": option.low, "high": option.high}
    if isinstance(option, Choice):
        facts["choices"] = option.choices
    return facts


def _clash(clash: Clash) -> dict[str, Any]:
    when = {
        name: {"above": wanted.most} if isinstance(wanted, Above) else wanted
        for name, wanted in clash.when.items()
    }
    return {"players": clash.players, "when": when}


AT = "/api/tables/{table}"
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
    ("GET", "/favicon.ico", Server.icon),
    ("GET", "/api/games", Server.games),
    ("GET", "/api/games/{game}/examples/{name}", Server.example),
    ("POST", "/api/games/{game}/examples/{name}", Server.play_example),
    ("GET", "/api/tables", Server.list_tables),
    ("POST", "/api/tables", Server.open_table),
    ("GET", AT, Server.table),
    ("POST", f"{AT}/join", Server.join),
    ("GET", f"{AT}/qr.svg", Server.qr),
    ("GET", f"{AT}/matches/{{number}}/steps", Server.steps),
    ("GET", f"{AT}/matches/{{number}}/file", Server.match_file),
    ("GET", "/live", Server.live),
    ("GET", "/ready", Server.ready),
    ("GET", "/metrics", Server.measure),
)


class Application:
    """What an ASGI server runs. The database is opened when it starts."""

    def __init__(
        self,
        database: str,
        limits: Limits | None = None,
        times: Times | None = None,
        reach: Reach | None = None,
        doors: Doors | None = None,
        when_ready: Callable[[], None] = lambda: None,
        when_stopping: Callable[[], None] = lambda: None,
    ) -> None:
        self._database = database
        self._limits = limits or Limits()
        self._times = times
        self._reach = reach or Reach()
        self._doors = doors or Doors(self._limits)
        self._when_ready = when_ready
        self._when_stopping = when_stopping
        self._server: Server | None = None
        self._requests = Starlette(
            routes=[Route(path, self._by(work), methods=[how]) for how, path, work in ROUTES],
            middleware=[Middleware(SecurityHeaders), Middleware(Guard, server=self.server)],
            exception_handlers={HTTPException: self._http_error},
            lifespan=self._live,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":  # past all that is for requests: every message counts
            await serve_socket(self.server(), scope, receive, send)
        else:
            await self._requests(scope, receive, send)

    def server(self) -> Server:
        assert self._server is not None, "it has not been started"
        return self._server

    async def _http_error(self, request: Request, error: Exception) -> Response:
        """People get the page, which says it in their language; programs get what they can read."""
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
    async def _live(self, app: Starlette) -> AsyncIterator[None]:
        store = await Store.open(self._database)
        house = House(store, self._times)
        self._server = Server(house, self._limits, self._reach, self._doors)
        work = [
            asyncio.create_task(self._get_ready(house)),
            asyncio.create_task(self._server.close_idle()),
        ]
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
        await house.warm()
        await house.warm_search()
        self._when_ready()
