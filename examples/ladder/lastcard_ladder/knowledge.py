"""What a seat may know of a match: `hide` and `guess`."""

from __future__ import annotations

from lastcard.kernel import (
    UNKNOWN,
    Deal,
    Record,
    Rng,
    deal_record,
    guess_chance,
    hide_chance,
    random_shuffle,
    rule,
)

from .components import DECK, KINDS

DEAL = deal_record(1, 1)  # not used: the stock has room for all unseen cards


@rule
def hide(s: Record, seat: int) -> None:
    hide_chance(s)
    for i in range(s.stock_size):
        s.stock[i] = UNKNOWN
    if s.over:
        return  # the last round is scored, so all hands are shown
    for other in range(s.players):
        if other != seat:
            for card in range(KINDS):
                s.hands[other, card] = 0


@rule
def guess(s: Record, seat: int, rng: Rng, deal: Deal) -> None:
    """Any deal of the unseen cards will do. (Players who draw cannot play: a better guess would
    remember that.)"""
    guess_chance(s, rng)
    unseen = 0
    for card in range(KINDS):
        seen = s.gone[card]
        for other in range(s.players):
            seen += s.hands[other, card]
        for _ in range(DECK[card] - seen):
            s.stock[unseen] = card
            unseen += 1
    random_shuffle(rng, s.stock, unseen)
    for other in range(s.players):
        if other != seat and not s.over:
            for _ in range(s.sizes[other]):
                unseen -= 1
                s.hands[other, s.stock[unseen]] += 1
                s.stock[unseen] = 0
