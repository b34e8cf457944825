"""Chiko: what scenarios cannot say. Scores here are computed by hand from the rule page."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from lastcard.core.game import Game
from lastcard.core.match import Seat
from lastcard.games.chiko import components, features
from tests.helpers import counted_after, moments, play_on, random_match, shy_of, times


@pytest.mark.parametrize(
    ("hand", "top", "points"),
    [
        ("c c c 3 3", "1", 13),  # 10 + 3
        ("1 2 3 4 5 6 c", "2", 31),  # 1 + 2 + 3 + 4 + 5 + 6 + 10
        ("1 1 1 1 1 1 1", "4", 1),
        ("e", "6", 6),
        ("e", "c", 10),
        ("e 4", "4", 8),  # the egg counts on its own
        ("e c", "c", 20),
        ("e 1 2 3 4 5 6 c", "c", 41),  # the most there is: 31 + 10
        ("6 6 5", "1", 11),
    ],
)
def test_points_of_a_hand(chiko: Game, hand: str, top: str, points: int) -> None:
    position = {"turn": 0, "top": top, "hands": [hand, "1", "1"], "quit": [1, 2], "rest": "out"}
    if hand.split().count("1") == 7:
        position["hands"] = [hand, "2", "2"]
    match = chiko.position(position, players=3)
    match.play(0, "quit")
    assert match.scores[0] == points


def test_final_scores_of_a_match_by_hand(chiko: Game) -> None:
    """Two rounds, one with dice, to a target of 30.

    Round 1: seat 0 quits with 6 and c (16), seat 1 plays its last card and has no points yet, so
    it does not roll; seat 2 holds 2, 2 and the egg on a 5 (2 + 5 = 7). Scores 16, 0, 7.
    Round 2, from a position: seat 2 goes out on its 1 and rolls 3 and 1: 7 - 4 = 3. Seat 0 holds a
    chick and a 4 (14): 16 + 14 = 30, the target. Seat 1 holds 3 3 3 (3). Scores 30, 3, 3: seats
    1 and 2 share the win.
    """
    first = chiko.position(
        {"turn": 0, "top": "4", "hands": ["6 c", "5", "2 2 e"]}, options={"target": 30}
    )
    first.play(0, "quit")
    first.play(1, "play 5")
    assert first.scores == [16, 0, 7]
    assert (first.round, first.position()["opener"]) == (2, 1)
    second = chiko.position(
        {"turn": 2, "top": "c", "hands": ["4 c", "3 3 3", "1"], "scores": first.scores, "round": 2},
        options={"target": 30},
    )
    second.play(2, "play 1")
    assert second.waiting == ["chance"]
    second.play("chance", "roll 3 1")
    assert second.over
    assert second.scores == [30, 3, 3]
    assert second.winners == [1, 2]


def test_each_rank_is_counted_once_and_the_egg_as_the_pile(chiko: Game) -> None:
    position = {"turn": 0, "top": "3", "hands": ["4", "6 6 6 e 4", "c c"]}
    assert counted_after(chiko, position, [(0, "play 4")]) == {
        1: [("4", 1, 4), ("6", 3, 6), ("e", 1, 4)],
        2: [("c", 2, 10)],
    }


def test_counted_after_the_dice(chiko: Game) -> None:
    position = {"turn": 0, "top": "c", "hands": ["1", "e"], "scores": [9, 0]}
    moves: list[tuple[Seat, str]] = [(0, "play 1"), ("chance", "roll 2 3")]
    assert counted_after(chiko, position, moves) == {1: [("e", 1, 1)]}


def test_all_fifty_cards_are_always_somewhere(chiko: Game) -> None:
    rng = random.Random(1)
    for _ in range(times(100, 10)):
        match = random_match(chiko, rng)
        for _ in play_on(match, rng, shy_of(rng, match)):
            s = match.record
            stock = Counter(s.stock[: s.stock_size].tolist())
            for card in range(len(components.CARDS)):
                everywhere = s.hands[:, card].sum() + s.gone[card] + stock[card]
                assert everywhere == components.DECK[card]
            assert not s.stock[s.stock_size :].any()
            assert s.sizes.tolist() == s.hands.sum(axis=1).tolist()


def test_an_egg_turned_up_goes_back(chiko: Game) -> None:
    """Some of many deals turn up the egg: those use a second block of chance."""
    returned, places = 0, set()
    for seed in range(times(3000, 300)):
        match = chiko.match(4, seed)
        position = match.position()
        assert position["top"] != "e"
        if position["chance"] > 1:
            returned += 1
            places.add(position["stock"].split().index("e"))
    expected = times(3000, 300) / 50
    assert expected / 2 < returned < expected * 2
    assert len(places) > returned / 4


def test_every_seat_opens_now_and_then(chiko: Game) -> None:
    openers = Counter(chiko.match(5, seed).waiting[0] for seed in range(times(1000, 200)))
    assert set(openers) == set(range(5))
    assert min(openers.values()) > times(150, 15)


def test_dice_are_all_equally_legal_and_drawn_from_the_key(chiko: Game) -> None:
    position = {"top": "4", "hands": ["", "1"], "scores": [40, 0]}
    match = chiko.position(position)
    assert match.legal("chance") == [
        f"roll {a} {b}" for a in (1, 2, 3, 4, 5, 10) for b in (1, 2, 3, 4, 5, 10)
    ]
    rolled = set()
    for seed in range(times(1000, 300)):
        match = chiko.position(position, seed=seed)
        match.roll()
        again = chiko.position(position, seed=seed)
        again.roll()
        assert match.moves == again.moves
        rolled.add(match.moves[0][1])
    assert len(rolled) == 36


def test_nobody_learns_anothers_card_from_a_move(chiko: Game) -> None:
    """Until the round is scored, a seat sees only the cards that others play."""
    seen = 0
    for match, _ in moments(chiko, times(300, 30), seed=8):
        if match.over or match.waiting == ["chance"]:
            continue
        actor = match.waiting[0]
        assert isinstance(actor, int)
        for seat in range(match.players):
            if seat == actor or "draw" not in match.legal(actor):
                continue
            after = match.copy()
            events = after.play(actor, "draw")
            assert after.tell(events, seat) == [{"kind": "drew", "seat": actor, "card": "?"}]
            assert after.tell(events, actor)[0]["card"] != "?"
            view, before = after.view(seat), match.view(seat)
            assert view["hands"][actor]["cards"] == []
            assert view["hands"][seat] == before["hands"][seat]
            seen += 1
    assert seen > times(100, 10)


def test_hands_are_shown_when_the_match_is_over(chiko: Game) -> None:
    match = chiko.position({"turn": 0, "top": "4", "hands": ["5", "c 2"], "scores": [0, 40]})
    assert match.view(0)["hands"][1] == {"size": 2, "cards": []}
    match.play(0, "play 5")
    assert match.over
    assert match.view(0)["hands"][1] == {"size": 2, "cards": ["2", "c"]}
    assert match.view(None)["stock"]["cards"] == []


def test_what_a_learner_sees(chiko: Game) -> None:
    match = chiko.position(
        {
            "turn": 1,
            "top": "c",
            "hands": ["1 1 e", "3", "2 2"],
            "quit": [2],
            "last": 0,
            "scores": [0, 25, 50],
            "over": True,
        },
        options={"target": 50},
    )
    out = np.zeros(len(features.OBSERVED), np.float32)
    chiko.rules.observe(match.hidden(1)[0], 1, out)
    seen = dict(zip(features.OBSERVED, out.tolist(), strict=True))
    assert seen["own 3"] == pytest.approx(1 / 7)
    assert seen["own 1"] == 0
    assert seen["top c"] == 1
    assert seen["gone c"] == pytest.approx(1 / 7)
    assert (seen["here 0"], seen["here 2"], seen["here 3"]) == (1, 1, 0)
    assert (seen["turn 0"], seen["turn 1"]) == (1, 0)
    assert seen["cards 0"] == pytest.approx(1 / 50)
    assert seen["cards 2"] == pytest.approx(3 / 50)
    assert (seen["quit 1"], seen["quit 2"]) == (1, 0)
    assert (seen["score 0"], seen["score 1"]) == (0.5, 1)
    assert (seen["last 2"], seen["last 0"]) == (1, 0)
    assert (seen["target"], seen["over"]) == (0.5, 1)
