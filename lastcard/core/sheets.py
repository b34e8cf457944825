"""The sheet of a game: the tables and names that its telling (telling.py) is bound to."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING

from lastcard.kernel.forms import Form, Number, Seat, Seats, Truth
from lastcard.kernel.sheets import Sheet, own_rules
from lastcard.kernel.telling import MOST_ACTIONS
from lastcard.kernel.texts import CHANCE_NAME

if TYPE_CHECKING:
    from .game import Game

# Keys that every game has besides its own.
COMMON: dict[str, Form] = {
    "opener": Seat("opener"),
    "round": Number("round_number", low=1),
    "chance": Number("counter", high=1 << 40),
}
_END: dict[str, Form] = {"over": Truth("over"), "winners": Seats("winners")}
_SECRET = "chance"  # of positions only: views do not have it


def keys_of(game: Game) -> dict[str, Form]:
    """All keys in the order in which they are told, the one that views do not have last."""
    forms = {**_END, **game.keys, **COMMON}
    return {**forms, _SECRET: forms.pop(_SECRET)}


def sheet_of(game: Game) -> ModuleType:
    """Made once, when a game is loaded; TypeError if it has something that cannot be told."""
    try:
        return _made(game)
    except TypeError as error:
        raise TypeError(f"{game.package} cannot be told: {error}") from None


def _made(game: Game) -> ModuleType:
    rules = game.rules
    if rules.MOST_LEGAL > MOST_ACTIONS:
        raise TypeError(f"more than {MOST_ACTIONS} actions may be legal at once.")
    gathered, keys = Sheet(rules.RECORD), keys_of(game)
    spans, parts = gathered.spans([form.reads for form in keys.values()])
    content = {
        "GAME": gathered.name("game"),
        "GAME_NAME": gathered.name(game.id),
        "PLAYERS": gathered.name("players"),
        "SEAT": gathered.name("seat"),
        "OPTIONS": gathered.name("options"),
        "WAITING": gathered.name("waiting"),
        "LEGAL": gathered.name("legal"),
        "CHANCE": gathered.name(CHANCE_NAME),
        "ACTIONS": gathered.names(game.actions),
        "OPTION_NAMES": gathered.names([option.name for option in game.options]),
        "OPTION_ROWS": gathered.options(game.options),
        "N_OPTIONS": len(game.options),
        "KEYS": tuple(keys),
        "KEY_NAMES": gathered.names(list(keys)),
        "KEY_ROWS": gathered.rows(list(keys.values())),
        "N_SHOWN": len(keys) - 1,
        "SPANS": spans,
        "PARTS": parts,
        "EVENTS": gathered.events(game.events),
        "NAMES": gathered.table(),
        **own_rules(gathered),
    }
    sheet = ModuleType(f"{rules.__name__}.sheet")
    sheet.__file__ = rules.__file__  # `bind` looks there for what it is made of
    sheet.__dict__.update(content)
    return sheet
