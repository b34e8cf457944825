"""Requests for matches that were played: step by step, or as a file."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from lastcard.table import replay
from lastcard.table.refusals import Code, Refused
from lastcard.table.table import Table

from .answers import answered
from .limits import REST_AFTER_RESTING
from .reading import number_of, token_of
from .security import client_address
from .tables import hosted_of

if TYPE_CHECKING:
    from .app import Server


async def steps(server: Server, request: Request) -> Response:
    table, number = await _wanted(server, request)
    query = request.query_params
    first, count = number_of(query.get("from"), 0), number_of(query.get("count"), 50)
    seat, all_open = query.get("seat"), query.get("open") == "true"
    asked = None if seat is None else number_of(seat, 0)
    _check_may_see(request, table, number, asked)
    async with server.replays.turn(client_address(request.scope), REST_AFTER_RESTING):
        played = await server.house.journals.played(table, number)
        found = await asyncio.to_thread(replay.steps, played, asked, all_open, first, count)
    return answered(found)


async def match_file(server: Server, request: Request) -> Response:
    table, number = await _wanted(server, request)
    _check_may_see(request, table, number, None)
    async with server.replays.turn(client_address(request.scope), REST_AFTER_RESTING):
        played = await server.house.journals.played(table, number)
        text = await asyncio.to_thread(replay.match_file, played)
    name = f"{table.game.id}-{table.id}-{number}.json"
    disposition = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="application/json", headers=disposition)


async def _wanted(server: Server, request: Request) -> tuple[Table, int]:
    table = (await hosted_of(server, request)).table
    number = number_of(request.path_params["number"], 0)
    replay.is_over(table, number)  # Refused if there is no such match
    return table, number


def _check_may_see(request: Request, table: Table, number: int, seat: int | None) -> None:
    """During a match, players may see their own seat, and spectators what they saw."""
    if seat is not None and seat >= len(table.chairs):
        raise Refused(Code.NOT_FOUND, "There is no such seat at this table.")
    token = token_of(request)
    own = None if token is None else table.seat_of(token)
    if own is None and not table.setup.watch:
        raise Refused(Code.UNAUTHORIZED, "This table does not allow spectators.")
    if seat is not None and seat != own and not replay.is_over(table, number):
        raise Refused(Code.UNAUTHORIZED, "During a match you can replay only your own seat.")
