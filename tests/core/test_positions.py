"""Positions: bad ones are refused with the key that is wrong, good ones come back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lastcard
from lastcard.core.game import Game

GOOD: dict[str, Any] = {"turn": 0, "top": "6", "hands": ["e 3", "1", "c 2"], "scores": [0, 5, 0]}


def test_defaults(chiko: Game) -> None:
    match = chiko.position({"top": "6", "hands": ["e 3", "1", "c 2"]})
    position = match.position()
    assert position["turn"] == position["opener"] == 0
    assert position["scores"] == [0, 0, 0]
    assert position["round"] == 1
    assert position["quit"] == []
    assert position["last"] == "-"
    assert len(position["stock"].split()) == 50 - 5 - 1
    assert position["chance"] == 0  # the rest was shuffled without touching the round's chance
    assert match.start == {"top": "6", "hands": ["e 3", "1", "c 2"]}


def test_the_rest_is_shuffled_by_the_key(chiko: Game) -> None:
    stocks = {chiko.position(GOOD, seed=seed).position()["stock"] for seed in range(20)}
    assert len(stocks) == 20
    assert {" ".join(sorted(stock.split())) for stock in stocks} == {
        " ".join(sorted(["1", "2", "3", "4", "5", "6", "c"] * 7))
        .replace("1", "", 1)
        .replace("2", "", 1)
        .replace("3", "", 1)
        .replace("6", "", 1)
        .replace("c", "", 1)
        .replace("  ", " ")
        .strip()
    }


def test_numbers_may_be_text_and_text_numbers(chiko: Game) -> None:
    as_text = {
        "turn": "0",
        "top": 6,
        "hands": ["e 3", 1, "c 2"],
        "scores": ["0", "5", "0"],
        "over": "false",
        "last": "-",
        "quit": [],
    }
    assert chiko.position(as_text).state == chiko.position(GOOD).state


BAD: list[tuple[str, dict[str, Any]]] = [
    ("hands", {"hands": ["e 3", "1", "c 9"]}),
    ("hands", {"hands": ["e 3", "1", "c c c c c c c c"]}),
    ("hands", {"hands": ["e e", "1", "c"]}),
    ("hands", {"hands": ["1 " * 200, "1", "c"]}),
    ("hands", {"hands": "e 3"}),
    ("hands", {"hands": None}),
    ("hands", {"hands": ["e 3", "1"]}),
    ("hands", {"hands": [["e"], "1", "c"]}),
    ("hands", {"hands": ["", "", "c"], "scores": [9, 9, 9]}),
    ("hands", {"hands": ["", "1", "c"]}),
    ("hands", {"hands": ["", "1", "c"], "scores": [9, 0, 0], "quit": [0]}),
    ("top", {"top": "e"}),
    ("top", {"top": None}),
    ("top", {"hands": ["e 6 6 6 6", "6 6 6", "c"]}),
    ("stock", {"stock": "x"}),
    ("stock", {"stock": "e"}),
    ("stock", {"stock": {"e": 1}}),
    ("turn", {"turn": 3}),
    ("turn", {"turn": "-"}),
    ("turn", {"turn": 1.0}),
    ("turn", {"turn": 0, "quit": [0]}),
    ("turn", {"turn": 0, "hands": ["1", "", "c"], "scores": [0, 9, 0]}),
    ("quit", {"quit": [0, 1, 2]}),
    ("quit", {"quit": [5]}),
    ("quit", {"quit": [1, 1]}),
    ("quit", {"quit": "1"}),
    ("last", {"last": 9}),
    ("last", {"last": True}),
    ("last", {"hands": ["", "1", "c"], "scores": [9, 0, 0], "last": 1}),
    ("last", {"hands": ["", "1", "c"], "scores": [9, 0, 0], "last": "-"}),
    ("turn", {"hands": ["", "1", "c"], "scores": [50, 0, 0], "turn": 1, "over": True}),
    ("scores", {"scores": [0, 10**5000, 0]}),
    ("turn", {"turn": 10**5000}),
    ("scores", {"scores": [0, 0]}),
    ("scores", {"scores": [0, -1, 0]}),
    ("scores", {"scores": [0, 10**9, 0]}),
    ("scores", {"scores": 5}),
    ("opener", {"opener": 3}),
    ("round", {"round": 0}),
    ("round", {"round": 101}),
    ("chance", {"chance": -1}),
    ("over", {"over": "maybe"}),
    ("over", {"over": False, "scores": [50, 0, 0]}),
    ("rest", {"rest": "in"}),
    ("pile", {"pile": "1 2"}),
    ("5", {5: 5}),  # type: ignore[dict-item]
]


@pytest.mark.parametrize(("key", "change"), BAD)
def test_bad_positions(chiko: Game, key: str, change: dict[str, Any]) -> None:
    with pytest.raises(lastcard.BadPosition) as error:
        chiko.position({**GOOD, **change}, players=3)
    assert str(error.value).startswith(f"{key}: ")
    assert str(error.value).endswith(".")
    assert len(str(error.value)) < 200


def test_what_must_be_given(chiko: Game) -> None:
    for key in ("top", "hands"):
        with pytest.raises(lastcard.BadPosition, match=rf"^{key}: must be given\.$"):
            chiko.position({k: v for k, v in GOOD.items() if k != key}, players=3)
    with pytest.raises(lastcard.BadPosition, match=r"^position: "):
        chiko.position("top: 6")  # type: ignore[arg-type]


def test_the_largest_hand_there_can_be(chiko: Game) -> None:
    everything = (
        " ".join(["1", "2", "3", "4", "5", "6", "c"] * 7).replace("c", "", 1).replace("1", "", 1)
    )
    match = chiko.position({"top": "c", "hands": [everything + " e", "1"]})
    assert match.position()["stock"] == ""
    assert match.legal(0) == ["play 1", "play c", "play e", "quit"]
    assert match.view(1)["hands"][0] == {"size": 48, "cards": []}


value = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.floats(allow_nan=False),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=2)
    ),
    max_leaves=5,
)
keys = ["turn", "top", "hands", "stock", "quit", "last", "scores", "opener", "round", "chance"]


@settings(max_examples=300)
@given(
    st.dictionaries(
        st.sampled_from([*keys, "over", "rest"]) | st.text(max_size=5), value, max_size=4
    )
)
def test_any_mapping_is_a_position_or_refused(change: dict[str, Any]) -> None:
    game = lastcard.game("chiko")
    try:
        match = game.position({**GOOD, **change}, players=3)
    except lastcard.BadPosition as error:
        assert str(error).partition(": ")[0] in {*GOOD, *change}
    else:
        again = game.position(match.position(), players=3)
        assert again.state == match.state


cards = st.lists(st.sampled_from("123456ce"), max_size=9).map(" ".join)


@settings(max_examples=300)
@given(
    st.lists(cards, min_size=2, max_size=5),
    st.sampled_from("123456c"),
    st.lists(st.integers(0, 4), max_size=3, unique=True),
    st.lists(st.integers(0, 60), min_size=2, max_size=5),
    st.booleans(),
)
def test_any_deal_is_a_match_that_can_be_played_or_refused(
    hands: list[str], top: str, quit: list[int], scores: list[int], rest: bool
) -> None:
    game = lastcard.game("chiko")
    position: dict[str, Any] = {"hands": hands, "top": top, "quit": quit, "scores": scores}
    if rest:
        position["rest"] = "out"
    try:
        match = game.position(position)
    except lastcard.BadPosition:
        return
    for _ in range(300):
        if match.over:
            return
        seat = match.waiting[0]
        match.play(seat, match.legal(seat)[0])
