"""Studies on the command line."""

from __future__ import annotations

from pathlib import Path

from tests.cli.runner import Runner

# Other rulings would have to be compiled.
FEW = [
    "--matches",
    "2",
    "--skill-matches",
    "2",
    "--strong",
    "search:2",
    "--workers",
    "1",
    "--no-rulings",
]


def test_a_study(run: Runner, home: Path) -> None:
    page = home / "page.html"
    asked = ("--players", "2", "--compare", "target=10,20", "-o", "opener=1")
    result = run("study", "Chiko", *FEW, *asked, "--out", str(page))
    assert result.code == 0
    assert result.out == f"{page}, and the rows behind it: {home / 'page-rows'}\n"
    text = page.read_text()
    assert "--compare target=10,20" in text and "-o opener=1" in text
    assert "target=20, 2 players" in text
    assert (home / "page-rows" / "rounds-2.parquet").exists()


def test_a_study_of_what_cannot_be(run: Runner, home: Path) -> None:
    for arguments, says in (
        (("--players", "1-3"), "Chiko is for 2 to 5, not 1"),
        (("--players", "few"), "are written 3 or 2-5"),
        (("--compare", "colour=red,blue"), "'colour' is none of target, opener"),
        (("--compare", "target=1,none"), "target must be a whole number"),
        (("--compare", "target"), "is written option=a,b"),
        (("--bots", "genius"), "there is no bot 'genius'"),
        (("-o", "target=x"), "target must be a whole number"),
        (("--out", str(home)), "is a folder"),
        (("--out", str(home / "no" / "study.html")), "No such file"),
    ):
        result = run("study", "chiko", *FEW, *arguments)
        assert result.code == 2, arguments
        assert says in result.err and result.err.count("\n") == 1
    assert "poker" in run("study", "poker").err
    assert [file.name for file in home.iterdir() if file.name != "data"] == []


def test_habits(run: Runner) -> None:
    """The same seed, the same tables, whoever works at them."""
    asked = ("habits", "Chiko", "--matches", "40", "--bots", "normal", "-o", "target=20")
    result = run(*asked, "--workers", "1")
    assert result.code == 0
    head, *rest = result.out.split("\n\n")
    assert head == "Chiko, 2 players, 40 matches, seed 1"
    assert all(question.count("\n") > 2 for question in rest)
    assert run(*asked, "--workers", "2").out == result.out
    assert run(*asked, "--seed", "2").out.partition("\n\n")[2] != "\n\n".join(rest)


def test_habits_of_what_cannot_be(run: Runner) -> None:
    for arguments, says in (
        (("--bots", "genius"), "there is no bot 'genius'"),
        (("--players", "9"), "Chiko is for 2 to 5, not 9"),
        (("-o", "colour=red"), "'colour' is none of target, opener"),
    ):
        result = run("habits", "chiko", *arguments)
        assert result.code == 2
        assert says in result.err and result.err.count("\n") == 1
