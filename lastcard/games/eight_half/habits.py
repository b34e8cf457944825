"""What bots do in Eight and a Half: see `lastcard habits`."""

from __future__ import annotations

from typing import Any

import numpy as np

from lastcard.kernel import NOBODY

from .components import (
    ACTIONS,
    CARDS,
    EAT,
    EIGHT_AND_A_HALF,
    EMPTY,
    FIRST_PLACE,
    FLIP,
    GHOST,
    HALF,
    KEEP,
    MOST_VALUE,
    NINE,
    NO_POT,
    PLAY,
    PLAY_BOTH,
    SLOTS,
    SWAP,
    UNSHUFFLED,
    ZERO,
)
from .pot import policeman, value_with

EACH = np.arange(len(ACTIONS))  # a truth value for each action, by comparison
PLAYS = EACH < PLAY_BOTH
BOTH, EATS, KEEPS = EACH == PLAY_BOTH, EACH == EAT, EACH == KEEP
FLIPS, SWAPS = (EACH >= FLIP) & (EACH < EAT), (EACH >= SWAP) & (EACH < KEEP)
CARD = np.where(PLAYS, UNSHUFFLED[np.clip(EACH - PLAY, 0, len(UNSHUFFLED) - 1)], NOBODY)  # played
COUNT = np.where(PLAYS, 1 + EACH - PLAY - FIRST_PLACE[CARD], 0)  # how many of it
JOKERS = {"a zero": CARD == ZERO, "a half": CARD == HALF, "a ghost": CARD == GHOST}
ANY_JOKER = PLAYS & np.isin(CARD, (ZERO, HALF, GHOST))
NUMBERS = PLAYS & ~ANY_JOKER
VALUES = range(NO_POT, MOST_VALUE + 1)
CATCHES = np.array([policeman(value) for value in VALUES])
# The pot's value after a card from the hand or the table, by that before.
AFTER = np.array(
    [
        [
            min(value_with(value, CARD[one], COUNT[one]), MOST_VALUE) if PLAYS[one] else value
            for one in EACH
        ]
        for value in VALUES
    ]
)
AFTER[:, BOTH] = EIGHT_AND_A_HALF
SIZES = {"1 to 3 cards": (1, 3), "4 to 7": (4, 7), "8 to 14": (8, 14), "15 or more": (15, 99)}
KINDS = {
    **{"a number up to 4": (1, 2, 3, 4), "a 5": (5,), "6 to 8": (6, 7, 8), "a 9": (NINE,)},
    **{"a zero": (ZERO,), "a half": (HALF,), "a ghost": (GHOST,)},
}


def catching(d: Any) -> Any:
    """Catches a player where it has the policeman and another card that fits, by the pot"""
    police = CATCHES[d.s["value"] - NO_POT]
    catches = PLAYS[d.legal] & (CARD[d.legal] == police[d.of])
    asked = (police != NOBODY) & d.any(catches) & d.any(~catches)
    did, size = d.did(PLAYS) & (CARD[d.action] == police), d.s["pot_size"]
    return d.by(SIZES, size, asked, did)


def daring(d: Any) -> Any:
    """Leaves the pot on a half number, where it could leave it on a whole one, by the pot"""
    legal_half, did_half = _to_half(d, d.legal, d.of), _to_half(d, d.action, np.arange(len(d)))
    known = PLAYS | BOTH
    asked = d.any(known[d.legal] & legal_half) & d.any(known[d.legal] & ~legal_half)
    pots = {"an empty one": (0, 0), **SIZES}
    return d.by(pots, d.s["pot_size"], asked, d.did(known) & did_half)


def _to_half(d: Any, actions: Any, of: Any) -> Any:
    """Whether a policeman might follow on what a card leaves."""
    return CATCHES[AFTER[d.s["value"][of] - NO_POT, actions] - NO_POT] != NOBODY


def joking(d: Any) -> Any:
    """Plays a joker where a number fits, too"""
    asked = d.may(NUMBERS) & (d.s["value"] != NO_POT)
    return {name: (asked & d.may(some), d.did(some)) for name, some in JOKERS.items()} | {
        "any joker, the bank is not empty yet": (
            asked & d.may(ANY_JOKER) & (d.own("bank_sizes") > 0),
            d.did(ANY_JOKER),
        ),
        "any joker, the bank is empty": (
            asked & d.may(ANY_JOKER) & (d.own("bank_sizes") == 0),
            d.did(ANY_JOKER),
        ),
    }


def opening(d: Any) -> Any:
    """Opens a pot with such a card, where it has one and another, too"""
    asked = (d.s["value"] == NO_POT) & (d.s["pot_size"] == 0)
    return {
        label: (asked & d.may(some) & d.any(~some[d.legal] & PLAYS[d.legal]), d.did(some))
        for label, some in _kinds(CARD).items()
    }


def going_down(d: Any) -> Any:
    """Plays the lowest number that fits, where several do"""
    number = np.where(NUMBERS[d.legal], CARD[d.legal], len(CARDS))
    lowest = np.full(len(d), len(CARDS))
    np.minimum.at(lowest, d.of, number)
    asked = d.any(NUMBERS[d.legal] & (CARD[d.legal] > lowest[d.of])) & d.did(NUMBERS)
    did, empty = CARD[d.action] == lowest, d.s["value"] == NO_POT
    return {"on an empty pot": (asked & empty, did), "on another": (asked & ~empty, did)}


def doubling(d: Any) -> Any:
    """Plays several equal cards at once, where it may"""
    several = COUNT > 1
    return {
        "numbers": (d.may(NUMBERS & several) & d.did(NUMBERS), d.did(several)),
        "jokers": (d.may(ANY_JOKER & several) & d.did(ANY_JOKER), d.did(several)),
        "8 and half together": (d.may(BOTH), d.did(BOTH)),
    }


def flipping(d: Any) -> Any:
    """Points of the round of a player who flips a blind card, by how many he has left"""
    left = (d.own("blind") != EMPTY).sum(axis=1)
    return {
        f"{n} blind card{'s' if n > 1 else ''}": (d.did(FLIPS) & (left == n), d.points)
        for n in range(SLOTS, 0, -1)
    }


def exchanging(d: Any) -> Any:
    """Exchanges an open card with the big loser before a round"""
    asked, did = d.may(KEEPS), d.did(SWAPS)
    rows, swap = np.arange(len(d)), np.clip(d.action - SWAP, 0, SLOTS * SLOTS - 1)
    mine = d.own("open")[rows, swap // SLOTS]
    theirs = d.of_seat("open", np.maximum(d.s["loser"], 0))[rows, swap % SLOTS]
    return {
        "exchanges one": (asked, did),
        **{f"gives {label}": (did, some) for label, some in _kinds(mine).items()},
        **{f"gets {label}": (did, some) for label, some in _kinds(theirs).items()},
    }


def _kinds(card: Any) -> dict[str, Any]:
    return {label: np.isin(card, some) for label, some in KINDS.items()}


def eating(d: Any) -> Any:
    """Eats the pot, for want of a card that fits"""
    asked = d.did(PLAYS | BOTH | EATS) & (d.s["value"] != NO_POT)
    table = d.own("bank_sizes") == 0
    return {
        "while the bank lasts": (asked & ~table, d.did(EATS)),
        "afterwards": (asked & table, d.did(EATS)),
    }


QUESTIONS = (
    *(catching, daring, joking, opening, going_down, doubling),
    *(eating, flipping, exchanging),
)
