"""How points came about: what is counted of every seat adds up to what it is given."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import Any

from lastcard.core.events import LOG_ROWS
from lastcard.core.game import Game
from lastcard.core.registry import game
from tests.helpers import combinations_of_flags, play_on, random_match, shy_of, times


def counted(events: list[dict[str, Any]]) -> dict[int, list[tuple[str, int, int]]]:
    """What was counted of each seat: what, how many, points."""
    parts = defaultdict(list)
    for event in events:
        if event["kind"] == "counted":
            parts[event["seat"]].append((event["what"], event["count"], event["points"]))
    return dict(parts)


def test_parts_add_up_to_the_points(any_game: Game) -> None:
    rng = random.Random(19)
    rounds = 0
    for players in range(any_game.fewest, any_game.most + 1):
        for flags in combinations_of_flags(any_game, players):
            for _ in range(times(5, 1)):
                match = random_match(any_game, rng, players, flags)
                for _, _, events in play_on(match, rng, shy_of(rng, match)):
                    assert len(events) < LOG_ROWS - 1
                    rounds += adds_up(match.tell(events, None), players)
    assert rounds > 0


def adds_up(events: list[dict[str, Any]], players: int) -> bool:
    """Checks what a move tells of a round that ended with it, if one did."""
    kinds = [event["kind"] for event in events]
    scored = {event["seat"]: event["points"] for event in events if event["kind"] == "scored"}
    parts = counted(events)
    assert set(parts) <= set(scored)
    for seat, points in scored.items():
        assert sum(one[2] for one in parts.get(seat, [])) == points
        assert all(
            count > 0 or what in ("exact", "lowest") for what, count, _ in parts.get(seat, [])
        )
    if "counted" in kinds:
        # Before the points are written down, seat by seat, and before the next deal.
        order = [event["seat"] for event in events if event["kind"] in ("counted", "scored")]
        assert order == sorted(order) and list(scored) == list(range(players))
        ends = [n for n, kind in enumerate(kinds) if kind in ("dealt", "won")]
        assert max(n for n, kind in enumerate(kinds) if kind == "counted") < min(ends)
    return bool(scored)


def ended(id: str, position: dict[str, Any], moves: list[tuple[Any, str]], **options: Any) -> Any:
    """What is counted of whom after these moves."""
    match = game(id).position(position, len(position["hands"]), options)
    for seat, move in moves:
        events = match.play(seat, move)
    return counted(match.tell(events, None))


def test_chiko_counts_each_rank_once_and_the_egg_as_the_pile() -> None:
    position = {"turn": 0, "top": "3", "hands": ["4", "6 6 6 e 4", "c c"]}
    assert ended("chiko", position, [(0, "play 4")]) == {
        1: [("4", 1, 4), ("6", 3, 6), ("e", 1, 4)],
        2: [("c", 2, 10)],
    }


def test_chiko_counts_after_the_dice() -> None:
    position = {"turn": 0, "top": "c", "hands": ["1", "e"], "scores": [9, 0]}
    moves = [(0, "play 1"), ("chance", "roll 2 3")]
    assert ended("chiko", position, moves) == {1: [("e", 1, 1)]}


def test_taki_counts_cards_and_the_winner() -> None:
    position = {"turn": 0, "top": "r5", "hands": ["r8", "g9 g9 bs cc", "y1 st"]}
    assert ended("taki", position, [(0, "play r8")]) == {
        0: [("out", 1, -100)],
        1: [("g9", 2, 18), ("bs", 1, 10), ("cc", 1, 10)],
        2: [("y1", 1, 1), ("st", 1, 10)],
    }


def test_eight_and_a_half_counts_cards_and_what_they_bring() -> None:
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
    assert ended("eight_half", position, [(0, "play 4")]) == {
        0: [("burned", 2, 0), ("out", 1, 2), ("lowest", 2, 1)],
        1: [("hand", 3, 0), ("bank", 2, 0), ("open", 3, 0), ("blind", 3, 0)],
        2: [("hand", 1, 0), ("open", 2, 0), ("blind", 3, 0), ("burned", 1, 0)],
    }


def sixth_sense(trump: str, **options: Any) -> Any:
    position = {
        "leader": 1,
        "trump": trump,
        "hands": ["r1", "", "", ""],
        "predictions": ["y2", "b6", "r6", "y4"],
        "tricks": [2, 7, 7, 3],  # and seat 1 wins the last
        "trick": ["1 p7", "2 p1", "3 p2"],
        "rest": "out",
    }
    return ended("sixth_sense", position, [(0, "play r1")], **options)


def test_sixth_sense_counts_against_the_prediction() -> None:
    assert sixth_sense("g") == {
        0: [("exact", 0, 2)],
        1: [("under", 1, -1)],  # 8 tricks: 9 is nearer than 6
        2: [("over", 1, -1)],  # 7 tricks: 6 is nearer
        3: [("under", 1, -1)],
    }


def test_beginners_have_points_for_being_near() -> None:
    assert sixth_sense("-", beginner=True) == {
        0: [("exact", 0, 6)],
        1: [("under", 1, 4)],
        2: [("over", 1, 4)],
        3: [("under", 1, 4)],
    }


def test_chi_chi_ko_counts_ordinary_and_super_tiles() -> None:
    position = {
        "turn": 0,
        "laid": "gs-gs ys-rk@1 gk-rp@0",
        "hands": ["bk-gn", "gn-gn bp-yc rn-rx", "gp-g+2 bc-bx"],
    }
    assert ended("chichiko", position, [(0, "put bk-gn @1")]) == {
        1: [("ordinary", 2, 2), ("super", 1, 5)],
        2: [("super", 2, 10)],
    }
