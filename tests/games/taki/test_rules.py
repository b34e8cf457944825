"""TAKI: what scenarios cannot say. Scores here are computed by hand from the rule page."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from lastcard.core.game import Game
from lastcard.errors import BadOption, BadPosition
from lastcard.games.taki import components
from tests.helpers import choose, counted_after, play_on, random_match, shy_of, times

# --- Points, by hand -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("r1 y3 g4 b5 r6 y7 g8 b9", 43),  # 1 + 3 + 4 + 5 + 6 + 7 + 8 + 9
        ("r2+ ys gr b+ rt", 50),  # five commands
        ("cc st cz", 30),
        ("cc cc cc cc st st cz cz", 80),
        ("b9 b9", 18),
        ("g1", 1),
        ("r9 r9 r8 r8 y9 y9 y8 y8 g9 g9 g8 g8 b9 b9 b8 b8", 136),  # more than a byte holds
    ],
)
def test_points_of_a_hand(taki: Game, hand: str, points: int) -> None:
    position = {"turn": 0, "top": "y5", "hands": ["y5", hand]}
    match = taki.position(position, options={"rounds": 1})
    match.play(0, "play y5")
    assert match.over
    assert match.scores == [-100, points]
    assert match.winners == [0]


def test_final_scores_of_a_match_by_hand(taki: Game) -> None:
    """Three rounds of three players; a +3 that is broken, a run, and a round without a winner.

    Round 1: seat 0 plays the green pair; seat 2 breaks it with its red pair, which were its last
    cards: seat 0 draws b1 b3 b4. Seat 0 holds y9 b1 b3 b4 (17), seat 1 holds cc r7 (17), seat 2 has
    won: 17, 17, -100.
    Round 2: seat 1 lays yt, y4 and then y8, its last card. Seat 0 holds gs (10), seat 2 b6 b6 (12):
    27, -83, -88.
    Round 3: there is nothing to draw, and nobody can play: after three turns everybody scores:
    seat 0 b1 (1), seat 1 b+ (10), seat 2 b3 b4 (7): 28, -73, -81. Seat 2 wins.
    """
    options = {"rounds": 3}
    first = taki.position(
        {"turn": 0, "top": "g5", "hands": ["g+ g3 y9", "cc r7", "r+ r3"], "stock": "b1 b3 b4"},
        options=options,
    )
    for seat, action in [(0, "play g+"), (0, "play g3"), (2, "break r")]:
        first.play(seat, action)
    assert first.scores == [17, 17, -100]
    assert (first.round, first.waiting) == (2, [2])
    second = taki.position(
        {"turn": 1, "top": "y1", "hands": ["gs", "yt y4 y8", "b6 b6"], "round": 2}
        | {"scores": first.scores},
        options=options,
    )
    for action in ("play yt", "play y4", "play y8"):
        second.play(1, action)
    assert second.scores == [27, -83, -88]
    assert (second.round, second.waiting) == (3, [1])
    third = taki.position(
        {"turn": 1, "top": "r5", "hands": ["b1", "b+", "b3 b4"], "round": 3, "rest": "out"}
        | {"scores": second.scores},
        options=options,
    )
    for seat in (1, 2, 0):
        assert not third.over
        third.play(seat, "draw")
    assert third.over
    assert third.scores == [28, -73, -81]
    assert third.winners == [2]


def test_cards_and_the_winner_are_counted(taki: Game) -> None:
    position = {"turn": 0, "top": "r5", "hands": ["r8", "g9 g9 bs cc", "y1 st"]}
    assert counted_after(taki, position, [(0, "play r8")]) == {
        0: [("out", 1, -100)],
        1: [("g9", 2, 18), ("bs", 1, 10), ("cc", 1, 10)],
        2: [("y1", 1, 1), ("st", 1, 10)],
    }


# --- Deals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 11))
def test_deals(taki: Game, players: int) -> None:
    returned = 0
    for seed in range(times(200, 20)):
        match = taki.match(players, seed)
        position = match.position()
        assert position["top"][1:] in "13456789"
        assert all(len(hand.split()) == 8 for hand in position["hands"])
        assert len(position["stock"].split()) == 112 - 8 * players - 1
        assert position["pile"] == ""
        returned += position["chance"] > 2  # two blocks for the shuffle, one for each card put back
    assert 0.2 < returned / times(200, 20) < 0.7  # 48 of 112 cards are no numbers


def test_all_cards_are_always_somewhere(taki: Game) -> None:
    rng = random.Random(1)
    deck = Counter(dict(zip(components.CARDS, components.DECK, strict=True)))
    assert deck.total() == 112
    for _ in range(times(60, 6)):
        match = random_match(taki, rng)
        for _ in play_on(match, rng, shy_of(rng, match)):
            position = match.position()
            cards = " ".join([*position["hands"], position["stock"], position["pile"]])
            assert Counter([*cards.split(), position["top"]]) == deck
            s = match.record
            assert s.sizes.tolist() == s.hands.sum(axis=1).tolist()
            kinds = [sum(1 << card for card in np.flatnonzero(hand).tolist()) for hand in s.hands]
            assert s.holds.tolist() == kinds


def test_every_seat_opens_now_and_then(taki: Game) -> None:
    openers = Counter(taki.match(10, seed).waiting[0] for seed in range(times(1000, 200)))
    assert set(openers) == set(range(10))


# --- Calls ---------------------------------------------------------------------------------------


def test_a_call_is_open_to_a_seat_that_is_not_waited_for(taki: Game) -> None:
    match = taki.position({"turn": 0, "top": "r5", "hands": ["r7 b1", "r1 r3", "g1 g3"]})
    assert match.bystanders == []
    match.play(0, "play r7")
    assert match.waiting == [1]
    assert match.bystanders == [0]
    assert match.view(0)["legal"] == ["call"]
    late = match.copy()
    match.play(0, "call")
    assert match.bystanders == []
    match.play(1, "play r1")
    assert match.view(1)["hands"][0]["size"] == 1
    late.play(1, "play r1")
    assert late.view(1)["hands"][0]["size"] == 5


def test_simulations_need_no_calls(taki: Game) -> None:
    assert taki.match(2).options["announce"] == "call"
    stored = taki.simulated_options(4)
    assert taki.options[components.ANNOUNCE].write(stored[components.ANNOUNCE]) == "auto"
    rng = random.Random(5)
    match = taki.match(4, 1, {"announce": "auto"})
    while not match.over:
        assert all("call" not in match.legal(seat) for seat in range(4))
        assert match.position()["exposed"] == "-"
        match.play(*choose(rng, match))


# --- Bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {"rounds": 0},
        {"rounds": 21},
        {"rounds": "many"},
        {"must_play": "maybe"},
        {"crazy_all": 1},
        {"announce": "shout"},
        {"opener": 4},
        {"target": 50},
    ],
)
def test_bad_options(taki: Game, options: dict[str, Any]) -> None:
    with pytest.raises(BadOption, match=r"^options: .*\.$"):
        taki.match(4, 0, options)


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"memory": ["", "r9@0", ""]}, "memory"),  # there is no r9 in that hand
        ({"memory": ["", "r7@1", ""]}, "memory"),  # one's own hand
        ({"memory": ["", "r7@3", ""]}, "memory"),
        ({"memory": ["", "r7@", ""]}, "memory"),
        ({"memory": ["", "nonsense", ""]}, "memory"),
        ({"memory": ["", "barred:9:r5", ""]}, "memory"),
        ({"memory": ["", "barred:1:x5", ""]}, "memory"),
        ({"memory": ["", "old:1", ""]}, "memory"),  # the stock was never reshuffled
        ({"memory": ["drew:r1", "", ""]}, "memory"),
        ({"memory": ["drew:r1", "", ""], "remade": "r3"}, "memory"),
        ({"memory": ["old:2 young:1", "", ""], "remade": "r3"}, "memory"),
        ({"memory": ["", ""]}, "memory"),
        ({"memory": "r7@0"}, "memory"),
        ({"remade": "r1 r1 r1"}, "remade"),
        ({"remade": "x"}, "remade"),
        ({"scores": [0, 0, 20_000]}, "scores"),
        ({"run": "perhaps", "open": "r"}, "run"),
        ({"direction": "left"}, "direction"),
        ({"exposed": 2}, "exposed"),
        ({"exposed": 1, "called": [1]}, "exposed"),
    ],
)
def test_bad_positions(taki: Game, change: dict[str, Any], key: str) -> None:
    position = {"turn": 0, "top": "r5", "hands": ["b1 b3", "r7", "g6 g8"]}
    taki.position(position)
    with pytest.raises(BadPosition, match=rf"^{key}: .*\.$"):
        taki.position(position | change)


def test_nobody_is_exposed_when_calls_are_made_for_all(taki: Game) -> None:
    position = {"turn": 0, "top": "r5", "hands": ["b1 b3", "r7"], "exposed": 1}
    taki.position(position)
    with pytest.raises(BadPosition, match=r"^exposed: "):
        taki.position(position, options={"announce": "auto"})


# --- What fits -----------------------------------------------------------------------------------


def test_what_fits_is_what_can_be_played(taki: Game) -> None:
    rng = random.Random(21)
    seen: Counter[str] = Counter()
    for _ in range(times(20, 6)):
        match = random_match(taki, rng)
        shy = shy_of(rng, match)
        while not match.over:
            view = match.view(match.record.turn)
            fits = view["fits"].split()
            held = set(view["hands"][view["turn"]]["cards"])
            plays = {one.split()[1].split(">")[0] for one in view["legal"] if one[:4] == "play"}
            if view["asked"] == "-":
                assert plays == held.intersection(fits), view
            seen["run" if view["run"] else "debt" if view["debt"] else "plain"] += 1
            match.play(*choose(rng, match, shy))
    assert min(seen["run"], seen["debt"], seen["plain"]) > 10
