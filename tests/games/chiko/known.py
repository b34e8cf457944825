from __future__ import annotations

from typing import Any

from lastcard.games.chiko.components import LAST_ROUND
from lastcard.kernel import Record
from tests.games.known import Known


def meaning(s: Record) -> dict[str, Any]:
    return {"stock": None}  # unknown


KNOWN = Known(
    by_seat=("hands", "sizes"),
    seat=("turn", "last"),
    seats=("quit",),
    rounds=lambda _: LAST_ROUND,
    meaning=meaning,
)
