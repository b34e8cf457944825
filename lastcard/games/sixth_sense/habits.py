"""What bots do in Sixth Sense: see `lastcard habits`."""

from __future__ import annotations

from typing import Any

import numpy as np

from .components import (
    ACTIONS,
    BEGINNER,
    BEGINNER_POINTS,
    BLOCK,
    CARD_OF,
    KINDS,
    N_COLOURS,
    NO_CARD,
    NUMBER_OF,
    NUMBERS,
    PEEK,
    PER_COLOUR,
    PLAY,
    PREDICT,
    SIX,
    SPLIT,
    WHOLE,
)
from .rules import difference_of

EACH = np.arange(len(ACTIONS))  # a truth value for each action, by comparison
PREDICTS, BLOCKS = EACH < PLAY, (EACH >= BLOCK) & (EACH < SPLIT)
PLAYS = (EACH >= PLAY) & (EACH < BLOCK)
SPLITS, LEAVES = EACH == SPLIT, EACH == WHOLE
NUMBER = np.where(PREDICTS, NUMBER_OF[np.clip(EACH - PREDICT, 0, KINDS - 1)], -1)  # predicted
CARD = np.where(PLAYS, CARD_OF[np.clip(EACH - PLAY, 0, len(CARD_OF) - 1)], -1)  # played
PEEKS = PLAYS & (NUMBER_OF[CARD] == PEEK)
HIGH = sum(1 << NUMBERS.index(number) for number in NUMBERS[-3:])  # in each colour

PREDICTIONS = {
    **{f"{number}": (number,) for number in range(SIX)},
    "6 or 9": (SIX,),
    "7 or 8": (7, 8),
    "10 or more": tuple(NUMBERS[NUMBERS.index(10) :]),
}
STRENGTHS = {
    "up to 2": (0, 2),
    "3 or 4": (3, 4),
    "5 or 6": (5, 6),
    "7 or 8": (7, 8),
    "more": (9, 15),
}
SIZES = {"2 to 5 cards": (2, 5), "6 to 10": (6, 10), "11 or more": (11, 15)}


def predicting(d: Any) -> Any:
    """Predicts"""
    asked, number = d.did(PREDICTS), NUMBER[d.action]
    return {label: (asked, np.isin(number, some)) for label, some in PREDICTIONS.items()}


def meeting(d: Any) -> Any:
    """Meets its prediction"""
    asked, number, met = d.did(PREDICTS), NUMBER[d.action], _met(d)
    return {
        "whatever it is": (asked, met),
        **{label: (asked & np.isin(number, some), met) for label, some in PREDICTIONS.items()},
    }


def earning(d: Any) -> Any:
    """Points that a round brings, by the prediction"""
    asked, number = d.did(PREDICTS), NUMBER[d.action]
    return {
        "whatever it is": (asked, d.points),
        **{label: (asked & np.isin(number, some), d.points) for label, some in PREDICTIONS.items()},
    }


def reckoning(d: Any) -> Any:
    """The number predicted, by how many trumps, and how many 12s, 13s and 14s of other colours, are
    in the hand"""
    asked, number, strong = d.did(PREDICTS), NUMBER[d.action], _strong(d)
    return d.by(STRENGTHS, strong, asked, number)


def giving(d: Any) -> Any:
    """Predicts with a trump, where it has that number in another colour, too"""
    asked, trump = d.did(PREDICTS), d.s["trump"].astype(np.int64)
    places = np.clip(d.action, 0, KINDS - 1) % PER_COLOUR
    hands = d.own("hands").astype(np.int64) >> places[:, None] & 1
    rows = np.arange(len(d))
    both = (trump >= 0) & (hands[rows, trump] == 1) & (hands.sum(axis=1) > 1)
    is_trump = d.action // PER_COLOUR == trump
    number = NUMBER[d.action]
    return {
        "a low number, up to 3": (asked & both & (number <= 3), is_trump),
        "4 or more": (asked & both & (number > 3), is_trump),
    }


def blocking(d: Any) -> Any:
    """Blocks where it may, by the tricks that its prediction lacks"""
    return {label: (d.may(BLOCKS) & some, d.did(BLOCKS)) for label, some in _lacking(d).items()}


def splitting(d: Any) -> Any:
    """Makes two tricks of one with a 12, by the tricks that its prediction lacks"""
    return {label: (d.may(SPLITS) & some, d.did(SPLITS)) for label, some in _lacking(d).items()}


def peeking(d: Any) -> Any:
    """Leads with an 8 where it has one, by the cards in its hand"""
    sizes = d.own("sizes")
    asked = d.may(PEEKS) & (d.s["trick_size"] == 0)
    return d.by(SIZES, sizes, asked, d.did(PEEKS))


def hoping(d: Any) -> Any:
    """Meets its prediction, by the tricks that it lacks when five cards are left in the hand"""
    asked = (d.own("sizes") == 5) & (d.did(PLAYS) | d.did(BLOCKS))
    return {label: (asked & some, _met(d)) for label, some in _lacking(d).items()}


def _met(d: Any) -> Any:
    """Whoever misses has less than this."""
    return d.points >= np.where(d.s["options"][:, BEGINNER], BEGINNER_POINTS[0], 0)


def _strong(d: Any) -> Any:
    hands, trump = d.own("hands").astype(np.int64), d.s["trump"].astype(np.int64)
    colours = np.arange(N_COLOURS)[None, :]
    cards = np.where(colours == trump[:, None], hands, hands & HIGH)
    return sum((cards >> place & 1).sum(axis=1) for place in range(PER_COLOUR))


def _lacking(d: Any) -> dict[str, Any]:
    """How many tricks a seat still needs, or has too many; of a 6, up to the nearer of 6 and 9."""
    laid = d.own("predictions")
    known = (laid >= 0) & (laid < NO_CARD)
    off = d.each(difference_of, known)
    wanted, tricks = NUMBER_OF[np.where(known, laid, 0)], d.own("tricks")
    short = known & (off > 0) & (tricks < wanted)
    return {
        "none": known & (off == 0),
        "one": short & (off == 1),
        "two": short & (off == 2),
        "three or more": short & (off > 2),
        "it has too many": known & (off > 0) & ~short,
    }


QUESTIONS = (
    *(predicting, meeting, earning, reckoning, giving),
    *(hoping, blocking, splitting, peeking),
)
