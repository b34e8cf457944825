from __future__ import annotations

from typing import Any

from lastcard.games.eight_half.components import EMPTY, ROUNDS
from lastcard.kernel import NOBODY, Record
from tests.games.known import Known, counted


def meaning(s: Record) -> dict[str, Any]:
    return {
        "banks": None,  # unknown
        "blind": (s.blind != EMPTY).tolist(),  # unknown, but for where one lies
        "pot": counted(s.pot[: s.pot_size]),  # eaten as a whole; its value is another field
        "pot_size": None,
        "holds": None,  # what is in the hands
        # Whoever burned a card: it is gone. How many each has burned is another field.
        "burned": (s.burned.sum(axis=0) + s.outside).tolist(),
        "outside": None,
        "winner": s.winner != NOBODY,  # it is his turn
    }


KNOWN = Known(
    by_seat=(
        *("hands", "holds", "sizes", "banks", "bank_sizes"),
        *("open", "blind", "burned", "burned_sizes", "barred"),
    ),
    seat=("last", "turn", "winner", "loser"),
    seats=("table",),
    rounds=lambda s: int(s.options[ROUNDS]),
    meaning=meaning,
    rows=("barred",),
    rare={"outside": (0, 1), "winner": (NOBODY, 0, 1), "loser": (NOBODY, 0, 1)},
)
