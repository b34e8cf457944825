"""The faces of games: from which folders they come, and what the page is without one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import lastcard
from lastcard.core.registry import games
from lastcard.server.faces import FILES, face_of, faces
from lastcard.server.files import Files
from lastcard.server.joining import Unjoinable
from lastcard.table.refusals import Refused

PACKAGE = Path(lastcard.__file__).parent


def test_every_game_of_ours_has_one() -> None:
    assert list(faces()) == games()
    for id, folder in faces().items():
        assert folder == face_of(id) == PACKAGE / "games" / id / "face"
        assert {*FILES} <= {path.name for path in folder.iterdir()}


def test_a_face_of_another_package_is_served_like_ours(tmp_path: Path) -> None:
    elsewhere = tmp_path / "anything" / "face"
    shutil.copytree(faces()["chiko"], elsewhere)
    files = Files(faces=faces() | {"hens": elsewhere})
    joined = files.answer(f"{files.version}/hens.js", {})
    assert b"games/hens/face/game.js" in joined.body
    source = files.answer(f"{files.version}/games/hens/face/game.js", {})
    assert source.body == (elsewhere / "game.js").read_bytes()
    words = files.answer(f"{files.version}/words.he.js", {})
    assert b"games/hens/face/words.he.js" in words.body


def test_a_face_that_lacks_a_file_is_refused(tmp_path: Path) -> None:
    elsewhere = tmp_path / "face"
    shutil.copytree(faces()["chiko"], elsewhere)
    (elsewhere / "words.ru.js").unlink()
    with pytest.raises(Unjoinable, match=r"there is no games/hens/face/words\.ru\.js$"):
        Files(faces={"hens": elsewhere})


def test_a_page_without_any_face() -> None:
    files = Files(faces={})
    assert b"games/chiko" not in files.answer(f"{files.version}/app.js", {}).body
    with pytest.raises(Refused):
        files.answer(f"{files.version}/chiko.js", {})


LOOK = """
import json
from lastcard.server.catalogue import catalogue
from lastcard.server.files import Files
files = Files()
print(json.dumps({
    "games": {one["id"]: one["face"] for one in catalogue()},
    "joined": {
        name: file.plain.body.decode(errors="replace") for name, file in files._joined.items()
    },
}))
"""


def look(package: Path, *without: str) -> dict[str, Any]:
    """The games and the page's files of a copy of the package that lacks these folders."""
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in without:
        shutil.rmtree(package / "games" / folder)
    done = subprocess.run(
        [sys.executable, "-c", LOOK],
        cwd=package.parent,
        env=os.environ | {"LASTCARD_ENGINE": "plain"},
        stdout=subprocess.PIPE,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("id", games())
def test_without_its_folder_a_game_leaves_no_trace(id: str, tmp_path: Path) -> None:
    found = look(tmp_path / "lastcard", id)
    left = [one for one in games() if one != id]
    assert sorted(found["games"]) == left and all(found["games"].values())
    assert f"{id}.js" not in found["joined"]
    assert {f"{one}.js" for one in left} <= found["joined"].keys()
    for name, text in found["joined"].items():
        assert f"games/{id}/" not in text and f".game-{id}" not in text, name


def test_a_game_without_a_face_is_listed_all_the_same(tmp_path: Path) -> None:
    """Programs can play it."""
    found = look(tmp_path / "lastcard", "taki/face")
    assert sorted(found["games"]) == games()
    assert [id for id, face in found["games"].items() if not face] == ["taki"]
    assert "taki.js" not in found["joined"]
