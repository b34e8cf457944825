"""The rules as plain Python and by Numba's JIT; all other tests run them as they are shipped."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ALL_GAMES = [
    f"tests/games/test_{name}.py" for name in ("contract", "twins", "perft", "playthroughs")
]
WAYS = {
    "plain": [
        "tests/kernel",
        *ALL_GAMES,
        *(str(path.relative_to(ROOT)) for path in sorted(ROOT.glob("tests/games/*/test_rules.py"))),
    ],
    "jit": ["tests/kernel", *ALL_GAMES],
}


@pytest.mark.long
@pytest.mark.parametrize("way", WAYS)
def test_rules_run_in_every_way(way: str) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal", *WAYS[way]]
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")
    }
    environment["LASTCARD_ENGINE"] = way
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr[-5_000:]
