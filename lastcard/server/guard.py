"""Stands before all requests: limits, hosts, origins, logs, and answers for what is refused."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Receive, Scope, Send

from lastcard.table.refusals import Code, Refused

from . import operators
from .answers import refusal
from .security import check_host, check_origin, client_address

if TYPE_CHECKING:
    from .app import Server

log = logging.getLogger("lastcard.server")


class Guard:
    """ASGI middleware."""

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
            await _admit(server, request)
            await self.app(scope, receive, noted)
        except Refused as refused:
            server.metrics.refused.labels(refused.code).inc()
            await refusal(refused)(scope, receive, noted)
        except ClientDisconnect:
            pass
        except Exception:
            log.exception("a request has failed")
            failed = Refused(Code.UNAVAILABLE, "Something went wrong here. Try again.")
            await refusal(failed)(scope, receive, noted)
        finally:
            server.metrics.requests.labels(status).inc()
            _log(request, status, started)


async def _admit(server: Server, request: Request) -> None:
    """Waits for the request's turn; or raises Refused."""
    path, address = request.scope["path"], client_address(request.scope)
    if not server.buckets_of(path).take(address):
        raise Refused(Code.TOO_FAST, "Too many requests. Wait a moment.")
    if wait := server.spacing.wait(address):
        await asyncio.sleep(wait)
    if path not in operators.PATHS:
        check_host(request.headers, server.reach)
    if request.method not in ("GET", "HEAD"):
        check_origin(request.headers, server.origins)


def _log(request: Request, status: int, started: float) -> None:
    """The route, not the path, which may hold the id of a table."""
    facts = {
        "method": request.method,
        "route": getattr(request.scope.get("route"), "path", None),
        "status": status,
        "ms": round(1000 * (time.perf_counter() - started), 1),
    }
    log.info("request", extra={"facts": facts})
