"""The chain: its ends, what fits them, and the tiles in hands."""

from __future__ import annotations

from lastcard.kernel import Record, inlined, rule, wide

from .components import (
    ACROSS,
    BIT_OF,
    BLITZ,
    CLOSE,
    CLOSED,
    DOUBLES,
    END_OF,
    ENDS,
    FITS,
    N_WAYS,
    NO_END,
    PHONE,
    PUT,
    SAUSAGE,
    SET_WORDS,
    SHOWS,
    SUPERS,
    TILE_OF,
    TOUCHES,
    UNPLACED,
    WAY_OF,
    WAYS_WITH,
    WORD_OF,
)


@inlined
def give(s: Record, seat: int, tile: int) -> None:
    for word in range(SET_WORDS):
        s.hands[seat, word] |= WAYS_WITH[tile, word]


@inlined
def remove(s: Record, seat: int, tile: int) -> None:
    for word in range(SET_WORDS):
        s.hands[seat, word] &= ~WAYS_WITH[tile, word]


# --- The chain -----------------------------------------------------------------------------------


@rule
def started(s: Record) -> bool:
    return s.ends[0] != NO_END


@rule
def ends_of(s: Record) -> int:
    """How many ends the chain has."""
    return ENDS if s.options[PHONE] or s.options[SAUSAGE] else 2


@inlined
def open_end(s: Record, end: int) -> int:
    """What an end shows, if a tile may be put there: not at the longer of two lines."""
    return CLOSED if s.lengths[end] > s.lengths[end ^ 1] else wide(s.ends[end])


@inlined
def lay(s: Record, action: int) -> None:
    """Adds a tile to the chain: as its start, plainly, closed or across."""
    way, end = wide(WAY_OF[action]), wide(END_OF[action])
    if action < PUT:
        for one in range(ends_of(s)):
            s.ends[one] = SHOWS[way]
    elif action < CLOSE:
        s.ends[end] = SHOWS[way]
        s.lengths[end] += s.options[SAUSAGE]
    elif action < ACROSS:
        s.ends[end] = CLOSED
        # The chain does not say whether a double is closed: the end does.
        action = PUT + N_WAYS * end + way
    else:
        upper = 2 * end
        s.ends[upper] = TOUCHES[way]
        s.ends[upper + 1] = SHOWS[way]
        s.lengths[upper] += 1
        s.lengths[upper + 1] += 1
    s.laid[s.laid_size] = action
    s.laid_size += 1


@rule
def can_put(s: Record, seat: int) -> bool:
    """Whether any tile of a hand fits an end. (Across, too, only what fits the lines.)"""
    return _fits_somewhere(s, seat, seat + 1)


@rule
def _fits_somewhere(s: Record, first: int, last: int) -> bool:
    """Whether any tile of several hands, up to the last one, fits an end."""
    for word in range(SET_WORDS):
        ways = 0
        for seat in range(first, last):
            ways |= s.hands[seat, word]
        for end in range(ends_of(s)):
            if ways & FITS[open_end(s, end), word]:
                return True
    return False


@rule
def can_go_on(s: Record, seat: int) -> bool:
    """Whether a player who has begun his turn can put one more tile."""
    if s.options[BLITZ]:
        return can_put(s, seat)
    for end in range(ENDS):
        if not s.used >> end & 1:
            for word in range(SET_WORDS):
                if s.hands[seat, word] & DOUBLES[word] & FITS[s.ends[end], word]:
                    return True
    return False


@rule
def is_fish(s: Record) -> bool:
    """Nobody can put a tile and the bazaar is empty; or all ends are closed."""
    if s.stock_size == 0 and not _fits_somewhere(s, 0, s.players):
        return True
    return s.options[PHONE] != 0 and all_closed(s)


@rule
def all_closed(s: Record) -> bool:
    closed = 0
    for end in range(ENDS):
        closed += s.ends[end] == CLOSED
    return closed == ENDS


@inlined
def is_super_tile(tile: int) -> bool:
    return SUPERS[WORD_OF[tile]] & BIT_OF[tile] != 0


@inlined
def holds(s: Record, seat: int, tile: int) -> bool:
    return s.hands[seat, WORD_OF[tile]] & BIT_OF[tile] != 0


@rule
def tile_laid(s: Record, i: int) -> int:
    """A tile of the chain."""
    action = wide(s.laid[i])
    return action - UNPLACED if action >= UNPLACED else wide(TILE_OF[WAY_OF[action]])
