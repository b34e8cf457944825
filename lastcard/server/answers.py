"""What requests are answered with: JSON, also where they are refused."""

from __future__ import annotations

import msgspec
from starlette.exceptions import HTTPException
from starlette.responses import Response

from lastcard.table.messages import Error, encode
from lastcard.table.refusals import Code, Refused

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


def answered(content: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(content), status, media_type="application/json")


def refusal(refused: Refused) -> Response:
    error, status = Error(None, refused.code, refused.text), STATUS.get(refused.code, 409)
    # Clients that ask too often must reconnect for every answer, and connections are limited, too.
    headers = {"connection": "close"} if refused.code == Code.TOO_FAST else None
    return Response(encode(error), status, headers, media_type="application/json")


def http_error(error: HTTPException) -> Response:
    if error.status_code == 404:
        return refusal(Refused(Code.NOT_FOUND, "There is nothing here."))
    answer = refusal(Refused(Code.MALFORMED, f"{error.detail}."))
    answer.status_code = error.status_code
    return answer
