"""What is likely of cards that nobody sees, for the policy and for learners."""

from __future__ import annotations

from lastcard.kernel import Record, rule, wide

from .components import EMPTY, KINDS, SLOTS
from .knowledge import how_many, surely_not

COUNT = 5  # bits per kind in a packed count


@rule
def has_any(s: Record, other: int, held: int, kinds: int, unseen: int) -> float:
    """How likely another player can play a card of some kinds; 0 or 1 if it is visible. The kinds
    held are those of a visible hand."""
    if s.sizes[other] == 0:
        seen = False
        some = False
        for slot in range(SLOTS):
            card = wide(s.open[other, slot])
            if card != EMPTY:
                seen = True
                some |= kinds >> card & 1 != 0
        if seen:
            return 1.0 if some else 0.0
        return 1 - _none_of(unseen, kinds)
    if held:
        return 1.0 if held & kinds else 0.0
    nothing = 1.0
    possible, none = kinds, _none_of(unseen, kinds)
    for i in range(s.sizes[other]):
        may_be = kinds & ~surely_not(s, other, i)
        if may_be != possible:
            possible, none = may_be, _none_of(unseen, may_be)
        nothing *= none
    return 1 - nothing


@rule
def unseen_cards(s: Record) -> int:
    """How many unseen cards there are of each kind, packed into one number."""
    unseen = 0
    for card in range(KINDS):
        left = how_many(card) - s.outside[card]
        for other in range(s.players):
            left -= s.hands[other, card] + s.burned[other, card]
        unseen += wide(left) << COUNT * card
    for i in range(s.pot_size):
        unseen -= 1 << COUNT * wide(s.pot[i])
    for other in range(s.players):
        for slot in range(SLOTS):
            card = wide(s.open[other, slot])
            if 0 <= card < KINDS:
                unseen -= 1 << COUNT * card
    return unseen


@rule
def _none_of(unseen: int, kinds: int) -> float:
    """How likely an unseen card is none of some kinds."""
    count = wanted = 0
    for card in range(KINDS):
        left = unseen >> COUNT * card & (1 << COUNT) - 1
        count += left
        if kinds >> card & 1:
            wanted += left
    return 1 - wanted / max(count, 1)
