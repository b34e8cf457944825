"""Rules without a memory, whose deals wait, play the same matches as the rules themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lastcard.core.game import Game
from lastcard.core.registry import packages
from lastcard.engine import PLAIN
from lastcard.kernel import LOG_COLUMNS, lowest, random_below, wide
from lastcard.sim.lean import DEALING, MEMORY, kept, lean_rules


def played(rules: Any, number: int, players: int, options: Any) -> tuple[Any, int]:
    """A random match: its final record, and how many actions it took."""
    records, legal = np.zeros(1, rules.RECORD), np.zeros(rules.MOST_LEGAL, np.int16)
    rng, log = np.array([number + 1], np.uint64), np.zeros((0, LOG_COLUMNS), np.int32)
    s, actions = records[0], 0
    s.key[0] = number
    rules.new(s, players, options)
    while True:
        if s.over == DEALING:
            s.over = 0
            rules.deal(s)
        waited = rules.waiting(s)
        if waited == 0:
            return records, actions
        seat = lowest(waited)
        count = rules.legal(s, seat, legal)
        rules.apply(s, seat, wide(legal[random_below(rng, count)]), log)
        actions += 1


def test_lean_rules_play_the_same_matches(any_game: Game) -> None:
    game = Game(any_game.id, packages()[any_game.id], PLAIN)
    for players in (game.fewest, game.most):
        options = np.array(game.simulated_options(players), np.int16)
        lean, waiting = (lean_rules(game, players, forgetful) for forgetful in (True, False))
        assert lean.RECORD.itemsize <= game.rules.RECORD.itemsize
        for number in range(3):
            whole, actions = played(game.rules, number, players, options)
            records, count = played(waiting, number, players, options)
            assert (records.tobytes(), count) == (whole.tobytes(), actions)
            records, count = played(lean, number, players, options)
            fields = list(kept(game, whole, records))
            for name, ours, theirs in fields:
                assert np.array_equal(ours, theirs), name
            assert count == actions
            names = {name for name, *_ in fields} | set(MEMORY[game.id].fields) | {"filling"}
            assert names == set(whole.dtype.names)


@pytest.mark.parametrize("id", ["taki", "chichiko", "eight_half"])
def test_rules_that_forget_need_less_room(id: str) -> None:
    game = Game(id, packages()[id], PLAIN)
    lean = lean_rules(game, 4)
    assert lean.RECORD.itemsize < game.rules.RECORD.itemsize
    assert lean.RECORD.itemsize // 4 % 4 != 0  # threads that go side by side use different banks
