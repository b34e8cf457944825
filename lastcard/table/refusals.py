"""Refusals: a closed list of codes, each sent with a sentence for people."""

from __future__ import annotations

from enum import StrEnum

from lastcard.errors import LastCardError


class Code(StrEnum):
    """Why a request was refused. Clients go by the code. Nothing has changed then."""

    MALFORMED = "malformed"
    TOO_LARGE = "too_large"
    TOO_FAST = "too_fast"
    WRONG_ORIGIN = "wrong_origin"
    UNAUTHORIZED = "unauthorized"
    NOT_FOUND = "not_found"
    BAD_SETUP = "bad_setup"
    BAD_NAME = "bad_name"
    FULL = "full"
    HELLO_FIRST = "hello_first"
    NOT_SEATED = "not_seated"
    NOT_NOW = "not_now"
    ILLEGAL = "illegal"
    STALE = "stale"
    PAUSED = "paused"
    UNAVAILABLE = "unavailable"


class Refused(LastCardError):
    """A table, or the server, will not do what was asked."""

    def __init__(self, code: Code, text: str) -> None:
        super().__init__(code, text)
        self.code = code
        self.text = text
