"""Bots that others write: anything with `choose(view, legal) -> action`."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import traceback
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from lastcard.core.game import Game
from lastcard.core.views import view_of
from lastcard.errors import BadOption
from lastcard.kernel import NOBODY, bit
from lastcard.kernel.texts import show

from .bot import Bot


class Chooser(Protocol):
    """A bot of somebody else. One is made for every seat and match, without arguments."""

    def choose(self, view: dict[str, Any], legal: list[str]) -> str | None:
        """One of the legal actions, by name. `view` is what the seat may see, as `Match.view` gives
        it; None, to let it be, only if the seat is not among `view["waiting"]`."""
        ...


class OtherBot(Bot):
    """Lets somebody else's bot choose, and checks what it says."""

    def __init__(self, game: Game, chooser: Chooser, name: str) -> None:
        super().__init__(game)
        self.chooser = chooser
        self.name = name

    def decide(self, hidden: Any, seat: int, legal: list[int]) -> int:
        names = [self.game.actions[action] for action in legal]
        view = view_of(self.game, hidden, seat)
        try:
            chosen = self.chooser.choose(view, list(names))
        except (Exception, SystemExit) as problem:
            raise BadOption("bot", f"{self.name}: {what_happened(problem)}.") from problem
        if chosen is None and not self.game.rules.waiting(hidden[0]) & bit(seat):
            return NOBODY
        if not isinstance(chosen, str) or chosen not in names:
            raise BadOption("bot", f"{self.name} chose {show(chosen)}, not one of {show(names)}.")
        return legal[names.index(chosen)]


def other_bot(name: str, game: Game) -> OtherBot:
    """`my_bot.py:MyBot` or `package.module:MyBot`."""
    where, _, what = name.rpartition(":")
    try:
        module = _from_file(where) if where.endswith(".py") else _from_package(where)
        made = getattr(module, what)()
    except (Exception, SystemExit) as problem:
        raise BadOption("bot", f"{name}: {what_happened(problem)}.") from problem
    if not callable(getattr(made, "choose", None)):
        raise BadOption("bot", f"{name} has no method choose(view, legal).")
    return OtherBot(game, made, name)


def what_happened(problem: BaseException) -> str:
    """An exception in a line, with the place for whoever has to look there."""
    says = ": ".join(filter(None, (type(problem).__name__, str(problem).removesuffix("."))))
    places = [
        place
        for place in traceback.extract_tb(problem.__traceback__)
        if place.filename != __file__ and not place.filename.startswith("<frozen")
    ]
    if not places:
        return says
    return f"{says} ({Path(places[-1].filename).name}, line {places[-1].lineno})"


@cache
def _from_file(path: str) -> Any:
    """Loaded once in each process; what lies beside it can be imported, as in any script."""
    _look_in(str(Path(path).parent.resolve()))
    # Under a name that is nobody else's: a bot may be in a random.py.
    name = f"bot_{Path(path).stem}_{len(sys.modules)}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError("cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _from_package(name: str) -> Any:
    _look_in(os.getcwd())
    return importlib.import_module(name)


def _look_in(folder: str) -> None:
    if folder not in sys.path:
        sys.path.append(folder)
