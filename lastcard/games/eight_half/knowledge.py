"""What a seat may know of a match: the memory that `apply` keeps, `hide` and `guess`."""

from __future__ import annotations

from lastcard.kernel import (
    UNKNOWN,
    Deal,
    Record,
    Rng,
    bit,
    deal_out,
    deal_record,
    guess_chance,
    hide_chance,
    inlined,
    list_card,
    list_place,
    places_of,
    random_below,
    rule,
    shuffle_order,
)

from .components import (
    ALL,
    DECK_SIZE,
    EIGHT,
    EIGHT_AND_A_HALF,
    EMPTY,
    FIRST_PLACE,
    GHOST,
    HALF,
    HAND_SIZE,
    KINDS,
    NINE,
    SEATS,
    SLOTS,
    WAYS,
    YELLOW,
)
from .pot import after_opener, first_pot, first_to_open, fitting, lowest_yellow

# --- Memory --------------------------------------------------------------------------------------
#
# What everybody knows about a hand from what its player did: a player who ate had nothing legal,
# and when the first pot was opened nobody had a lower yellow card. Cards already in the hand are
# not of those kinds; later ones may be anything. So the longer a card has been there, the more is
# known: `barred` says what each of the oldest three cards is not, the oldest first, and each of
# these sets contains the next. A card that is played may have been any of those it fits; the hands
# that remain possible are those without the oldest of them.
#
# A player who eats 8½ has no 8 or no half: two ways, each with its own sets. Mostly there is one
# way, and the sets of the second are empty.
#
# In a hand of more than three cards, which only positions have, the others may be anything.


@inlined
def remember_opening(s: Record, seat: int, card: int) -> None:
    """The first pot of a round was opened with the lowest yellow card, or there is none.

    (In a position the turn may be somebody's who does not have it: that tells nothing.)
    """
    if s.sizes[seat] > 0 and seat == first_to_open(s):
        for other in range(s.players):
            _bar(s, other, _not_at_opening(s, other, card), False)


@rule
def _not_at_opening(s: Record, seat: int, card: int) -> int:
    """What a seat cannot have when the one on turn opens the first pot with a card: lower yellow
    ones; also an equal one if ties go to this seat."""
    if not 1 << card & YELLOW:
        return YELLOW
    equal = after_opener(s, seat) < after_opener(s, s.turn)
    return YELLOW & ((1 << card + equal) - 1)


@inlined
def remember_eating(s: Record, seat: int) -> None:
    """Nothing was legal; on 8½ that also rules out an 8 together with a half."""
    if not s.table & bit(seat):  # otherwise the hand is known anyway
        _bar(s, seat, fitting(s.value), s.value == EIGHT_AND_A_HALF)


@rule
def _bar(s: Record, seat: int, kinds: int, not_both: bool) -> None:
    """No card of the hand is of these kinds; and if asked, it does not have both 8 and half."""
    ways = ways_of(s, seat)
    for i in range(min(HAND_SIZE, s.sizes[seat])):
        if not_both:
            # Each way splits into no 8 and no half. Two would become four, so of each pair we
            # keep what they have in common.
            known = s.barred[seat, 0, i]
            if ways == WAYS:
                known &= s.barred[seat, 1, i]
            s.barred[seat, 0, i] = known | kinds | 1 << EIGHT
            s.barred[seat, 1, i] = known | kinds | 1 << HALF
        else:
            for way in range(ways):
                s.barred[seat, way, i] |= kinds
    if not_both or ways == WAYS:
        compare_ways(s, seat)


@inlined
def ways_of(s: Record, seat: int) -> int:
    """How many ways there are: one, or two."""
    return WAYS if s.barred[seat, 1, 0] else 1


@rule
def forget(s: Record, seat: int, card: int, count: int) -> None:
    """Cards leave the hand: each the oldest that it may have been. A way without one is dropped."""
    for played in range(count):
        ways = ways_of(s, seat)
        for way in range(ways):
            oldest = 0
            while oldest < HAND_SIZE and s.barred[seat, way, oldest] >> card & 1:
                oldest += 1
            if oldest == s.sizes[seat] - played:
                s.barred[seat, way, 0] = ALL
            elif oldest < HAND_SIZE:
                for i in range(oldest, HAND_SIZE - 1):
                    s.barred[seat, way, i] = s.barred[seat, way, i + 1]
                s.barred[seat, way, HAND_SIZE - 1] = 0
        if ways == WAYS:
            compare_ways(s, seat)


@rule
def compare_ways(s: Record, seat: int) -> None:
    """Drops one of two ways if it is impossible, or if the other includes it."""
    for way in range(WAYS):
        other = 1 - way
        included = True
        for i in range(HAND_SIZE):
            included &= s.barred[seat, other, i] & ~s.barred[seat, way, i] == 0
        if included or s.barred[seat, way, 0] == ALL:
            for i in range(HAND_SIZE):
                s.barred[seat, 0, i] = s.barred[seat, other, i]
                s.barred[seat, 1, i] = 0
            return


@rule
def surely_not(s: Record, seat: int, i: int) -> int:
    """What the i-th oldest card of a hand is not, either way, as bits."""
    if i >= HAND_SIZE:
        return 0
    one, other = s.barred[seat, 0, i], s.barred[seat, 1, i]
    return one & other if ways_of(s, seat) == WAYS else one


# --- What a seat may know ------------------------------------------------------------------------


@rule
def hide(s: Record, seat: int) -> None:
    hide_chance(s)
    for other in range(s.players):
        for i in range(s.bank_sizes[other]):
            s.banks[other, i] = UNKNOWN
        for slot in range(SLOTS):
            if s.blind[other, slot] != EMPTY:
                s.blind[other, slot] = UNKNOWN
        if _hidden_from(s, other, seat):
            s.holds[other] = 0
            for card in range(KINDS):
                s.hands[other, card] = 0


@inlined
def _hidden_from(s: Record, other: int, seat: int) -> bool:
    """Whether a hand is hidden from a seat. That of a player who has played from the table is not:
    it was empty then, and all have seen what he ate since."""
    return other != seat and not s.table & bit(other)


# --- Guessing ------------------------------------------------------------------------------------
#
# Places are the oldest three cards of every hidden hand, the rest of it, and what lies face down.

FACE_DOWN = -1  # as the owner of a place
DEAL = deal_record(DECK_SIZE, 1 + SEATS * (HAND_SIZE + 1), of_places=["not_there"])


@rule
def guess(s: Record, seat: int, rng: Rng, deal: Deal) -> None:
    """Deals the unseen cards to banks, blind slots and hands so that all that is known holds."""
    guess_chance(s, rng)
    _list_unseen(s, deal)
    opening = first_pot(s)
    tries = NINE if opening else 1 << SEATS
    # Pick a way for every hand; or, before the first card, the lowest yellow one.
    first = random_below(rng, tries)
    for attempt in range(tries + 1):
        free = attempt == tries  # only for positions that no match comes to: a guess must end
        choice = (first + attempt) % tries
        _list_places(s, seat, 0 if opening else choice, free, deal)
        low = choice + 1
        if opening and not free:
            if not _could_open(s, seat, low):
                continue
            for place in range(1, deal.places):
                deal.not_there[place] |= _not_at_opening(s, deal.owner[place], low)
        _find_fitting(deal)
        if opening and not free and low < NINE and _hidden_from(s, s.turn, seat):
            _reserve(s, low, deal)
        shuffle_order(deal, rng)
        if deal_out(deal, rng):
            break
    for i in range(deal.count):
        number = deal.order[i]
        card, owner = deal.cards[number], deal.owner[deal.where[number]]
        if owner == FACE_DOWN:
            _lay_down(s, card)
        else:
            s.hands[owner, card] += 1
            s.holds[owner] |= 1 << card


@inlined
def _list_unseen(s: Record, deal: Deal) -> None:
    """The cards that the seat does not see."""
    deal.count = 0
    for card in range(KINDS):
        left = how_many(card) - s.outside[card]
        for i in range(s.pot_size):
            left -= s.pot[i] == card
        for other in range(s.players):
            left -= s.hands[other, card] + s.burned[other, card]
            for slot in range(SLOTS):
                left -= s.open[other, slot] == card
        for _ in range(left):
            list_card(deal, card)


@inlined
def how_many(card: int) -> int:
    return (FIRST_PLACE[card + 1] if card < GHOST else DECK_SIZE) - FIRST_PLACE[card]


@inlined
def _list_places(s: Record, seat: int, ways: int, free: bool, deal: Deal) -> None:
    """Places with what cannot be there: first all that lies face down, then the hands, each in the
    way that its bit of `ways` says."""
    deal.places = 0
    down = list_place(deal, FACE_DOWN, 0)
    deal.not_there[down] = 0
    for other in range(s.players):
        deal.room[down] += s.bank_sizes[other]
        for slot in range(SLOTS):
            deal.room[down] += s.blind[other, slot] != EMPTY
        if not _hidden_from(s, other, seat):
            continue
        way = min(ways >> other & 1, ways_of(s, other) - 1)
        for i in range(min(HAND_SIZE + 1, s.sizes[other])):
            rest = i == HAND_SIZE
            place = list_place(deal, other, s.sizes[other] - HAND_SIZE if rest else 1)
            deal.not_there[place] = 0 if free or rest else s.barred[other, way, i]


@inlined
def _could_open(s: Record, seat: int, low: int) -> bool:
    """Whether the player on turn may open with this card, given what the seat itself holds."""
    if low == NINE and s.turn != s.opener:
        return False
    for other in range(s.players):
        if not _hidden_from(s, other, seat):
            if s.holds[other] & _not_at_opening(s, other, low):
                return False
            if other == s.turn and lowest_yellow(s, other) != low:
                return False
    return True


@inlined
def _find_fitting(deal: Deal) -> None:
    for i in range(deal.count):
        deal.fits[i] = 0
        for place in range(deal.places):
            if not deal.not_there[place] >> deal.cards[i] & 1:
                deal.fits[i] |= 1 << place


@inlined
def _reserve(s: Record, low: int, deal: Deal) -> None:
    """Puts one of the lowest yellow cards into the hand of the player who opens with it."""
    for i in range(deal.count):
        if deal.cards[i] == low:
            deal.fits[i] &= places_of(deal, s.turn)
            return


@inlined
def _lay_down(s: Record, card: int) -> None:
    """Into the first place in a bank or blind slot that has no card yet."""
    for seat in range(s.players):
        for slot in range(SLOTS):
            if s.blind[seat, slot] == UNKNOWN:
                s.blind[seat, slot] = card
                return
        for i in range(s.bank_sizes[seat]):
            if s.banks[seat, i] == UNKNOWN:
                s.banks[seat, i] = card
                return
