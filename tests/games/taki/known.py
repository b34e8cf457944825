from __future__ import annotations

from typing import Any

import numpy as np

from lastcard.games.taki.components import COLOURED, KINDS, ROUNDS, colour_of, shape_of
from lastcard.kernel import NOBODY, Record
from tests.games.known import Known, counted


def meaning(s: Record) -> dict[str, Any]:
    return {
        "stock": None,  # unknown
        "pile": counted(s.pile[: s.pile_size]),  # shuffled before anybody draws from it
        "holds": None,  # what is in the hands
        "seen_at": None,  # `hide` has put these cards into the hands
        "seen_by": None,
        # Before the stock is made anew there is nothing.
        "remade": s.remade.tolist() if s.anew else None,
        "drawn": s.drawn[0].tolist() if s.anew else None,
    }


def settle(s: Record, before: Record, field: str) -> None:
    """Cards come from outside and go there, so that what is unseen stays the same."""
    for seat in range(s.players):
        s.holds[seat] = sum(1 << card for card in range(KINDS) if s.hands[seat, card])
    if field == "top":
        s.lead_shape = shape_of(s.top)
        if s.top < COLOURED:
            s.lead_colour = colour_of(s.top)
    if field != "outside":
        s.outside[:] += seen(before) - seen(s)


def seen(s: Record) -> Any:
    cards = [*s.pile[: s.pile_size], s.top]
    return np.bincount(cards, minlength=KINDS) + s.hands.sum(axis=0)


KNOWN = Known(
    by_seat=("hands", "holds", "sizes", "drawn", "old", "young", "barred"),
    seat=("turn", "asked", "exposed", "seen_at"),
    seats=("called", "seen_by"),
    rounds=lambda s: int(s.options[ROUNDS]),
    meaning=meaning,
    rare={"outside": (0, 1), "idle": (0, 1, 2), "asked": (NOBODY, 0, 1)},
    settle=settle,
)
