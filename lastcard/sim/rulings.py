"""A game with another ruling: what if we had filled a gap of the rulebook in another way?

A game's `study.py` says which lines of its rules would then be others. The game's modules are
loaded once more, under another name, with those lines in the place of its own; everything else is
the same source. So no rule is written twice, and nothing changes about the game itself.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

from lastcard.core.game import Game
from lastcard.core.registry import folder_of, game, packages
from lastcard.engine import JIT, PLAIN, has_numba
from lastcard.errors import BadOption
from lastcard.kernel.compiling import BOUND
from lastcard.kernel.texts import show

Lines: TypeAlias = Sequence[tuple[str, str]]  # what is written in a module, and what instead


@dataclass(frozen=True)
class Ruling:
    """Another ruling than ours, under a short name."""

    name: str
    question: str
    modules: Mapping[str, Lines]
    players: tuple[int, int]  # with fewer or with more it means nothing

    @property
    def digest(self) -> str:
        return hashlib.sha256(repr(sorted(self.modules.items())).encode()).hexdigest()[:8]


def rulings_of(rules: Game) -> Mapping[str, Ruling]:
    """What the game's folder asks (`RULINGS` of its `study.py`); a game need not say anything."""
    asked = getattr(rules.part("study"), "RULINGS", {})
    found = {}
    for name, (question, modules, *players) in asked.items():
        fewest, most = players or (rules.fewest, rules.most)
        found[name] = Ruling(name, question, modules, (fewest, most))
    return found


def ruling(rules: Game, name: str) -> Ruling:
    known = rulings_of(rules)
    if name not in known:
        there = ", ".join(known) or "none"
        raise BadOption("ruling", f"{rules.title} has no ruling {show(name)}; there are {there}.")
    return known[name]


class Ruled(Game):
    """A game with another ruling. It has the game's id, since all its names are the game's."""

    def __init__(self, id: str, name: str) -> None:
        self.ruling = name
        package = _twin(id, ruling(game(id), name))
        # Libraries that were built ahead have the game's own rules.
        super().__init__(id, package, JIT if has_numba() and not _plain(id) else PLAIN)

    def __reduce__(self) -> Any:
        return ruled, (self.id, self.ruling)


@cache
def ruled(id: str, name: str) -> Game:
    """A game with one of its other rulings; without a name, the game itself."""
    return Ruled(id, name) if name else game(id)


def _plain(id: str) -> bool:
    """Whether this process runs all rules as plain Python."""
    return game(id).engine.way == PLAIN


def _twin(id: str, other: Ruling) -> str:
    """The package of a game with another ruling, ready to be imported."""
    if not any(isinstance(one, _Finder) for one in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
    name = f"{packages()[id]}_{other.name}_{other.digest}".replace("-", "_")
    _TWINS[name] = folder_of(id), other
    return name


_TWINS: dict[str, tuple[Path, Ruling]] = {}  # by the name of the package


class _Finder(MetaPathFinder):
    """Finds the modules of these packages where those of the game lie."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        package, _, module = name.rpartition(".")
        if name in _TWINS:
            folder, _ = _TWINS[name]
            return spec_from_file_location(
                name, folder / "__init__.py", submodule_search_locations=[str(folder)]
            )
        if package in _TWINS:
            folder, other = _TWINS[package]
            file = folder / f"{module}.py"
            if file.exists():
                return spec_from_file_location(
                    name, file, loader=_Loader(name, str(file), other.modules.get(module, ()))
                )
        return None


class _Loader(SourceFileLoader):
    """Reads a module with some of its lines replaced."""

    def __init__(self, name: str, path: str, lines: Lines) -> None:
        super().__init__(name, path)
        self.lines = lines

    def path_stats(self, path: str) -> Mapping[str, Any]:
        raise OSError("what is compiled of this file is not for this module")

    def source_to_code(  # type: ignore[override]
        self, data: Any, path: Any, *more: Any, **other: Any
    ) -> Any:
        text = bytes(data).decode()
        for ours, theirs in self.lines:
            if text.count(ours) != 1:
                raise TypeError(f"{path}: {ours!r} is there {text.count(ours)} times, not once.")
            text = text.replace(ours, theirs)
        return super().source_to_code(text.encode(), path, *more, **other)

    def exec_module(self, module: ModuleType) -> None:
        module.__dict__[BOUND] = module.__name__.rpartition(".")[0].rpartition(".")[2]
        super().exec_module(module)
