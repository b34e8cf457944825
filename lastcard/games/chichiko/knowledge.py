"""What a seat may know of a match: the memory that `apply` keeps, `hide` and `guess`."""

from __future__ import annotations

import numpy as np

from lastcard.kernel import (
    NOBODY,
    UNKNOWN,
    Deal,
    Record,
    Rng,
    deal_out,
    deal_record,
    guess_chance,
    hide_chance,
    inlined,
    list_card,
    list_place,
    lowest,
    places_of,
    random_shuffle,
    rule,
    shuffle_order,
    wide,
)

from .chain import can_put, ends_of, give, open_end, started, tile_laid
from .components import (
    BIT_OF,
    BLITZ,
    COLOURS,
    ENDS,
    FITS,
    HALVES,
    KINDS_REMEMBERED,
    N_DOUBLES,
    N_HALVES,
    N_ORDINARY,
    N_TILES,
    OPEN,
    PER_WORD,
    SEATS,
    SET_WORDS,
    TILE_OF,
    TILES,
    WORD_OF,
    bits_of,
    fits,
)

# --- Memory --------------------------------------------------------------------------------------
#
# What everybody knows about a hand from what has happened. A player who had to draw, or passed, had
# nothing that fitted the open ends: each of those tiles is known not to fit them. So a hand falls
# into kinds of tiles, the oldest first, and each kind excludes at least what the next one does.
# Nothing is known about tiles that came later.
#
# A tile that leaves a hand may have been of any kind that does not exclude it. We take it from the
# first of these: that rules out no hand that is still possible, since each tile in between can
# stand for one of the kind after its own.
#
# A kind is one number: a bit for each half whose end its tiles do not fit, a bit for each double
# that they are not, and how many tiles there are. If there are too many kinds, the last two are
# merged, and only what is known about both is kept.

MOST_DOUBLES = len(COLOURS) * N_ORDINARY
COUNTED_FROM = N_HALVES + MOST_DOUBLES
ONE_TILE = 1 << COUNTED_FROM
WHAT = ONE_TILE - 1
ALL_DOUBLES = ((1 << N_DOUBLES) - 1) << N_HALVES
# By tile: what would exclude it. By what an end shows: the doubles that fit.
EXCLUDED_BY = np.array(
    [
        sum(1 << end for end, name in enumerate(HALVES) if any(fits(h, tile, name) for h in tile))
        | (1 << N_HALVES + n if n < N_DOUBLES else 0)
        for n, tile in enumerate(TILES)
    ],
    np.int64,
)
# By what an end shows: the tiles that fit there, as bits.
TILES_AT = np.array(
    [
        bits_of(tile for tile in range(N_TILES) if EXCLUDED_BY[tile] >> end & 1)
        for end in range(COUNTED_FROM)
    ],
    np.int64,
)
DOUBLES_AT = np.array(
    [
        sum(1 << N_HALVES + n for n in range(N_DOUBLES) if FITS[end, WORD_OF[n]] & BIT_OF[n])
        for end in range(N_HALVES + 2)
    ],
    np.int64,
)


@rule
def open_ends(s: Record) -> int:
    """What the open ends show, as bits."""
    what = 0
    for end in range(ends_of(s)):
        shown = open_end(s, end)
        if shown < N_HALVES:
            what |= 1 << shown
    return what


@inlined
def doubles_at_open_ends(s: Record) -> int:
    """The doubles that could still be put in this turn."""
    what = 0
    for end in range(ENDS):
        if not s.used >> end & 1:
            what |= DOUBLES_AT[s.ends[end]]
    return what


@rule
def remember(s: Record, seat: int, what: int) -> None:
    """Notes one more thing that no tile of a hand is. Visible hands need no memory."""
    if s.options[OPEN] or what == 0:
        return
    rest = wide(s.sizes[seat])
    n = 0
    for i in range(KINDS_REMEMBERED):
        kind = s.memory[seat, i]
        rest -= kind >> COUNTED_FROM
        s.memory[seat, i] = 0
        if kind:
            n = _add_kind(s, seat, n, kind | what)
    if rest > 0:
        _add_kind(s, seat, n, rest * ONE_TILE | what)


@rule
def _add_kind(s: Record, seat: int, n: int, kind: int) -> int:
    """The n-th kind of tiles in a hand, or more tiles of the one before."""
    if n > 0 and (n == KINDS_REMEMBERED or (s.memory[seat, n - 1] ^ kind) & WHAT == 0):
        tiles = s.memory[seat, n - 1] >> COUNTED_FROM
        s.memory[seat, n - 1] = kind + tiles * ONE_TILE
        return n
    s.memory[seat, n] = kind
    return n + 1


@rule
def forget(s: Record, seat: int, tile: int) -> None:
    """A tile leaves a hand: one less of the first kind that it may have been."""
    gone = False
    for i in range(KINDS_REMEMBERED):
        if gone:
            s.memory[seat, i - 1] = s.memory[seat, i]
            s.memory[seat, i] = 0
        elif not s.memory[seat, i] & EXCLUDED_BY[tile]:
            if s.memory[seat, i] >= 2 * ONE_TILE:
                s.memory[seat, i] -= ONE_TILE
                return
            s.memory[seat, i] = 0
            gone = True


# --- What a seat may know ------------------------------------------------------------------------


@rule
def hide(s: Record, seat: int) -> None:
    hide_chance(s)
    for i in range(s.stock_size):
        s.stock[i] = UNKNOWN
    for other in range(s.players):
        if _hidden_from(s, other, seat):
            for word in range(SET_WORDS):
                s.hands[other, word] = 0


@inlined
def _hidden_from(s: Record, other: int, seat: int) -> bool:
    """Whether a hand is hidden from the seat. Once the last round is scored all are shown."""
    return not (other == seat or s.options[OPEN] or s.over)


# --- Guessing ------------------------------------------------------------------------------------
#
# Places are the bazaar, what is out of the game, and the parts of every hidden hand: one for each
# kind of tiles that is remembered, and one for the rest.

OUTSIDE, BAZAAR = -2, -1  # as owners
NO_ONE, ANY_HAND = -2, -1  # who surely can put a tile, if not a seat
DEAL = deal_record(
    N_TILES,
    2 + SEATS * (KINDS_REMEMBERED + 1),
    of_cards=["seen", "tries"],
    of_places=["kind"],
)


@rule
def guess(s: Record, seat: int, rng: Rng, deal: Deal) -> None:
    """Deals the unseen tiles so that everything the table remembers holds."""
    guess_chance(s, rng)
    _list_unseen(s, deal)
    shuffle_order(deal, rng)
    for i in range(deal.count):
        deal.tries[i] = i
    random_shuffle(rng, deal.tries, deal.count)
    needed_by = _who_can_put(s, seat)
    # Tried at most once for each tile that a player who surely can put one may have.
    for attempt in range(deal.count + 1):
        _list_parts(s, seat, deal)
        _find_fitting(deal)
        if needed_by != NO_ONE and attempt < deal.count:
            tried = deal.tries[attempt]
            if not _could_be_put(s, deal.cards[tried]):
                continue
            deal.fits[tried] &= _parts_of(deal, needed_by)
        if deal_out(deal, rng):
            break
    s.stock_size = 0
    for i in range(deal.count):
        number = deal.order[i]
        tile, owner = deal.cards[number], deal.owner[deal.where[number]]
        if owner == BAZAAR:
            s.stock[s.stock_size] = tile
            s.stock_size += 1
        elif owner != OUTSIDE:
            give(s, owner, tile)


@inlined
def _list_unseen(s: Record, deal: Deal) -> None:
    """The tiles that are neither in the chain nor in a visible hand."""
    for tile in range(N_TILES):
        deal.seen[tile] = False
    for i in range(s.laid_size):
        deal.seen[tile_laid(s, i)] = True
    for other in range(s.players):
        for word in range(SET_WORDS):
            ways = s.hands[other, word]
            while ways:
                deal.seen[TILE_OF[PER_WORD * word + lowest(ways)]] = True
                ways &= ways - 1
    deal.count = 0
    for tile in range(N_TILES):
        if not deal.seen[tile]:
            list_card(deal, tile)


@inlined
def _list_parts(s: Record, seat: int, deal: Deal) -> None:
    """Whose each part is, what its tiles are not, and how many there are."""
    deal.places = 0
    deal.kind[list_place(deal, BAZAAR, s.stock_size)] = 0
    outside = list_place(deal, OUTSIDE, deal.count - s.stock_size)
    deal.kind[outside] = 0
    for other in range(s.players):
        if not _hidden_from(s, other, seat):
            continue
        rest = wide(s.sizes[other])
        deal.room[outside] -= rest
        for i in range(KINDS_REMEMBERED):
            kind = s.memory[other, i]
            if kind:
                deal.kind[list_place(deal, other, kind >> COUNTED_FROM)] = kind & WHAT
                rest -= kind >> COUNTED_FROM
        deal.kind[list_place(deal, other, rest)] = 0


@inlined
def _find_fitting(deal: Deal) -> None:
    for i in range(deal.count):
        deal.fits[i] = 0
        for part in range(deal.places):
            if not deal.kind[part] & EXCLUDED_BY[deal.cards[i]]:
                deal.fits[i] |= 1 << part


@inlined
def _parts_of(deal: Deal, owner: int) -> int:
    """The parts of a hand, or of all hands, as bits."""
    if owner != ANY_HAND:
        return places_of(deal, owner)
    return (1 << wide(deal.places)) - 1 & ~(places_of(deal, BAZAAR) | places_of(deal, OUTSIDE))


@inlined
def _who_can_put(s: Record, seat: int) -> int:
    """Who surely can put a tile, so that a guess must give him one, or NO_ONE.

    Whoever is on turn, at the start and when his turn goes on; and when the bazaar is empty
    anybody, or it would be a fish.
    """
    if s.over:
        return NO_ONE
    if s.begun or not started(s):
        return wide(s.turn) if _hidden_from(s, s.turn, seat) else NO_ONE
    if s.stock_size > 0 or s.options[OPEN]:
        return NO_ONE
    if seat != NOBODY and can_put(s, seat):
        return NO_ONE
    return ANY_HAND


@inlined
def _could_be_put(s: Record, tile: int) -> bool:
    """Whether the player who goes on, or any player if none has begun, could put a tile."""
    if not started(s):
        return tile < N_DOUBLES
    doubles_only = s.begun and not s.options[BLITZ]
    if doubles_only and tile >= N_DOUBLES:
        return False
    for end in range(ends_of(s)):
        shown = open_end(s, end)
        used = doubles_only and s.used >> end & 1
        if shown < N_HALVES and not used and EXCLUDED_BY[tile] >> shown & 1:
            return True
    return False
