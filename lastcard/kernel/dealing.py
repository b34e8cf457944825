"""Dealing: the stock of a match, and deals of unseen cards that fit what is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from .chance import pick, random_below, random_shuffle, shuffle_rest
from .compiling import Record, Rng, inlined, rule
from .records import wide, with_fields
from .seats import lowest

Deal: TypeAlias = Any  # a record of a game's own layout: see `deal_record`

# --- A stock: the first `stock_size` of `stock` are there, the last of these is on top ------------


@inlined
def take(s: Record) -> int:
    """The top card of the stock."""
    s.stock_size -= 1
    card = s.stock[s.stock_size]
    s.stock[s.stock_size] = 0
    return wide(card)


@inlined
def put_back(s: Record, card: int) -> None:
    """Puts a card into the stock at a random place."""
    place = pick(s, s.stock_size + 1)
    for i in range(s.stock_size, place, -1):
        s.stock[i] = s.stock[i - 1]
    s.stock[place] = card
    s.stock_size += 1


def bury(s: Record, cards: list[int]) -> None:
    """Puts cards that a position leaves open under the stock, in an order drawn from the key."""
    listed = [int(card) for card in s.stock[: s.stock_size]]
    s.stock[: len(cards)] = cards
    shuffle_rest(s, s.stock, len(cards))
    s.stock[len(cards) : len(cards) + len(listed)] = listed
    s.stock_size = len(cards) + len(listed)


# --- Deals of unseen cards -----------------------------------------------------------------------
#
# `guess` deals the cards that a seat does not see to places of limited room: other hands, or parts
# of them about which something is known, and what lies face down. It works in a
# deal, a record that its caller provides, since rules allocate nothing.

MOST_PLACES = 63  # sets of places are bits


def deal_record(
    cards: int, places: int, of_cards: Sequence[str] = (), of_places: Sequence[str] = ()
) -> np.dtype[Any]:
    """The layout of a game's deals, with numbers of its own for every card and every place."""
    if places > MOST_PLACES:
        raise ValueError(f"A deal has at most {MOST_PLACES} places, not {places}.")
    by_card = ("cards", "fits", "order", "where", *of_cards)
    by_place = ("owner", "room", "_mover", "_queue", *of_places)
    plain = np.dtype(
        [
            ("count", np.int64),  # of the cards that are listed
            ("places", np.int64),  # of the places that are listed
            *((name, np.int64, (cards,)) for name in by_card),
            *((name, np.int64, (places,)) for name in by_place),
        ]
    )
    return with_fields(plain, __name__, "DEAL")


@inlined
def list_card(deal: Deal, card: int) -> int:
    """One more unseen card; returns its number in the deal."""
    number = wide(deal.count)
    deal.cards[number] = card
    deal.count = number + 1
    return number


@inlined
def list_place(deal: Deal, owner: int, room: int) -> int:
    """One more place; returns its number in the deal."""
    number = wide(deal.places)
    deal.owner[number] = owner
    deal.room[number] = room
    deal.places = number + 1
    return number


@rule
def places_of(deal: Deal, owner: int) -> int:
    """The places of an owner, as bits."""
    places = 0
    for place in range(deal.places):
        if deal.owner[place] == owner:
            places |= 1 << place
    return places


@rule
def shuffle_order(deal: Deal, rng: Rng) -> None:
    """In which order the cards are dealt."""
    for i in range(deal.count):
        deal.order[i] = i
    random_shuffle(rng, deal.order, deal.count)


@rule
def deal_out(deal: Deal, rng: Rng) -> bool:
    """Deals all cards, in their order; says whether that is possible.

    `fits` has for each card the places that it may go to, as bits. A card goes to
    a random place that it fits, more likely to one with more room. If those are full, others make
    room by moving on (augmenting paths), so a deal is found whenever there is one. Afterwards
    `where` has the place of every card, and `room` what is left.
    """
    for dealt in range(deal.count):
        card = deal.order[dealt]
        total = 0
        for place in range(deal.places):
            total += deal.room[place] * (deal.fits[card] >> place & 1)
        if total > 0:
            which = random_below(rng, total)
            place = 0
            while True:
                which -= deal.room[place] * (deal.fits[card] >> place & 1)
                if which < 0:
                    break
                place += 1
            deal.where[card] = place
            deal.room[place] -= 1
        elif not _make_room(deal, dealt):
            return False
    return True


@rule
def _make_room(deal: Deal, dealt: int) -> bool:
    """Breadth-first: which card could go to a place, from there which to another, up to a free one.

    `_mover` is the card that would go to each place that was reached.
    """
    card = deal.order[dealt]
    reached = 0
    head, tail = 0, 0
    for place in range(deal.places):
        if deal.fits[card] >> place & 1:
            deal._mover[place] = card
            deal._queue[tail] = place
            tail += 1
            reached |= 1 << place
    while head < tail:
        place = deal._queue[head]
        head += 1
        if deal.room[place] > 0:
            _move_on(deal, place, card)
            return True
        for i in range(dealt):
            other = deal.order[i]
            if deal.where[other] == place:
                new = deal.fits[other] & ~reached
                while new:
                    target = lowest(new)
                    new &= new - 1
                    deal._mover[target] = other
                    deal._queue[tail] = target
                    tail += 1
                    reached |= 1 << target
    return False


@inlined
def _move_on(deal: Deal, place: int, card: int) -> None:
    """Every card on the way to a free place moves on by one place."""
    deal.room[place] -= 1
    while deal._mover[place] != card:
        moved = deal._mover[place]
        left = deal.where[moved]
        deal.where[moved] = place
        place = left
    deal.where[card] = place
