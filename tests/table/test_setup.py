"""Setups, names and seeds."""

from __future__ import annotations

from typing import Any

import pytest

from lastcard.core.registry import game
from lastcard.table.refusals import Code
from lastcard.table.setup import Setup, checked, read_name, read_seed
from tests.table.tables import refuses


def test_what_is_left_out_is_filled_in() -> None:
    rules, setup = checked(Setup(game="taki"))
    assert rules is game("taki")
    assert setup.players == rules.fewest
    assert set(setup.options) == {option.name for option in rules.options}


@pytest.mark.parametrize(
    ("setup", "words"),
    [
        ({"game": "bridge"}, "There is no game"),
        ({"game": "chiko", "players": 9}, "players"),
        ({"game": "chiko", "players": 1}, "players"),
        ({"game": "chiko", "options": {"x": 1}}, "'x' is none of"),
        ({"game": "chiko", "options": {"target": "many"}}, "target"),
        (
            {"game": "chiko", "players": 2, "bots": ["normal", "easy"]},
            "2 bots leave no free seat of 2",
        ),
        ({"game": "chiko", "bots": ["search:50ms"]}, "no bot level 'search:50ms'"),
        ({"game": "chiko", "bots": ["random"]}, "no bot level 'random'"),
        ({"game": "chiko", "clock": 1}, "clock must be from 5 to 604800"),
        ({"game": "chiko", "grace": 10**9}, "grace must be"),
    ],
)
def test_a_setup_that_cannot_be(setup: dict[str, Any], words: str) -> None:
    with refuses(Code.BAD_SETUP) as error:
        checked(Setup(**setup))
    assert words in error.value.text


def test_names() -> None:
    assert read_name("  Ann   Lee ") == "Ann Lee"
    assert read_name("רות") == "רות"
    assert read_name("Наталья") == "Наталья"
    for name in ("👩‍👩‍👧", "❤️", "שָׁלוֹם", "Zoë", "แม่", "नि", "می‌خواهم", "1️⃣", "O'Neil 2", "בַּיִת"):
        assert read_name(name)
    unseen = ("\u200d", "\u3164", "\u2800", "\u115f", "\u200b", "a\u200d", "\u0301", "a \u0301")
    stacked = ("a" + 10 * "\u0301", "\ufe0f", "x\u034f", "\u3164 \u3164", "\u180e")
    broken = ("", "   ", "x" * 25, "a\u202eb", "a\x00b", "\ud800", "a\u2066b")
    for name in unseen + stacked + broken:
        with refuses(Code.BAD_NAME):
            read_name(name)


def test_seeds() -> None:
    assert read_seed(None) is None
    assert read_seed("blue umbrella") == "blue umbrella"
    for seed in ("", "-", "x" * 65, "a\nb", "\ud800"):
        with refuses(Code.BAD_SETUP):
            read_seed(seed)
