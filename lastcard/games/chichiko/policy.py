"""Puts tiles that keep its own options open and the next player's few; super tiles in time."""

from __future__ import annotations

from math import sqrt
from typing import Any

from lastcard.kernel import NOBODY, Record, Rng, beside, lowest, rule, wide

from .chain import ends_of, give, is_super_tile, lay, open_end, remove
from .components import (
    BLITZ,
    DRAW,
    FACE,
    FITS,
    N_DOUBLES,
    N_TILES,
    N_WAYS,
    NO_EFFECT,
    PER_WORD,
    POINTS,
    PUT,
    REVERSE,
    ROUNDS,
    SAUSAGE,
    SET_WORDS,
    SUPER_POINTS,
    TAKES,
    TILE_OF,
    WAY_OF,
)
from .knowledge import open_ends
from .odds import chance_of_nothing, how_many_of, tiles_at, unseen_tiles, without
from .rules import effect_of, may_go_on

TREE_UP_TO = 0  # players with whom search plays by a tree; with more, by this policy

# What it likes, in points; tuned by playing variants against each other.
HURRY = 1.0  # per point shed, divided by the tiles in the smallest other hand
CHOICE = 0.15  # per tile that it could put next, in a sausage
STUCK = -2.0  # if it could put no tile next
BLOCKED = 3.0  # if the next player can put nothing
MISSES = 2.0  # if the next player misses a turn
PER_TILE = 0.5  # per tile that the next player takes
BACK = -0.5  # if the direction changes
LAST = 3.0  # factor on harm to the next player if they have one tile left
DOUBLE = 0.5  # for a double, which fits less often
ON = 8.0  # per tile that can follow in the same turn
OUT = 1000.0  # for going out
AHEAD = 3  # tiles of the same turn to look ahead

# A step of the way ahead in bits: what the end showed, how long it was, and what was put there.
SHOWN_BITS, LENGTH_BITS, ACTION_BITS = 8, 8, 12
STEP_BITS = SHOWN_BITS + LENGTH_BITS + ACTION_BITS


@rule
def choose(s: Record, seat: int, legal: Any, n: int, rng: Rng) -> int:
    if seat != s.turn:
        # Out of turn only to go out.
        return wide(legal[0]) if s.sizes[seat] == 1 and s.stock_size == 0 else NOBODY
    if legal[0] == FACE:
        return FACE
    best, best_liking = wide(legal[n - 1]), -1e9  # with nothing to put: draw, or pass
    low, high = unseen_tiles(s)
    for i in range(n):
        action = wide(legal[i])
        if action < DRAW:
            liking = _liking(s, seat, action, low, high)
            if liking > best_liking:
                best, best_liking = action, liking
    return best


@rule
def _liking(s: Record, seat: int, action: int, low: int, high: int) -> float:
    if s.sizes[seat] == 1:
        return OUT
    tile = TILE_OF[WAY_OF[action]]
    ends, follow = _after(s, seat, action)
    if follow == s.sizes[seat] - 1:
        return OUT
    worth = SUPER_POINTS if is_super_tile(tile) else POINTS
    liking = HURRY * worth / _fewest(s, seat)
    if tile < N_DOUBLES:
        liking += DOUBLE
    low_at, high_at = tiles_at(ends)
    low_at, high_at = without(low_at, high_at, tile)
    choice = how_many_of(s, seat, low_at, high_at)
    if choice == 0:
        liking += STUCK
    elif s.options[SAUSAGE]:
        liking += CHOICE * choice
    if follow > 0:
        return liking + ON * follow
    effect = effect_of(action)
    direction = wide(s.direction)
    if effect == REVERSE:
        direction = -direction
        liking += BACK
    following = beside(seat, direction, s.players)
    if effect == NO_EFFECT or effect == REVERSE:
        harm = BLOCKED * chance_of_nothing(s, following, ends, low, high)
    else:
        harm = MISSES + PER_TILE * min(TAKES[effect], s.stock_size)
    return liking + (LAST * harm if s.sizes[following] == 1 else harm)


@rule
def _after(s: Record, seat: int, action: int) -> tuple[int, int]:
    """The open ends after a tile is put, as bits, and with blitz how many tiles can follow in the
    same turn. The record is restored."""
    e0, e1, e2, e3 = s.ends[0], s.ends[1], s.ends[2], s.ends[3]
    l0, l1, l2, l3 = s.lengths[0], s.lengths[1], s.lengths[2], s.lengths[3]
    tile = TILE_OF[WAY_OF[action]]
    lay(s, action)
    remove(s, seat, tile)
    ends = open_ends(s)
    goes_on = s.options[BLITZ] and may_go_on(s, action)
    follow = _follow(s, seat, AHEAD) if goes_on else 0
    s.laid_size -= 1
    s.laid[s.laid_size] = 0
    give(s, seat, tile)
    s.ends[0], s.ends[1], s.ends[2], s.ends[3] = e0, e1, e2, e3
    s.lengths[0], s.lengths[1], s.lengths[2], s.lengths[3] = l0, l1, l2, l3
    return ends, follow


@rule
def _follow(s: Record, seat: int, ahead: int) -> int:
    """How many more tiles can be put in this turn, up to `ahead`, by trying all. Not recursive,
    since that does not compile for GPUs: what is to be restored waits in the bits of `way`."""
    most, depth, way, action = 0, 0, 0, PUT
    while True:
        action = _next_put(s, seat, action)
        if action != NOBODY and most < ahead:
            most = max(most, depth + 1)
            if depth + 1 < ahead and may_go_on(s, action):
                end = (action - PUT) // N_WAYS
                way = way << STEP_BITS | wide(s.ends[end]) << LENGTH_BITS + ACTION_BITS
                way |= wide(s.lengths[end]) << ACTION_BITS | action
                depth += 1
                remove(s, seat, TILE_OF[WAY_OF[action]])
                lay(s, action)
                action = PUT
            else:
                action += 1
        elif depth == 0:
            return most
        else:
            action = way & (1 << ACTION_BITS) - 1
            end = (action - PUT) // N_WAYS
            s.laid_size -= 1
            s.laid[s.laid_size] = 0
            s.lengths[end] = way >> ACTION_BITS & (1 << LENGTH_BITS) - 1
            s.ends[end] = way >> LENGTH_BITS + ACTION_BITS & (1 << SHOWN_BITS) - 1
            give(s, seat, TILE_OF[WAY_OF[action]])
            way >>= STEP_BITS
            depth -= 1
            action += 1


@rule
def _next_put(s: Record, seat: int, action: int) -> int:
    """The first tile put openly, from this action on, that fits; NOBODY if none does."""
    first = action - PUT
    for end in range(first // N_WAYS, ends_of(s)):
        fitting = open_end(s, end)
        from_way = max(first - N_WAYS * end, 0)
        for word in range(from_way // PER_WORD, SET_WORDS):
            ways = s.hands[seat, word] & FITS[fitting, word]
            ways &= -1 << max(from_way - PER_WORD * word, 0)
            if ways:
                return PUT + N_WAYS * end + PER_WORD * word + lowest(ways)
    return NOBODY


@rule
def _fewest(s: Record, seat: int) -> int:
    """The size of the smallest other hand."""
    fewest = N_TILES
    for other in range(s.players):
        if other != seat:
            fewest = min(fewest, wide(s.sizes[other]))
    return fewest


@rule
def luck(s: Record) -> float:
    """How far luck drives scores apart in the rounds to come."""
    return 3.9 * sqrt(s.options[ROUNDS] - s.round_number + 1)
