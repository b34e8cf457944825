"""Games of other packages."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import lastcard
from lastcard.core.game import Game
from lastcard.core.registry import games
from lastcard.games.chiko import rules as chiko


def test_our_games() -> None:
    assert games()[:1] == ["chiko"]
    assert lastcard.game("chiko") is lastcard.game("chiko")


def test_an_unknown_game() -> None:
    with pytest.raises(lastcard.UnknownGame, match=r"There is no game 'poker'; there are chiko"):
        lastcard.game("poker")


def test_what_is_no_game() -> None:
    with pytest.raises(TypeError, match="is not a game: it lacks new"):
        Game("empty", ModuleType("empty"))


def test_a_deck_that_is_too_large() -> None:
    """A shuffle of it would no longer be fair."""
    many = ModuleType("many")
    many.__dict__.update(vars(chiko), DECK=(7, 7, 7, 7, 7, 7, 7, 79))
    with pytest.raises(TypeError, match="more than 127 cards"):
        Game("many", many)


def test_another_package_can_add_a_game(tmp_path: Path) -> None:
    """A package with nothing but an entry point and a module: Chiko under another name."""
    (tmp_path / "henhouse.py").write_text(
        "from lastcard.rules.chiko import *\n"
        "from lastcard.rules.chiko import __doc__\n"
        "TITLE = 'Hen House'\n"
    )
    info = tmp_path / "henhouse-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: henhouse\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[lastcard.games]\nhens = henhouse\n")
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "import lastcard\n"
        "game = lastcard.game('hens')\n"
        "print(lastcard.games(), game.title, game.match(2, seed=1).waiting)"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert "'hens'" in result.stdout
    assert "Hen House" in result.stdout
