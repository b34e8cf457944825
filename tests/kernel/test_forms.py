"""The forms by themselves: options of every kind, and keys of positions of every kind."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lastcard.errors import BadOption, BadPosition
from lastcard.kernel import UNKNOWN, record
from lastcard.kernel.forms import (
    Card,
    Derived,
    Form,
    Hands,
    Number,
    Numbers,
    Seat,
    Seats,
    Slots,
    Stack,
    Stacks,
)
from lastcard.kernel.options import Choice, Flag, OpenerOption, Option
from lastcard.kernel.texts import flag_of

NAMES = ("a", "b", "c")
LAYOUT = record(
    4,
    1,
    [
        ("hands", np.int8, (4, 3)),
        ("sizes", np.int8, (4,)),
        ("stock", np.int8, (5,)),
        ("stock_size", np.int8),
        ("banks", np.int8, (4, 3)),
        ("bank_sizes", np.int8, (4,)),
        ("slots", np.int8, (4, 2)),
        ("top", np.int8),
        ("who", np.int8),
        ("some", np.int16),
        ("count", np.int16),
    ],
)


def blank() -> Any:
    s = np.zeros(1, LAYOUT)[0]
    s.players = 3
    return s


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
        (OpenerOption(), [(0, 0), ("2", 2), (None, None), ("-", None)], [3, -1, "x", True]),
    ],
    ids=lambda value: value.name if isinstance(value, Option) else "",
)
def test_options(option: Option, values: list[tuple[Any, Any]], bad: list[Any]) -> None:
    for given, written in values:
        assert option.write(option.read(given, 3)) == written
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
        assert form.write(s) == value
        assert form.same("key", value, form.write(s))
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
    assert hands.view(s)[:2] == [{"size": 2, "cards": ["a", "b"]}, {"size": 1, "cards": []}]
    assert stack.view(s) == {"size": 3, "cards": ["a", "?", "?"]}
    s.stock[:3] = UNKNOWN
    assert stack.view(s) == {"size": 3, "cards": []}


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
    assert slots.write(s) == ["- -", "- -", "- -"]
    assert slots.same("key", "-", "- -")
    assert slots.same("key", ["", "a -"], ["- -", "a -"])
    assert not slots.same("key", "- a", "a -")
    assert not slots.same("key", "-", "a -")
    assert slots.view(s)[0] == {"size": 0, "cards": ["-", "-"]}
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
    assert banks.view(s) == [
        {"size": 2, "cards": ["a", "?"]},
        {"size": 1, "cards": []},
        {"size": 0, "cards": []},
    ]
    assert [zone["cards"] for zone in slots.view(s)] == [["a", "-"], ["?", "c"], ["-", "-"]]


def test_what_follows_from_the_rest() -> None:
    s = blank()
    s.count = 7
    form = Derived(lambda s: int(s.count) * 2)
    assert form.derived
    assert form.write(s) == form.view(s) == 14


@pytest.mark.parametrize(
    ("text", "flag"),
    [("yes", True), ("ON", True), ("true", True), (True, True), ("no", False), ("off", False)],
)
def test_flags_as_people_write_them(text: object, flag: bool) -> None:
    assert flag_of(text) is flag
    assert flag_of("perhaps") is None
