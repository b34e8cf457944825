"""Which games the page can draw: those whose package has a folder `face`."""

from __future__ import annotations

from pathlib import Path

from lastcard.core.registry import game, games

LANGUAGES = ("en", "he", "ru")
FILES = (
    *("emblem.js", "game.js", "pictures.js", "style.css"),
    *(f"{part}.{language}.js" for part in ("words", "rules") for language in LANGUAGES),
)  # every face has these


def face_of(id: str) -> Path | None:
    """The folder of a game's face, if it has one."""
    folder = game(id).folder / "face"
    return folder if folder.is_dir() else None


def faces() -> dict[str, Path]:
    """The folders of all faces, by the ids of their games."""
    return {id: folder for id in games() if (folder := face_of(id))}
