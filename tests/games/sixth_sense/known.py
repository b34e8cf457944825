from __future__ import annotations

from typing import Any

from lastcard.games.sixth_sense.components import (
    COLOUR_OF,
    LAST_ROUND,
    NO_CARD,
    NUMBER_OF,
    PLACE_OF,
    ROUNDS,
    TARGET,
)
from lastcard.kernel import NOBODY, UNKNOWN, Record
from tests.games.known import Known


def meaning(s: Record) -> dict[str, Any]:
    there = int(s.trick_size)
    gone = s.outside.astype(int)
    if s.trump != NOBODY and s.stock_size > 0 and s.stock[s.stock_size - 1] != UNKNOWN:
        put(gone, s.stock[s.stock_size - 1])
    for card in predicted(s):
        put(gone, card)
    return {
        # Cards out of play: which of them were played, turned up or laid does not matter ...
        "outside": gone.tolist(),
        "stock": None,
        # ... but what the predictions say.
        "predictions": [number_of(int(card)) for card in s.predictions[: s.players]],
        "predicting": NO_CARD not in s.predictions[: s.players],
        "turn": None if s.predicting else int(s.turn),  # at first it is the leader
        "trick": s.trick[:there].tolist(),
        "blocker": int(s.blocker) if s.blocker < there else NOBODY,
        "blocked": int(s.blocked) if s.blocked < there else NOBODY,
    }


def number_of(card: int) -> int:
    """As a prediction; UNKNOWN and NO_CARD are as they are."""
    return card if card in (UNKNOWN, NO_CARD) else int(NUMBER_OF[card])


def predicted(s: Record) -> list[int]:
    """Cards that are known."""
    laid = (int(card) for card in s.predictions[: s.players])
    return [card for card in laid if card not in (UNKNOWN, NO_CARD)]


def put(cards: Any, card: int) -> None:
    cards[COLOUR_OF[card]] |= 1 << PLACE_OF[card]


def settle(s: Record, before: Record, field: str) -> None:
    """A prediction for another changes places with a card that was played, so that the same cards
    are gone."""
    if field == "predictions":
        for card in predicted(before):
            put(s.outside, card)
        for card in predicted(s):
            s.outside[COLOUR_OF[card]] &= ~(1 << PLACE_OF[card])


KNOWN = Known(
    by_seat=("hands", "sizes", "predictions", "tricks", "seen", "void"),
    seat=("turn", "leader"),
    seats=("predicting", "seen"),
    rounds=lambda s: LAST_ROUND if s.options[TARGET] else int(ROUNDS[s.players]),
    meaning=meaning,
    rare={"stock_size": (0, 5, 6)},
    settle=settle,
)
