"""What Sixth Sense is made of: cards, actions, options, events, and the record of a match."""

from __future__ import annotations

import numpy as np

from lastcard.kernel import Numbered, Record, inlined, record
from lastcard.kernel.events import Event, scoring_events
from lastcard.kernel.options import Clash, Flag, Limit, OpenerOption, Option

TITLE = "Sixth Sense"
TAGLINE = "Say with a card from your own hand how many tricks you will win."
PLAYERS = (2, 6)
MINUTES = 12  # that a match takes three players, about
DIFFICULTY = 3  # how much there is to learn, from 1 to 5
LOWEST_WINS = False

# --- Cards ---------------------------------------------------------------------------------------
#
# A card is 14 * its colour + its place in the colour. What lies in a trick is a card, too, or one
# of five more: the sixes meant as nines.

COLOURS = ("r", "y", "g", "b", "p")
NUMBERS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14)
N_COLOURS, PER_COLOUR = len(COLOURS), len(NUMBERS)
CARDS = tuple(f"{colour}{number}" for colour in COLOURS for number in NUMBERS)
KINDS = len(CARDS)
DECK = (1,) * KINDS  # how many of each
PURPLE = 4
WITHOUT_PURPLE = PURPLE * PER_COLOUR  # the size of the deck for two players
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
actions: Numbered[str] = Numbered()
PREDICT = actions.row(f"predict {card}" for card in CARDS)  # + card
PLAY = actions.row(f"play {laid}" for laid in LAID)  # + what will lie in the trick
PLAY_NINE = PLAY + KINDS  # + the colour of a six meant as a nine
BLOCK = actions.row(  # + SEATS * colour + the seat whose card is blocked
    f"block {colour}0 {seat}" for colour in COLOURS for seat in range(SEATS)
)
SPLIT = actions.add("split")
WHOLE = actions.add("whole")
ACTIONS = tuple(actions)
MOST_LEGAL = 48  # five zeros on five cards each, five sixes twice, and some room

# --- Options -------------------------------------------------------------------------------------

options: Numbered[Option] = Numbered()
BEGINNER = options.add(
    Flag("beginner", False, "there is no trump, and points go by the difference")
)
TARGET = options.add(
    Limit("target", None, "ends after a round in which a player has this many points", 1, 1_000)
)
LATE_TRUMP = options.add(
    Flag("late_trump", False, "the trump is turned up when all predictions are laid")
)
OPENER = options.add(OpenerOption())
OPTIONS = tuple(options)
CLASHES = (
    Clash(
        {"beginner": True, "late_trump": True},
        "beginner and late_trump do not go together: beginners play without a trump.",
    ),
)

# --- Events --------------------------------------------------------------------------------------

_CARD = {"card": CARDS}
AIMS = tuple("6 or 9" if number == SIX else str(number) for number in range(NUMBERS[-1] + 1))
counts: Numbered[str] = Numbered()  # how tricks are counted against a prediction
EXACT = counts.add("exact")
OVER = counts.add("over")
UNDER = counts.add("under")
events: Numbered[Event] = Numbered()
DEALT = events.add(
    Event(
        "dealt",
        "Round {round} is dealt; {seat} will lead.",
        "Round {round} is dealt; you will lead.",
        {"round": None},
    )
)
TURNED = events.add(
    Event("turned", "{card} is turned up: {colour} is trump.", values={**_CARD, "colour": COLOURS})
)
PREDICTED = events.add(
    Event(
        "predicted",
        "{seat} predicts with {card}.",
        "You predict with {card}.",
        _CARD,
        secret=frozenset({"card"}),
        veiled="",  # the table shows it
    )
)
PLAYED = events.add(Event("played", "{seat} plays {card}.", "You play {card}.", {"card": LAID}))
BLOCKED = events.add(
    Event(
        "blocked",
        "{seat} blocks {covered} with {card}.",
        "You block {covered} with {card}.",
        {"card": CARDS, "covered": LAID},
    )
)
TOOK = events.add(
    Event(
        "took",
        "{seat} wins the trick with {card}.",
        "You win the trick with {card}.",
        {"card": LAID},
    )
)
REVERSED = events.add(
    Event(
        "reversed",
        "Reversed: {seat} wins the trick with {card}.",
        "Reversed: you win the trick with {card}.",
        {"card": LAID},
    )
)
DOUBLED = events.add(
    Event("doubled", "{seat} makes two tricks of it.", "You make two tricks of it.")
)
KEPT = events.add(Event("kept", "{seat} leaves it one trick.", "You leave it one trick."))
VOID = events.add(
    Event("void", "Nobody wins the trick; {seat} leads again.", "Nobody wins it; you lead again.")
)
PEEKED = events.add(
    Event(
        "peeked",
        "{seat} peeks at the prediction of {whom}: {card}.",
        "You peek at the prediction of {whom}: {card}.",
        {**_CARD, "whom": None},
        secret=frozenset({"card"}),
        veiled="{seat} peeks at the prediction of {whom}.",
    )
)
REVEALED = events.add(
    Event(
        "revealed",
        "{seat} predicted {aim} ({card}) and has won {tricks}.",
        "You predicted {aim} ({card}) and have won {tricks}.",
        {"card": CARDS, "aim": AIMS, "tricks": None},
    )
)
COUNTED, SCORED, WON = (events.add(one) for one in scoring_events(CARDS, tuple(counts))[1:])
EVENTS = tuple(events)

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


@inlined
def give(s: Record, seat: int, card: int) -> None:
    s.hands[seat, COLOUR_OF[card]] |= 1 << PLACE_OF[card]
