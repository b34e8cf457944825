"""Sheds as many cards as it can, keeps its longest colour, and stings players about to go out."""

from __future__ import annotations

from math import sqrt
from typing import Any

from lastcard.kernel import Record, Rng, beside, rule

from .components import (
    ACCEPT,
    BREAK,
    CALL,
    CLOSE,
    CRAZY_ALL,
    DRAW,
    LEAVE,
    N_SHAPES,
    PLAY_CHANGE,
    PLAY_CRAZY,
    PLAY_SUPER,
    PLUS,
    ROUNDS,
    STOP,
    TAKI,
    THREE,
    TWO_PLUS,
    colour_of,
    shape_of,
    worth,
)

TREE_UP_TO = 0  # players with whom search plays by a tree; with more, by this policy

# What it likes, in points like a card's worth; tuned by playing variants against each other.
COMPANY = 3  # per other card of the colour that leads next
RUN = 6  # per card that a TAKI takes along
ATTACK = 40  # a plus with the 3 of its colour
STING = 15  # 2+ and stop, when the next player is about to go out
FEW = 3  # cards with which a player is about to go out
COLOURLESS_LATER = -50  # colourless cards always fit, so they can wait


@rule
def choose(s: Record, seat: int, legal: Any, n: int, rng: Rng) -> int:
    best, best_liking, may_call = -1, -1000, False
    for i in range(n):
        action = legal[i]
        may_call |= action == CALL
        if action < DRAW:
            liking = _in_run(s, seat, action) if s.run else _liking(s, seat, action)
        elif BREAK <= action < ACCEPT:
            liking = 1
        else:
            liking = -900 if action == CALL else -500 if action == LEAVE else -400
        if liking > best_liking:
            best, best_liking = action, liking
    if may_call and (s.exposed == seat or _left_with_one(s, seat, best)):
        return CALL
    return best


@rule
def _left_with_one(s: Record, seat: int, action: int) -> bool:
    """Whether an action ends its turn with one card left, so that it must call first."""
    if action < PLAY_CHANGE:
        shape = shape_of(action)
        goes_on = s.run or shape == PLUS or shape == TAKI
        goes_on |= s.debt == 0 and s.open == colour_of(action)
        return s.sizes[seat] == 2 and not goes_on
    if action < DRAW:
        return s.sizes[seat] == 2 and not PLAY_SUPER <= action < PLAY_CRAZY
    ends_run = action == CLOSE or action == LEAVE
    return ends_run and s.sizes[seat] == 1 and s.lead_shape != PLUS


@rule
def _in_run(s: Record, seat: int, action: int) -> int:
    """Sheds everything, action cards last. Colourless cards wait for a better day."""
    if action >= PLAY_CHANGE:
        last = s.sizes[seat] == 1
        run_on = PLAY_SUPER <= action < PLAY_CRAZY and s.sizes[seat] > 1
        return 0 if last or run_on else -450
    shape = shape_of(action)
    if shape == TWO_PLUS or shape == STOP:
        return 1
    if shape == PLUS:
        return 2 if _company(s, seat, s.lead_colour) > 1 else 1
    return 3


@rule
def _liking(s: Record, seat: int, action: int) -> int:
    following = s.sizes[beside(seat, s.direction, s.players)]
    if action >= PLAY_CRAZY:
        return _crazy(s, seat, action)
    if action >= PLAY_SUPER:
        company = _company(s, seat, action - PLAY_SUPER)
        return COLOURLESS_LATER + RUN * company
    if action >= PLAY_CHANGE:
        return COLOURLESS_LATER + COMPANY * _company(s, seat, action - PLAY_CHANGE)
    shape, colour = shape_of(action), colour_of(action)
    company = _company(s, seat, colour) - 1
    liking = worth(action) + COMPANY * company
    if s.open == colour:
        return liking + RUN * company
    if shape == TAKI:
        liking += RUN * company
    elif shape == PLUS:
        three = action - PLUS + THREE
        liking += ATTACK if s.hands[seat, three] > 0 else RUN * min(company, 1)
    elif following <= FEW and (shape == TWO_PLUS or shape == STOP):
        liking += STING
    return liking


@rule
def _company(s: Record, seat: int, colour: int) -> int:
    """How many cards of a colour it holds."""
    first = colour * N_SHAPES
    count = 0
    for card in range(first, first + N_SHAPES):
        count += s.hands[seat, card]
    return count


@rule
def _crazy(s: Record, seat: int, action: int) -> int:
    """The next player should get the longest hand; it gives its own away if that is longer."""
    direction = -1 if action > PLAY_CRAZY else 1
    after = beside(seat, direction, s.players)
    before = beside(seat, -direction, s.players)
    gets = s.sizes[before]
    if s.options[CRAZY_ALL]:
        return COLOURLESS_LATER + 4 * (s.sizes[seat] - 1 - gets)
    return COLOURLESS_LATER + gets - s.sizes[after]


@rule
def luck(s: Record) -> float:
    """How far luck drives scores apart in the rounds to come."""
    return 55.0 * sqrt(s.options[ROUNDS] - s.round_number + 1)
