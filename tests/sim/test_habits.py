"""What bots do: columns of decisions, tables by hand, and the pages that quote them."""

from __future__ import annotations

import numpy as np
import pytest

import lastcard
from lastcard.core.game import Game
from lastcard.errors import BadOption
from lastcard.sim import habits
from lastcard.sim.habits import Decisions, observe, plans, questions_of
from lastcard.sim.simulation import simulate


def decisions(id: str, matches: int, players: int = 2) -> Decisions:
    rows = simulate(
        id, matches, players=players, bots="normal", rows="decision", hidden=True, workers=1
    )
    return Decisions(lastcard.game(id), rows)


def test_columns_are_those_of_the_matches() -> None:
    d = decisions("chiko", 3, players=3)
    chiko = d.game
    for at in range(len(d)):
        seat = int(d.seat[at])
        legal = d.legal[d.of == at].tolist()
        assert d.choices[at] == len(legal) and d.action[at] in legal
        assert d.own("sizes")[at] == d.s[at].sizes[seat] == d.own("hands")[at].sum()
        assert d.of_seat("sizes", (d.seat + 1) % 3)[at] == d.s[at].sizes[(seat + 1) % 3]
    draws = np.arange(len(chiko.actions)) == chiko.parse_action("draw")
    assert 0 < d.did(draws).sum() < d.may(draws).sum() < len(d)
    assert not (d.did(draws) & ~d.may(draws)).any()
    halves = d.mean(draws[d.legal])
    assert np.allclose(halves, d.may(draws) / d.choices)


def test_first_and_last_decisions() -> None:
    """One of each seat in each round."""
    d = decisions("chiko", 3, players=3)
    rounds = {*zip(d.match.tolist(), d.round.tolist(), d.seat.tolist(), strict=True)}
    assert d.first.sum() == d.last.sum() == len(rounds)
    firsts = np.flatnonzero(d.first)
    for at in range(len(d)):
        same = (d.match == d.match[at]) & (d.round == d.round[at]) & (d.seat == d.seat[at])
        where = np.flatnonzero(same)
        assert d.first[where[0]] and d.last[where[-1]]
    assert firsts[0] == 0


def test_rules_asked_of_each_decision(chiko: Game) -> None:
    from lastcard.games.chiko.rules import points_of

    d = decisions("chiko", 1)
    where = d.choices > 2
    found = d.each(points_of, where)
    assert (found[~where] == 0).all()
    for at in np.flatnonzero(where):
        assert found[at] == points_of(d.s[at], int(d.seat[at]))


def test_an_answer_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shares, means, and rows that never come up; whatever the parts, the same numbers."""

    def asked(d: Decisions) -> habits.Rows:
        """Of all decisions"""
        nothing = np.zeros(len(d), bool)
        return {
            "by seat 0": (~nothing, d.seat == 0),
            "its number": (~nothing, d.seat),
            "nothing": (nothing, d.seat == 0),
            **d.by({"small": (0, 3)}, d.own("sizes"), ~nothing, d.seat == 0),
        }

    monkeypatch.setattr(habits, "questions_of", lambda rules: {"Of all decisions": asked})
    whole = decisions("chiko", 6)
    found = {}
    for part in (2, 6):
        monkeypatch.setattr(habits, "PART", part)
        rows = observe(plans("chiko", ["normal"], 6), workers=1).tables["Of all decisions"]
        found[part] = {label: str(answer) for label, (answer,) in rows.items()}
        share, mean = rows["by seat 0"][0], rows["its number"][0]
        assert share.decisions == mean.decisions == len(whole)
        assert share.value.value == pytest.approx((whole.seat == 0).mean())
        assert mean.value.value == pytest.approx(whole.seat.mean())
        assert share.value.low is not None and share.value.low < share.value.value
        assert rows["small"][0].decisions == (whole.own("sizes") <= 3).sum()
        assert found[part]["nothing"] == "never came up"
    assert found[2] == found[6]


def test_who_plays() -> None:
    """Each bot in all seats, on the same deals."""
    one, other = plans("taki", ["random", "normal", "random"], 5, 3, {"rounds": 1}, 4)
    assert (one.bots, other.bots) == (("random",) * 3, ("normal",) * 3)
    assert one.seed == other.seed == 4 and dict(one.options)["rounds"] == 1
    with pytest.raises(BadOption, match="no bot 'genius'"):
        plans("taki", ["genius"], 1)


def test_a_game_that_nobody_has_asked_about(chiko: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Game, "part", lambda self, name: None)
    with pytest.raises(BadOption, match="nobody has asked"):
        questions_of(chiko)
