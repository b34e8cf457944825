"""What a table refuses: a closed list of codes, each with a sentence for people."""

from __future__ import annotations

from enum import StrEnum

from lastcard.errors import LastCardError


class Code(StrEnum):
    """Why something was refused. Clients go by the code; nothing has changed."""

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
    """Something that a table, or the server, does not do."""

    def __init__(self, code: Code, text: str) -> None:
        super().__init__(code, text)
        self.code = code
        self.text = text
