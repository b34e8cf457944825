"""Positions in words: the keys of Chi-Chi-Ko, and what completes a position."""

from __future__ import annotations

from collections import Counter

from lastcard.errors import BadPosition
from lastcard.kernel import NOBODY, Record, bit, bury, popcount, rule, wide
from lastcard.kernel.forms import (
    Derived,
    Direction,
    Form,
    HandsOfBits,
    Numbers,
    Seat,
    Stack,
    Told,
    Truth,
    entries,
    listed,
    settle_end,
    words_in,
)
from lastcard.kernel.telling import (
    COLON,
    COMMA,
    LIST,
    LIST_END,
    QUOTE,
    Text,
    next_item,
    next_word,
    put,
    put_hidden,
    put_name,
    put_number,
    put_quoted,
    put_seats,
    put_truth,
    put_word,
    spelled,
)
from lastcard.kernel.texts import NONE, number_of, show, text_of

from .chain import all_closed, ends_of, give, is_fish, lay, open_end, started, tile_laid
from .components import (
    ACROSS,
    BLITZ,
    CARDS,
    CLOSED,
    END_OF,
    ENDS,
    EVERY_TILE,
    FACES,
    HALVES,
    KINDS_REMEMBERED,
    LOWEST_WINS,
    N_DOUBLES,
    N_HALVES,
    N_TILES,
    N_WAYS,
    NO_END,
    OPEN,
    ORDINARY,
    PER_WORD,
    PHONE,
    PUT,
    ROUNDS,
    SAUSAGE,
    SET_WORDS,
    SIDES,
    SPECIAL,
    START,
    TILE_OF,
    UNPLACED,
    WAY_NAMES,
    WAY_OF,
    fits,
)
from .knowledge import ALL_DOUBLES, COUNTED_FROM, EXCLUDED_BY, ONE_TILE, WHAT
from .rules import bystanders, first_with_double, points_of

# --- Positions -----------------------------------------------------------------------------------

END_NAMES = spelled((*HALVES, NONE))  # the last one is CLOSED
TILE_NAMES, LAID_NAMES, SIDE_NAMES = spelled(CARDS), spelled(WAY_NAMES), spelled(SIDES)
EXCLUDED_NAMES = spelled((*HALVES, *CARDS[:N_DOUBLES]))
WANTED = spelled(("double", "tile", "doubles"))
DOUBLE, TILE, ANY_DOUBLES = range(3)
AT = ord("@")


class Ends(Told):
    """What every end shows: a half, or `-` for a closed one. Nothing before the start."""

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

    def same(self, key: str, expected: object, found: object) -> bool:
        return words_in(expected) == str(found).split()


@rule
def tell_ends(s: Record, out: Text) -> None:
    put(out, QUOTE)
    for end in range(ENDS):
        if s.ends[end] != NO_END:
            put_word(out, END_NAMES, s.ends[end])
    put(out, QUOTE)


class Tiles(HandsOfBits):
    """Hands that are kept as the ways to put their tiles."""

    def give(self, s: Record, seat: int, card: int) -> None:
        give(s, seat, card)

    def per_word(self, words: int) -> int:
        return PER_WORD


class Lengths(Told):
    """How many tiles each of the sausage's lines has."""

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


@rule
def tell_lengths(s: Record, out: Text) -> None:
    put(out, LIST)
    if s.options[SAUSAGE]:
        for end in range(ENDS):
            next_item(out)
            put_number(out, s.lengths[end])
    put(out, LIST_END)


class Laid(Told):
    """The chain in the order in which it was laid: the first double, then `ys-rk@1` with the half
    that touches the chain first, or `ys-rk@left` across with the upper half first. A tile without
    a place is somewhere."""

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

    def write(self, told: list[str]) -> str:
        return " ".join(told)

    def held(self, s: Record) -> Counter[int]:
        return Counter(int(tile_laid(s, i)) for i in range(s.laid_size))

    def same(self, key: str, expected: object, found: object) -> bool:
        """Places are not compared."""
        words = words_in(expected)
        return words is not None and self.tiles(words) == self.tiles(str(found).split())

    def tiles(self, words: list[str]) -> list[str]:
        return [CARDS.known_as(word.partition("@")[0]) for word in words]


@rule
def tell_laid(s: Record, out: Text) -> None:
    put(out, LIST)
    for i in range(s.laid_size):
        next_item(out)
        put(out, QUOTE)
        _put_laid(wide(s.laid[i]), out)
        put(out, QUOTE)
    put(out, LIST_END)


@rule
def _put_laid(action: int, out: Text) -> None:
    if action >= UNPLACED:
        put_name(out, TILE_NAMES, action - UNPLACED)
        return
    put_name(out, LAID_NAMES, WAY_OF[action])
    if action >= ACROSS:
        put(out, AT)
        put_name(out, SIDE_NAMES, END_OF[action])
    elif action >= PUT:
        put(out, AT)
        put_number(out, END_OF[action])


class Used(Told):
    """The ends that have had a double in this turn."""

    def read(self, key: str, s: Record, value: object) -> None:
        for one in listed(key, value, "ends"):
            end = number_of(text_of(one) and str(text_of(one)).removeprefix("@"))
            if end is None or not 0 <= end < ENDS:
                raise BadPosition(key, f"there is no end {show(one)}; ends are 0 to {ENDS - 1}.")
            if s.used >> end & 1:
                raise BadPosition(key, f"names the end {end} twice.")
            s.used |= bit(end)


@rule
def tell_used(s: Record, out: Text) -> None:
    put_seats(out, s.used)


class Memory(Told):
    """What the table remembers of every hand: `3:rk,gs` of three tiles that fit neither end, and
    `2:doubles` of two that are no doubles (or which ones). Those that have been there longest come
    first, and each excludes what the next one does."""

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


@rule
def tell_memory(s: Record, out: Text) -> None:
    put(out, LIST)
    for seat in range(s.players):
        next_item(out)
        put(out, QUOTE)
        for i in range(KINDS_REMEMBERED):
            if s.memory[seat, i]:
                next_word(out)
                _put_kind(wide(s.memory[seat, i]), out)
        put(out, QUOTE)
    put(out, LIST_END)


@rule
def _put_kind(kind: int, out: Text) -> None:
    """How many tiles do not fit what."""
    put_number(out, kind >> COUNTED_FROM)
    put(out, COLON)
    names = 0
    for what in range(N_HALVES + N_DOUBLES):
        every = what == N_HALVES and kind & ALL_DOUBLES == ALL_DOUBLES
        if kind >> what & 1:
            if names:
                put(out, COMMA)
            names += 1
            if every:
                put_name(out, WANTED, ANY_DOUBLES)
                return
            put_name(out, EXCLUDED_NAMES, what)


@rule
def tell_free(s: Record, out: Text) -> None:
    """The ends at which the player on turn may put a tile, if it fits."""
    ends = 0
    for end in range(ends_of(s)):
        if not s.used >> end & 1 and open_end(s, end) < N_HALVES:
            ends |= 1 << end
    put_seats(out, ends)


@rule
def tell_wanted(s: Record, out: Text) -> None:
    """What the player on turn may put: a double, to start or after another one, or any tile."""
    after_double = s.begun and not s.options[BLITZ]
    put_quoted(out, WANTED, DOUBLE if after_double or not started(s) else TILE)


def _accepted_by(shown: int) -> str:
    """What fits an end: halves, and `r*` for any super tile of that colour; `-` for nothing."""
    if shown >= N_HALVES:
        return NONE
    end = HALVES[shown]
    halves = [half for half in HALVES if fits(half, (half, half), end)]
    if end[1:] in SPECIAL:
        return " ".join(halves)
    return " ".join([*(half for half in halves if half[1:] in ORDINARY), f"{end[0]}*"])


ACCEPTED = spelled(_accepted_by(shown) for shown in range(NO_END + 1))


@rule
def tell_accepted(s: Record, out: Text) -> None:
    """What fits each end, once there are some."""
    put(out, LIST)
    if started(s):
        for end in range(ends_of(s)):
            next_item(out)
            put_quoted(out, ACCEPTED, open_end(s, end))
    put(out, LIST_END)


@rule
def tell_points(s: Record, out: Text) -> None:
    """What every visible hand would count now."""
    put(out, LIST)
    for seat in range(s.players):
        seen = 0
        for word in range(SET_WORDS):
            seen += popcount(s.hands[seat, word] & EVERY_TILE[word])
        next_item(out)
        if seen == s.sizes[seat]:
            put_number(out, points_of(s, seat))
        else:
            put_hidden(out)
    put(out, LIST_END)


@rule
def tell_left_out(s: Record, out: Text) -> None:
    """How many tiles are neither in the chain nor in the bazaar nor in hands."""
    left = N_TILES - wide(s.laid_size) - wide(s.stock_size)
    for seat in range(s.players):
        left -= s.sizes[seat]
    put_number(out, left)


@rule
def tell_interruptible(s: Record, out: Text) -> None:
    """Whether tiles that fit may be put out of turn now."""
    put_truth(out, bystanders(s) != 0)


HANDS = Tiles("hands", "sizes", CARDS)
KEYS: dict[str, Form] = {
    "turn": Seat("turn"),
    "direction": Direction("direction"),
    "ends": Ends(tell_ends, ("ends",)),
    "lengths": Lengths(tell_lengths, ("lengths",)),
    "laid": Laid(tell_laid, ("laid", "laid_size")),
    "free": Derived(tell_free, ("ends", "lengths", "used")),
    "accepts": Derived(tell_accepted, ("ends", "lengths")),
    "wanted": Derived(tell_wanted, ("begun", "ends")),
    "hands": HANDS,
    "points": Derived(tell_points, ("hands", "sizes")),
    "bazaar": Stack("stock", "stock_size", CARDS),
    "left_out": Derived(tell_left_out, ("laid_size", "stock_size", "sizes")),
    "interruptible": Derived(tell_interruptible, ("ends", "over")),
    "used": Used(tell_used, ("used",)),
    "begun": Truth("begun"),
    "missing": Numbers("missing", high=1_000),
    "owes_face": Seat("owes", none=True),
    "memory": Memory(tell_memory, ("memory",)),
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
    """Refuses memories of what cannot have happened."""
    for seat in range(s.players):
        kinds = [kind for kind in s.memory[seat].tolist() if kind]
        if kinds and s.options[OPEN]:
            raise BadPosition("memory", "with open all hands are seen.")
        hand = HANDS.cards(s, seat)
        for kind in kinds:
            # A tile that may be of the first kind may be of the others, too.
            fine = [tile for tile in hand if not kind & EXCLUDED_BY[tile]]
            count = kind >> COUNTED_FROM
            if len(fine) < count:
                raise BadPosition("memory", f"the hand of seat {seat} is another one.")
            hand = [tile for tile in hand if tile not in fine[:count]]
