"""The forms by themselves: options of every kind, and keys of positions of every kind."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from lastcard.errors import BadOption, BadPosition
from lastcard.kernel import UNKNOWN, Record, record, rule, wide
from lastcard.kernel.forms import (
    Card,
    Cards,
    Derived,
    Direction,
    Form,
    Hands,
    HandsOfBits,
    Named,
    Number,
    Numbers,
    OnePerSeat,
    OutsideBits,
    Seat,
    Seats,
    Slots,
    Stack,
    Stacks,
    Truth,
)
from lastcard.kernel.options import Choice, Flag, Limit, OpenerOption, Option
from lastcard.kernel.sheets import Sheet
from lastcard.kernel.telling import MORE, Text, new_text, put_number, tell, told
from lastcard.kernel.texts import flag_of

NAMES = ("a", "b", "c")
PAIRS = (*NAMES, "d")
LAYOUT = record(
    4,
    1,
    [
        ("hands", np.int8, (4, 3)),
        ("sizes", np.int8, (4,)),
        ("stock", np.int8, (5,)),
        ("stock_size", np.int8),
        ("counts", np.int8, (3,)),
        ("banks", np.int8, (4, 3)),
        ("bank_sizes", np.int8, (4,)),
        ("slots", np.int8, (4, 2)),
        ("ones", np.int8, (4,)),
        ("bits", np.int64, (4, 2)),
        ("set", np.int16, (2,)),
        ("small", np.uint8),
        ("wide", np.int64),
        ("top", np.int8),
        ("who", np.int8),
        ("some", np.int16),
        ("count", np.int16),
    ],
)


@rule
def tell_double(s: Record, out: Text) -> None:
    put_number(out, 2 * wide(s.count))


def told_of(form: Form, s: Any) -> Any:
    """What compiled code tells of a key."""
    sheet, out = Sheet(LAYOUT), new_text()
    rows, out.size = sheet.rows([form]), 0
    if sheet.own:
        sheet.own[rows[0, MORE]](s, out)
    else:
        tell(rows, 0, sheet.table(), s.data, s.players, out)
    return json.loads(told(out.bytes, out.size))


def blank() -> Any:
    s = np.zeros(1, LAYOUT)[0]
    s.players = 3
    return s


def option_told(option: Option, stored: int) -> Any:
    """The same by compiled code."""
    sheet, s, out = Sheet(LAYOUT), blank(), new_text()
    rows, out.size = sheet.options([option]), 0
    s.options[0] = stored
    tell(rows, 0, sheet.table(), s.data, s.players, out)
    return json.loads(told(out.bytes, out.size))


@pytest.mark.parametrize(
    ("option", "values", "bad"),
    [
        (Option("n", 5, "", 1, 9), [(1, 1), ("9", 9)], [0, 10, "x", None, True, 1.5, ""]),
        (
            Flag("f", True, ""),
            [(True, True), ("false", False), ("True", True), ("No", False), ("on", True)],
            [1, "perhaps", None],
        ),
        (Choice("c", "x", "", choices=("x", "y")), [("x", "x"), ("Y", "y")], ["z", 0, None, True]),
        (Limit("l", None, "", 1, 9), [(1, 1), (None, None), ("9", 9)], [0, 10, True]),
        (OpenerOption(), [(0, 0), ("2", 2), (None, None), ("-", None)], [3, -1, "x", True]),
    ],
    ids=lambda value: value.name if isinstance(value, Option) else "",
)
def test_options(option: Option, values: list[tuple[Any, Any]], bad: list[Any]) -> None:
    for given, written in values:
        stored = option.read(given, 3)
        assert option.write(stored) == option_told(option, stored) == written
    assert option.write(option.read(option.default, 3)) == option.default
    for value in bad:
        with pytest.raises(BadOption, match=rf"^options: {option.name} must be .*\.$"):
            option.read(value, 3)


@pytest.mark.parametrize(
    ("form", "values", "bad"),
    [
        (Number("count", 2, 9), [2, 9], [1, 10, "x", None, [2]]),
        (Numbers("scores", -9, 9), [[0, -9, 9]], [[0, 0], [0, 0, 10], 0, None]),
        (Seat("who"), [0, 2], [3, -1, "-", None]),
        (Seat("who", none=True), [0, 2, "-"], [3, -1, None]),
        (Number("small", 0, 255), [0, 255], [256]),
        (Number("wide", -(1 << 40), 1 << 40), [1 << 40, -(1 << 40), -1, 0, 10], [1 << 41]),
        (Truth("who"), [True, False], ["perhaps", None, 1]),
        (Named("who", NAMES), ["a", "c"], ["-", "d", None]),
        (Named("who", NAMES, none=True), ["a", "-"], ["d", None]),
        (Direction("who"), ["cw", "ccw"], ["up", None]),
        (Cards("counts", NAMES), ["", "a", "a a c"], ["d", None]),
        (OnePerSeat("ones", NAMES, empty=3), [["a", "-", "c"]], [["a"], ["d", "", ""], None]),
        (HandsOfBits("bits", "sizes", PAIRS), [["", "d", "a c d"]], [["a a", "", ""], ["", ""]]),
        (Seats("some"), [[], [0, 2], [0, 1, 2]], [[3], [1, 1], "0", None]),
        (Card("top", NAMES), ["a", "c"], ["d", "a b", "", None]),
        (Hands("hands", "sizes", NAMES), [["", "a a c", "b"]], [["", ""], "a", ["", "", "d"]]),
        (Stack("stock", "stock_size", NAMES), ["", "a", "a b c c b"], ["d", "a a a a a a", None]),
        (Stack("stock", "stock_size", NAMES, upward=True), ["", "a b"], ["d"]),
        (
            Stacks("banks", "bank_sizes", NAMES),
            [["", "a b", "c c c"]],
            [["", "", "a a a a"], ["", "", "d"], ["", ""], "a", None, ["", "", ["a"]]],
        ),
        (
            Slots("slots", NAMES, empty=3),
            [["a b", "- c", "- -"]],
            [["a", "", ""], ["a b c", "", ""], ["d -", "", ""], ["", ""], [["a b"], "", ""], None],
        ),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Form) else "",
)
def test_keys(form: Form, values: list[Any], bad: list[Any]) -> None:
    for value in values:
        s = blank()
        form.read("key", s, value)
        written = form.write(told_of(form, s))
        assert written == value
        assert form.same("key", value, written)
    for value in bad:
        with pytest.raises(BadPosition, match=r"^key: .*\.$"):
            form.read("key", blank(), value)


def test_the_top_of_a_stack_is_its_last_card() -> None:
    for upward, kept in ((False, [2, 1, 0]), (True, [0, 1, 2])):
        s = blank()
        Stack("stock", "stock_size", NAMES, upward=upward).read("key", s, "a b c")
        assert s.stock[:3].tolist() == kept


def test_what_is_unknown() -> None:
    s = blank()
    hands, stack = Hands("hands", "sizes", NAMES), Stack("stock", "stock_size", NAMES)
    hands.read("key", s, ["a b", "c", ""])
    stack.read("key", s, "a b c")
    s.hands[1] = 0
    s.stock[:2] = UNKNOWN
    assert told_of(hands, s)[:2] == [{"size": 2, "cards": ["a", "b"]}, {"size": 1, "cards": []}]
    assert told_of(stack, s) == {"size": 3, "cards": ["a", "?", "?"]}
    assert stack.write(told_of(stack, s)) == "a ? ?"
    s.stock[:3] = UNKNOWN
    assert told_of(stack, s) == {"size": 3, "cards": []}
    assert stack.write(told_of(stack, s)) == "? ? ?"
    s.top = UNKNOWN
    assert told_of(Card("top", NAMES), s) == "?"
    s.slots[:3, 0] = UNKNOWN, 2, 3
    assert told_of(OnePerSeat("ones", NAMES, empty=3), s) == ["a", "a", "a"]
    s.ones[:3] = UNKNOWN, 2, 3
    assert told_of(OnePerSeat("ones", NAMES, empty=3), s) == ["?", "c", "-"]


def test_cards_that_are_kept_as_bits() -> None:
    s = blank()
    s.set[:] = 0b10, 0b11
    assert told_of(OutsideBits("set", PAIRS), s) == "b c d"
    s.set[:] = 0
    assert told_of(OutsideBits("set", PAIRS), s) == ""


def test_order_matters_only_where_a_zone_has_one() -> None:
    hands, stack = Hands("hands", "sizes", NAMES), Stack("stock", "stock_size", NAMES)
    assert hands.same("key", "b a", "a b")
    assert not hands.same("key", "a a b", "a b b")
    assert not stack.same("key", "b a", "a b")
    assert hands.same("key", ["b a", "-"], ["a b", ""])
    assert not hands.same("key", ["b a"], ["a b", ""])


def test_places_that_are_all_empty() -> None:
    s = blank()
    slots = Slots("slots", NAMES, empty=3)
    slots.read("key", s, ["-", "", "- -"])
    assert slots.write(told_of(slots, s)) == ["- -", "- -", "- -"]
    assert slots.same("key", "-", "- -")
    assert slots.same("key", ["", "a -"], ["- -", "a -"])
    assert not slots.same("key", "- a", "a -")
    assert not slots.same("key", "-", "a -")
    assert told_of(slots, s)[0] == {"size": 0, "cards": ["-", "-"]}
    assert not slots.held(s)


def test_what_is_unknown_of_every_seat() -> None:
    s = blank()
    banks, slots = Stacks("banks", "bank_sizes", NAMES), Slots("slots", NAMES, empty=3)
    banks.read("key", s, ["a b", "c", ""])
    slots.read("key", s, ["a -", "b c", "-"])
    assert s.banks[0, :2].tolist() == [1, 0]  # the top card is the last one
    s.banks[0, 0] = UNKNOWN
    s.banks[1, 0] = UNKNOWN
    s.slots[1, 0] = UNKNOWN
    assert told_of(banks, s) == [
        {"size": 2, "cards": ["a", "?"]},
        {"size": 1, "cards": []},
        {"size": 0, "cards": []},
    ]
    assert [zone["cards"] for zone in told_of(slots, s)] == [["a", "-"], ["?", "c"], ["-", "-"]]


def test_what_follows_from_the_rest() -> None:
    s = blank()
    s.count = 7
    form = Derived(tell_double)
    assert form.derived
    assert told_of(form, s) == form.write(14) == 14


@pytest.mark.parametrize(
    ("text", "flag"),
    [("yes", True), ("ON", True), ("true", True), (True, True), ("no", False), ("off", False)],
)
def test_flags_as_people_write_them(text: object, flag: bool) -> None:
    assert flag_of(text) is flag
    assert flag_of("perhaps") is None
