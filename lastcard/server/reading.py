"""What requests say: bodies, tokens, numbers and ids."""

from __future__ import annotations

import asyncio
from typing import TypeVar

import msgspec
from starlette.requests import Request

from lastcard.table.refusals import Code, Refused
from lastcard.table.setup import LONGEST_ID, SHORTEST_ID

from .limits import Limits

T = TypeVar("T")


async def body_of(request: Request, type: type[T], limits: Limits) -> T:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refused(Code.MALFORMED, "Requests have the content type application/json.")
    body = await _whole(request, limits)
    try:
        return msgspec.json.decode(body, type=type)
    except msgspec.ValidationError as error:
        raise Refused(Code.MALFORMED, f"{error}.") from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise Refused(Code.MALFORMED, "This is not JSON.") from None


async def _whole(request: Request, limits: Limits) -> bytes:
    body = b""
    try:
        async with asyncio.timeout(limits.body_within):
            async for part in request.stream():
                body += part
                if len(body) > limits.body:
                    why = f"Requests have at most {limits.body} bytes."
                    raise Refused(Code.TOO_LARGE, why)
    except TimeoutError:
        raise Refused(Code.MALFORMED, "The request was not sent to its end.") from None
    return body


def token_of(request: Request) -> str | None:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" and token else None


def number_of(text: str | None, default: int) -> int:
    if text is None:
        return default
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise Refused(Code.MALFORMED, "Numbers are written in digits.")
    return int(text)


def checked_id(id: str | None) -> str | None:
    if id is not None and not SHORTEST_ID <= len(id) <= LONGEST_ID:
        raise Refused(Code.MALFORMED, f"An id has {SHORTEST_ID} to {LONGEST_ID} characters.")
    return id
