"""Ladder in the terminal: the rung that lies there, between those that fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from lastcard.core.game import Game
from lastcard.terminal.drawing import card_text

COUNTED = ("stock",)


def middle(game: Game, view: dict[str, Any], names: Sequence[str]) -> Text:
    low, high = view["fits"].split()
    ladder = Text(f"{low} < ").append_text(card_text(game, view["top"])).append(f" < {high}")
    return ladder.append(f"   stock: {view['stock']['size']}")
