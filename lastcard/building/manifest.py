"""The list of what is in a game's libraries, for programs in any language: docs/engine.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from lastcard.bots.playouts import NODE
from lastcard.bots.simple import policy_of
from lastcard.core.game import Game
from lastcard.core.sheets import keys_of
from lastcard.engine.places import state_of
from lastcard.kernel import CHANCE, LOG_COLUMNS
from lastcard.kernel.telling import TEXT

if TYPE_CHECKING:
    from .entries import Entry

VERSION = 1  # of this list's form


def layouts_of(game: Game) -> dict[str, np.dtype[Any]]:
    """The records that functions are given, by the names that exports have for them."""
    return {"record": game.rules.RECORD, "deal": game.rules.DEAL, "node": NODE, "text": TEXT}


def dimensions_of(game: Game) -> dict[str, int]:
    return {
        "options": len(game.options),
        "most_legal": game.rules.MOST_LEGAL,
        "observed": len(game.rules.OBSERVED),
        "actions": len(game.actions),
        "log_columns": LOG_COLUMNS,
        "record_bytes": game.rules.RECORD.itemsize,
    }


def manifest_of(game: Game, entries: Mapping[str, list[Entry]]) -> dict[str, Any]:
    return {
        "version": VERSION,
        "state": state_of(game.folder),
        "game": game.id,
        "title": game.title,
        "players": [game.fewest, game.most],
        "lowest_wins": bool(game.rules.LOWEST_WINS),
        "chance": CHANCE,
        "dimensions": dimensions_of(game),
        "functions": {
            entry.name: {
                "part": part,
                "arguments": [_argument(one) for one in entry.arguments],
                "returns": {"int": "int64", "float": "float64"}.get(entry.returns, ""),
            }
            for part, some in entries.items()
            for entry in some
        },
        "layouts": {name: _layout(one) for name, one in layouts_of(game).items()},
        "options": [_option(one, game.fewest) for one in game.options],
        "clashes": [clash.facts() for clash in game.clashes],
        "tree_up_to": policy_of(game).TREE_UP_TO,
        "cards": list(game.cards),
        "deck": [int(count) for count in game.rules.DECK],
        "actions": list(game.actions),
        "events": [
            {
                "kind": event.kind,
                "values": {name: names and list(names) for name, names in event.values.items()},
                "secret": sorted(event.secret),
            }
            for event in game.events
        ],
        "observed": list(game.rules.OBSERVED),
        "keys": {
            key: {"form": type(form).__name__, "derived": form.derived, "reads": list(form.reads)}
            for key, form in keys_of(game).items()
        },
    }


def _argument(one: Any) -> dict[str, Any]:
    facts: dict[str, Any] = {"name": one.name, "type": one.type}
    if one.of:
        facts |= {"of": one.of, "shape": list(one.shape)}
    return facts


def _option(option: Any, players: int) -> dict[str, Any]:
    """An option, and how its default is kept in the record."""
    facts = {name: getattr(option, name) for name in ("name", "kind", "help", "default")}
    facts |= {"low": option.low, "high": option.high}
    facts["stored"] = option.read(option.default, players)
    if hasattr(option, "choices"):
        facts["choices"] = list(option.choices)
    return facts


def _layout(dtype: np.dtype[Any]) -> dict[str, Any]:
    fields = {}
    assert dtype.fields
    for name, (kind, offset, *_) in dtype.fields.items():
        fields[name] = {"offset": offset, "type": kind.base.name, "shape": list(kind.shape)}
    return {"size": dtype.itemsize, "fields": fields}
