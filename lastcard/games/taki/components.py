"""What TAKI is made of: cards, actions, options, events, and the record of a match."""

from __future__ import annotations

import numpy as np

from lastcard.kernel import Numbered, record, rule
from lastcard.kernel.events import Event, scoring_events
from lastcard.kernel.options import Choice, Flag, OpenerOption, Option
from lastcard.kernel.texts import DIRECTIONS

TITLE = "TAKI"
TAGLINE = "Match colour or shape, lay whole runs, and call your last card in time."
PLAYERS = (2, 10)
MINUTES = 10  # that a match takes three players, about
DIFFICULTY = 4  # how much there is to learn, from 1 to 5
LOWEST_WINS = True

# --- Cards ---------------------------------------------------------------------------------------
#
# A coloured card is 13 * its colour + its shape; the three kinds without a colour come last.

COLOURS = ("r", "y", "g", "b")
SHAPES = ("1", "3", "4", "5", "6", "7", "8", "9", "2+", "s", "r", "+", "t")
NUMBERS = (1, 3, 4, 5, 6, 7, 8, 9)  # the first shapes, with their values
# Counted here: a rule that mentions a long tuple takes long to compile.
N_COLOURS, N_SHAPES, N_NUMBERS = len(COLOURS), len(SHAPES), len(NUMBERS)
THREE = SHAPES.index("3")
TWO_PLUS, STOP, REVERSE, PLUS, TAKI = map(SHAPES.index, ("2+", "s", "r", "+", "t"))
NO_SHAPE = N_SHAPES  # of a change colour: matched by nothing

CARDS = (*(colour + shape for colour in COLOURS for shape in SHAPES), "cc", "st", "cz")
KINDS = len(CARDS)
COLOURED = N_COLOURS * N_SHAPES
CHANGE, SUPER, CRAZY = map(CARDS.index, ("cc", "st", "cz"))
DECK = (*(2 for _ in range(COLOURED)), 4, 2, 2)  # how many of each
DECK_SIZE = sum(DECK)
UNSHUFFLED = np.repeat(np.arange(KINDS, dtype=np.int8), DECK)
HAND_SIZE = 8
COMMAND_POINTS = 10
WINNER_POINTS = -100

_COLOUR_WORDS = {"r": "red", "y": "yellow", "g": "green", "b": "blue"}
_SHAPE_WORDS = {"s": "stop", "r": "reverse", "+": "plus", "t": "taki"}
WORDS = {
    **_COLOUR_WORDS,
    **{
        colour + shape: f"{_COLOUR_WORDS[colour]}-{_SHAPE_WORDS.get(shape, shape)}"
        for colour in COLOURS
        for shape in SHAPES
    },
    **{"cc": "change-colour", "st": "super-taki", "cz": "crazy"},
    **{f"cc>{colour}": f"change-colour-{_COLOUR_WORDS[colour]}" for colour in COLOURS},
    **{f"st>{colour}": f"super-taki-{_COLOUR_WORDS[colour]}" for colour in COLOURS},
    **{"cw": "clockwise", "ccw": "counter-clockwise"},
    **{"cz>cw": "crazy-clockwise", "cz>ccw": "crazy-counter-clockwise"},
    **{"top": "leading card", "scores": "score", "exposed": "has not called"},
    "out": "going-out",
}

# --- Actions -------------------------------------------------------------------------------------

actions: Numbered[str] = Numbered()
PLAY = actions.row(f"play {card}" for card in CARDS[:COLOURED])  # + a coloured card
PLAY_CHANGE = actions.row(f"play cc>{colour}" for colour in COLOURS)  # + the colour named
PLAY_SUPER = actions.row(f"play st>{colour}" for colour in COLOURS)  # + the colour named
PLAY_CRAZY = actions.row(f"play cz>{way}" for way in DIRECTIONS)  # + 1 for counter-clockwise
DRAW = actions.add("draw")
CLOSE = actions.add("close")
LEAVE = actions.add("leave")
CALL = actions.add("call")
BREAK = actions.row(f"break {colour}" for colour in COLOURS)  # + the colour of the pair
ACCEPT = actions.add("accept")
ACTIONS = tuple(actions)
MOST_LEGAL = 32  # a colour, three cards of one shape, ten plays without a colour, and some room

# --- Options -------------------------------------------------------------------------------------

options: Numbered[Option] = Numbered()
ROUNDS = options.add(Option("rounds", 5, "how many rounds a match has", 1, 20))
MUST_PLAY = options.add(
    Flag("must_play", True, "if you can play you must; otherwise you may draw instead")
)
CRAZY_ALL = options.add(Flag("crazy_all", False, "the player of a crazy passes his hand on, too"))
ANNOUNCE = options.add(
    Choice(
        "announce",
        "call",
        "players call their last card themselves, or it is done for them",
        choices=("call", "auto"),
        simulated="auto",
    )
)
OPENER = options.add(OpenerOption())
OPTIONS = tuple(options)
MOST_SCORE = 16_000  # in a position: with 20 rounds to come it still fits the record
LAST_TURN = 2_000
PENALTY = 4  # cards for a call that was forgotten
ATTACK = 3  # cards for a +3

# --- Events --------------------------------------------------------------------------------------

_CARD = {"card": CARDS}
counts: Numbered[str] = Numbered(CARDS)
WENT_OUT = counts.add("out")  # what a winner counts
events: Numbered[Event] = Numbered()
DEALT = events.add(
    Event(
        "dealt",
        "Round {round}: the leading card is {card}.",
        values={"round": None, "card": CARDS},
    )
)
PLAYED = events.add(Event("played", "{seat} plays {card}.", "You play {card}.", _CARD))
NAMED = events.add(
    Event(
        "named",
        "{seat} plays {card} and names {colour}.",
        "You play {card} and name {colour}.",
        {"card": CARDS, "colour": COLOURS},
    )
)
CRAZED = events.add(
    Event(
        "crazed",
        "{seat} plays crazy, {direction}.",
        "You play crazy, {direction}.",
        {"direction": DIRECTIONS},
    )
)
RECEIVED = events.add(
    Event(
        "received",
        "{seat} gets a hand of {size}.",
        "You get a hand of {size}.",
        {"size": None},
    )
)
DREW = events.add(
    Event(
        "drew",
        "{seat} draws {card}.",
        "You draw {card}.",
        _CARD,
        secret=frozenset({"card"}),
        veiled="{seat} draws {count}.",
        joins="card",
    )
)
STUCK = events.add(
    Event("stuck", "There is nothing for {seat} to draw.", "There is nothing for you to draw.")
)
REMADE = events.add(Event("remade", "The pile is shuffled into a new stock."))
SKIPPED = events.add(Event("skipped", "{seat} misses a turn.", "You miss a turn."))
TURNED = events.add(Event("turned", "Play turns {direction}.", values={"direction": DIRECTIONS}))
CLOSED = events.add(Event("closed", "{seat} closes the TAKI.", "You close the TAKI."))
LEFT = events.add(Event("left", "{seat} leaves the TAKI open.", "You leave the TAKI open."))
ATTACKED = events.add(
    Event(
        "attacked",
        "A +3: all but {seat} draw three, unless somebody breaks it.",
        "Your +3: all others draw three, unless somebody breaks it.",
    )
)
ASKED = events.add(Event("asked", "{seat} could break it.", "You could break it."))
ACCEPTED = events.add(Event("accepted", "{seat} accepts.", "You accept."))
BROKE = events.add(
    Event(
        "broke",
        "{seat} breaks it with {plus} and {three}!",
        "You break it with {plus} and {three}!",
        {"plus": CARDS, "three": CARDS},
    )
)
CALLED = events.add(Event("called", '{seat} calls "last card!"', 'You call "last card!"'))
FORGOT = events.add(
    Event("forgot", "{seat} has not called, and pays.", "You have not called, and pay.")
)
OUT = events.add(Event("out", "{seat} has no card left.", "You have no card left!"))
ENDED = events.add(Event("ended", "Nobody gets any further: the round has no winner."))
SHOWED, COUNTED, SCORED, WON = (
    events.add(one) for one in scoring_events(CARDS, tuple(counts), "{times}{what}: {points}")
)
EVENTS = tuple(events)

# --- The record ----------------------------------------------------------------------------------

SEATS = PLAYERS[1]
RECORD = record(
    SEATS,
    len(OPTIONS),
    [
        ("hands", np.int8, (SEATS, KINDS)),  # how many of each card
        ("holds", np.int64, (SEATS,)),  # the kinds of cards in each hand, as bits
        ("sizes", np.int8, (SEATS,)),  # cards in each hand, also where the hand is hidden
        ("stock", np.int8, (DECK_SIZE,)),  # the next card to be drawn is the last of `stock_size`
        ("stock_size", np.int8),
        ("pile", np.int8, (DECK_SIZE,)),  # under the leading card, the bottom first
        ("pile_size", np.int8),
        ("outside", np.int8, (KINDS,)),  # cards that a position keeps out of the round
        ("top", np.int8),  # the leading card
        ("lead_colour", np.int8),  # its colour, or the one that was named for it
        ("lead_shape", np.int8),  # its shape
        ("turn", np.int8),  # whose turn it is, also while another is asked about a +3
        ("direction", np.int8),  # 1 clockwise, -1 counter-clockwise
        ("debt", np.int8),  # cards owed to an active chain of 2+
        ("open", np.int8),  # the colour of an open TAKI or of the run, or NOBODY
        ("run", np.int8),  # 1 while `turn` is inside a run
        ("plus", np.int8),  # 1 in the extra turn after a plus
        ("asked", np.int8),  # who is asked about a +3, or NOBODY
        ("called", np.int16),  # the players whose call stands, as bits
        ("exposed", np.int8),  # who must still call, or NOBODY
        ("idle", np.int8),  # turns in a row that ended with a draw of nothing
        ("turns", np.int16),  # how often the turn has passed in this round
        # What the table remembers besides open cards: see "Memory" in knowledge.py.
        ("seen_by", np.int16, (DECK_SIZE,)),  # who knows this card in another's hand, as bits
        ("seen_at", np.int8, (DECK_SIZE,)),  # in whose hand it is, or NOBODY
        ("anew", np.int8),  # 1 once the stock has been made from the pile in this round
        ("remade", np.int8, (KINDS,)),  # what it was made of the last time
        ("drawn", np.int8, (SEATS, KINDS)),  # what each player has drawn of that
        ("old", np.int8, (SEATS,)),  # cards of each hand that surely were in hands already then
        ("young", np.int8, (SEATS,)),  # cards of each hand that surely were drawn since
        ("barred", np.int16, (SEATS,)),  # how many of each hand surely could not be played on what
    ],
)


@rule("int64(int64)")
def shape_of(card: int) -> int:
    """A Super TAKI is a TAKI for matching by shape; a change colour has no shape."""
    if card >= COLOURED:
        return TAKI if card == SUPER else NO_SHAPE
    return card % N_SHAPES


@rule("int64(int64)")
def colour_of(card: int) -> int:
    """Of a coloured card."""
    return card // N_SHAPES


@rule("int64(int64)")
def first_place(card: int) -> int:
    """Where a card lies in the unshuffled deck."""
    return 2 * card if card <= CHANGE else 2 * card + 2


@rule("int64(int64, int64)")
def coloured(colour: int, shape: int) -> int:
    return colour * N_SHAPES + shape


@rule("int64(int64)")
def worth(card: int) -> int:
    """Numbers count their value, commands 10."""
    shape = shape_of(card)
    return NUMBERS[shape] if shape < N_NUMBERS else COMMAND_POINTS
