"""Eight and a Half: what scenarios cannot say. Scores here are computed by hand from the rules."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from lastcard.core.game import Game
from lastcard.errors import BadOption, BadPosition
from lastcard.games.eight_half import components
from tests.helpers import counted_after, play_on, random_match, times

CARDS = "0123456789hg"


# --- Points, by hand -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "scores", "why"),
    [
        # Seat 0 goes out. Counts 0, 1, 3.
        ({"hands": ["9", "8", "1 1 1"]}, [3, 0, 0], "the winner has the lowest count, too"),
        # Counts 2 (burned), 1, 3.
        (
            {"hands": ["9", "8", "1 1 1"], "burned": ["1 2", "", ""]},
            [2, 1, 0],
            "burned cards count, the winner's too",
        ),
        # Counts 1, 1, 1 + 2 + 2 + 1 + 1 = 7.
        (
            {
                "hands": ["9", "8", "1"],
                "burned": ["g", "", "0"],
                "banks": ["", "", "2 2"],
                "open": ["-", "-", "h - h"],
                "blind": ["-", "-", "- 5 -"],
            },
            [3, 1, 0],
            "all who share the lowest count have the point",
        ),
        # Counts 5, 1 + 3 = 4, 2 + 2 = 4.
        (
            {"hands": ["9", "8", "1 1"], "burned": ["1 2 3 4 5", "0 0 h", "h h"]},
            [2, 1, 1],
            "others share it, the winner has it not",
        ),
    ],
)
def test_points_by_hand(
    eight_half: Game, position: dict[str, Any], scores: list[int], why: str
) -> None:
    more = {"turn": 0, "pot": "8", "turns": 9}
    match = eight_half.position(more | position, options={"rounds": 1})
    match.play(0, "play 9")
    assert match.over
    assert match.scores == scores, why


def test_final_scores_of_a_match_by_hand(eight_half: Game) -> None:
    """Three rounds of three players.

    Round 1: seat 1 leaves the pot on 3½; seat 2 catches with its last card, a 4, and has won. Seat
    1 burns 2, h, h, h, 4 and has 5 left: a count of 5 + 1 = 6. Seat 0 has 6 6: 2. Seat 2 has 0, the
    lowest. Points 0, 0, 3. The big loser is seat 1.
    Round 2: seat 0 flips its last blind card, a ghost, and has won; 5 burned cards count for it.
    Seat 1 has 9 and 9: 2. Seat 2 has 7, and burned 7: 2. So 2, 1, 1: in all 2, 1, 4. Of the two
    with the highest count the first after seat 0 is the big loser: seat 1.
    Round 3: the 500th turn ends it, without points: 2, 1, 4. Seat 2 wins.
    """
    options = {"rounds": 3}
    first = eight_half.position(
        {"turn": 1, "pot": "2 h h", "turns": 9, "hands": ["6 6", "h 5", "4"]}, options=options
    )
    first.play(1, "play h")
    assert first.view(None)["value"] == "3.5"
    first.play(2, "play 4")
    assert first.scores == [0, 0, 3]
    assert first.position()["swap"] == [2, 1]
    second = eight_half.position(
        {
            "turn": 0,
            "pot": "5",
            "turns": 40,
            "round": 2,
            "hands": ["", "9 9", "7"],
            "blind": ["- g -", "-", "-"],
            "table": [0],
            "burned": ["1 1 2 2 3", "", "7"],
            "scores": first.scores,
        },
        options=options,
    )
    second.play(0, "flip 1")
    assert second.scores == [2, 1, 4]
    assert second.position()["swap"] == [0, 1]
    third = eight_half.position(
        {
            "turn": 2,
            "pot": "9",
            "turns": 499,
            "round": 3,
            "hands": ["9 9", "3", "1 2"],
            "scores": second.scores,
        },
        options=options,
    )
    third.play(2, "eat")
    assert third.over
    assert third.scores == [2, 1, 4]
    assert third.winners == [2]


def test_cards_and_their_points_are_counted(eight_half: Game) -> None:
    position = {
        "turn": 0,
        "pot": "3",
        "hands": ["4", "6 7 4", "5"],
        "open": ["- - -", "2 6 g", "- h 8"],
        "blind": ["- - -", "4 9 h", "0 6 7"],
        "banks": ["", "5 g", ""],
        "burned": ["1 1", "", "8"],
        "turns": 9,
    }
    assert counted_after(eight_half, position, [(0, "play 4")]) == {
        0: [("burned", 2, 0), ("out", 1, 2), ("lowest", 2, 1)],
        1: [("hand", 3, 0), ("bank", 2, 0), ("open", 3, 0), ("blind", 3, 0)],
        2: [("hand", 1, 0), ("open", 2, 0), ("blind", 3, 0), ("burned", 1, 0)],
    }


# --- Deals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "piles"), [(2, [36]), (3, [24]), (4, [18]), (5, [14, 15])])
def test_deals(eight_half: Game, players: int, piles: list[int]) -> None:
    deck = Counter(dict(zip(CARDS, (6, 4, 4, 6, 6, 6, 6, 6, 6, 6, 8, 8), strict=True)))
    assert deck.total() == 72
    for seed in range(times(200, 20)):
        match = eight_half.match(players, seed)
        position = match.position()
        sizes = []
        dealt: Counter[str] = Counter()
        for zone in ("hands", "open", "blind", "banks"):
            for seat, cards in enumerate(position[zone]):
                assert zone == "banks" or len(cards.split()) == 3
                sizes.append((seat, len(cards.split())))
                dealt.update(cards.split())
        assert dealt == deck
        of_seat = [sum(n for one, n in sizes if one == seat) for seat in range(players)]
        assert set(of_seat) == set(piles)
        if players == 5:
            longer = {position["opener"], (position["opener"] + 1) % 5}
            assert {seat for seat in range(5) if of_seat[seat] == 15} == longer


def test_all_cards_are_always_somewhere(eight_half: Game) -> None:
    rng = random.Random(1)
    deck = Counter(dict(zip(components.CARDS, components.DECK, strict=True)))
    for _ in range(times(60, 6)):
        match = random_match(eight_half, rng)
        for _ in play_on(match, rng):
            position = match.position()
            zones = ("hands", "open", "blind", "banks", "burned")
            cards = Counter(position["pot"].split())
            cards.update(" ".join(" ".join(position[zone]) for zone in zones).split())
            del cards["-"]
            assert cards == deck
            s = match.record
            assert s.sizes.tolist() == s.hands.sum(axis=1).tolist()
            assert s.burned_sizes.tolist() == s.burned.sum(axis=1).tolist()
            kinds = [sum(1 << card for card in np.flatnonzero(hand).tolist()) for hand in s.hands]
            assert s.holds.tolist() == kinds


def test_every_seat_opens_now_and_then(eight_half: Game) -> None:
    openers = Counter(eight_half.match(5, seed).waiting[0] for seed in range(times(500, 100)))
    assert set(openers) == set(range(5))


# --- What the pot asks for -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pot", "value", "down", "policeman", "fits"),
    [
        ("", "-", False, "-", "0 1 2 3 4 5 6 7 8 9 h g 8h"),
        ("g", "0", False, "-", "0 1 2 3 4 5 6 7 8 9 h g 8h"),
        ("h", "0.5", False, "1", "1 2 3 4 5 6 7 8 9 h g 8h"),
        ("3 h g", "3.5", False, "4", "4 5 6 7 8 9 h g 8h"),
        ("4 h h", "5", True, "-", "0 1 2 3 4 5 h g"),
        ("5 g", "5", True, "-", "0 1 2 3 4 5 h g"),
        ("8", "8", False, "-", "0 8 9 h g 8h"),
        ("8 h", "8.5", False, "9", "9 g 8h"),
        ("9", "9", False, "-", "0 9 h g"),
        ("9 h", "9.5", False, "-", "h g"),
        ("9 h h", "10", False, "-", "0 h g"),
        ("9 h h h h h h h h", "13", False, "-", "0 h g"),
    ],
)
def test_a_view_says_what_the_pot_asks_for(
    eight_half: Game, pot: str, value: str, down: bool, policeman: str, fits: str
) -> None:
    view = eight_half.position({"turn": 0, "pot": pot, "turns": 9, "hands": ["1", "2"]}).view(1)
    found = [view[key] for key in ("value", "down", "policeman", "fits")]
    assert found == [value, down, policeman, fits]
    assert not view["first"]


def test_a_view_says_where_everybody_plays_from(eight_half: Game) -> None:
    position = {"turn": 0, "turns": 9, "hands": ["1", "", ""], "open": ["-", "- - 7", "-"]}
    match = eight_half.position(position | {"blind": ["1 2 3", "1 2 3", "- 4 -"]})
    assert match.view(None)["places"] == ["hand", "open", "blind"]
    assert match.view(None)["counts"] == [4, 4, 1]


def test_cards_out_of_the_round_are_seen_by_all(eight_half: Game) -> None:
    """A bot may count them, so people can look them up."""
    deck = Counter(dict(zip(components.CARDS, components.DECK, strict=True)))
    match = eight_half.position({"turn": 0, "turns": 9, "hands": ["2 6 9", "3 g"], "pot": "1"})
    assert Counter(match.view(1)["outside"].split()) == deck - Counter(
        ["2", "6", "9", "3", "g", "1"]
    )
    assert eight_half.match(3, 1).view(0)["outside"] == ""


# --- Bad input -----------------------------------------------------------------------------------

GOOD: dict[str, Any] = {
    "turn": 0,
    "pot": "3 h",
    "turns": 9,
    "hands": ["4 5", "6 7", "8 9"],
    "banks": ["1 1", "", ""],
    "open": ["0 0 0", "-", "- 1 -"],
    "blind": ["-", "5 5 5", "-"],
    "table": [2],
    "memory": ["0g 0", "", ""],
}


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"value": "3.5"}, "value"),
        ({"fits": "4"}, "fits"),
        ({"pot": "3 x"}, "pot"),
        ({"pot": "1 1 1"}, "banks"),
        ({"banks": ["1 1"]}, "banks"),
        ({"hands": ["", "6 7", "8 9"], "memory": ["", "", ""]}, "hands"),
        ({"hands": ["4 5", "", "8 9"], "blind": ["-", "-", "-"]}, "hands"),
        ({"banks": ["", "", "2"]}, "banks"),
        ({"banks": ["h " * 30, "", ""]}, "banks"),
        ({"open": ["0 0", "-", "-"]}, "open"),
        ({"open": ["0 0 0 0", "-", "-"]}, "open"),
        ({"open": ["0 0 q", "-", "-"]}, "open"),
        ({"blind": "5 5 5"}, "blind"),
        ({"last": 0}, "last"),
        ({"last": "-"}, "last"),
        ({"pot": "", "last": 1}, "last"),
        ({"turns": 501}, "turns"),
        ({"turns": 500}, "turns"),
        ({"swap": [0, 1]}, "swap"),
        ({"swap": [0, 0]}, "swap"),
        ({"swap": [0]}, "swap"),
        ({"swap": "0 1"}, "swap"),
        ({"swap": [0, 1], "pot": ""}, "swap"),
        ({"swap": [1, 0], "pot": "", "turns": 0}, "turn"),
        ({"round": 6}, "round"),
        ({"scores": [0, 0, -1]}, "scores"),
        ({"memory": ["", ""]}, "memory"),
        ({"memory": ["x", "", ""]}, "memory"),
        ({"memory": ["0 0g", "", ""]}, "memory"),
        ({"memory": ["0 0 0", "", ""]}, "memory"),
        ({"memory": ["0 | 1 | 2", "", ""]}, "memory"),
        ({"memory": ["45", "", ""]}, "memory"),
        ({"memory": ["4 4", "", ""]}, "memory"),
        ({"memory": [["0"], "", ""]}, "memory"),
        ({"table": [3]}, "table"),
    ],
)
def test_bad_positions(eight_half: Game, change: dict[str, Any], key: str) -> None:
    eight_half.position(GOOD)
    with pytest.raises(BadPosition, match=rf"^{key}: .*\.$"):
        eight_half.position(GOOD | change)


@pytest.mark.parametrize("options", [{"rounds": 0}, {"rounds": 101}, {"opener": 3}, {"target": 5}])
def test_bad_options(eight_half: Game, options: dict[str, Any]) -> None:
    with pytest.raises(BadOption, match=r"^options: .*\.$"):
        eight_half.match(3, 1, options)


@pytest.mark.parametrize("players", [1, 6])
def test_bad_numbers_of_players(eight_half: Game, players: int) -> None:
    with pytest.raises(BadOption, match=r"^players: "):
        eight_half.match(players)


def test_positions_that_are_over(eight_half: Game) -> None:
    last: dict[str, Any] = {"hands": ["", "1"], "turn": 0, "scores": [1, 4], "turns": 30}
    for more in ({}, {"pot": "9", "last": 0}, {"over": True}):
        match = eight_half.position({**last, **more}, options={"rounds": 1})
        assert match.over
        assert match.winners == [1]
    with pytest.raises(BadPosition, match=r"^over: "):
        eight_half.position({**last, "over": False}, options={"rounds": 1})
    with pytest.raises(BadPosition, match=r"^hands: "):
        eight_half.position(last)
    at_the_cap = eight_half.position(
        {"hands": ["2", "1"], "turns": 500, "round": 2}, options={"rounds": 2}
    )
    assert at_the_cap.over
