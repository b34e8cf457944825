"""Checking scenarios on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.runner import Runner

SCENARIOS = Path(__file__).parent.parent / "games" / "chiko" / "scenarios"
START = 'game: chiko\ntitle: t\nposition: {turn: 0, top: "6", hands: ["e 3", "1", "c 2"]}\n'


def test_checking_scenarios(run: Runner, home: Path) -> None:
    result = run("check", str(SCENARIOS))
    count = sum(path.read_text().count("\n---\n") for path in SCENARIOS.glob("*.yaml"))
    assert result.code == 0
    assert f"{count} of {count} scenarios hold." in result.out


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
