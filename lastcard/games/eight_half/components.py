"""What Eight and a Half is made of: cards, actions, options, events, and the record of a match."""

from __future__ import annotations

from typing import Any

import numpy as np

from lastcard.kernel import Numbered, record
from lastcard.kernel.events import Event, scoring_events
from lastcard.kernel.options import OpenerOption, Option

TITLE = "Eight and a Half"
TAGLINE = "Lay your cards on the pot, do not eat it, and beware of the police."
PLAYERS = (2, 5)
MINUTES = 20  # that a match takes three players, about
DIFFICULTY = 2  # how much there is to learn, from 1 to 5
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

actions: Numbered[str] = Numbered()
PLAY = actions.row(  # + the card's first place in the unshuffled deck + how many more of it
    f"play {card}" if n == 1 else f"play {card}x{n}"
    for card, count in zip(CARDS, DECK, strict=True)
    for n in range(1, count + 1)
)
PLAY_BOTH = actions.add("play 8h")  # 8 and half together
FLIP = actions.row(f"flip {slot}" for slot in range(SLOTS))  # + the slot
EAT = actions.add("eat")
SWAP = actions.row(  # + 3 * one's own slot + the big loser's
    f"swap {mine} {theirs}" for mine in range(SLOTS) for theirs in range(SLOTS)
)
KEEP = actions.add("keep")
ACTIONS = tuple(actions)
MOST_LEGAL = DECK_SIZE + 2

# --- Options -------------------------------------------------------------------------------------

options: Numbered[Option] = Numbered()
ROUNDS = options.add(Option("rounds", 5, "how many rounds a match has", 1, 100))
OPENER = options.add(OpenerOption())
OPTIONS = tuple(options)
LAST_TURN = 500
WINNER_POINTS = 2
LOWEST_POINTS = 1

# --- Events --------------------------------------------------------------------------------------

_CARD = {"card": CARDS}
_PLAYED: dict[str, Any] = {"card": CARDS, "value": VALUES}
# What is counted: cards, which only decide who has the fewest, and what brings points.
counts: Numbered[str] = Numbered()
COUNT_HAND = counts.add("hand")
COUNT_BANK = counts.add("bank")
COUNT_OPEN = counts.add("open")
COUNT_BLIND = counts.add("blind")
COUNT_BURNED = counts.add("burned")
COUNT_OUT = counts.add("out")
COUNT_LOWEST = counts.add("lowest")
_, _counted, _, _won = scoring_events(CARDS, tuple(counts))
events: Numbered[Event] = Numbered()
DEALT = events.add(Event("dealt", "Round {round} is dealt.", values={"round": None}))
OPENS = events.add(Event("opens", "{seat} opens the first pot.", "You open the first pot."))
SWAPPED = events.add(
    Event(
        "swapped",
        "{seat} gives the open {mine} for {theirs}.",
        "You give your open {mine} for {theirs}.",
        {"mine": CARDS, "theirs": CARDS},
    )
)
LOST = events.add(
    Event(
        "lost",
        "{seat}, the big loser, gets {mine} for {theirs}.",
        "You, the big loser, get {mine} for your {theirs}.",
        {"mine": CARDS, "theirs": CARDS},
    )
)
KEPT = events.add(Event("kept", "{seat} exchanges nothing.", "You exchange nothing."))
PLAYED = events.add(
    Event(
        "played",
        "{seat} plays {card}: the pot stands at {value}.",
        "You play {card}: the pot stands at {value}.",
        _PLAYED,
        joins="card",
    )
)
PAIRED = events.add(
    Event(
        "paired",
        "{seat} plays 8 and half together: the pot stands at 8½.",
        "You play 8 and half together: the pot stands at 8½.",
    )
)
FLIPPED = events.add(
    Event(
        "flipped",
        "{seat} flips {card}: the pot stands at {value}.",
        "You flip {card}: the pot stands at {value}.",
        _PLAYED,
    )
)
MISSED = events.add(
    Event("missed", "{seat} flips {card}: not legal.", "You flip {card}: not legal.", _CARD)
)
CAUGHT = events.add(Event("caught", "{seat} is caught!", "You are caught!"))
BURNED = events.add(
    Event(
        "burned",
        "{seat} eats the pot: {count} burned, {card}.",
        "You eat the pot: {count} burned, {card}.",
        _CARD,
        joins="card",
    )
)
TOOK = events.add(
    Event(
        "took",
        "{seat} eats the pot: {card} into the hand.",
        "You eat the pot: {card} into your hand.",
        _CARD,
        joins="card",
    )
)
DREW = events.add(
    Event(
        "drew",
        "{seat} fills up with {card}.",
        "You fill up with {card}.",
        _CARD,
        secret=frozenset({"card"}),
        joins="card",
    )
)
OUT = events.add(
    Event(
        "out",
        "{seat} has no card left and wins the round: 2 points.",
        "You have no card left and win the round: 2 points.",
    )
)
LOWEST = events.add(
    Event("lowest", "The lowest count is {cards}: 1 point.", values={"cards": None})
)
ENDED = events.add(Event("ended", "After 500 turns the round ends without a winner."))
COUNTED = events.add(_counted)
SCORED = events.add(
    Event(
        "scored",
        "{seat}: a count of {cards}, {points} this round, {score} in all.",
        "You: a count of {cards}, {points} this round, {score} in all.",
        {"cards": None, "points": None, "score": None},
    )
)
TRAILED = events.add(Event("trailed", "{seat} is the big loser.", "You are the big loser."))
WON = events.add(_won)
EVENTS = tuple(events)

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
        # What the table remembers: see "Memory" in knowledge.py.
        ("barred", np.int16, (SEATS, WAYS, HAND_SIZE)),  # what cards of a hand are not, as bits
    ],
)
