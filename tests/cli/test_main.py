"""The command line as a whole: help, exit codes, and never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import lastcard
from tests.cli.runner import Runner


def test_help(run: Runner) -> None:
    result = run("--help")
    assert result.code == 0
    for command in ("games", "rules", "play", "replay", "hint", "arena", "check", "warm", "bench"):
        assert command in result.out
        assert f"Usage: lastcard {command}" in run(command, "--help").out


def test_version(run: Runner) -> None:
    assert run("--version").out.strip() == f"lastcard {lastcard.__version__}"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["play"], "game: which one?"),
        (["play", "poker"], "There is no game 'poker'"),
        (["play", "chiko", "--players", "9"], "players: Chiko is for 2 to 5, not 9."),
        (["play", "chiko", "--players", "x"], "players"),
        (["play", "chiko", "--hotseat", "4"], "hotseat: must be from 1 to 3, not 4."),
        (["play", "chiko", "--seed", "x"], "seed: must be a number or 64 hex digits, not 'x'."),
        (["play", "chiko", "-o", "target"], "options: are written name=value, not 'target'."),
        (["play", "chiko", "-o", "target=lots"], "options: target must be a whole number"),
        (["play", "chiko", "-o", "wings=2"], "options: 'wings' is none of target, opener."),
        (["play", "chiko", "--bots", "genius"], "there is no bot 'genius'"),
        (["play", "chiko", "--bots", "human"], "there is no bot 'human'"),
        (["play", "chiko", "--seed", "9" * 5000], "seed: must be a number"),
        (["play", "chiko", "--save", "a" * 300], "File name too long."),
        (["check", "a" * 300], "File name too long."),
        (["check", "a\0b"], "embedded null"),
        (
            ["play", "--resume", "nothing.json", "--hotseat", "2"],
            "resume: takes no other arguments",
        ),
        (["play", "--resume", "nothing.json"], "nothing.json: No such file or directory."),
        (["play", "chiko", "--resume", "nothing.json"], "resume: takes no other arguments"),
        (["replay", "nothing.json"], "nothing.json: No such file or directory."),
        (["check", "nothing.yaml"], "nothing.yaml: No such file or directory."),
        (["bench", "poker"], "There is no game 'poker'"),
        (["rules"], "game"),
        (["fly"], "fly"),
    ],
)
def test_bad_input(run: Runner, arguments: list[str], says: str) -> None:
    result = run(*arguments)
    assert result.code == 2
    assert says in result.err
    assert len(result.err.strip().splitlines()) <= 4


def test_no_input_and_no_output(home: Path) -> None:
    """Standard input or output closed, a full disk, a terminal without the letters."""
    env = {**os.environ, "XDG_DATA_HOME": str(home / "data"), "PYTHONIOENCODING": "ascii"}
    command = f"{sys.executable} -m lastcard.cli"
    for line, code in (
        (f"{command} play chiko <&-", 0),
        (f"{command} play chiko </dev/null >&-", 0),
        (f"printf '\\xff\\n' | PYTHONIOENCODING=utf-8 {command} play chiko", 0),
        (f"{command} rules chiko", 0),
        (f"{command} games >/dev/full", 2),
        (f"{command} rules chiko | head -1", 0),
    ):
        result = subprocess.run(
            ["bash", "-c", line], env=env, capture_output=True, text=True, check=False
        )
        assert "Traceback" not in result.stderr, line
        assert result.returncode == code, line
