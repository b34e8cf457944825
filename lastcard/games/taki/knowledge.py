"""What a seat may know of a match: the memory that `apply` keeps, `hide` and `guess`."""

from __future__ import annotations

from lastcard.kernel import (
    NOBODY,
    UNKNOWN,
    Deal,
    Record,
    Rng,
    beside,
    bit,
    deal_out,
    deal_record,
    guess_chance,
    hide_chance,
    inlined,
    list_card,
    list_place,
    lowest,
    places_of,
    random_below,
    rule,
    shuffle_order,
    wide,
)

from .components import (
    COLOURED,
    DECK_SIZE,
    KINDS,
    N_COLOURS,
    PLUS,
    SEATS,
    THREE,
    colour_of,
    coloured,
    first_place,
    shape_of,
)


@rule
def next_passing(s: Record, seat: int, direction: int, keeper: int) -> int:
    """The next seat in a direction whose hand moves."""
    seat = beside(seat, direction, s.players)
    return beside(seat, direction, s.players) if seat == keeper else seat


# --- Memory --------------------------------------------------------------------------------------
#
# What people at the table know from what has happened, as far as it tells where cards are:
#
# - Who passes his hand on knows its cards, wherever it goes, until they are played. The deck has
#   equal cards, so this is kept as who knows that a hand has at least one, two, ... of a card: one
#   entry (`seen_at`, `seen_by`) for each, in the places of that card in the unshuffled deck.
# - A stock that was made from the pile holds nothing but the cards of that pile. Of each hand `old`
#   cards at least are not among these and `young` ones are; a played card might be of either sort.
# - Who had to draw had nothing to play: the `barred` cards of a hand do not fit what led then.
#
# All but `seen_by` and `drawn` is known to everybody.


@inlined
def forget_all(s: Record) -> None:
    for place in range(DECK_SIZE):
        s.seen_at[place] = NOBODY
        s.seen_by[place] = 0
    s.anew = 0
    _forget_stock(s)
    for seat in range(SEATS):
        s.old[seat] = 0
        s.young[seat] = 0
        s.barred[seat] = 0


@inlined
def _forget_stock(s: Record) -> None:
    for card in range(KINDS):
        s.remade[card] = 0
    for seat in range(SEATS):
        for card in range(KINDS):
            s.drawn[seat, card] = 0


@inlined
def forget(s: Record, seat: int, card: int) -> None:
    """A card of a hand was played: everybody knows of one such card less in it."""
    if s.anew:
        # It may have been old unless all such cards were in the new stock, and young if any was.
        if s.remade[card] < first_place(card + 1) - first_place(card):
            s.old[seat] = max(0, s.old[seat] - 1)
        if s.remade[card] > 0:
            s.young[seat] = max(0, s.young[seat] - 1)
    barred = s.barred[seat]
    if barred and not could_play(card, barred):
        s.barred[seat] = barred - 1 if barred_cards(barred) > 1 else 0
    if s.seen_at[first_place(card)] != NOBODY:  # empty entries are last
        _forget_entry(s, seat, card)


@inlined
def _forget_entry(s: Record, seat: int, card: int) -> None:
    """The first entry of the hand says who knows of at least one such card: it goes."""
    gone = False
    last = first_place(card + 1) - 1
    for place in range(first_place(card), last):
        gone |= s.seen_at[place] == seat
        if gone:
            s.seen_at[place] = s.seen_at[place + 1]
            s.seen_by[place] = s.seen_by[place + 1]
    if gone or s.seen_at[last] == seat:
        s.seen_at[last] = NOBODY
        s.seen_by[last] = 0


@rule
def order_places(s: Record, card: int) -> None:
    """By hands, and what more people know before what fewer know; empty entries last."""
    first, end = first_place(card), first_place(card + 1)
    for last in range(first + 1, end):
        for place in range(last, first, -1):
            if _rank(s, place) < _rank(s, place - 1):
                at, by = s.seen_at[place], s.seen_by[place]
                s.seen_at[place], s.seen_by[place] = s.seen_at[place - 1], s.seen_by[place - 1]
                s.seen_at[place - 1], s.seen_by[place - 1] = at, by


@rule
def _rank(s: Record, place: int) -> int:
    at = SEATS if s.seen_at[place] == NOBODY else wide(s.seen_at[place])
    return (at << 16) - wide(s.seen_by[place])


@inlined
def bar(s: Record, seat: int) -> None:
    """A player who must draw has nothing that fits the leading card."""
    if s.sizes[seat] > 0:
        s.barred[seat] = barred(s.sizes[seat], s.lead_colour, s.lead_shape)


# One number says how many cards of a hand are barred, and on which colour and shape.


@rule("int64(int64, int64, int64)")
def barred(cards: int, colour: int, shape: int) -> int:
    return cards | colour << 7 | shape << 9


@rule("int64(int64)")
def barred_cards(barred: int) -> int:
    return barred & 127


@rule("int64(int64)")
def barred_colour(barred: int) -> int:
    return barred >> 7 & 3


@rule("int64(int64)")
def barred_shape(barred: int) -> int:
    return barred >> 9


@rule("boolean(int64, int64)")
def could_play(card: int, barred: int) -> bool:
    """Whether a card could have been played where its player had to draw."""
    if card >= COLOURED:
        return True
    return colour_of(card) == barred_colour(barred) or shape_of(card) == barred_shape(barred)


@inlined
def remember_stock(s: Record) -> None:
    """The stock is made of the pile now: these cards are in no hand."""
    s.anew = 1
    _forget_stock(s)
    for i in range(s.stock_size):
        s.remade[s.stock[i]] += 1
    for seat in range(s.players):
        s.old[seat] = s.sizes[seat]
        s.young[seat] = 0


@inlined
def know_own_hand(s: Record, seat: int) -> None:
    """What he passes on he has seen: every card of it, and how many of each."""
    cards = s.holds[seat]
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        unknown = s.hands[seat, card]
        # The entries of his hand, then new ones: there are as many places as such cards.
        for place in range(first_place(card), first_place(card + 1)):
            if unknown > 0 and (s.seen_at[place] == seat or s.seen_at[place] == NOBODY):
                s.seen_at[place] = seat
                s.seen_by[place] |= bit(seat)
                unknown -= 1


@inlined
def follow_hands(s: Record, keeper: int) -> None:
    """Everybody saw where the hands went. What is in his own hand nobody needs to remember."""
    cards = 0
    for seat in range(s.players):
        cards |= s.holds[seat]
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        for place in range(first_place(card), first_place(card + 1)):
            at = s.seen_at[place]
            if at != NOBODY:
                at = at if at == keeper else next_passing(s, at, s.direction, keeper)
                s.seen_by[place] &= ~bit(at)
                s.seen_at[place] = at if s.seen_by[place] else NOBODY
        order_places(s, card)


# --- What a seat may know ------------------------------------------------------------------------


@rule
def hide(s: Record, seat: int) -> None:
    hide_chance(s)
    for i in range(s.stock_size):
        s.stock[i] = UNKNOWN
    for other in range(s.players):
        if other != seat:
            for card in range(KINDS):
                s.drawn[other, card] = 0
            if not s.over:  # when the last round is scored all hands are shown
                _empty_hand(s, other)
    for card in range(KINDS):
        if s.seen_at[first_place(card)] == NOBODY:  # empty entries are last
            continue
        for place in range(first_place(card), first_place(card + 1)):
            # What others know of a hand tells what is in it.
            if seat == NOBODY or not s.seen_by[place] & bit(seat):
                s.seen_at[place] = NOBODY
                s.seen_by[place] = 0
            else:
                s.seen_by[place] = bit(seat)
                if not s.over:
                    s.hands[s.seen_at[place], card] += 1
                    s.holds[s.seen_at[place]] |= 1 << card
        order_places(s, card)


@inlined
def _empty_hand(s: Record, seat: int) -> None:
    """Its size stays."""
    s.holds[seat] = 0
    for card in range(KINDS):
        s.hands[seat, card] = 0


# --- Guessing ------------------------------------------------------------------------------------
#
# Every hand of another is taken in parts: cards that must be old, or young, or not fit what the
# player could not play on, and cards that may be anything. A part of no cards is left out.

STOCK = -1  # as the owner of a part
MOST_PARTS = 1 + 4 * SEATS  # of the five parts that a hand can have one is always empty
ANY, OLD, YOUNG = range(3)
DEAL = deal_record(DECK_SIZE, MOST_PARTS, of_cards=["known_at"], of_places=["age", "barred"])


@rule
def guess(s: Record, seat: int, rng: Rng, deal: Deal) -> None:
    """Deals the unseen cards so that everything the table remembers holds."""
    guess_chance(s, rng)
    _list_unseen(s, seat, deal)
    # Which pair a player who is asked about a +3 has; and how many young cards are barred.
    pair = random_below(rng, N_COLOURS)
    for attempt in range(2 * N_COLOURS + 1):
        free = attempt == 2 * N_COLOURS  # has not happened; but a guess must always end
        _list_parts(s, seat, attempt % 2 != 0, free, deal)
        _find_fitting(s, seat, free, deal)
        if s.asked != NOBODY and s.asked != seat and not free:
            if not _reserve(s, (pair + attempt // 2) % N_COLOURS, deal):
                continue
        shuffle_order(deal, rng)
        if deal_out(deal, rng):
            break
    s.stock_size = 0
    for other in range(s.players):
        if other != seat and not s.over:
            _empty_hand(s, other)
    for i in range(deal.count):
        number = deal.order[i]
        card, owner = deal.cards[number], deal.owner[deal.where[number]]
        if owner == STOCK:
            s.stock[s.stock_size] = card
            s.stock_size += 1
        else:
            s.hands[owner, card] += 1
            s.holds[owner] |= 1 << card


@inlined
def _list_unseen(s: Record, seat: int, deal: Deal) -> None:
    """The cards that the seat does not see, with the hand where it knows one to be."""
    deal.count = 0
    for card in range(KINDS):
        left = first_place(card + 1) - first_place(card) - s.outside[card] - (s.top == card)
        for i in range(s.pile_size):
            left -= s.pile[i] == card
        for other in range(s.players):
            held = wide(s.hands[other, card])
            left -= held
            if other != seat and not s.over:
                for _ in range(held):
                    deal.known_at[list_card(deal, card)] = other
        for _ in range(left):
            deal.known_at[list_card(deal, card)] = NOBODY


@inlined
def _list_parts(s: Record, seat: int, overlap: bool, free: bool, deal: Deal) -> None:
    """The parts: owner, age, whether barred; how many cards go into each."""
    deal.places = 0
    _add_part(deal, STOCK, YOUNG if s.anew else ANY, False, s.stock_size)
    if s.over:
        return
    for other in range(s.players):
        if other == seat:
            continue
        size = wide(s.sizes[other])
        old, young, barred = wide(s.old[other]), wide(s.young[other]), barred_cards(s.barred[other])
        if free:
            old, young, barred = 0, 0, 0
        if barred <= old:
            # He could not play before the stock was remade: those cards are old.
            _add_part(deal, other, OLD, True, barred)
            _add_part(deal, other, OLD, False, old - barred)
            _add_part(deal, other, YOUNG, False, young)
            _add_part(deal, other, ANY, False, size - old - young)
        else:
            # Later: the old ones are among the barred ones, and of the young ones some may be.
            rest, more = size - old, barred - old
            both = min(more, young) if overlap else max(0, more + young - rest)
            _add_part(deal, other, OLD, True, old)
            _add_part(deal, other, YOUNG, True, both)
            _add_part(deal, other, YOUNG, False, young - both)
            _add_part(deal, other, ANY, True, more - both)
            _add_part(deal, other, ANY, False, rest - more - young + both)


@rule
def _add_part(deal: Deal, owner: int, age: int, barred: bool, count: int) -> None:
    if count > 0:
        part = list_place(deal, owner, count)
        deal.age[part] = age
        deal.barred[part] = barred


@inlined
def _find_fitting(s: Record, seat: int, free: bool, deal: Deal) -> None:
    """Which parts each card may go to."""
    index = unplaced = 0  # of the cards of a kind that are not known to be somewhere
    for i in range(deal.count):
        card = deal.cards[i]
        if i == 0 or deal.cards[i - 1] != card:
            index, unplaced = 0, _unplaced(deal, card)
        age = ANY
        if s.anew and not free:
            if deal.known_at[i] == NOBODY:
                age = _age(s, seat, card, index, unplaced)
                index += 1
            else:
                age = _age(s, NOBODY, card, 0, 1)
        deal.fits[i] = 0
        for part in range(deal.places):
            owner = deal.owner[part]
            fine = deal.known_at[i] == NOBODY or deal.known_at[i] == owner
            fine &= age == ANY or deal.age[part] == ANY or deal.age[part] == age
            if deal.barred[part]:
                fine &= not could_play(card, s.barred[owner])
            if fine:
                deal.fits[i] |= 1 << part


@inlined
def _unplaced(deal: Deal, card: int) -> int:
    """How many of the unseen cards of a kind are not known to be in some hand."""
    number = 0
    for i in range(deal.count):
        number += (deal.cards[i] == card) & (deal.known_at[i] == NOBODY)
    return number


@inlined
def _age(s: Record, seat: int, card: int, index: int, unplaced: int) -> int:
    """Old, young or any: of equal cards as many must be young as cannot be old, and so on."""
    could_be_old = first_place(card + 1) - first_place(card) - s.remade[card]
    could_be_young = s.remade[card]
    if seat != NOBODY:
        could_be_young -= s.drawn[seat, card]
    if index < unplaced - could_be_old:
        return YOUNG
    if index >= could_be_young:
        return OLD
    return ANY


@inlined
def _reserve(s: Record, colour: int, deal: Deal) -> bool:
    """Keeps a plus and a 3 of a colour for the player who is asked: without them he would not be.

    Says whether he can have both.
    """
    his = places_of(deal, s.asked)
    reserved = 0
    for shape in (PLUS, THREE):
        for i in range(deal.count):
            if deal.cards[i] == coloured(colour, shape) and deal.fits[i] & his:
                deal.fits[i] &= his
                reserved += 1
                break
    return reserved == 2
