"""Bots that users write: anything with `choose(view, legal) -> action`."""

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
    """A user's bot. One is made for every seat of every match, without arguments."""

    def choose(self, view: dict[str, Any], legal: list[str]) -> str | None:
        """One of the legal actions, by name; `view` is what `Match.view` gives for the seat.

        A seat that is not in `view["waiting"]` may also do nothing: None.
        """
        ...


class OtherBot(Bot):
    """Lets a user's bot choose, and checks its choice."""

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
    """A user's bot by name: `my_bot.py:MyBot` or `package.module:MyBot`."""
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
    """An exception on one line, with the place in the user's code."""
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
    """Loads a file once per process. It can import its neighbours, like any script."""
    _look_in(str(Path(path).parent.resolve()))
    # Under a unique name: a bot may live in a file called random.py.
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
