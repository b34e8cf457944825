"""What the documents show is true: programs run, scenarios hold, files are there."""

from __future__ import annotations

import contextlib
import datetime
import io
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import lastcard
from lastcard.core import scenarios
from lastcard.core.game import CONTRACT

ROOT = Path(__file__).parent.parent
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / page).read_text()
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_the_program_in_the_readme() -> None:
    (program,) = blocks("README.md", "python")
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(program, {})
    expected = re.findall(r"^# (.*)$", program, re.MULTILINE)
    assert out.getvalue().splitlines() == expected


def test_the_program_about_batches() -> None:
    """But for the one with PyTorch, which needs a GPU."""
    (program,) = [one for one in blocks("docs/batch.md", "python") if "torch" not in one]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(program, {})
    assert re.fullmatch(r"[1-9]\d* matches have ended\n", out.getvalue())


def test_the_programs_about_simulation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for program in blocks("docs/simulation.md", "python"):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(program, {})
        assert out.getvalue().splitlines() == re.findall(r"^# (.*)$", program, re.MULTILINE)


def test_the_programs_about_environments() -> None:
    """But for those with PyTorch, which `make test-torch` runs."""
    programs = [one for one in blocks("docs/environments.md", "python") if "torch" not in one]
    assert len(programs) == 6
    names: dict[str, Any] = {}
    for program in programs:
        exec(program, names)


def test_the_program_about_openspiel() -> None:
    (program,) = blocks("docs/research.md", "python")
    names: dict[str, Any] = {}
    exec(program, names)
    assert names["state"].num_players() == 3


def test_the_scenario_in_the_docs(tmp_path: Path) -> None:
    position, scenario = blocks("docs/positions.md", "yaml")
    path = tmp_path / "s.yaml"
    path.write_text(scenario)
    assert scenarios.check(path) == 7
    path.write_text("game: chiko\nposition:\n  " + position.replace("\n", "\n  "))
    assert scenarios.check(path) == 0


def test_the_match_file_in_the_docs(tmp_path: Path) -> None:
    (text,) = blocks("docs/positions.md", "json")
    path = tmp_path / "m.json"
    path.write_text(text)
    assert len(lastcard.load(path).moves) == len(json.loads(text)["moves"])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        assert (page.parent / target).exists(), target


def test_the_contract_in_the_guide_is_whole() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text()
    for module, names in CONTRACT.items():
        assert f"`{module}.py`" in guide
        for name in names:
            assert f"`{name}" in guide, name


def test_the_walk_of_a_move_leads_through_files_and_functions_that_exist() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    walk = text.partition("## One move, file by file")[2].partition("\n## ")[0]
    files = re.findall(r"`((?:\w+|<id>|/)+\.(?:py|js))`", walk)
    assert len(files) > 15
    package = Path(lastcard.__file__).parent
    for file in files:
        assert (package / file.replace("<id>", "chiko")).is_file(), file
    sources = "".join(file.read_text() for file in package.rglob("*.py"))
    names = re.findall(r"`(?:[A-Z]\w+\.)?(_?[a-z]\w*)`", walk)
    assert len(names) > 10
    for name in {*names} - {"move", "ok"}:  # those are messages
        assert f"def {name}(" in sources, name


def test_whoever_cites_it_names_this_version() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert cited["version"] == project["version"] == lastcard.__version__
    assert f"## {cited['version']}\n" in (ROOT / "CHANGES.md").read_text()
    assert isinstance(cited["date-released"], datetime.date)
    assert cited["license"] == (ROOT / "LICENSE").read_text().split()[0]
    needed = {"cff-version", "message", "title", "type", "authors", "abstract", "keywords"}
    assert needed < set(cited)


def test_every_game_is_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text()
    for id in lastcard.games():
        assert f"`{id}`" in readme
