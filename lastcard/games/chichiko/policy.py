"""Puts tiles that keep its own options open and the next player's few; super tiles in time."""

from __future__ import annotations

from math import sqrt
from typing import Any

from lastcard.kernel import NOBODY, Record, Rng, beside, lowest, popcount, rule, wide
from lastcard.kernel.floats import power

from .chain import ends_of, give, is_super_tile, lay, open_end, remove, tile_laid
from .components import (
    BIT_OF,
    BLITZ,
    DRAW,
    FACE,
    FITS,
    KINDS_REMEMBERED,
    N_DOUBLES,
    N_TILES,
    N_WAYS,
    NO_EFFECT,
    OPEN,
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
    WORD_OF,
)
from .knowledge import COUNTED_FROM, TILES_AT, WHAT, open_ends
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
    low, high = _unseen(s)
    for i in range(n):
        action = wide(legal[i])
        if action < DRAW:
            liking = _liking(s, seat, action, low, high)
            if liking > best_liking:
                best, best_liking = action, liking
    return best


# Sets of tiles are two words, low and high, as in hands.


@rule
def _unseen(s: Record) -> tuple[int, int]:
    """The tiles that are neither in the chain nor in a visible hand."""
    low = (1 << min(N_TILES, PER_WORD)) - 1
    high = (1 << max(N_TILES - PER_WORD, 0)) - 1
    for other in range(s.players):
        low &= ~s.hands[other, 0]
        high &= ~s.hands[other, 1]
    for i in range(s.laid_size):
        low, high = _without(low, high, tile_laid(s, i))
    return low, high


@rule
def _without(low: int, high: int, tile: int) -> tuple[int, int]:
    if WORD_OF[tile] == 0:
        return low & ~BIT_OF[tile], high
    return low, high & ~BIT_OF[tile]


@rule
def _tiles_at(ends: int) -> tuple[int, int]:
    """The tiles that fit any of some ends."""
    low = high = 0
    while ends:
        end = lowest(ends)
        ends &= ends - 1
        low |= TILES_AT[end, 0]
        high |= TILES_AT[end, 1]
    return low, high


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
    low_at, high_at = _tiles_at(ends)
    low_at, high_at = _without(low_at, high_at, tile)
    choice = _choice(s, seat, low_at, high_at)
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
        harm = BLOCKED * _chance_of_nothing(s, following, ends, low, high)
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
def _choice(s: Record, seat: int, low: int, high: int) -> int:
    """How many tiles of a set are in a hand."""
    return popcount(s.hands[seat, 0] & low) + popcount(s.hands[seat, 1] & high)


@rule
def _fewest(s: Record, seat: int) -> int:
    """The size of the smallest other hand."""
    fewest = N_TILES
    for other in range(s.players):
        if other != seat:
            fewest = min(fewest, wide(s.sizes[other]))
    return fewest


@rule
def _chance_of_nothing(s: Record, other: int, ends: int, low: int, high: int) -> float:
    """How likely another player fits none of these ends, by what is known of their hand."""
    low_at, high_at = _tiles_at(ends)
    if s.options[OPEN]:
        return 0.0 if _choice(s, other, low_at, high_at) else 1.0
    chance = 1.0
    rest = wide(s.sizes[other])
    for i in range(KINDS_REMEMBERED):
        kind = wide(s.memory[other, i])
        tiles = kind >> COUNTED_FROM
        if tiles:
            low_not, high_not = _tiles_at(kind & WHAT)
            fits_none = _none_at(low & ~low_not, high & ~high_not, low_at, high_at)
            chance *= power(fits_none, tiles)
            rest -= tiles
    return chance * power(_none_at(low, high, low_at, high_at), rest)


@rule
def _none_at(low: int, high: int, low_at: int, high_at: int) -> float:
    """How likely a tile of one set is not in another set."""
    count = popcount(low) + popcount(high)
    fitting = popcount(low & low_at) + popcount(high & high_at)
    return 1 - fitting / max(count, 1)


@rule
def luck(s: Record) -> float:
    """How far luck drives scores apart in the rounds to come."""
    return 3.9 * sqrt(s.options[ROUNDS] - s.round_number + 1)
