"""What can be played here, as GET /api/games lists it."""

from __future__ import annotations

from typing import Any

from lastcard import __version__
from lastcard.bots import LEVELS, levels_of
from lastcard.core.game import Game
from lastcard.core.registry import game as find
from lastcard.core.registry import games
from lastcard.kernel.options import Choice, Option
from lastcard.table.messages import REACTIONS

from .engines import engines
from .faces import face_of


def offered(invite: dict[str, Any] | None) -> dict[str, Any]:
    """All that can be played; `invite` says how others come to a live table, if there are any."""
    return {
        "invite": invite,
        "version": __version__,
        "games": catalogue(),
        "levels": LEVELS,
        "reactions": REACTIONS,
    }


def catalogue() -> list[dict[str, Any]]:
    """All games, those first that are learnt soon."""
    return [_game(one) for one in sorted(map(find, games()), key=lambda one: one.difficulty)]


def _game(game: Game) -> dict[str, Any]:
    """A game and its options."""
    return {
        "id": game.id,
        "title": game.title,
        "tagline": game.tagline,
        "players": [game.fewest, game.most],
        "minutes": game.minutes,
        "lowest_wins": bool(game.rules.LOWEST_WINS),
        "options": [_option(option) for option in game.options],
        "clashes": [clash.facts() for clash in game.clashes],
        "levels": tuple(levels_of(game)),
        "face": face_of(game.id) is not None,
        "engine": game.id in engines(),
    }


def _option(option: Option) -> dict[str, Any]:
    facts = {name: getattr(option, name) for name in ("name", "kind", "default", "help")}
    if option.kind in ("number", "limit"):
        facts |= {"low": option.low, "high": option.high}
    if isinstance(option, Choice):
        facts["choices"] = option.choices
    return facts
