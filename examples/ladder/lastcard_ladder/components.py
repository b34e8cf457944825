"""What Ladder is made of: cards, actions, options, events, and the record of a match."""

from __future__ import annotations

import numpy as np

from lastcard.kernel import Numbered, record
from lastcard.kernel.events import Event, scoring_events
from lastcard.kernel.options import OpenerOption, Option

TITLE = "Ladder"
TAGLINE = "One step up or one step down, until you have no card left."
PLAYERS = (2, 4)
MINUTES = 3  # for three players, roughly
DIFFICULTY = 1  # how much there is to learn, from 1 to 5
LOWEST_WINS = True

# --- Cards ---------------------------------------------------------------------------------------

CARDS = ("1", "2", "3", "4", "5", "6", "7")
KINDS = len(CARDS)
DECK = (4,) * KINDS
DECK_SIZE = sum(DECK)
HAND_SIZE = 5
WORDS = {"top": "ladder", "scores": "score"}

# --- Actions -------------------------------------------------------------------------------------

actions: Numbered[str] = Numbered()
PLAY = actions.row(f"play {card}" for card in CARDS)  # + card
DRAW = actions.add("draw")
PASS = actions.add("pass")
ACTIONS = tuple(actions)
MOST_LEGAL = 3  # two, and room for one that `offer` writes but does not keep

# --- Options -------------------------------------------------------------------------------------

options: Numbered[Option] = Numbered()
ROUNDS = options.add(Option("rounds", 3, "how many rounds a match has", 1, 20))
OPENER = options.add(OpenerOption())
OPTIONS = tuple(options)

# --- Events --------------------------------------------------------------------------------------

_CARD = {"card": CARDS}
events: Numbered[Event] = Numbered()
DEALT = events.add(
    Event(
        "dealt",
        "Round {round}: the ladder starts with {card}.",
        values={"round": None, "card": CARDS},
    )
)
PLAYED = events.add(Event("played", "{seat} plays {card}.", "You play {card}.", _CARD))
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
PASSED = events.add(Event("passed", "{seat} passes.", "You pass."))
SHOWED, COUNTED, SCORED, WON = (
    events.add(one) for one in scoring_events(CARDS, ("cards",), "{points} for the cards left")
)
EVENTS = tuple(events)

# --- The record ----------------------------------------------------------------------------------

SEATS = PLAYERS[1]
RECORD = record(
    SEATS,
    len(OPTIONS),
    [
        ("hands", np.int8, (SEATS, KINDS)),  # how many of each card
        ("sizes", np.int8, (SEATS,)),  # cards in each hand, also where the hand is hidden
        ("stock", np.int8, (DECK_SIZE,)),  # the next card to be drawn is the last of `stock_size`
        ("stock_size", np.int8),
        ("gone", np.int8, (KINDS,)),  # cards that have been played, the top one included
        ("top", np.int8),
        ("turn", np.int8),
        ("passed", np.int8),  # players in a row who could do nothing
    ],
)
