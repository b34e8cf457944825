"""Compiled code is kept from one run to the next, and never outlives what it was compiled from."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import lastcard
from lastcard.core.registry import game, games
from lastcard.kernel import bind
from lastcard.kernel.compiling import KERNEL, digest_of
from tests.helpers import INTERPRETED

compiled_only = pytest.mark.skipif(INTERPRETED, reason="there is nothing to cache")
SOURCES = sorted(KERNEL.glob("*.py")) + [
    file for id in games() for file in sorted(game(id).folder.glob("*.py"))
]


def run(program: str, folder: Path) -> str:
    """What a program prints that finds modules in a folder first, and keeps compiled code there."""
    env = {**os.environ, "PYTHONPATH": str(folder), "XDG_CACHE_HOME": str(folder / "cache")}
    env.pop("NUMBA_CACHE_DIR", None)
    return subprocess.run(
        [sys.executable, "-c", f"from lastcard.kernel.jit import adopt\n{program}"],
        cwd=folder,
        env=env,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout.strip()


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_a_change_in_any_file_is_seen(file: Path, tmp_path: Path) -> None:
    """Of the kernel and of every game: what is kept is kept by the state of all files."""
    copy = tmp_path / "copy"
    shutil.copytree(file.parent, copy, ignore=shutil.ignore_patterns("face", "__pycache__"))
    before = digest_of(copy)
    digest_of.cache_clear()
    assert digest_of(copy) == before == digest_of(file.parent)
    with (copy / file.name).open("a") as source:
        source.write("# changed\n")
    digest_of.cache_clear()
    assert digest_of(copy) != before


@compiled_only
def test_a_game_is_compiled_anew_when_another_of_its_files_changes(tmp_path: Path) -> None:
    """`legal` has a helper of another file compiled into it."""
    folder = tmp_path / "toy"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "rules.py").write_text(
        "from lastcard.kernel import rule\nfrom .cards import worth\n"
        "@rule\ndef legal(card):\n    return worth(card) + 1\n"
    )
    helper = (
        "from lastcard.kernel import inlined\n@inlined\ndef worth(card):\n    return {} * card\n"
    )
    for factor in (2, 3, 2):
        (folder / "cards.py").write_text(helper.format(factor))
        program = "import toy.rules\nadopt('toy')\nprint(toy.rules.legal(10))"
        assert run(program, tmp_path) == f"{factor}1"


@compiled_only
def test_a_game_is_compiled_anew_when_the_kernel_changes(tmp_path: Path) -> None:
    copy = tmp_path / "lastcard"
    shutil.copytree(
        Path(lastcard.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__", "face")
    )
    (tmp_path / "toy.py").write_text(
        "from lastcard.kernel import beside, rule\n@rule\ndef after(seat):\n"
        "    return beside(seat, 1, 4)\n"
    )
    program = "import toy\nadopt('toy')\nprint(toy.after(1))"
    assert run(program, tmp_path) == "2"
    seats = copy / "kernel" / "seats.py"
    changed = seats.read_text().replace("    seat += direction\n", "    seat += 2 * direction\n")
    assert changed != seats.read_text()
    seats.write_text(changed)
    assert run(program, tmp_path) == "3"


@compiled_only
def test_bound_templates_know_which_rules_they_were_compiled_with(tmp_path: Path) -> None:
    """Two versions of a game never share compiled code."""
    source = "from lastcard.kernel import rule\n@rule\ndef waiting(s):\n    return {}\n"
    (tmp_path / "template.py").write_text(
        "from lastcard.kernel import rule\nrules = None\n"
        "@rule\ndef ask():\n    return rules.waiting(0)\n"
    )
    program = (
        "import toy\nfrom lastcard.kernel import bind\nbound = bind('template', rules=toy)\n"
        "adopt('toy', bound.__name__)\nprint(bound.ask())"
    )
    for answer in (1, 2, 1):
        (tmp_path / "toy.py").write_text(source.format(answer))
        assert run(program, tmp_path) == str(answer)


def test_binding_twice_gives_one_module() -> None:
    rules = game(games()[0]).rules
    assert bind("lastcard.sim.selfplay", rules=rules) is bind("lastcard.sim.selfplay", rules=rules)
