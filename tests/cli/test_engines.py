"""lastcard build, lastcard doctor."""

from __future__ import annotations

import pytest

from lastcard import building
from lastcard.core.registry import games
from tests.cli.runner import Runner


def test_doctor_names_every_game(run: Runner) -> None:
    said = run("doctor").out
    for id in games():
        assert id in said
    assert "Built ahead: engine." in said or "asked for" in said


def test_nothing_to_build_with(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "missing_tools", lambda: "Building needs something.")
    result = run("build", "chiko")
    assert result.code == 2
    assert "Building needs something." in result.err


def test_a_game_that_is_none(run: Runner) -> None:
    result = run("build", "poker")
    assert result.code == 2
    assert "There is no game 'poker'" in result.err
