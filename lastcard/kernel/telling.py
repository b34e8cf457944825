"""Telling: rules that write JSON, as compact as can be, into a text of a fixed size.

What does not fit a text, and a name that is not there, leave it as FAILED: rules do not raise.
Forms, options and events are told by tables of numbers (sheets.py), from the bytes of a record, so
that the same compiled code serves every game.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from .compiling import Log, rule
from .events import LOG_VALUES, PUBLIC
from .records import UNKNOWN, wide, with_fields
from .seats import NOBODY, lowest
from .texts import DIRECTIONS, HIDDEN, NONE

Text: TypeAlias = Any  # a record of the layout TEXT
Table: TypeAlias = Any  # names, as `spelled` makes it
Bytes: TypeAlias = Any  # uint8 array: the bytes of a record

CAPACITY = 1 << 16
MOST_ACTIONS = 1 << 10  # legal at once
FAILED = -1  # the size of a text that went wrong
TEXT = with_fields(
    np.dtype(
        [
            ("size", np.int64),
            ("bytes", np.uint8, (CAPACITY,)),
            ("actions", np.int16, (MOST_ACTIONS,)),  # scratch for the legal ones
        ]
    ),
    __name__,
    "TEXT",
)


def spelled(names: Iterable[str]) -> Table:
    """Names as rules write them: a row of bytes each, the first of which says how many follow."""
    encoded = []
    for name in names:
        if json.dumps(name, ensure_ascii=False) != f'"{name}"' or len(name.encode()) > 255:
            raise TypeError(f"{name!r} is too long for a name, or JSON does not write it as it is.")
        encoded.append(name.encode())
    table = np.zeros((len(encoded), 1 + max(map(len, encoded), default=0)), np.uint8)
    for row, letters in zip(table, encoded, strict=True):
        row[0] = len(letters)
        row[1 : 1 + len(letters)] = list(letters)
    return table


QUOTE, COMMA, COLON, BLANK, MINUS, ZERO = (ord(one) for one in '",: -0')
LIST, LIST_END, MAPPING, MAPPING_END = (ord(one) for one in "[]{}")
_OWN = ("true", "false", "null", NONE, HIDDEN, *DIRECTIONS, "size", "cards", "kind", "seat")
_WORDS = spelled(_OWN)
_TRUE, _FALSE, _NULL, _NONE, _HIDDEN, _FORWARD, _BACKWARD, _SIZE, _CARDS, _KIND, _SEAT = range(
    len(_OWN)
)

# --- Writing -------------------------------------------------------------------------------------


@rule
def put(out: Text, byte: int) -> None:
    """One byte."""
    if 0 <= out.size < CAPACITY:
        out.bytes[out.size] = byte
        out.size += 1
    else:
        out.size = FAILED


@rule
def put_name(out: Text, names: Table, number: int) -> None:
    """A name as it is."""
    if not 0 <= number < names.shape[0]:
        out.size = FAILED
        return
    size, length = wide(out.size), wide(int(names[number, 0]))
    if size < 0 or size + length > CAPACITY:
        out.size = FAILED
        return
    for i in range(length):
        out.bytes[size + i] = names[number, 1 + i]
    out.size = size + length


@rule
def put_quoted(out: Text, names: Table, number: int) -> None:
    """A name as a string of its own."""
    put(out, QUOTE)
    put_name(out, names, number)
    put(out, QUOTE)


@rule
def put_word(out: Text, names: Table, number: int) -> None:
    """A name in a string that may have others before it."""
    next_word(out)
    put_name(out, names, number)


@rule
def put_key(out: Text, names: Table, number: int) -> None:
    """A key of a mapping; its value comes next."""
    next_item(out)
    put_quoted(out, names, number)
    put(out, COLON)


@rule
def put_number(out: Text, number: int) -> None:
    if number < 0:
        put(out, MINUS)
        number = -number
    unit = 1
    while number // unit > 9:
        unit *= 10
    while unit > 0:
        put(out, ZERO + number // unit % 10)
        unit //= 10


@rule
def put_truth(out: Text, truth: bool) -> None:
    put_name(out, _WORDS, _TRUE if truth else _FALSE)


@rule
def put_null(out: Text) -> None:
    put_name(out, _WORDS, _NULL)


@rule
def put_none(out: Text) -> None:
    """A string that says there is none."""
    put_quoted(out, _WORDS, _NONE)


@rule
def put_hidden(out: Text) -> None:
    """A string that says it is not known."""
    put_quoted(out, _WORDS, _HIDDEN)


@rule
def put_seat(out: Text, seat: int) -> None:
    """A seat, or that there is none."""
    if seat == NOBODY:
        put_none(out)
    else:
        put_number(out, seat)


@rule
def put_seats(out: Text, seats: int) -> None:
    """A set of seats, or of other numbers, as a list."""
    put(out, LIST)
    number = 0
    while seats >> number:
        if seats >> number & 1:
            next_item(out)
            put_number(out, number)
        number += 1
    put(out, LIST_END)


@rule
def next_item(out: Text) -> None:
    """A comma, unless a list or mapping has just begun."""
    if out.size > 0:
        last = out.bytes[out.size - 1]
        if last != LIST and last != MAPPING:
            put(out, COMMA)


@rule
def next_word(out: Text) -> None:
    """A blank, unless a string has just begun."""
    if out.size > 0 and out.bytes[out.size - 1] != QUOTE:
        put(out, BLANK)


@rule
def same_from(out: Text, start: int, other: Text) -> bool:
    """Whether what a text has from some place on is all that another has."""
    if out.size - start != other.size:
        return False
    i = 0
    while i < other.size and out.bytes[start + i] == other.bytes[i]:
        i += 1
    return i == other.size


# --- Fields of a record --------------------------------------------------------------------------


class Row(NamedTuple):
    """How one value is told: the columns of a table, as numbers."""

    op: int
    at: int = 0  # where its field begins
    kind: int = 0  # of the field's items: how many bytes each has, negative if unsigned
    items: int = 0  # of the field, or of each seat
    sizes_at: int = 0  # where the field of sizes begins
    sizes_kind: int = 0
    name: int = 0  # the first of its names
    names: int = 0
    more: int = 0  # what else the operation needs


OP, AT, KIND, ITEMS, SIZES_AT, SIZES_KIND, NAME, NAMES, MORE = range(len(Row._fields))
NUMBER, NUMBERS, SEAT, SEATS, TRUTH, NAMED, DIRECTION, NULLABLE = range(8)
CARD, CARDS, CARDS_OF_BITS, HANDS, HANDS_OF_BITS, ONE_PER_SEAT, STACK, STACKS, SLOTS = range(8, 17)
OWN = 17  # what a rule of the game tells


@rule
def item(raw: Bytes, at: int, kind: int) -> int:
    """The integer that lies at a place of a record."""
    width = abs(kind)
    number = wide(int(raw[at + width - 1]))
    if kind > 0 and number > 127:
        number -= 256
    for i in range(width - 2, -1, -1):
        number = number << 8 | wide(int(raw[at + i]))
    return number


@rule
def tell(rows: Any, row: int, names: Table, raw: Bytes, players: int, out: Text) -> None:
    """The value that a row describes."""
    op, at, kind = wide(rows[row, OP]), wide(rows[row, AT]), wide(rows[row, KIND])
    if op >= CARD:
        _tell_cards(rows, row, names, raw, players, out)
        return
    number = item(raw, at, kind)
    if op == NUMBER:
        put_number(out, number)
    elif op == NUMBERS:
        put(out, LIST)
        for seat in range(players):
            next_item(out)
            put_number(out, item(raw, at + seat * abs(kind), kind))
        put(out, LIST_END)
    elif op == SEAT:
        put_seat(out, number)
    elif op == SEATS:
        put_seats(out, number & ((1 << players) - 1))
    elif op == TRUTH:
        put_truth(out, number != 0)
    elif op == NAMED:
        if number == NOBODY:
            put_none(out)
        else:
            put_quoted(out, names, _among(rows, row, number))
    elif op == DIRECTION:
        put_quoted(out, _WORDS, _BACKWARD if number < 0 else _FORWARD)
    elif number == rows[row, MORE]:  # NULLABLE
        put_null(out)
    else:
        put_number(out, number)


@rule
def _among(rows: Any, row: int, number: int) -> int:
    """The number of a name in the whole table; a negative one if it is none of the row's."""
    return rows[row, NAME] + number if 0 <= number < rows[row, NAMES] else FAILED


@rule
def _tell_cards(rows: Any, row: int, names: Table, raw: Bytes, players: int, out: Text) -> None:
    op, at, kind = wide(rows[row, OP]), wide(rows[row, AT]), wide(rows[row, KIND])
    width = abs(kind)
    if op == CARD:
        _put_card(rows, row, names, item(raw, at, kind), out)
    elif op == CARDS or op == CARDS_OF_BITS:
        put(out, QUOTE)
        _put_set(rows, row, names, raw, at, False, out)
        put(out, QUOTE)
    elif op == STACK:
        _tell_stack(rows, row, names, raw, 0, out)
    else:
        put(out, LIST)
        for seat in range(players):
            next_item(out)
            if op == ONE_PER_SEAT:
                _put_card(rows, row, names, item(raw, at + seat * width, kind), out)
            elif op == STACKS:
                _tell_stack(rows, row, names, raw, seat, out)
            elif op == SLOTS:
                _tell_slots(rows, row, names, raw, seat, out)
            else:
                _begin_zone(out, _size_of(rows, row, raw, seat))
                _put_set(rows, row, names, raw, at + seat * rows[row, ITEMS] * width, True, out)
                _end_zone(out)
        put(out, LIST_END)


@rule
def _size_of(rows: Any, row: int, raw: Bytes, seat: int) -> int:
    kind = wide(rows[row, SIZES_KIND])
    return item(raw, rows[row, SIZES_AT] + seat * abs(kind), kind)


@rule
def _begin_zone(out: Text, size: int) -> None:
    put(out, MAPPING)
    put_key(out, _WORDS, _SIZE)
    put_number(out, size)
    put_key(out, _WORDS, _CARDS)
    put(out, LIST)


@rule
def _end_zone(out: Text) -> None:
    put(out, LIST_END)
    put(out, MAPPING_END)


@rule
def _put_card(rows: Any, row: int, names: Table, card: int, out: Text) -> None:
    """A card by name, if it is known; for rows where there may be none, `more` stands for none."""
    op = rows[row, OP]
    if card == rows[row, MORE] and (op == ONE_PER_SEAT or op == SLOTS):
        put_none(out)
    elif card == UNKNOWN:
        put_hidden(out)
    else:
        put_quoted(out, names, _among(rows, row, card))


@rule
def _put_set(
    rows: Any, row: int, names: Table, raw: Bytes, at: int, quoted: bool, out: Text
) -> None:
    """Cards that are kept as how many of each, or as bits with `more` of them in each word."""
    op, kind, width = rows[row, OP], wide(rows[row, KIND]), abs(wide(rows[row, KIND]))
    if op == CARDS or op == HANDS:
        for card in range(rows[row, NAMES]):
            for _ in range(item(raw, at + card * width, kind)):
                _put_one(rows, row, names, card, quoted, out)
        return
    for word in range(rows[row, ITEMS]):
        bits = item(raw, at + word * width, kind)
        while bits:
            card = word * rows[row, MORE] + lowest(bits)
            if card < rows[row, NAMES]:
                _put_one(rows, row, names, card, quoted, out)
            bits &= bits - 1


@rule
def _put_one(rows: Any, row: int, names: Table, card: int, quoted: bool, out: Text) -> None:
    if quoted:
        next_item(out)
        put_quoted(out, names, rows[row, NAME] + card)
    else:
        put_word(out, names, rows[row, NAME] + card)


@rule
def _tell_stack(rows: Any, row: int, names: Table, raw: Bytes, seat: int, out: Text) -> None:
    """All cards, the top one first unless `more` says otherwise; or none if all are unknown."""
    kind = wide(rows[row, KIND])
    width = abs(kind)
    at = wide(rows[row, AT]) + seat * rows[row, ITEMS] * width
    size = _size_of(rows, row, raw, seat)
    known = False
    for place in range(size):
        if item(raw, at + place * width, kind) != UNKNOWN:
            known = True
    _begin_zone(out, size)
    if known:
        for i in range(size):
            place = i if rows[row, MORE] else size - 1 - i
            next_item(out)
            _put_card(rows, row, names, item(raw, at + place * width, kind), out)
    _end_zone(out)


@rule
def _tell_slots(rows: Any, row: int, names: Table, raw: Bytes, seat: int, out: Text) -> None:
    kind = wide(rows[row, KIND])
    width, places = abs(kind), wide(rows[row, ITEMS])
    at = rows[row, AT] + seat * places * width
    size = 0
    for place in range(places):
        size += item(raw, at + place * width, kind) != rows[row, MORE]
    _begin_zone(out, size)
    for place in range(places):
        next_item(out)
        _put_card(rows, row, names, item(raw, at + place * width, kind), out)
    _end_zone(out)


@rule
def differ(spans: Any, first: int, last: int, one: Bytes, other: Bytes) -> bool:
    """Whether two records have other bytes in any of some spans, up to the last one."""
    for span in range(first, last):
        for at in range(spans[span, 0], spans[span, 1]):
            if one[at] != other[at]:
                return True
    return False


# --- Events --------------------------------------------------------------------------------------


class EventValue(NamedTuple):
    """How a value of an event is told."""

    key: int
    name: int  # the first of its names, or NOBODY if it is a number
    names: int
    secret: int


VALUES = 2  # the column of the first value, after the kind's name and how many values it has
PER_VALUE = len(EventValue._fields)


@rule
def tell_events(events: Any, names: Table, log: Log, seat: int, all_open: int, out: Text) -> None:
    """Events as a list, with what the seat may not see hidden, unless all is open."""
    put(out, LIST)
    for line in range(1, log[0, 0] + 1):
        kind, eyes = log[line, 0], wide(log[line, 2])
        next_item(out)
        put(out, MAPPING)
        put_key(out, _WORDS, _KIND)
        put_quoted(out, names, events[kind, 0])
        put_key(out, _WORDS, _SEAT)
        put_number(out, log[line, 1])
        sees = all_open or eyes == PUBLIC or (seat != NOBODY and eyes >> seat & 1)
        for i in range(events[kind, 1]):
            column = VALUES + PER_VALUE * i
            put_key(out, names, events[kind, column])
            if events[kind, column + 3] and not sees:
                put_hidden(out)
            else:
                value, first = wide(log[line, LOG_VALUES + i]), wide(events[kind, column + 1])
                _put_value(out, names, value, first, events[kind, column + 2])
        put(out, MAPPING_END)
    put(out, LIST_END)


@rule
def _put_value(out: Text, names: Table, value: int, first: int, count: int) -> None:
    """A number, or one of some names; negative ones are counted from the end."""
    if first == NOBODY:
        put_number(out, value)
        return
    if value < 0:
        value += count
    put_quoted(out, names, first + value if 0 <= value < count else FAILED)


def told(written: Any, end: int, start: int = 0) -> bytes:
    """What the bytes of a text say, up to its end."""
    if end < 0:
        raise ValueError("This is too long to be told, or has a card that has no name.")
    return bytes(written[start:end])


def new_text() -> Text:
    return np.empty(1, TEXT)[0]
