"""Where moves are told: memory that all matches of a game use, but each thread its own."""

from __future__ import annotations

import json
import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from lastcard.core.desk import Desk
from lastcard.core.game import Game
from lastcard.core.views import Watch
from tests.helpers import choose

MOVES = 20


def test_what_is_told_is_what_was_carried_out_last_or_what_is_given(any_game: Game) -> None:
    """Two matches take turns at one desk; one of them is told late."""
    rng = random.Random(9)
    one, other = (any_game.match(seed=seed) for seed in (3, 4))
    late, told = Watch(any_game, 0), Watch(any_game, 0)
    seen = json.loads(told.look(one.hidden(0)))
    late.look(one.hidden(0))
    for _ in range(MOVES):
        if one.over or other.over:
            break
        log = one.carry_out(*one.check(*choose(rng, one)))
        at_once = told.follow(one.raw, log)
        assert at_once is not None
        assert other.carry_out(*other.check(*choose(rng, other))) is not log
        assert late.follow(one.raw, log) == at_once
        seen |= json.loads(at_once[1])
        assert seen == one.view(0)


def test_another_thread_may_look_at_another_match_meanwhile(
    any_game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng, update = random.Random(5), Desk.update
    one, other = (any_game.match(seed=seed) for seed in (1, 2))
    mine, theirs = Watch(any_game, 0), Watch(any_game, 1)

    def interrupted(desk: Desk, *given: Any) -> tuple[bytes, bytes]:
        pool.submit(theirs.look, other.hidden(1)).result()
        return update(desk, *given)

    monkeypatch.setattr(Desk, "update", interrupted)
    view = json.loads(mine.look(one.hidden(0)))
    with ThreadPoolExecutor(1) as pool:
        for _ in range(MOVES):
            if one.over or other.over:
                break
            other.play(*choose(rng, other))
            told = mine.follow(one.raw, one.carry_out(*one.check(*choose(rng, one))))
            assert told is not None
            view |= json.loads(told[1])
            assert view == one.view(0)
