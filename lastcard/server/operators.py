"""Requests of operators: health and metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from lastcard.core.registry import games

if TYPE_CHECKING:
    from .app import Server

PATHS = ("/live", "/ready", "/metrics")


async def live(server: Server, request: Request) -> Response:
    return PlainTextResponse("ok")


async def ready(server: Server, request: Request) -> Response:
    missing = [id for id in games() if id not in server.house.warmup.ready]
    if missing:
        return PlainTextResponse(f"getting ready: {', '.join(missing)}", 503)
    if not await server.house.store.is_writable():
        return PlainTextResponse("the database cannot be written to", 503)
    return PlainTextResponse("ok")


async def metrics(server: Server, request: Request) -> Response:
    return Response(server.metrics.text(), media_type="text/plain; version=0.0.4")
