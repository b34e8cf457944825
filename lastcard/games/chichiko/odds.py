"""What is likely of tiles that nobody sees, for the policy and for learners.

Sets of tiles are two words, low and high, as in hands.
"""

from __future__ import annotations

from lastcard.kernel import Record, lowest, popcount, rule, wide
from lastcard.kernel.floats import power

from .chain import tile_laid
from .components import BIT_OF, KINDS_REMEMBERED, N_TILES, OPEN, PER_WORD, WORD_OF
from .knowledge import COUNTED_FROM, TILES_AT, WHAT


@rule
def unseen_tiles(s: Record) -> tuple[int, int]:
    """The tiles that are neither in the chain nor in a visible hand."""
    low = (1 << min(N_TILES, PER_WORD)) - 1
    high = (1 << max(N_TILES - PER_WORD, 0)) - 1
    for other in range(s.players):
        low &= ~s.hands[other, 0]
        high &= ~s.hands[other, 1]
    for i in range(s.laid_size):
        low, high = without(low, high, tile_laid(s, i))
    return low, high


@rule
def without(low: int, high: int, tile: int) -> tuple[int, int]:
    if WORD_OF[tile] == 0:
        return low & ~BIT_OF[tile], high
    return low, high & ~BIT_OF[tile]


@rule
def tiles_at(ends: int) -> tuple[int, int]:
    """The tiles that fit any of some ends."""
    low = high = 0
    while ends:
        end = lowest(ends)
        ends &= ends - 1
        low |= TILES_AT[end, 0]
        high |= TILES_AT[end, 1]
    return low, high


@rule
def how_many_of(s: Record, seat: int, low: int, high: int) -> int:
    """How many tiles of a set are in a hand."""
    return popcount(s.hands[seat, 0] & low) + popcount(s.hands[seat, 1] & high)


@rule
def chance_of_nothing(s: Record, other: int, ends: int, low: int, high: int) -> float:
    """How likely another player fits none of these ends, by what is known of their hand."""
    low_at, high_at = tiles_at(ends)
    if s.options[OPEN]:
        return 0.0 if how_many_of(s, other, low_at, high_at) else 1.0
    chance = 1.0
    rest = wide(s.sizes[other])
    for i in range(KINDS_REMEMBERED):
        kind = wide(s.memory[other, i])
        tiles = kind >> COUNTED_FROM
        if tiles:
            low_not, high_not = tiles_at(kind & WHAT)
            fits_none = _none_at(low & ~low_not, high & ~high_not, low_at, high_at)
            chance *= power(fits_none, tiles)
            rest -= tiles
    return chance * power(_none_at(low, high, low_at, high_at), max(rest, 0))


@rule
def _none_at(low: int, high: int, low_at: int, high_at: int) -> float:
    """How likely a tile of one set is not in another set."""
    count = popcount(low) + popcount(high)
    fitting = popcount(low & low_at) + popcount(high & high_at)
    return 1 - fitting / max(count, 1)
