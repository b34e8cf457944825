"""One step up or one step down, until you have no card left. For 2 to 4 players.

## Cards

28 cards: the numbers `1` to `7`, four of each.

## A round

Everybody gets five cards. The top card of the stock is turned up and starts the ladder. The opener
begins, then clockwise.

On your turn **play** a card that is exactly one higher or one lower than the top of the ladder. 7
and 1 are neighbours. If you cannot, **draw** a card, which ends your turn. If the stock is empty,
**pass**.

The round ends when a player has no card left, or when all players in a row have passed.

## Points

Every card left in your hand is a point. The next player opens the next round. After three rounds
(option `rounds`) the lowest score wins; ties share the win.

## What you know

Your own hand, the cards that have been played, and how many cards everybody and the stock have.
"""

from __future__ import annotations

from typing import Any

from lastcard.kernel import (
    PUBLIC,
    Log,
    Record,
    beside,
    bit,
    emit,
    finish,
    next_round,
    nobody,
    offer,
    pick_opener,
    rule,
    set_up,
    show_hand,
    shuffle,
    take,
    tell_winners,
)

from .components import (
    COUNTED,
    DEALT,
    DECK,
    DECK_SIZE,
    DRAW,
    DREW,
    HAND_SIZE,
    KINDS,
    LOWEST_WINS,
    OPENER,
    PASS,
    PASSED,
    PLAY,
    PLAYED,
    ROUNDS,
    SCORED,
    SHOWED,
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
    next_round(s)
    s.turn = s.opener
    s.passed = 0
    n = 0
    for card in range(KINDS):
        s.gone[card] = 0
        for _ in range(DECK[card]):
            s.stock[n] = card
            n += 1
    s.stock_size = DECK_SIZE
    shuffle(s, s.stock, DECK_SIZE)
    for seat in range(s.players):
        s.sizes[seat] = HAND_SIZE
        for card in range(KINDS):
            s.hands[seat, card] = 0
        for _ in range(HAND_SIZE):
            s.hands[seat, take(s)] += 1
    s.top = take(s)
    s.gone[s.top] = 1


# --- Whom the match waits for, and what is legal -------------------------------------------------


@rule
def waiting(s: Record) -> int:
    return 0 if s.over else bit(s.turn)


bystanders = nobody


@rule
def legal(s: Record, seat: int, out: Any) -> int:
    if s.over or seat != s.turn:
        return 0
    low, high = min(below(s.top), above(s.top)), max(below(s.top), above(s.top))
    n = offer(out, 0, PLAY + low, s.hands[seat, low] > 0)
    n = offer(out, n, PLAY + high, s.hands[seat, high] > 0)
    return offer(out, n, DRAW if s.stock_size > 0 else PASS, n == 0)


@rule
def above(card: int) -> int:
    return 0 if card == KINDS - 1 else card + 1


@rule
def below(card: int) -> int:
    return KINDS - 1 if card == 0 else card - 1


# --- What an action does -------------------------------------------------------------------------


@rule
def apply(s: Record, seat: int, action: int, log: Log) -> None:
    if action == DRAW:
        card = take(s)
        s.hands[seat, card] += 1
        s.sizes[seat] += 1
        emit(log, DREW, seat, bit(seat), card, 0, 0)
    elif action == PASS:
        s.passed += 1
        emit(log, PASSED, seat, PUBLIC, 0, 0, 0)
    else:
        _play(s, seat, action - PLAY, log)
    if s.sizes[seat] == 0 or s.passed == s.players:
        _score(s, log)
    else:
        s.turn = beside(s.turn, 1, s.players)


@rule
def _play(s: Record, seat: int, card: int, log: Log) -> None:
    s.hands[seat, card] -= 1
    s.sizes[seat] -= 1
    s.gone[card] += 1
    s.top = card
    s.passed = 0
    emit(log, PLAYED, seat, PUBLIC, card, 0, 0)


@rule
def _score(s: Record, log: Log) -> None:
    for seat in range(s.players):
        show_hand(s, seat, KINDS, SHOWED, log)
        left = s.sizes[seat]
        s.scores[seat] += left
        if left > 0:
            emit(log, COUNTED, seat, PUBLIC, 0, left, left)
        emit(log, SCORED, seat, PUBLIC, left, s.scores[seat], 0)
    if s.round_number >= s.options[ROUNDS]:
        finish(s, LOWEST_WINS)
        tell_winners(s, WON, log)
        return
    s.opener = beside(s.opener, 1, s.players)
    _deal(s)
    emit(log, DEALT, s.opener, PUBLIC, s.round_number, s.top, 0)
