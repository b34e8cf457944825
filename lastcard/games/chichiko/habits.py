"""What bots do in Chi-Chi-Ko: see `lastcard habits`."""

from __future__ import annotations

from typing import Any

import numpy as np

from .components import (
    ACROSS,
    ACTIONS,
    BIT_OF,
    CLOSE,
    DOUBLES,
    DRAW,
    EFFECT_OF,
    END_OF,
    FITS,
    HALVES,
    N_DOUBLES,
    N_HALVES,
    N_WAYS,
    NO_EFFECT,
    ORDINARY,
    PLUS_FOUR,
    PLUS_TWO,
    PUT,
    REVERSE,
    SHOWS,
    SKIP,
    SPECIAL,
    START,
    SUPERS,
    TILE_OF,
    TOUCHES,
    WAY_OF,
    WAYS_WITH,
    WORD_OF,
)

EACH = np.arange(len(ACTIONS))  # a truth value for each action, by comparison
STARTS, PUTS = (EACH >= START) & (EACH < PUT), (EACH >= PUT) & (EACH < ACROSS)
PLAIN, DRAWS = (EACH >= PUT) & (EACH < CLOSE), EACH == DRAW
WAY = WAY_OF[np.minimum(EACH, len(WAY_OF) - 1)].astype(int)  # of the actions that put a tile
END = END_OF[np.minimum(EACH, len(END_OF) - 1)].astype(int)
TILE, TOUCH, SHOW = TILE_OF[WAY].astype(int), TOUCHES[WAY].astype(int), SHOWS[WAY].astype(int)


def _in(tiles: Any) -> Any:
    """The actions that put one of some tiles."""
    return PUTS & (tiles[WORD_OF[TILE]] & BIT_OF[TILE] != 0)


PUTS_DOUBLE, PUTS_SUPER = PUTS & (TILE < N_DOUBLES), _in(SUPERS)
EFFECT = np.where(PUTS, EFFECT_OF[SHOW], NO_EFFECT)
EFFECTS = {
    name: np.equal(EFFECT, one)
    for name, one in (("+2", PLUS_TWO), ("+4", PLUS_FOUR), ("reverse", REVERSE), ("skip", SKIP))
}
NAMES = {"k": "rock", "s": "scissors", "p": "paper", "n": "snake", "c": "crook"}
PICTURE = np.array([half[1:] for half in HALVES])
SIZES = {"1 or 2 tiles": (1, 2), "3 or 4": (3, 4), "5 or more": (5, 99)}
IS_SPECIAL = np.array([*(half[1:] in SPECIAL for half in HALVES), False, False])  # by the end
# In what manner a tile is put, in words.
MANNERS = ("at a special picture", "a super tile", "the same picture", "one that beats it")


def starting(d: Any) -> Any:
    """Starts with a double of that picture, where it has such a double and another"""
    found = {}
    for picture in ORDINARY:
        some = STARTS & (PICTURE[SHOW] == picture)
        asked = d.may(some) & d.any((STARTS & ~some)[d.legal])
        found[NAMES[picture]] = (asked, d.did(some))
    return found


def joining(d: Any) -> Any:
    """Puts a tile in that manner, where it has another, too"""
    legal = _manner(d, d.legal, d.of)
    did = _manner(d, d.action, np.arange(len(d)))
    asked, puts = d.did(PUTS), PUTS[d.legal]
    return {
        name: (asked & d.any(puts & (legal == n)) & d.any(puts & (legal != n)), did == n)
        for n, name in enumerate(MANNERS)
    }


def _manner(d: Any, actions: Any, of: Any) -> Any:
    """Which of MANNERS it is: what is no super tile, and shows another picture, beats the end."""
    ends = d.s["ends"][of, END[actions]].astype(int)
    same = PICTURE[TOUCH[actions]] == PICTURE[np.minimum(ends, N_HALVES - 1)]
    return np.select([IS_SPECIAL[ends], PUTS_SUPER[actions], same], [0, 1, 2], 3)


def doubling(d: Any) -> Any:
    """Puts a double, where it could put another tile, by its own tiles"""
    asked = d.may(PUTS_DOUBLE) & d.may(PUTS & ~PUTS_DOUBLE)
    return d.by(SIZES, d.own("sizes"), asked, d.did(PUTS_DOUBLE))


def spending(d: Any) -> Any:
    """Puts a super tile, where it could put an ordinary one, by its own tiles"""
    asked = d.may(PUTS_SUPER) & d.may(PUTS & ~PUTS_SUPER)
    return d.by(SIZES, d.own("sizes"), asked, d.did(PUTS_SUPER))


def striking(d: Any) -> Any:
    """Has the event of a super tile happen, where it could put something else"""
    asked = d.did(PUTS)
    return {
        name: (asked & d.may(some) & d.may(~some), d.did(some)) for name, some in EFFECTS.items()
    }


def striking_late(d: Any) -> Any:
    """The same where the next player has one or two tiles"""
    size = d.of_seat("sizes", (d.seat + d.s["direction"]) % d.s["players"])
    return {name: (asked & (size <= 2), did) for name, (asked, did) in striking(d).items()}


def turning(d: Any) -> Any:
    """Lets the ordinary half of a super tile be the end, where it could have the event"""
    both = d.any((EFFECT != NO_EFFECT)[d.legal]) & d.did(PUTS_SUPER)
    quiet = PUTS_SUPER & (EFFECT == NO_EFFECT)
    return {"of those it puts": (both & d.any(quiet[d.legal]), d.did(quiet))}


def planning(d: Any) -> Any:
    """Leaves an end that another of its own tiles would fit"""
    asked = d.did(PUTS) & (d.choices > 1) & (d.own("sizes") > 1)
    legal = _follows(d, d.legal, d.of) & PUTS[d.legal]
    differs = asked & d.any(legal) & d.any(~legal & PUTS[d.legal])
    chosen = _follows(d, d.action, np.arange(len(d)))
    return {
        "where it has the choice": (differs, chosen),
        "by lot, in %": (differs, 100 * d.mean(legal)),
    }


def _follows(d: Any, actions: Any, of: Any) -> Any:
    """Whether a seat holds a tile that fits the new end, besides the one that makes it."""
    left = d.own("hands")[of] & ~WAYS_WITH[TILE[actions]]
    return (left & FITS[SHOW[actions]]).any(axis=1)


def drawing(d: Any) -> Any:
    """Has to draw, by its own tiles"""
    return d.by(SIZES, d.own("sizes"), d.did(PUTS | DRAWS), d.did(DRAWS))


def worth(d: Any) -> Any:
    """Points that a round brings (low ones win), by the hand at the first turn"""
    hands = d.own("hands")
    doubles, supers = _tiles(hands, DOUBLES), _tiles(hands, SUPERS)
    held = {
        "no double": doubles == 0,
        "1 double": doubles == 1,
        "2 or more": doubles > 1,
        "no super tile": supers == 0,
        "1 super tile": supers == 1,
        "2 or 3": (supers > 1) & (supers < 4),
        "4 or more": supers > 3,
    }
    return {"any hand": (d.first, d.points)} | {
        label: (d.first & some, d.points) for label, some in held.items()
    }


def _tiles(hands: Any, tiles: Any) -> Any:
    """How many of some tiles are in each hand; they are given by their first ways."""
    return sum(
        hands[:, WORD_OF[tile]] & BIT_OF[tile] != 0
        for tile in range(N_WAYS)
        if tile == TILE_OF[tile] and tiles[WORD_OF[tile]] & BIT_OF[tile]
    )


QUESTIONS = (
    *(starting, joining, doubling, spending, striking, striking_late),
    *(turning, planning, drawing, worth),
)
