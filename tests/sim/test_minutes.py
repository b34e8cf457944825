"""How long a match takes, as the lobby says it."""

from __future__ import annotations

from statistics import median

import pytest

import lastcard
from lastcard.bots import bot, play_out
from lastcard.core.registry import games

PLAYERS = 3
OWN, OTHERS = 5.0, 1.5  # seconds: a person's decision, and what one watches of another's


@pytest.mark.parametrize("id", games())
def test_minutes_are_about_right(id: str) -> None:
    game = lastcard.game(id)
    assert game.minutes is not None
    lengths = []
    for seed in range(15):
        match = game.match(PLAYERS, seed=seed)
        play_out(match, [bot("normal", game, seat) for seat in range(PLAYERS)])
        own = sum(seat == 0 for seat, _ in match.moves)
        lengths.append((own * OWN + (len(match.moves) - own) * OTHERS) / 60)
    assert game.minutes / 1.5 < median(lengths) < game.minutes * 1.5
