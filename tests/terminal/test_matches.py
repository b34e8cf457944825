"""Whole matches in a real terminal."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pexpect
import pytest

import lastcard
from lastcard.terminal.session import marks
from tests.cli.runner import home

__all__ = ["home"]  # a fixture


ROUNDS = {"taki": 2, "eight_half": 2, "sixth_sense": 4, "chichiko": 2}


@pytest.mark.parametrize("id", ROUNDS)
def test_a_whole_match_in_a_real_terminal(home: Path, id: str) -> None:
    """Always the first action of the menu, and Enter between the rounds."""
    options = ["-o", "rounds=2"] if id != "sixth_sense" else []
    first = marks(lastcard.game(id), 1)[0]
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "120", "XDG_DATA_HOME": str(home / "data")}
    command = ["-m", "lastcard.cli", "play", id, "--players", "4", "--seed", "8"]
    arguments = [*command, *options, "--save", str(home / "t.json")]
    child = pexpect.spawn(sys.executable, arguments, env=env, encoding="utf-8", timeout=90)
    child.setecho(False)
    pauses = prompts = 0
    while True:
        found = child.expect(["You >", r"Press Enter for the next round\.", "The match is over"])
        if found == 2:
            break
        pauses += found == 1
        prompts += found == 0
        child.sendline("" if found else first)
        assert prompts < 2000
    child.expect(r"To watch it again: lastcard replay")
    child.expect(pexpect.EOF)
    assert pauses == ROUNDS[id] - 1
    match = lastcard.load(home / "t.json")
    assert match.over
    assert match.round == ROUNDS[id]
