"""Starting the server: one process, or several that share a PostgreSQL database."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import ipaddress
import logging
import os
import resource
import signal
import socket
import sys
import threading
from collections.abc import Container
from typing import Any, cast
from urllib.parse import urlsplit

import msgspec
import uvicorn
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.supervisors import Multiprocess

from lastcard.errors import BadOption
from lastcard.table.database import SQLITE, read_address
from lastcard.table.opening import open_database

from . import logs
from .app import Application
from .bounded import BoundedHttp
from .browser import open_soon
from .doors import Doors
from .gate import Gate
from .limits import Limits
from .reach import EVERYWHERE, Reach, own_address, written
from .websocket import WebSocket

log = logging.getLogger("lastcard.server")

PROXIES = "FORWARDED_ALLOW_IPS"  # uvicorn's variable for trusted proxies
SETTINGS = "LASTCARD_SETTINGS"  # passes the settings to worker processes
NOFILE = resource.RLIMIT_NOFILE
MOST_FILES = 65_536  # open files, connections included
UNACKNOWLEDGED = 30  # seconds without a TCP acknowledgement before a connection is dropped
GOODBYE = 5  # seconds for requests under way when the server is told to stop
LAST_WORDS = 8  # seconds after that for pending writes
FIRST_PASSED = 3  # the file descriptor of a socket that systemd passes on
FILES_FOR_OTHERS = 256  # open files that are not connections


class Settings(msgspec.Struct, frozen=True):
    """The options of `lastcard serve`."""

    host: str
    port: int
    database: str
    workers: int
    public_url: str | None
    tables_per_hour: int
    connections_per_address: int
    requests_per_second: int
    log_level: str
    keep: int | None = None  # days
    listening: tuple[str, int] | None = None  # host and port, once known


def serve(settings: Settings, open_page: bool = False) -> None:
    """Serves until told to stop (SIGTERM, or Ctrl-C)."""
    if settings.workers > 1 and read_address(settings.database).kind == SQLITE:
        raise BadOption("workers", "several need PostgreSQL: give its URL with --database.")
    if settings.public_url is not None:
        url = urlsplit(settings.public_url)
        if url.scheme not in ("http", "https") or not url.netloc or url.query or url.fragment:
            raise BadOption("public-url", "must look like https://cards.example.")
    asyncio.run(_try(settings.database))
    soft, hard = resource.getrlimit(NOFILE)
    resource.setrlimit(NOFILE, (max(soft, min(hard, MOST_FILES)), hard))
    listening = _listen(settings.host, settings.port)
    host, port = listening.getsockname()[:2]
    settings = msgspec.structs.replace(settings, listening=(host, port))
    if host in EVERYWHERE:
        host = own_address(host) or socket.gethostname()
    address = f"http://{written(host)}:{port}"
    print(f"Last Card is at {address}", flush=True)
    if ipaddress.ip_address(listening.getsockname()[0]).is_loopback:
        print("For phones on the same network: lastcard serve --host 0.0.0.0", flush=True)
    if open_page:
        open_soon(address)
    os.environ[SETTINGS] = msgspec.json.encode(settings).decode()
    config = uvicorn.Config(
        "lastcard.server.run:app",
        factory=True,
        workers=settings.workers,
        loop="lastcard.server.gate:Loop",
        http=BoundedHttp,
        ws=WebSocket,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GOODBYE,
        proxy_headers=_is_behind_a_proxy(settings),
    )
    # After stopping, uvicorn raises the signal again; it has done its work.
    signal.signal(signal.SIGTERM, lambda *_: None)
    if settings.workers > 1:
        Multiprocess(config, sockets=[listening]).run()
    else:
        with contextlib.suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listening])


def app() -> Any:
    """The application of one process: uvicorn's factory."""
    settings = msgspec.json.decode(os.environ[SETTINGS], type=Settings)
    logs.set_up(settings.log_level)
    # How long the thread that commits waits for Python's lock while messages are handled.
    sys.setswitchinterval(0.0005)
    connections, (files, _) = settings.connections_per_address, resource.getrlimit(NOFILE)
    limits = Limits(
        tables_per_hour=settings.tables_per_hour,
        connections_per_address=connections,
        address_messages_per_second=max(Limits.address_messages_per_second, 2 * connections),
        address_messages_at_once=max(Limits.address_messages_at_once, 4 * connections),
        raw_per_address=max(Limits.raw_per_address, 2 * connections),
        arrivals_per_second=max(Limits.arrivals_per_second, connections / 5),
        raw_connections=max(files - FILES_FOR_OTHERS, files // 2),
        requests_per_second=settings.requests_per_second,
    )
    Gate.doors = doors = Doors(limits, _proxies(settings))
    return Application(
        settings.database,
        limits,
        reach=Reach(settings.public_url, settings.listening),
        doors=doors,
        keep=settings.keep,
        when_ready=_spare_the_garbage_collector,
        when_stopping=_have_last_words,
    )


def _is_behind_a_proxy(settings: Settings) -> bool:
    return settings.public_url is not None or PROXIES in os.environ


def _proxies(settings: Settings) -> Container[str]:
    """The proxies uvicorn trusts."""
    if not _is_behind_a_proxy(settings):
        return ()
    trusted = os.environ.get(PROXIES, "127.0.0.1,::1")
    return cast(Container[str], ProxyHeadersMiddleware(cast(Any, None), trusted).trusted_hosts)


def _spare_the_garbage_collector() -> None:
    """Everything loaded so far stays, so collections need not scan it. Messages leave no cycles
    behind, so they can be rare."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)


def _have_last_words() -> None:
    """Ends the process even if the database blocks pending writes."""

    def end() -> None:
        log.error("stopped before all was written: moves that were not acknowledged may be lost")
        os._exit(1)

    timer = threading.Timer(LAST_WORDS, end)
    timer.daemon = True
    timer.start()


async def _try(database: str) -> None:
    """Fails early, with a sentence, if the database cannot be used."""
    await (await open_database(database)).close()


def _listen(host: str, port: int) -> socket.socket:
    if os.environ.get("LISTEN_PID") == str(os.getpid()) and os.environ.get("LISTEN_FDS"):
        # systemd listens for us, so that nobody is refused while the server is restarted.
        return _patient(socket.socket(fileno=FIRST_PASSED))
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise BadOption(
            "port", f"cannot listen on {host}, port {port}: {error.strerror}."
        ) from None
    return _patient(listening)


def _patient(listening: socket.socket) -> socket.socket:
    # Accepted connections inherit it: a client that does not even acknowledge is gone.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * UNACKNOWLEDGED)
    return listening
