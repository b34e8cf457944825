"""What Chiko is made of: cards, actions, options, events, and the record of a match."""

from __future__ import annotations

import numpy as np

from lastcard.kernel import Numbered, record
from lastcard.kernel.events import Event, scoring_events
from lastcard.kernel.options import OpenerOption, Option

TITLE = "Chiko"
TAGLINE = "Shed your cards or stop in time; a wild egg and two dice."
PLAYERS = (2, 5)
MINUTES = 7  # that a match takes three players, about
DIFFICULTY = 1  # how much there is to learn, from 1 to 5
LOWEST_WINS = True

# --- Cards ---------------------------------------------------------------------------------------

CARDS = ("1", "2", "3", "4", "5", "6", "c", "e")
WORDS = {"c": "chick", "e": "egg", "top": "pile", "last": "played last", "scores": "score"}
CHICK = 6
EGG = 7
RANKS = 7  # the values a pile can have: every card but the egg
DECK = (7, 7, 7, 7, 7, 7, 7, 1)  # how many of each
DECK_SIZE = sum(DECK)
HAND_SIZE = 6
FACES = (1, 2, 3, 4, 5, 10)  # of a die

# --- Actions -------------------------------------------------------------------------------------

actions: Numbered[str] = Numbered()
PLAY = actions.row(f"play {card}" for card in CARDS)  # + card
DRAW = actions.add("draw")
QUIT = actions.add("quit")
ROLL = actions.row(f"roll {a} {b}" for a in FACES for b in FACES)  # + 6 * one face + the other
ACTIONS = tuple(actions)
OUTCOMES = len(FACES) ** 2
MOST_LEGAL = OUTCOMES  # actions that can be legal at once

# --- Options -------------------------------------------------------------------------------------

options: Numbered[Option] = Numbered()
TARGET = options.add(
    Option("target", 50, "the match ends when a player has this many points", 1, 30_000)
)
OPENER = options.add(OpenerOption())
OPTIONS = tuple(options)
LAST_ROUND = 100

# --- Events --------------------------------------------------------------------------------------

_CARD = {"card": CARDS}
events: Numbered[Event] = Numbered()
DEALT = events.add(
    Event(
        "dealt",
        "Round {round}: the pile starts with {card}.",
        values={"round": None, "card": CARDS},
    )
)
PLAYED = events.add(Event("played", "{seat} plays {card}.", "You play {card}.", _CARD))
HATCHED = events.add(
    Event(
        "hatched",
        "{seat} plays the egg; it counts as {value}.",
        "You play the egg; it counts as {value}.",
        {"value": CARDS},
    )
)
DREW = events.add(
    Event(
        "drew",
        "{seat} draws {card}.",
        "You draw {card}.",
        _CARD,
        secret=frozenset({"card"}),
        veiled="{seat} draws a card.",
    )
)
QUITTED = events.add(Event("quit", "{seat} quits the round.", "You quit the round."))
ROLLED = events.add(
    Event(
        "rolled",
        "{seat} rolls {a} and {b}, down to {score}.",
        "You roll {a} and {b}, down to {score}.",
        {"a": None, "b": None, "score": None},
    )
)
SHOWED, COUNTED, SCORED, WON = (
    events.add(one) for one in scoring_events(CARDS, CARDS, "{what}: {points}")
)
EVENTS = tuple(events)

# --- The record ----------------------------------------------------------------------------------

SEATS = PLAYERS[1]
RECORD = record(
    SEATS,
    len(OPTIONS),
    [
        ("hands", np.int8, (SEATS, len(CARDS))),  # how many of each card
        ("sizes", np.int8, (SEATS,)),  # cards in each hand, also where the hand is hidden
        ("quit", np.int16),  # the players who sit out the rest of the round, as bits
        ("gone", np.int8, (len(CARDS),)),  # cards out of the round: the pile, its top card included
        ("stock", np.int8, (DECK_SIZE,)),  # the next card to be drawn is the last of `stock_size`
        ("stock_size", np.int8),
        ("top", np.int8),  # the pile's value
        ("turn", np.int8),  # whose turn it is, or who rolls
        ("last", np.int8),  # who put the last card on the pile in this round, or NOBODY
    ],
)
