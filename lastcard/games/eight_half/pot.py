"""The pot: what it is worth, what fits it, and who opens the first one."""

from __future__ import annotations

import numpy as np

from lastcard.kernel import NOBODY, Record, beside, lowest, rule, wide

from .components import (
    ALL,
    EIGHT_AND_A_HALF,
    FIVE,
    GHOST,
    HALF,
    MOST_VALUE,
    NINE,
    NO_POT,
    NUMBERS,
    UP_TO_FIVE,
    YELLOW,
    ZERO,
)


@rule
def after_opener(s: Record, seat: int) -> int:
    """How many seats after the opener."""
    after = seat - s.opener
    return after if after >= 0 else after + s.players


@rule
def first_to_open(s: Record) -> int:
    """The lowest yellow card in a hand, the first such seat from the opener on; else the opener."""
    first: int = s.opener
    low = NINE
    seat = wide(s.opener)
    for _ in range(s.players):
        if lowest_yellow(s, seat) < low:
            first, low = seat, lowest_yellow(s, seat)
        seat = beside(seat, 1, s.players)
    return wide(first)


@rule
def lowest_yellow(s: Record, seat: int) -> int:
    """Of a hand; NINE if it has none."""
    return lowest((s.holds[seat] & YELLOW) | 1 << NINE)


def _fitting(value: int) -> int:
    """The kinds of cards that are legal on a pot of this value, as bits."""
    if value == NO_POT:
        return ALL
    whole = (value + 1) // 2
    fits = NUMBERS >> whole << whole  # equal to or higher than the value
    if value == FIVE:
        fits = UP_TO_FIVE
    fits |= 1 << GHOST
    if value != EIGHT_AND_A_HALF:
        fits |= 1 << HALF
    if value % 2 == 0:
        fits |= 1 << ZERO
    return fits


def _policeman(value: int) -> int:
    """The number that catches the player who left the pot on this value, or NOBODY."""
    return (value + 1) // 2 if value % 2 == 1 and 0 < value < 2 * NINE else NOBODY


# Worked out once for every value, NO_POT first.
_FITTING = np.array([_fitting(value) for value in range(NO_POT, MOST_VALUE + 1)])
_POLICEMAN = np.array([_policeman(value) for value in range(NO_POT, MOST_VALUE + 1)])


@rule("int64(int64)")
def fitting(value: int) -> int:
    return _FITTING[value - NO_POT]


@rule("int64(int64)")
def policeman(value: int) -> int:
    return _POLICEMAN[value - NO_POT]


@rule("boolean(int64)")
def both_fit(value: int) -> bool:
    """Whether 8 and half together are legal."""
    return value <= EIGHT_AND_A_HALF and value != FIVE


@rule
def first_pot(s: Record) -> bool:
    """Whether the first pot of the round is to be opened."""
    return s.turns == 0 and s.pot_size == 0 and s.winner == NOBODY


@rule("int64(int64, int64, int64)")
def value_with(value: int, card: int, count: int) -> int:
    """The value after some cards: numbers and zero set it, halves add to it, ghosts leave it."""
    if card < HALF:
        return 2 * card
    return max(value, 0) + (count if card == HALF else 0)
