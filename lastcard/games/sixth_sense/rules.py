"""Say with a card from your own hand how many tricks you will win. For 2 to 6 players.

## Cards

70 cards in five colours (`r y g b p`: red, yellow, green, blue, purple), fourteen each: 0, 1, 2, 3,
4, 5, 6, 7, 8, 10, 11, 12, 13, 14. There is no 9, the 6 is also the 9. *[ruling]* A name is colour
and number: `r0` to `p14`. With two players there is no purple.

| players | 2 | 3 | 4 | 5 | 6 |
|---|---|---|---|---|---|
| rounds | 6 | 6 | 4 | 5 | 6 |
| cards each | 15 | 14 | 14 | 13 | 11 |

## A round

**The deal.** The top card of what is left after dealing is turned up: its colour is **trump**.

**Predictions.** All players at the same time lay one card from the hand face down. Its number is
how many tricks they mean to win; a 6 means 6 or 9, a 0 none. The card is out of play until the
round ends, and cannot be changed.

**Tricks**, until the hands are empty. The opener leads the first one, the winner of each leads the
next. The leader plays any card. The **asked colour** is that of the first card in playing order
that is not blocked. *[ruling on cards that lie between]* The others follow in turn with one card
each: of the asked colour if they have any, otherwise any card. This holds for the cards below, too,
also when blocking. As long as there is no asked colour (the only card so far was blocked) any card
may be played. The highest trump wins the trick, otherwise the highest card of the asked colour.

## Cards with a power

- **0, block**: a plain 0, or a **block**, but not by the leader. It is laid face down on a card
  that another player has laid in this trick. Both cards leave the trick, and the blocked one loses
  its power (`block g0 2`: the green 0 on seat 2's card). There is one block in a trick. With two
  players nobody wins a blocked trick; its cards are out, and the same player leads again.
- **4, reversal**: while the number of 4s in the trick that are not blocked is odd *[ruling for
  three and more]*, the *lowest* card wins, and colours count the other way round. First come those
  that are neither trump nor asked: the lowest number wins, the later one of equals. If there is no
  such card it is the lowest of the asked colour, and if there is none, the lowest trump.
- **6**: when played, a 6 or a 9, as its player says (`play b6`, `play b6=9`).
- **8, peek**: whoever *leads* with an 8 that is not blocked sees the prediction of the trick's
  winner as soon as the trick is complete. Nobody else sees it. *[ruling]* There is nothing to see
  if he wins it himself, or nobody does.
- **12, double**: if a 12 that is not blocked is in the trick, its winner chooses: one trick
  (**whole**), or two (**split**). Several 12s change nothing more. *[ruling]*

## Points

As many tricks as predicted: so many points (with a 6 it is 6 or 9, whichever was met). Otherwise
the difference is lost; with a 6 the difference to the nearer of 6 and 9. With 4 predicted, 6 or 2
tricks cost 2 points. With 6 or 9 predicted, 7 tricks cost 1.

The player to the left of this round's opener opens the next one. After the last round most points
win; ties share the win.

## Variants

- `beginner`: there is no trump, and the points of a round go by the difference (with a 6, to the
  nearer of 6 and 9): 6 points for none, 4 for one, 3 for two, 2 for three, 1 for four, else 0.
- `target`: the match ends after a round in which somebody has so many points, such as 20, instead
  of after a fixed number of rounds; and after 30 rounds in any case. *[ruling]*
- `late_trump`: the trump is turned up when all predictions are laid. Not together with `beginner`.
  *[ruling]*

## What you know

Your own hand and prediction, the cards that were played, blocks and what they covered, the card
turned up, how many tricks everybody has, and the predictions that you have peeked at. Who did not
follow a colour has none of it in hand. Predictions are hidden until the round is scored; then all
are shown.
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
    bury,
    deal_fitting,
    emit,
    everybody,
    finish,
    guess_chance,
    hide_chance,
    inlined,
    lowest,
    next_round,
    nobody,
    offer,
    pick_opener,
    random_shuffle,
    record,
    rule,
    rule_with_scratch,
    set_up,
    shuffle,
    take,
    tell_winners,
    wide,
)
from lastcard.kernel.forms import (
    HIDDEN,
    NONE,
    Clash,
    Derived,
    Event,
    Flag,
    Form,
    HandsOfBits,
    Limit,
    Named,
    Numbers,
    OnePerSeat,
    OpenerOption,
    OutsideBits,
    Seat,
    Stack,
    entries,
    listed,
    scoring_events,
    seat_of,
    settle_end,
    show,
    text_of,
)

TITLE = "Sixth Sense"
TAGLINE = "Say with a card from your own hand how many tricks you will win."
PLAYERS = (2, 6)
MINUTES = 12  # that a match takes three players, about
LOWEST_WINS = False

# --- Cards ---------------------------------------------------------------------------------------
#
# A card is 14 * its colour + its place in the colour. What lies in a trick is a card, too, or one
# of five more: the sixes that are meant as nines.

COLOURS = ("r", "y", "g", "b", "p")
NUMBERS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14)
N_COLOURS, PER_COLOUR = len(COLOURS), len(NUMBERS)
CARDS = tuple(f"{colour}{number}" for colour in COLOURS for number in NUMBERS)
KINDS = len(CARDS)
DECK = (1,) * KINDS  # how many of each
PURPLE = 4
WITHOUT_PURPLE = PURPLE * PER_COLOUR  # so many cards have two players
WHOLE_COLOUR = (1 << PER_COLOUR) - 1  # all cards of a colour, as bits

ZERO, REVERSAL, SIX, PEEK, NINE, DOUBLE = 0, 4, 6, 8, 9, 12
SIX_PLACE = NUMBERS.index(SIX)
ABOVE_NINE = NUMBERS.index(10)  # the place of the first card that beats a nine
LAID = (*CARDS, *(f"{colour}6=9" for colour in COLOURS))
N_LAID = len(LAID)

_COLOUR_WORDS = {"r": "red", "y": "yellow", "g": "green", "b": "blue", "p": "purple"}
WORDS = {
    **_COLOUR_WORDS,
    **{card: f"{_COLOUR_WORDS[card[0]]}-{card[1:]}" for card in CARDS},
    **{card: f"{_COLOUR_WORDS[card[0]]}-6-as-9" for card in LAID[KINDS:]},
    "scores": "score",
}

# Tables, worked out once: of everything that can lie in a trick.
CARD_OF = np.array(
    [*range(KINDS), *(PER_COLOUR * colour + SIX_PLACE for colour in range(N_COLOURS))], np.int64
)
COLOUR_OF = CARD_OF // PER_COLOUR
PLACE_OF = CARD_OF % PER_COLOUR  # in its colour
NUMBER_OF = np.array([*NUMBERS * N_COLOURS, *(NINE for _ in COLOURS)], np.int64)

DOUBLES = 8  # what a 12 adds to the powers of a trick, and a 4 adds 1: there are five of each
# The cards of a colour up to a number, as bits; the last entry, -1, is for none.
PLACES_UP_TO = np.array(
    [
        *(
            sum(1 << NUMBERS.index(n) for n in NUMBERS if n <= top)
            for top in range(NUMBERS[-1] + 1)
        ),
        0,
    ],
    np.int64,
)
POWERS = np.where(NUMBER_OF == REVERSAL, 1, np.where(NUMBER_OF == DOUBLE, DOUBLES, 0))

HAND_SIZES = np.array([0, 0, 15, 14, 14, 13, 11], np.int64)  # by the number of players
ROUNDS = np.array([0, 0, 6, 6, 4, 5, 6], np.int64)
LAST_ROUND = 30  # with a target
BEGINNER_POINTS = np.array([6, 4, 3, 2, 1, 0], np.int64)  # by the difference, 5 or more at the end
NO_CARD = KINDS  # where no prediction is laid

# --- Actions -------------------------------------------------------------------------------------

SEATS = PLAYERS[1]
PREDICT = 0  # + card
PLAY = PREDICT + KINDS  # + what will lie in the trick: a card, or a six meant as a nine
PLAY_NINE = PLAY + KINDS  # + colour
BLOCK = PLAY + N_LAID  # + SEATS * colour + the seat whose card is blocked
SPLIT = BLOCK + N_COLOURS * SEATS
WHOLE = SPLIT + 1

ACTIONS = (
    *(f"predict {card}" for card in CARDS),
    *(f"play {card}" for card in LAID),
    *(f"block {colour}0 {seat}" for colour in COLOURS for seat in range(SEATS)),
    "split",
    "whole",
)
MOST_LEGAL = 48  # five zeros on five cards each, five sixes twice, and some room

# --- Options -------------------------------------------------------------------------------------

OPTIONS = (
    Flag("beginner", False, "there is no trump, and points go by the difference"),
    Limit("target", None, "it ends after a round in which somebody has so many points", 1, 1_000),
    Flag("late_trump", False, "the trump is turned up when all predictions are laid"),
    OpenerOption(),
)
BEGINNER, TARGET, LATE_TRUMP, OPENER = range(len(OPTIONS))
CLASHES = (
    Clash(
        {"beginner": True, "late_trump": True},
        "beginner and late_trump do not go together: beginners play without a trump.",
    ),
)

# --- Events --------------------------------------------------------------------------------------

_CARD = {"card": CARDS}
AIMS = tuple("6 or 9" if number == SIX else str(number) for number in range(NUMBERS[-1] + 1))
EVENTS = (
    Event(
        "dealt",
        "Round {round} is dealt; {seat} will lead.",
        "Round {round} is dealt; you will lead.",
        {"round": None},
    ),
    Event("turned", "{card} is turned up: {colour} is trump.", values={**_CARD, "colour": COLOURS}),
    Event(
        "predicted",
        "{seat} predicts with {card}.",
        "You predict with {card}.",
        _CARD,
        secret=frozenset({"card"}),
        veiled="",  # the table shows it
    ),
    Event("played", "{seat} plays {card}.", "You play {card}.", {"card": LAID}),
    Event(
        "blocked",
        "{seat} blocks {covered} with {card}.",
        "You block {covered} with {card}.",
        {"card": CARDS, "covered": LAID},
    ),
    Event(
        "took",
        "{seat} wins the trick with {card}.",
        "You win the trick with {card}.",
        {"card": LAID},
    ),
    Event(
        "reversed",
        "Reversed: {seat} wins the trick with {card}.",
        "Reversed: you win the trick with {card}.",
        {"card": LAID},
    ),
    Event("doubled", "{seat} makes two tricks of it.", "You make two tricks of it."),
    Event("kept", "{seat} leaves it one trick.", "You leave it one trick."),
    Event("void", "Nobody wins the trick; {seat} leads again.", "Nobody wins it; you lead again."),
    Event(
        "peeked",
        "{seat} peeks at the prediction of {whom}: {card}.",
        "You peek at the prediction of {whom}: {card}.",
        {**_CARD, "whom": None},
        secret=frozenset({"card"}),
        veiled="{seat} peeks at the prediction of {whom}.",
    ),
    Event(
        "revealed",
        "{seat} predicted {aim} ({card}) and has won {tricks}.",
        "You predicted {aim} ({card}) and have won {tricks}.",
        {"card": CARDS, "aim": AIMS, "tricks": None},
    ),
    *scoring_events(CARDS, ("exact", "over", "under"))[1:],
)
DEALT, TURNED, PREDICTED, PLAYED, BLOCKED, TOOK, REVERSED, DOUBLED, KEPT, VOID = range(10)
PEEKED, REVEALED, COUNTED, SCORED, WON = range(10, len(EVENTS))
EXACT, OVER, UNDER = range(3)  # how tricks are counted against a prediction

# --- The record ----------------------------------------------------------------------------------

RECORD = record(
    SEATS,
    len(OPTIONS),
    [
        ("hands", np.int16, (SEATS, N_COLOURS)),  # the cards of each colour, as bits
        ("sizes", np.int8, (SEATS,)),  # cards in each hand, also where the hand is hidden
        ("predictions", np.int8, (SEATS,)),  # the cards laid, or NO_CARD
        ("predicting", np.int8),  # who has none laid yet, as bits
        ("trick", np.int8, (SEATS,)),  # what lies in the trick, in playing order
        ("trick_size", np.int8),
        ("blocker", np.int8),  # the block's place in the trick, or NOBODY
        ("blocked", np.int8),  # the place of the card under it, or NOBODY
        ("asked", np.int8),  # the asked colour, or NOBODY
        ("trump", np.int8),  # a colour, or NOBODY; if there is one the stock's top card is seen
        ("turn", np.int8),  # whose turn it is; during predictions the opener
        ("leader", np.int8),  # who leads the trick
        ("tricks", np.int8, (SEATS,)),  # won so far
        ("stock", np.int8, (KINDS,)),  # left over; its top is turned up, the last of `stock_size`
        ("stock_size", np.int8),
        ("outside", np.int16, (N_COLOURS,)),  # cards out of the round, played before: as bits
        ("seen", np.int8, (SEATS,)),  # whose predictions each seat has peeked at, as bits
        ("void", np.int8, (SEATS,)),  # colours that each seat did not follow, as bits
    ],
)

# --- A new match, and dealing --------------------------------------------------------------------


@rule
def new(s: Record, players: int, options: Any) -> None:
    set_up(s, players, options)
    for seat in range(SEATS):
        s.sizes[seat] = 0
        s.predictions[seat] = 0
        s.trick[seat] = 0
        for colour in range(N_COLOURS):
            s.hands[seat, colour] = 0
        _forget(s, seat)
    for i in range(KINDS):
        s.stock[i] = 0
    s.opener = pick_opener(s, s.options[OPENER])
    _deal(s)


@inlined
def _forget(s: Record, seat: int) -> None:
    """What is kept of a seat for a round."""
    s.tricks[seat] = 0
    s.seen[seat] = 0
    s.void[seat] = 0


@rule
def _deal(s: Record) -> None:
    """The rest is the stock. With two players purple stays in the box."""
    next_round(s)
    count = WITHOUT_PURPLE if s.players == 2 else KINDS
    for card in range(count):
        s.stock[card] = card
    s.stock_size = count
    shuffle(s, s.stock, count)
    for colour in range(N_COLOURS):
        s.outside[colour] = 0
    if s.players == 2:
        s.outside[PURPLE] = WHOLE_COLOUR
    each = HAND_SIZES[s.players]
    for seat in range(s.players):
        for _ in range(each):
            _give(s, seat, take(s))
        s.sizes[seat] = each
        s.predictions[seat] = NO_CARD
        _forget(s, seat)
    s.predicting = everybody(s.players)
    s.trump = NOBODY
    if not (s.options[BEGINNER] or s.options[LATE_TRUMP]):
        _turn_up(s)
    _begin_trick(s, s.opener)


@inlined
def _give(s: Record, seat: int, card: int) -> None:
    s.hands[seat, COLOUR_OF[card]] |= 1 << PLACE_OF[card]


@inlined
def _turn_up(s: Record) -> None:
    """The colour of the stock's top card is trump. (A position may be without a stock.)"""
    if s.stock_size > 0:
        s.trump = COLOUR_OF[s.stock[s.stock_size - 1]]


@inlined
def _begin_trick(s: Record, leader: int) -> None:
    _clear_trick(s)
    s.leader = leader
    s.turn = leader


@inlined
def _clear_trick(s: Record) -> None:
    s.trick_size = 0
    s.blocker = NOBODY
    s.blocked = NOBODY
    s.asked = NOBODY


# --- Whom the match waits for --------------------------------------------------------------------


@rule
def waiting(s: Record) -> int:
    """All who have not predicted yet; then one after the other."""
    if s.over:
        return 0
    return wide(s.predicting) if s.predicting else bit(s.turn)


bystanders = nobody


# --- What is legal -------------------------------------------------------------------------------


@rule
def legal(s: Record, seat: int, out: Any) -> int:
    if s.over:
        return 0
    if s.predicting:
        return _any_card(s, seat, PREDICT, out) if s.predicting >> seat & 1 else 0
    if seat != s.turn:
        return 0
    if s.trick_size == s.players:
        out[0], out[1] = SPLIT, WHOLE
        return 2
    asked = s.asked
    if asked != NOBODY and s.hands[seat, asked]:
        # Who has the asked colour follows, also with a six or a block.
        n = _cards_of(s, seat, asked, PLAY, out, 0)
        sixes = (wide(s.hands[seat, asked]) >> SIX_PLACE & 1) << asked
        zeros = (wide(s.hands[seat, asked]) & 1) << asked
    else:
        n = _any_card(s, seat, PLAY, out)
        sixes = zeros = 0
        for colour in range(N_COLOURS):
            sixes |= (wide(s.hands[seat, colour]) >> SIX_PLACE & 1) << colour
            zeros |= (wide(s.hands[seat, colour]) & 1) << colour
    while sixes:
        out[n] = PLAY_NINE + lowest(sixes)
        n += 1
        sixes &= sixes - 1
    if zeros and _may_block(s):
        n = _blocks(s, zeros, out, n)
    return n


@inlined
def _may_block(s: Record) -> bool:
    """One block in a trick, and not by the leader."""
    return s.trick_size > 0 and s.blocker == NOBODY


@inlined
def _any_card(s: Record, seat: int, action: int, out: Any) -> int:
    """Four colours in one row of bits: one loop takes less time than four short ones."""
    cards = 0
    for colour in range(PURPLE):
        cards |= wide(s.hands[seat, colour]) << PER_COLOUR * colour
    n = 0
    while cards:
        out[n] = action + lowest(cards)
        n += 1
        cards &= cards - 1
    return _cards_of(s, seat, PURPLE, action, out, n)


@inlined
def _cards_of(s: Record, seat: int, colour: int, action: int, out: Any, n: int) -> int:
    cards = wide(s.hands[seat, colour])
    first = action + PER_COLOUR * colour
    while cards:
        out[n] = first + lowest(cards)
        n += 1
        cards &= cards - 1
    return n


@rule
def _blocks(s: Record, zeros: int, out: Any, n: int) -> int:
    """Each of these zeros on every card that lies in the trick."""
    while zeros:
        first = BLOCK + SEATS * lowest(zeros)
        zeros &= zeros - 1
        for other in range(s.players):
            n = offer(out, n, first + other, place_in_trick(s, other) < s.trick_size)
    return n


@rule
def place_in_trick(s: Record, seat: int) -> int:
    """Where the card of a seat lies, or will lie, in playing order."""
    place = seat - s.leader
    return place if place >= 0 else place + s.players


@rule
def seat_at(s: Record, place: int) -> int:
    """Whose card is the first, second, ... in this trick."""
    seat = s.leader + place
    return seat if seat < s.players else seat - s.players


# --- What an action does -------------------------------------------------------------------------


@rule
def apply(s: Record, seat: int, action: int, log: Log) -> None:
    if action < PLAY:
        _predict(s, seat, action - PREDICT, log)
    elif action < SPLIT:
        if action < BLOCK:
            emit(log, PLAYED, seat, PUBLIC, laid_by(action), 0, 0)
        else:
            covered = s.trick[_blocked_by(s, action)]
            emit(log, BLOCKED, seat, PUBLIC, laid_by(action), covered, 0)
        _leave_hand(s, seat, laid_by(action))
        lay(s, action)
        _go_on(s, log)
    else:
        emit(log, DOUBLED if action == SPLIT else KEPT, seat, PUBLIC, 0, 0, 0)
        _win(s, seat, 2 if action == SPLIT else 1, log)


@inlined
def _predict(s: Record, seat: int, card: int, log: Log) -> None:
    """Face down, and out of play. Once all have laid one the tricks begin."""
    s.hands[seat, COLOUR_OF[card]] &= ~(1 << PLACE_OF[card])
    s.sizes[seat] -= 1
    s.predictions[seat] = card
    s.predicting &= ~bit(seat)
    emit(log, PREDICTED, seat, bit(seat), card, 0, 0)
    if s.predicting:
        return
    if s.options[LATE_TRUMP]:
        _turn_up(s)
        _tell_trump(s, log)
    if s.sizes[s.leader] == 0:  # only where a position began with a card each
        _score(s, log)


@inlined
def _tell_trump(s: Record, log: Log) -> None:
    if s.trump != NOBODY:
        emit(log, TURNED, s.leader, PUBLIC, s.stock[s.stock_size - 1], s.trump, 0)


@rule
def _leave_hand(s: Record, seat: int, laid: int) -> None:
    """A card leaves the hand for the trick. Who does not follow has none of the asked colour."""
    colour = COLOUR_OF[laid]
    s.hands[seat, colour] &= ~(1 << PLACE_OF[laid])
    s.sizes[seat] -= 1
    if s.asked != NOBODY and colour != s.asked:
        s.void[seat] |= 1 << wide(s.asked)


@rule
def laid_by(action: int) -> int:
    """What lies in the trick when a card was played, or a zero that blocks."""
    return action - PLAY if action < BLOCK else PER_COLOUR * ((action - BLOCK) // SEATS)


@inlined
def _blocked_by(s: Record, action: int) -> int:
    """The place of the card that is blocked."""
    return place_in_trick(s, (action - BLOCK) % SEATS)


@rule
def lay(s: Record, action: int) -> None:
    """The next card of the trick. The first that is not blocked asks for its colour; with a block
    both cards leave the trick, and if that was the first one the next one asks for its colour."""
    s.trick[s.trick_size] = laid_by(action)
    s.trick_size += 1
    if action >= BLOCK:
        s.blocker = s.trick_size - 1
        s.blocked = _blocked_by(s, action)
        if s.blocked == 0:
            s.asked = NOBODY if s.blocker == 1 else COLOUR_OF[s.trick[1]]
    elif s.asked == NOBODY:
        s.asked = COLOUR_OF[laid_by(action)]


@rule
def _go_on(s: Record, log: Log) -> None:
    """The next player; or the trick is complete."""
    if s.trick_size < s.players:
        s.turn = beside(s.turn, 1, s.players)
        return
    powers = powers_of(s)
    winner = _winner(s, powers & 1)
    if winner == NOBODY:
        emit(log, VOID, s.leader, PUBLIC, 0, 0, 0)
        _end_trick(s, wide(s.leader), log)
        return
    card = s.trick[place_in_trick(s, winner)]
    emit(log, REVERSED if powers & 1 else TOOK, winner, PUBLIC, card, 0, 0)
    if _peeks(s, winner):
        s.seen[s.leader] |= bit(winner)
        emit(log, PEEKED, s.leader, bit(s.leader), s.predictions[winner], winner, 0)
    if powers >= DOUBLES:
        s.turn = winner  # he chooses
    else:
        _win(s, winner, 1, log)


# --- Who wins a trick ----------------------------------------------------------------------------


@rule
def winning(s: Record) -> int:
    """The seat that wins the trick as it lies; NOBODY if nothing counts."""
    return _winner(s, powers_of(s) & 1)


@rule
def _winner(s: Record, reversed: int) -> int:
    best, winner = -1, NOBODY
    for place in range(s.trick_size):
        if in_play(s, place):
            rank = rank_of(s.trick[place], s.trump, s.asked, reversed)
            if rank >= best:  # of equals the later one; there are none unless it is reversed
                best, winner = rank, place
    return winner if winner == NOBODY else seat_at(s, winner)


@rule
def rank_of(laid: int, trump: int, asked: int, reversed: int) -> int:
    """Trump above the asked colour above others, then by number; with a reversal upside down."""
    colour = COLOUR_OF[laid]
    group = 2 if colour == trump else 1 if colour == asked else 0
    rank = 16 * group + NUMBER_OF[laid]
    return 16 * 3 - rank if reversed else rank


@rule
def beating(rank: int, colour: int, trump: int, asked: int, reversed: int) -> int:
    """The cards of a colour that rank at least so high, as bits."""
    group = 2 if colour == trump else 1 if colour == asked else 0
    if reversed:
        return PLACES_UP_TO[min(max(16 * (3 - group) - rank, -1), NUMBERS[-1])]
    return WHOLE_COLOUR & ~PLACES_UP_TO[min(max(rank - 16 * group - 1, -1), NUMBERS[-1])]


@inlined
def in_play(s: Record, place: int) -> bool:
    """Whether a card in the trick is neither blocked nor a block."""
    return (place != s.blocker) & (place != s.blocked)


@rule
def powers_of(s: Record) -> int:
    """How many 4s count in the trick, and DOUBLES for every 12."""
    powers = 0
    for place in range(s.trick_size):
        if in_play(s, place):
            powers += POWERS[s.trick[place]]
    return powers


@inlined
def _peeks(s: Record, winner: int) -> bool:
    """Whether the leader may look at the winner's prediction."""
    led_eight = NUMBER_OF[s.trick[0]] == PEEK
    return led_eight and s.blocked != 0 and winner != s.leader


# --- The end of a trick, of a round, of the match ------------------------------------------------


@rule
def _win(s: Record, winner: int, tricks: int, log: Log) -> None:
    s.tricks[winner] += tricks
    _end_trick(s, winner, log)


@rule
def _end_trick(s: Record, leader: int, log: Log) -> None:
    for place in range(s.players):
        laid = s.trick[place]
        s.outside[COLOUR_OF[laid]] |= 1 << PLACE_OF[laid]
        s.trick[place] = 0
    _begin_trick(s, leader)
    if s.sizes[leader] == 0:
        _score(s, log)


@rule
def _score(s: Record, log: Log) -> None:
    most = -(1 << 15)
    for seat in range(s.players):
        points = points_of(s, seat)
        s.scores[seat] += points
        most = max(most, s.scores[seat])
        card = wide(s.predictions[seat])
        emit(log, REVEALED, seat, PUBLIC, card, NUMBER_OF[card], s.tricks[seat])
        _tell_counted(s, seat, points, log)
        emit(log, SCORED, seat, PUBLIC, points, s.scores[seat], 0)
    if _last_round(s, most):
        finish(s, LOWEST_WINS)
        tell_winners(s, WON, log)
        return
    s.opener = beside(s.opener, 1, s.players)
    _deal(s)
    emit(log, DEALT, s.opener, PUBLIC, s.round_number, 0, 0)
    _tell_trump(s, log)


@inlined
def _tell_counted(s: Record, seat: int, points: int, log: Log) -> None:
    """How far the tricks are from the prediction, and on which side of it."""
    if log.shape[0] > 0:
        number = NUMBER_OF[s.predictions[seat]]
        tricks = wide(s.tricks[seat])
        difference = difference_of(s, seat)
        # Of a 6, which is also a 9, the nearer number counts.
        over = tricks - number == difference or (number == SIX and tricks - NINE == difference)
        how = EXACT if difference == 0 else OVER if over else UNDER
        emit(log, COUNTED, seat, PUBLIC, how, difference, points)


@rule
def points_of(s: Record, seat: int) -> int:
    return points_for(s, wide(s.tricks[seat]), difference_of(s, seat))


@rule
def points_for(s: Record, tricks: int, difference: int) -> int:
    """For so many tricks, if the prediction was so far away."""
    if s.options[BEGINNER]:
        return BEGINNER_POINTS[min(difference, len(BEGINNER_POINTS) - 1)]
    return -difference if difference else tricks


@rule
def difference_of(s: Record, seat: int) -> int:
    """Between prediction and tricks; a 6 is a 6 or a 9, whichever is nearer."""
    number = NUMBER_OF[s.predictions[seat]]
    tricks = wide(s.tricks[seat])
    difference = abs(number - tricks)
    return min(difference, abs(NINE - tricks)) if number == SIX else difference


@rule
def _last_round(s: Record, most: int) -> bool:
    """Whether the match ends with this round, if the best score is so high after it."""
    target = s.options[TARGET]
    if target:
        return most >= target or s.round_number >= LAST_ROUND
    return s.round_number >= ROUNDS[s.players]


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
    """How many cards of the stock nobody sees."""
    return max(s.stock_size - (s.trump != NOBODY), 0)


@inlined
def _prediction_hidden(s: Record, other: int, seat: int) -> bool:
    if s.over or other == seat or s.predictions[other] == NO_CARD:
        return False
    return seat == NOBODY or s.seen[seat] >> other & 1 == 0


@rule_with_scratch
def guess(s: Record, seat: int, rng: Rng) -> None:
    """A deal of the unseen cards in which nobody holds a colour that he did not follow.

    Places for cards are the hidden hands, and one for all that lies face down.
    """
    guess_chance(s, rng)
    cards = np.empty(KINDS, np.int64)
    fits = np.empty(KINDS, np.int64)
    where = np.empty(KINDS, np.int64)
    order = np.empty(KINDS, np.int64)
    room = np.empty(1 + SEATS, np.int64)
    scratch = np.empty(2 * (1 + SEATS), np.int64)
    count = _unseen(s, cards)
    room[FACE_DOWN] = count
    for other in range(SEATS):
        hidden = other < s.players and other != seat
        room[1 + other] = s.sizes[other] if hidden else 0
        room[FACE_DOWN] -= room[1 + other]
    for i in range(count):
        order[i] = i
        fits[i] = 1 << FACE_DOWN
        for other in range(s.players):
            if s.void[other] >> COLOUR_OF[cards[i]] & 1 == 0:
                fits[i] |= 1 << (1 + other)
    random_shuffle(rng, order, count)
    # In a match there always is such a deal; and a position is asked whether its hands are one.
    deal_fitting(rng, fits, order, count, room, 1 + SEATS, where, scratch)
    down = 0  # so many cards lie face down; they are gathered in front
    for i in range(count):
        if where[i] == FACE_DOWN:
            cards[down] = cards[i]
            down += 1
        else:
            _give(s, where[i] - 1, cards[i])
    random_shuffle(rng, cards, down)
    for other in range(s.players):
        if s.predictions[other] == UNKNOWN:
            down -= 1
            s.predictions[other] = cards[down]
    for i in range(_face_down(s)):
        down -= 1
        s.stock[i] = cards[down]


FACE_DOWN = 0  # of the places that `guess` deals to; then the hands


@inlined
def _unseen(s: Record, cards: Any) -> int:
    """Lists the cards that a hidden record does not show."""
    n = 0
    for colour in range(N_COLOURS):
        unseen = unseen_of(s, colour)
        while unseen:
            cards[n] = PER_COLOUR * colour + lowest(unseen)
            n += 1
            unseen &= unseen - 1
    return n


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


_OF_SEAT = (
    *("here", "turn", "leader", "cards", "tricks", "score"),
    *("laid", "known", "predicted", "predicted six", "trick number", "blocked", "block"),
    *(f"trick {colour}" for colour in COLOURS),
    *(f"void {colour}" for colour in COLOURS),
)
OBSERVED = (
    *(f"own {card}" for card in CARDS),
    *(f"gone {card}" for card in CARDS),
    *(f"trump {colour}" for colour in COLOURS),
    *(f"asked {colour}" for colour in COLOURS),
    *("predicting", "reversed", "double", "round"),
    *(f"{what} {place}" for place in range(SEATS) for what in _OF_SEAT),
)
N_OBSERVED, N_OF_SEAT = len(OBSERVED), len(_OF_SEAT)


@rule
def observe(s: Record, seat: int, out: Any) -> None:
    """Numbers and tricks in 14ths, cards in full hands, scores in tens, rounds in matches.

    Seats are told in playing order from the observer on, so that all seats learn the same game.
    """
    for i in range(N_OBSERVED):
        out[i] = 0.0
    for card in range(KINDS):
        if seat != NOBODY:
            out[card] = s.hands[seat, COLOUR_OF[card]] >> PLACE_OF[card] & 1
        out[KINDS + card] = s.outside[COLOUR_OF[card]] >> PLACE_OF[card] & 1
    n = 2 * KINDS
    if s.trump != NOBODY:
        out[n + wide(s.trump)] = 1.0
    n += N_COLOURS
    if s.asked != NOBODY:
        out[n + wide(s.asked)] = 1.0
    n += N_COLOURS
    out[n] = s.predicting != 0
    out[n + 1] = powers_of(s) & 1
    out[n + 2] = powers_of(s) >= DOUBLES
    out[n + 3] = s.round_number / (LAST_ROUND if s.options[TARGET] else ROUNDS[s.players])
    n += 4
    there = max(seat, 0)
    for _ in range(s.players):
        _observe_seat(s, there, out, n)
        n += N_OF_SEAT
        there = beside(there, 1, s.players)


@inlined
def _observe_seat(s: Record, seat: int, out: Any, n: int) -> None:
    out[n] = 1.0
    out[n + 1] = s.turn == seat and not s.predicting
    out[n + 2] = s.leader == seat
    out[n + 3] = s.sizes[seat] / HAND_SIZES[s.players]
    out[n + 4] = s.tricks[seat] / 14
    out[n + 5] = s.scores[seat] / 10
    card = s.predictions[seat]
    out[n + 6] = card != NO_CARD
    if card != NO_CARD and card != UNKNOWN:
        out[n + 7] = 1.0
        out[n + 8] = NUMBER_OF[card] / 14
        out[n + 9] = NUMBER_OF[card] == SIX
    place = place_in_trick(s, seat)
    if place < s.trick_size:
        out[n + 10] = NUMBER_OF[s.trick[place]] / 14
        out[n + 11] = place == s.blocked
        out[n + 12] = place == s.blocker
        out[n + 13 + COLOUR_OF[s.trick[place]]] = 1.0
    for colour in range(N_COLOURS):
        out[n + 13 + N_COLOURS + colour] = s.void[seat] >> colour & 1


# --- Positions -----------------------------------------------------------------------------------


TRICK = ("trick", "trick_size", "leader", "blocker", "blocked")  # fields


class Trick(Form):
    """`"0 r5"`, a six as nine `"2 b6=9"`, a block on seat 2's card `"3 g0>2"`: in playing order."""

    reads = TRICK

    def read(self, key: str, s: Record, value: object) -> None:
        cards = listed(key, value, "cards such as '0 r5', '1 r6=9'")
        if len(cards) > s.players:
            raise BadPosition(key, f"has {len(cards)} cards of {s.players} players.")
        _clear_trick(s)
        for place, one in enumerate(cards):
            words = (text_of(one) or "").split()
            if len(words) != 2:
                raise BadPosition(key, f"must have a seat and a card each, not {show(one)}.")
            seat = seat_of(key, words[0], s.players)
            if place == 0:
                s.leader = seat
            if seat != seat_at(s, place):
                raise BadPosition(key, f"seat {seat_at(s, place)} plays before seat {seat}.")
            lay(s, self.action(key, s, words[1]))

    def action(self, key: str, s: Record, text: str) -> int:
        """The action that laid this."""
        name, block, whom = text.partition(">")
        if name not in LAID:
            raise BadPosition(key, f"there is no card {show(name)}.")
        laid = LAID.index(name)
        if not block:
            return PLAY + laid
        seat = seat_of(key, whom, s.players)
        if NUMBER_OF[laid] != ZERO:
            raise BadPosition(key, f"only a 0 blocks, not {name}.")
        if s.blocker != NOBODY:
            raise BadPosition(key, "there is one block in a trick.")
        if place_in_trick(s, seat) >= s.trick_size:
            raise BadPosition(key, f"no card of seat {seat} lies there to be blocked.")
        return BLOCK + SEATS * int(COLOUR_OF[laid]) + seat

    def write(self, s: Record) -> list[str]:
        return [f"{seat_at(s, place)} {self.one(s, place)}" for place in range(s.trick_size)]

    def one(self, s: Record, place: int) -> str:
        name = LAID[s.trick[place]]
        return f"{name}>{seat_at(s, s.blocked)}" if place == s.blocker else name

    def held(self, s: Record) -> Counter[int]:
        return Counter(int(CARD_OF[laid]) for laid in s.trick[: s.trick_size])


class Leader(Seat):
    """Who leads; if the trick has cards it has said so already."""

    def read(self, key: str, s: Record, value: object) -> None:
        first = int(s.leader)
        super().read(key, s, value)
        if s.trick_size and s.leader != first:
            raise BadPosition(key, f"seat {first} laid the first card of the trick.")


class Seen(Form):
    """`"2 0"`: seat 2 has seen the prediction of seat 0."""

    reads = ("seen",)

    def read(self, key: str, s: Record, value: object) -> None:
        for one in listed(key, value, "pairs of seats such as '2 0'"):
            words = (text_of(one) or "").split()
            if len(words) != 2 or words[0] == words[1]:
                raise BadPosition(key, f"must have two different seats each, not {show(one)}.")
            who, whom = (seat_of(key, word, s.players) for word in words)
            s.seen[who] |= bit(whom)

    def write(self, s: Record) -> list[str]:
        seen = s.seen[: s.players].tolist()
        return [
            f"{who} {whom}"
            for who, seats in enumerate(seen)
            for whom in range(len(seen))
            if seats >> whom & 1
        ]

    def same(self, key: str, expected: object, found: object) -> bool:
        wanted = [] if text_of(expected) == NONE else expected
        if not isinstance(wanted, list) or not isinstance(found, list):
            return False
        return sorted(" ".join(str(one).split()) for one in wanted) == found


class Void(Form):
    """The colours that every seat is known to have none of in hand: `"r b"`."""

    ordered = False

    reads = ("void",)

    def read(self, key: str, s: Record, value: object) -> None:
        for seat, one in enumerate(entries(key, value, s.players)):
            for name in (text_of(one) or "").replace(NONE, "").split():
                if name not in COLOURS:
                    raise BadPosition(key, f"{show(name)} is none of {' '.join(COLOURS)}.")
                s.void[seat] |= 1 << COLOURS.index(name)

    def write(self, s: Record) -> list[str]:
        return [
            " ".join(name for colour, name in enumerate(COLOURS) if void >> colour & 1)
            for void in s.void[: s.players].tolist()
        ]


def aims(s: Record) -> list[str]:
    """What everybody has predicted: `4`, `6/9`, `-` for nothing yet, `?` where it is hidden."""

    def aim(card: int) -> str:
        if card in (NO_CARD, UNKNOWN):
            return NONE if card == NO_CARD else HIDDEN
        number = NUMBER_OF[card]
        return f"{SIX}/{NINE}" if number == SIX else str(number)

    return [aim(card) for card in s.predictions[: s.players].tolist()]


def blockable(s: Record) -> list[int]:
    """The seats whose cards the next player may block."""
    if not _may_block(s) or s.trick_size == s.players:
        return []
    return sorted(int(seat_at(s, place)) for place in range(s.trick_size))


def _seat_name(seat: int) -> int | str:
    return NONE if seat == NOBODY else int(seat)


def rounds_of(s: Record) -> int:
    """How many rounds the match has; with a target, at most."""
    return LAST_ROUND if s.options[TARGET] else int(ROUNDS[s.players])


KEYS: dict[str, Form] = {
    "turn": Seat("turn"),
    "trump": Named("trump", COLOURS, none=True),
    "asked": Derived(lambda s: NONE if s.asked == NOBODY else COLOURS[s.asked], ("asked",)),
    "hands": HandsOfBits("hands", "sizes", CARDS),
    "predictions": OnePerSeat("predictions", CARDS, NO_CARD),
    "aims": Derived(aims, ("predictions",)),
    "trick": Trick(),
    "winning": Derived(lambda s: _seat_name(winning(s)), (*TRICK, "trump", "asked")),
    "reversed": Derived(lambda s: bool(powers_of(s) & 1), TRICK),
    "blockable": Derived(blockable, TRICK),
    "double": Derived(lambda s: bool(powers_of(s) >= DOUBLES), TRICK),
    "leader": Leader("leader"),
    "tricks": Numbers("tricks", high=30),
    "stock": Stack("stock", "stock_size", CARDS),
    "seen": Seen(),
    "void": Void(),
    "scores": Numbers("scores", -30_000, 30_000),
    "rounds": Derived(rounds_of, ("options",)),
    "outside": OutsideBits("outside", CARDS),
}
REQUIRED = ("hands",)


def settle(s: Record, given: frozenset[str], rest: Counter[int], out: bool) -> None:
    """Completes a record whose keys have been read, or says why there is no such position.

    `rest` are the cards that no key mentions; with `out` they are out of the round.
    """
    players = range(s.players)
    if "predictions" not in given:
        s.predictions[: s.players] = NO_CARD
    s.predicting = sum(bit(seat) for seat in players if s.predictions[seat] == NO_CARD)
    if "trick" not in given:
        _clear_trick(s)
    unmentioned = list(rest.elements())
    if s.players == 2:
        for key, form in KEYS.items():
            if any(card >= WITHOUT_PURPLE for card in form.held(s)):
                raise BadPosition(key, "with two players there is no purple.")
        s.outside[PURPLE] = WHOLE_COLOUR
        unmentioned = [card for card in unmentioned if card < WITHOUT_PURPLE]
    if out:
        for card in unmentioned:
            s.outside[COLOUR_OF[card]] |= 1 << PLACE_OF[card]
    else:
        bury(s, unmentioned)
    _settle_trump(s, given)
    if s.predicting and not s.over:
        _settle_predicting(s)
    _settle_sizes(s)
    _settle_leader(s, given)
    _settle_end(s, given)
    _settle_turn(s, given)
    for seat in players:
        for colour in range(N_COLOURS):
            if s.void[seat] >> colour & 1 and s.hands[seat, colour]:
                raise BadPosition("void", f"seat {seat} has {COLOURS[colour]} in hand.")


def _settle_trump(s: Record, given: frozenset[str]) -> None:
    late = s.options[LATE_TRUMP] and s.predicting
    if "trump" not in given:
        s.trump = NOBODY
        if not (s.options[BEGINNER] or late):
            _turn_up(s)
    elif s.trump != NOBODY:
        if s.options[BEGINNER]:
            raise BadPosition("trump", "beginners play without a trump.")
        if late:
            raise BadPosition("trump", "it is turned up when all predictions are laid.")
        if s.players == 2 and s.trump == PURPLE:
            raise BadPosition("trump", "with two players there is no purple.")


def _settle_predicting(s: Record) -> None:
    if s.trick_size:
        raise BadPosition("predictions", "all must be laid before the first card is played.")
    for key in ("tricks", "seen", "void"):
        if s[key].any():
            raise BadPosition(key, "there is none before all predictions are laid.")
    if any(s.predicting >> seat & 1 and s.sizes[seat] == 0 for seat in range(s.players)):
        raise BadPosition("hands", "without a card nobody can predict.")


def _settle_sizes(s: Record) -> None:
    cards = [
        int(s.sizes[seat])
        + int(s.predictions[seat] != NO_CARD)
        + int(place_in_trick(s, seat) < s.trick_size)
        for seat in range(s.players)
    ]
    if len(set(cards)) > 1:
        raise BadPosition(
            "hands",
            f"with prediction and card in the trick all must have equally many, not {cards}.",
        )
    most = HAND_SIZES[s.players]
    if cards[0] > most:
        raise BadPosition("hands", f"with {s.players} players they have {most} cards at most.")


def _settle_end(s: Record, given: frozenset[str]) -> None:
    if int(s.round_number) > rounds_of(s):
        raise BadPosition("round", f"the match has at most {rounds_of(s)} rounds.")
    played_out = not (s.predicting or s.trick_size or s.sizes.any())
    ended = [("hands", "nobody has a card: the round is over.")] if played_out else []
    last = _last_round(s, s.scores[: s.players].max())
    settle_end(s, given, ended, last, lowest_wins=LOWEST_WINS)


def _settle_leader(s: Record, given: frozenset[str]) -> None:
    if s.trick_size == 0 and "leader" not in given:
        known = "turn" in given and not s.predicting
        s.leader = s.turn if known else s.opener
    if "turn" not in given:
        s.turn = s.leader
    if s.trick_size == s.players and not s.over:
        if winning(s) == NOBODY or powers_of(s) < DOUBLES:
            raise BadPosition("trick", "is complete, and nobody has to choose: it is taken.")
        if _peeks(s, winning(s)):
            s.seen[s.leader] |= bit(winning(s))


def _settle_turn(s: Record, given: frozenset[str]) -> None:
    """Who leads and whose turn it is follows from the rest; what is given must be just that."""
    if s.over:
        return
    if s.predicting:
        leader, turn = s.opener, s.opener
    elif s.trick_size == s.players:
        leader, turn = s.leader, winning(s)
    else:
        leader, turn = s.leader, seat_at(s, s.trick_size)
    if s.leader != leader:
        raise BadPosition("leader", f"seat {leader} will lead when all predictions are laid.")
    if "turn" in given and s.turn != turn:
        why = "while predictions are laid it is the opener" if s.predicting else "it is"
        raise BadPosition("turn", f"{why} seat {turn}, not {s.turn}.")
    s.turn = turn
