"""Playing and watching on the command line."""

from __future__ import annotations

import json
import os
import random
import re
import sys
import time
from pathlib import Path

import pexpect
import pytest

import lastcard
from lastcard.core import files
from lastcard.core.registry import games
from tests.cli.runner import Runner, heed_interrupts, the_save
from tests.helpers import permuted, played


def test_games(run: Runner) -> None:
    out = run("games").out
    for id in games():
        assert id in out
        assert lastcard.game(id).title in out


def test_rules(run: Runner) -> None:
    out = run("rules", "chiko").out
    assert "seven of each" in out
    assert "Three chicks and two 3s are 13" in out
    assert run("rules", "poker").code == 2


def test_a_match_from_deal_to_end(run: Runner, home: Path) -> None:
    result = run("play", "chiko", "--players", "3", "--seed", "5", answers="a\n" * 400)
    assert result.code == 0
    assert "The match is over" in result.out
    assert "winner" in result.out
    path = the_save(home)
    assert f"lastcard replay {path}" in result.out
    assert lastcard.load(path).over
    again = run("play", "--resume", str(path))
    assert "This match is over" in again.out


def test_leaving_and_going_on(run: Runner, home: Path) -> None:
    result = run("play", "chiko", "--seed", "5", answers="a\na\nexit\n")
    path = the_save(home)
    assert f"lastcard play --resume {path}" in result.out
    before = lastcard.load(path)
    assert len(before.moves) > 2
    result = run("play", "--resume", str(path), answers="a\n")
    after = lastcard.load(path)
    assert after.moves[: len(before.moves)] == before.moves
    assert len(after.moves) > len(before.moves)


def test_at_the_prompt(run: Runner) -> None:
    answers = "?\n\nrules\nlog\nfly\n99\nplay 6\n-1\n0000019\n" + "9" * 5000 + "\n[/b]\n"
    result = run("play", "chiko", "--seed", "5", answers=answers)
    assert "Type an action's letter or the start of its name" in result.out
    assert "Three chicks" in result.out
    for answer in ("fly", "99", "play 6", "-1", "0000019", "[/b]"):
        assert f"You cannot do that now: {answer}. You can: play 2, play 3, play egg" in result.out
    assert result.out.count("a play 2") == 5  # after help, rules and log the table is shown again
    assert "Saved." in result.out


def test_words_and_names_are_understood(run: Runner, home: Path) -> None:
    run("play", "chiko", "--seed", "5", answers="Play  EGG\n")
    assert (0, "play e") in lastcard.load(the_save(home)).moves


def test_a_resumed_match_remembers_its_log(run: Runner, home: Path) -> None:
    run("play", "chiko", "--seed", "5", answers="a\na\n")
    out = run("play", "--resume", str(the_save(home)), answers="log\n").out
    assert out.count("You play 2.") == 4  # told again, and in the log


def test_the_end_is_shown_whole(run: Runner) -> None:
    out = run("play", "chiko", "--players", "4", "--seed", "3", answers="a\n" * 500).out
    table = out[out.index("The match is over") :]
    scores = [int(line.split()[-1]) for line in table.splitlines()[2:6]]
    assert scores == sorted(scores)
    assert "winner" in table.splitlines()[2]
    last = out[: out.index("The match is over")].rsplit("Round ", 1)[1]
    assert "Ada" in last
    assert " cards" not in last.split("player", 1)[1].replace("cards", "", 1)


def test_several_people_at_one_screen(run: Runner, home: Path) -> None:
    answers = "\ndraw\n" * 30
    result = run(
        "play", "chiko", "--players", "3", "--hotseat", "2", "--seed", "4", answers=answers
    )
    assert "Player 1, it is your turn." in result.out
    assert "Player 2, it is your turn." in result.out
    assert files.read(the_save(home)).seats == ["human", "human", "normal"]


def test_nobody_sees_the_bots_cards(run: Runner) -> None:
    """Everything that is printed while a match goes on is what the person may know."""
    out = run("play", "chiko", "--seed", "5", answers="draw\n" * 3).out
    for line in out.splitlines():
        if re.match(r"[> ]*(Ada|Boris) ", line):
            assert re.search(r"\d+ cards?|plays|draws a card|quits", line), line


def test_options_and_bots(run: Runner, home: Path) -> None:
    run("play", "chiko", "-o", "target=20", "-o", "opener=1", "--bots", "random", answers="")
    file = files.read(the_save(home))
    assert file.options == {"target": 20, "opener": 1}
    assert file.seats == ["human", "random", "random"]


def test_a_save_that_is_there_is_not_overwritten(run: Runner, home: Path) -> None:
    path = home / "mine.json"
    path.write_text("precious")
    result = run("play", "chiko", "--save", str(path))
    assert result.code == 2
    assert "already exists" in result.err
    assert path.read_text() == "precious"


@pytest.mark.parametrize("command", [["play", "--resume"], ["replay"]])
def test_damaged_saves(run: Runner, home: Path, command: list[str]) -> None:
    path = home / "m.json"
    whole = files.dumps(played(8), ["human", "normal", "normal"])
    for text in (whole[:-20], "", "[]", "null", whole.replace("draw", "fly"), whole + "x"):
        path.write_text(text)
        result = run(*command, str(path))
        assert result.code == 2
        assert result.err.startswith(f"lastcard: {path}: ")
        assert len(result.err.splitlines()) == 1
        assert path.read_text() == text


def test_names_that_look_like_markup(run: Runner, home: Path) -> None:
    path = home / "x[bold][.json"
    result = run("play", "chiko", "--save", str(path), answers="a\n")
    assert f"lastcard play --resume {path}" in result.out
    assert path.exists()


def test_a_save_without_people(run: Runner, home: Path) -> None:
    path = home / "m.json"
    lastcard.save(played(8), path, ["normal"] * 3)
    result = run("play", "--resume", str(path))
    assert result.code == 2
    assert "only bots play" in result.err


def test_an_unknown_bot_in_a_save(run: Runner, home: Path) -> None:
    path = home / "m.json"
    path.write_text(files.dumps(played(8), ["human", "genius", "normal"]))
    result = run("play", "--resume", str(path))
    assert result.code == 2
    assert "genius" in result.err


def test_replay_of_a_finished_match_is_open(run: Runner, home: Path) -> None:
    path = home / "m.json"
    match = played(10_000)
    assert match.over
    lastcard.save(match, path, ["human", "normal", "normal"])
    out = run("replay", str(path)).out
    assert f"Move {len(match.moves)} of {len(match.moves)}" in out
    assert "6 cards" not in out
    assert "draws a card" not in out
    assert "You draw " in out
    assert "You draws" not in out
    seen = run("replay", str(path), "--seat", "0").out
    assert "6 cards" in seen
    assert run("replay", str(path), "--seat", "5").code == 2


def test_what_is_printed_keeps_the_secrets_of_a_running_match(run: Runner, home: Path) -> None:
    """Two matches that differ only in what seat 0 cannot see: not a byte that is shown differs."""
    path = home / "m.json"
    game = lastcard.game("chiko")
    one = game.position({"turn": 1, "top": "4", "hands": ["1 2 e", "3 3", "6 6 c"]}, seed=1)
    two = permuted(one, 0, random.Random(1))
    assert one.state != two.state
    shown = []
    for match in (one, two):
        start = game.position(match.position(), seed=match.seed)
        for seat, action in ((1, "draw"), (2, "draw"), (0, "play e"), (1, "draw"), (2, "quit")):
            start.play(seat, action)
        lastcard.save(start, path, ["human", "normal", "normal"])
        shown.append(run("replay", str(path)).out + run("play", "--resume", str(path)).out)
    assert "draws a card" in shown[0]
    assert shown[0] == shown[1]


def test_a_running_match_is_shown_only_to_its_people(run: Runner, home: Path) -> None:
    path = home / "m.json"
    match = played(9)
    lastcard.save(match, path, ["human", "normal", "normal"])
    result = run("replay", str(path), "--seat", "1")
    assert result.code == 2
    assert "seat 1 is a bot" in result.err
    lastcard.save(match, path)
    assert " draws a card." in run("replay", str(path)).out


def test_ctrl_c_leaves_cleanly(home: Path) -> None:
    """In a real terminal: interrupt at the prompt, resume, interrupt again."""
    env = {**os.environ, "XDG_DATA_HOME": str(home / "data"), "TERM": "xterm", "COLUMNS": "200"}
    command = [sys.executable, "-m", "lastcard.cli", "play", "chiko", "--seed", "5"]
    child = pexpect.spawn(
        command[0],
        command[1:],
        env=env,
        encoding="utf-8",
        timeout=60,
        preexec_fn=heed_interrupts,
    )
    child.expect("You >")
    child.sendline("a")
    child.expect("You >")
    time.sleep(0.5)  # the prompt is there a moment before it is listened to
    child.sendintr()
    child.expect(r"Saved\. To continue: lastcard play --resume (\S+\.json)")
    assert isinstance(child.match, re.Match)
    path = Path(child.match.group(1))
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    moves = json.loads(path.read_text())["moves"]
    assert len(moves) >= 3
    again = [*command[:3], "play", "--resume", str(path)]
    child = pexpect.spawn(again[0], again[1:], env=env, encoding="utf-8", timeout=60)
    child.expect("You >")
    child.sendeof()
    child.expect(r"Saved\.")
    child.expect(pexpect.EOF)
    assert json.loads(path.read_text())["moves"] == moves


def test_replay_in_a_terminal_steps_forward_and_back(home: Path) -> None:
    path = home / "m.json"
    lastcard.save(played(10_000), path)
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    arguments = ["-m", "lastcard.cli", "replay", str(path)]
    child = pexpect.spawn(sys.executable, arguments, env=env, encoding="utf-8", timeout=60)
    child.expect("Move 0 of")
    child.sendline("")
    child.expect("Move 1 of")
    child.sendline("5")
    child.expect("Move 5 of")
    child.sendline("b")
    child.expect("Move 4 of")
    child.sendline("99999")
    child.expect("Moves go from 0 to")
    child.sendline("q")
    child.expect(pexpect.EOF)


def test_levels_of_the_bots(run: Runner, home: Path) -> None:
    run("play", "chiko", "--players", "4", "--bots", "easy,hard", answers="exit\n")
    assert files.read(the_save(home)).seats == ["human", "easy", "hard", "hard"]
    result = run("play", "chiko", "--bots", "easy,hard,expert")
    assert (result.code, result.err) == (
        2,
        "lastcard: bots: 3 named, but 2 seats are left for them.\n",
    )
    result = run("play", "chiko", "--bots", "easy,genius")
    assert result.code == 2
    assert "there is no bot 'genius'; there are easy, normal, hard, expert" in result.err


def test_a_match_that_was_saved_with_older_names(run: Runner, home: Path) -> None:
    path = home / "m.json"
    lastcard.save(played(8), path, ["human", "greedy", "greedy"])
    assert "Saved. To continue" in run("play", "--resume", str(path), answers="exit\n").out


def test_a_match_file_runs_no_code(run: Runner, home: Path) -> None:
    (home / "evil.py").write_text("open('was_here', 'w')\nclass Evil:\n    choose = print\n")
    path = home / "m.json"
    lastcard.save(played(8), path, ["human", f"{home / 'evil.py'}:Evil", "normal"])
    result = run("play", "--resume", str(path), answers="exit\n")
    assert result.code == 2
    assert "there is no bot" in result.err
    assert not Path("was_here").exists()
