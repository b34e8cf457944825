"""Which of the three ways a game's rules run."""

from __future__ import annotations

import importlib.util
import os
from dataclasses import dataclass
from pathlib import Path

from lastcard.errors import BadOption

from .library import Library
from .places import folder_of, library_for, manifest_of, state_of

ENGINE = "LASTCARD_ENGINE"  # the environment variable that decides; for developers
AHEAD, JIT, PLAIN = "ahead", "jit", "plain"


@dataclass(frozen=True)
class Choice:
    way: str
    why: str  # a sentence for people
    library: Library | None = None


def choose(game: Path, wish: str = "") -> Choice:
    """The library that was built from the game's sources, if there is one for this machine;
    otherwise Numba if it is installed, otherwise plain Python. A wish, or the environment's, is
    granted or refused."""
    wish = wish or os.environ.get(ENGINE, "").strip().lower()
    if wish not in ("", AHEAD, JIT, PLAIN):
        raise BadOption(ENGINE, f"is {AHEAD}, {JIT} or {PLAIN}, not {wish}.")
    if wish == PLAIN:
        return Choice(PLAIN, "Plain Python was asked for.")
    if wish == JIT:
        if not has_numba():
            raise BadOption(ENGINE, "Numba is not installed: pip install 'lastcard[jit]'.")
        return Choice(JIT, "The JIT was asked for.")
    library, why = _library(game)
    if library is not None:
        return Choice(AHEAD, why, library)
    if wish == AHEAD:
        raise BadOption(ENGINE, why)
    if has_numba():
        return Choice(JIT, why)
    return Choice(PLAIN, f"{why} Numba, which is not installed either, would be much faster.")


def has_numba() -> bool:
    return importlib.util.find_spec("numba") is not None


def _library(game: Path) -> tuple[Library | None, str]:
    """The library of a game's folder, or why there is none; a sentence in both cases."""
    folder = folder_of(game)
    manifest = manifest_of(folder)
    if manifest is None:
        return None, "Nothing has been built for this game: lastcard build does it."
    if manifest["state"] != state_of(game):
        return None, "What was built does not belong to the sources: lastcard build makes it anew."
    path, why = library_for(folder)
    if path is None:
        return None, why
    return Library(path, manifest), f"Built ahead: {path.name}."
