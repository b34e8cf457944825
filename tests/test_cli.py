"""The command line: what it says, its exit codes, and that it never shows a traceback."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pexpect
import pytest

import lastcard
from lastcard.cli import main
from lastcard.core import files
from tests.helpers import permuted, played

SCENARIOS = Path(__file__).parent / "games" / "chiko" / "scenarios"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


class Result:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


class Runner:
    def __init__(self, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self.capsys, self.patch = capsys, patch

    def __call__(self, *arguments: str, answers: str = "") -> Result:
        lines = iter(answers.splitlines())

        def answer(prompt: str = "") -> str:
            print(prompt, end="")
            try:
                return next(lines)
            except StopIteration:
                raise EOFError from None

        self.patch.setattr("builtins.input", answer)
        code = 0
        try:
            main(list(arguments))
        except SystemExit as exit:
            code = int(exit.code or 0)
        out, err = self.capsys.readouterr()
        assert "Traceback" not in out + err
        return Result(code, out, err)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Runner:
    return Runner(capsys, monkeypatch)


def the_save(home: Path) -> Path:
    (path,) = (home / "data" / "lastcard" / "matches").glob("*.json")
    return path


# --- Asking --------------------------------------------------------------------------------------


def test_help(run: Runner) -> None:
    result = run("--help")
    assert result.code == 0
    for command in ("games", "rules", "play", "replay", "hint", "arena", "check", "warm", "bench"):
        assert command in result.out
        assert f"Usage: lastcard {command}" in run(command, "--help").out


def test_version(run: Runner) -> None:
    assert run("--version").out.strip() == f"lastcard {lastcard.__version__}"


def test_games(run: Runner) -> None:
    out = run("games").out
    for id in lastcard.games():
        assert id in out
        assert lastcard.game(id).title in out


def test_rules(run: Runner) -> None:
    out = run("rules", "chiko").out
    assert "seven of each" in out
    assert "Three chicks and two 3s are 13" in out
    assert run("rules", "poker").code == 2


# --- Playing -------------------------------------------------------------------------------------


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
    assert "Type an action's mark or its name" in result.out
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
    assert "Player 1, it is up to you." in result.out
    assert "Player 2, it is up to you." in result.out
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
            "resume: goes with no other option",
        ),
        (["play", "--resume", "nothing.json"], "nothing.json: No such file or directory."),
        (["play", "chiko", "--resume", "nothing.json"], "resume: goes with no other option"),
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


def test_a_save_that_is_there_is_not_overwritten(run: Runner, home: Path) -> None:
    path = home / "mine.json"
    path.write_text("precious")
    result = run("play", "chiko", "--save", str(path))
    assert result.code == 2
    assert "is there already" in result.err
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
    assert "no person plays" in result.err


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


def test_an_unknown_bot_in_a_save(run: Runner, home: Path) -> None:
    path = home / "m.json"
    path.write_text(files.dumps(played(8), ["human", "genius", "normal"]))
    result = run("play", "--resume", str(path))
    assert result.code == 2
    assert "genius" in result.err


# --- Watching ------------------------------------------------------------------------------------


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
    assert "seat 1 is no person here" in result.err
    lastcard.save(match, path)
    assert " draws a card." in run("replay", str(path)).out


# --- Scenarios -----------------------------------------------------------------------------------


def test_checking_scenarios(run: Runner, home: Path) -> None:
    result = run("check", str(SCENARIOS))
    count = sum(path.read_text().count("\n---\n") for path in SCENARIOS.glob("*.yaml"))
    assert result.code == 0
    assert f"{count} of {count} scenarios hold." in result.out


START = 'game: chiko\ntitle: t\nposition: {turn: 0, top: "6", hands: ["e 3", "1", "c 2"]}\n'


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        (
            START + "steps:\n- {seat: 0, legal: [play e]}",
            1,
            "step 1: expected legal: play e; found: play e, draw, quit.",
        ),
        (START + "steps:\n- {seat: 0, move: play 3}", 1, "step 1: expected play 3 to be possible"),
        (START + "steps:\n- {seat: 0, illegal: draw}", 1, "expected draw to be illegal"),
        (START + 'steps:\n- expect: {top: "5"}', 1, "step 1: expected top: 5; found: 6."),
        (START + 'steps:\n- expect: {hands.0: "3"}', 1, "expected hands.0: 3; found: 3 e."),
        (START + "steps:\n- expect: {size.stock: 3}", 1, "expected size.stock: 3; found: 44."),
        (START + "steps:\n- expect: {waiting: [1]}", 1, "expected waiting: [1]; found: [0]."),
        (START + "steps:\n- expect: {winners: [1]}", 1, "expected winners: [1]; found: []."),
        (START + "refused: hands", 1, "expected to be refused for hands, found: accepted."),
        (
            START.replace("e 3", "x") + "refused: top",
            1,
            "expected to be refused for top, found: hands",
        ),
        (START.replace("e 3", "x"), 2, "hands: there is no card 'x'"),
        (START + "steps:\n- {seat: 0, move: fly}", 1, "There is no action 'fly'"),
        (START + "steps:\n- {seat: 0, legal: [fly]}", 2, "There is no action 'fly'"),
        (START + "steps:\n- {seat: 9, legal: []}", 2, "There is no seat 9"),
        (START + "steps:\n- {seat: 0, legal: draw}", 2, "legal must be a list"),
        (START + "steps:\n- {legal: [draw]}", 2, "legal needs a seat"),
        (START + "steps:\n- {seat: 0, expect: {turn: 0}}", 2, "expect takes no seat"),
        (START + "steps:\n- expect: {wings: 2}", 2, "there is no key 'wings'"),
        (START + "steps:\n- expect: {size.turn: 1}", 2, "'size.turn' has no size"),
        (START + "steps:\n- expect: {hands.: 1}", 2, "there is no 'hands.'"),
        (START + "steps: []\nrefused: hands", 2, "what is refused has no steps"),
        (START.replace("e 3", "x") + "refused: han", 1, "expected to be refused for han"),
        (START.replace("e 3", "x") + 'refused: ""', 1, "expected to be refused for"),
        (START + "options: []", 2, "options: must be a mapping"),
        ("game: chiko\nposition: " + "[" * 3000 + "]" * 3000, 2, "nested too deeply"),
        (START + "steps:\n- expect: {hands.7: 2}", 2, "there is no 'hands.7'"),
        (START + "steps:\n- dance: 1", 2, "a step has some of"),
        (START + "steps:\n- 5", 2, "a step is a mapping"),
        (START + "steps: 5", 2, "steps must be a list"),
        (START + "wings: 2", 2, "'wings' is none of the keys"),
        (START + "game: chiko", 2, "the key 'game' is given twice"),
        ("game: poker", 2, "There is no game 'poker'"),
        ("title: nothing", 2, "the key game is missing"),
        ("- 1", 2, "a scenario is a mapping"),
        ("game: [", 2, "not YAML"),
        ("game: \x00", 2, "not YAML"),
        ("", 2, "a scenario is a mapping"),
        (START + "options: 5", 2, "options"),
        (START + "players: x", 2, "players"),
        (START + "seed: x", 2, "seed"),
        (START.replace("{turn", "[turn").replace("]}", "]]"), 2, ""),
        (START + "steps:\n- {chance: roll 1 1}", 1, "expected roll 1 1 to be possible"),
    ],
)
def test_wrong_scenarios(run: Runner, home: Path, text: str, code: int, says: str) -> None:
    path = home / "s.yaml"
    path.write_text(text)
    result = run("check", str(path))
    assert result.code == code, result.out + result.err
    assert says in result.out + result.err
    assert len((result.out + result.err).strip().splitlines()) == 2
    assert "0 of 1 scenarios hold." in result.out


def test_expectations_are_read_kindly(run: Runner, home: Path) -> None:
    path = home / "s.yml"
    path.write_text(
        START.replace("turn: 0", "turn: 0, quit: -, last: -")
        + "steps:\n- {seat: 0, legal: [play  e, quit, draw]}\n"
        + "- expect: {over: False, quit: '-', winners: [], hands.0: 3 e, waiting: [0]}\n"
        + "- {seat: 0, illegal: [play 3, play 1], move: draw, expect: {turn: 1}}\n"
    )
    assert run("check", str(home)).code == 0
    path.write_text(
        'game: chiko\nposition: {top: "6", hands: ["1", "1", "2"], scores: [60, 5, 5]}\n'
        "steps:\n- expect: {winners: [2, 1], over: true}\n"
    )
    assert run("check", str(home)).code == 0


def test_checking_goes_on_after_a_failure(run: Runner, home: Path) -> None:
    (home / "a.yaml").write_text(START + "refused: hands")
    (home / "b.yaml").write_bytes(b"\xff\xfe")
    (home / "c.yaml").write_text(START + "steps:\n- {seat: 0, move: draw}")
    result = run("check", str(home))
    assert result.code == 1
    assert "b.yaml: not a text file" in result.err
    assert "1 of 3 scenarios hold." in result.out


# --- The rest ------------------------------------------------------------------------------------


def test_warm(run: Runner) -> None:
    assert "Ready" in run("warm").out
    assert "Ready" in run("warm", "chiko", "taki").out
    done = run("warm", "chiko", "poker")
    assert done.code == 2 and "poker" in done.err and "Ready" not in done.out


def test_bench(run: Runner) -> None:
    out = run("bench", "chiko", "--seconds", "0.1", "--repeats", "1").out
    assert "Last Card chiko, 4 players" in out
    assert "Medians of 1 repeats of 0.1 s each" in out


def heed_interrupts() -> None:
    """A job in the background ignores them, and so would what it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


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
    child.expect(r"Saved\. To go on: lastcard play --resume (\S+\.json)")
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
    child.expect("There are moves 0 to")
    child.sendline("q")
    child.expect(pexpect.EOF)


@pytest.mark.parametrize("name", ["sixth_sense", "Sixth Sense", "sixthsense", "SIXTH-SENSE"])
def test_a_game_by_its_name(run: Runner, name: str) -> None:
    assert "how many tricks" in run("rules", name).out


def test_a_game_by_its_title(run: Runner) -> None:
    assert "policeman" in run("rules", "eight and a half").out


# --- Bots ----------------------------------------------------------------------------------------


def test_levels_of_the_bots(run: Runner, home: Path) -> None:
    run("play", "chiko", "--players", "4", "--bots", "easy,hard", answers="exit\n")
    assert files.read(the_save(home)).seats == ["human", "easy", "hard", "hard"]
    result = run("play", "chiko", "--bots", "easy,hard,expert")
    assert (result.code, result.err) == (2, "lastcard: bots: 3 named, but 2 seats left for them.\n")
    result = run("play", "chiko", "--bots", "easy,genius")
    assert result.code == 2
    assert "there is no bot 'genius'; there are easy, normal, hard, expert" in result.err


def test_a_match_that_was_saved_with_older_names(run: Runner, home: Path) -> None:
    path = home / "m.json"
    lastcard.save(played(8), path, ["human", "greedy", "greedy"])
    assert "Saved. To go on" in run("play", "--resume", str(path), answers="exit\n").out


def test_a_match_file_runs_no_code(run: Runner, home: Path) -> None:
    (home / "evil.py").write_text("open('was_here', 'w')\nclass Evil:\n    choose = print\n")
    path = home / "m.json"
    lastcard.save(played(8), path, ["human", f"{home / 'evil.py'}:Evil", "normal"])
    result = run("play", "--resume", str(path), answers="exit\n")
    assert result.code == 2
    assert "there is no bot" in result.err
    assert not Path("was_here").exists()


def test_a_hint_while_playing(run: Runner) -> None:
    result = run("play", "chiko", "-o", "opener=0", "--seed", "3", answers="hint\nexit\n")
    assert "chance to win" in result.out
    assert re.search(r"\d+\.\d % ± \d", result.out)


def test_hint(run: Runner, home: Path) -> None:
    path = home / "m.json"
    match = lastcard.game("chiko").match(3, 1, {"opener": 0})
    lastcard.save(match, path, ["human", "normal", "normal"])
    first = run("hint", str(path), "--think", "500", "--seed", "1")
    assert first.code == 0
    for action in match.legal(0):
        assert match.game.say(action) in first.out
    assert run("hint", str(path), "--think", "500", "--seed", "1").out == first.out
    assert run("hint", str(path), "--think", "20ms", "--seat", "0").code == 0


def test_a_hint_for_a_position(run: Runner, home: Path) -> None:
    path = home / "p.yaml"
    path.write_text(
        "game: chiko\nposition: {turn: 1, top: 3, hands: [1 1 c, 4], scores: [49, 0]}\n"
    )
    out = run("hint", str(path), "--think", "300").out
    best = next(line for line in out.splitlines() if "%" in line)
    assert best.split()[:4] == ["play", "4", "100.0", "%"]


def test_a_hint_tells_nothing_that_is_hidden(run: Runner, home: Path) -> None:
    """With other cards where the seat cannot see them: the same, letter by letter."""
    rng = random.Random(4)
    different = 0
    for seed in range(5):
        match = lastcard.game("chiko").match(3, seed)
        seat = match.waiting[0]
        assert isinstance(seat, int)
        said = set()
        for number in range(3):
            other = permuted(match, seat, rng) if number else match
            path = home / "p.yaml"
            position = other.position()
            path.write_text(json.dumps({"game": "chiko", "players": 3, "position": position}))
            different += position != match.position()
            said.add(run("hint", str(path), "--think", "200", "--seed", "1").out)
        assert len(said) == 1
    assert different > 5


def test_a_hint_by_a_tree_says_what_its_chances_are(run: Runner, home: Path) -> None:
    path = home / "m.json"
    lastcard.save(lastcard.game("sixth_sense").match(3, 1), path)
    out = run("hint", str(path), "--think", "200").out
    assert "too high, but to be compared with each other" in out


def test_a_hint_that_cannot_be_given(run: Runner, home: Path) -> None:
    path = home / "m.json"
    match = lastcard.game("chiko").match(3, 1, {"opener": 1})
    lastcard.save(match, path, ["human", "normal", "normal"])
    for arguments, says in (
        ((), "seat: it is no person's turn now."),
        (("--seat", "1"), "seat: the match goes on, and seat 1 is no person here."),
        (("--seat", "0"), "seat: there is nothing that seat 0 can do now."),
        (("--seat", "7"), "seat: must be from 0 to 2, not 7."),
        (("--think", "soon"), "budget: is written 50ms"),
    ):
        result = run("hint", str(path), *arguments)
        assert result.code == 2
        assert says in result.err
    lastcard.save(played(10_000), path)
    assert "it is over" in run("hint", str(path)).err
    (home / "bad.yaml").write_text("game: chiko\nposition: {turn: 9}\n")
    assert "bad.yaml: " in run("hint", str(home / "bad.yaml")).err
    assert run("hint", str(home / "none.json")).code == 2


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
        (("--save", str(home / "there.json")), "is there already"),
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
