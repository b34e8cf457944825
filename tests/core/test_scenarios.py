"""Scenario files: one document or many, and what is said about bad ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from lastcard.cli import main
from lastcard.core import scenarios
from lastcard.core.scenarios import Failed, check, documents, outcomes, read, start
from lastcard.errors import BadFile

HOLDS = """\
game: chiko
title: a card is drawn
position: {turn: 0, top: "6", hands: ["3", "1"]}
steps:
  - {seat: 0, move: draw}
  - expect: {turn: 1}
"""
FAILS = HOLDS.replace("a card is drawn", "the turn stays").replace("{turn: 1}", "{turn: 0}")
BROKEN = 'game: chiko\ntitle: "no end"\nposition: {turn: 0\n'
EMPTY = "# nothing but a comment\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s.yaml"


def found(path: Path, *texts: str, head: str = "") -> list[str]:
    """What is wrong with each document, without the path; empty where nothing is."""
    path.write_text(head + "---\n".join(texts))
    return [str(error or "").removeprefix(f"{path}") for error in outcomes(path)]


def test_a_file_with_one_scenario(path: Path) -> None:
    for text in (HOLDS, f"---\n{HOLDS}", f"# about it\n\n---\n{HOLDS}", f"# about it\n{HOLDS}"):
        path.write_text(text)
        assert check(path) == 2
        assert read(path)["title"] == "a card is drawn"
        assert start(path).waiting == [0]
        assert [document.name for document in documents(path)] == [str(path)]


def test_a_file_with_many(path: Path) -> None:
    path.write_text(
        f"# about them\n---\n{HOLDS}---\n# about the second\n{HOLDS}--- # third\n{HOLDS}"
    )
    assert check(path) == 6
    assert list(outcomes(path)) == [None, None, None]
    assert [document.name.removeprefix(str(path)) for document in documents(path)] == [
        ', document 1 "a card is drawn" (line 2)',
        ', document 2 "a card is drawn" (line 9)',
        ', document 3 "a card is drawn" (line 17)',
    ]
    assert {document.read()["title"] for document in documents(path)} == {"a card is drawn"}


def test_one_scenario_is_needed(path: Path) -> None:
    path.write_text(f"{HOLDS}---\n{HOLDS}")
    for function in (read, start):
        with pytest.raises(BadFile, match="one scenario is needed here, and the file holds 2"):
            function(path)


def test_a_failure_among_many(path: Path) -> None:
    first, second, third = found(path, HOLDS, FAILS, HOLDS, head="# about them\n---\n")
    assert first == third == ""
    assert second == (', document 2 "the turn stays" (line 9): step 2: expected turn: 0; found: 1.')
    with pytest.raises(Failed, match="document 2"):
        check(path)


def test_no_yaml_among_many(path: Path) -> None:
    first, second, third = found(path, HOLDS, BROKEN, HOLDS)
    assert first == third == ""
    assert second.startswith(', document 2 "no end" (line 7): not YAML: ')
    assert second.endswith("(line 11).")  # where it was noticed


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", ", document 2 (line 7): empty; a scenario is a mapping with the keys game, "),
        (EMPTY, ", document 2 (line 7): empty; a scenario is a mapping with the keys game, "),
        ("- 1\n", ", document 2 (line 7): a scenario is a mapping with the keys game, "),
        ("title: lost\n", ', document 2 "lost" (line 7): the key game is missing.'),
        ("game: poker\n", ", document 2 (line 7): There is no game 'poker'"),
        (f"{HOLDS}game: taki\n", "the key 'game' is given twice (line 8)."),
    ],
)
def test_a_bad_document_among_many(path: Path, text: str, says: str) -> None:
    first, second, third = found(path, HOLDS, text, HOLDS)
    assert first == third == ""
    assert says in second


def test_bad_files(path: Path) -> None:
    assert found(path, "") == [
        f": empty; a scenario is a mapping with the keys {', '.join(scenarios.KEYS)}."
    ]
    assert found(path, EMPTY)[0].startswith(": empty; ")
    path.write_bytes(b"\xff\xfe---\n---\n")
    assert [str(error) for error in outcomes(path)] == [f"{path}: not a text file."]
    path.unlink()
    (missing,) = outcomes(path)
    assert isinstance(missing, BadFile)


def checked(path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int | str | None, str, str]:
    """Exit status, output and errors of `lastcard check`."""
    code: int | str | None = 0
    try:
        main(["check", str(path)])
    except SystemExit as exit:
        code = exit.code or 0
    return code, *capsys.readouterr()


def test_the_exit_status(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found(path, HOLDS, HOLDS)
    code, out, _ = checked(path, capsys)
    assert (code, out) == (0, "2 of 2 scenarios hold.\n")
    found(path, HOLDS, BROKEN, HOLDS)
    code, out, error = checked(path, capsys)
    assert (code, out) == (2, "2 of 3 scenarios hold.\n")
    assert 'document 2 "no end" (line 7)' in error
    found(path, HOLDS, BROKEN, FAILS)
    code, out, error = checked(path.parent, capsys)
    assert code == 1
    assert 'document 3 "the turn stays" (line 11)' in out
    assert "1 of 3 scenarios hold." in out
    assert 'document 2 "no end"' in error
