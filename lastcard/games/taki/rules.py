"""Match colour or shape, run with TAKI, and call "last card!" in time. For 2 to 10 players.

## Cards

112 cards. In each of four colours (`r y g b`), two of each: the numbers 1, 3, 4, 5, 6, 7, 8, 9 and
the commands `2+`, stop (`s`), reverse (`r`), plus (`+`) and TAKI (`t`). A name is a colour and
a number or command: `r5` is the red 5, `ys` the yellow stop. Without a colour: four change colour
`cc`, two Super TAKI `st`, two crazy `cz`. All but the numbers are commands. *[ruling: how many of
each]*

## A round

Everybody gets eight cards. The rest is the stock; its top card is turned up as the **leading
card**. Unless it is a number it goes back into the stock at a random place, and another card is
turned up. *[ruling]* The opener begins, then clockwise.

On your turn **play** a card of the leading card's colour, or of its number or shape, or one without
a colour. If you cannot, **draw** a card; that ends your turn, and the card may be played from your
next turn on. If you can play you must, unless the option `must_play` is off: then you may draw
instead, also in the extra turn after a plus. *[ruling]*

## Commands

- **2+**: the next player plays another 2+ of any colour, or draws two cards for every 2+ of the
  chain, which ends his turn. Nothing else is possible while a 2+ is active, and the choice is free.
  After the draw the 2+ is an ordinary card of its colour and shape.
- **Stop**: the next player misses his turn. With two players you play again.
- **Reverse** turns the direction of play. With two players the turn just passes. *[ruling]*
- **Change colour**: you name the colour that must be followed.
- **Plus**: you have another turn and must use it: play again or draw. So nobody goes out on a plus:
  with no card left you draw one, and the turn passes. If there is nothing to draw you have won.
  *[ruling]*
- **TAKI** begins a **run**: lay as many cards of its colour as you like, one after the other. A
  Super TAKI may go along and takes the run's colour. Only the last card of a run has an effect;
  commands inside it do nothing. *[ruling]* End the run with **close**, or **leave** the TAKI open.
  A TAKI or Super TAKI on top cannot be closed, only left. *[ruling]* A change colour or a crazy
  ends the run, closes the TAKI and ends the turn.
- **An open TAKI**: the next player plays as usual. If his card has the TAKI's colour he is in a run
  himself; any other card closes it *[ruling]*, and a TAKI or Super TAKI opens its own. Drawing
  leaves it open. While a 2+ is active on it, a 2+ starts no run: one of the TAKI's colour leaves it
  open, another one closes it. A run that was left open on a plus goes on with a card of its colour
  in the extra turn. *[ruling]*
- **Super TAKI**: you name its colour, and it is a TAKI of that colour, also for those who match it
  by shape. *[ruling]*
- **Crazy**: all other players pass their whole hands on to the next of them, in the direction you
  name; you keep yours. *[ruling; with the option `crazy_all` you take part]* With two players
  nothing moves, unless `crazy_all` is on. Play goes on in that direction. The card is transparent:
  the leading card stays the one below it, which now lies above it.
- **Plus and 3**: a 3 on your own plus of the same colour, in the extra turn, is a **+3**: all
  others draw three cards. Before that each of them who holds a plus and a 3 of one colour is asked,
  in order from the next seat: he may **break** it by playing both at once, out of turn. Then nobody
  else draws, you draw three yourself, and his 3 is the leading card. Who does not break,
  **accept**s. Then the turn passes on from you. There is no +3 inside a run. If the 3 was your last
  card you have won only if nobody breaks it; a breaker with no card left wins. *[ruling]*

## Last card!

When your turn leaves you with exactly one card you must **call** before another player acts, or you
draw four before his action takes effect. You may call early: during your turn when you hold two
cards or are in a run. A call lapses when you end a turn with other than one card. A breaker who is
left with one card must call, too. Hands that come by a crazy card need no call. Nobody can call
while a +3 is being asked about. With `announce` set to `auto` nobody has to. *[ruling on the
details]*

## The stock

When a card must be drawn and the stock is empty, the pile under the leading card is shuffled into a
new one. If that is not enough, players draw what there is. When as many turns in a row as there are
players end with a draw that gives nothing, the round ends without a winner, and everybody scores.
So does a round of 2,000 turns. The same player opens again. *[ruling]*

## Points

The round ends when somebody has no card left; other commands of his last card, or of the last card
of a run, have no effect any more. The winner gets -100. The others add up their cards: numbers
count their value, commands 10. The winner opens the next round. After five rounds (option `rounds`)
*[ruling]* the lowest score wins; ties share the win.

## What you know

Your own hand, the pile, how many cards everybody holds, who has called. After a crazy you know the
hand that you passed on, wherever it goes, until its cards are played. Of a stock that was made from
the pile you know the cards, but not their order. Who had to draw could not play.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
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
    finish,
    guess_chance,
    hide_chance,
    inlined,
    lowest,
    next_round,
    offer,
    pick_opener,
    put_back,
    random_below,
    random_shuffle,
    record,
    rule,
    rule_with_scratch,
    set_up,
    show_hand,
    shuffle,
    take,
    tell_winners,
    wide,
)
from lastcard.kernel.forms import (
    DIRECTIONS,
    NONE,
    Card,
    Cards,
    Choice,
    Direction,
    Event,
    Flag,
    Form,
    Hands,
    Named,
    Number,
    Numbers,
    OpenerOption,
    Option,
    Outside,
    Seat,
    Seats,
    Stack,
    Truth,
    entries,
    number_of,
    scoring_events,
    text_of,
)

TITLE = "TAKI"
TAGLINE = "Match colour or shape, lay whole runs, and call your last card in time."
PLAYERS = (2, 10)
MINUTES = 10  # that a match takes three players, about
LOWEST_WINS = True

# --- Cards ---------------------------------------------------------------------------------------
#
# A coloured card is 13 * its colour + its shape; the three kinds without a colour come last.

COLOURS = ("r", "y", "g", "b")
SHAPES = ("1", "3", "4", "5", "6", "7", "8", "9", "2+", "s", "r", "+", "t")
NUMBERS = (1, 3, 4, 5, 6, 7, 8, 9)  # the first shapes, with their values
# Counted here: what is compiled with a long tuple in it takes long to compile.
N_COLOURS, N_SHAPES, N_NUMBERS = len(COLOURS), len(SHAPES), len(NUMBERS)
THREE = 1
TWO_PLUS, STOP, REVERSE, PLUS, TAKI = range(N_NUMBERS, N_SHAPES)
NO_SHAPE = N_SHAPES  # of a change colour: matched by nothing

CARDS = (*(colour + shape for colour in COLOURS for shape in SHAPES), "cc", "st", "cz")
KINDS = len(CARDS)
COLOURED = N_COLOURS * N_SHAPES
CHANGE, SUPER, CRAZY = range(COLOURED, KINDS)
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

PLAY = 0  # + a coloured card
PLAY_CHANGE = PLAY + COLOURED  # + the colour named
PLAY_SUPER = PLAY_CHANGE + N_COLOURS  # + the colour named
PLAY_CRAZY = PLAY_SUPER + N_COLOURS  # + 1 for counter-clockwise
DRAW = PLAY_CRAZY + 2
CLOSE, LEAVE, CALL = DRAW + 1, DRAW + 2, DRAW + 3
BREAK = CALL + 1  # + the colour of the pair
ACCEPT = BREAK + N_COLOURS

ACTIONS = (
    *(f"play {card}" for card in CARDS[:COLOURED]),
    *(f"play cc>{colour}" for colour in COLOURS),
    *(f"play st>{colour}" for colour in COLOURS),
    *(f"play cz>{direction}" for direction in DIRECTIONS),
    *("draw", "close", "leave", "call"),
    *(f"break {colour}" for colour in COLOURS),
    "accept",
)
MOST_LEGAL = 32  # a colour, three cards of one shape, ten plays without a colour, and some room

# --- Options -------------------------------------------------------------------------------------

OPTIONS = (
    Option("rounds", 5, "how many rounds a match has", 1, 20),
    Flag("must_play", True, "whoever can play must; otherwise he may draw instead"),
    Flag("crazy_all", False, "who plays a crazy passes his own hand on, too"),
    Choice(
        "announce",
        "call",
        "players call their last card themselves, or it is done for them",
        choices=("call", "auto"),
        simulated="auto",
    ),
    OpenerOption(),
)
ROUNDS, MUST_PLAY, CRAZY_ALL, ANNOUNCE, OPENER = range(len(OPTIONS))
MOST_SCORE = 16_000  # in a position: with 20 rounds to come it still fits the record
LAST_TURN = 2_000
PENALTY = 4  # cards for a call that was forgotten
ATTACK = 3  # cards for a +3

# --- Events --------------------------------------------------------------------------------------

_CARD = {"card": CARDS}
EVENTS = (
    Event(
        "dealt",
        "Round {round}: the leading card is {card}.",
        values={"round": None, "card": CARDS},
    ),
    Event("played", "{seat} plays {card}.", "You play {card}.", _CARD),
    Event(
        "named",
        "{seat} plays {card} and names {colour}.",
        "You play {card} and name {colour}.",
        {"card": CARDS, "colour": COLOURS},
    ),
    Event(
        "crazed",
        "{seat} plays crazy, {direction}.",
        "You play crazy, {direction}.",
        {"direction": DIRECTIONS},
    ),
    Event(
        "received",
        "{seat} gets a hand of {size}.",
        "You get a hand of {size}.",
        {"size": None},
    ),
    Event(
        "drew",
        "{seat} draws {card}.",
        "You draw {card}.",
        _CARD,
        secret=frozenset({"card"}),
        veiled="{seat} draws {count}.",
        joins="card",
    ),
    Event("stuck", "There is nothing for {seat} to draw.", "There is nothing for you to draw."),
    Event("remade", "The pile is shuffled into a new stock."),
    Event("skipped", "{seat} misses a turn.", "You miss a turn."),
    Event("turned", "Play turns {direction}.", values={"direction": DIRECTIONS}),
    Event("closed", "{seat} closes the TAKI.", "You close the TAKI."),
    Event("left", "{seat} leaves the TAKI open.", "You leave the TAKI open."),
    Event(
        "attacked",
        "A +3: all but {seat} draw three, unless somebody breaks it.",
        "Your +3: all others draw three, unless somebody breaks it.",
    ),
    Event("asked", "{seat} could break it.", "You could break it."),
    Event("accepted", "{seat} accepts.", "You accept."),
    Event(
        "broke",
        "{seat} breaks it with {plus} and {three}!",
        "You break it with {plus} and {three}!",
        {"plus": CARDS, "three": CARDS},
    ),
    Event("called", '{seat} calls "last card!"', 'You call "last card!"'),
    Event("forgot", "{seat} has not called, and pays.", "You have not called, and pay."),
    Event("out", "{seat} has no card left.", "You have no card left!"),
    Event("ended", "Nobody gets any further: the round has no winner."),
    *scoring_events(CARDS, (*CARDS, "out"), "{times}{what}: {points}"),
)
DEALT, PLAYED, NAMED, CRAZED, RECEIVED, DREW, STUCK, REMADE, SKIPPED, TURNED = range(10)
CLOSED, LEFT, ATTACKED, ASKED, ACCEPTED, BROKE, CALLED, FORGOT, OUT, ENDED = range(10, 20)
SHOWED, COUNTED, SCORED, WON = range(20, len(EVENTS))
WENT_OUT = KINDS  # what a winner counts, after all cards

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
        # What the table remembers beside the cards that lie open: see "Memory" below.
        ("seen_by", np.int16, (DECK_SIZE,)),  # who knows of this card in another's hand, as bits
        ("seen_at", np.int8, (DECK_SIZE,)),  # in whose hand it is, or NOBODY
        ("anew", np.int8),  # 1 when the stock has been made from the pile in this round
        ("remade", np.int8, (KINDS,)),  # what it was made of the last time
        ("drawn", np.int8, (SEATS, KINDS)),  # what each player has drawn of that
        ("old", np.int8, (SEATS,)),  # cards of each hand that surely were in hands already then
        ("young", np.int8, (SEATS,)),  # cards of each hand that surely were drawn since
        ("barred", np.int16, (SEATS,)),  # how many of each hand surely could not be played on what
    ],
)

# --- A new match, and dealing --------------------------------------------------------------------


@rule
def new(s: Record, players: int, options: Any) -> None:
    set_up(s, players, options)
    s.opener = pick_opener(s, s.options[OPENER])
    _deal(s)


@rule
def _deal(s: Record) -> None:
    """Eight cards to each player, the rest face down as the stock."""
    next_round(s)
    s.turn = s.opener
    s.direction = 1
    s.debt = s.run = s.plus = s.called = s.idle = s.turns = 0
    s.open = s.asked = s.exposed = NOBODY
    for place in range(DECK_SIZE):
        s.stock[place] = UNSHUFFLED[place]
        s.pile[place] = 0
    s.pile_size = 0
    s.stock_size = DECK_SIZE
    shuffle(s, s.stock, DECK_SIZE)
    for seat in range(SEATS):
        s.sizes[seat] = 0
        s.holds[seat] = 0
        for card in range(KINDS):
            s.hands[seat, card] = 0
    for seat in range(s.players):
        for _ in range(HAND_SIZE):
            _put_into(s, seat, take(s))
    for card in range(KINDS):
        s.outside[card] = 0
    _forget_all(s)
    _turn_up(s)


@rule
def _put_into(s: Record, seat: int, card: int) -> None:
    s.hands[seat, card] += 1
    s.holds[seat] |= 1 << card
    s.sizes[seat] += 1


@inlined
def _turn_up(s: Record) -> None:
    """The stock's top card leads, unless it is no number: then it goes back at a random place."""
    card = take(s)
    while shape_of(card) >= N_NUMBERS:
        put_back(s, card)
        card = take(s)
    s.top = card
    s.lead_colour = colour_of(card)
    s.lead_shape = shape_of(card)


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
def _first_place(card: int) -> int:
    """Where a card lies in the unshuffled deck."""
    return 2 * card if card <= CHANGE else 2 * card + 2


@rule("int64(int64, int64)")
def _coloured(colour: int, shape: int) -> int:
    return colour * N_SHAPES + shape


# --- Whom the match waits for --------------------------------------------------------------------


@rule
def waiting(s: Record) -> int:
    if s.over:
        return 0
    return bit(s.turn if s.asked == NOBODY else s.asked)


@rule
def bystanders(s: Record) -> int:
    """Whoever must still call may do it before the next player acts."""
    return 0 if s.over or s.exposed == NOBODY else bit(s.exposed) & ~waiting(s)


# --- What is legal -------------------------------------------------------------------------------


@rule
def legal(s: Record, seat: int, out: Any) -> int:
    if s.over:
        return 0
    if s.asked != NOBODY:
        return _answers(s, seat, out) if seat == s.asked else 0
    n = 0
    if seat == s.turn:
        n = _plays(s, seat, out)
        # Who can play must, unless the option says otherwise; on an active 2+ the choice is free.
        choice = (s.debt > 0) | (s.options[MUST_PLAY] == 0)
        run = s.run != 0
        n = offer(out, n, DRAW, (not run) & ((n == 0) | choice))
        # A TAKI or Super TAKI on top cannot be closed.
        n = offer(out, n, CLOSE, run & (s.lead_shape != TAKI))
        n = offer(out, n, LEAVE, run)
    return offer(out, n, CALL, _may_call(s, seat))


@inlined
def _plays(s: Record, seat: int, out: Any) -> int:
    n = 0
    cards = s.holds[seat] & _playable(s)
    coloured = cards & _OF_COLOURS
    while coloured:
        out[n] = PLAY + lowest(coloured)
        n += 1
        coloured &= coloured - 1
    if cards <= _OF_COLOURS:
        return n
    if cards >> CHANGE & 1:
        for colour in range(N_COLOURS):
            n = offer(out, n, PLAY_CHANGE + colour, True)
    if cards >> SUPER & 1:
        for colour in range(N_COLOURS):
            n = offer(out, n, PLAY_SUPER + colour, (s.run == 0) | (colour == s.open))
    if cards >> CRAZY & 1:
        n = offer(out, n, PLAY_CRAZY, True)
        n = offer(out, n, PLAY_CRAZY + 1, True)
    return n


@inlined
def _playable(s: Record) -> int:
    """The kinds of cards that may be played, as bits."""
    if s.debt > 0:
        return _of_shape(TWO_PLUS)  # while a 2+ is active only another 2+
    # The leading colour, which in a run is the run's; outside a run also the leading shape.
    playable = COLOURLESS | (_OF_FIRST_COLOUR << N_SHAPES * wide(s.lead_colour))
    if not s.run:
        playable |= _of_shape(s.lead_shape)
    return playable


# Sets of kinds of cards, as bits.
_OF_COLOURS = (1 << COLOURED) - 1
_OF_FIRST_COLOUR = (1 << N_SHAPES) - 1
_OF_FIRST_SHAPE = sum(1 << colour * N_SHAPES for colour in range(N_COLOURS))
COLOURLESS = 1 << CHANGE | 1 << SUPER | 1 << CRAZY


@rule("int64(int64)")
def _of_shape(shape: int) -> int:
    return _OF_FIRST_SHAPE << shape if shape != NO_SHAPE else 0


@inlined
def _may_call(s: Record, seat: int) -> bool:
    """Who must still call; and early, in one's own turn, with two cards or in a run."""
    if s.options[ANNOUNCE] or wide(s.called) & bit(seat):
        return False
    return seat == s.exposed or (seat == s.turn and (s.run != 0 or s.sizes[seat] == 2))


@inlined
def _answers(s: Record, seat: int, out: Any) -> int:
    n = 0
    for colour in range(N_COLOURS):
        n = offer(out, n, BREAK + colour, _has_pair(s, seat, colour))
    return offer(out, n, ACCEPT, True)


@rule
def _has_pair(s: Record, seat: int, colour: int) -> bool:
    """A plus and a 3 of one colour."""
    pair = 1 << PLUS | 1 << THREE
    return s.holds[seat] >> _coloured(colour, 0) & pair == pair


# --- What an action does -------------------------------------------------------------------------


@rule
def apply(s: Record, seat: int, action: int, log: Log) -> None:
    if action == CALL:
        s.called |= bit(seat)
        if s.exposed == seat:
            s.exposed = NOBODY
        emit(log, CALLED, seat, PUBLIC, 0, 0, 0)
        return
    if s.exposed != NOBODY and s.exposed != seat:
        _pay(s, log)
    if action < PLAY_CRAZY:
        winner = _play(s, seat, action, log)
    elif action < DRAW:
        winner = _play_crazy(s, seat, action - PLAY_CRAZY, log)
    elif action == DRAW:
        winner = _draw(s, seat, log)
    elif action <= LEAVE:
        winner = _end_run(s, seat, action, log)
    elif action == ACCEPT:
        emit(log, ACCEPTED, seat, PUBLIC, 0, 0, 0)
        winner = _ask_after(s, seat, log)
    else:
        winner = _break(s, seat, action - BREAK, log)
    if winner != NOT_YET:
        _score(s, winner, log)


# What follows returns who has won the round: a seat, NOBODY if it ended without a winner, or
NOT_YET = -2


@inlined
def _pay(s: Record, log: Log) -> None:
    """Who has not called before another acts draws four, before that action takes effect."""
    late = s.exposed
    s.exposed = NOBODY
    emit(log, FORGOT, late, PUBLIC, 0, 0, 0)
    _draw_cards(s, late, PENALTY, log)


@inlined
def _play(s: Record, seat: int, action: int, log: Log) -> int:
    card, colour = action - PLAY, colour_of(action - PLAY)
    if action >= PLAY_SUPER:
        card, colour = SUPER, action - PLAY_SUPER
    elif action >= PLAY_CHANGE:
        card, colour = CHANGE, action - PLAY_CHANGE
    shape = shape_of(card)
    # A 3 on one's own plus of the same colour, unless a run goes on with it.
    attack = (s.plus != 0) & (shape == THREE) & (colour == s.lead_colour) & (s.open == NOBODY)
    _lay(s, seat, card, colour, shape)
    if card < COLOURED:
        emit(log, PLAYED, seat, PUBLIC, card, 0, 0)
    else:
        emit(log, NAMED, seat, PUBLIC, card, colour, 0)
    if s.sizes[seat] == 0 and shape != PLUS and not attack:
        return seat
    s.plus = 0
    if attack:
        emit(log, ATTACKED, seat, PUBLIC, 0, 0, 0)
        return _ask_after(s, seat, log)
    if shape == TAKI:
        s.open = colour
        s.run = 1
        return NOT_YET
    if s.open == colour and s.debt == 0 and card != CHANGE:
        s.run = 1  # its effect, if it has any, waits until the run ends
        return NOT_YET
    if s.open != colour or card == CHANGE:
        s.open = NOBODY
        s.run = 0
    return _take_effect(s, seat, shape, log)


@inlined
def _lay(s: Record, seat: int, card: int, colour: int, shape: int) -> None:
    """A card leaves a hand and leads; the one that led goes to the pile."""
    _leave_hand(s, seat, card)
    s.pile[s.pile_size] = s.top
    s.pile_size += 1
    s.top = card
    s.lead_colour = colour
    s.lead_shape = shape


@rule
def _leave_hand(s: Record, seat: int, card: int) -> None:
    s.hands[seat, card] -= 1
    s.holds[seat] ^= wide(s.hands[seat, card] == 0) << card
    s.sizes[seat] -= 1
    _forget(s, seat, card)


@inlined
def _end_run(s: Record, seat: int, action: int, log: Log) -> int:
    """The last card of a run takes effect; a TAKI that is left stays open."""
    s.run = 0
    if action == CLOSE:
        s.open = NOBODY
        emit(log, CLOSED, seat, PUBLIC, 0, 0, 0)
    else:
        emit(log, LEFT, seat, PUBLIC, 0, 0, 0)
    return _take_effect(s, seat, s.lead_shape, log)


@rule
def _take_effect(s: Record, seat: int, shape: int, log: Log) -> int:
    if shape == PLUS:
        s.plus = 1
        return NOT_YET
    steps = 1
    if shape == STOP:
        steps = 2
        emit(log, SKIPPED, _next(s, seat), PUBLIC, 0, 0, 0)
    elif shape == REVERSE:
        s.direction = -s.direction
        emit(log, TURNED, seat, PUBLIC, s.direction < 0, 0, 0)
    elif shape == TWO_PLUS:
        s.debt += 2
    return _end_own_turn(s, seat, steps, False)


@rule
def _next(s: Record, seat: int) -> int:
    return beside(seat, s.direction, s.players)


@inlined
def _draw(s: Record, seat: int, log: Log) -> int:
    """One card, or all that an active chain of 2+ asks for; it ends the turn."""
    empty = s.sizes[seat] == 0
    if s.debt == 0 and s.options[MUST_PLAY]:
        _bar(s, seat)
    before = s.sizes[seat]
    _draw_cards(s, seat, max(1, s.debt), log)
    nothing = s.sizes[seat] == before
    s.debt = 0
    s.plus = 0
    if empty and nothing:
        return seat  # his last card was a plus, and there is nothing to draw
    return _end_own_turn(s, seat, 1, nothing)


@rule
def _draw_cards(s: Record, seat: int, count: int, log: Log) -> None:
    """As many as there are. An empty stock is made anew from the pile under the leading card."""
    for drawn in range(count):
        if s.stock_size == 0:
            if s.pile_size == 0:
                if drawn == 0:
                    emit(log, STUCK, seat, PUBLIC, 0, 0, 0)
                return
            _make_stock(s)
            emit(log, REMADE, seat, PUBLIC, 0, 0, 0)
        card = take(s)
        _put_into(s, seat, card)
        if s.anew:
            s.drawn[seat, card] += 1
            s.young[seat] += 1
        emit(log, DREW, seat, bit(seat), card, 0, 0)


@inlined
def _make_stock(s: Record) -> None:
    for i in range(s.pile_size):
        s.stock[i] = s.pile[i]
        s.pile[i] = 0
    s.stock_size = s.pile_size
    s.pile_size = 0
    _remember_stock(s)
    shuffle(s, s.stock, s.stock_size)


@inlined
def _end_turn(s: Record, steps: int, drew_nothing: bool) -> int:
    """The turn passes, two seats on after a stop. Where nobody gets anywhere the round ends."""
    s.turns += 1
    s.idle = s.idle + 1 if drew_nothing else 0
    if s.idle == s.players or s.turns == LAST_TURN:
        return NOBODY
    for _ in range(steps):
        s.turn = _next(s, s.turn)
    return NOT_YET


@inlined
def _end_own_turn(s: Record, seat: int, steps: int, drew_nothing: bool) -> int:
    """As almost every turn ends: with a look at the call of the player whose turn it was."""
    winner = _end_turn(s, steps, drew_nothing)
    if winner == NOT_YET:
        _look_at_call(s, seat)
    return winner


@inlined
def _look_at_call(s: Record, seat: int) -> None:
    """Who ends a turn with one card must have called; with other than one a call lapses."""
    if s.exposed == seat:
        s.exposed = NOBODY
    if s.sizes[seat] != 1:
        s.called &= ~bit(seat)
    elif not s.called & bit(seat):
        if s.options[ANNOUNCE]:
            s.called |= bit(seat)
        else:
            s.exposed = seat


# --- Crazy ---------------------------------------------------------------------------------------


@rule
def _play_crazy(s: Record, seat: int, counter_clockwise: int, log: Log) -> int:
    """The card is transparent: it goes under the leading card, which stays."""
    _leave_hand(s, seat, CRAZY)
    s.pile[s.pile_size] = CRAZY
    s.pile_size += 1
    emit(log, CRAZED, seat, PUBLIC, counter_clockwise, 0, 0)
    if s.sizes[seat] == 0:
        return seat
    s.plus = 0
    s.run = 0
    s.open = NOBODY
    s.direction = -1 if counter_clockwise else 1
    all_pass = s.options[CRAZY_ALL] != 0
    if all_pass or s.players > 2:
        _pass_hands(s, NOBODY if all_pass else seat, log)
    if not all_pass:
        return _end_own_turn(s, seat, 1, False)
    winner = _end_turn(s, 1, False)
    if winner == NOT_YET and s.sizes[seat] != 1:
        s.called &= ~bit(seat)  # with one card he needs no call: the hand came by a crazy card
    return winner


@inlined
def _pass_hands(s: Record, keeper: int, log: Log) -> None:
    """Everybody but the keeper passes his whole hand on, in the direction of play."""
    for seat in range(s.players):
        if seat != keeper:
            _know_own_hand(s, seat)
    # Swapping neighbours all the way around moves every hand by one seat.
    first = 1 if keeper == 0 else 0
    here = _other(s, first, -s.direction, keeper)
    while here != first:
        before = _other(s, here, -s.direction, keeper)
        _swap_hands(s, here, before)
        here = before
    _follow_hands(s, keeper)
    for seat in range(s.players):
        if seat != keeper:
            emit(log, RECEIVED, seat, PUBLIC, s.sizes[seat], 0, 0)


@rule
def _other(s: Record, seat: int, direction: int, keeper: int) -> int:
    """The next seat in a direction whose hand moves."""
    seat = beside(seat, direction, s.players)
    return beside(seat, direction, s.players) if seat == keeper else seat


@inlined
def _swap_hands(s: Record, a: int, b: int) -> None:
    cards = s.holds[a] | s.holds[b]
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        s.hands[a, card], s.hands[b, card] = s.hands[b, card], s.hands[a, card]
    s.holds[a], s.holds[b] = s.holds[b], s.holds[a]
    s.sizes[a], s.sizes[b] = s.sizes[b], s.sizes[a]
    s.old[a], s.old[b] = s.old[b], s.old[a]
    s.young[a], s.young[b] = s.young[b], s.young[a]
    s.barred[a], s.barred[b] = s.barred[b], s.barred[a]


# --- Plus and 3 ----------------------------------------------------------------------------------


@rule
def _ask_after(s: Record, seat: int, log: Log) -> int:
    """Each other player with a plus and a 3 of one colour is asked, in order; then all draw."""
    attacker: int = s.turn
    here = _next(s, seat)
    while here != attacker and not _has_any_pair(s, here):
        here = _next(s, here)
    if here != attacker:
        s.asked = here
        emit(log, ASKED, here, PUBLIC, 0, 0, 0)
        return NOT_YET
    s.asked = NOBODY
    here = _next(s, attacker)
    while here != attacker:
        _draw_cards(s, here, ATTACK, log)
        here = _next(s, here)
    if s.sizes[attacker] == 0:
        return attacker
    return _end_own_turn(s, attacker, 1, False)


@rule
def _has_any_pair(s: Record, seat: int) -> bool:
    found = False
    for colour in range(N_COLOURS):
        found |= _has_pair(s, seat, colour)
    return found


@rule
def _break(s: Record, seat: int, colour: int, log: Log) -> int:
    """He plays both, the 3 leads, and the one who played the +3 draws three himself."""
    attacker: int = s.turn
    s.asked = NOBODY
    for shape in (PLUS, THREE):
        _lay(s, seat, _coloured(colour, shape), colour, shape)
    emit(log, BROKE, seat, PUBLIC, _coloured(colour, PLUS), _coloured(colour, THREE), 0)
    _draw_cards(s, attacker, ATTACK, log)
    if s.sizes[seat] == 0:
        return seat
    winner = _end_own_turn(s, attacker, 1, False)
    if winner == NOT_YET and s.sizes[seat] == 1:
        _look_at_call(s, seat)
    return winner


# --- Scoring, the next round, the end ------------------------------------------------------------


@rule
def _score(s: Record, winner: int, log: Log) -> None:
    emit(log, ENDED if winner == NOBODY else OUT, winner, PUBLIC, 0, 0, 0)
    for seat in range(s.players):
        show_hand(s, seat, KINDS, SHOWED, log)
        points = WINNER_POINTS if seat == winner else points_of(s, seat)
        s.scores[seat] += points
        _tell_counted(s, seat, winner, log)
        emit(log, SCORED, seat, PUBLIC, points, s.scores[seat], 0)
    if s.round_number >= s.options[ROUNDS]:
        finish(s, LOWEST_WINS)
        tell_winners(s, WON, log)
        return
    # The winner opens the next round; without one the same player opens again.
    if winner != NOBODY:
        s.opener = winner
    _deal(s)
    emit(log, DEALT, s.opener, PUBLIC, s.round_number, s.top, 0)


@rule
def points_of(s: Record, seat: int) -> int:
    points = 0
    for card in range(KINDS):
        points += s.hands[seat, card] * worth(card)
    return points


@inlined
def _tell_counted(s: Record, seat: int, winner: int, log: Log) -> None:
    if log.shape[0] > 0:
        if seat == winner:
            emit(log, COUNTED, seat, PUBLIC, WENT_OUT, 1, WINNER_POINTS)
        for card in range(KINDS):
            count = wide(s.hands[seat, card])
            if count > 0:
                emit(log, COUNTED, seat, PUBLIC, card, count, count * worth(card))


@rule("int64(int64)")
def worth(card: int) -> int:
    """Numbers count their value, commands 10."""
    shape = shape_of(card)
    return NUMBERS[shape] if shape < N_NUMBERS else COMMAND_POINTS


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
def _forget_all(s: Record) -> None:
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
def _forget(s: Record, seat: int, card: int) -> None:
    """A card of a hand was played: everybody knows of one such card less in it."""
    if s.anew:
        # It may have been old unless all such cards were in the new stock, and young if any was.
        if s.remade[card] < _first_place(card + 1) - _first_place(card):
            s.old[seat] = max(0, s.old[seat] - 1)
        if s.remade[card] > 0:
            s.young[seat] = max(0, s.young[seat] - 1)
    barred = s.barred[seat]
    if barred and not _fits(card, barred):
        s.barred[seat] = barred - 1 if barred_cards(barred) > 1 else 0
    if s.seen_at[_first_place(card)] != NOBODY:  # empty entries are last
        _forget_entry(s, seat, card)


@inlined
def _forget_entry(s: Record, seat: int, card: int) -> None:
    """The first entry of the hand says who knows of at least one such card: it goes."""
    gone = False
    last = _first_place(card + 1) - 1
    for place in range(_first_place(card), last):
        gone |= s.seen_at[place] == seat
        if gone:
            s.seen_at[place] = s.seen_at[place + 1]
            s.seen_by[place] = s.seen_by[place + 1]
    if gone or s.seen_at[last] == seat:
        s.seen_at[last] = NOBODY
        s.seen_by[last] = 0


@rule
def _order_places(s: Record, card: int) -> None:
    """By hands, and what more people know before what fewer know; empty entries last."""
    first, end = _first_place(card), _first_place(card + 1)
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
def _bar(s: Record, seat: int) -> None:
    """Who must draw has nothing that fits the leading card."""
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


@inlined
def _remember_stock(s: Record) -> None:
    """The stock is made of the pile now: these cards are in no hand."""
    s.anew = 1
    _forget_stock(s)
    for i in range(s.stock_size):
        s.remade[s.stock[i]] += 1
    for seat in range(s.players):
        s.old[seat] = s.sizes[seat]
        s.young[seat] = 0


@inlined
def _know_own_hand(s: Record, seat: int) -> None:
    """What he passes on he has seen: every card of it, and how many of each."""
    cards = s.holds[seat]
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        unknown = s.hands[seat, card]
        # The entries of his hand, then new ones: there are as many places as such cards.
        for place in range(_first_place(card), _first_place(card + 1)):
            if unknown > 0 and (s.seen_at[place] == seat or s.seen_at[place] == NOBODY):
                s.seen_at[place] = seat
                s.seen_by[place] |= bit(seat)
                unknown -= 1


@inlined
def _follow_hands(s: Record, keeper: int) -> None:
    """Everybody saw where the hands went. What is in his own hand nobody needs to remember."""
    cards = 0
    for seat in range(s.players):
        cards |= s.holds[seat]
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        for place in range(_first_place(card), _first_place(card + 1)):
            at = s.seen_at[place]
            if at != NOBODY:
                at = at if at == keeper else _other(s, at, s.direction, keeper)
                s.seen_by[place] &= ~bit(at)
                s.seen_at[place] = at if s.seen_by[place] else NOBODY
        _order_places(s, card)


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
        if s.seen_at[_first_place(card)] == NOBODY:  # empty entries are last
            continue
        for place in range(_first_place(card), _first_place(card + 1)):
            # What others know of a hand tells what is in it.
            if seat == NOBODY or not s.seen_by[place] & bit(seat):
                s.seen_at[place] = NOBODY
                s.seen_by[place] = 0
            else:
                s.seen_by[place] = bit(seat)
                if not s.over:
                    s.hands[s.seen_at[place], card] += 1
                    s.holds[s.seen_at[place]] |= 1 << card
        _order_places(s, card)


@inlined
def _empty_hand(s: Record, seat: int) -> None:
    """Its size stays."""
    s.holds[seat] = 0
    for card in range(KINDS):
        s.hands[seat, card] = 0


@rule_with_scratch
def guess(s: Record, seat: int, rng: Rng) -> None:
    """A deal of the unseen cards that fits all that the table remembers.

    Every hand of another is taken in parts: cards that must be old, or young, or not fit what the
    player could not play on, and cards that may be anything. A part of no cards is left out.
    """
    guess_chance(s, rng)
    cards = np.empty(DECK_SIZE, np.int64)
    known_at = np.empty(DECK_SIZE, np.int64)
    fits = np.empty(DECK_SIZE, np.int64)
    where = np.empty(DECK_SIZE, np.int64)
    order = np.empty(DECK_SIZE, np.int64)
    room = np.empty(MOST_PARTS, np.int64)
    parts = np.empty((MOST_PARTS, 3), np.int64)
    scratch = np.empty(2 * MOST_PARTS, np.int64)
    count = _unseen(s, seat, cards, known_at)
    # Which pair somebody has who is asked about a +3; and how much young cards are barred ones.
    pair = random_below(rng, N_COLOURS)
    for attempt in range(2 * N_COLOURS + 1):
        free = attempt == 2 * N_COLOURS  # has not happened; but a guess must always end
        n = _take_apart(s, seat, attempt % 2 != 0, free, parts, room)
        _find_fitting(s, seat, cards, known_at, count, parts, n, free, fits)
        if s.asked != NOBODY and s.asked != seat and not free:
            colour = (pair + attempt // 2) % N_COLOURS
            if not _reserve(s, cards, count, parts, n, colour, fits):
                continue
        for i in range(count):
            order[i] = i
        random_shuffle(rng, order, count)
        if deal_fitting(rng, fits, order, count, room, n, where, scratch):
            break
    s.stock_size = 0
    for other in range(s.players):
        if other != seat and not s.over:
            _empty_hand(s, other)
    for i in range(count):
        card, owner = cards[order[i]], parts[where[order[i]], 0]
        if owner == STOCK:
            s.stock[s.stock_size] = card
            s.stock_size += 1
        else:
            s.hands[owner, card] += 1
            s.holds[owner] |= 1 << card


STOCK = -1  # as the owner of a part
MOST_PARTS = 1 + 4 * SEATS  # of the five parts that a hand can have one is always empty
ANY, OLD, YOUNG = range(3)


@inlined
def _unseen(s: Record, seat: int, cards: Any, known_at: Any) -> int:
    """Lists the cards that the seat does not see, with the hand where it knows one to be."""
    n = 0
    for card in range(KINDS):
        left = _first_place(card + 1) - _first_place(card) - s.outside[card] - (s.top == card)
        for i in range(s.pile_size):
            left -= s.pile[i] == card
        for other in range(s.players):
            for _ in range(s.hands[other, card]):
                left -= 1
                if other != seat and not s.over:
                    cards[n] = card
                    known_at[n] = other
                    n += 1
        for _ in range(left):
            cards[n] = card
            known_at[n] = NOBODY
            n += 1
    return n


@inlined
def _take_apart(s: Record, seat: int, overlap: bool, free: bool, parts: Any, room: Any) -> int:
    """Lists the parts: owner, age, whether barred; how many cards go into each."""
    n = 0
    n = _add_part(parts, room, n, STOCK, YOUNG if s.anew else ANY, False, s.stock_size)
    if s.over:
        return n
    for other in range(s.players):
        if other == seat:
            continue
        size = wide(s.sizes[other])
        old, young, barred = wide(s.old[other]), wide(s.young[other]), barred_cards(s.barred[other])
        if free:
            old, young, barred = 0, 0, 0
        if barred <= old:
            # He could not play before the stock was made anew: those cards are old.
            n = _add_part(parts, room, n, other, OLD, True, barred)
            n = _add_part(parts, room, n, other, OLD, False, old - barred)
            n = _add_part(parts, room, n, other, YOUNG, False, young)
            n = _add_part(parts, room, n, other, ANY, False, size - old - young)
        else:
            # Later: the old ones are among the barred ones, and of the young ones some may be.
            rest, more = size - old, barred - old
            both = min(more, young) if overlap else max(0, more + young - rest)
            n = _add_part(parts, room, n, other, OLD, True, old)
            n = _add_part(parts, room, n, other, YOUNG, True, both)
            n = _add_part(parts, room, n, other, YOUNG, False, young - both)
            n = _add_part(parts, room, n, other, ANY, True, more - both)
            n = _add_part(parts, room, n, other, ANY, False, rest - more - young + both)
    return n


@rule
def _add_part(parts: Any, room: Any, n: int, owner: int, age: int, barred: bool, count: int) -> int:
    if count > 0:
        parts[n, 0] = owner
        parts[n, 1] = age
        parts[n, 2] = barred
        room[n] = count
        n += 1
    return n


@inlined
def _find_fitting(
    s: Record,
    seat: int,
    cards: Any,
    known_at: Any,
    count: int,
    parts: Any,
    n: int,
    free: bool,
    fits: Any,
) -> None:
    """Which parts each card may go to, as bits."""
    index = unplaced = 0  # of the cards of a kind that are not known to be somewhere
    for i in range(count):
        card = cards[i]
        if i == 0 or cards[i - 1] != card:
            index, unplaced = 0, _unplaced(cards, known_at, count, card)
        age = ANY
        if s.anew and not free:
            if known_at[i] == NOBODY:
                age = _age(s, seat, card, index, unplaced)
                index += 1
            else:
                age = _age(s, NOBODY, card, 0, 1)
        fits[i] = 0
        for part in range(n):
            owner = parts[part, 0]
            fine = known_at[i] == NOBODY or known_at[i] == owner
            fine &= age == ANY or parts[part, 1] == ANY or parts[part, 1] == age
            if parts[part, 2]:
                fine &= not _fits(card, s.barred[owner])
            if fine:
                fits[i] |= 1 << part


@inlined
def _unplaced(cards: Any, known_at: Any, count: int, card: int) -> int:
    """How many of the unseen cards of a kind are not known to be in some hand."""
    number = 0
    for i in range(count):
        number += (cards[i] == card) & (known_at[i] == NOBODY)
    return number


@inlined
def _age(s: Record, seat: int, card: int, index: int, unplaced: int) -> int:
    """Old, young or any: of equal cards as many must be young as cannot be old, and so on."""
    could_be_old = _first_place(card + 1) - _first_place(card) - s.remade[card]
    could_be_young = s.remade[card]
    if seat != NOBODY:
        could_be_young -= s.drawn[seat, card]
    if index < unplaced - could_be_old:
        return YOUNG
    if index >= could_be_young:
        return OLD
    return ANY


@rule("boolean(int64, int64)")
def _fits(card: int, barred: int) -> bool:
    """Whether a card could have been played where its player had to draw."""
    if card >= COLOURED:
        return True
    return colour_of(card) == barred_colour(barred) or shape_of(card) == barred_shape(barred)


@inlined
def _reserve(s: Record, cards: Any, count: int, parts: Any, n: int, colour: int, fits: Any) -> bool:
    """Keeps a plus and a 3 of a colour for the one who is asked: otherwise he would not be.

    Says whether he can have both.
    """
    his = 0
    for part in range(n):
        if parts[part, 0] == s.asked:
            his |= 1 << part
    reserved = 0
    for shape in (PLUS, THREE):
        for i in range(count):
            if cards[i] == _coloured(colour, shape) and fits[i] & his:
                fits[i] &= his
                reserved += 1
                break
    return reserved == 2


OBSERVED = (
    *(f"own {card}" for card in CARDS),
    *(f"pile {card}" for card in CARDS),
    *(f"colour {colour}" for colour in COLOURS),
    *(f"shape {shape}" for shape in SHAPES),
    *(f"open {colour}" for colour in COLOURS),
    *("direction", "debt", "run", "plus", "stock"),
    *(
        f"{what} {place}"
        for place in range(SEATS)
        for what in ("here", "turn", "cards", "called", "exposed", "asked", "score")
    ),
    *(f"known {place} {card}" for place in range(1, SEATS) for card in CARDS),
)
N_OBSERVED = len(OBSERVED)
BIG_HAND = 20  # a hand of so many cards is 1 to a learner


@rule
def observe(s: Record, seat: int, out: Any) -> None:
    """Cards in halves (there are two of most), sizes in big hands, scores in hundreds.

    Seats are told in clockwise order from the observer on, so that all seats learn the same game.
    """
    for i in range(N_OBSERVED):
        out[i] = 0.0
    first = max(seat, 0)
    kinds = KINDS
    for i in range(s.pile_size):
        out[kinds + wide(s.pile[i])] += 0.5
    n = 2 * kinds
    out[n + wide(s.lead_colour)] = 1.0
    n += N_COLOURS
    if s.lead_shape != NO_SHAPE:
        out[n + wide(s.lead_shape)] = 1.0
    n += N_SHAPES
    if s.open != NOBODY:
        out[n + wide(s.open)] = 1.0
    n += N_COLOURS
    out[n] = s.direction
    out[n + 1] = s.debt / 2
    out[n + 2] = s.run
    out[n + 3] = s.plus
    out[n + 4] = s.stock_size / DECK_SIZE
    n += 5
    there = first
    for place in range(s.players):
        _observe_seat(s, there, out, n + 7 * place)
        if place > 0:
            _observe_hand(s, there, out, n + 7 * SEATS + kinds * (place - 1))
        elif seat != NOBODY:
            _observe_hand(s, there, out, 0)
        there = beside(there, 1, s.players)


@rule
def _observe_seat(s: Record, seat: int, out: Any, n: int) -> None:
    out[n] = 1.0
    out[n + 1] = s.turn == seat
    out[n + 2] = s.sizes[seat] / BIG_HAND
    out[n + 3] = s.called >> seat & 1
    out[n + 4] = s.exposed == seat
    out[n + 5] = s.asked == seat
    out[n + 6] = s.scores[seat] / 100


@rule
def _observe_hand(s: Record, seat: int, out: Any, n: int) -> None:
    cards = s.holds[seat]
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        out[n + card] = s.hands[seat, card] / 2


# --- Positions -----------------------------------------------------------------------------------


class NamedColour(Named):
    """The colour that was named for a leading change colour or Super TAKI, else `-`."""

    @property
    def reads(self) -> tuple[str, ...]:
        return (self.field, "top")

    def write(self, s: Record) -> str:
        return super().write(s) if int(s.top) in (CHANGE, SUPER) else NONE


@dataclass(frozen=True)
class Memory(Form):
    """What the table remembers, in words for every hand.

    `r5@02`: seats 0 and 2 know that it holds a red 5. `drew:r5`: its player drew that from the
    stock that was made anew. `old:3`, `young:2`: so many of its cards surely were in hands before,
    so many were drawn since. `barred:4:r5`: four of its cards do not fit a red 5, or with
    `barred:4:r` the colour red.
    """

    reads = ("seen_at", "seen_by", "drawn", "anew", "old", "young", "barred")

    def read(self, key: str, s: Record, value: object) -> None:
        s.seen_at[:] = NOBODY
        for seat, one in enumerate(entries(key, value, s.players)):
            for word in (text_of(one) or "").split():
                if word != NONE and not self.word(s, seat, word):
                    raise BadPosition(key, f"seat {seat} cannot have {word!r}.")
        for card in range(KINDS):
            _order_places(s, card)

    def word(self, s: Record, seat: int, word: str) -> bool:
        """Reads one word; says whether it is one."""
        name, at, seats = word.partition("@")
        if at:
            return name in CARDS and self.seen(s, seat, CARDS.index(name), seats)
        name, _, rest = word.partition(":")
        if name == "drew":
            if rest in CARDS:
                s.drawn[seat, CARDS.index(rest)] += 1
            return rest in CARDS
        count, _, led = rest.partition(":")
        number = number_of(count)
        if number is None or not 0 < number <= s.sizes[seat]:
            return False
        if name in ("old", "young") and not led:
            s[name][seat] = number
            return True
        if name == "barred" and led[:1] in COLOURS and led[:1] and led[1:] in ("", *SHAPES):
            shape = SHAPES.index(led[1:]) if led[1:] else NO_SHAPE
            s.barred[seat] = barred(number, COLOURS.index(led[0]), shape)
            return True
        return False

    def seen(self, s: Record, seat: int, card: int, seats: str) -> bool:
        who = [number_of(one) for one in seats]
        if not who or any(one is None or one == seat or one >= s.players for one in who):
            return False
        places = range(_first_place(card), _first_place(card + 1))
        mine = [place for place in places if s.seen_at[place] == seat]
        free = [place for place in places if s.seen_at[place] == NOBODY]
        if not free or len(mine) >= s.hands[seat, card]:
            return False
        s.seen_at[free[0]] = seat
        s.seen_by[free[0]] = sum(bit(one) for one in set(who) if one is not None)
        return True

    def write(self, s: Record) -> list[str]:
        hands: list[list[str]] = [[] for _ in range(s.players)]
        seen_at, seen_by = s.seen_at.tolist(), s.seen_by.tolist()
        for place, seat in enumerate(seen_at):
            if seat != NOBODY:
                who = "".join(str(one) for one in range(SEATS) if seen_by[place] >> one & 1)
                hands[seat].append(f"{CARDS[UNSHUFFLED[place]]}@{who}")
        for seat, drawn in enumerate(s.drawn[: s.players] if s.anew else ()):
            for card in np.flatnonzero(drawn).tolist():
                hands[seat] += [f"drew:{CARDS[card]}"] * int(drawn[card])
        for name in ("old", "young"):
            for words, count in zip(hands, s[name].tolist(), strict=False):
                if count:
                    words.append(f"{name}:{count}")
        for words, one in zip(hands, s.barred.tolist(), strict=False):
            if one:
                led = COLOURS[barred_colour(one)] + (*SHAPES, "")[barred_shape(one)]
                words.append(f"barred:{barred_cards(one)}:{led}")
        return [" ".join(words) for words in hands]


KEYS: dict[str, Form] = {
    "turn": Seat("turn"),
    "top": Card("top", CARDS, counted=True),
    "colour": NamedColour("lead_colour", COLOURS, none=True),
    "direction": Direction("direction"),
    "debt": Number("debt", high=16),
    "open": Named("open", COLOURS, none=True),
    "run": Truth("run"),
    "plus": Truth("plus"),
    "asked": Seat("asked", none=True),
    "hands": Hands("hands", "sizes", CARDS),
    "stock": Stack("stock", "stock_size", CARDS),
    "pile": Stack("pile", "pile_size", CARDS, upward=True),
    "called": Seats("called"),
    "exposed": Seat("exposed", none=True),
    "idle": Number("idle", high=SEATS),
    "turns": Number("turns", high=LAST_TURN),
    "scores": Numbers("scores", -MOST_SCORE, MOST_SCORE),
    "remade": Cards("remade", CARDS),
    "memory": Memory(),
    "outside": Outside("outside", CARDS),
}
REQUIRED = ("hands", "top")


def settle(s: Record, given: frozenset[str], rest: Counter[int], out: bool) -> None:
    """Completes a record whose keys have been read, or says why there is no such position.

    `rest` are the cards that no key mentions; with `out` they are out of the round.
    """
    for key in ("open", "asked", "exposed"):
        if key not in given:
            s[key] = NOBODY
    if "direction" not in given:
        s.direction = 1
    if "turn" not in given:
        s.turn = s.opener
    if "memory" not in given:
        s.seen_at[:] = NOBODY
    for seat in range(s.players):
        s.holds[seat] = sum(1 << card for card in range(KINDS) if s.hands[seat, card])
    _settle_colour(s, given)
    if out:
        for card in range(KINDS):
            s.outside[card] = rest[card]
    else:
        bury(s, list(rest.elements()))
    if int(s.round_number) > s.options[ROUNDS]:
        raise BadPosition("round", f"the match has {s.options[ROUNDS]} rounds.")
    _settle_memory(s)
    if s.over:
        finish(s, LOWEST_WINS)  # the table stays as it lay when the last card was laid
        return
    _settle_turn(s)
    _settle_calls(s)
    for seat in range(s.players):
        last_was_plus = s.lead_shape == PLUS and (s.plus or s.run)
        if s.sizes[seat] == 0 and not (seat == s.turn and (last_was_plus or s.asked != NOBODY)):
            raise BadPosition("hands", f"seat {seat} has no card left, so the round is over.")


def _settle_colour(s: Record, given: frozenset[str]) -> None:
    if s.top == CRAZY:
        raise BadPosition("top", "a crazy card never leads: it lies under the leading card.")
    named = "colour" in given and s.lead_colour != NOBODY
    if int(s.top) in (CHANGE, SUPER):
        if not named:
            raise BadPosition("colour", f"a leading {CARDS[s.top]} needs the colour named for it.")
    elif named:
        raise BadPosition("colour", f"a leading {CARDS[s.top]} has its own colour.")
    else:
        s.lead_colour = colour_of(s.top)
    s.lead_shape = shape_of(s.top)


def _settle_turn(s: Record) -> None:
    led = s.lead_shape
    if s.debt and (s.debt % 2 or led != TWO_PLUS):
        raise BadPosition("debt", "two cards for every 2+, and one must be the leading card.")
    if s.open not in (NOBODY, s.lead_colour):
        raise BadPosition("open", "an open TAKI has the leading card's colour.")
    if s.run and (s.open == NOBODY or s.debt):
        raise BadPosition("run", "needs an open TAKI, and no active 2+.")
    if s.plus and (led != PLUS or s.run):
        raise BadPosition("plus", "needs a plus as the leading card, and no run.")
    if s.asked != NOBODY:
        if s.asked == s.turn:
            raise BadPosition("asked", "nobody is asked about his own +3.")
        if led != THREE or s.open != NOBODY:
            raise BadPosition("asked", "needs a 3 as the leading card, and no open TAKI.")
        if not _has_any_pair(s, s.asked):
            raise BadPosition("asked", f"seat {s.asked} has no plus and 3 of one colour.")
    if s.turns >= LAST_TURN:
        raise BadPosition("turns", f"a round ends after {LAST_TURN} turns.")
    if s.idle >= s.players:
        raise BadPosition("idle", "when all in a row have drawn nothing the round is over.")


def _settle_calls(s: Record) -> None:
    if s.exposed == NOBODY:
        return
    seat = int(s.exposed)
    if s.options[ANNOUNCE]:
        raise BadPosition("exposed", "nobody has to call when it is done for everybody.")
    if s.asked != NOBODY:
        raise BadPosition("exposed", "while somebody is asked about a +3 nobody has to call.")
    few = s.sizes[seat] == 1 or (s.sizes[seat] == 0 and seat == s.turn)
    if not few or s.called & bit(seat):
        raise BadPosition("exposed", f"seat {seat} has called, or has other than one card.")


def _settle_memory(s: Record) -> None:
    """Nobody remembers what cannot have been."""
    s.anew = s.remade.any()
    if (s.drawn.sum(axis=0) > s.remade).any():
        raise BadPosition("memory", "somebody drew what was not in the stock made anew.")
    for card, count in enumerate(DECK):
        if s.remade[card] > count:
            raise BadPosition("remade", f"there are only {count} of the card {CARDS[card]}.")
    for seat in range(s.players):
        if s.old[seat] + s.young[seat] > (s.sizes[seat] if s.anew else 0):
            raise BadPosition("memory", f"seat {seat} has not so many cards, old and young.")
