"""Which games there are."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import lastcard
from lastcard.core.game import CONTRACT, Game
from lastcard.core.registry import games

PACKAGE = Path(lastcard.__file__).parent


def run(program: str, *path: Path) -> str:
    """What a program prints that finds modules in these folders first."""
    inserted = "".join(f"sys.path.insert(0, {str(folder)!r})\n" for folder in path)
    result = subprocess.run(
        [sys.executable, "-c", f"import sys\n{inserted}{program}"],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return result.stdout


def test_a_game_is_loaded_once() -> None:
    assert lastcard.game("chiko") is lastcard.game("chiko")


def test_an_unknown_game() -> None:
    with pytest.raises(lastcard.UnknownGame, match=r"There is no game 'poker'; there are chichiko"):
        lastcard.game("poker")


def write_game(folder: Path, **changes: str) -> None:
    """A package with Chiko under another name, and with other parts."""
    folder.mkdir()
    (folder / "__init__.py").touch()
    for part in CONTRACT:
        source = f"from lastcard.games.chiko.{part} import *\n{changes.get(part, '')}\n"
        (folder / f"{part}.py").write_text(source)


def test_what_is_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    write_game(tmp_path / "halfgame", rules="del apply, legal")
    with pytest.raises(TypeError, match=r"is not a game: it lacks rules\.legal, rules\.apply\."):
        Game("halfgame", "halfgame")


def test_a_deck_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shuffle of it would no longer be fair."""
    monkeypatch.syspath_prepend(tmp_path)
    write_game(tmp_path / "manycards", components="DECK = (7, 7, 7, 7, 7, 7, 7, 79)")
    with pytest.raises(TypeError, match="more than 127 cards"):
        Game("manycards", "manycards")


def test_another_package_can_add_a_game(tmp_path: Path) -> None:
    """A package with nothing but an entry point and the modules of a game."""
    write_game(tmp_path / "henhouse", components="TITLE = 'Hen House'")
    info = tmp_path / "henhouse-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: henhouse\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[lastcard.games]\nhens = henhouse\n")
    said = run(
        "import lastcard\n"
        "game = lastcard.game('hens')\n"
        "print(lastcard.games(), game.title, game.match(2, seed=1).waiting)",
        tmp_path,
    )
    assert "'hens'" in said
    assert "Hen House" in said


@pytest.mark.parametrize("id", games())
def test_without_its_folder_a_game_is_gone(id: str, tmp_path: Path) -> None:
    """And all others are still there, and can be played."""
    copy = tmp_path / "lastcard"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", id))
    assert not (copy / "games" / id).exists()
    left = [one for one in games() if one != id]
    said = run(
        "import lastcard\n"
        "from lastcard.bots import bot, play_out\n"
        "assert lastcard.__file__.startswith(sys.path[0]), lastcard.__file__\n"
        "for id in lastcard.games():\n"
        "    game = lastcard.game(id)\n"
        "    game.match(seed=1).view(0)\n"
        "    print(id, game.title)",
        tmp_path,
    )
    assert [line.split()[0] for line in said.splitlines()] == left
