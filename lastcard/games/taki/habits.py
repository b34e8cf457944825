"""What bots do in TAKI: see `lastcard habits`."""

from __future__ import annotations

from typing import Any

import numpy as np

from lastcard.kernel import NOBODY

from .components import (
    ACCEPT,
    ACTIONS,
    BREAK,
    CHANGE,
    CLOSE,
    COLOURED,
    CRAZY,
    DRAW,
    LEAVE,
    N_COLOURS,
    N_NUMBERS,
    N_SHAPES,
    PLAY,
    PLAY_CHANGE,
    PLAY_CRAZY,
    PLAY_SUPER,
    PLUS,
    REVERSE,
    STOP,
    SUPER,
    TAKI,
    THREE,
    TWO_PLUS,
    WINNER_POINTS,
)

EACH = np.arange(len(ACTIONS))  # a truth value for each action, by comparison
PLAYS, DRAWS = EACH < DRAW, EACH == DRAW
CLOSES, LEAVES = EACH == CLOSE, EACH == LEAVE
BREAKS = (EACH >= BREAK) & (EACH < ACCEPT)
OF_COLOUR = EACH < PLAY + COLOURED
SHAPE, COLOUR = (EACH - PLAY) % N_SHAPES, (EACH - PLAY) // N_SHAPES  # of the plays of a colour
NUMBERS = OF_COLOUR & (SHAPE < N_NUMBERS)
COMMANDS = {
    "2+": OF_COLOUR & (SHAPE == TWO_PLUS),
    "stop": OF_COLOUR & (SHAPE == STOP),
    "reverse": OF_COLOUR & (SHAPE == REVERSE),
    "plus": OF_COLOUR & (SHAPE == PLUS),
    "TAKI": OF_COLOUR & (SHAPE == TAKI),
    "Super TAKI": (EACH >= PLAY_SUPER) & (EACH < PLAY_CRAZY),
    "change colour": (EACH >= PLAY_CHANGE) & (EACH < PLAY_SUPER),
    "crazy": (EACH >= PLAY_CRAZY) & (EACH < DRAW),
}
OPENS, TWOS, THREES = COMMANDS["TAKI"], COMMANDS["2+"], OF_COLOUR & (SHAPE == THREE)
FOLLOWING = {"no other card": (0, 0), "1": (1, 1), "2": (2, 2), "3": (3, 3), "4 or more": (4, 99)}


def opening(d: Any) -> Any:
    """Opens a TAKI where a number fits, too, by the other cards it has of that colour"""
    asked = _outside(d) & d.may(OPENS) & d.may(NUMBERS)
    of_colour = _by_colour(d)[d.of, np.clip(COLOUR[d.legal], 0, N_COLOURS - 1)] - 1
    most = np.zeros(len(d), int)
    np.maximum.at(most, d.of, np.where(OPENS[d.legal], of_colour, 0))
    return d.by(FOLLOWING, most, asked, d.did(OPENS))


def opening_super(d: Any) -> Any:
    """Opens a Super TAKI where another card fits, too, by the most cards it has of one colour"""
    asked = _outside(d) & d.may(COMMANDS["Super TAKI"]) & d.may(OF_COLOUR)
    most = _by_colour(d).max(axis=1)
    return d.by(FOLLOWING, most, asked, d.did(COMMANDS["Super TAKI"]))


def running(d: Any) -> Any:
    """Cards in a run, the one that begins it included"""
    inside = (d.s["run"] != 0) & (d.s["turn"] == d.seat)
    alike = (d.match[1:] == d.match[:-1]) & (d.seat[1:] == d.seat[:-1])
    goes_on = np.r_[False, inside[1:] & inside[:-1] & alike]
    begins, ends = inside & ~goes_on, inside & ~np.r_[goes_on[1:], False]
    laid = np.cumsum(d.did(PLAYS) & inside)
    before = np.where(begins, laid - (d.did(PLAYS) & inside), 0)
    length = 1 + laid - np.maximum.accumulate(before)
    return {
        "on the average": (ends, length),
        "a single card": (ends, length == 1),
        "2 or 3": (ends, (length >= 2) & (length <= 3)),
        "4 or more": (ends, length >= 4),
    }


def stopping(d: Any) -> Any:
    """What it does in a run"""
    inside, more = d.s["run"] != 0, d.may(PLAYS)
    return {
        "lays another card, where one fits": (inside & more, d.did(PLAYS)),
        "leaves it open, where it could close it": (
            inside & d.may(CLOSES) & d.did(CLOSES | LEAVES),
            d.did(LEAVES),
        ),
    }


def keeping(d: Any) -> Any:
    """Plays a command where a number fits, too, by the kind"""
    asked = _outside(d) & d.may(NUMBERS)
    return {name: (asked & d.may(some), d.did(some)) for name, some in COMMANDS.items()}


def hurting(d: Any) -> Any:
    """The same where the next player has one or two cards"""
    asked = _outside(d) & d.may(NUMBERS) & (_next_size(d) <= 2)
    return {name: (asked & d.may(some), d.did(some)) for name, some in COMMANDS.items()}


def naming(d: Any) -> Any:
    """Names the colour of which it has most, with a change colour or a Super TAKI"""
    most, rows = _by_colour(d), np.arange(len(d))
    found = {}
    for name, first in (("change colour", PLAY_CHANGE), ("Super TAKI", PLAY_SUPER)):
        did = d.did(COMMANDS[name])
        named = np.where(did, d.action - first, 0)
        found[name] = (did, most[rows, named] == most.max(axis=1))
    return found


def answering(d: Any) -> Any:
    """Answers a 2+ with one of its own, where it has one, by the cards it would draw"""
    debt, asked = d.s["debt"], d.may(TWOS) & d.may(DRAWS)
    return {
        "2 cards": (asked & (debt == 2), d.did(TWOS)),
        "4 or more": (asked & (debt >= 4), d.did(TWOS)),
    }


def attacking(d: Any) -> Any:
    """Uses a plus and a 3 of one colour"""
    ready = (d.s["plus"] != 0) & (d.s["open"] == NOBODY) & d.may(THREES)
    own = OF_COLOUR & (SHAPE == THREE)
    lead = COLOUR[d.legal] == d.s["lead_colour"][d.of]
    ready &= d.any(own[d.legal] & lead)
    did = d.did(own) & (COLOUR[d.action] == d.s["lead_colour"])
    return {
        "plays a +3 after its plus": (ready, did),
        "breaks a +3": (d.may(BREAKS), d.did(BREAKS)),
    }


def worth(d: Any) -> Any:
    """Wins the round, by what is in the hand at the first turn"""
    hands, won = d.own("hands"), d.points == WINNER_POINTS
    takis = hands[:, TAKI:COLOURED:N_SHAPES].sum(axis=1)
    held = {
        "no TAKI": takis == 0,
        "1 TAKI": takis == 1,
        "2 or more": takis > 1,
        "a Super TAKI": hands[:, SUPER] > 0,
        "a change colour": hands[:, CHANGE] > 0,
        "a crazy": hands[:, CRAZY] > 0,
        **{
            f"a {name}": hands[:, shape:COLOURED:N_SHAPES].sum(axis=1) > 0
            for name, shape in (("2+", TWO_PLUS), ("stop", STOP), ("plus", PLUS))
        },
        "4 or more of one colour": _by_colour(d).max(axis=1) >= 4,
    }
    return {"anything": (d.first, won)} | {
        label: (d.first & some, won) for label, some in held.items()
    }


def _outside(d: Any) -> Any:
    """In a turn of its own, outside of a run, with nothing to answer."""
    return (d.s["run"] == 0) & (d.s["debt"] == 0) & (d.s["turn"] == d.seat)


def _by_colour(d: Any) -> Any:
    """How many cards of each colour a seat holds."""
    hands = d.own("hands")[:, :COLOURED].reshape(-1, N_COLOURS, N_SHAPES)
    return hands.sum(axis=2)


def _next_size(d: Any) -> Any:
    """Cards of the next player in the direction of play."""
    return d.of_seat("sizes", (d.seat + d.s["direction"]) % d.s["players"])


QUESTIONS = (
    *(opening, opening_super, running, stopping, keeping, hurting),
    *(naming, answering, attacking, worth),
)
