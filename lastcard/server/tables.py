"""Requests about tables: opening, joining, listing and showing them."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec
import segno
from starlette.requests import Request
from starlette.responses import Response

from lastcard.table.entries import Pronoun
from lastcard.table.hosted import HostedTable
from lastcard.table.house import Seated
from lastcard.table.refusals import Code, Refused
from lastcard.table.setup import Setup

from .answers import answered
from .reading import body_of, checked_id
from .security import client_address

if TYPE_CHECKING:
    from .app import Server


class NewTable(Setup, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of POST /api/tables: a setup, and who opens the table."""

    name: str
    seed: str | None = None
    pronoun: Pronoun | None = None


class Join(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    seed: str | None = None
    id: str | None = None
    pronoun: Pronoun | None = None


async def hosted_of(server: Server, request: Request) -> HostedTable:
    return await server.house.shelf.find(request.path_params["table"])


async def open_table(server: Server, request: Request) -> Response:
    wanted = await body_of(request, NewTable, server.limits)
    if not server.openings.take(client_address(request.scope)):
        raise Refused(Code.TOO_FAST, "Too many tables from one address. Wait a while.")
    facts = msgspec.structs.asdict(wanted)
    name, seed, pronoun = (facts.pop(one) for one in ("name", "seed", "pronoun"))
    seated = await server.house.open(Setup(**facts), name, seed, pronoun)
    return _seated(server, request, seated)


async def join(server: Server, request: Request) -> Response:
    wanted = await body_of(request, Join, server.limits)
    hosted = await hosted_of(server, request)
    id = checked_id(wanted.id)
    seated = await server.house.join(hosted, wanted.name, wanted.seed, id, wanted.pronoun)
    return _seated(server, request, seated)


def _seated(server: Server, request: Request, seated: Seated) -> Response:
    link = _link(server, request, seated.table)
    answer = {
        "table": seated.table,
        "seat": seated.seat,
        "token": seated.token,
        "link": link,
        "own_link": f"{link}#{seated.token}",
    }
    return answered(answer, 201)


async def show_table(server: Server, request: Request) -> Response:
    return answered((await hosted_of(server, request)).shown())


async def list_tables(server: Server, request: Request) -> Response:
    found = await server.house.journals.listed()
    return answered({"tables": [msgspec.Raw(one) for one in found]})


async def show_qr_code(server: Server, request: Request) -> Response:
    """The link as a picture, for phones in the same room."""
    hosted = await hosted_of(server, request)
    link = _link(server, request, hosted.table.id)
    async with server.replays.turn(client_address(request.scope)):
        picture = await asyncio.to_thread(_qr_code, link)
    return Response(picture, media_type="image/svg+xml")


def _link(server: Server, request: Request, table: str) -> str:
    return f"{server.base(request)[0]}/t/{table}"


@lru_cache(256)
def _qr_code(link: str) -> str:
    code = segno.make(link, micro=False)
    picture = code.svg_inline(scale=8, border=4, dark="#000", light="#fff", omitsize=True)
    return picture.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
