"""What every game's rules are made of: the `@rule` decorator, records, seats, chance, events.

A match is one NumPy record, the same bytes in the interpreter, in compiled code and on a GPU.
Rules are plain loops over that record; they allocate nothing and never fail.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from functools import partial, wraps
from operator import itemgetter, methodcaller
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias, TypeVar, overload

import numba
import numpy as np
from numba.core import cgutils
from numba.core.dispatcher import Dispatcher
from numba.extending import intrinsic

Record: TypeAlias = Any  # a NumPy record: its fields differ from game to game
Log: TypeAlias = Any  # int32 array of shape (rows, LOG_COLUMNS), or (0, LOG_COLUMNS) for no log
Rng: TypeAlias = Any  # uint64 array of one element: the state of a rollout's own generator
F = TypeVar("F", bound=Callable[..., Any])


# --- Compiling -----------------------------------------------------------------------------------


def _digest(*files: str, extra: Sequence[str] = ()) -> str:
    """Twelve digits that change whenever one of the files does."""
    content = [Path(file).read_bytes() for file in files] + [text.encode() for text in extra]
    return hashlib.sha256(b"".join(content)).hexdigest()[:12]


def _cache_folder() -> str:
    """Where compiled code is kept: always a folder that the user may write.

    Numba notices a change in a function's own file only, but all rules have parts of this file
    compiled into them. So each version of this file has a folder of its own.
    """
    base = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    base = base or os.path.join(os.path.expanduser("~"), ".cache")
    folder = os.path.join(base, "lastcard", _digest(__file__))
    try:
        os.makedirs(folder, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return tempfile.mkdtemp(prefix="lastcard-")


_PLAIN_PYTHON = bool(numba.config.DISABLE_JIT)
_CACHE = _cache_folder()
_lock = threading.RLock()


@overload
def rule(function: F) -> F: ...
@overload
def rule(function: str) -> Callable[[F], F]: ...
def rule(function: Any) -> Any:
    """Compiles a rule: no exceptions for arithmetic, no GIL, kept on disk from one run to the next.

    Small helpers that many rules call with all kinds of integers are given their types, as
    `@rule("int64(int64)")`, so that they are compiled once and not for every kind.
    With NUMBA_DISABLE_JIT=1 the function stays what it is, and gives the same bytes.
    """
    if isinstance(function, str):
        return partial(_compile, types=[function])
    return _compile(function)


def inlined(function: F) -> F:
    """A part of a rule, compiled into whatever calls it: faster than a call, and than compiling
    it by itself. For what is called from one or two places."""
    return _compile(function, inline=True)


def rule_with_scratch(function: F) -> F:
    """A rule that makes arrays for its own use, as `guess` may: they cost a little, see below."""
    return _compile(function, scratch=True)


def _compile(
    function: F, types: Sequence[str] = (), scratch: bool = False, inline: bool = False
) -> F:
    if _PLAIN_PYTHON:
        return _interpreted(function)
    bound = function.__globals__.get("__bound__")
    if bound:
        function.__qualname__ += f"-{bound}"  # Numba's cache goes by this name
    with _lock:
        # The folder is Numba's own setting: other packages in this process keep theirs.
        theirs, numba.config.CACHE_DIR = numba.config.CACHE_DIR, _CACHE
        try:
            # Without the run time (`_nrt`) nothing can be allocated, and no references to arrays
            # are counted: that would take longer than most rules.
            compiled = numba.njit(
                *types,
                cache=True,
                nogil=True,
                error_model="numpy",
                inline="always" if inline else "never",
                _nrt=scratch,
            )(function)
        finally:
            numba.config.CACHE_DIR = theirs
    template = compiled.get_call_template
    compiled.get_call_template = lambda args, kws: template([*map(_wide, args)], kws)
    return compiled


def _interpreted(function: F) -> F:
    """Plain Python takes fields of a record as plain integers, as compiled rules do: an int8 of
    NumPy's would run over."""

    @wraps(function)
    def rule(*args: Any) -> Any:
        return function(*[int(one) if isinstance(one, np.signedinteger) else one for one in args])

    return rule  # type: ignore[return-value]


def _wide(type: Any) -> Any:
    """Other rules call a rule with plain integers only: it is not compiled for every width, and
    not for every constant, either."""
    type = numba.types.unliteral(type)
    narrow = isinstance(type, numba.types.Integer) and type.signed
    return numba.types.int64 if narrow else type


def allow_gpu(rules: ModuleType) -> None:
    """Lets `numba.cuda` compile the helpers whose types are given, here and in a game's file; to be
    called before it does."""
    for helper in [*globals().values(), *vars(rules).values()]:
        if isinstance(helper, Dispatcher):
            helper.disable_compile(False)


def bind(template: str, **parts: ModuleType) -> ModuleType:
    """The module `template`, loaded once more with globals set to the modules given.

    Code that is written once for all games and compiled together with each game's rules (random
    play, search) lives in such a template: a module whose functions call `rules.legal` and so on,
    bound as `bind("lastcard.sim.selfplay", rules=chiko)`. Functions made inside functions would be
    compiled anew in every process. These are not, and as their names hold a digest of all that is
    bound, a change in a game never meets code compiled with the game as it was.
    """
    names = [part.__name__ for part in parts.values()]  # of a bound part: with its own digest
    digest = _digest(__file__, *(str(part.__file__) for part in parts.values()), extra=names)
    bound = f"{parts['rules'].__name__.rpartition('.')[2]}_{digest}"
    name = f"{template}_{bound}"
    with _lock:
        if name not in sys.modules:
            original = importlib.util.find_spec(template)
            assert original and original.origin
            spec = importlib.util.spec_from_file_location(name, original.origin)
            assert spec and spec.loader
            module = importlib.util.module_from_spec(spec)
            module.__dict__["__bound__"] = bound
            sys.modules[name] = module
            spec.loader.exec_module(module)
            module.__dict__.update(parts)
        return sys.modules[name]


# --- The record ----------------------------------------------------------------------------------

UNKNOWN = -1  # a card that this record's reader may not know
NOBODY = -1  # no seat; as an observer: a spectator
CHANCE = 15  # the pseudo-seat that rolls dice; seats are 0 to 14
WORDS = 16  # 32-bit words in one block of chance
MOST_CARDS = 127  # in a deck: what a hand's size, an int8, can count, and a shuffle takes

_HEADER: list[tuple[Any, ...]] = [
    ("key", np.uint32, (8,)),  # the match's secret: all its shuffles follow from it
    ("block", np.uint32, (WORDS,)),  # scratch for one block of chance; zeros between actions
    ("counter", np.int64),  # the next block of this round's chance
    ("round_number", np.int16),  # 1 for the first deal
    ("winners", np.int16),  # bits of seats, 0 before the end
    ("players", np.int8),
    ("opener", np.int8),  # who opens this round
    ("over", np.int8),  # 1 when the match is over
]


def record(seats: int, options: int, fields: Sequence[tuple[Any, ...]]) -> np.dtype[Any]:
    """The layout of a game's record: what all games have, then the game's own fields.

    Wide fields come first and named bytes fill it up at the end, so that no byte is without a
    name: NumPy does not copy such bytes, and equal matches must have equal bytes.
    """
    shared = [*_HEADER, ("options", np.int16, (options,)), ("scores", np.int16, (seats,))]
    layout = sorted([*shared, *fields], key=lambda one: -np.dtype(one[1]).itemsize)
    for name, *_ in layout:
        assert not hasattr(np.void, name), f"NumPy's records have a method called {name}"
    size = np.dtype(layout).itemsize
    layout.append(("filling", np.int8, (-size % 8 or 8,)))
    plain = np.dtype(layout, align=True)
    # In plain Python a field of `np.record` takes seven times as long to find as a property.
    members: dict[str, Any] = {name: _field(name) for name in plain.names or ()}
    # Numba finds a record's memory by this attribute; NumPy's own first describes every field.
    members["data"] = property(methodcaller("getfield", np.dtype((np.uint8, plain.itemsize)), 0))
    # Where a pickle finds the class again: every game calls its layout RECORD.
    members["__module__"] = sys._getframe(1).f_globals["__name__"]
    members["__qualname__"] = "RECORD.type"
    return np.dtype((type("Row", (np.void,), members), plain))


def _field(name: str) -> property:
    def change(s: Record, value: Any) -> None:
        s[name] = value

    return property(itemgetter(name), change)


@rule
def set_up(s: Record, players: int, options: Any) -> None:
    """What every new match starts with. Of the record as it is only the key counts."""
    s.players = players
    s.round_number = 0
    s.counter = 0
    s.over = 0
    s.winners = 0
    for i in range(len(s.options)):
        s.options[i] = options[i]
    for seat in range(len(s.scores)):
        s.scores[seat] = 0


@rule("int64(int64)")
def wide(number: int) -> int:
    """A field's small integer as a plain one, for sums and shifts that go beyond its kind."""
    return number


# --- Seats ---------------------------------------------------------------------------------------


@rule("int64(int64)")
def bit(seat: int) -> int:
    """One seat as a set of seats."""
    return 1 << seat


@rule("int64(int64)")
def everybody(players: int) -> int:
    """All seats as a set."""
    return bit(players) - 1


@intrinsic  # type: ignore[untyped-decorator]
def _trailing_zeros(context: Any, number: Any) -> Any:
    """The processor's own instruction, for which Numba has no name."""

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], cgutils.true_bit)

    return numba.types.int64(numba.types.int64), lower


@rule("int64(int64)")
def lowest(set: int) -> int:
    """The first of a set that is not empty: the place of its lowest bit."""
    if _PLAIN_PYTHON:
        return (int(set) & -int(set)).bit_length() - 1
    return _trailing_zeros(set)


@rule
def nobody(s: Record) -> int:
    """The `bystanders` of a game in which nobody acts without being waited for."""
    return 0


@intrinsic  # type: ignore[untyped-decorator]
def _ones(context: Any, number: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return numba.types.int64(numba.types.int64), lower


@rule("int64(int64)")
def count_of(set: int) -> int:
    """How many a set has: its bits that are 1."""
    if _PLAIN_PYTHON:
        return int(set).bit_count()
    return _ones(set)


@rule("int64(int64, int64, int64)")
def beside(seat: int, direction: int, players: int) -> int:
    """The next seat: clockwise with direction 1, counter-clockwise with -1."""
    seat += direction
    if seat == players:
        return 0
    return seat if seat >= 0 else players - 1


# --- Chance: ChaCha8, keyed by the match ---------------------------------------------------------
#
# Block: RFC 8439's quarter round, 8 rounds, 256-bit key, 64-bit counter, 64-bit nonce. The nonce
# is the round's number (low word) and what the block is for (high word). Every shuffle and every
# pick begins with a fresh block and throws away what it leaves of its last one, so that between
# actions the counter is all there is to know.

SHUFFLES = 0
DICE = 1
POSITIONS = 2
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_TWO_32 = np.uint64(1 << 32)


@rule("uint32(uint32, uint32)")
def _add(a: Any, b: Any) -> Any:
    return np.uint32((np.uint64(a) + np.uint64(b)) & _LOW)


@rule("uint32(uint32, int64)")
def _rotate(a: Any, left: int) -> Any:
    wide = np.uint64(a)
    return np.uint32(((wide << np.uint64(left)) | (wide >> np.uint64(32 - left))) & _LOW)


@rule
def _quarter(a: Any, b: Any, c: Any, d: Any) -> tuple[Any, Any, Any, Any]:
    a = _add(a, b)
    d = _rotate(d ^ a, 16)
    c = _add(c, d)
    b = _rotate(b ^ c, 12)
    a = _add(a, b)
    d = _rotate(d ^ a, 8)
    c = _add(c, d)
    b = _rotate(b ^ c, 7)
    return a, b, c, d


@rule
def chacha8(key: Any, counter: int, nonce: int, purpose: int, out: Any) -> None:
    """Writes one block of 16 words to `out`."""
    i0, i1, i2, i3 = (
        np.uint32(0x61707865),
        np.uint32(0x3320646E),
        np.uint32(0x79622D32),
        np.uint32(0x6B206574),
    )
    i12 = np.uint32(np.uint64(counter) & _LOW)
    i13 = np.uint32(np.uint64(counter) >> np.uint64(32))
    i14, i15 = np.uint32(nonce), np.uint32(purpose)
    x0, x1, x2, x3 = i0, i1, i2, i3
    x4, x5, x6, x7 = key[0], key[1], key[2], key[3]
    x8, x9, x10, x11 = key[4], key[5], key[6], key[7]
    x12, x13, x14, x15 = i12, i13, i14, i15
    for _ in range(4):
        x0, x4, x8, x12 = _quarter(x0, x4, x8, x12)
        x1, x5, x9, x13 = _quarter(x1, x5, x9, x13)
        x2, x6, x10, x14 = _quarter(x2, x6, x10, x14)
        x3, x7, x11, x15 = _quarter(x3, x7, x11, x15)
        x0, x5, x10, x15 = _quarter(x0, x5, x10, x15)
        x1, x6, x11, x12 = _quarter(x1, x6, x11, x12)
        x2, x7, x8, x13 = _quarter(x2, x7, x8, x13)
        x3, x4, x9, x14 = _quarter(x3, x4, x9, x14)
    out[0], out[1], out[2], out[3] = _add(x0, i0), _add(x1, i1), _add(x2, i2), _add(x3, i3)
    out[4], out[5] = _add(x4, key[0]), _add(x5, key[1])
    out[6], out[7] = _add(x6, key[2]), _add(x7, key[3])
    out[8], out[9] = _add(x8, key[4]), _add(x9, key[5])
    out[10], out[11] = _add(x10, key[6]), _add(x11, key[7])
    out[12], out[13] = _add(x12, i12), _add(x13, i13)
    out[14], out[15] = _add(x14, i14), _add(x15, i15)


@rule
def _next_block(s: Record, purpose: int) -> None:
    chacha8(s.key, s.counter, s.round_number, purpose, s.block)
    s.counter += 1


@rule
def _wipe_block(s: Record) -> None:
    for i in range(WORDS):
        s.block[i] = 0


@rule("boolean(uint64, uint64)")
def _fair(low: Any, n: Any) -> bool:
    """Whether a word may be used: the few that would favour small numbers are passed over.

    For a word w, `low` is w * n mod 2**32. The second test is the exact one; the first spares
    its division nearly always.
    """
    return low >= n or low >= _TWO_32 % n


@rule
def _below(s: Record, n: int, purpose: int) -> int:
    """A number below n: the upper half of word * n, from the first word that is fair."""
    while True:
        _next_block(s, purpose)
        for i in range(WORDS):
            product = np.uint64(s.block[i]) * np.uint64(n)
            if _fair(product & _LOW, np.uint64(n)):
                _wipe_block(s)
                return np.int64(product >> _HALF)  # type: ignore[return-value]


@rule
def shuffle(s: Record, cards: Any, n: int) -> None:
    """Shuffles the first n cards of an array with this round's chance."""
    _shuffle(s, cards, n, SHUFFLES)


@rule
def shuffle_rest(s: Record, cards: Any, n: int) -> None:
    """Shuffles cards that a position leaves open, without touching the round's chance."""
    counter = s.counter
    _shuffle(s, cards, n, POSITIONS)
    s.counter = counter


@rule
def _shuffle(s: Record, cards: Any, n: int, purpose: int) -> None:
    """From the last place to the first (Fisher-Yates).

    One word is fair for four places at once: the number below a * b * c * d that it gives has
    four digits, one below each. (With MOST_CARDS that product is far below 2**32, as it must be.)
    """
    left = n - 1  # the place to be filled next; place 0 fills itself
    while left > 0:
        _next_block(s, purpose)
        word = 0
        while word < WORDS and left > 0:
            a = np.uint64(left + 1)
            b = np.uint64(max(left, 1))
            c = np.uint64(max(left - 1, 1))
            d = np.uint64(max(left - 2, 1))
            first = np.uint64(s.block[word]) * a
            second = (first & _LOW) * b
            third = (second & _LOW) * c
            fourth = (third & _LOW) * d
            word += 1
            if _fair(fourth & _LOW, a * b * c * d):
                _swap(cards, left, first >> _HALF)
                _swap(cards, max(left - 1, 0), second >> _HALF)
                _swap(cards, max(left - 2, 0), third >> _HALF)
                _swap(cards, max(left - 3, 0), fourth >> _HALF)
                left -= 4
    _wipe_block(s)


@rule
def _swap(cards: Any, i: int, j: Any) -> None:
    kept = cards[i]
    cards[i] = cards[j]
    cards[j] = kept


@rule
def pick(s: Record, n: int) -> int:
    """A number below n from this round's chance."""
    return _below(s, n, SHUFFLES)


@rule
def toss(s: Record, n: int) -> int:
    """A number below n for the seat `chance`, from the key; leaves the record as it was.

    The dice are an action like any other, so what draws them may not count as a change.
    """
    counter = s.counter
    number = _below(s, n, DICE)
    s.counter = counter
    return number


@rule
def pick_opener(s: Record, wish: int) -> int:
    """Who opens the first round: the seat the option says, or one drawn from the key as round 0."""
    if wish != NOBODY:
        return wish
    return pick(s, np.int64(s.players))  # type: ignore[arg-type]


@rule
def next_round(s: Record) -> None:
    """The chance of a round starts anew with it."""
    s.round_number += 1
    s.counter = 0


@rule
def hide_chance(s: Record) -> None:
    for i in range(8):
        s.key[i] = 0
    s.counter = 0


@rule
def guess_chance(s: Record, rng: Rng) -> None:
    """Gives a hidden record a key of its own, so that a guessed match can go on."""
    for i in range(8):
        s.key[i] = np.uint32(random(rng))


# --- The small generator for rollouts and guesses, outside the record ----------------------------


@rule("uint64(uint64[::1])")
def random(rng: Rng) -> int:
    """The next 32 bits (xorshift64, upper half)."""
    x = rng[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    rng[0] = x
    return x >> np.uint64(32)


@rule("int64(uint64[::1], int64)")
def random_below(rng: Rng, n: int) -> int:
    """A number below n; the bias of less than n / 2**32 does not matter to a rollout."""
    return np.int64((random(rng) * np.uint64(n)) >> np.uint64(32))  # type: ignore[return-value]


@rule
def random_shuffle(rng: Rng, cards: Any, n: int) -> None:
    for i in range(n - 1, 0, -1):
        j = random_below(rng, i + 1)
        cards[i], cards[j] = cards[j], cards[i]


MOST_PLACES = 63  # that cards can be dealt to by `deal_fitting`: sets of places are bits


@rule
def deal_fitting(
    rng: Rng, fits: Any, order: Any, count: int, room: Any, places: int, where: Any, scratch: Any
) -> bool:
    """Deals cards to places that have room for just so many; says whether that is possible.

    `fits` has for each card the places that it may go to, as bits, `order` the order in which the
    cards are dealt. A card goes to a place by chance, the more likely the more room there is; where
    all that it fits are full, others make room by moving on (augmenting paths), so that a deal is
    found whenever there is one. `where` has the place of every card then, and `room` what is left.
    `scratch` has room for two numbers per place.
    """
    mover, queue = scratch[:places], scratch[places:]
    for dealt in range(count):
        card = order[dealt]
        total = 0
        for place in range(places):
            total += room[place] * (fits[card] >> place & 1)
        if total > 0:
            which = random_below(rng, total)
            place = 0
            while True:
                which -= room[place] * (fits[card] >> place & 1)
                if which < 0:
                    break
                place += 1
            where[card] = place
            room[place] -= 1
        elif not _make_room(fits, order, dealt, room, places, where, mover, queue):
            return False
    return True


@rule
def _make_room(
    fits: Any, order: Any, dealt: int, room: Any, places: int, where: Any, mover: Any, queue: Any
) -> bool:
    """Breadth-first: which card could go to a place, from there which to another, up to a free one.

    `mover` is the card that would go to each place that was reached.
    """
    card = order[dealt]
    reached = 0
    head, tail = 0, 0
    for place in range(places):
        if fits[card] >> place & 1:
            mover[place] = card
            queue[tail] = place
            tail += 1
            reached |= 1 << place
    while head < tail:
        place = queue[head]
        head += 1
        if room[place] > 0:
            room[place] -= 1
            while mover[place] != card:
                moved = mover[place]
                left = where[moved]
                where[moved] = place
                place = left
            where[card] = place
            return True
        for i in range(dealt):
            other = order[i]
            if where[other] == place:
                for target in range(places):
                    if (fits[other] & ~reached) >> target & 1:
                        mover[target] = other
                        queue[tail] = target
                        tail += 1
                        reached |= 1 << target
    return False


# --- A stock: the first `stock_size` of `stock` are there, the last of these is on top ------------


@inlined
def take(s: Record) -> int:
    """The top card of the stock."""
    s.stock_size -= 1
    card = s.stock[s.stock_size]
    s.stock[s.stock_size] = 0
    return wide(card)


@inlined
def put_back(s: Record, card: int) -> None:
    """Puts a card into the stock at a random place."""
    place = pick(s, s.stock_size + 1)
    for i in range(s.stock_size, place, -1):
        s.stock[i] = s.stock[i - 1]
    s.stock[place] = card
    s.stock_size += 1


def bury(s: Record, cards: list[int]) -> None:
    """Puts cards that a position leaves open under the stock, in an order drawn from the key."""
    listed = [int(card) for card in s.stock[: s.stock_size]]
    s.stock[: len(cards)] = cards
    shuffle_rest(s, s.stock, len(cards))
    s.stock[len(cards) : len(cards) + len(listed)] = listed
    s.stock_size = len(cards) + len(listed)


# --- Legal actions -------------------------------------------------------------------------------


@rule("int64(int16[::1], int64, int64, boolean)")
def offer(out: Any, n: int, action: int, can: bool) -> int:
    """Writes an action down as the n-th, and keeps it by counting it: cheaper than asking first."""
    out[n] = action
    return n + can


# --- Events --------------------------------------------------------------------------------------
#
# A log is an int32 array. Its first row holds the number of events; every other row is one event:
# kind, seat, eyes (the seats that may see its secret values, as bits), then the values.

LOG_COLUMNS = 6
LOG_VALUES = 3  # the column of the first value
PUBLIC = (1 << CHANCE) - 1


@rule("void(int32[:, ::1], int64, int64, int64, int64, int64, int64)")
def _write(log: Log, kind: int, seat: int, eyes: int, a: int, b: int, c: int) -> None:
    if log[0, 0] + 1 >= log.shape[0]:
        return
    log[0, 0] += 1
    row = log[0, 0]
    log[row, 0] = kind
    log[row, 1] = seat
    log[row, 2] = eyes
    log[row, LOG_VALUES] = a
    log[row, LOG_VALUES + 1] = b
    log[row, LOG_VALUES + 2] = c


@rule("void(int32[:, ::1], int64, int64, int64, int64, int64, int64)")
def emit(log: Log, kind: int, seat: int, eyes: int, a: int, b: int, c: int) -> None:
    """Writes an event, if there is room for it."""
    if log.shape[0] > 0:  # apart, so that this much is compiled into the rules, and costs nothing
        _write(log, kind, seat, eyes, a, b, c)


@inlined
def show_hand(s: Record, seat: int, kinds: int, event: int, log: Log) -> None:
    """An event for every card of a hand, for everybody to see."""
    if log.shape[0] > 0:
        for card in range(kinds):
            for _ in range(s.hands[seat, card]):
                emit(log, event, seat, PUBLIC, card, 0, 0)


# --- The end of a match --------------------------------------------------------------------------


@rule
def finish(s: Record, lowest_wins: bool) -> None:
    """The match is over; every best player is a winner."""
    sign = -1 if lowest_wins else 1
    best = sign * s.scores[0]
    for seat in range(1, s.players):
        best = max(best, sign * s.scores[seat])
    s.winners = 0
    for seat in range(s.players):
        if sign * s.scores[seat] == best:
            s.winners |= bit(seat)
    s.over = 1


@inlined
def tell_winners(s: Record, event: int, log: Log) -> None:
    """An event for every winner, with the score."""
    for seat in range(s.players):
        if s.winners & bit(seat):
            emit(log, event, seat, PUBLIC, s.scores[seat], 0, 0)
