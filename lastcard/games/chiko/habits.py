"""What bots do in Chiko: see `lastcard habits`."""

from __future__ import annotations

from typing import Any

import numpy as np

from .components import ACTIONS, DRAW, EGG, PLAY, QUIT, RANKS
from .rules import after, points_of

EACH = np.arange(len(ACTIONS))  # a truth value for each action, by comparison
CARDS = EACH < DRAW
DRAWS, QUITS, HATCHES = EACH == DRAW, EACH == QUIT, EACH == PLAY + EGG
FITS = CARDS & ~HATCHES
NEXT = np.array([after(value) for value in range(RANKS)])

POINTS = {
    "up to 5 points": (0, 5),
    "6 to 10": (6, 10),
    "11 to 15": (11, 15),
    "16 to 20": (16, 20),
    "21 or more": (21, 99),
}
SIZES = {"1 card": (1, 1), "2 cards": (2, 2), "3 or 4": (3, 4), "5 or 6": (5, 6), "more": (7, 99)}
RANKS_HELD = {
    "up to 3 different numbers": (1, 3),
    "4 different numbers": (4, 4),
    "5 or 6 different numbers": (5, 6),
}


def quitting(d: Any) -> Any:
    """Quits instead of drawing, where no card fits, by the points in its hand"""
    asked = d.may(DRAWS) & ~d.may(CARDS)
    points = d.each(points_of, asked)
    return d.by(POINTS, points, asked, d.did(QUITS))


def hurrying(d: Any) -> Any:
    """Quits instead of drawing, where no card fits, by the fewest cards that another holds"""
    asked = d.may(DRAWS) & ~d.may(CARDS)
    fewest = _fewest(d)
    return d.by(SIZES, fewest, asked, d.did(QUITS))


def _fewest(d: Any) -> Any:
    """Of those who play on."""
    sizes = np.full(len(d), SIZES["more"][1])
    for away in range(1, d.s["hands"].shape[1]):
        seats = (d.seat + away) % d.s["players"]
        stays = (away < d.s["players"]) & (d.s["quit"] >> seats & 1 == 0)
        sizes = np.where(stays, np.minimum(sizes, d.of_seat("sizes", seats)), sizes)
    return sizes


def stopping(d: Any) -> Any:
    """Quits although a card fits, by its own cards"""
    sizes = d.own("sizes")
    return d.by(SIZES, sizes, d.may(CARDS), d.did(QUITS))


def drawing(d: Any) -> Any:
    """Draws although a card other than the egg fits, by its own cards"""
    sizes, asked = d.own("sizes"), d.may(FITS) & d.may(DRAWS)
    return d.by(SIZES, sizes, asked, d.did(DRAWS))


def alone(d: Any) -> Any:
    """Goes on although all others have quit, where a card fits, by its own cards"""
    sizes, asked = d.own("sizes"), d.may(CARDS) & (_fewest(d) == SIZES["more"][1])
    return d.by(SIZES, sizes, asked, d.did(CARDS))


def choosing(d: Any) -> Any:
    """Plays the pile's own value, where the next one fits, too"""
    top = d.s["top"]
    rows, held = np.arange(len(d)), d.own("hands")
    asked = (held[rows, top] > 0) & (held[rows, NEXT[top]] > 0)
    same = (d.action == PLAY + top) & d.did(CARDS)
    many_same, many_next = held[rows, top] > 1, held[rows, NEXT[top]] > 1
    return {
        "one card of each": (asked & ~many_same & ~many_next, same),
        "several of the pile's value": (asked & many_same & ~many_next, same),
        "several of the next": (asked & ~many_same & many_next, same),
        "several of both": (asked & many_same & many_next, same),
        "in the first turn of a round": (asked & d.first, same),
    }


def hatching(d: Any) -> Any:
    """Plays the egg"""
    egg, sizes = d.may(HATCHES), d.own("sizes")
    return {
        "where another card fits": (egg & d.may(FITS), d.did(HATCHES)),
        "where none does, with 2 cards": (egg & ~d.may(FITS) & (sizes == 2), d.did(HATCHES)),
        "with 3 or 4": (egg & ~d.may(FITS) & (sizes > 2) & (sizes < 5), d.did(HATCHES)),
        "with 5 or more": (egg & ~d.may(FITS) & (sizes > 4), d.did(HATCHES)),
    }


def worth(d: Any) -> Any:
    """Points that a round brings (low ones win), by what is held at the first turn"""
    hands = d.own("hands")
    ranks = (hands[:, :RANKS] > 0).sum(axis=1)
    return {
        "with the egg": (d.first & (hands[:, EGG] > 0), d.points),
        "without it": (d.first & (hands[:, EGG] == 0), d.points),
        **d.by(RANKS_HELD, ranks, d.first, d.points),
    }


def ending(d: Any) -> Any:
    """Points that a round brings, by how it ends for a player"""
    last, out = d.last, d.did(CARDS) & (d.own("sizes") == 1)
    has_points = d.own("scores") > 0
    return {
        "goes out, and rolls": (last & out & has_points, d.points),
        "goes out with a score of 0": (last & out & ~has_points, d.points),
        "has quit": (last & d.did(QUITS), d.points),
        "is left with cards": (last & ~out & ~d.did(QUITS), d.points),
    }


def outcomes(d: Any) -> Any:
    """How rounds end for a player"""
    last, out, quits = d.last, d.did(CARDS) & (d.own("sizes") == 1), d.did(QUITS)
    return {
        "goes out": (last, out),
        "has quit": (last, quits),
        "is left with cards": (last, ~out & ~quits),
    }


QUESTIONS = (
    *(quitting, hurrying, stopping, drawing, alone, choosing, hatching, worth, ending, outcomes),
)
