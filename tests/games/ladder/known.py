from __future__ import annotations

from typing import Any

from lastcard.kernel import Record
from tests.games.known import Known

ROUNDS = 0  # the place of the option


def meaning(_: Record) -> dict[str, Any]:
    return {"stock": None}  # unknown


KNOWN = Known(
    by_seat=("hands", "sizes"),
    seat=("turn",),
    rounds=lambda s: int(s.options[ROUNDS]),
    meaning=meaning,
)
