"""The pages that say what bots have found out quote what commands print."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from lastcard.cli import main
from lastcard.core.registry import games

PAGES = Path(__file__).parents[2] / "docs" / "found"
COMMAND = re.compile(r"^lastcard (habits .+)$", re.MULTILINE)
FIGURE = re.compile(r"-?[\d.]+( %)? \[-?[\d.]+ to -?[\d.]+\]|never came up")


def printed(out: str) -> dict[str, list[str]]:
    """The labels of each table, the bots first, by its question."""
    found: dict[str, list[str]] = {}
    for block in out.split("\n\n")[1:]:
        question, head, *rows = block.strip("\n").split("\n")
        bots = re.split(r"\s{2,}", head.strip())[::2]
        found[question] = [",".join(bots), *(re.split(r"\s{2,}", row.strip())[0] for row in rows)]
    return found


@pytest.mark.parametrize("id", games())
def test_a_page(id: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each of its tables follows a command that prints a table with that question, for those bots,
    with rows of these names."""
    text = (PAGES / f"{id}.md").read_text()
    places = [found.start() for found in COMMAND.finditer(text)]
    assert places
    for start, end in zip(places, [*places[1:], len(text)], strict=True):
        command = COMMAND.match(text, start)
        assert command
        words = shlex.split(command[1])
        assert words[:2] == ["habits", id] and {"--matches", "--seed"} < {*words}
        words[words.index("--matches") + 1] = "1"
        with pytest.raises(SystemExit, match="0"):
            main([*words, "--workers", "1"])
        there = printed(capsys.readouterr().out)
        tables = re.findall(r"((?:^\|.*\|\n)+)", text[start:end], re.MULTILINE)
        assert tables
        for table in tables:
            head, _, *rows = (
                [cell.strip().strip("`") for cell in row.strip("|").split("|")]
                for row in table.strip().splitlines()
            )
            bots, *labels = there[head[0]]
            assert ",".join(head[1:]) == bots
            for label, *figures in rows:
                assert label in labels, label
                assert all(FIGURE.fullmatch(one) for one in figures), figures
