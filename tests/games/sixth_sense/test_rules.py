"""Sixth Sense: what scenarios cannot say. Scores here are computed by hand from the rules."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from lastcard.core.game import Game
from lastcard.errors import BadOption, BadPosition
from tests.helpers import counted_after

# --- Points, by hand -----------------------------------------------------------------------------

# Prediction, tricks won, points, points of a beginner.
POINTS = [
    ("0", 0, 0, 6),
    ("0", 1, -1, 4),
    ("0", 5, -5, 0),
    ("1", 1, 1, 6),
    ("3", 0, -3, 2),
    ("4", 4, 4, 6),
    ("4", 6, -2, 3),
    ("4", 2, -2, 3),
    ("5", 9, -4, 1),
    ("6", 6, 6, 6),
    ("6", 9, 9, 6),
    ("6", 7, -1, 4),
    ("6", 8, -1, 4),
    ("6", 10, -1, 4),
    ("6", 5, -1, 4),
    ("6", 3, -3, 2),
    ("6", 0, -6, 0),
    ("6", 14, -5, 0),
    ("8", 9, -1, 4),
    ("14", 2, -12, 0),
    ("14", 14, 14, 6),
    ("10", 4, -6, 0),
]


@pytest.mark.parametrize(("number", "tricks", "points", "beginner"), POINTS)
def test_points_by_hand(
    sixth_sense: Game, number: str, tricks: int, points: int, beginner: int
) -> None:
    """Seat 1 wins the last trick, so that seat 0 keeps what it has."""
    for options, score in (({}, points), ({"beginner": True}, beginner)):
        match = sixth_sense.position(
            {
                "hands": ["b1", "b2", "b3"],
                "predictions": [f"r{number}", "y1", "g1"],
                "tricks": [tricks, 0, 0],
                "scores": [100, 0, 0],
                "trick": [],
                "leader": 0,
                "round": 6,
                "rest": "out",
            },
            options=options,
        )
        match.play(0, "play b1")
        match.play(1, "play b2")
        match.play(2, "play b3")
        assert match.over
        assert match.scores[0] == 100 + score


def test_final_scores_of_a_match_by_hand(sixth_sense: Game) -> None:
    """Two rounds of two players, trump yellow; each time two tricks are left.

    Round 5: seat 0 predicted 3 and has 2 tricks, seat 1 predicted 6 and has 8. Seat 0 leads r12,
    seat 1 follows with r13 and wins; with the 12 it splits: 10 tricks. It leads r4: reversed. Seat
    0 has no red and lays b14, which is neither trump nor asked: it wins. 3 tricks, 3 points. Seat 1
    has 10, and 9 is nearer: -1. Scores 5 + 3 = 8 and 7 - 1 = 6. Seat 1 opens round 6.
    Round 6: seat 0 predicted 0 and has 1, seat 1 predicted 7 and has 7. Seat 1 leads g8, seat 0
    blocks it with g0: nobody wins, nothing is seen, seat 1 leads again. It plays y6 as 9, seat 0
    has y8: seat 1 wins, its 8th trick. Seat 0: -1, seat 1: -1. 7 to 5.
    """
    first = sixth_sense.position(
        {
            "trump": "y",
            "hands": ["r12 b14", "r13 r4"],
            "predictions": ["g3", "g6"],
            "tricks": [2, 8],
            "scores": [5, 7],
            "round": 5,
            "rest": "out",
        }
    )
    for seat, action in [(0, "play r12"), (1, "play r13"), (1, "split"), (1, "play r4")]:
        first.play(seat, action)
    first.play(0, "play b14")
    assert first.scores == [8, 6]
    assert (first.round, first.position()["opener"]) == (6, 1)
    second = sixth_sense.position(
        {
            "trump": "y",
            "hands": ["g0 y8", "g8 y6"],
            "predictions": ["b0", "b7"],
            "tricks": [1, 7],
            "scores": first.scores,
            "opener": 1,
            "round": 6,
            "rest": "out",
        }
    )
    for seat, action in [(1, "play g8"), (0, "block g0 1"), (1, "play y6=9"), (0, "play y8")]:
        assert not second.over
        second.play(seat, action)
    assert second.over
    assert second.scores == [7, 5]
    assert second.winners == [0]
    assert second.position()["seen"] == []


def last_trick(game: Game, trump: str, **options: Any) -> Any:
    position = {
        "leader": 1,
        "trump": trump,
        "hands": ["r1", "", "", ""],
        "predictions": ["y2", "b6", "r6", "y4"],
        "tricks": [2, 7, 7, 3],  # and seat 1 wins the last
        "trick": ["1 p7", "2 p1", "3 p2"],
        "rest": "out",
    }
    return counted_after(game, position, [(0, "play r1")], **options)


def test_tricks_are_counted_against_the_prediction(sixth_sense: Game) -> None:
    assert last_trick(sixth_sense, "g") == {
        0: [("exact", 0, 2)],
        1: [("under", 1, -1)],  # 8 tricks: 9 is nearer than 6
        2: [("over", 1, -1)],  # 7 tricks: 6 is nearer
        3: [("under", 1, -1)],
    }


def test_beginners_get_points_for_being_near(sixth_sense: Game) -> None:
    assert last_trick(sixth_sense, "-", beginner=True) == {
        0: [("exact", 0, 6)],
        1: [("under", 1, 4)],
        2: [("over", 1, 4)],
        3: [("under", 1, 4)],
    }


# --- Deals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "each", "left", "rounds"),
    [(2, 15, 26, 6), (3, 14, 28, 6), (4, 14, 14, 4), (5, 13, 5, 5), (6, 11, 4, 6)],
)
def test_deals(sixth_sense: Game, players: int, each: int, left: int, rounds: int) -> None:
    match = sixth_sense.match(players, 5)
    position = match.position()
    cards = " ".join([*position["hands"], position["stock"]]).split()
    assert [len(hand.split()) for hand in position["hands"]] == [each] * players
    assert len(position["stock"].split()) == left
    assert sorted(cards) == sorted(c for c in sixth_sense.cards if players > 2 or c[0] != "p")
    assert position["trump"] == position["stock"][0]
    assert match.view()["rounds"] == rounds


# --- Predictions: all at the same time -----------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"late_trump": True}, {"beginner": True}])
def test_the_order_of_predictions_tells_nothing(sixth_sense: Game, options: dict[str, Any]) -> None:
    states = set()
    for order in permutations(range(3)):
        match = sixth_sense.match(3, 7, options)
        for n, seat in enumerate(order):
            assert match.waiting == sorted(order[n:])
            match.play(seat, match.legal(seat)[2])
        states.add(match.state)
    assert len(states) == 1


def test_what_others_laid_cannot_be_told_from_anything(sixth_sense: Game) -> None:
    """Whatever card another player lays, a seat sees, hears and may do the same."""
    for options in ({}, {"late_trump": True}):
        seen = set()
        for choice in range(14):
            match = sixth_sense.match(4, 9, options)
            events = match.play(2, match.legal(2)[choice])
            view = match.view(0)
            lines = match.lines(events, 0)
            assert lines == []
            assert view["predictions"] == ["-", "-", "?", "-"]
            seen.add((str(view), match.hidden(0).tobytes(), str(match.tell(events, 0))))
        assert len(seen) == 1


def test_a_late_trump_is_hidden_from_all_until_all_have_predicted(sixth_sense: Game) -> None:
    match = sixth_sense.match(3, 4, {"late_trump": True})
    for seat in range(3):
        for reader in (None, 0, 1, 2):
            assert match.view(reader)["trump"] == "-"
            assert match.view(reader)["stock"] == {"size": 28, "cards": []}
        events = match.play(seat, match.legal(seat)[0])
    top = match.position()["stock"].split()[0]
    assert match.view(None)["trump"] == top[0]
    assert match.view(None)["stock"]["cards"] == [top, *["?"] * 27]
    assert match.tell(events, None)[-1] == {
        "kind": "turned",
        "seat": int(match.position()["leader"]),
        "card": top,
        "colour": top[0],
    }


# --- The peek ------------------------------------------------------------------------------------


def test_only_the_leader_sees_what_he_peeks_at(sixth_sense: Game) -> None:
    table = {
        "trump": "r",
        "hands": ["g8 g1", "g13 g2", "g5 g3"],
        "predictions": ["b1", "y14", "p3"],
        "rest": "out",
    }
    match = sixth_sense.position(table)
    for seat, action in ((0, "play g8"), (1, "play g13")):
        match.play(seat, action)
    before = {reader: match.view(reader)["predictions"] for reader in (None, 0, 1, 2)}
    events = match.play(2, "play g5")
    assert match.view(0)["predictions"] == ["b1", "y14", "?"]
    assert match.view(0)["aims"] == ["1", "14", "?"]
    for reader in (None, 1, 2):
        assert match.view(reader)["predictions"] == before[reader]
        assert match.view(reader)["seen"] == ["0 1"]  # all can see that the leader peeked
        assert "y14" not in str(match.tell(events, reader))
        assert "Seat 0 peeks at the prediction of {}.".format(
            "you" if reader == 1 else "Seat 1"
        ) in match.lines(events, reader)
    assert "You peek at the prediction of Seat 1: yellow-14." in match.lines(events, 0)


# --- Bad input -----------------------------------------------------------------------------------

TABLE: dict[str, Any] = {
    "trump": "r",
    "hands": ["g8 g1", "g13 g2", "g5 g3"],
    "predictions": ["b1", "y14", "p3"],
    "rest": "out",
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hands": ["g8 g1", "g13 g2", "g5"]}, "hands: with prediction and card in the trick"),
        ({"hands": ["g8 g8", "g13 g2", "g5 g3"]}, "hands: there is only 1 of the card g8"),
        ({"hands": ["g8 g9", "g13 g2", "g5 g3"]}, "hands: there is no card 'g9'"),
        ({"hands": "g8"}, "hands: must be a list"),
        ({"hands": ["", "", ""]}, "hands: nobody has a card"),
        ({"predictions": ["g8", "y14", "p3"]}, "predictions: there is only 1 of the card g8"),
        ({"predictions": ["b1", "y14"]}, "predictions: has entries for 2"),
        ({"predictions": ["b1", "y14", ""]}, "predictions: there is no card ''"),
        ({"trick": "0 g7"}, "trick: must be a list"),
        ({"trick": ["g7"]}, "trick: must have a seat and a card each"),
        ({"trick": ["0 g7", "0 g6"]}, "trick: seat 1 plays before seat 0"),
        ({"trick": ["0 g7=9"]}, "trick: there is no card 'g7=9'"),
        ({"trick": ["0 g0>1"]}, "trick: no card of seat 1 lies there"),
        ({"trick": ["0 g7", "1 g10>0"]}, "trick: only a 0 blocks, not g10"),
        ({"trick": ["0 g7", "1 g0>1"]}, "trick: no card of seat 1 lies there"),
        ({"trick": ["0 g7", "1 g0>0", "2 y0>0"]}, "trick: there is one block"),
        ({"trick": ["0 g7", "1 g10", "2 g11"]}, "trick: is complete"),
        ({"trick": ["5 g7"]}, "trick: there is no seat '5'"),
        ({"trick": ["0 g7"], "leader": 1}, "leader: seat 0 laid the first card"),
        ({"turn": 1, "leader": 0}, "turn: it is seat 0, not 1"),
        (
            {"turn": 1, "predictions": "-", "tricks": [0, 0, 0]},
            "turn: while predictions are laid it is the opener seat 0",
        ),
        ({"trump": "x"}, "trump: must be one of r y g b p -, not"),
        ({"seen": ["0 0"]}, "seen: must have two different seats"),
        ({"seen": ["0 9"]}, "seen: there is no seat '9'"),
        ({"seen": "0 1"}, "seen: must be a list"),
        ({"void": ["g", "", ""]}, "void: seat 0 has g in hand"),
        ({"void": ["x", "", ""]}, "void: 'x' is none of"),
        ({"tricks": [0, 0, 31]}, "tricks: must be a whole number"),
        ({"scores": [0, 0, 30_001]}, "scores: must be a whole number"),
        ({"round": 7}, "round: the match has at most 6 rounds"),
        ({"asked": "g"}, "asked: no such key"),
        ({"over": "maybe"}, "over: must be true or false"),
    ],
)
def test_bad_positions(sixth_sense: Game, change: dict[str, Any], message: str) -> None:
    sixth_sense.position(TABLE)
    with pytest.raises(BadPosition) as error:
        sixth_sense.position(TABLE | change)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"beginner": True, "late_trump": True}, "options: beginner and late_trump do not go"),
        ({"target": 0}, "options: target must be a whole number from 1 to 1000"),
        ({"target": -5}, "options: target must be"),
        ({"target": "many"}, "options: target must be"),
        ({"beginner": "perhaps"}, "options: beginner must be true or false"),
        ({"opener": 6}, "options: opener must be a seat"),
        ({"rounds": 3}, "options: 'rounds' is none of"),
    ],
)
def test_bad_options(sixth_sense: Game, options: dict[str, Any], message: str) -> None:
    with pytest.raises(BadOption) as error:
        sixth_sense.match(3, 1, options)
    assert str(error.value).startswith(message)


def test_lists_can_be_none(sixth_sense: Game) -> None:
    plain = sixth_sense.position(TABLE | {"trick": [], "seen": []}).state
    assert sixth_sense.position(TABLE | {"trick": "-", "seen": "-"}).state == plain
    nothing = sixth_sense.position(TABLE | {"predictions": ["-"] * 3}).state
    assert sixth_sense.position(TABLE | {"predictions": "-"}).state == nothing


def test_no_target_can_be_said(sixth_sense: Game) -> None:
    for none in (None, "-"):
        assert sixth_sense.match(2, 1, {"target": none}).options["target"] is None
    assert sixth_sense.match(2, 1, {"target": "20"}).options["target"] == 20


def test_the_wrong_number_of_players(sixth_sense: Game) -> None:
    for players in (1, 7):
        with pytest.raises(BadOption, match=r"^players: Sixth Sense is for 2 to 6"):
            sixth_sense.match(players)
