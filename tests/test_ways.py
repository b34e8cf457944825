"""The rules as plain Python and by Numba's JIT; all other tests run them as they are shipped."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lastcard.core.registry import games

ROOT = Path(__file__).parents[1]
# What may come out differently in another way. How code is compiled and kept does not depend on it.
ALL_GAMES = [
    *(f"tests/kernel/test_{name}.py" for name in ("floats", "forms", "kernel", "lists", "telling")),
    *(f"tests/games/test_{name}.py" for name in ("contract", "twins", "perft", "playthroughs")),
    *(f"tests/engine/test_engines.py::test_{name}" for name in ("the_engine", "native")),
]
STEPS = "tests/sim/test_batch.py::test_steps_are_those_of_matches[chiko]"
WAYS = {
    "plain": [
        STEPS,
        *ALL_GAMES,
        *(str(path.relative_to(ROOT)) for path in sorted(ROOT.glob("tests/games/*/test_rules.py"))),
    ],
    "jit": [STEPS, *ALL_GAMES],
}
# Compiling takes minutes, so the JIT has one game only. Plain Python takes long for the contract
# alone, which asks for views again and again.
OTHERS = " or ".join(id for id in games() if id != "chiko")
BRIEFLY = {"plain": "not contract", "jit": f"not ({OTHERS})"}


@pytest.mark.long
@pytest.mark.parametrize("way", WAYS)
def test_rules_run_in_every_way(way: str) -> None:
    run(way, BRIEFLY[way])


@pytest.mark.thorough
@pytest.mark.parametrize("way", WAYS)
def test_all_rules_run_in_every_way(way: str) -> None:
    run(way)


def run(way: str, chosen: str = "") -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal", *WAYS[way]]
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")
    }
    environment["LASTCARD_ENGINE"] = way
    done = subprocess.run(
        [*command, "-k", chosen],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr[-5_000:]
