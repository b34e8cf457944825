"""Writing JSON by rules: the helpers, texts that are full, and what cannot be told."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from lastcard.kernel import LOG_COLUMNS, PUBLIC, Record, record, rule
from lastcard.kernel.events import Event
from lastcard.kernel.forms import Derived, Form, Named, Number
from lastcard.kernel.sheets import MOST_OWN, Sheet
from lastcard.kernel.telling import (
    CAPACITY,
    FAILED,
    LIST,
    LIST_END,
    MAPPING,
    MAPPING_END,
    QUOTE,
    Text,
    differ,
    new_text,
    next_item,
    next_word,
    put,
    put_hidden,
    put_key,
    put_name,
    put_none,
    put_null,
    put_number,
    put_quoted,
    put_seat,
    put_seats,
    put_truth,
    put_word,
    same_from,
    spelled,
    tell,
    tell_events,
    told,
)

NAMES = ("a", "b+2", "grün")
TABLE = spelled(NAMES)
LAYOUT = record(3, 0, [("one", np.int8), ("unsigned", np.uint64), ("fraction", np.float32)])


def written(*puts: Callable[[Text], None]) -> str:
    out = new_text()
    out.size = 0
    for one in puts:
        one(out)
    return told(out.bytes, out.size).decode()


@pytest.mark.parametrize(
    "number",
    [0, 1, 9, 10, 99, 100, 101, 12345, -1, -10, -128, 32767, -32768, 1 << 40, (1 << 63) - 1],
)
def test_numbers(number: int) -> None:
    assert written(lambda out: put_number(out, number)) == str(number)


def test_names_are_written_as_they_are_or_quoted() -> None:
    for number, name in enumerate(NAMES):
        assert written(lambda out: put_name(out, TABLE, number)) == name  # noqa: B023
        assert written(lambda out: put_quoted(out, TABLE, number)) == f'"{name}"'  # noqa: B023


def test_small_words() -> None:
    assert written(lambda out: put_truth(out, True)) == "true"
    assert written(lambda out: put_truth(out, False)) == "false"
    assert written(put_null) == "null"
    assert written(put_none) == '"-"'
    assert written(put_hidden) == '"?"'
    assert written(lambda out: put_seat(out, 3)) == "3"
    assert written(lambda out: put_seat(out, -1)) == '"-"'


@pytest.mark.parametrize("seats", [[], [0], [3], [0, 1, 2], [1, 14], [0, 62]])
def test_sets(seats: list[int]) -> None:
    bits = sum(1 << seat for seat in seats)
    assert written(lambda out: put_seats(out, bits)) == json.dumps(seats, separators=(",", ":"))


def test_commas_and_blanks_come_between() -> None:
    def items(out: Text) -> None:
        put(out, MAPPING)
        put_key(out, TABLE, 0)
        put(out, LIST)
        for number in (1, 2):
            next_item(out)
            put_number(out, number)
        next_item(out)
        put(out, LIST)
        put(out, LIST_END)
        put(out, LIST_END)
        put_key(out, TABLE, 1)
        put(out, QUOTE)
        put_word(out, TABLE, 0)
        next_word(out)
        put_number(out, 7)
        put(out, QUOTE)
        put(out, MAPPING_END)

    assert written(items) == '{"a":[1,2,[]],"b+2":"a 7"}'


@pytest.mark.parametrize("room", range(4))
@pytest.mark.parametrize(
    ("put_it", "length"),
    [
        (lambda out: put_name(out, TABLE, 1), 3),
        (lambda out: put_number(out, -15), 3),
        (put_null, 4),
        (put_hidden, 3),
    ],
)
def test_what_does_not_fit_fails_for_good(put_it: Any, length: int, room: int) -> None:
    out = new_text()
    out.size = CAPACITY - room
    put_it(out)
    if length <= room:
        assert out.size == CAPACITY - room + length
    else:
        assert out.size == FAILED
        put(out, QUOTE)
        put_name(out, TABLE, 0)
        assert out.size == FAILED
        with pytest.raises(ValueError, match="too long"):
            told(out.bytes, out.size)


@pytest.mark.parametrize("number", [-1, len(NAMES), 1 << 40])
def test_a_name_that_is_not_there_fails(number: int) -> None:
    out = new_text()
    out.size = 0
    put_name(out, TABLE, number)
    assert out.size == FAILED


def test_a_form_with_a_number_that_has_no_name_fails() -> None:
    """Also where the table goes on with the names of others."""
    sheet = Sheet(LAYOUT)
    rows = sheet.rows([Named("one", ("x", "y")), Named("one", ("z",))])
    s, out = np.zeros(1, LAYOUT)[0], new_text()
    s.one, out.size = 2, 0
    tell(rows, 0, sheet.table(), s.data, 2, out)
    assert out.size == FAILED


@pytest.mark.parametrize("name", ['a"b', "a\\b", "a\nb", "x" * 256])
def test_names_that_json_would_change(name: str) -> None:
    with pytest.raises(TypeError, match="name"):
        spelled([name])


def test_texts_are_compared_from_a_place_on() -> None:
    out, other = new_text(), new_text()
    for text, content in ((out, "xxabc"), (other, "abc")):
        text.size = len(content)
        text.bytes[: len(content)] = list(content.encode())
    assert same_from(out, 2, other)
    assert not same_from(out, 1, other)
    out.bytes[4] = ord("d")
    assert not same_from(out, 2, other)


def test_spans_of_bytes_are_compared() -> None:
    spans = np.array([(0, 2), (5, 6)], np.int32)
    one, other = np.zeros(8, np.uint8), np.zeros(8, np.uint8)
    other[3] = 1
    assert not differ(spans, 0, 2, one, other)
    other[5] = 1
    assert differ(spans, 0, 2, one, other)
    assert not differ(spans, 0, 1, one, other)


# --- Events --------------------------------------------------------------------------------------


def events_told(rows: list[list[int]], seat: int, all_open: int = 0) -> Any:
    kinds = [
        Event("drew", "", values={"card": NAMES, "count": None}, secret=frozenset({"card"})),
        Event("ended", ""),
    ]
    sheet, out = Sheet(LAYOUT), new_text()
    table, out.size = sheet.events(kinds), 0
    log = np.zeros((len(rows) + 1, LOG_COLUMNS), np.int32)
    log[0, 0] = len(rows)
    for line, row in enumerate(rows, 1):
        log[line, : len(row)] = row
    tell_events(table, sheet.table(), log, seat, all_open, out)
    return json.loads(told(out.bytes, out.size))


def test_secrets_are_told_to_those_who_saw_them() -> None:
    drew = [0, 2, 0b101, 1, 4]
    seen = {"kind": "drew", "seat": 2, "card": "b+2", "count": 4}
    for seat in (0, 2):
        assert events_told([drew], seat) == [seen]
    for seat in (1, -1, 14):
        assert events_told([drew], seat) == [{**seen, "card": "?"}]
        assert events_told([drew], seat, all_open=1) == [seen]
        assert events_told([[0, 2, PUBLIC, 1, 4]], seat) == [seen]


def test_values_are_counted_from_the_end_if_negative() -> None:
    assert events_told([[0, 0, PUBLIC, -1, -7], [1, 1, PUBLIC]], -1) == [
        {"kind": "drew", "seat": 0, "card": "grün", "count": -7},
        {"kind": "ended", "seat": 1},
    ]
    assert events_told([], 0) == []
    for card in (3, -4):
        with pytest.raises(ValueError, match="no name"):
            events_told([[0, 0, PUBLIC, card, 0]], 0)


# --- Sheets --------------------------------------------------------------------------------------


@rule
def tell_nothing(s: Record, out: Text) -> None:
    put_null(out)


def several() -> list[Form]:
    def another() -> Any:
        @rule
        def tell_it(s: Record, out: Text) -> None:
            put_null(out)

        return tell_it

    return [Derived(another()) for _ in range(MOST_OWN)]


def test_a_game_has_room_for_so_many_rules_of_its_own() -> None:
    sheet = Sheet(LAYOUT)
    forms = several()
    assert len(sheet.rows([*forms, forms[0]])) == MOST_OWN + 1
    with pytest.raises(TypeError, match="more than 16 keys"):
        sheet.rows([Derived(tell_nothing)])


@pytest.mark.parametrize(
    ("form", "why"),
    [
        (Form(), "Form does not say how it is told"),
        (Number("nowhere"), "no field nowhere"),
        (Number("unsigned"), "unsigned has no integers"),
        (Number("fraction"), "fraction has no integers"),
    ],
)
def test_what_cannot_be_told(form: Form, why: str) -> None:
    with pytest.raises(TypeError, match=why):
        Sheet(LAYOUT).rows([form])
