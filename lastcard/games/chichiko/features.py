"""What a learner sees: a seat's view as numbers, each with a name.

Seats come in playing order from the observer on, so that all seats learn the same game.

What a hand lacks is what everybody knows of it (see "Memory" in knowledge.py): what shows at ends
that its tiles do not fit, and doubles. Its kinds of tiles need not be told apart: each lacks all
that the next one does, so it is enough how many lack each thing.

What follows from all that, and is far from plain, is told as well: how likely the next player would
be stuck if an end came to show something, and how many tiles of one's own would fit then.
"""

from __future__ import annotations

from typing import Any

from lastcard.kernel import Numbered, Record, beside, inlined, lowest, popcount, rule, wide

from .chain import ends_of, open_end, started, tile_laid
from .components import (
    APOCALYPSE,
    BLITZ,
    CARDS,
    CLOSED,
    ENDS,
    EVERY_TILE,
    FACES,
    FITS,
    HALVES,
    HAND,
    HAND_SIZES,
    KINDS_REMEMBERED,
    N_DOUBLES,
    N_HALVES,
    N_TILES,
    OPEN,
    OUT_OF_TURN,
    PER_WORD,
    PHONE,
    ROUNDS,
    SAUSAGE,
    SEATS,
    SET_WORDS,
    SHOWS,
)
from .knowledge import COUNTED_FROM, WHAT
from .odds import chance_of_nothing, how_many_of, tiles_at, unseen_tiles

of_end: Numbered[str] = Numbered()
END_SHOWS = of_end.row(HALVES)
END_CLOSED = of_end.add("closed")
LONGER = of_end.add("longer")
PER_END = len(of_end)

observed: Numbered[str] = Numbered()
OF_ENDS = observed.row(f"end {end} {what}" for end in range(ENDS) for what in of_end)
LENGTH = observed.row(f"length {end}" for end in range(ENDS))
USED = observed.row(f"used {end}" for end in range(ENDS))
DIRECTION = observed.add("direction")
BEGUN = observed.add("begun")
BAZAAR = observed.add("bazaar")
START = observed.add("start")
ROUNDS_LEFT = observed.add("rounds left")
OVER = observed.add("over")
DEALT = observed.add("dealt")
WITH_OUT_OF_TURN = observed.add("out of turn")
WITH_BLITZ = observed.add("blitz")
WITH_PHONE = observed.add("phone")
WITH_SAUSAGE = observed.add("sausage")
WITH_OPEN = observed.add("open")
WITH_FACES = observed.add("faces")
WITH_APOCALYPSE = observed.add("apocalypse")
LAID = observed.row(f"laid {tile}" for tile in CARDS)
# By what an end may show: how many tiles fit there.
OWN = observed.row(f"own at {half}" for half in HALVES)
UNSEEN = observed.row(f"unseen at {half}" for half in HALVES)
# By what an end would show after a tile of one's own.
STUCK = observed.row(f"stuck at {end} {half}" for end in range(ENDS) for half in HALVES)
NEXT = observed.row(f"next at {end} {half}" for end in range(ENDS) for half in HALVES)

of_seat: Numbered[str] = Numbered()
HERE = of_seat.add("here")
TURN = of_seat.add("turn")
HELD = of_seat.add("hand")
MISSING = of_seat.add("missing")
FACE = of_seat.add("face")
SCORE = of_seat.add("score")
OPENER = of_seat.add("opener")
PER_SEAT = len(of_seat)
OF_SEATS = observed.row(f"{what} {place}" for place in range(SEATS) for what in of_seat)
IN_HAND = observed.row(f"hand {place} {tile}" for place in range(SEATS) for tile in CARDS)
LACKED = (*HALVES, *CARDS[:N_DOUBLES])  # in the order of the memory's bits
N_LACKED = len(LACKED)
LACKS = observed.row(f"lacks {place} {what}" for place in range(SEATS) for what in LACKED)

OBSERVED = tuple(observed)
BIG_SCORE = 50  # is 1 to a learner


@rule
def observe(s: Record, seat: int, out: Any) -> None:
    """Lengths, sizes and tiles that fit in tens, unseen ones in twenties, the bazaar in whole sets,
    scores in big ones; `lacks` is the share of a hand; of the rounds that are left, with this one,
    this one's share."""
    _observe_ends(s, out)
    _observe_options(s, out)
    out[DIRECTION] = s.direction
    out[BEGUN] = s.begun
    out[BAZAAR] = s.stock_size / N_TILES
    out[START] = not started(s)
    out[ROUNDS_LEFT] = 1 / (wide(s.options[ROUNDS]) + 1 - wide(s.round_number))
    out[OVER] = s.over
    for i in range(s.laid_size):
        out[LAID + tile_laid(s, i)] = 1.0
    there = max(seat, 0)
    _observe_outlook(s, there, out)
    for place in range(s.players):
        _observe_seat(s, there, out, OF_SEATS + PER_SEAT * place)
        _observe_hand(s, there, out, IN_HAND + N_TILES * place)
        if s.memory[there, 0]:
            _observe_lacks(s, there, out, LACKS + N_LACKED * place)
        there = beside(there, 1, s.players)


@inlined
def _observe_ends(s: Record, out: Any) -> None:
    for end in range(ENDS):
        shown = wide(s.ends[end])
        if shown < N_HALVES:
            out[OF_ENDS + PER_END * end + END_SHOWS + shown] = 1.0
        out[OF_ENDS + PER_END * end + END_CLOSED] = shown == CLOSED
        out[OF_ENDS + PER_END * end + LONGER] = s.lengths[end] > s.lengths[end ^ 1]
        out[LENGTH + end] = s.lengths[end] / 10
        out[USED + end] = s.used >> end & 1


@inlined
def _observe_outlook(s: Record, seat: int, out: Any) -> None:
    low, high = unseen_tiles(s)
    for shown in range(N_HALVES):
        low_at, high_at = tiles_at(1 << shown)
        out[OWN + shown] = how_many_of(s, seat, low_at, high_at) / 10
        out[UNSEEN + shown] = (popcount(low & low_at) + popcount(high & high_at)) / 20
    following = beside(seat, wide(s.direction), s.players)
    for end in range(ends_of(s)):
        others = 0
        for other in range(ends_of(s)):
            if other != end and open_end(s, other) < N_HALVES:
                others |= 1 << open_end(s, other)
        for word in range(SET_WORDS):
            ways = s.hands[seat, word] & FITS[open_end(s, end), word]
            while ways:
                shown = wide(SHOWS[PER_WORD * word + lowest(ways)])
                ways &= ways - 1
                ends = others | 1 << shown
                low_at, high_at = tiles_at(ends)
                place = N_HALVES * end + shown
                out[STUCK + place] = chance_of_nothing(s, following, ends, low, high)
                out[NEXT + place] = how_many_of(s, seat, low_at, high_at) / 10


@inlined
def _observe_options(s: Record, out: Any) -> None:
    out[DEALT] = (s.options[HAND] if s.options[HAND] else HAND_SIZES[s.players]) / 10
    out[WITH_OUT_OF_TURN] = s.options[OUT_OF_TURN]
    out[WITH_BLITZ] = s.options[BLITZ]
    out[WITH_PHONE] = s.options[PHONE]
    out[WITH_SAUSAGE] = s.options[SAUSAGE]
    out[WITH_OPEN] = s.options[OPEN]
    out[WITH_FACES] = s.options[FACES]
    out[WITH_APOCALYPSE] = s.options[APOCALYPSE]


@inlined
def _observe_seat(s: Record, seat: int, out: Any, n: int) -> None:
    out[n + HERE] = 1.0
    out[n + TURN] = s.turn == seat
    out[n + HELD] = s.sizes[seat] / 10
    out[n + MISSING] = s.missing[seat] / 2
    out[n + FACE] = s.owes == seat
    out[n + SCORE] = s.scores[seat] / BIG_SCORE
    out[n + OPENER] = s.opener == seat


@inlined
def _observe_hand(s: Record, seat: int, out: Any, n: int) -> None:
    for word in range(SET_WORDS):
        tiles = s.hands[seat, word] & EVERY_TILE[word]
        while tiles:
            out[n + PER_WORD * word + lowest(tiles)] = 1.0
            tiles &= tiles - 1


@inlined
def _observe_lacks(s: Record, seat: int, out: Any, n: int) -> None:
    for i in range(KINDS_REMEMBERED):
        kind = s.memory[seat, i]
        share = (kind >> COUNTED_FROM) / s.sizes[seat]
        what = kind & WHAT
        while what:
            out[n + lowest(what)] += share
            what &= what - 1
