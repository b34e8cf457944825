"""Shed your cards, or stop in time: low points win. For 2 to 5 players.

## Cards

50 cards: the numbers `1` to `6` and the chick `c`, seven of each, and one surprise egg `e`.
Two dice with the faces 1, 2, 3, 4, 5 and the rooster, which is worth 10.
*[ruling: how many of each card, and the numbers on the dice]*

## A round

Everybody gets six cards. The rest is the stock; its top card is turned up and starts the pile. An
egg that is turned up goes back into the stock at a random place, and another card is turned up.
*[ruling]*

The opener begins, then clockwise. On your turn do exactly one thing:

- **Play** a card that equals the pile's value or is exactly one higher. After 6 comes the chick,
  and after the chick comes 1.
- **Play the egg** on anything: it takes the value that comes next.
- **Draw** a card. The turn passes at once. You may draw even if you could play. *[ruling]*
- **Quit**: lay your cards face down and sit out the rest of this round.

The stock is never refilled. When it is empty nobody can draw, and who cannot play must quit.

When all the others have quit, the last player goes on alone: he plays while he can, may quit at
any time, and can no longer draw.

The round ends at once when somebody has no cards left, or when all have quit.

## Points

- Everybody who holds cards, quit or not, adds the sum of the *different* cards held. Numbers count
  their value, the chick 10, the egg as much as the pile's value. Three chicks and two 3s are 13.
  The egg counts on its own, also beside a card of that value. *[ruling]*
- Who shed all his cards, and has points from earlier rounds, rolls both dice and takes the sum off
  his score, never below 0. Only then the points of the round are written down. *[ruling]*
- Whoever put the last card on the pile opens the next round. If nobody played a card, the same
  player opens again. *[ruling]*

The match ends after a round in which somebody has 50 points or more (option `target`), and after
100 rounds in any case *[ruling]*. The lowest score wins; ties share the win.

## What you know

Your own hand, the pile, how many cards everybody and the stock have, who has quit, the scores, and
the cards that were played. Hands stay hidden until the round is scored; then all are shown.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from lastcard.errors import BadPosition
from lastcard.kernel import (
    CHANCE,
    NOBODY,
    PUBLIC,
    UNKNOWN,
    Log,
    Record,
    Rng,
    beside,
    bit,
    bury,
    emit,
    everybody,
    finish,
    guess_chance,
    hide_chance,
    inlined,
    next_round,
    nobody,
    offer,
    pick_opener,
    put_back,
    random_shuffle,
    record,
    rule,
    set_up,
    show_hand,
    shuffle,
    take,
    tell_winners,
)
from lastcard.kernel.forms import (
    HIDDEN,
    Card,
    Derived,
    Event,
    Form,
    Hands,
    Numbers,
    OpenerOption,
    Option,
    Outside,
    Seat,
    Seats,
    Stack,
    scoring_events,
)

TITLE = "Chiko"
TAGLINE = "Shed your cards or stop in time; a wild egg and two dice."
PLAYERS = (2, 5)
MINUTES = 7  # that a match takes three players, about
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

PLAY = 0  # + card
DRAW = PLAY + len(CARDS)
QUIT = DRAW + 1
ROLL = QUIT + 1  # + 6 * the first die's face + the second's
OUTCOMES = len(FACES) ** 2

ACTIONS = (
    *(f"play {card}" for card in CARDS),
    "draw",
    "quit",
    *(f"roll {a} {b}" for a in FACES for b in FACES),
)
MOST_LEGAL = OUTCOMES  # actions that can be legal at once

# --- Options -------------------------------------------------------------------------------------

OPTIONS = (
    Option("target", 50, "the match ends when somebody has so many points", 1, 30_000),
    OpenerOption(),
)
TARGET, OPENER = range(2)
LAST_ROUND = 100

# --- Events --------------------------------------------------------------------------------------

_CARD = {"card": CARDS}
EVENTS = (
    Event(
        "dealt",
        "Round {round}: the pile starts with {card}.",
        values={"round": None, "card": CARDS},
    ),
    Event("played", "{seat} plays {card}.", "You play {card}.", _CARD),
    Event(
        "hatched",
        "{seat} plays the egg; it counts as {value}.",
        "You play the egg; it counts as {value}.",
        {"value": CARDS},
    ),
    Event(
        "drew",
        "{seat} draws {card}.",
        "You draw {card}.",
        _CARD,
        secret=frozenset({"card"}),
        veiled="{seat} draws a card.",
    ),
    Event("quit", "{seat} quits the round.", "You quit the round."),
    Event(
        "rolled",
        "{seat} rolls {a} and {b}, down to {score}.",
        "You roll {a} and {b}, down to {score}.",
        {"a": None, "b": None, "score": None},
    ),
    *scoring_events(CARDS, CARDS, "{what}: {points}"),
)
DEALT, PLAYED, HATCHED, DREW, QUITTED, ROLLED, SHOWED, COUNTED, SCORED, WON = range(len(EVENTS))

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

# --- A new match, and dealing --------------------------------------------------------------------


@rule
def new(s: Record, players: int, options: Any) -> None:
    set_up(s, players, options)
    s.opener = pick_opener(s, s.options[OPENER])
    _deal(s)


@rule
def _deal(s: Record) -> None:
    """Six cards to each player, the rest face down as the stock."""
    next_round(s)
    s.turn = s.opener
    s.last = NOBODY
    s.quit = 0
    n = 0
    for card in range(len(CARDS)):
        s.gone[card] = 0
        for _ in range(DECK[card]):
            s.stock[n] = card
            n += 1
    s.stock_size = DECK_SIZE
    shuffle(s, s.stock, DECK_SIZE)
    for seat in range(s.players):
        s.sizes[seat] = HAND_SIZE
        for card in range(len(CARDS)):
            s.hands[seat, card] = 0
        for _ in range(HAND_SIZE):
            s.hands[seat, take(s)] += 1
    _turn_up(s)


@rule
def _turn_up(s: Record) -> None:
    """The stock's top card starts the pile. An egg goes back into the stock at a random place."""
    card = take(s)
    while card == EGG:
        put_back(s, EGG)
        card = take(s)
    s.top = card
    s.gone[card] = 1


# --- Whom the match waits for --------------------------------------------------------------------


@rule
def waiting(s: Record) -> int:
    if s.over:
        return 0
    if _rolling(s):
        return bit(CHANCE)
    return bit(s.turn)


@rule
def _rolling(s: Record) -> bool:
    """Whoever has shed all his cards rolls the dice (who has no points never gets here)."""
    return s.sizes[s.turn] == 0


bystanders = nobody


# --- What is legal -------------------------------------------------------------------------------


@rule
def legal(s: Record, seat: int, out: Any) -> int:
    if s.over:
        return 0
    if _rolling(s):
        if seat != CHANCE:
            return 0
        for outcome in range(OUTCOMES):
            out[outcome] = ROLL + outcome
        return OUTCOMES
    if seat != s.turn:
        return 0
    n = 0
    hand = s.hands[seat]
    # A card equal to the pile's value or exactly one higher, the lower card first.
    low, high = min(s.top, _after(s.top)), max(s.top, _after(s.top))
    n = offer(out, n, PLAY + low, hand[low] > 0)
    n = offer(out, n, PLAY + high, hand[high] > 0)
    n = offer(out, n, PLAY + EGG, hand[EGG] > 0)
    # Nobody draws from an empty stock, nor when all the others have quit.
    n = offer(out, n, DRAW, (s.stock_size > 0) & (not _alone(s)))
    return offer(out, n, QUIT, True)


@rule
def _after(value: int) -> int:
    """After 6 comes the chick, after the chick comes 1."""
    return 0 if value == CHICK else value + 1


@rule
def _staying(s: Record) -> int:
    """The players who have not quit, as bits."""
    return everybody(s.players) & ~s.quit


@rule
def _alone(s: Record) -> bool:
    staying = _staying(s)
    return staying & (staying - 1) == 0


# --- What an action does -------------------------------------------------------------------------


@rule
def apply(s: Record, seat: int, action: int, log: Log) -> None:
    if action < DRAW:
        _play(s, seat, action - PLAY, log)
    elif action == DRAW:
        card = take(s)
        s.hands[seat, card] += 1
        s.sizes[seat] += 1
        emit(log, DREW, seat, bit(seat), card, 0, 0)
        _pass_on(s)
    elif action == QUIT:
        s.quit |= bit(seat)
        emit(log, QUITTED, seat, PUBLIC, 0, 0, 0)
        if _staying(s) == 0:
            _score(s, log)
        else:
            _pass_on(s)
    else:
        outcome = action - ROLL
        _roll(s, _face(outcome // len(FACES)), _face(outcome % len(FACES)), log)


@rule
def _play(s: Record, seat: int, card: int, log: Log) -> None:
    s.hands[seat, card] -= 1
    s.sizes[seat] -= 1
    s.gone[card] += 1
    s.last = seat
    if card == EGG:
        # The egg takes the value that comes next.
        s.top = _after(s.top)
        emit(log, HATCHED, seat, PUBLIC, s.top, 0, 0)
    else:
        s.top = card
        emit(log, PLAYED, seat, PUBLIC, card, 0, 0)
    if s.sizes[seat] > 0:
        _pass_on(s)
    elif s.scores[seat] == 0:
        # With 0 points he does not roll. Otherwise the match now waits for the dice.
        _score(s, log)


@rule
def _pass_on(s: Record) -> None:
    """The turn passes clockwise, skipping players who have quit."""
    s.turn = beside(s.turn, 1, s.players)
    while s.quit & bit(s.turn):
        s.turn = beside(s.turn, 1, s.players)


@rule
def _face(index: int) -> int:
    """1, 2, 3, 4, 5 and the rooster, which is worth 10."""
    return FACES[index]


@rule
def _roll(s: Record, a: int, b: int, log: Log) -> None:
    """He takes the sum off his score, never below 0; then the round is written down."""
    s.scores[s.turn] = max(0, s.scores[s.turn] - a - b)
    emit(log, ROLLED, s.turn, PUBLIC, a, b, s.scores[s.turn])
    _score(s, log)


# --- Scoring, the next round, the end ------------------------------------------------------------


@rule
def _score(s: Record, log: Log) -> None:
    highest = 0
    for seat in range(s.players):
        show_hand(s, seat, len(CARDS), SHOWED, log)
        points = points_of(s, seat)
        s.scores[seat] += points
        _tell_counted(s, seat, log)
        emit(log, SCORED, seat, PUBLIC, points, s.scores[seat], 0)
        highest = max(highest, s.scores[seat])
    if highest >= s.options[TARGET] or s.round_number >= LAST_ROUND:
        finish(s, LOWEST_WINS)
        tell_winners(s, WON, log)
        return
    # The next round is opened by whoever put the last card on the pile.
    if s.last != NOBODY:
        s.opener = s.last
    _deal(s)
    emit(log, DEALT, s.opener, PUBLIC, s.round_number, s.top, 0)


@rule
def points_of(s: Record, seat: int) -> int:
    """Each different rank held counts once; the egg counts as much as the pile's value."""
    points = 0
    for rank in range(RANKS):
        if s.hands[seat, rank] > 0:
            points += worth(rank)
    if s.hands[seat, EGG] > 0:
        points += worth(s.top)
    return points


@inlined
def _tell_counted(s: Record, seat: int, log: Log) -> None:
    """What each rank of a hand counts, and the egg."""
    if log.shape[0] > 0:
        for card in range(len(CARDS)):
            if s.hands[seat, card] > 0:
                points = worth(s.top if card == EGG else card)
                emit(log, COUNTED, seat, PUBLIC, card, s.hands[seat, card], points)


@rule
def worth(rank: int) -> int:
    """Numbers count their value, the chick 10."""
    return 10 if rank == CHICK else rank + 1


# --- What a seat may know ------------------------------------------------------------------------


@rule
def hide(s: Record, seat: int) -> None:
    hide_chance(s)
    for i in range(s.stock_size):
        s.stock[i] = UNKNOWN
    if s.over:
        return  # the last round is scored, so all hands are shown
    for other in range(s.players):
        if other != seat:
            for card in range(len(CARDS)):
                s.hands[other, card] = 0


@rule
def guess(s: Record, seat: int, rng: Rng) -> None:
    """Nothing that players do in Chiko tells what they hold: any deal of the unseen cards fits."""
    guess_chance(s, rng)
    # The stock has room for all cards: gather the unseen ones there, shuffle them, deal them.
    unseen = 0
    for card in range(len(CARDS)):
        seen = s.gone[card]
        for other in range(s.players):
            seen += s.hands[other, card]
        for _ in range(DECK[card] - seen):
            s.stock[unseen] = card
            unseen += 1
    random_shuffle(rng, s.stock, unseen)
    for other in range(s.players):
        if other != seat and not s.over:
            for _ in range(s.sizes[other]):
                unseen -= 1
                s.hands[other, s.stock[unseen]] += 1
                s.stock[unseen] = 0


OBSERVED = (
    *(f"own {card}" for card in CARDS),
    *(f"gone {card}" for card in CARDS),
    *(f"top {card}" for card in CARDS[:RANKS]),
    "stock",
    *(
        f"{what} {place}"
        for place in range(SEATS)
        for what in ("here", "turn", "cards", "quit", "score", "last")
    ),
)


@rule
def observe(s: Record, seat: int, out: Any) -> None:
    """Counts of cards in sevenths, of the stock and hands in deck sizes, scores in targets.

    Seats are told in playing order from the observer on, so that all seats learn the same game.
    """
    first = max(seat, 0)
    n = 0
    for card in range(len(CARDS)):
        out[n] = s.hands[first, card] / 7 if seat >= 0 else 0.0
        out[n + len(CARDS)] = s.gone[card] / 7
        n += 1
    n += len(CARDS)
    for rank in range(RANKS):
        out[n] = 1.0 if s.top == rank else 0.0
        n += 1
    out[n] = s.stock_size / DECK_SIZE
    n += 1
    for place in range(SEATS):
        there = (first + place) % s.players
        here = place < s.players
        out[n] = 1.0 if here else 0.0
        out[n + 1] = 1.0 if here and s.turn == there else 0.0
        out[n + 2] = s.sizes[there] / DECK_SIZE if here else 0.0
        out[n + 3] = 1.0 if here and s.quit & bit(there) else 0.0
        out[n + 4] = s.scores[there] / s.options[TARGET] if here else 0.0
        out[n + 5] = 1.0 if here and s.last == there else 0.0
        n += 6


# --- Positions -----------------------------------------------------------------------------------


def fitting_names(s: Record) -> str:
    """The cards that may be put on the pile as it is."""
    return " ".join(CARDS[card] for card in sorted((s.top, _after(s.top), EGG)))


def points(s: Record) -> list[int | str]:
    """What every hand that is seen would count now."""
    return [
        int(points_of(s, seat)) if s.hands[seat].sum() == s.sizes[seat] else HIDDEN
        for seat in range(s.players)
    ]


KEYS: dict[str, Form] = {
    "turn": Seat("turn"),
    "top": Card("top", CARDS[:RANKS]),
    "fits": Derived(fitting_names, ("top",)),
    "hands": Hands("hands", "sizes", CARDS),
    "points": Derived(points, ("hands", "sizes", "top")),
    "stock": Stack("stock", "stock_size", CARDS),
    "quit": Seats("quit"),
    "last": Seat("last", none=True),
    "scores": Numbers("scores"),
    "gone": Outside("gone", CARDS),
}
REQUIRED = ("hands", "top")


def settle(s: Record, given: frozenset[str], rest: Counter[int], out: bool) -> None:
    """Completes a record whose keys have been read, or says why there is no such position.

    `rest` are the cards that no key mentions; with `out` they are out of the round.
    """
    top = int(s.top) if rest[int(s.top)] else EGG
    if not rest[top]:
        raise BadPosition("top", f"all cards that could show {CARDS[int(s.top)]} are elsewhere.")
    if not out:
        rest[top] -= 1
        bury(s, list(rest.elements()))
        rest = Counter({top: 1})
    for card in range(len(CARDS)):
        s.gone[card] = rest[card]

    players = range(s.players)
    if int(s.round_number) > LAST_ROUND:
        raise BadPosition("round", f"a match has at most {LAST_ROUND} rounds.")
    empty = [seat for seat in players if s.sizes[seat] == 0]
    if len(empty) > 1:
        raise BadPosition("hands", "only one player can have no cards: the round ends there.")
    quit = [seat for seat in players if s.quit & bit(seat)]
    if set(empty) & set(quit):
        raise BadPosition("hands", f"seat {empty[0]} has quit, and cannot be without cards.")
    # Who has no cards has just played the last one, and it is for him to roll.
    if "last" not in given:
        s.last = empty[0] if empty else NOBODY
    if empty and s.last != empty[0]:
        raise BadPosition("last", f"seat {empty[0]} has no cards left, so it played the last one.")
    if "turn" not in given:
        order = [(s.opener + step) % s.players for step in players]
        s.turn = next((seat for seat in empty or order if seat not in quit), s.opener)
    if empty and s.turn != empty[0]:
        raise BadPosition("turn", f"seat {empty[0]} has no cards left and rolls the dice.")

    if any(s.scores[seat] >= s.options[TARGET] for seat in players):
        if "over" in given and not s.over:
            raise BadPosition("over", "somebody has reached the target, so the match is over.")
        s.over = 1
    if s.over:
        finish(s, LOWEST_WINS)
        return
    if len(quit) == s.players:
        raise BadPosition("quit", "when all have quit the round is over.")
    if s.turn in quit:
        raise BadPosition("turn", f"seat {s.turn} has quit this round.")
    if empty and s.scores[empty[0]] == 0:
        raise BadPosition("hands", f"seat {empty[0]} has no cards and no points to roll for.")
