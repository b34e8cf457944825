"""Cards on the move: from the stock to hands, from hands to the pile, and from hand to hand."""

from __future__ import annotations

from lastcard.kernel import (
    PUBLIC,
    Log,
    Record,
    bit,
    emit,
    inlined,
    lowest,
    rule,
    shuffle,
    take,
    wide,
)

from .components import DREW, RECEIVED, REMADE, STUCK
from .knowledge import follow_hands, forget, know_own_hand, next_passing, remember_stock


@rule
def put_into(s: Record, seat: int, card: int) -> None:
    s.hands[seat, card] += 1
    s.holds[seat] |= 1 << card
    s.sizes[seat] += 1


@rule
def draw_cards(s: Record, seat: int, count: int, log: Log) -> None:
    """As many as there are. An empty stock is remade from the pile under the leading card."""
    for drawn in range(count):
        if s.stock_size == 0:
            if s.pile_size == 0:
                if drawn == 0:
                    emit(log, STUCK, seat, PUBLIC, 0, 0, 0)
                return
            _make_stock(s)
            emit(log, REMADE, seat, PUBLIC, 0, 0, 0)
        card = take(s)
        put_into(s, seat, card)
        if s.anew:
            s.drawn[seat, card] += 1
            s.young[seat] += 1
        emit(log, DREW, seat, bit(seat), card, 0, 0)


@inlined
def _make_stock(s: Record) -> None:
    for i in range(s.pile_size):
        s.stock[i] = s.pile[i]
        s.pile[i] = 0
    s.stock_size = s.pile_size
    s.pile_size = 0
    remember_stock(s)
    shuffle(s, s.stock, s.stock_size)


@rule
def leave_hand(s: Record, seat: int, card: int) -> None:
    s.hands[seat, card] -= 1
    s.holds[seat] ^= wide(s.hands[seat, card] == 0) << card
    s.sizes[seat] -= 1
    forget(s, seat, card)


@inlined
def lay(s: Record, seat: int, card: int, colour: int, shape: int) -> None:
    """A card leaves a hand and leads; the one that led goes to the pile."""
    leave_hand(s, seat, card)
    s.pile[s.pile_size] = s.top
    s.pile_size += 1
    s.top = card
    s.lead_colour = colour
    s.lead_shape = shape


@inlined
def pass_hands(s: Record, keeper: int, log: Log) -> None:
    """All players but the keeper pass their whole hands on, in the direction of play."""
    for seat in range(s.players):
        if seat != keeper:
            know_own_hand(s, seat)
    # Swapping neighbours all the way around moves every hand by one seat.
    first = 1 if keeper == 0 else 0
    here = next_passing(s, first, -s.direction, keeper)
    while here != first:
        before = next_passing(s, here, -s.direction, keeper)
        _swap_hands(s, here, before)
        here = before
    follow_hands(s, keeper)
    for seat in range(s.players):
        if seat != keeper:
            emit(log, RECEIVED, seat, PUBLIC, s.sizes[seat], 0, 0)


@inlined
def _swap_hands(s: Record, a: int, b: int) -> None:
    cards = s.holds[a] | s.holds[b]
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        s.hands[a, card], s.hands[b, card] = s.hands[b, card], s.hands[a, card]
    s.holds[a], s.holds[b] = s.holds[b], s.holds[a]
    s.sizes[a], s.sizes[b] = s.sizes[b], s.sizes[a]
    s.old[a], s.old[b] = s.old[b], s.old[a]
    s.young[a], s.young[b] = s.young[b], s.young[a]
    s.barred[a], s.barred[b] = s.barred[b], s.barred[a]
