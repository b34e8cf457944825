"""Which engine a game runs by, and what is imported for it."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lastcard import engine
from lastcard.core.registry import game, games
from lastcard.engine import places
from lastcard.errors import BadOption
from lastcard.kernel.compiling import digest_of

EXAMPLE = Path(__file__).parents[2] / "examples" / "ladder"
PLAY = """
import sys
import lastcard
from lastcard.bots import bot, play_out
game = lastcard.game({id!r})
match = game.match(2, seed=1)
play_out(match, [bot("normal", game, 1), bot("search:50", game, 2)])
print(game.engine.way, match.over, [one for one in ("llvmlite", "numba") if sys.modules.get(one)])
"""


def played(id: str, way: str = "", path: Path | None = None, without: str = "") -> str:
    """What a process prints that plays a match of a game."""
    environment = {**os.environ, engine.ENGINE: way}
    hidden = f"import sys; sys.modules[{without!r}] = None\n" if without else ""
    if path is not None:
        environment["PYTHONPATH"] = str(path)
    return subprocess.run(
        [sys.executable, "-c", hidden + PLAY.format(id=id)],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout.strip()


def test_a_shipped_game_imports_no_compiler() -> None:
    assert played("chiko") == "ahead True []"


def test_the_server_imports_no_compiler() -> None:
    program = (
        "import sys\n"
        "import lastcard.server.run, lastcard.server.app\n"
        "from lastcard.core.registry import game, games\n"
        "for id in games(): game(id).match(seed=1).view(0)\n"
        "print(sorted({'numba', 'llvmlite'} & set(sys.modules)))"
    )
    environment = {name: value for name, value in os.environ.items() if name != engine.ENGINE}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"


def test_an_engine_that_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(engine.ENGINE, "steam")
    with pytest.raises(BadOption, match="LASTCARD_ENGINE: is ahead, jit or plain, not steam"):
        engine.choose(game(games()[0]).folder)


def test_libraries_of_other_sources_are_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "chiko"
    ignored = shutil.ignore_patterns("__pycache__", "face")
    shutil.copytree(game("chiko").folder, folder, ignore=ignored)
    monkeypatch.delenv(engine.ENGINE, raising=False)
    assert engine.choose(folder).way == engine.AHEAD
    with (folder / "rules.py").open("a") as rules:
        rules.write("# changed\n")
    digest_of.cache_clear()
    choice = engine.choose(folder)
    assert choice.way == engine.JIT
    assert "does not belong to the sources" in choice.why
    monkeypatch.setenv(engine.ENGINE, engine.AHEAD)
    with pytest.raises(BadOption, match="does not belong to the sources"):
        engine.choose(folder)
    shutil.rmtree(places.folder_of(folder))
    with pytest.raises(BadOption, match="Nothing has been built"):
        engine.choose(folder)


def test_a_machine_for_which_nothing_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(engine.ENGINE, raising=False)
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    monkeypatch.setattr(engine.choosing, "has_numba", lambda: False)
    choice = engine.choose(game("chiko").folder)
    assert choice.way == engine.PLAIN
    assert "Nothing is built for" in choice.why and "riscv64" in choice.why


def test_older_machines_get_a_library_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = places.folder_of(game("chiko").folder)
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    for flags, name in (
        ("fpu sse4_2", "x86_64"),
        ("avx2 bmi1 bmi2 f16c fma abm movbe", "x86_64_v3"),
    ):
        facts = tmp_path / "cpuinfo"
        facts.write_text(f"processor : 0\nflags\t\t: {flags}\n")
        monkeypatch.setattr(places, "CPU_FACTS", facts)
        places._is_newer.cache_clear()
        path, _ = places.library_for(folder)
        assert path and path.name == places.library_name(name)
    places._is_newer.cache_clear()


@pytest.fixture(scope="module")
def ladder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package with a game for which nothing has been built, installed in a folder."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(EXAMPLE / "lastcard_ladder", folder / "lastcard_ladder")
    info = folder / "lastcard_ladder-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: lastcard-ladder\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text("[lastcard.games]\nladder = lastcard_ladder\n")
    return folder


def test_a_game_without_libraries_is_played_by_the_jit(ladder: Path) -> None:
    assert played("ladder", path=ladder) == "jit True ['llvmlite', 'numba']"


def test_a_game_without_libraries_is_played_without_numba(ladder: Path) -> None:
    assert played("ladder", path=ladder, without="numba") == "plain True []"


@pytest.mark.long
def test_a_package_builds_its_own_libraries(ladder: Path, tmp_path: Path) -> None:
    ladder = shutil.copytree(ladder, tmp_path / "site")  # others go on without libraries
    build(ladder)
    built = places.folder_of(ladder / "lastcard_ladder")
    names = sorted(file.name for file in built.iterdir())
    assert places.MANIFEST in names and places.WASM in names
    assert played("ladder", path=ladder) == "ahead True []"


@pytest.mark.thorough
def test_building_twice_gives_the_same_bytes(ladder: Path, tmp_path: Path) -> None:
    once, again = tmp_path / "once", tmp_path / "again"
    for out in (once, again):
        build(ladder, "--out", str(out))
    for file in (once / "ladder").iterdir():
        assert file.read_bytes() == (again / "ladder" / file.name).read_bytes(), file.name


def build(ladder: Path, *more: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ladder)}
    command = [sys.executable, "-m", "lastcard.cli", "build", "ladder", *more]
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
