"""What Chi-Chi-Ko is made of: tiles, actions, options, events, and the record of a match."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import numpy as np

from lastcard.kernel import Numbered, record
from lastcard.kernel.events import Event, scoring_events
from lastcard.kernel.options import Above, Clash, Flag, Limit, OpenerOption, Option
from lastcard.kernel.texts import DIRECTIONS, Names

TITLE = "Chi-Chi-Ko"
TAGLINE = "Put your tiles to the chain: the same picture, one that beats it, or a super tile."
PLAYERS = (2, 8)
MINUTES = 7  # that a match takes three players, about
DIFFICULTY = 5  # how much there is to learn, from 1 to 5
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


# The set of tiles, which another one can replace. Every tile is there once, doubles come
# first, and the ordinary half of super tiles comes first. Everything else follows from it.
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
WORD_OF = (np.arange(N_WAYS) // PER_WORD).astype(np.int8)
BIT_OF = np.array([1 << way % PER_WORD for way in range(N_WAYS)], np.int64)
TILE_OF = np.array([*range(N_TILES), *range(N_DOUBLES, N_TILES)], np.int8)  # of a way
TOUCHES = np.array([HALVES.index(first) for first, _ in WAYS], np.int8)
SHOWS = np.array([HALVES.index(second) for _, second in WAYS], np.int8)  # its new end


def bits_of(ways: Iterator[int]) -> list[int]:
    words = [0] * SET_WORDS
    for way in ways:
        words[WORD_OF[way]] |= int(BIT_OF[way])
    return words


# By tile: its ways.
WAYS_WITH = np.array(
    [bits_of(way for way in range(N_WAYS) if TILE_OF[way] == tile) for tile in range(N_TILES)],
    np.int64,
)

# What an end shows: a half, or one of these (NO_END: there is none, or not yet).
CLOSED = N_HALVES
NO_END = N_HALVES + 1

# By what an end shows: the ways to put a tile there, and those in which its second half would fit.
FITS = np.zeros((N_HALVES + 2, SET_WORDS), np.int64)
BELOW = np.zeros((N_HALVES + 2, SET_WORDS), np.int64)
for _end, _name in enumerate(HALVES):
    FITS[_end] = bits_of(n for n, way in enumerate(WAYS) if fits(way[0], way, _name))
    BELOW[_end] = bits_of(n for n, way in enumerate(WAYS) if fits(way[1], way, _name))
EVERY_TILE = np.array(bits_of(iter(range(N_TILES))), np.int64)  # the first way to put each
DOUBLES = np.array(bits_of(iter(range(N_DOUBLES))), np.int64)
SUPERS = np.array(bits_of(n for n, tile in enumerate(TILES) if is_super(tile)), np.int64)

UNSHUFFLED = np.arange(N_TILES, dtype=np.int8)

# What a tile that is laid brings: by the picture of its new end, or because it crosses two lines.
effects: Numbered[str] = Numbered()
NO_EFFECT = effects.add("")
PLUS_TWO = effects.add("+2")
PLUS_FOUR = effects.add("+4")
REVERSE = effects.add("v")
SKIP = effects.add("x")
CROSSED = effects.add("across")
EFFECT_OF = np.array(
    [effects.index(half[1:]) if half[1:] in SPECIAL else NO_EFFECT for half in HALVES], np.int8
)
TAKES = np.zeros(len(effects), np.int8)  # tiles, by effect
TAKES[PLUS_TWO], TAKES[PLUS_FOUR], TAKES[CROSSED] = 2, 4, 2

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
actions: Numbered[str] = Numbered()
FACE = actions.add("face")
START = actions.row(f"start {double}" for double in CARDS[:N_DOUBLES])  # + the double
PUT = actions.row(  # + N_WAYS * end + way
    f"put {way} @{end}" for end in range(ENDS) for way in WAY_NAMES
)
CLOSE = actions.row(  # + N_DOUBLES * end + the double
    f"put {double} @{end} closed" for end in range(ENDS) for double in CARDS[:N_DOUBLES]
)
ACROSS = actions.row(  # + N_WAYS * side + way
    f"across {way} {side}" for side in SIDES for way in WAY_NAMES
)
DRAW = actions.add("draw")
PASS = actions.add("pass")
END = actions.add("end")
ACTIONS = tuple(actions)
N_ACTIONS = len(ACTIONS)
# Of the actions that put a tile: which way, and at which end, or on which side across.
_WAY_NUMBERS = {name: way for way, name in enumerate(WAY_NAMES)}
_END_NAMES = tuple(f"@{end}" for end in range(ENDS))
_END_NUMBERS = {name: n for names in (_END_NAMES, SIDES) for n, name in enumerate(names)}
_PUTS = [[*name.split(), "", ""] for name in ACTIONS[:DRAW]]
WAY_OF = np.array([_WAY_NUMBERS.get(way, 0) for _, way, *_ in _PUTS], np.int16)
END_OF = np.array([_END_NUMBERS.get(end, 0) for _, _, end, *_ in _PUTS], np.int8)
# A hand of all tiles, at four ends that take as many as any, and besides closed, or across.
_MOST_WAYS = max(sum(int(word).bit_count() for word in words) for words in FITS)
MOST_LEGAL = (ENDS + N_SIDES) * _MOST_WAYS + 2

# --- Options -------------------------------------------------------------------------------------

options: Numbered[Option] = Numbered()
ROUNDS = options.add(Option("rounds", 5, "how many rounds a match has", 1, 100))
HAND = options.add(
    Limit(
        "hand",
        None,
        "tiles dealt to each, 3 to 7; by default seven, or six with more than six players",
        SMALLEST_HAND,
        LARGEST_HAND,
    )
)
OUT_OF_TURN = options.add(
    Flag("out_of_turn", False, "tiles may be put out of turn, at the price of five more")
)
BLITZ = options.add(Flag("blitz", False, "as many tiles in a turn as you like"))
PHONE = options.add(
    Flag("phone", False, "four ends, several doubles in a turn, and doubles can be closed")
)
SAUSAGE = options.add(Flag("sausage", False, "two lines to each side, and tiles across both"))
OPEN = options.add(Flag("open", False, "everybody sees all hands"))
FACES = options.add(
    Flag("faces", False, "with `open`: make a face when a player is left with three tiles")
)
APOCALYPSE = options.add(
    Flag("apocalypse", False, "some of the tiles are taken out of the game before each deal")
)
OPENER = options.add(OpenerOption())
OPTIONS = tuple(options)


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
_PUT: dict[str, Any] = {"card": WAY_NAMES, "end": _END_NAMES}
counts: Numbered[str] = Numbered()
OF_ORDINARY = counts.add("ordinary")
OF_SUPER = counts.add("super")
events: Numbered[Event] = Numbered()
DEALT = events.add(Event("dealt", "Round {round} is dealt.", values={"round": None}))
LACKED = events.add(
    Event("lacked", "{seat} has no double to start with.", "You have no double to start with.")
)
STARTED = events.add(
    Event("started", "{seat} starts with {card}.", "You start with {card}.", _TILE)
)
WAS_PUT = events.add(Event("put", "{seat} puts {card} at {end}.", "You put {card} at {end}.", _PUT))
WAS_CLOSED = events.add(
    Event(
        "closed",
        "{seat} puts {card} at {end} and closes it.",
        "You put {card} at {end} and close it.",
        _PUT,
    )
)
WAS_ACROSS = events.add(
    Event(
        "across",
        "{seat} puts {card} across, {side}.",
        "You put {card} across, {side}.",
        {"card": WAY_NAMES, "side": SIDES},
    )
)
INTERRUPTED = events.add(
    Event(
        "interrupted",
        "{seat} puts {card} at {end}, out of turn!",
        "You put {card} at {end}, out of turn!",
        _PUT,
    )
)
DREW = events.add(
    Event(
        "drew", "{seat} draws {card}.", "You draw {card}.", veiled="{seat} draws {count}.", **_DREW
    )
)
TOOK = events.add(
    Event(
        "took", "{seat} takes {card}.", "You take {card}.", veiled="{seat} takes {count}.", **_DREW
    )
)
MISSES = events.add(
    Event(
        "misses",
        "{seat} is to miss {turns} turns.",
        "You are to miss {turns} turns.",
        {"turns": None},
    )
)
MISSED = events.add(Event("missed", "{seat} misses a turn.", "You miss a turn."))
TURNED = events.add(Event("turned", "Play turns {direction}.", values={"direction": DIRECTIONS}))
PASSED = events.add(Event("passed", "{seat} passes.", "You pass."))
ENDED = events.add(Event("ended", "{seat} stops there.", "You stop there."))
STUCK = events.add(
    Event("stuck", "{seat} has nothing to go on with.", "You have nothing to go on with.")
)
STOPPED = events.add(
    Event("stopped", "That tile ends the turn of {seat}.", "That tile ends your turn.")
)
OWES = events.add(Event("owes", "{seat} must make a face.", "You must make a face."))
MADE_FACE = events.add(Event("face", "{seat} makes a face.", "You make a face."))
FORGOT = events.add(Event("forgot", "{seat} made no face!", "You made no face!"))
OUT = events.add(
    Event("out", "{seat} has no tile left and wins the round.", "You are out and win the round.")
)
FISH = events.add(Event("fish", "A fish: nobody can put a tile."))
CLOSED_ALL = events.add(Event("closed_all", "A fish: all ends are closed."))
FEWEST = events.add(
    Event(
        "fewest",
        "{seat} has the fewest points and wins the round.",
        "You have the fewest points and win the round.",
    )
)
SHOWED, COUNTED, SCORED, WON = (
    events.add(one) for one in scoring_events(CARDS, tuple(counts), "{times}{what}: {points}")
)
EVENTS = tuple(events)

# --- The record ----------------------------------------------------------------------------------

SEATS = PLAYERS[1]
KINDS_REMEMBERED = 6  # of tiles in each hand: see "Memory" in knowledge.py
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
        ("memory", np.int64, (SEATS, KINDS_REMEMBERED)),  # of each hand
    ],
)
