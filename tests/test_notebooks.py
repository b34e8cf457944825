"""The notebooks in examples/ run from the first cell to the last, and show what they say."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

NOTEBOOKS = Path(__file__).parent.parent / "examples" / "notebooks"


def run(path: Path) -> tuple[dict[str, Any], list[Any]]:
    """Runs the cells like a notebook does; returns all names, and what each cell shows."""
    names: dict[str, Any] = {}
    shown = []
    for number, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"]):
        if cell["cell_type"] != "code":
            continue
        tree, place = ast.parse("".join(cell["source"])), f"{path.name}, cell {number}"
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, place, "exec"), names)
        if isinstance(last, ast.Expr):
            shown.append(eval(compile(ast.Expression(last.value), place, "eval"), names))
    return names, shown


def test_they_are_stored_as_notebooks_without_what_they_show() -> None:
    found = sorted(NOTEBOOKS.glob("*.ipynb"))
    assert len(found) == 3
    for path in found:
        content = json.loads(path.read_text(encoding="utf-8"))
        assert (content["nbformat"], content["nbformat_minor"]) == (4, 5)
        ids = [cell["id"] for cell in content["cells"]]
        assert len(set(ids)) == len(ids)
        for cell in content["cells"]:
            if cell["cell_type"] == "code":
                assert cell["outputs"] == [] and cell["execution_count"] is None


def test_a_first_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names, shown = run(NOTEBOOKS / "first_match.ipynb")
    assert names["match"].over and (tmp_path / "match.json").exists()
    assert "chiko" in shown[0] and "draw" in shown[2]


def test_a_batch_with_a_learner_that_improves() -> None:
    names, _ = run(NOTEBOOKS / "batch_learner.ipynb")
    assert names["curve"][0] < 0.6 and names["curve"][-1] > 0.85


def test_a_study_with_a_picture() -> None:
    names, shown = run(NOTEBOOKS / "study.ipynb")
    assert names["found"]["share"].sum() == pytest.approx(1)
    drawn = [one for one in shown if hasattr(one, "_repr_svg_")]
    circles = ElementTree.fromstring(drawn[0]._repr_svg_()).iter(
        "{http://www.w3.org/2000/svg}circle"
    )
    assert len(list(circles)) == 4
