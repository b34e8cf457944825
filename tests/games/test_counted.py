"""Where points come from: what is counted for each seat adds up to its points."""

from __future__ import annotations

import random
from typing import Any

from lastcard.core.game import Game
from lastcard.core.scratch import LOG_ROWS
from tests.helpers import combinations_of_flags, counted, play_on, random_match, shy_of, times


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
    """Checks what a move tells about the round that it ended, if it ended one."""
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
