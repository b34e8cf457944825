"""The keys of positions.

A position is a mapping that a person can write by hand. Each key of it has a form, which reads
the text into the record, and says how rules tell its value (telling.py). Views have that value,
with `?` for what is unknown, and positions are written from the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lastcard.errors import BadPosition

from .compiling import Record
from .records import MOST_CARDS, finish
from .seats import NOBODY
from .sheets import Sheet, Telling
from .telling import (
    CARD,
    CARDS,
    CARDS_OF_BITS,
    DIRECTION,
    HANDS,
    HANDS_OF_BITS,
    NAMED,
    NUMBER,
    NUMBERS,
    ONE_PER_SEAT,
    SEAT,
    SEATS,
    SLOTS,
    STACK,
    STACKS,
    TRUTH,
    Row,
)
from .texts import DIRECTIONS, HIDDEN, NONE, flag_of, known_as, number_of, show, text_of

FEW = 20  # names of cards that a sentence may list


class Form:
    """One key of a position. `ordered` says whether the order of its cards matters.

    A `derived` key follows from the others: it is in views, and scenarios may expect it, but
    positions do not have it.
    """

    ordered = True
    derived = False

    @property
    def reads(self) -> tuple[str, ...]:
        """The fields that its view is made from; none if that is not said, and may be any."""
        return ()

    def read(self, key: str, s: Record, value: object) -> None:
        raise NotImplementedError

    def row(self, sheet: Sheet) -> Row:
        """How compiled code tells it."""
        raise TypeError(f"{type(self).__name__} does not say how it is told.")

    def write(self, told: Any) -> Any:
        """A value as it is told, as positions have it."""
        return told

    def held(self, s: Record) -> Counter[int]:
        """The cards that this key accounts for."""
        return Counter()

    def same(self, key: str, expected: object, found: object) -> bool:
        """Whether the text of a scenario means the value that a position has."""
        if isinstance(found, bool):
            return flag_of(expected) == found
        if isinstance(found, list):
            return (
                isinstance(expected, list)
                and len(expected) == len(found)
                and all(self.same(key, *pair) for pair in zip(expected, found, strict=True))
            )
        text = text_of(expected)
        if text is None or not isinstance(found, str):
            return text == text_of(found)
        names = getattr(self, "names", ())
        wanted, there = [known_as(word, names) for word in text.split()], found.split()
        if wanted == [NONE]:
            return there in ([], [NONE])
        return wanted == there if self.ordered else Counter(wanted) == Counter(there)


@dataclass(frozen=True)
class OfField(Form):
    """A form whose view is made from one field."""

    field: str

    @property
    def reads(self) -> tuple[str, ...]:
        return (self.field,)


@dataclass(frozen=True)
class Told(Form):
    """A key that a rule of the game tells, from the record or from the fields that are named."""

    telling: Telling
    fields: tuple[str, ...] = ()

    @property
    def reads(self) -> tuple[str, ...]:
        return self.fields

    def row(self, sheet: Sheet) -> Row:
        return sheet.told_by(self.telling)


class Derived(Told):
    """What a rule makes of the record."""

    derived = True


@dataclass(frozen=True)
class Number(OfField):
    low: int = 0
    high: int = 32_000

    def read(self, key: str, s: Record, value: object) -> None:
        s[self.field] = self.one(key, value)

    def one(self, key: str, value: object) -> int:
        number = number_of(value)
        if number is None or not self.low <= number <= self.high:
            raise BadPosition(
                key, f"must be a whole number from {self.low} to {self.high}, not {show(value)}."
            )
        return number

    def row(self, sheet: Sheet) -> Row:
        return sheet.field(NUMBER, self.field)


@dataclass(frozen=True)
class Numbers(Number):
    """A number for every seat."""

    def read(self, key: str, s: Record, value: object) -> None:
        for seat, one in enumerate(entries(key, value, s.players)):
            s[self.field][seat] = self.one(key, one)

    def row(self, sheet: Sheet) -> Row:
        return sheet.field(NUMBERS, self.field)


@dataclass(frozen=True)
class Seat(OfField):
    """A seat, or `-` for none where the rules allow it."""

    none: bool = False

    def read(self, key: str, s: Record, value: object) -> None:
        nobody = self.none and text_of(value) == NONE
        s[self.field] = NOBODY if nobody else seat_of(key, value, s.players)

    def row(self, sheet: Sheet) -> Row:
        return sheet.field(SEAT, self.field)


@dataclass(frozen=True)
class Seats(OfField):
    """A list of seats, kept as bits."""

    def read(self, key: str, s: Record, value: object) -> None:
        bits = 0
        for one in listed(key, value, "seats"):
            seat = seat_of(key, one, s.players)
            if bits >> seat & 1:
                raise BadPosition(key, f"names seat {seat} twice.")
            bits |= 1 << seat
        s[self.field] = bits

    def row(self, sheet: Sheet) -> Row:
        return sheet.field(SEATS, self.field)

    def same(self, key: str, expected: object, found: object) -> bool:
        wanted = [] if text_of(expected) == NONE else expected
        if not isinstance(wanted, list) or not isinstance(found, list):
            return False
        return sorted(map(str, wanted)) == sorted(map(str, found))


@dataclass(frozen=True)
class Truth(OfField):
    """True or false."""

    def read(self, key: str, s: Record, value: object) -> None:
        flag = flag_of(value)
        if flag is None:
            raise BadPosition(key, f"must be true or false, not {show(value)}.")
        s[self.field] = flag

    def row(self, sheet: Sheet) -> Row:
        return sheet.field(TRUTH, self.field)


@dataclass(frozen=True)
class Named(OfField):
    """One of a few names, kept as its number; or `-` for none where the rules allow it."""

    names: Sequence[str]
    none: bool = False

    def read(self, key: str, s: Record, value: object) -> None:
        text = text_of(value)
        if self.none and text == NONE:
            s[self.field] = NOBODY
        elif text in self.names:
            s[self.field] = self.names.index(text)
        else:
            names = [*self.names, NONE] if self.none else self.names
            raise BadPosition(key, f"must be one of {' '.join(names)}, not {show(value)}.")

    def row(self, sheet: Sheet) -> Row:
        return sheet.field(NAMED, self.field, self.names)


@dataclass(frozen=True)
class Direction(OfField):
    """Clockwise or counter-clockwise, kept as 1 and -1."""

    def read(self, key: str, s: Record, value: object) -> None:
        text = text_of(value)
        if text not in DIRECTIONS:
            raise BadPosition(key, f"must be one of {' '.join(DIRECTIONS)}, not {show(value)}.")
        s[self.field] = -1 if DIRECTIONS.index(text) else 1

    def row(self, sheet: Sheet) -> Row:
        return sheet.field(DIRECTION, self.field)


@dataclass(frozen=True)
class Card(OfField):
    """One card; `counted` if it is not only a value but lies there."""

    names: Sequence[str]
    counted: bool = False

    def read(self, key: str, s: Record, value: object) -> None:
        s[self.field] = card_of(key, text_of(value), self.names)

    def row(self, sheet: Sheet) -> Row:
        return sheet.field(CARD, self.field, self.names)

    def held(self, s: Record) -> Counter[int]:
        return Counter({int(s[self.field]): 1} if self.counted else {})


@dataclass(frozen=True)
class Cards(OfField):
    """Cards in no order that do not lie anywhere, such as a set that is remembered."""

    names: Sequence[str]
    ordered = False

    def read(self, key: str, s: Record, value: object) -> None:
        counts = Counter(cards_of(key, value, self.names))
        for card, count in counts.items():
            s[self.field][card] = min(count, MOST_CARDS)

    def row(self, sheet: Sheet) -> Row:
        return sheet.field(CARDS, self.field, self.names)


class Outside(Cards):
    """Cards that are out of the round, such as what a position leaves out: all may know them."""

    derived = True


@dataclass(frozen=True)
class Hands(OfField):
    """The cards of every seat, kept as how many of each card, with the hands' sizes beside."""

    sizes: str
    names: Sequence[str]
    ordered = False

    @property
    def reads(self) -> tuple[str, ...]:
        return (self.field, self.sizes)

    def read(self, key: str, s: Record, value: object) -> None:
        for seat, one in enumerate(entries(key, value, s.players)):
            cards = cards_of(key, one, self.names)
            if len(cards) > MOST_CARDS:
                raise BadPosition(key, f"seat {seat} has more cards than there are.")
            for card in cards:
                s[self.field][seat, card] += 1
            s[self.sizes][seat] = len(cards)

    def row(self, sheet: Sheet) -> Row:
        return sheet.sized(HANDS, self.field, self.sizes, self.names)

    def write(self, told: Any) -> list[str]:
        return [" ".join(hand["cards"]) for hand in told]

    def held(self, s: Record) -> Counter[int]:
        counts = s[self.field][: s.players].sum(axis=0)
        return Counter({card: int(counts[card]) for card in range(len(self.names))})


class HandsOfBits(Hands):
    """The same where there is one of each card: kept as bits, in as many words as there are colours
    or the like, each with its share of the cards."""

    def read(self, key: str, s: Record, value: object) -> None:
        for seat, one in enumerate(entries(key, value, s.players)):
            cards = cards_of(key, one, self.names)
            for i, card in enumerate(cards):
                if card in cards[:i]:
                    raise BadPosition(key, f"there is only 1 of the card {self.names[card]}.")
                self.give(s, seat, card)
            s[self.sizes][seat] = len(cards)

    def give(self, s: Record, seat: int, card: int) -> None:
        word, place = divmod(card, self.per_word(len(s[self.field][seat])))
        s[self.field][seat, word] |= 1 << place

    def cards(self, s: Record, seat: int) -> list[int]:
        words = s[self.field][seat].tolist()
        together = sum(bits << self.per_word(len(words)) * n for n, bits in enumerate(words))
        return places_in(together & (1 << len(self.names)) - 1)

    def row(self, sheet: Sheet) -> Row:
        row = sheet.sized(HANDS_OF_BITS, self.field, self.sizes, self.names)
        return row._replace(more=self.per_word(row.items))

    def per_word(self, words: int) -> int:
        return len(self.names) // words

    def held(self, s: Record) -> Counter[int]:
        return Counter(card for seat in range(s.players) for card in self.cards(s, seat))


class OutsideBits(Outside):
    """The same, kept as bits."""

    def row(self, sheet: Sheet) -> Row:
        row = sheet.field(CARDS_OF_BITS, self.field, self.names)
        return row._replace(more=len(self.names) // row.items)


def places_in(bits: int) -> list[int]:
    """Which bits are set."""
    places = []
    while bits:
        places.append((bits & -bits).bit_length() - 1)
        bits &= bits - 1
    return places


@dataclass(frozen=True)
class OnePerSeat(OfField):
    """A card of every seat, or none, which is kept as `empty` and written `-`."""

    names: Sequence[str]
    empty: int

    def read(self, key: str, s: Record, value: object) -> None:
        if text_of(value) == NONE:
            value = [NONE] * s.players
        for seat, one in enumerate(entries(key, value, s.players)):
            text = text_of(one)
            s[self.field][seat] = self.empty if text == NONE else card_of(key, text, self.names)

    def row(self, sheet: Sheet) -> Row:
        return sheet.field(ONE_PER_SEAT, self.field, self.names, self.empty)

    def held(self, s: Record) -> Counter[int]:
        cards = Counter(s[self.field][: s.players].tolist())
        del cards[self.empty]
        return cards


@dataclass(frozen=True)
class Stack(OfField):
    """Cards in an order, kept with the top card last, and written top first unless `upward`."""

    size: str
    names: Sequence[str]
    upward: bool = False

    @property
    def reads(self) -> tuple[str, ...]:
        return (self.field, self.size)

    def read(self, key: str, s: Record, value: object) -> None:
        cards = cards_of(key, value, self.names)
        if len(cards) > len(s[self.field]):
            raise BadPosition(key, "has more cards than there are.")
        for place, card in enumerate(self.turned(cards)):
            s[self.field][place] = card
        s[self.size] = len(cards)

    def turned(self, cards: list[int]) -> list[int]:
        return cards if self.upward else cards[::-1]

    def cards(self, s: Record) -> list[int]:
        return s[self.field][: s[self.size]].tolist()

    def row(self, sheet: Sheet) -> Row:
        return sheet.sized(STACK, self.field, self.size, self.names, self.upward)

    def write(self, told: Any) -> str:
        return cards_told(told)

    def held(self, s: Record) -> Counter[int]:
        return Counter(self.cards(s))


@dataclass(frozen=True)
class Stacks(OfField):
    """A stack of every seat, kept with the top card last, and written top first."""

    sizes: str
    names: Sequence[str]

    @property
    def reads(self) -> tuple[str, ...]:
        return (self.field, self.sizes)

    def read(self, key: str, s: Record, value: object) -> None:
        for seat, one in enumerate(entries(key, value, s.players)):
            cards = cards_of(key, one, self.names)
            most = len(s[self.field][seat])
            if len(cards) > most:
                raise BadPosition(key, f"has at most {most} cards for a seat, not {len(cards)}.")
            for place, card in enumerate(cards[::-1]):
                s[self.field][seat, place] = card
            s[self.sizes][seat] = len(cards)

    def cards(self, s: Record, seat: int) -> list[int]:
        return s[self.field][seat, : s[self.sizes][seat]].tolist()[::-1]

    def row(self, sheet: Sheet) -> Row:
        return sheet.sized(STACKS, self.field, self.sizes, self.names)

    def write(self, told: Any) -> list[str]:
        return [cards_told(stack) for stack in told]

    def held(self, s: Record) -> Counter[int]:
        return Counter(card for seat in range(s.players) for card in self.cards(s, seat))


@dataclass(frozen=True)
class Slots(OfField):
    """Places of every seat that have a card or none, which is kept as `empty` and written `-`."""

    names: Sequence[str]
    empty: int

    def read(self, key: str, s: Record, value: object) -> None:
        for seat, one in enumerate(entries(key, value, s.players)):
            places = len(s[self.field][seat])
            words = self.words(one, places)
            if text_of(one) is None or len(words) != places:
                raise BadPosition(key, f"has {places} names for a seat, {NONE} where it is empty.")
            for place, word in enumerate(words):
                card = self.empty if word == NONE else card_of(key, word, self.names)
                s[self.field][seat, place] = card

    def words(self, text: object, places: int) -> list[str]:
        """A single `-`, or nothing, stands for places that are all empty."""
        words = (text_of(text) or "").split()
        return words if words not in ([], [NONE]) else [NONE] * places

    def row(self, sheet: Sheet) -> Row:
        return sheet.field(SLOTS, self.field, self.names, self.empty)

    def write(self, told: Any) -> list[str]:
        return [" ".join(places["cards"]) for places in told]

    def held(self, s: Record) -> Counter[int]:
        cards = Counter(s[self.field][: s.players].ravel().tolist())
        del cards[self.empty]
        return cards

    def same(self, key: str, expected: object, found: object) -> bool:
        if isinstance(expected, list) or not isinstance(found, str):
            return super().same(key, expected, found)
        words = found.split()
        return text_of(expected) is not None and self.words(expected, len(words)) == words


def settle_end(
    s: Record,
    given: frozenset[str],
    ended: Sequence[tuple[str, str]],
    last_round: bool,
    lowest_wins: bool,
) -> None:
    """Of a position whose round has `ended`, for reasons that are keys with a sentence: it is
    refused, unless that was the last round. Then the match is over."""
    if ended and not s.over:
        if not last_round:
            raise BadPosition(*ended[0])
        if "over" in given:
            raise BadPosition("over", "the last round has ended, so the match is over.")
        s.over = 1
    if s.over:
        finish(s, lowest_wins)


def words_in(value: object) -> list[str] | None:
    """The words of a text, or of a list of texts; `-` is none. None if it is neither."""
    if isinstance(value, list | tuple):
        value = " ".join(text_of(one) or HIDDEN for one in value)
    text = text_of(value)
    return None if text is None else [] if text == NONE else text.split()


def listed(key: str, value: object, of: str) -> list[object]:
    """A list of any length, or `-` for an empty one."""
    if text_of(value) == NONE:
        return []
    if not isinstance(value, list | tuple):
        raise BadPosition(key, f"must be a list of {of}, not {show(value)}.")
    return list(value)


def entries(key: str, value: object, players: int) -> list[object]:
    """A list with one entry for every seat."""
    if not isinstance(value, list | tuple):
        raise BadPosition(key, f"must be a list with an entry for every seat, not {show(value)}.")
    if len(value) != players:
        raise BadPosition(key, f"has entries for {len(value)}, not for {players} players.")
    return list(value)


def seat_of(key: str, value: object, players: int) -> int:
    seat = number_of(value)
    if seat is None or not 0 <= seat < players:
        raise BadPosition(key, f"there is no seat {show(value)}; seats are 0 to {players - 1}.")
    return seat


def card_of(key: str, text: str | None, names: Sequence[str]) -> int:
    text = known_as(text or "", names)
    if text not in names:
        some = names if len(names) <= FEW else [*names[:3], "...", names[-1]]
        raise BadPosition(key, f"there is no card {show(text)}; cards are {' '.join(some)}.")
    return names.index(text)


def cards_of(key: str, value: object, names: Sequence[str]) -> list[int]:
    text = text_of(value)
    if text is None:
        raise BadPosition(key, f"must be card names separated by blanks, not {show(value)}.")
    return [] if text == NONE else [card_of(key, name, names) for name in text.split()]


def cards_told(zone: Mapping[str, Any]) -> str:
    """The cards of a zone that has an order."""
    return " ".join(zone["cards"] or [HIDDEN] * zone["size"])
