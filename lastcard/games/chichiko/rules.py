"""Dominoes with rock, paper, scissors, a snake and a crook: be the first to have no tile left.
For 2 to 8 players.

## Tiles

Each half of a tile has a colour (`r y g b`: red, yellow, green, blue) and a picture: rock `k`,
scissors `s`, paper `p`, snake `n`, crook `c`, or one of the **special** ones: take two `+2`, take
four `+4`, reverse `v`, skip `x`. A **double** has the same picture in the same colour on both
halves. A **super tile** has a special and an ordinary picture of one colour. *[ruling]*

There are 80. *[ruling: the rulebook does not list them]* With colours, pictures and special
pictures numbered from 0 in the order above these are

- 20 doubles, one for each picture and colour;
- 40 mixed tiles: for pictures P < Q and each colour C one with P in C and Q in (C + P + Q) mod 4;
- 20 super tiles: for each picture P and colour C one with the special picture (P + C) mod 4.

So every ordinary picture is on seven halves of each colour.

What beats what:

- scissors beat paper and snake;
- paper beats crook and rock;
- rock beats scissors and snake;
- snake beats crook and paper;
- crook beats rock and scissors.

## A round

Seven tiles each (six with seven or eight players *[ruling]*; option `hand`), the rest is the
**bazaar**. The opener starts the chain with any double; if he has none the next player does. If
nobody has one all tiles are shuffled and dealt again. *[ruling]* The next round is opened by the
seat clockwise after this round's opener, whoever started. *[ruling]*

A turn is one tile, put with one of its halves against one of the two ends of the chain; its other
half is that end then. Against an **ordinary** picture go

- the same picture in another colour (in the same colour it does not fit);
- a picture that beats it, in the same colour;
- a super tile of the same colour, with either half, even with the end's own picture. *[ruling]*

Against a **special** picture, as long as the end shows it *[ruling]*, goes any half of its colour,
or the same special picture in another colour. The ordinary half of a super tile fits wherever that
of an ordinary tile would. *[ruling]*

If the special picture of a super tile becomes the end, its event happens: with +2 and +4 the next
player takes so many tiles (or what is left) and misses his turn; with skip he misses it; reverse
turns the direction of play (with two players no more than that). If the ordinary picture becomes
the end nothing happens. The event of a tile that ends the round does not happen. Turns to be missed
add up. *[ruling]*

Who can put a tile must. Who cannot draws from the bazaar, one by one, until he can, and then must.
With an empty bazaar he passes. If the bazaar is empty and nobody can put a tile that is a **fish**,
and the round ends, at the moment that it comes to be so.

## Points

A round ends when somebody has no tile left, or with a fish. Every ordinary tile that is left,
doubles too, counts 1, every super tile 5. After a fish the fewest points win the round. The match
has five rounds (option `rounds`) *[ruling]*; the lowest total wins, ties share the win.

## Other ways to play

They can be combined, but for `phone` with `sausage`; `faces` needs `open`.

- **`blitz`**: put as many tiles as you like in a turn, one after the other. It ends with `end`
  (after one tile at least), when nothing more fits, or with a super tile, always. Only who cannot
  put a first tile draws. Who starts the chain may go on. *[ruling]*
- **`phone`**: the first double has four sides, so there are four ends. In a turn you may put up to
  four doubles, one at each end, instead of one tile; your turn ends with `end`, or when no further
  double fits. The start is a whole turn. Who puts a double, other than the first *[ruling]*, may
  **close** it: it lies face down, and nothing goes there any more. All ends closed is a fish.
  *[ruling]* With `blitz` any tiles can follow, also after the start, and ends can be used again.
  *[ruling]*
- **`sausage`**: the first double stands upright, and from it two lines, upper and lower, go to the
  left and two to the right. On one side they never differ in length by more than a tile. When they
  are equally long, also at the very start *[ruling]*, a tile can be put **across**: its upper half
  must fit the upper line and its lower half the lower one. It lengthens both, and the next player
  takes two tiles and misses his turn. A super tile across has no other event. *[ruling]* With
  `blitz` a tile across ends the turn. *[ruling]*
- **`open`**: all see all hands. With **`faces`** besides: when a player who has put a tile is left
  with exactly three at the end of his turn, whoever is next (if that is another one) must make a
  `face` before he puts a tile. Forgetting it costs three tiles, taken before it is asked whether he
  is out. Drawing and passing need no face. *[ruling]*
- **`apocalypse`**: before each deal two thirds of the tiles (2 or 3 players), half (4 or 5) or a
  third (6 to 8), rounded down, are taken out of the game, unseen. *[ruling: the rulebook leaves the
  numbers open]*
- **`out_of_turn`**: after the start a tile may be put when it is not one's turn. It stays, without
  its event *[ruling]*; he takes five tiles for it. If there are fewer he takes them all and misses
  his next two turns. The turn stays with whoever had it. Who puts his last tile has the new ones,
  or, if the bazaar was empty, is out. Not across, and not closed. If whoever is on turn has begun
  and now nothing fits him any more, his turn ends. *[ruling]* The rulebook makes all this a
  standing rule.

## What you know

Your tiles, the chain, how many tiles everybody and the bazaar have; with `open` all hands. Who drew
or passed had nothing that fitted then, nor has somebody whose turn ended by itself; who was passed
over at the start has no double. Tiles that were taken out nobody knows.

## Names

A half is its colour and picture: `rk`, `g+2`, `bv`. A tile is two halves, `rk-ys`. With `put ys-rk
@1` the first half goes against the end and the second is the new end. The ends are `@0`, left, and
`@1`, right; with `phone` `@0` to `@3`; with `sausage` `@0` left upper, `@1` left lower, `@2` right
upper, `@3` right lower. `put gk-gk @2 closed` closes the double. With `across ys-rk left` the first
half is above.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from typing import Any

import numpy as np

from lastcard.errors import BadPosition
from lastcard.kernel import (
    NOBODY,
    PUBLIC,
    UNKNOWN,
    Log,
    Record,
    Rng,
    beside,
    bit,
    bury,
    deal_fitting,
    emit,
    everybody,
    finish,
    guess_chance,
    hide_chance,
    inlined,
    lowest,
    next_round,
    pick_opener,
    random_shuffle,
    record,
    rule,
    rule_with_scratch,
    set_up,
    shuffle,
    take,
    tell_winners,
    wide,
)
from lastcard.kernel.forms import (
    DIRECTIONS,
    HIDDEN,
    NONE,
    Above,
    Clash,
    Derived,
    Direction,
    Event,
    Flag,
    Form,
    HandsOfBits,
    Limit,
    Names,
    Numbers,
    OpenerOption,
    Option,
    Seat,
    Stack,
    Truth,
    entries,
    listed,
    number_of,
    places_in,
    scoring_events,
    settle_end,
    show,
    text_of,
    words_in,
)

TITLE = "Chi-Chi-Ko"
TAGLINE = "Put your tiles to the chain: the same picture, one that beats it, or a super tile."
PLAYERS = (2, 8)
MINUTES = 7  # that a match takes three players, about
LOWEST_WINS = True

# --- Tiles ---------------------------------------------------------------------------------------

COLOURS = ("r", "y", "g", "b")
ORDINARY = ("k", "s", "p", "n", "c")
SPECIAL = ("+2", "+4", "v", "x")
PICTURES = (*ORDINARY, *SPECIAL)
N_ORDINARY = len(ORDINARY)
BEATS = {"s": "pn", "p": "ck", "k": "sn", "n": "cp", "c": "ks"}


def _half(colour: int, picture: str) -> str:
    return COLOURS[colour % len(COLOURS)] + picture


# The set of tiles: a table that another one can replace. Every tile is there once, doubles come
# first, and the ordinary half of super tiles comes first. All else follows from it.
TILES = (
    *((_half(c, p), _half(c, p)) for p in ORDINARY for c in range(4)),
    *(
        (_half(c, ORDINARY[p]), _half(c + p + q, ORDINARY[q]))
        for p, q in combinations(range(N_ORDINARY), 2)
        for c in range(4)
    ),
    *(
        (_half(c, ORDINARY[p]), _half(c, SPECIAL[(p + c) % 4]))
        for p in range(N_ORDINARY)
        for c in range(4)
    ),
)

HALVES = tuple(colour + picture for colour in COLOURS for picture in PICTURES)
N_HALVES = len(HALVES)
N_TILES = len(TILES)
N_DOUBLES = sum(first == second for first, second in TILES)
CARDS = Names(
    (f"{first}-{second}" for first, second in TILES),
    {f"{second}-{first}": f"{first}-{second}" for first, second in TILES},
)
DECK = (1,) * N_TILES

# A way is a tile that is put with one of its halves: first all tiles with the half that is named
# first, then those that are no doubles with the other one.
WAYS = (*TILES, *((second, first) for first, second in TILES[N_DOUBLES:]))
N_WAYS = len(WAYS)
WAY_NAMES = tuple(f"{first}-{second}" for first, second in WAYS)

_COLOUR_WORDS = {"r": "red", "y": "yellow", "g": "green", "b": "blue"}
_PICTURE_WORDS = {
    **{"k": "rock", "s": "scissors", "p": "paper", "n": "snake", "c": "crook"},
    **{"+2": "+2", "+4": "+4", "v": "reverse", "x": "skip"},
}
WORDS = {
    **{half: f"{_COLOUR_WORDS[half[0]]}-{_PICTURE_WORDS[half[1:]]}" for half in HALVES},
    **{"card": "tile", "cards": "tiles", "scores": "score", "missing": "to miss"},
    **{"cw": "clockwise", "ccw": "counter-clockwise"},
}


def fits(half: str, tile: tuple[str, str], end: str) -> bool:
    """Whether a tile may be put with one of its halves against an end."""
    same_colour = half[0] == end[0]
    if end[1:] in SPECIAL:
        return same_colour or half[1:] == end[1:]
    if same_colour:
        return end[1:] in BEATS.get(half[1:], "") or is_super(tile)
    return half[1:] == end[1:]


def is_super(tile: tuple[str, str]) -> bool:
    return any(half[1:] in SPECIAL for half in tile)


# A hand is kept as all ways in which its tiles can be put, as bits: so what is legal is found
# without looking at each tile. (Tables have small numbers, as a GPU has little room for them.)
PER_WORD = 62
SET_WORDS = -(-N_WAYS // PER_WORD)
EVERY_TILE = (1 << N_TILES) - 1  # the first way to put each
WORD_OF = (np.arange(N_WAYS) // PER_WORD).astype(np.int8)
BIT_OF = np.array([1 << way % PER_WORD for way in range(N_WAYS)], np.int64)
TILE_OF = np.array([*range(N_TILES), *range(N_DOUBLES, N_TILES)], np.int8)  # of a way
TOUCHES = np.array([HALVES.index(first) for first, _ in WAYS], np.int8)
SHOWS = np.array([HALVES.index(second) for _, second in WAYS], np.int8)  # its new end


def _bits(ways: Iterator[int]) -> list[int]:
    words = [0] * SET_WORDS
    for way in ways:
        words[WORD_OF[way]] |= int(BIT_OF[way])
    return words


# By tile: its ways.
WAYS_WITH = np.array(
    [_bits(way for way in range(N_WAYS) if TILE_OF[way] == tile) for tile in range(N_TILES)],
    np.int64,
)

# What an end shows: a half; or that it is closed; or that there is no such end, or not yet.
CLOSED = N_HALVES
NO_END = N_HALVES + 1

# By what an end shows: the ways to put a tile there, and those in which its second half would fit.
FITS = np.zeros((N_HALVES + 2, SET_WORDS), np.int64)
BELOW = np.zeros((N_HALVES + 2, SET_WORDS), np.int64)
for _end, _name in enumerate(HALVES):
    FITS[_end] = _bits(n for n, way in enumerate(WAYS) if fits(way[0], way, _name))
    BELOW[_end] = _bits(n for n, way in enumerate(WAYS) if fits(way[1], way, _name))
DOUBLES = np.array(_bits(iter(range(N_DOUBLES))), np.int64)
SUPERS = np.array(_bits(n for n, tile in enumerate(TILES) if is_super(tile)), np.int64)

UNSHUFFLED = np.arange(N_TILES, dtype=np.int8)
NO_EVENT, PLUS_TWO, PLUS_FOUR, REVERSE, SKIP, CROSSED = range(6)
EVENT_OF = np.array([max(0, PICTURES.index(half[1:]) - N_ORDINARY + 1) for half in HALVES], np.int8)
TAKES = np.array([0, 2, 4, 0, 0, 2], np.int8)  # tiles, by event

assert N_DOUBLES > 0 and all(first == second for first, second in TILES[:N_DOUBLES])
assert len({*WAY_NAMES}) == N_WAYS  # each tile is there once
assert all(tile[0][0] == tile[1][0] and tile[0][1:] in ORDINARY for tile in TILES if is_super(tile))

HAND_SIZES = np.array([0, 0, 7, 7, 7, 7, 7, 6, 6], np.int64)  # by the number of players
SMALLEST_HAND, LARGEST_HAND = 3, 7
LEFT_OUT = np.array([0, 0, *[N_TILES * 2 // 3] * 2, *[N_TILES // 2] * 2, *[N_TILES // 3] * 3])
POINTS, SUPER_POINTS = 1, 5
PENALTY = 5  # tiles for putting one out of turn
PENALTY_TURNS = 2
FACE_PENALTY = 3
FACE_AT = 3  # tiles that are left

# --- Actions -------------------------------------------------------------------------------------

ENDS = 4
SIDES = ("left", "right")
N_SIDES = len(SIDES)
FACE = 0
START = FACE + 1  # + the double
PUT = START + N_DOUBLES  # + N_WAYS * end + way
CLOSE = PUT + N_WAYS * ENDS  # + N_DOUBLES * end + the double
ACROSS = CLOSE + N_DOUBLES * ENDS  # + N_WAYS * side + way
DRAW = ACROSS + N_WAYS * N_SIDES
PASS, END = DRAW + 1, DRAW + 2

ACTIONS = (
    "face",
    *(f"start {double}" for double in CARDS[:N_DOUBLES]),
    *(f"put {way} @{end}" for end in range(ENDS) for way in WAY_NAMES),
    *(f"put {double} @{end} closed" for end in range(ENDS) for double in CARDS[:N_DOUBLES]),
    *(f"across {way} {side}" for side in SIDES for way in WAY_NAMES),
    *("draw", "pass", "end"),
)
N_ACTIONS = len(ACTIONS)
# Of the actions that put a tile: which way, and at which end, or on which side across.
WAY_OF = np.array(
    [
        *[0] * START,
        *range(N_DOUBLES),
        *[*range(N_WAYS)] * ENDS,
        *[*range(N_DOUBLES)] * ENDS,
        *[*range(N_WAYS)] * N_SIDES,
    ],
    np.int16,
)
END_OF = np.repeat(
    [0, *range(ENDS), *range(ENDS), *range(N_SIDES)],
    [START + N_DOUBLES, *[N_WAYS] * ENDS, *[N_DOUBLES] * ENDS, *[N_WAYS] * N_SIDES],
).astype(np.int8)
# A hand of all tiles, at four ends that take as many as any, and besides closed, or across.
_MOST_WAYS = max(sum(int(word).bit_count() for word in words) for words in FITS)
MOST_LEGAL = (ENDS + N_SIDES) * _MOST_WAYS + 2

# --- Options -------------------------------------------------------------------------------------

OPTIONS = (
    Option("rounds", 5, "how many rounds a match has", 1, 100),
    Limit(
        "hand",
        None,
        "tiles dealt to each, 3 to 7; else seven, or six with more than six players",
        SMALLEST_HAND,
        LARGEST_HAND,
    ),
    Flag("out_of_turn", False, "tiles may be put out of turn, for five more in the hand"),
    Flag("blitz", False, "as many tiles in a turn as one likes"),
    Flag("phone", False, "four ends, several doubles in a turn, and doubles can be closed"),
    Flag("sausage", False, "two lines to each side, and tiles across both"),
    Flag("open", False, "all hands are seen by everybody"),
    Flag("faces", False, "with `open`: make a face when somebody is left with three tiles"),
    Flag("apocalypse", False, "part of the tiles is taken out of the game before each deal"),
    OpenerOption(),
)
ROUNDS, HAND, OUT_OF_TURN, BLITZ, PHONE, SAUSAGE, OPEN, FACES, APOCALYPSE, OPENER = range(
    len(OPTIONS)
)


def _too_large() -> Iterator[Clash]:
    """There may be too few tiles: of ours only for the largest hands, and after an apocalypse."""
    for players, apocalypse in product(range(PLAYERS[0], PLAYERS[1] + 1), (False, True)):
        there = N_TILES - (int(LEFT_OUT[players]) if apocalypse else 0)
        said = f"{'apocalypse leaves' if apocalypse else 'there are'} {there} tiles"
        why = f"{said}, too few for {{players}} players with a hand of"
        usual = int(HAND_SIZES[players])
        if there < usual * players:
            yield Clash({"apocalypse": apocalypse, "hand": None}, f"{why} {usual}.", (players,))
        if there < LARGEST_HAND * players:
            most = {"apocalypse": apocalypse, "hand": Above(there // players)}
            yield Clash(most, f"{why} {{hand}}.", (players,))


CLASHES = (
    Clash(
        {"phone": True, "sausage": True},
        "phone and sausage do not go together: each lays the four ends in its own way.",
    ),
    Clash(
        {"faces": True, "open": False},
        "faces needs open: all must see who is left with three tiles.",
    ),
    *_too_large(),
)

# --- Events --------------------------------------------------------------------------------------

_TILE = {"card": CARDS}
_DREW: dict[str, Any] = {"values": _TILE, "secret": frozenset({"card"}), "joins": "card"}
_END_NAMES = tuple(f"@{end}" for end in range(ENDS))
_PUT: dict[str, Any] = {"card": WAY_NAMES, "end": _END_NAMES}
EVENTS = (
    Event("dealt", "Round {round} is dealt.", values={"round": None}),
    Event("lacked", "{seat} has no double to start with.", "You have no double to start with."),
    Event("started", "{seat} starts with {card}.", "You start with {card}.", _TILE),
    Event("put", "{seat} puts {card} at {end}.", "You put {card} at {end}.", _PUT),
    Event(
        "closed",
        "{seat} puts {card} at {end} and closes it.",
        "You put {card} at {end} and close it.",
        _PUT,
    ),
    Event(
        "across",
        "{seat} puts {card} across, {side}.",
        "You put {card} across, {side}.",
        {"card": WAY_NAMES, "side": SIDES},
    ),
    Event(
        "interrupted",
        "{seat} puts {card} at {end}, out of turn!",
        "You put {card} at {end}, out of turn!",
        _PUT,
    ),
    Event(
        "drew", "{seat} draws {card}.", "You draw {card}.", veiled="{seat} draws {count}.", **_DREW
    ),
    Event(
        "took", "{seat} takes {card}.", "You take {card}.", veiled="{seat} takes {count}.", **_DREW
    ),
    Event(
        "misses",
        "{seat} is to miss {turns} turns.",
        "You are to miss {turns} turns.",
        {"turns": None},
    ),
    Event("missed", "{seat} misses a turn.", "You miss a turn."),
    Event("turned", "Play turns {direction}.", values={"direction": DIRECTIONS}),
    Event("passed", "{seat} passes.", "You pass."),
    Event("ended", "{seat} stops there.", "You stop there."),
    Event("stuck", "{seat} has nothing to go on with.", "You have nothing to go on with."),
    Event("stopped", "That tile ends the turn of {seat}.", "That tile ends your turn."),
    Event("owes", "{seat} must make a face.", "You must make a face."),
    Event("face", "{seat} makes a face.", "You make a face."),
    Event("forgot", "{seat} made no face!", "You made no face!"),
    Event("out", "{seat} has no tile left and wins the round.", "You are out and win the round."),
    Event("fish", "A fish: nobody can put a tile."),
    Event("closed_all", "A fish: all ends are closed."),
    Event(
        "fewest",
        "{seat} has the fewest points and wins the round.",
        "You have the fewest points and win the round.",
    ),
    *scoring_events(CARDS, ("ordinary", "super"), "{times}{what}: {points}"),
)
DEALT, LACKED, STARTED, WAS_PUT, WAS_CLOSED, WAS_ACROSS, INTERRUPTED, DREW, TOOK = range(9)
MISSES, MISSED, TURNED, PASSED, ENDED, STUCK, STOPPED, OWES, MADE_FACE, FORGOT = range(9, 19)
OUT, FISH, CLOSED_ALL, FEWEST, SHOWED, COUNTED, SCORED, WON = range(19, len(EVENTS))
OF_ORDINARY, OF_SUPER = range(2)  # what is counted

# --- The record ----------------------------------------------------------------------------------

SEATS = PLAYERS[1]
KINDS_REMEMBERED = 6  # of tiles in each hand: see "Memory" below
UNPLACED = N_ACTIONS  # + tile: it is laid, but nobody knows where
RECORD = record(
    SEATS,
    len(OPTIONS),
    [
        ("hands", np.int64, (SEATS, SET_WORDS)),  # ways to put their tiles, as bits
        ("sizes", np.int8, (SEATS,)),  # tiles in each hand, also where the hand is hidden
        ("stock", np.int8, (N_TILES,)),  # the bazaar; the next tile is the last of `stock_size`
        ("stock_size", np.int8),
        ("laid", np.int16, (N_TILES,)),  # the chain, as the actions that put its tiles there
        ("laid_size", np.int8),
        ("ends", np.int8, (ENDS,)),  # what each shows: a half, CLOSED or NO_END
        ("lengths", np.int8, (ENDS,)),  # of the sausage's lines
        ("turn", np.int8),
        ("direction", np.int8),  # 1 clockwise, -1 counter-clockwise
        ("begun", np.int8),  # 1 if the turn goes on after its first tile
        ("used", np.int8),  # ends that have had a double in this turn, as bits
        ("missing", np.int16, (SEATS,)),  # turns that each must still miss
        ("owes", np.int8),  # who must make a face, or NOBODY
        ("memory", np.int64, (SEATS, KINDS_REMEMBERED)),  # of each hand: see "Memory" below
    ],
)

# --- A new match, and dealing --------------------------------------------------------------------


@rule
def new(s: Record, players: int, options: Any) -> None:
    set_up(s, players, options)
    s.laid_size = N_TILES
    for seat in range(SEATS):
        _clear(s, seat)
    s.opener = pick_opener(s, s.options[OPENER])
    _deal(s)


@inlined
def _clear(s: Record, seat: int) -> None:
    s.sizes[seat] = 0
    s.missing[seat] = 0
    for word in range(SET_WORDS):
        s.hands[seat, word] = 0
    for i in range(KINDS_REMEMBERED):
        s.memory[seat, i] = 0


@rule
def _deal(s: Record) -> None:
    """Until somebody has a double."""
    next_round(s)
    for i in range(s.laid_size):
        s.laid[i] = 0
    s.laid_size = 0
    for end in range(ENDS):
        s.ends[end] = NO_END
        s.lengths[end] = 0
    s.direction = 1
    s.begun = s.used = 0
    s.owes = NOBODY
    s.turn = NOBODY
    while s.turn == NOBODY:
        _deal_once(s)
        s.turn = first_with_double(s)
    seat = wide(s.opener)
    while seat != s.turn:
        _remember(s, seat, ALL_DOUBLES)
        seat = beside(seat, 1, s.players)


@inlined
def _deal_once(s: Record) -> None:
    for tile in range(N_TILES):
        s.stock[tile] = UNSHUFFLED[tile]
    shuffle(s, s.stock, N_TILES)
    s.stock_size = N_TILES
    if s.options[APOCALYPSE]:
        for _ in range(LEFT_OUT[s.players]):
            take(s)
    each = s.options[HAND] if s.options[HAND] else HAND_SIZES[s.players]
    for seat in range(s.players):
        _clear(s, seat)
        for _ in range(each):
            give(s, seat, take(s))
        s.sizes[seat] = each


@inlined
def give(s: Record, seat: int, tile: int) -> None:
    for word in range(SET_WORDS):
        s.hands[seat, word] |= WAYS_WITH[tile, word]


@inlined
def remove(s: Record, seat: int, tile: int) -> None:
    for word in range(SET_WORDS):
        s.hands[seat, word] &= ~WAYS_WITH[tile, word]


@rule
def first_with_double(s: Record) -> int:
    """Who starts: the first from the opener on, or NOBODY."""
    seat = wide(s.opener)
    for _ in range(s.players):
        for word in range(SET_WORDS):
            if s.hands[seat, word] & DOUBLES[word]:
                return seat
        seat = beside(seat, 1, s.players)
    return NOBODY


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
    """What an end shows, if a tile may be put there: of two lines not at the longer one."""
    return CLOSED if s.lengths[end] > s.lengths[end ^ 1] else wide(s.ends[end])


@inlined
def lay(s: Record, action: int) -> None:
    """A tile comes to the chain, as a start, plainly, closed or across."""
    way, end = wide(WAY_OF[action]), wide(END_OF[action])
    if action < PUT:
        for one in range(ends_of(s)):
            s.ends[one] = SHOWS[way]
    elif action < CLOSE:
        s.ends[end] = SHOWS[way]
        s.lengths[end] += s.options[SAUSAGE]
    elif action < ACROSS:
        s.ends[end] = CLOSED
        # Closed or open, the chain is told alike: the end says which.
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
def _can_go_on(s: Record, seat: int) -> bool:
    """Whether somebody who has begun his turn can put one more tile in it."""
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


# --- Whom the match waits for, and what is legal -------------------------------------------------


@rule
def waiting(s: Record) -> int:
    return 0 if s.over else bit(s.turn)


@rule
def bystanders(s: Record) -> int:
    """Tiles may be put out of turn."""
    out_of_turn = s.options[OUT_OF_TURN] and started(s) and not s.over
    return everybody(s.players) & ~bit(s.turn) if out_of_turn else 0


@rule
def legal(s: Record, seat: int, out: Any) -> int:
    mine = seat == s.turn
    if s.over or not (mine or (s.options[OUT_OF_TURN] and seat < s.players)):
        return 0
    n = 0
    if s.owes == seat:
        out[n] = FACE
        n += 1
    nothing_to_put = n
    if not started(s):
        if mine:
            for word in range(SET_WORDS):
                n = _list(out, n, START + PER_WORD * word, s.hands[seat, word] & DOUBLES[word])
        return n
    ends = ends_of(s)
    used = 0
    doubles_only = mine and s.begun and not s.options[BLITZ]
    if doubles_only:  # further ones in the same turn, one at each end
        used = wide(s.used)
    for end in range(ends):
        if not used >> end & 1:
            shown = open_end(s, end)
            first = PUT + N_WAYS * end
            for word in range(SET_WORDS):
                ways = s.hands[seat, word] & FITS[shown, word]
                if doubles_only:
                    ways &= DOUBLES[word]
                n = _list(out, n, first + PER_WORD * word, ways)
    if not mine:
        return n
    if s.options[PHONE]:
        for end in range(ends):
            if not used >> end & 1:
                shown = wide(s.ends[end])
                first = CLOSE + N_DOUBLES * end
                for word in range(SET_WORDS):
                    ways = s.hands[seat, word] & FITS[shown, word] & DOUBLES[word]
                    n = _list(out, n, first + PER_WORD * word, ways)
    elif s.options[SAUSAGE]:
        for side in range(N_SIDES):
            upper, lower = 2 * side, 2 * side + 1
            if s.lengths[upper] == s.lengths[lower]:
                first = ACROSS + N_WAYS * side
                for word in range(SET_WORDS):
                    ways = s.hands[seat, word] & FITS[s.ends[upper], word]
                    ways &= BELOW[s.ends[lower], word]
                    n = _list(out, n, first + PER_WORD * word, ways)
    if s.begun:
        out[n] = END
        n += 1
    elif n == nothing_to_put:
        out[n] = DRAW if s.stock_size > 0 else PASS
        n += 1
    return n


@inlined
def _list(out: Any, n: int, action: int, ways: int) -> int:
    """An action for each way of a word."""
    while ways:
        out[n] = action + lowest(ways)
        n += 1
        ways &= ways - 1
    return n


# --- What an action does -------------------------------------------------------------------------


@rule
def apply(s: Record, seat: int, action: int, log: Log) -> None:
    if action == FACE:
        s.owes = NOBODY
        emit(log, MADE_FACE, seat, PUBLIC, 0, 0, 0)
    elif action < DRAW:
        _leave_hand(s, seat, TILE_OF[WAY_OF[action]])
        _tell_put(s, seat, action, log)
        lay(s, action)
        if seat == s.turn:
            _put(s, seat, action, log)
        else:
            _interrupt(s, seat, log)
    elif action == DRAW:
        _remember(s, seat, open_ends(s))
        _take_tiles(s, seat, 1, DREW, log)
        if is_fish(s):
            _end_round(s, seat, log)
    elif action == END:
        emit(log, ENDED, seat, PUBLIC, 0, 0, 0)
        _end_turn(s, True, log)
    else:
        _remember(s, seat, open_ends(s))
        emit(log, PASSED, seat, PUBLIC, 0, 0, 0)
        if is_fish(s):  # never in a match; but a guess may be wrong, and must come to an end
            _end_round(s, seat, log)
        else:
            _end_turn(s, False, log)


@inlined
def _leave_hand(s: Record, seat: int, tile: int) -> None:
    remove(s, seat, tile)
    s.sizes[seat] -= 1
    if s.memory[seat, 0]:
        _forget(s, seat, tile)


@inlined
def _tell_put(s: Record, seat: int, action: int, log: Log) -> None:
    event = WAS_ACROSS
    if action < PUT:
        event = STARTED
    elif action < CLOSE:
        event = WAS_PUT if seat == s.turn else INTERRUPTED
    elif action < ACROSS:
        event = WAS_CLOSED
    emit(log, event, seat, PUBLIC, WAY_OF[action], END_OF[action], 0)


@inlined
def _put(s: Record, seat: int, action: int, log: Log) -> None:
    """What follows when whoever is on turn has put a tile."""
    if s.owes == seat:
        s.owes = NOBODY
        emit(log, FORGOT, seat, PUBLIC, 0, 0, 0)
        _take_tiles(s, seat, FACE_PENALTY, TOOK, log)
    if s.sizes[seat] == 0 or is_fish(s):
        _end_round(s, seat, log)
        return
    event = event_of(action)
    if event != NO_EVENT:
        _happen(s, event, log)
        if is_fish(s):
            _end_round(s, seat, log)
            return
    if may_go_on(s, action):
        s.begun = 1
        if not s.options[BLITZ]:
            s.used |= bit(END_OF[action])
        _go_on(s, log)
    else:
        if s.options[BLITZ]:
            emit(log, STOPPED, seat, PUBLIC, 0, 0, 0)
        _end_turn(s, True, log)


@inlined
def event_of(action: int) -> int:
    """What happens when a tile is put: what the new end shows, or, across, that."""
    return CROSSED if action >= ACROSS else wide(EVENT_OF[SHOWS[WAY_OF[action]]])


@inlined
def may_go_on(s: Record, action: int) -> bool:
    """Whether a turn goes on after a tile, if another one fits."""
    tile = TILE_OF[WAY_OF[action]]
    if s.options[BLITZ]:
        return action < ACROSS and not is_super_tile(tile)
    return s.options[PHONE] != 0 and action >= PUT and tile < N_DOUBLES


@inlined
def is_super_tile(tile: int) -> bool:
    return SUPERS[WORD_OF[tile]] & BIT_OF[tile] != 0


@inlined
def _happen(s: Record, event: int, log: Log) -> None:
    if event == REVERSE:
        s.direction = -s.direction
        emit(log, TURNED, s.turn, PUBLIC, s.direction < 0, 0, 0)
        return
    following = beside(s.turn, s.direction, s.players)
    _take_tiles(s, following, TAKES[event], TOOK, log)
    s.missing[following] += 1


@rule
def _take_tiles(s: Record, seat: int, count: int, event: int, log: Log) -> None:
    """From the bazaar, or what is left of it."""
    eyes = PUBLIC if s.options[OPEN] else bit(seat)
    for _ in range(min(count, s.stock_size)):
        tile = take(s)
        give(s, seat, tile)
        s.sizes[seat] += 1
        emit(log, event, seat, eyes, tile, 0, 0)


@inlined
def _interrupt(s: Record, seat: int, log: Log) -> None:
    """What follows when somebody has put a tile out of turn."""
    short = s.stock_size < PENALTY
    _take_tiles(s, seat, PENALTY, TOOK, log)
    if short:
        s.missing[seat] += PENALTY_TURNS
        if s.sizes[seat] > 0:
            emit(log, MISSES, seat, PUBLIC, PENALTY_TURNS, 0, 0)
    if s.sizes[seat] == 0 or is_fish(s):
        _end_round(s, seat, log)
    elif s.begun:
        _go_on(s, log)


@rule
def _go_on(s: Record, log: Log) -> None:
    """A turn that has begun ends by itself when nothing more fits."""
    if not _can_go_on(s, s.turn):
        _remember(s, s.turn, open_ends(s) if s.options[BLITZ] else _doubles_at_open_ends(s))
        emit(log, STUCK, s.turn, PUBLIC, 0, 0, 0)
        _end_turn(s, True, log)


@inlined
def _end_turn(s: Record, has_put: bool, log: Log) -> None:
    """Who must miss turns is passed over, and has one less to miss."""
    s.begun = s.used = 0
    ended = wide(s.turn)
    seat = beside(ended, s.direction, s.players)
    while s.missing[seat] > 0:
        s.missing[seat] -= 1
        emit(log, MISSED, seat, PUBLIC, 0, 0, 0)
        seat = beside(seat, s.direction, s.players)
    s.turn = seat
    s.owes = NOBODY
    if s.options[FACES] and has_put and s.sizes[ended] == FACE_AT and seat != ended:
        s.owes = seat
        emit(log, OWES, seat, PUBLIC, 0, 0, 0)


@rule
def _end_round(s: Record, seat: int, log: Log) -> None:
    """Somebody is out, or it is a fish. Then the next round, or the end."""
    out = s.sizes[seat] == 0
    emit(log, OUT if out else CLOSED_ALL if all_closed(s) else FISH, seat, PUBLIC, 0, 0, 0)
    for other in range(s.players):
        _show_tiles(s, other, log)
    fewest = points_of(s, seat)
    for other in range(s.players):
        points = points_of(s, other)
        fewest = min(fewest, points)
        s.scores[other] += points
        _tell_counted(s, other, points, log)
        emit(log, SCORED, other, PUBLIC, points, s.scores[other], 0)
    for other in range(s.players):
        if not out and points_of(s, other) == fewest:
            emit(log, FEWEST, other, PUBLIC, 0, 0, 0)
    if s.round_number >= s.options[ROUNDS]:
        finish(s, LOWEST_WINS)
        tell_winners(s, WON, log)
        return
    s.opener = beside(s.opener, 1, s.players)
    _deal(s)
    emit(log, DEALT, s.opener, PUBLIC, s.round_number, 0, 0)
    without = wide(s.opener)
    while without != s.turn:
        emit(log, LACKED, without, PUBLIC, 0, 0, 0)
        without = beside(without, 1, s.players)


@inlined
def _show_tiles(s: Record, seat: int, log: Log) -> None:
    if log.shape[0] > 0:
        for tile in range(N_TILES):
            if holds(s, seat, tile):
                emit(log, SHOWED, seat, PUBLIC, tile, 0, 0)


@inlined
def _tell_counted(s: Record, seat: int, points: int, log: Log) -> None:
    """Ordinary tiles, and super tiles, if there are any."""
    tiles = wide(s.sizes[seat])
    supers = (points - POINTS * tiles) // (SUPER_POINTS - POINTS)
    if tiles > supers:
        emit(log, COUNTED, seat, PUBLIC, OF_ORDINARY, tiles - supers, POINTS * (tiles - supers))
    if supers > 0:
        emit(log, COUNTED, seat, PUBLIC, OF_SUPER, supers, SUPER_POINTS * supers)


@inlined
def holds(s: Record, seat: int, tile: int) -> bool:
    return s.hands[seat, WORD_OF[tile]] & BIT_OF[tile] != 0


@rule
def points_of(s: Record, seat: int) -> int:
    """What the tiles of a hand count."""
    points = POINTS * wide(s.sizes[seat])
    for word in range(SET_WORDS):
        supers = s.hands[seat, word] & SUPERS[word]
        while supers:
            points += SUPER_POINTS - POINTS
            supers &= supers - 1
    return points


# --- Memory --------------------------------------------------------------------------------------
#
# What all know of a hand from what has happened. Who had to draw, or passed, had nothing that
# fitted the open ends then: of each of these tiles all know one thing more that it is not. So there
# are kinds of tiles in a hand, those that have been there longest first, and of each all know at
# least as much as of the next. Of those that come after them nothing is known.
#
# When a tile leaves a hand it may have been of any kind that it is not excluded from. All that is
# known then of the rest is that it could be what it would be if it was of the first such kind:
# a hand that is possible otherwise is possible then, too, as each tile in between can stand for
# one of the kind after its own.
#
# A kind is one number: the ends that its tiles do not fit, one bit for each half; the doubles that
# they are not, one bit for each; and how many tiles they are. If there are more kinds than there is
# room for, of the last two only what is known of both is kept.

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
        _bits(tile for tile in range(N_TILES) if EXCLUDED_BY[tile] >> end & 1)
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
    """What the ends show at which a tile may be put, as bits."""
    what = 0
    for end in range(ends_of(s)):
        shown = open_end(s, end)
        if shown < N_HALVES:
            what |= 1 << shown
    return what


@inlined
def _doubles_at_open_ends(s: Record) -> int:
    """The doubles that could still be put in this turn."""
    what = 0
    for end in range(ENDS):
        if not s.used >> end & 1:
            what |= DOUBLES_AT[s.ends[end]]
    return what


@rule
def _remember(s: Record, seat: int, what: int) -> None:
    """One thing more that none of the tiles of a hand is. Hands that are seen need no memory."""
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
def _forget(s: Record, seat: int, tile: int) -> None:
    """A tile has left a hand: one less of the first kind that it may have been."""
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
    """Whether the seat does not see a hand. When the last round is scored all are shown."""
    return not (other == seat or s.options[OPEN] or s.over)


@rule_with_scratch
def guess(s: Record, seat: int, rng: Rng) -> None:
    """A deal of the unseen tiles that fits all that the table remembers.

    Places are the bazaar, what is out of the game, and every hidden hand in parts, one for each
    kind of tiles that is remembered and one for the rest.
    """
    guess_chance(s, rng)
    tiles = np.empty(N_TILES, np.int64)
    order = np.empty(N_TILES, np.int64)
    tries = np.empty(N_TILES, np.int64)
    fits = np.empty(N_TILES, np.int64)
    where = np.empty(N_TILES, np.int64)
    room = np.empty(MOST_PARTS, np.int64)
    owners = np.empty(MOST_PARTS, np.int64)
    kinds = np.empty(MOST_PARTS, np.int64)
    scratch = np.empty(2 * MOST_PARTS, np.int64)
    count = _unseen(s, tiles, where)
    for i in range(count):
        order[i] = i
        tries[i] = i
    random_shuffle(rng, order, count)
    random_shuffle(rng, tries, count)
    needed_by = _who_can_put(s, seat)
    # At most once for every tile that a player who surely can put one may have.
    for attempt in range(count + 1):
        n = _list_parts(s, seat, count, owners, kinds, room)
        for i in range(count):
            fits[i] = 0
            for part in range(n):
                if not kinds[part] & EXCLUDED_BY[tiles[i]]:
                    fits[i] |= 1 << part
        if needed_by != NO_ONE and attempt < count:
            if not _could_be_put(s, tiles[tries[attempt]]):
                continue
            fits[tries[attempt]] &= _parts_of(owners, n, needed_by)
        if deal_fitting(rng, fits, order, count, room, n, where, scratch):
            break
    s.stock_size = 0
    for i in range(count):
        tile, owner = tiles[order[i]], owners[where[order[i]]]
        if owner == BAZAAR:
            s.stock[s.stock_size] = tile
            s.stock_size += 1
        elif owner != OUTSIDE:
            give(s, owner, tile)


MOST_PARTS = 2 + SEATS * (KINDS_REMEMBERED + 1)
OUTSIDE, BAZAAR = -2, -1  # as owners
NO_ONE, ANY_HAND = -2, -1  # who surely can put a tile, beside seats


@inlined
def _unseen(s: Record, tiles: Any, seen: Any) -> int:
    """Lists the tiles that are neither in the chain nor in a hand that is seen."""
    for tile in range(N_TILES):
        seen[tile] = False
    for i in range(s.laid_size):
        seen[tile_laid(s, i)] = True
    for other in range(s.players):
        for word in range(SET_WORDS):
            ways = s.hands[other, word]
            while ways:
                seen[TILE_OF[PER_WORD * word + lowest(ways)]] = True
                ways &= ways - 1
    n = 0
    for tile in range(N_TILES):
        if not seen[tile]:
            tiles[n] = tile
            n += 1
    return n


@rule
def tile_laid(s: Record, i: int) -> int:
    """A tile of the chain."""
    action = wide(s.laid[i])
    return action - UNPLACED if action >= UNPLACED else wide(TILE_OF[WAY_OF[action]])


@inlined
def _list_parts(s: Record, seat: int, count: int, owners: Any, kinds: Any, room: Any) -> int:
    """Lists whose each part is, what its tiles are not, and how many there are."""
    owners[0], kinds[0], room[0] = BAZAAR, 0, wide(s.stock_size)
    owners[1], kinds[1], room[1] = OUTSIDE, 0, count - wide(s.stock_size)
    n = 2
    for other in range(s.players):
        if not _hidden_from(s, other, seat):
            continue
        rest = wide(s.sizes[other])
        room[1] -= rest
        for i in range(KINDS_REMEMBERED):
            kind = s.memory[other, i]
            if kind:
                owners[n], kinds[n], room[n] = other, kind & WHAT, kind >> COUNTED_FROM
                rest -= room[n]
                n += 1
        owners[n], kinds[n], room[n] = other, 0, rest
        n += 1
    return n


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
    """Whether whoever goes on, or anybody where nobody has begun, could put a tile."""
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


@inlined
def _parts_of(owners: Any, n: int, owner: int) -> int:
    """The parts of a hand, or of all hands, as bits."""
    parts = 0
    for part in range(2, n):
        if owner == ANY_HAND or owners[part] == owner:
            parts |= 1 << part
    return parts


PER_END = N_HALVES + 2
PER_SEAT = 7
OBSERVED = (
    *(f"end {end} {what}" for end in range(ENDS) for what in (*HALVES, "closed", "longer")),
    *(f"length {end}" for end in range(ENDS)),
    *(f"used {end}" for end in range(ENDS)),
    *("direction", "begun", "bazaar", "start"),
    *(f"laid {tile}" for tile in CARDS),
    *(
        f"{what} {place}"
        for place in range(SEATS)
        for what in ("here", "turn", "hand", "missing", "face", "score", "opener")
    ),
    *(f"hand {place} {tile}" for place in range(SEATS) for tile in CARDS),
    *(f"lacks {place} {half}" for place in range(SEATS) for half in HALVES),
)
N_OBSERVED = len(OBSERVED)


@rule
def observe(s: Record, seat: int, out: Any) -> None:
    """Lengths and sizes in tens, the bazaar in whole sets, scores in tens; `lacks` is the share of
    a hand that is known not to fit an end.

    Seats are told in playing order from the observer on, so that all seats learn the same game.
    """
    for i in range(N_OBSERVED):
        out[i] = 0.0
    for end in range(ENDS):
        shown = wide(s.ends[end])
        if shown < NO_END:
            out[PER_END * end + shown] = 1.0
        out[PER_END * end + N_HALVES + 1] = s.lengths[end] > s.lengths[end ^ 1]
    n = PER_END * ENDS
    for end in range(ENDS):
        out[n + end] = s.lengths[end] / 10
        out[n + ENDS + end] = s.used >> end & 1
    n += 2 * ENDS
    out[n] = s.direction
    out[n + 1] = s.begun
    out[n + 2] = s.stock_size / N_TILES
    out[n + 3] = not started(s)
    n += 4
    for i in range(s.laid_size):
        out[n + tile_laid(s, i)] = 1.0
    n += N_TILES
    there = max(seat, 0)
    for place in range(s.players):
        _observe_seat(s, there, out, n + PER_SEAT * place)
        hand = n + PER_SEAT * SEATS + N_TILES * place
        for tile in range(N_TILES):
            out[hand + tile] = holds(s, there, tile)
        lacks = n + (PER_SEAT + N_TILES) * SEATS + N_HALVES * place
        for i in range(KINDS_REMEMBERED):
            kind = s.memory[there, i]
            for half in range(N_HALVES):
                if kind >> half & 1:
                    out[lacks + half] += (kind >> COUNTED_FROM) / s.sizes[there]
        there = beside(there, 1, s.players)


@inlined
def _observe_seat(s: Record, seat: int, out: Any, n: int) -> None:
    out[n] = 1.0
    out[n + 1] = s.turn == seat
    out[n + 2] = s.sizes[seat] / 10
    out[n + 3] = s.missing[seat] / 2
    out[n + 4] = s.owes == seat
    out[n + 5] = s.scores[seat] / 10
    out[n + 6] = s.opener == seat


# --- Positions -----------------------------------------------------------------------------------


class Ends(Form):
    """What every end shows: a half, or `-` for a closed one. Nothing before the start."""

    reads = ("ends",)

    def read(self, key: str, s: Record, value: object) -> None:
        words = words_in(value)
        if words is None:
            raise BadPosition(key, f"must be halves separated by blanks, not {show(value)}.")
        if words and len(words) != ends_of(s):
            raise BadPosition(key, f"there are {ends_of(s)} ends, not {len(words)}.")
        for end in range(ENDS):
            s.ends[end] = self.one(key, s, words[end]) if end < len(words) else NO_END

    def one(self, key: str, s: Record, word: str) -> int:
        if word == NONE and s.options[PHONE]:
            return CLOSED
        if word not in HALVES:
            why = f"there is no half {word!r}; one is a colour and a picture, such as rk or g+2."
            raise BadPosition(key, why if word != NONE else "only with phone an end is closed.")
        return HALVES.index(word)

    def write(self, s: Record) -> str:
        shown = [int(end) for end in s.ends if end != NO_END]
        return " ".join(NONE if end == CLOSED else HALVES[end] for end in shown)

    def same(self, key: str, expected: object, found: object) -> bool:
        return words_in(expected) == str(found).split()


class Tiles(HandsOfBits):
    """Hands that are kept as the ways to put their tiles."""

    def give(self, s: Record, seat: int, card: int) -> None:
        give(s, seat, card)

    def cards(self, s: Record, seat: int) -> list[int]:
        return tiles_of(s, seat)


def tiles_of(s: Record, seat: int) -> list[int]:
    """The tiles of a hand, as far as they are seen."""
    ways = sum(bits << PER_WORD * word for word, bits in enumerate(s.hands[seat].tolist()))
    return places_in(ways & EVERY_TILE)


class Lengths(Form):
    """How many tiles each of the sausage's lines has."""

    reads = ("lengths",)

    def read(self, key: str, s: Record, value: object) -> None:
        numbers = [number_of(one) for one in listed(key, value, "numbers")]
        if not s.options[SAUSAGE]:
            if numbers:
                raise BadPosition(key, "only with sausage there are lines that have lengths.")
            return
        if len(numbers) != ENDS:
            raise BadPosition(key, f"there are {ENDS} lines, not {len(numbers)}.")
        for end, number in enumerate(numbers):
            if number is None or not 0 <= number <= N_TILES:
                raise BadPosition(key, f"must be numbers from 0 to {N_TILES}, not {show(value)}.")
            s.lengths[end] = number

    def write(self, s: Record) -> list[int]:
        return s.lengths.tolist() if s.options[SAUSAGE] else []


class Laid(Form):
    """The chain in the order in which it was laid: the first double, then `ys-rk@1` with the half
    that touches the chain first, or `ys-rk@left` across with the upper half first. A tile without
    a place is somewhere."""

    reads = ("laid", "laid_size")

    def read(self, key: str, s: Record, value: object) -> None:
        words = words_in(value)
        if words is None:
            raise BadPosition(key, f"must be tiles separated by blanks, not {show(value)}.")
        if len(words) > N_TILES:
            raise BadPosition(key, "has more tiles than there are.")
        for i, word in enumerate(words):
            s.laid[i] = self.one(key, s, word, i == 0)
        s.laid_size = len(words)

    def one(self, key: str, s: Record, word: str, first: bool) -> int:
        way, at, place = word.partition("@")
        if way not in WAY_NAMES:
            raise BadPosition(key, f"there is no tile {show(way)}.")
        number = WAY_NAMES.index(way)
        if not at:
            tile = int(TILE_OF[number])
            return START + tile if first and tile < N_DOUBLES else UNPLACED + tile
        if s.options[SAUSAGE] and place in SIDES:
            return ACROSS + N_WAYS * SIDES.index(place) + number
        if place not in [str(end) for end in range(ends_of(s))]:
            raise BadPosition(key, f"there is no place {show('@' + place)}.")
        return PUT + N_WAYS * int(place) + number

    def words(self, s: Record) -> list[str]:
        return [self.word(action) for action in s.laid[: s.laid_size].tolist()]

    def word(self, action: int) -> str:
        if action >= UNPLACED:
            return CARDS[action - UNPLACED]
        way = WAY_NAMES[WAY_OF[action]]
        if action < PUT:
            return way
        return f"{way}@{END_OF[action] if action < ACROSS else SIDES[END_OF[action]]}"

    def write(self, s: Record) -> str:
        return " ".join(self.words(s))

    def view(self, s: Record) -> list[str]:
        return self.words(s)

    def held(self, s: Record) -> Counter[int]:
        return Counter(int(tile_laid(s, i)) for i in range(s.laid_size))

    def same(self, key: str, expected: object, found: object) -> bool:
        """Places are not compared."""
        words = words_in(expected)
        return words is not None and self.tiles(words) == self.tiles(str(found).split())

    def tiles(self, words: list[str]) -> list[str]:
        return [CARDS.known_as(word.partition("@")[0]) for word in words]


class Used(Form):
    """The ends that have had a double in this turn."""

    reads = ("used",)

    def read(self, key: str, s: Record, value: object) -> None:
        for one in listed(key, value, "ends"):
            end = number_of(text_of(one) and str(text_of(one)).removeprefix("@"))
            if end is None or not 0 <= end < ENDS:
                raise BadPosition(key, f"there is no end {show(one)}; ends are 0 to {ENDS - 1}.")
            if s.used >> end & 1:
                raise BadPosition(key, f"names the end {end} twice.")
            s.used |= bit(end)

    def write(self, s: Record) -> list[int]:
        return [end for end in range(ENDS) if s.used >> end & 1]


class Memory(Form):
    """What the table remembers of every hand: `3:rk,gs` of three tiles that fit neither end, and
    `2:doubles` of two that are no doubles (or which ones). Those that have been there longest come
    first, and each excludes what the next one does."""

    reads = ("memory",)

    def read(self, key: str, s: Record, value: object) -> None:
        for seat, one in enumerate(entries(key, value, s.players)):
            words = words_in(one)
            if words is None:
                raise BadPosition(key, f"must be words for seat {seat}, not {show(one)}.")
            if len(words) > KINDS_REMEMBERED:
                raise BadPosition(key, f"has at most {KINDS_REMEMBERED} words for a seat.")
            for i, word in enumerate(words):
                s.memory[seat, i] = self.kind(key, word)
                if i and s.memory[seat, i] & ~s.memory[seat, i - 1] & WHAT:
                    raise BadPosition(key, f"{word!r} excludes more than the word before it.")

    def kind(self, key: str, word: str) -> int:
        count, _, names = word.partition(":")
        number = number_of(count)
        if number is None or not 0 < number <= N_TILES or not names:
            raise BadPosition(key, f"{word!r} does not say how many tiles do not fit what.")
        kind = number * ONE_TILE
        for name in names.split(","):
            if name == "doubles":
                kind |= ALL_DOUBLES
            elif name in HALVES:
                kind |= 1 << HALVES.index(name)
            elif name in CARDS[:N_DOUBLES]:
                kind |= 1 << N_HALVES + CARDS.index(name)
            else:
                raise BadPosition(key, f"{name!r} is neither a half nor a double.")
        return kind

    def write(self, s: Record) -> list[str]:
        return [
            " ".join(self.word(kind) for kind in s.memory[seat].tolist() if kind)
            for seat in range(s.players)
        ]

    def word(self, kind: int) -> str:
        names = [half for end, half in enumerate(HALVES) if kind >> end & 1]
        if kind & ALL_DOUBLES == ALL_DOUBLES:
            names.append("doubles")
        else:
            names += [CARDS[n] for n in range(N_DOUBLES) if kind >> N_HALVES + n & 1]
        return f"{kind >> COUNTED_FROM}:{','.join(names)}"


def free_ends(s: Record) -> list[int]:
    """The ends at which whoever is on turn may put a tile, if it fits."""
    ends = [end for end in range(ends_of(s)) if not s.used >> end & 1]
    return [end for end in ends if open_end(s, end) < N_HALVES]


def wanted(s: Record) -> str:
    """What whoever is on turn may put: a double, to start or after another one, or any tile."""
    after_double = s.begun and not s.options[BLITZ]
    return "double" if after_double or not started(s) else "tile"


def accepted(s: Record) -> list[str]:
    """What fits each end: halves, and `r*` for any super tile of that colour; `-` for nothing."""
    return [_accepted_by(int(open_end(s, end))) for end in range(ends_of(s)) if started(s)]


@cache
def _accepted_by(shown: int) -> str:
    if shown >= N_HALVES:
        return NONE
    end = HALVES[shown]
    halves = [half for half in HALVES if fits(half, (half, half), end)]
    if end[1:] in SPECIAL:
        return " ".join(halves)
    return " ".join([*(half for half in halves if half[1:] in ORDINARY), f"{end[0]}*"])


def points(s: Record) -> list[int | str]:
    """What every hand that is seen would count now."""
    return [
        int(points_of(s, seat)) if len(tiles_of(s, seat)) == s.sizes[seat] else HIDDEN
        for seat in range(s.players)
    ]


def left_out(s: Record) -> int:
    """How many tiles are neither in the chain nor in the bazaar nor in hands."""
    return N_TILES - int(s.laid_size) - int(s.stock_size) - sum(s.sizes[: s.players].tolist())


def interruptible(s: Record) -> bool:
    """Whether somebody may put a tile out of turn, if he has one that fits."""
    return bool(bystanders(s))


KEYS: dict[str, Form] = {
    "turn": Seat("turn"),
    "direction": Direction("direction"),
    "ends": Ends(),
    "lengths": Lengths(),
    "laid": Laid(),
    "free": Derived(free_ends, ("ends", "lengths", "used")),
    "accepts": Derived(accepted, ("ends", "lengths")),
    "wanted": Derived(wanted, ("begun", "ends")),
    "hands": Tiles("hands", "sizes", CARDS),
    "points": Derived(points, ("hands", "sizes")),
    "bazaar": Stack("stock", "stock_size", CARDS),
    "left_out": Derived(left_out, ("laid_size", "stock_size", "sizes")),
    "interruptible": Derived(interruptible, ("ends", "over")),
    "used": Used(),
    "begun": Truth("begun"),
    "missing": Numbers("missing", high=1_000),
    "owes_face": Seat("owes", none=True),
    "memory": Memory(),
    "scores": Numbers("scores", high=16_000),  # and 100 rounds more, in 16 bits
}
REQUIRED = ("hands",)


def settle(s: Record, given: frozenset[str], rest: Counter[int], out: bool) -> None:
    """Completes a record whose keys have been read, or says why there is no such position.

    `rest` are the tiles that no key mentions.
    """
    if not out:
        bury(s, list(rest.elements()))
    if "direction" not in given:
        s.direction = 1
    if "owes_face" not in given:
        s.owes = NOBODY
    _settle_chain(s, given)
    _settle_end(s, given)
    _settle_turn(s, given)
    _settle_memory(s)


def _settle_chain(s: Record, given: frozenset[str]) -> None:
    laid = s.laid[: s.laid_size].tolist()
    if "ends" in given and s.laid_size and not started(s):
        raise BadPosition("laid", "before the start there is no chain.")
    whole = laid and laid[0] < PUT and all(PUT <= action < UNPLACED for action in laid[1:])
    ends, lengths = s.ends.tolist(), s.lengths.tolist()
    if whole:
        s.laid_size = 0
        s.lengths[:] = 0
        s.ends[:] = NO_END
        for action in laid:
            lay(s, action)
    elif laid and "ends" not in given:
        if laid[0] >= PUT:
            raise BadPosition("laid", "begins with the first double, or `ends` must be given.")
        raise BadPosition("ends", "must be given where the chain does not say all places.")
    if "ends" in given or not laid:
        s.ends[:] = ends if "ends" in given else NO_END
    if "lengths" in given:
        s.lengths[:] = lengths
    if not started(s) and s.lengths.any():
        raise BadPosition("lengths", "before the start there are no lines.")
    if abs(s.lengths[0] - s.lengths[1]) > 1 or abs(s.lengths[2] - s.lengths[3]) > 1:
        raise BadPosition("lengths", "the two lines of a side differ by more than a tile.")


def _settle_end(s: Record, given: frozenset[str]) -> None:
    last = int(s.options[ROUNDS])
    if s.round_number > last:
        raise BadPosition("round", f"the match has {last} rounds.")
    ended = [
        ("hands", f"seat {seat} has no tile: the round is over.")
        for seat in range(s.players)
        if s.sizes[seat] == 0
    ]
    if started(s) and is_fish(s):
        closed = s.options[PHONE] and all_closed(s)
        key, why = ("ends", "all are closed") if closed else ("hands", "nobody can put a tile")
        ended.append((key, f"{why}: the round is over."))
    settle_end(s, given, ended, s.round_number >= last, lowest_wins=LOWEST_WINS)


def _settle_turn(s: Record, given: frozenset[str]) -> None:
    if not started(s) and not s.over:
        starter = first_with_double(s)
        if starter == NOBODY:
            raise BadPosition("hands", "nobody has a double to start with.")
        if "turn" in given and s.turn != starter:
            raise BadPosition("turn", f"seat {starter} is the first who can start.")
        s.turn = starter
    elif "turn" not in given:
        s.turn = s.opener
    for key, there in (("used", s.used), ("begun", s.begun), ("owes_face", s.owes != NOBODY)):
        if there and not started(s):
            raise BadPosition(key, "before the start nobody has had a turn.")
    if s.used and (not s.options[PHONE] or s.options[BLITZ]):
        raise BadPosition("used", "only with phone, and not with blitz, ends are used up.")
    if s.used and not s.begun:
        if "begun" in given:
            raise BadPosition("used", "a turn that has not begun has used no ends.")
        s.begun = 1
    if s.begun and not (s.options[BLITZ] or s.options[PHONE]):
        raise BadPosition("begun", "a turn is one tile, unless with blitz or phone.")
    if s.owes != NOBODY and not s.options[FACES]:
        raise BadPosition("owes_face", "only with faces.")
    if s.owes != NOBODY and s.owes != s.turn and not s.over:
        raise BadPosition("owes_face", f"it is seat {s.turn}'s turn.")


def _settle_memory(s: Record) -> None:
    """Nobody remembers what cannot have been."""
    for seat in range(s.players):
        kinds = [kind for kind in s.memory[seat].tolist() if kind]
        if kinds and s.options[OPEN]:
            raise BadPosition("memory", "with open all hands are seen.")
        hand = tiles_of(s, seat)
        for kind in kinds:
            # A tile that may be of the first kind may be of the others, too.
            fine = [tile for tile in hand if not kind & EXCLUDED_BY[tile]]
            count = kind >> COUNTED_FROM
            if len(fine) < count:
                raise BadPosition("memory", f"the hand of seat {seat} is another one.")
            hand = [tile for tile in hand if tile not in fine[:count]]
