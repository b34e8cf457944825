"""What a seat may know of a match: `hide` and `guess`."""

from __future__ import annotations

from lastcard.kernel import (
    NOBODY,
    UNKNOWN,
    Deal,
    Record,
    Rng,
    deal_out,
    deal_record,
    guess_chance,
    hide_chance,
    inlined,
    list_card,
    list_place,
    lowest,
    random_shuffle,
    rule,
    shuffle_order,
    wide,
)

from .components import (
    COLOUR_OF,
    KINDS,
    N_COLOURS,
    NO_CARD,
    PER_COLOUR,
    PLACE_OF,
    SEATS,
    WHOLE_COLOUR,
    give,
)

# --- What a seat may know ------------------------------------------------------------------------


@rule
def hide(s: Record, seat: int) -> None:
    """Hands, predictions that the seat has not peeked at, and the stock under what is turned up.

    When the match is over the last predictions have been shown, and hands are empty.
    """
    hide_chance(s)
    for i in range(_face_down(s)):
        s.stock[i] = UNKNOWN
    for other in range(s.players):
        if other == seat:
            continue
        for colour in range(N_COLOURS):
            s.hands[other, colour] = 0
        if _prediction_hidden(s, other, seat):
            s.predictions[other] = UNKNOWN


@inlined
def _face_down(s: Record) -> int:
    """How many cards of the stock are face down."""
    return max(s.stock_size - (s.trump != NOBODY), 0)


@inlined
def _prediction_hidden(s: Record, other: int, seat: int) -> bool:
    if s.over or other == seat or s.predictions[other] == NO_CARD:
        return False
    return seat == NOBODY or s.seen[seat] >> other & 1 == 0


FACE_DOWN = -1  # as the owner of a place; others are hands
DEAL = deal_record(KINDS, 1 + SEATS)


@rule
def guess(s: Record, seat: int, rng: Rng, deal: Deal) -> None:
    """Deals the unseen cards so that nobody holds a colour that he did not follow.

    Places for cards are the hidden hands, and one for all that lies face down.
    """
    guess_chance(s, rng)
    _list_unseen(s, deal)
    _list_places(s, seat, deal)
    for i in range(deal.count):
        deal.fits[i] = 0
        for place in range(deal.places):
            owner = deal.owner[place]
            if owner == FACE_DOWN or s.void[owner] >> COLOUR_OF[deal.cards[i]] & 1 == 0:
                deal.fits[i] |= 1 << place
    shuffle_order(deal, rng)
    # There is always such a deal: in a match by its course, in a position because `settle` checks.
    deal_out(deal, rng)
    down = 0  # cards that lie face down; they are gathered in front
    for i in range(deal.count):
        owner = deal.owner[deal.where[i]]
        if owner == FACE_DOWN:
            deal.cards[down] = deal.cards[i]
            down += 1
        else:
            give(s, owner, deal.cards[i])
    random_shuffle(rng, deal.cards, down)
    for other in range(s.players):
        if s.predictions[other] == UNKNOWN:
            down -= 1
            s.predictions[other] = deal.cards[down]
    for i in range(_face_down(s)):
        down -= 1
        s.stock[i] = deal.cards[down]


@inlined
def _list_unseen(s: Record, deal: Deal) -> None:
    """The cards that a hidden record does not show."""
    deal.count = 0
    for colour in range(N_COLOURS):
        unseen = unseen_of(s, colour)
        while unseen:
            list_card(deal, PER_COLOUR * colour + lowest(unseen))
            unseen &= unseen - 1


@inlined
def _list_places(s: Record, seat: int, deal: Deal) -> None:
    deal.places = 0
    down = list_place(deal, FACE_DOWN, deal.count)
    for other in range(s.players):
        if other != seat:
            list_place(deal, other, s.sizes[other])
            deal.room[down] -= s.sizes[other]


@rule
def unseen_of(s: Record, colour: int) -> int:
    """The cards of a colour that the reader of a hidden record does not see, as bits."""
    seen = wide(s.outside[colour])
    for seat in range(s.players):
        seen |= s.hands[seat, colour]
        known = s.predictions[seat]
        if known != UNKNOWN and known != NO_CARD and COLOUR_OF[known] == colour:
            seen |= 1 << PLACE_OF[known]
    for place in range(s.trick_size):
        if COLOUR_OF[s.trick[place]] == colour:
            seen |= 1 << PLACE_OF[s.trick[place]]
    for i in range(_face_down(s), s.stock_size):
        if COLOUR_OF[s.stock[i]] == colour:
            seen |= 1 << PLACE_OF[s.stock[i]]
    return WHOLE_COLOUR & ~seen
