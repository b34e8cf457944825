"""Arenas, benchmarks and compiling on the command line."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import pexpect

from tests.cli.runner import Runner, heed_interrupts


def test_warm(run: Runner) -> None:
    assert "Ready" in run("warm").out
    assert "Ready" in run("warm", "chiko", "taki").out
    done = run("warm", "chiko", "poker")
    assert done.code == 2 and "poker" in done.err and "Ready" not in done.out


def test_bench(run: Runner) -> None:
    out = run("bench", "chiko", "--seconds", "0.1", "--repeats", "1").out
    assert "Last Card chiko, 4 players" in out
    assert "Medians of 1 repeats of 0.1 s each" in out


def test_bench_of_search(run: Runner) -> None:
    arguments = ("--players", "9", "--seconds", "0.1", "--repeats", "1")
    out = run("bench", "chiko", "--search", *arguments).out
    assert "iterations of search per second" in out
    for way in ("tree", "policy"):
        assert f"Last Card search by {way}, chiko, 5 players" in out


def test_arena(run: Runner, home: Path) -> None:
    arguments = ("--bots", "normal,random", "--matches", "20", "--workers", "1")
    result = run("arena", "Chiko", *arguments)
    assert result.code == 0
    assert re.search(r"normal +1 +\d+\.\d\d ± \d+\.\d\d %", result.out)
    assert "an even share is 50 %" in result.out
    (path,) = (home / "data" / "lastcard" / "arenas").glob("chiko-*.json")
    assert str(path) in result.out
    assert len(json.loads(path.read_text())["matches"]) == 20


def test_arena_with_what_cannot_be(run: Runner, home: Path) -> None:
    (home / "there.json").write_text("mine")
    for arguments, says in (
        (("--bots", "genius"), "there is no bot 'genius'"),
        (("--players", "9"), "Chiko is for 2 to 5"),
        (("--save", str(home / "there.json")), "already exists"),
        (("--save", str(home / "no" / "a.json")), "No such file"),
        (("-o", "rounds=3"), "rounds"),
    ):
        result = run("arena", "chiko", "--matches", "2", *arguments)
        assert result.code == 2, arguments
        assert says in result.err
    assert (home / "there.json").read_text() == "mine"


def test_an_arena_in_which_a_bot_fails_keeps_what_was_played(run: Runner, home: Path) -> None:
    (home / "late.py").write_text(
        "left = [3]\n"
        "class Late:\n"
        "    def __init__(self):\n"
        "        left[0] -= 1\n"
        "    def choose(self, view, legal):\n"
        "        return legal[0] if left[0] > -2 else 1 / 0\n"
    )
    path = home / "a.json"
    bots = f"{home / 'late.py'}:Late,normal"
    result = run("arena", "chiko", "--bots", bots, "--workers", "1", "--save", str(path))
    assert result.code == 2
    assert "ZeroDivisionError: division by zero (late.py, line 6)" in result.err
    assert 1 <= len(json.loads(path.read_text())["matches"]) < 100
    # Nothing was played: nothing is left behind.
    (home / "late.py").write_text("class Late:\n    choose = lambda *_: 1 / 0\n")
    path.unlink()
    other = home / "late2.py"
    (home / "late.py").rename(other)
    arguments = ("arena", "chiko", "--bots", f"{other}:Late", "--workers", "1", "--save", str(path))
    assert run(*arguments).code == 2
    assert not path.exists()


def test_an_arena_that_is_interrupted_tells_what_it_has(home: Path) -> None:
    path = home / "a.json"
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    command = f"arena chiko --bots normal,random --matches 100000 --workers 2 --save {path}"
    child = pexpect.spawn(
        sys.executable,
        ["-m", "lastcard.cli", *command.split()],
        env=env,
        preexec_fn=heed_interrupts,
    )
    child.expect(r"[1-9]\d* of 100000 matches", timeout=120)
    child.sendintr()
    child.expect("Stopped after", timeout=60)
    child.expect(pexpect.EOF)
    assert json.loads(path.read_text())["matches"]
