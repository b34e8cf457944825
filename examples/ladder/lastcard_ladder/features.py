"""What a learner sees: a seat's view as numbers, each with a name."""

from __future__ import annotations

from typing import Any

from lastcard.kernel import Numbered, Record, beside, rule

from .components import CARDS, DECK_SIZE, KINDS, SEATS

observed: Numbered[str] = Numbered()
OWN = observed.row(f"own {card}" for card in CARDS)
GONE = observed.row(f"gone {card}" for card in CARDS)
TOP = observed.row(f"top {card}" for card in CARDS)
STOCK = observed.add("stock")
TURN = observed.row(f"turn {place}" for place in range(SEATS))
HELD = observed.row(f"cards {place}" for place in range(SEATS))
SCORE = observed.row(f"score {place}" for place in range(SEATS))
OBSERVED = tuple(observed)
N_OBSERVED = len(OBSERVED)


@rule
def observe(s: Record, seat: int, out: Any) -> None:
    """Cards in quarters, the stock in decks, hands and scores in tens."""
    for i in range(N_OBSERVED):
        out[i] = 0.0
    there = max(seat, 0)
    for card in range(KINDS):
        if seat >= 0:
            out[OWN + card] = s.hands[there, card] / 4
        out[GONE + card] = s.gone[card] / 4
    out[TOP + s.top] = 1.0
    out[STOCK] = s.stock_size / DECK_SIZE
    for place in range(s.players):
        out[TURN + place] = s.turn == there
        out[HELD + place] = s.sizes[there] / 10
        out[SCORE + place] = s.scores[there] / 10
        there = beside(there, 1, s.players)
