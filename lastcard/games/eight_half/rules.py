"""Get rid of all your cards first, and do not eat the pot. For 2 to 5 players.

## Cards

72 cards: `1 2` four of each, `0 3 4 5 6 7 8 9` six of each, half (`h`) and ghost (`g`) eight of
each. Zero, half and ghost are the **jokers**. The cards 1 to 8 are yellow, the 9 is red. *[ruling:
the rulebook does not list the yellow ones]*

## A round

All cards are dealt as evenly as they can be (with five players two get 15, the others 14; the
longer piles go to the seats from the opener on *[ruling]*). Your pile is your **bank**. From it
come three **blind** cards, face down, three **open** ones on them, face up, and your **hand** of
three. The rest stays face down.

Before a later round its predecessor's winner may exchange one of his open cards for one of the big
loser's (see Points), unless that round had no winner.

The first pot of a round *[ruling: of every round]* is opened by whoever has the lowest yellow card
in hand; ties go to the first from the opener on. He opens with that card, and may add others like
it, but not as 8 and half together. If nobody has a yellow card the opener begins, with any card.
*[ruling]* Later pots are opened with any card. The opener of the first round is drawn, that of the
next round is the seat after him. *[ruling]*

## Your turn

The pot has a **value**, whole or with a half. Put a card on it if you have one that is legal; of
your hand also several that are identical, each legal on the one before *[ruling]*.

- A **number** 1 to 9 is legal if it is the value or higher; the value becomes the number.
- A **ghost** is always legal, and transparent: the pot stays as it was, with its value and what it
  asks for. On an empty pot the value is 0. *[ruling]*
- A **half** is legal on anything but 8½; the value rises by ½. On an empty pot it is ½. *[ruling]*
  Above nine it goes on: 9½, 10, 10½ ...
- A **zero** is legal on a whole value; the value becomes 0, and anything may follow.
- **8 and half together** (`8h`), both from your hand, are one card of 8½, legal on 8½ and on what
  is lower, but for five: they are no joker, no policeman, and not put down twice in a turn.
  *[ruling]*

So on 8½ only a ghost, `8h` or a 9 is legal; on nine 9, 0, half and ghost; above it halves and
ghosts, and a zero if the value is whole.

**Five.** When the value is five, however it got there, the next player must go down: a number of
5 or lower, or any joker. A ghost passes that on *[ruling]*; any other card ends it, unless it makes
the value five again. The 5 itself is a number like others: legal on five and below.

**Police.** Whoever leaves the pot on a half number, or passes such a pot on with a ghost, can be
caught by the next player, and only by him, with the **policeman**: the next whole number (4 on 3½,
9 on 8½, 1 on ½; from 9½ on there is none), one or several *[ruling]*. That card always catches: the
offender eats the whole pot, policeman included, and the one who caught him opens the next. Any
other legal card lets him go. If the policeman was its player's very last card the offender eats
first, then the round ends. *[ruling]*

**Eating.** With no legal card you **eat** the pot, and the next player opens a new one. What you
eat is **burned**: out of play, and counted against you. But once you have played from the table,
open or blind, it goes into your hand.

**Hand and table.** After your turn your hand is filled up to three from your bank. When the bank is
empty the hand is played out; then you play the open cards, one at a time (of two identical ones the
left one goes), and when these are gone the blind ones: **flip** one onto the pot, unseen. If it is
legal the turn passes (a policeman catches *[ruling]*); if not you eat the pot and that card.
Flipping counts as playing from the table, also when the card does not fit. *[ruling]* A turn never
mixes hand, open and blind cards. *[ruling]* What you eat into your hand must be played out before
the table is used again.

**The end.** A round ends at once when somebody has no card left, in bank, hand, open and blind. He
wins it and cannot be caught any more. *[ruling]* After 500 turns it ends without a winner, and
nobody scores. *[ruling]*

## Points

Your **count** is all cards that you have left, and your burned ones. The winner gets 2 points, and
everybody with the lowest count 1, the winner too if he is among them. The **big loser** has the
highest count apart from the winner; of several the first after the winner. *[ruling]* After five
rounds (option `rounds`) *[ruling]* the most points win; ties share the win.

## What you know

Your hand, the pot, all open and burned cards, and how many of everything there are. Nobody sees
banks and blind cards, not even his own. A pot that was eaten into a hand was seen by all, so the
hand of whoever has played from the table is known to all. Who ate had nothing that was legal; who
opened the first pot had the lowest yellow card.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from lastcard.errors import BadPosition
from lastcard.kernel import (
    NOBODY,
    PUBLIC,
    UNKNOWN,
    Log,
    Record,
    Rng,
    beside,
    bit,
    deal_fitting,
    emit,
    finish,
    guess_chance,
    hide_chance,
    inlined,
    lowest,
    next_round,
    nobody,
    offer,
    pick_opener,
    random_below,
    random_shuffle,
    record,
    rule,
    rule_with_scratch,
    set_up,
    shuffle,
    tell_winners,
    wide,
)
from lastcard.kernel.forms import (
    NONE,
    Derived,
    Event,
    Form,
    Hands,
    Number,
    Numbers,
    OpenerOption,
    Option,
    Outside,
    Seat,
    Seats,
    Slots,
    Stack,
    Stacks,
    entries,
    scoring_events,
    seat_of,
    settle_end,
    show,
    text_of,
)

TITLE = "Eight and a Half"
TAGLINE = "Lay your cards on the pot, do not eat it, and beware of the police."
PLAYERS = (2, 5)
MINUTES = 20  # that a match takes three players, about
LOWEST_WINS = False

# --- Cards ---------------------------------------------------------------------------------------
#
# A number is its own card; half and ghost come last.

CARDS = ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "h", "g")
KINDS = len(CARDS)
ZERO, EIGHT, NINE, HALF, GHOST = 0, 8, 9, 10, 11
DECK = (6, 4, 4, 6, 6, 6, 6, 6, 6, 6, 8, 8)  # how many of each
DECK_SIZE = sum(DECK)
UNSHUFFLED = np.repeat(np.arange(KINDS, dtype=np.int8), DECK)
FIRST_PLACE = np.cumsum([0, *DECK])[:-1]  # of each card in the unshuffled deck
HAND_SIZE = 3
SLOTS = 3  # open and blind cards of each player
EMPTY = KINDS  # a slot without a card
MOST_BANK = DECK_SIZE // 2 - HAND_SIZE - 2 * SLOTS
WORDS = {
    **{"h": "half", "g": "ghost", "8h": "8-and-half"},
    **{f"hx{n}": f"half-x{n}" for n in range(2, 9)},
    **{f"gx{n}": f"ghost-x{n}" for n in range(2, 9)},
    **{"hands": "hand", "banks": "bank", "scores": "score"},
}

# Sets of kinds of cards, as bits.
ALL = (1 << KINDS) - 1
NUMBERS = (1 << NINE + 1) - (1 << 1)
UP_TO_FIVE = (1 << 5 + 1) - (1 << 1)
YELLOW = (1 << EIGHT + 1) - (1 << 1)
EIGHT_WITH_HALF = 1 << EIGHT | 1 << HALF

# --- The value of the pot, in halves -------------------------------------------------------------

NO_POT = -1
FIVE = 2 * 5
EIGHT_AND_A_HALF = 2 * 8 + 1
MOST_VALUE = 2 * NINE + DECK[HALF]
VALUES = tuple(
    "½" if value == 1 else f"{value // 2}{'½' if value % 2 else ''}"
    for value in range(MOST_VALUE + 1)
)

# --- Actions -------------------------------------------------------------------------------------

PLAY = 0  # + the card's first place in the unshuffled deck + how many more of it
PLAY_BOTH = PLAY + DECK_SIZE  # 8 and half together
FLIP = PLAY_BOTH + 1  # + the slot
EAT = FLIP + SLOTS
SWAP = EAT + 1  # + 3 * one's own slot + the big loser's
KEEP = SWAP + SLOTS * SLOTS

ACTIONS = (
    *(
        f"play {card}" if n == 1 else f"play {card}x{n}"
        for card, count in zip(CARDS, DECK, strict=True)
        for n in range(1, count + 1)
    ),
    "play 8h",
    *(f"flip {slot}" for slot in range(SLOTS)),
    "eat",
    *(f"swap {mine} {theirs}" for mine in range(SLOTS) for theirs in range(SLOTS)),
    "keep",
)
MOST_LEGAL = DECK_SIZE + 2

# --- Options -------------------------------------------------------------------------------------

OPTIONS = (
    Option("rounds", 5, "how many rounds a match has", 1, 100),
    OpenerOption(),
)
ROUNDS, OPENER = range(len(OPTIONS))
LAST_TURN = 500
WINNER_POINTS = 2
LOWEST_POINTS = 1

# --- Events --------------------------------------------------------------------------------------

_CARD = {"card": CARDS}
_PLAYED: dict[str, Any] = {"card": CARDS, "value": VALUES}
# What is counted: cards, which only decide who has the fewest, and what brings points.
COUNTS = ("hand", "bank", "open", "blind", "burned", "out", "lowest")
EVENTS = (
    Event("dealt", "Round {round} is dealt.", values={"round": None}),
    Event("opens", "{seat} opens the first pot.", "You open the first pot."),
    Event(
        "swapped",
        "{seat} gives the open {mine} for {theirs}.",
        "You give your open {mine} for {theirs}.",
        {"mine": CARDS, "theirs": CARDS},
    ),
    Event(
        "lost",
        "{seat}, the big loser, gets {mine} for {theirs}.",
        "You, the big loser, get {mine} for your {theirs}.",
        {"mine": CARDS, "theirs": CARDS},
    ),
    Event("kept", "{seat} exchanges nothing.", "You exchange nothing."),
    Event(
        "played",
        "{seat} plays {card}: the pot stands at {value}.",
        "You play {card}: the pot stands at {value}.",
        _PLAYED,
        joins="card",
    ),
    Event(
        "paired",
        "{seat} plays 8 and half together: the pot stands at 8½.",
        "You play 8 and half together: the pot stands at 8½.",
    ),
    Event(
        "flipped",
        "{seat} flips {card}: the pot stands at {value}.",
        "You flip {card}: the pot stands at {value}.",
        _PLAYED,
    ),
    Event("missed", "{seat} flips {card}: not legal.", "You flip {card}: not legal.", _CARD),
    Event("caught", "{seat} is caught!", "You are caught!"),
    Event(
        "burned",
        "{seat} eats the pot: {count} burned, {card}.",
        "You eat the pot: {count} burned, {card}.",
        _CARD,
        joins="card",
    ),
    Event(
        "took",
        "{seat} eats the pot: {card} into the hand.",
        "You eat the pot: {card} into your hand.",
        _CARD,
        joins="card",
    ),
    Event(
        "drew",
        "{seat} fills up with {card}.",
        "You fill up with {card}.",
        _CARD,
        secret=frozenset({"card"}),
        joins="card",
    ),
    Event(
        "out",
        "{seat} has no card left and wins the round: 2 points.",
        "You have no card left and win the round: 2 points.",
    ),
    Event("lowest", "The lowest count is {cards}: 1 point.", values={"cards": None}),
    Event("ended", "After 500 turns the round ends without a winner."),
    scoring_events(CARDS, COUNTS)[1],
    Event(
        "scored",
        "{seat}: a count of {cards}, {points} this round, {score} in all.",
        "You: a count of {cards}, {points} this round, {score} in all.",
        {"cards": None, "points": None, "score": None},
    ),
    Event("trailed", "{seat} is the big loser.", "You are the big loser."),
    scoring_events(CARDS, COUNTS)[-1],
)
DEALT, OPENS, SWAPPED, LOST, KEPT, PLAYED, PAIRED, FLIPPED, MISSED, CAUGHT = range(10)
BURNED, TOOK, DREW, OUT, LOWEST, ENDED, COUNTED, SCORED, TRAILED, WON = range(10, len(EVENTS))
IN_HAND, IN_BANK, IN_OPEN, IN_BLIND, IN_BURNED, FOR_OUT, FOR_LOWEST = range(len(COUNTS))

# --- The record ----------------------------------------------------------------------------------

SEATS = PLAYERS[1]
WAYS = 2
RECORD = record(
    SEATS,
    len(OPTIONS),
    [
        ("hands", np.int8, (SEATS, KINDS)),  # how many of each card
        ("holds", np.int16, (SEATS,)),  # the kinds of cards in each hand, as bits
        ("sizes", np.int8, (SEATS,)),  # cards in each hand, also where the hand is hidden
        ("banks", np.int8, (SEATS, MOST_BANK)),  # the next card is the last of `bank_sizes`
        ("bank_sizes", np.int8, (SEATS,)),
        ("open", np.int8, (SEATS, SLOTS)),  # cards, or EMPTY
        ("blind", np.int8, (SEATS, SLOTS)),
        ("burned", np.int8, (SEATS, KINDS)),  # how many of each card
        ("burned_sizes", np.int8, (SEATS,)),
        ("pot", np.int8, (DECK_SIZE,)),  # the bottom first
        ("pot_size", np.int8),
        ("value", np.int8),  # of the pot, in halves, or NO_POT
        ("last", np.int8),  # who played last on this pot, or NOBODY
        ("turn", np.int8),
        ("table", np.int16),  # the players who have played from the table, as bits
        ("turns", np.int16),  # played in this round
        ("winner", np.int8),  # who may exchange a card before the first pot, or NOBODY
        ("loser", np.int8),  # with whom
        ("outside", np.int8, (KINDS,)),  # cards that a position keeps out of the round
        # What the table remembers: see "Memory" below.
        ("barred", np.int16, (SEATS, WAYS, HAND_SIZE)),  # what cards of a hand are not, as bits
    ],
)

# --- A new match, and dealing --------------------------------------------------------------------


@rule
def new(s: Record, players: int, options: Any) -> None:
    set_up(s, players, options)
    s.opener = pick_opener(s, s.options[OPENER])
    _deal(s)
    s.turn = _first_to_open(s)


@rule
def _deal(s: Record) -> None:
    """All cards, as piles from which each player lays his blind and open cards and takes a hand."""
    next_round(s)
    s.table = s.turns = 0
    s.winner = s.loser = NOBODY
    for card in range(KINDS):
        s.outside[card] = 0
    for seat in range(SEATS):
        _clear(s, seat)
    for place in range(DECK_SIZE):
        s.pot[place] = UNSHUFFLED[place]  # shuffled where later the pot lies
    shuffle(s, s.pot, DECK_SIZE)
    start = 0
    for seat in range(s.players):
        size = DECK_SIZE // s.players
        if _after_opener(s, seat) < DECK_SIZE % s.players:
            size += 1
        top = start + size - 1
        for slot in range(SLOTS):
            s.blind[seat, slot] = s.pot[top - slot]
            s.open[seat, slot] = s.pot[top - SLOTS - slot]
        for i in range(HAND_SIZE):
            _put_into(s, seat, s.pot[top - 2 * SLOTS - i])
        s.bank_sizes[seat] = size - HAND_SIZE - 2 * SLOTS
        for i in range(s.bank_sizes[seat]):
            s.banks[seat, i] = s.pot[start + i]
        start += size
    for place in range(DECK_SIZE):
        s.pot[place] = 0
    _empty_pot(s)


@inlined
def _clear(s: Record, seat: int) -> None:
    s.sizes[seat] = 0
    s.holds[seat] = 0
    s.bank_sizes[seat] = 0
    s.burned_sizes[seat] = 0
    for card in range(KINDS):
        s.hands[seat, card] = 0
        s.burned[seat, card] = 0
    for i in range(MOST_BANK):
        s.banks[seat, i] = 0
    for slot in range(SLOTS):
        s.open[seat, slot] = 0
        s.blind[seat, slot] = 0
    for way in range(WAYS):
        for i in range(HAND_SIZE):
            s.barred[seat, way, i] = 0


@inlined
def _empty_pot(s: Record) -> None:
    s.pot_size = 0
    s.value = NO_POT
    s.last = NOBODY


@rule
def _put_into(s: Record, seat: int, card: int) -> None:
    s.hands[seat, card] += 1
    s.holds[seat] |= 1 << card
    s.sizes[seat] += 1


@rule
def _after_opener(s: Record, seat: int) -> int:
    """How many seats after the opener."""
    after = seat - s.opener
    return after if after >= 0 else after + s.players


@rule
def _first_to_open(s: Record) -> int:
    """The lowest yellow card in a hand, the first such seat from the opener on; else the opener."""
    first: int = s.opener
    low = NINE
    seat = wide(s.opener)
    for _ in range(s.players):
        if lowest_yellow(s, seat) < low:
            first, low = seat, lowest_yellow(s, seat)
        seat = beside(seat, 1, s.players)
    return wide(first)


@rule
def lowest_yellow(s: Record, seat: int) -> int:
    """Of a hand; NINE if it has none."""
    return lowest((s.holds[seat] & YELLOW) | 1 << NINE)


# --- Whom the match waits for --------------------------------------------------------------------


@rule
def waiting(s: Record) -> int:
    return 0 if s.over else bit(s.turn)


bystanders = nobody


# --- What is legal -------------------------------------------------------------------------------


@rule
def legal(s: Record, seat: int, out: Any) -> int:
    if s.over or seat != s.turn:
        return 0
    if s.winner != NOBODY:
        return _exchanges(s, seat, out)
    n = _from_hand(s, seat, out) if s.sizes[seat] > 0 else _from_table(s, seat, out)
    # A player with no legal card eats.
    return offer(out, n, EAT, n == 0)


def _fitting(value: int) -> int:
    """The kinds of cards that are legal on a pot of this value, as bits."""
    if value == NO_POT:
        return ALL
    whole = (value + 1) // 2
    fits = NUMBERS >> whole << whole  # equal to or higher than the value
    if value == FIVE:
        fits = UP_TO_FIVE
    fits |= 1 << GHOST
    if value != EIGHT_AND_A_HALF:
        fits |= 1 << HALF
    if value % 2 == 0:
        fits |= 1 << ZERO
    return fits


def _policeman(value: int) -> int:
    """The number that catches whoever left the pot on this value, or NOBODY."""
    return (value + 1) // 2 if value % 2 == 1 and 0 < value < 2 * NINE else NOBODY


# Worked out once for every value, NO_POT first.
_FITTING = np.array([_fitting(value) for value in range(NO_POT, MOST_VALUE + 1)])
_POLICEMAN = np.array([_policeman(value) for value in range(NO_POT, MOST_VALUE + 1)])


@rule("int64(int64)")
def fitting(value: int) -> int:
    return _FITTING[value - NO_POT]


@rule("int64(int64)")
def policeman(value: int) -> int:
    return _POLICEMAN[value - NO_POT]


@rule("boolean(int64)")
def both_fit(value: int) -> bool:
    """Whether 8 and half together are legal."""
    return value <= EIGHT_AND_A_HALF and value != FIVE


@rule
def first_pot(s: Record) -> bool:
    """Whether the first pot of the round is to be opened."""
    return s.turns == 0 and s.pot_size == 0 and s.winner == NOBODY


@inlined
def _from_hand(s: Record, seat: int, out: Any) -> int:
    fits = fitting(s.value)
    first = first_pot(s)
    if first and s.holds[seat] & YELLOW:
        fits = 1 << lowest_yellow(s, seat)
    n = 0
    cards = wide(s.holds[seat]) & fits
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        # Each identical card is legal on the one before; only halves come to an end, at 8½.
        count = wide(s.hands[seat, card])
        if card == HALF and s.value < EIGHT_AND_A_HALF:
            count = min(count, EIGHT_AND_A_HALF - wide(s.value))
        for more in range(count):
            out[n] = PLAY + FIRST_PLACE[card] + more
            n += 1
    both = s.holds[seat] & EIGHT_WITH_HALF == EIGHT_WITH_HALF
    return offer(out, n, PLAY_BOTH, both & both_fit(s.value) & (not first))


@inlined
def _from_table(s: Record, seat: int, out: Any) -> int:
    """First the open cards, one at a time; when they are gone the blind ones."""
    there = 0
    for slot in range(SLOTS):
        there |= 1 << wide(s.open[seat, slot])
    n = 0
    if there == 1 << EMPTY:
        for slot in range(SLOTS):
            n = offer(out, n, FLIP + slot, s.blind[seat, slot] != EMPTY)
        return n
    cards = there & fitting(s.value)
    while cards:
        out[n] = PLAY + FIRST_PLACE[lowest(cards)]
        cards &= cards - 1
        n += 1
    return n


@inlined
def _exchanges(s: Record, seat: int, out: Any) -> int:
    n = 0
    for mine in range(SLOTS):
        for theirs in range(SLOTS):
            there = (s.open[seat, mine] != EMPTY) & (s.open[s.loser, theirs] != EMPTY)
            n = offer(out, n, SWAP + SLOTS * mine + theirs, there)
    return offer(out, n, KEEP, True)


# --- What an action does -------------------------------------------------------------------------


@rule
def apply(s: Record, seat: int, action: int, log: Log) -> None:
    if action >= SWAP:
        _exchange(s, seat, action, log)
        return
    s.turns += 1
    following = beside(seat, 1, s.players)
    offender, value = wide(s.last), wide(s.value)
    eater = NOBODY
    if action == EAT:
        _remember_eating(s, seat)
        eater = seat
    else:
        if action < PLAY_BOTH:
            card = _play(s, seat, action - PLAY, log)
        elif action == PLAY_BOTH:
            card = _play_both(s, seat, log)
        else:
            card = _flip(s, seat, action - FLIP, log)
        if card == policeman(value):
            emit(log, CAUGHT, offender, PUBLIC, 0, 0, 0)
            eater = offender
            following = seat
        elif action >= FLIP and not fitting(value) >> card & 1:
            eater = seat
    if eater != NOBODY:
        _eat(s, eater, log)
    _fill_up(s, seat, log)
    if s.sizes[seat] == 0 and cards_left(s, seat) == 0:
        emit(log, OUT, seat, PUBLIC, 0, 0, 0)
        _score(s, seat, log)
    elif s.turns == LAST_TURN:
        emit(log, ENDED, seat, PUBLIC, 0, 0, 0)
        _start_next(s, NOBODY, NOBODY, log)
    else:
        s.turn = following


@inlined
def _play(s: Record, seat: int, place: int, log: Log) -> int:
    """One card or several identical ones from the hand, or an open card."""
    card = wide(UNSHUFFLED[place])
    count = place - FIRST_PLACE[card] + 1
    if s.turns == 1 and s.value == NO_POT:
        _remember_opening(s, seat, card)
    if s.sizes[seat] > 0:
        _leave_hand(s, seat, card, count)
    else:
        slot = 0
        while s.open[seat, slot] != card:
            slot += 1
        s.open[seat, slot] = EMPTY
        s.table |= bit(seat)
    _put_on(s, seat, card, count)
    for _ in range(count):
        emit(log, PLAYED, seat, PUBLIC, card, s.value, 0)
    return card


@rule
def _play_both(s: Record, seat: int, log: Log) -> int:
    """8 and half as one card: returned as none that catches."""
    for card in (EIGHT, HALF):
        _leave_hand(s, seat, card, 1)
        _put_on(s, seat, card, 1)
    emit(log, PAIRED, seat, PUBLIC, 0, 0, 0)
    return EMPTY


@inlined
def _flip(s: Record, seat: int, slot: int, log: Log) -> int:
    """It lies on the pot in any case: if it is not legal both are eaten."""
    card = wide(s.blind[seat, slot])
    fits = fitting(s.value) >> card & 1
    s.blind[seat, slot] = EMPTY
    s.table |= bit(seat)
    _put_on(s, seat, card, 1)
    emit(log, FLIPPED if fits else MISSED, seat, PUBLIC, card, s.value, 0)
    return card


@inlined
def _leave_hand(s: Record, seat: int, card: int, count: int) -> None:
    if s.barred[seat, 0, 0]:
        _forget(s, seat, card, count)
    s.hands[seat, card] -= count
    s.holds[seat] ^= wide(s.hands[seat, card] == 0) << card
    s.sizes[seat] -= count


@inlined
def _put_on(s: Record, seat: int, card: int, count: int) -> None:
    for i in range(s.pot_size, s.pot_size + count):
        s.pot[i] = card
    s.pot_size += count
    s.last = seat
    s.value = value_with(s.value, card, count)


@rule("int64(int64, int64, int64)")
def value_with(value: int, card: int, count: int) -> int:
    """The value after some cards: numbers and zero set it, halves add to it, ghosts leave it."""
    if card < HALF:
        return 2 * card
    return max(value, 0) + (count if card == HALF else 0)


@inlined
def _eat(s: Record, eater: int, log: Log) -> None:
    """The whole pot is burned, or goes into the hand of one who has played from the table."""
    into_hand = wide(s.table) >> eater & 1
    for i in range(s.pot_size):
        card = s.pot[i]
        s.pot[i] = 0
        if into_hand:
            _put_into(s, eater, card)
        else:
            s.burned[eater, card] += 1
            s.burned_sizes[eater] += 1
        emit(log, TOOK if into_hand else BURNED, eater, PUBLIC, card, 0, 0)
    _empty_pot(s)


@inlined
def _fill_up(s: Record, seat: int, log: Log) -> None:
    while s.sizes[seat] < HAND_SIZE and s.bank_sizes[seat] > 0:
        s.bank_sizes[seat] -= 1
        top = s.bank_sizes[seat]
        card = wide(s.banks[seat, top])
        s.banks[seat, top] = 0
        _put_into(s, seat, card)
        emit(log, DREW, seat, bit(seat), card, 0, 0)


@rule
def _exchange(s: Record, seat: int, action: int, log: Log) -> None:
    """An open card for one of the big loser's; then the first pot is opened."""
    if action == KEEP:
        emit(log, KEPT, seat, PUBLIC, 0, 0, 0)
    else:
        mine, theirs = (action - SWAP) // SLOTS, (action - SWAP) % SLOTS
        given, taken = s.open[seat, mine], s.open[s.loser, theirs]
        s.open[seat, mine], s.open[s.loser, theirs] = taken, given
        emit(log, SWAPPED, seat, PUBLIC, given, taken, 0)
        emit(log, LOST, s.loser, PUBLIC, given, taken, 0)
    s.winner = s.loser = NOBODY
    s.turn = _first_to_open(s)
    emit(log, OPENS, s.turn, PUBLIC, 0, 0, 0)


# --- Scoring, the next round, the end ------------------------------------------------------------


@rule
def cards_left(s: Record, seat: int) -> int:
    """In bank, hand, open and blind."""
    left = wide(s.bank_sizes[seat]) + s.sizes[seat]
    for slot in range(SLOTS):
        left += s.open[seat, slot] != EMPTY
        left += s.blind[seat, slot] != EMPTY
    return left


@rule
def count_of(s: Record, seat: int) -> int:
    """All cards that he has left, and his burned ones."""
    return cards_left(s, seat) + s.burned_sizes[seat]


@inlined
def _score(s: Record, winner: int, log: Log) -> None:
    fewest = count_of(s, winner)
    loser, most = NOBODY, -1
    seat = beside(winner, 1, s.players)
    while seat != winner:  # from the winner on: of equal ones the first is the big loser
        count = count_of(s, seat)
        fewest = min(fewest, count)
        if count > most:
            loser, most = seat, count
        seat = beside(seat, 1, s.players)
    emit(log, LOWEST, winner, PUBLIC, fewest, 0, 0)
    for seat in range(s.players):
        count = count_of(s, seat)
        points = WINNER_POINTS * (seat == winner) + LOWEST_POINTS * (count == fewest)
        s.scores[seat] += points
        _tell_counted(s, seat, seat == winner, count == fewest, log)
        emit(log, SCORED, seat, PUBLIC, count, points, s.scores[seat])
    emit(log, TRAILED, loser, PUBLIC, 0, 0, 0)
    _start_next(s, winner, loser, log)


@inlined
def _tell_counted(s: Record, seat: int, won: bool, lowest: bool, log: Log) -> None:
    """Where the cards of a count are, and what the count and the win bring."""
    if log.shape[0] > 0:
        opened, blind = 0, 0
        for slot in range(SLOTS):
            opened += s.open[seat, slot] != EMPTY
            blind += s.blind[seat, slot] != EMPTY
        _tell_cards(seat, IN_HAND, s.sizes[seat], log)
        _tell_cards(seat, IN_BANK, s.bank_sizes[seat], log)
        _tell_cards(seat, IN_OPEN, opened, log)
        _tell_cards(seat, IN_BLIND, blind, log)
        _tell_cards(seat, IN_BURNED, s.burned_sizes[seat], log)
        if won:
            emit(log, COUNTED, seat, PUBLIC, FOR_OUT, 1, WINNER_POINTS)
        if lowest:
            emit(log, COUNTED, seat, PUBLIC, FOR_LOWEST, count_of(s, seat), LOWEST_POINTS)


@rule
def _tell_cards(seat: int, place: int, count: int, log: Log) -> None:
    if count > 0:
        emit(log, COUNTED, seat, PUBLIC, place, count, 0)


@rule
def _start_next(s: Record, winner: int, loser: int, log: Log) -> None:
    """The next round, if there is one; its predecessor's winner may exchange a card first."""
    if s.round_number >= s.options[ROUNDS]:
        finish(s, LOWEST_WINS)
        tell_winners(s, WON, log)
        return
    s.opener = beside(s.opener, 1, s.players)
    _deal(s)
    emit(log, DEALT, s.opener, PUBLIC, s.round_number, 0, 0)
    s.winner, s.loser = winner, loser
    if winner == NOBODY:
        s.turn = _first_to_open(s)
        emit(log, OPENS, s.turn, PUBLIC, 0, 0, 0)
    else:
        s.turn = winner


# --- Memory --------------------------------------------------------------------------------------
#
# What everybody knows of a hand from what its player did: who ate had nothing legal, and when the
# first pot was opened nobody had a lower yellow card. Cards that came into the hand before may not
# be of those kinds; later ones may be anything. So a card is the more restricted the longer it has
# been there: `barred` says for the oldest three cards, the oldest first, what each is not, and each
# of these sets contains the next. When a card is played it may have been any that it fits; the
# hands that are possible then are those without the oldest such.
#
# Who eats 8½ has no 8 or no half: two ways, each with sets of its own. Mostly there is one way, and
# the sets of the second are empty.
#
# A hand beyond the first three cards, as only a position has it, may be anything there.


@inlined
def _remember_opening(s: Record, seat: int, card: int) -> None:
    """The first pot of a round was opened with the lowest yellow card, or there is none.

    (In a position the turn may be somebody's who does not have it: that tells nothing.)
    """
    if s.sizes[seat] > 0 and seat == _first_to_open(s):
        for other in range(s.players):
            _bar(s, other, _not_at_opening(s, other, card), False)


@rule
def _not_at_opening(s: Record, seat: int, card: int) -> int:
    """What a seat cannot have when the one on turn opens the first pot with a card: lower yellow
    ones; also an equal one if ties go to this seat."""
    if not 1 << card & YELLOW:
        return YELLOW
    equal = _after_opener(s, seat) < _after_opener(s, s.turn)
    return YELLOW & ((1 << card + equal) - 1)


@inlined
def _remember_eating(s: Record, seat: int) -> None:
    """Nothing was legal; on 8½ that means also: not both an 8 and a half."""
    if not s.table & bit(seat):  # otherwise the hand is known anyway
        _bar(s, seat, fitting(s.value), s.value == EIGHT_AND_A_HALF)


@rule
def _bar(s: Record, seat: int, kinds: int, not_both: bool) -> None:
    """All cards of the hand are none of these kinds, and if asked for not both 8 and half."""
    ways = ways_of(s, seat)
    for i in range(min(HAND_SIZE, s.sizes[seat])):
        if not_both:
            # Each way splits, into no 8 and no half. Where there are two already that would make
            # four: of each pair we keep what its two have in common.
            known = s.barred[seat, 0, i]
            if ways == WAYS:
                known &= s.barred[seat, 1, i]
            s.barred[seat, 0, i] = known | kinds | 1 << EIGHT
            s.barred[seat, 1, i] = known | kinds | 1 << HALF
        else:
            for way in range(ways):
                s.barred[seat, way, i] |= kinds
    if not_both or ways == WAYS:
        _compare_ways(s, seat)


@inlined
def ways_of(s: Record, seat: int) -> int:
    """How many ways there are: one, or two."""
    return WAYS if s.barred[seat, 1, 0] else 1


@rule
def _forget(s: Record, seat: int, card: int, count: int) -> None:
    """Cards leave the hand: each the oldest that it may have been. A way that has none is none."""
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
            _compare_ways(s, seat)


@rule
def _compare_ways(s: Record, seat: int) -> None:
    """Of two ways one goes if it cannot be, or if the other includes it."""
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
    """What the i-th oldest card of a hand is not, as bits, whichever way it is."""
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
    """Whether a seat does not see a hand: all have seen that of one who has played from the table,
    since his hand was empty then, and what came into it since was eaten."""
    return other != seat and not s.table & bit(other)


@rule_with_scratch
def guess(s: Record, seat: int, rng: Rng) -> None:
    """A deal of the unseen cards to banks, blind slots and hands that fits what is remembered.

    Places for cards are the oldest three of every hidden hand, the rest of it, and all that lies
    face down.
    """
    guess_chance(s, rng)
    cards = np.empty(DECK_SIZE, np.int64)
    fits = np.empty(DECK_SIZE, np.int64)
    where = np.empty(DECK_SIZE, np.int64)
    order = np.empty(DECK_SIZE, np.int64)
    owners = np.empty(MOST_PLACES, np.int64)
    not_there = np.empty(MOST_PLACES, np.int64)
    room = np.empty(MOST_PLACES, np.int64)
    scratch = np.empty(2 * MOST_PLACES, np.int64)
    count = _unseen(s, seat, cards)
    opening = first_pot(s)
    tries = NINE if opening else 1 << SEATS
    # Which way it is with every hand; or, before the first card, which is the lowest yellow one.
    first = random_below(rng, tries)
    for attempt in range(tries + 1):
        free = attempt == tries  # only for positions that no match comes to: a guess must end
        choice = (first + attempt) % tries
        n = _list_places(s, seat, 0 if opening else choice, free, owners, not_there, room)
        low = choice + 1
        if opening and not free:
            if not _could_open(s, seat, low):
                continue
            for place in range(1, n):
                not_there[place] |= _not_at_opening(s, owners[place], low)
        for i in range(count):
            fits[i] = 0
            order[i] = i
            for place in range(n):
                if not not_there[place] >> cards[i] & 1:
                    fits[i] |= 1 << place
        if opening and not free and low < NINE and _hidden_from(s, s.turn, seat):
            _reserve(s, cards, count, low, owners, n, fits)
        random_shuffle(rng, order, count)
        if deal_fitting(rng, fits, order, count, room, n, where, scratch):
            break
    for i in range(count):
        owner = owners[where[order[i]]]
        if owner == FACE_DOWN:
            _lay_down(s, cards[order[i]])
        else:
            s.hands[owner, cards[order[i]]] += 1
            s.holds[owner] |= 1 << cards[order[i]]


FACE_DOWN = -1  # as the owner of a place
MOST_PLACES = 1 + SEATS * (HAND_SIZE + 1)


@inlined
def _unseen(s: Record, seat: int, cards: Any) -> int:
    """Lists the cards that the seat does not see."""
    n = 0
    for card in range(KINDS):
        left = how_many(card) - s.outside[card]
        for i in range(s.pot_size):
            left -= s.pot[i] == card
        for other in range(s.players):
            left -= s.hands[other, card] + s.burned[other, card]
            for slot in range(SLOTS):
                left -= s.open[other, slot] == card
        for _ in range(left):
            cards[n] = card
            n += 1
    return n


@inlined
def how_many(card: int) -> int:
    return (FIRST_PLACE[card + 1] if card < GHOST else DECK_SIZE) - FIRST_PLACE[card]


@inlined
def _list_places(
    s: Record, seat: int, ways: int, free: bool, owners: Any, not_there: Any, room: Any
) -> int:
    """Lists places with what cannot be there and for how many cards they are: first all that lies
    face down, then the hands, each in the way that its bit of `ways` says."""
    owners[0] = FACE_DOWN
    not_there[0] = 0
    room[0] = 0
    n = 1
    for other in range(s.players):
        room[0] += s.bank_sizes[other]
        for slot in range(SLOTS):
            room[0] += s.blind[other, slot] != EMPTY
        if not _hidden_from(s, other, seat):
            continue
        for i in range(min(HAND_SIZE + 1, s.sizes[other])):
            rest = i == HAND_SIZE
            owners[n] = other
            way = min(ways >> other & 1, ways_of(s, other) - 1)
            not_there[n] = 0 if free or rest else s.barred[other, way, i]
            room[n] = s.sizes[other] - HAND_SIZE if rest else 1
            n += 1
    return n


@inlined
def _could_open(s: Record, seat: int, low: int) -> bool:
    """Whether what a seat holds itself allows that the one on turn opens with this card."""
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
def _reserve(s: Record, cards: Any, count: int, low: int, owners: Any, n: int, fits: Any) -> None:
    """One of the lowest yellow cards is in the hand of the one who opens with it."""
    his = 0
    for place in range(n):
        if owners[place] == s.turn:
            his |= 1 << place
    for i in range(count):
        if cards[i] == low:
            fits[i] &= his
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


OBSERVED = (
    *(f"pot {card}" for card in CARDS),
    *(f"gone {card}" for card in CARDS),
    *(f"fits {card}" for card in CARDS),
    *(f"policeman {card}" for card in CARDS[:HALF]),
    *("value", "empty", "exchange", "first pot"),
    *(
        f"{what} {place}"
        for place in range(SEATS)
        for what in ("here", "turn", "hand", "bank", "blind", "burned", "table", "loser", "score")
    ),
    *(f"open {place} {card}" for place in range(SEATS) for card in CARDS),
    *(f"hand {place} {card}" for place in range(SEATS) for card in CARDS),
)
N_OBSERVED = len(OBSERVED)
PER_SEAT = 9


@rule
def observe(s: Record, seat: int, out: Any) -> None:
    """Cards in eighths, sizes in tens, the value in nines, scores in points of a round won.

    Seats are told in playing order from the observer on, so that all seats learn the same game.
    """
    for i in range(N_OBSERVED):
        out[i] = 0.0
    for i in range(s.pot_size):
        out[wide(s.pot[i])] += 1 / 8
    fits = fitting(s.value)
    for card in range(KINDS):
        for other in range(s.players):
            out[KINDS + card] += s.burned[other, card] / 8
        out[2 * KINDS + card] = fits >> card & 1
    n = 3 * KINDS
    if policeman(s.value) != NOBODY:
        out[n + policeman(s.value)] = 1.0
    n += HALF
    out[n] = max(s.value, 0) / (2 * NINE)
    out[n + 1] = s.value == NO_POT
    out[n + 2] = s.winner != NOBODY
    out[n + 3] = s.turns == 0
    n += 4
    there = max(seat, 0)
    for place in range(s.players):
        _observe_seat(s, there, out, n + PER_SEAT * place)
        open_cards = n + PER_SEAT * SEATS + KINDS * place
        for slot in range(SLOTS):
            if s.open[there, slot] != EMPTY:
                out[open_cards + wide(s.open[there, slot])] += 1 / 3
        for card in range(KINDS):
            out[open_cards + KINDS * SEATS + card] = s.hands[there, card] / 8
        there = beside(there, 1, s.players)


@inlined
def _observe_seat(s: Record, seat: int, out: Any, n: int) -> None:
    out[n] = 1.0
    out[n + 1] = s.turn == seat
    out[n + 2] = s.sizes[seat] / 10
    out[n + 3] = s.bank_sizes[seat] / 10
    for slot in range(SLOTS):
        out[n + 4] += (s.blind[seat, slot] != EMPTY) / 3
    out[n + 5] = s.burned_sizes[seat] / 10
    out[n + 6] = s.table >> seat & 1
    out[n + 7] = s.loser == seat
    out[n + 8] = s.scores[seat] / (WINNER_POINTS + LOWEST_POINTS)


# --- Positions -----------------------------------------------------------------------------------


class Exchange(Form):
    """`[winner, big loser]` while the exchange is open; `turn` is then the winner. Else `-`."""

    reads = ("winner", "loser")

    def read(self, key: str, s: Record, value: object) -> None:
        s.winner = s.loser = NOBODY
        if text_of(value) == NONE:
            return
        if not isinstance(value, list | tuple) or len(value) != 2:
            raise BadPosition(key, f"must be the winner and the big loser, not {show(value)}.")
        winner, loser = (seat_of(key, one, s.players) for one in value)
        if winner == loser:
            raise BadPosition(key, "the winner and the big loser are two players.")
        s.winner, s.loser = winner, loser

    def write(self, s: Record) -> list[int] | str:
        return NONE if s.winner == NOBODY else [int(s.winner), int(s.loser)]


def value_name(s: Record) -> str:
    """The pot's value: 3.5, or `-` for an empty pot."""
    halves = int(s.value)
    return NONE if halves == NO_POT else f"{halves // 2}{'.5' if halves % 2 else ''}"


def fitting_names(s: Record) -> str:
    """The cards that are legal on the pot; also `8h`, which must be in the hand."""
    together = ["8h"] if both_fit(s.value) and s.sizes[s.turn] else []
    return " ".join([*names_in(fitting(s.value)), *together])


def names_in(kinds: int) -> list[str]:
    return [name for card, name in enumerate(CARDS) if kinds >> card & 1]


def policeman_name(s: Record) -> str:
    """The card that catches whoever played last, or `-`."""
    card = policeman(s.value)
    return NONE if card == NOBODY else CARDS[card]


def places(s: Record) -> list[str]:
    """Where every player plays from."""
    laid = ["open" if (open != EMPTY).any() else "blind" for open in s.open[: s.players]]
    return ["hand" if s.sizes[seat] else laid[seat] for seat in range(s.players)]


def counts(s: Record) -> list[int]:
    """What would be counted for every player if the round ended now."""
    return [int(count_of(s, seat)) for seat in range(s.players)]


class Memory(Form):
    """What the table remembers of every hand.

    A word stands for a card, the one that has been there longest first, and names what it is not:
    `"0789hg 0789hg"`. Two ways that it may be are separated by `|`.
    """

    reads = ("barred",)

    def read(self, key: str, s: Record, value: object) -> None:
        for seat, one in enumerate(entries(key, value, s.players)):
            text = text_of(one)
            ways = [way.split() for way in (text or "").split("|")]
            if text is None or len(ways) > WAYS:
                raise BadPosition(key, f"must be words for seat {seat}, not {show(one)}.")
            for way, listed in enumerate(ways):
                words = [word for word in listed if word != NONE]
                if len(words) > min(HAND_SIZE, s.sizes[seat]):
                    raise BadPosition(key, f"seat {seat} has not so many cards.")
                for i, word in enumerate(words):
                    if set(word) - set(CARDS):
                        raise BadPosition(key, f"{word!r} are not all names of cards.")
                    s.barred[seat, way, i] = sum(1 << CARDS.index(name) for name in set(word))
                    if i and s.barred[seat, way, i] & ~s.barred[seat, way, i - 1]:
                        raise BadPosition(key, f"{word!r} excludes more than the word before it.")

    def write(self, s: Record) -> list[str]:
        return [
            " | ".join(self.words(way) for way in s.barred[seat, : ways_of(s, seat)].tolist())
            for seat in range(s.players)
        ]

    def words(self, way: list[int]) -> str:
        return " ".join("".join(names_in(kinds)) for kinds in way if kinds)


KEYS: dict[str, Form] = {
    "turn": Seat("turn"),
    "pot": Stack("pot", "pot_size", CARDS, upward=True),
    "value": Derived(value_name, ("value",)),
    "fits": Derived(fitting_names, ("value", "sizes", "turn")),
    "first": Derived(lambda s: bool(first_pot(s)), ("turns", "pot_size", "winner")),
    "down": Derived(lambda s: bool(s.value == FIVE), ("value",)),
    "policeman": Derived(policeman_name, ("value",)),
    "places": Derived(places, ("open", "sizes")),
    "last": Seat("last", none=True),
    "hands": Hands("hands", "sizes", CARDS),
    "open": Slots("open", CARDS, EMPTY),
    "blind": Slots("blind", CARDS, EMPTY),
    "banks": Stacks("banks", "bank_sizes", CARDS),
    "burned": Hands("burned", "burned_sizes", CARDS),
    "counts": Derived(counts, ("bank_sizes", "sizes", "open", "blind", "burned_sizes")),
    "table": Seats("table"),
    "turns": Number("turns", high=LAST_TURN),
    "swap": Exchange(),
    "scores": Numbers("scores", high=30_000),
    "memory": Memory(),
    "outside": Outside("outside", CARDS),
}
REQUIRED = ("hands",)


def settle(s: Record, given: frozenset[str], rest: Counter[int], out: bool) -> None:
    """Completes a record whose keys have been read, or says why there is no such position.

    `rest` are the cards that no key mentions: they are out of the round.
    """
    for seat in range(s.players):
        s.holds[seat] = sum(1 << card for card in range(KINDS) if s.hands[seat, card])
        for key in ("open", "blind"):
            if key not in given:
                s[key][seat] = EMPTY
    for card in range(KINDS):
        s.outside[card] = rest[card]
    if "swap" not in given:
        s.winner = s.loser = NOBODY
    s.value = _value_of(s)
    _settle_end(s, given)
    _settle_turn(s, given)
    _settle_hands(s)
    _settle_memory(s)


def _settle_end(s: Record, given: frozenset[str]) -> None:
    if int(s.round_number) > s.options[ROUNDS]:
        raise BadPosition("round", f"the match has {s.options[ROUNDS]} rounds.")
    ended = [
        ("hands", f"seat {seat} has no card: the round is over.")
        for seat in range(s.players)
        if cards_left(s, seat) == 0
    ]
    if s.turns == LAST_TURN:
        ended.append(("turns", f"a round ends after {LAST_TURN} turns."))
    settle_end(s, given, ended, s.round_number >= s.options[ROUNDS], lowest_wins=LOWEST_WINS)


def _value_of(s: Record) -> int:
    """The pot was laid card by card: what a card does depends on nothing else."""
    value = NO_POT
    for card in s.pot[: s.pot_size].tolist():
        value = value_with(value, card, 1)
    return value


def _settle_turn(s: Record, given: frozenset[str]) -> None:
    if s.winner != NOBODY:
        if s.pot_size or s.turns:
            raise BadPosition("swap", "cards are exchanged before the first pot.")
        if "turn" in given and s.turn != s.winner:
            raise BadPosition("turn", f"seat {s.winner} may exchange a card first.")
        s.turn = s.winner
    elif "turn" not in given:
        s.turn = s.opener
        if s.pot_size == 0 and s.turns == 0:
            s.turn = _first_to_open(s)
        elif s.pot_size and "last" in given and s.last != NOBODY:
            s.turn = beside(s.last, 1, s.players)
    if "last" not in given:
        s.last = beside(s.turn, -1, s.players) if s.pot_size else NOBODY
    if s.pot_size and s.last == NOBODY:
        raise BadPosition("last", "somebody has played on this pot.")
    if s.pot_size == 0 and s.last != NOBODY:
        raise BadPosition("last", "nobody has played on an empty pot.")
    if s.last == s.turn and not s.over:
        raise BadPosition("last", f"it is seat {s.turn}'s turn, after another one.")


def _settle_hands(s: Record) -> None:
    for seat in range(s.players):
        if s.bank_sizes[seat] and s.table & bit(seat):
            raise BadPosition("banks", f"seat {seat} plays from the table, so it has no bank.")
        if s.bank_sizes[seat] and s.sizes[seat] == 0:
            raise BadPosition("hands", f"seat {seat} has a bank, so its hand is not empty.")


def _settle_memory(s: Record) -> None:
    """Nobody remembers what cannot have been."""
    for seat in range(s.players):
        if ways_of(s, seat) == WAYS:
            _compare_ways(s, seat)
        if not any(_hand_fits(s, seat, way) for way in range(ways_of(s, seat))):
            raise BadPosition("memory", f"the hand of seat {seat} is another one.")


def _hand_fits(s: Record, seat: int, way: int) -> bool:
    """Each set contains the next: a card that fits the oldest place fits all others, too."""
    hand = [card for card in range(KINDS) for _ in range(s.hands[seat, card])]
    for kinds in s.barred[seat, way, : s.sizes[seat]].tolist():
        fits = [card for card in hand if not kinds >> card & 1]
        if not fits:
            return False
        hand.remove(fits[0])
    return True
