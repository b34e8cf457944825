"""What several commands share: any way of writing a game's name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import lastcard
from lastcard.cli.common import find_id
from lastcard.core import files
from lastcard.core.registry import games
from tests.cli.runner import Runner, the_save


@pytest.mark.parametrize("id", games())
def test_ids_and_titles_in_any_writing(id: str) -> None:
    for name in (id, lastcard.game(id).title):
        for written in (name, name.upper(), name.replace(" ", "-"), name.replace("_", "")):
            assert find_id(written) == id


def test_an_unknown_name_stays_as_it_is() -> None:
    assert find_id("Old Maid") == "Old Maid"


@pytest.mark.parametrize("name", ["sixth_sense", "Sixth Sense", "sixthsense", "SIXTH-SENSE"])
def test_a_game_by_its_name(run: Runner, name: str) -> None:
    assert "how many tricks" in run("rules", name).out


def test_a_game_by_its_title(run: Runner) -> None:
    assert "policeman" in run("rules", "eight and a half").out


def test_playing_a_game_by_its_title(run: Runner, home: Path) -> None:
    assert run("play", "Sixth Sense", answers="exit\n").code == 0
    assert files.read(the_save(home)).game == "sixth_sense"


def test_warming_games_by_their_titles(run: Runner) -> None:
    done = run("warm", "CHIKO", "TAKI")
    assert (done.code, done.err) == (0, "")
    assert "Ready" in done.out


def test_measuring_a_game_by_its_title(run: Runner) -> None:
    out = run("bench", "TAKI", "--seconds", "0.1", "--repeats", "1").out
    assert "Last Card taki, 4 players" in out


def test_an_arena_by_its_games_title(run: Runner, home: Path) -> None:
    path = home / "a.json"
    arguments = ("--bots", "random", "--matches", "2", "--workers", "1", "--save", str(path))
    assert run("arena", "TAKI", *arguments).code == 0
    assert json.loads(path.read_text())["game"] == "taki"


@pytest.mark.parametrize("command", ["rules", "play", "arena", "warm", "bench"])
def test_a_game_that_is_not_there(run: Runner, command: str) -> None:
    done = run(command, "Old Maid")
    assert done.code == 2
    assert done.err.startswith("lastcard: There is no game 'Old Maid'; there are ")
