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

The stock is never refilled. When it is empty nobody can draw, and if you cannot play you must quit.

When all the others have quit, the last player goes on alone: he plays while he can, may quit at
any time, and can no longer draw.

The round ends at once when a player has no cards left, or when all have quit.

## Points

- Everybody with cards left, quit or not, adds the sum of the *different* cards held. Numbers count
  their value, the chick 10, the egg as much as the pile's value. Three chicks and two 3s are 13.
  The egg counts on its own, even next to a card of that value. *[ruling]*
- A player who has shed all his cards, and has points from earlier rounds, rolls both dice and takes
  the sum off his score, never below 0. Only then are the round's points written down. *[ruling]*
- The player who put the last card on the pile opens the next round. If nobody played a card, the
  same player opens again. *[ruling]*

The match ends after a round in which a player has 50 points or more (option `target`), and after
100 rounds in any case *[ruling]*. The lowest score wins; ties share the win.

## What you know

Your own hand, the pile, how many cards everybody and the stock have, who has quit, the scores, and
the cards that were played. Hands stay hidden until the round is scored; then all are shown.
"""

from __future__ import annotations

from typing import Any

from lastcard.kernel import (
    CHANCE,
    NOBODY,
    PUBLIC,
    Log,
    Record,
    beside,
    bit,
    emit,
    everybody,
    finish,
    inlined,
    next_round,
    nobody,
    offer,
    pick_opener,
    put_back,
    rule,
    set_up,
    show_hand,
    shuffle,
    take,
    tell_winners,
)

from .components import (
    CARDS,
    CHICK,
    COUNTED,
    DEALT,
    DECK,
    DECK_SIZE,
    DRAW,
    DREW,
    EGG,
    FACES,
    HAND_SIZE,
    HATCHED,
    LAST_ROUND,
    LOWEST_WINS,
    OPENER,
    OUTCOMES,
    PLAY,
    PLAYED,
    QUIT,
    QUITTED,
    RANKS,
    ROLL,
    ROLLED,
    SCORED,
    SHOWED,
    TARGET,
    WON,
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
    """A player without cards rolls the dice (one without points never gets here)."""
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
    low, high = min(s.top, after(s.top)), max(s.top, after(s.top))
    n = offer(out, n, PLAY + low, hand[low] > 0)
    n = offer(out, n, PLAY + high, hand[high] > 0)
    n = offer(out, n, PLAY + EGG, hand[EGG] > 0)
    # Nobody draws from an empty stock, nor when all the others have quit.
    n = offer(out, n, DRAW, (s.stock_size > 0) & (not _alone(s)))
    return offer(out, n, QUIT, True)


@rule
def after(value: int) -> int:
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
        s.top = after(s.top)
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
