"""Draws TAKI: the leading card, and what it asks for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from lastcard.core.game import Game
from lastcard.terminal.drawing import CARD, PAINT, card_text

from .components import CARDS, COLOURED

STYLES = {card: PAINT[card[0]] for card in CARDS[:COLOURED]}


def middle(game: Game, view: dict[str, Any], names: Sequence[str]) -> Text:
    text = Text(f"Round {view['round']} of {view['options']['rounds']}", style="bold")
    text.append(f"    {game.say(view['direction'])}", style="not bold")
    text.append(f"    {view['stock']['size']} in the stock\n", style="not bold")
    text.append_text(card_text(game, view["top"]))
    if view["colour"] != "-":
        text.append(" for ", style="not bold")
        text.append(f" {game.say(view['colour'])} ", style=PAINT.get(view["colour"], CARD))
    for word in _asks(game, view, names) if not view["over"] else ():
        text.append(f"    {word}", style="not bold")
    return text


def _asks(game: Game, view: dict[str, Any], names: Sequence[str]) -> list[str]:
    who = names[view["turn"]]
    words = []
    if view["debt"]:
        words.append(f"play a 2+ or draw {view['debt']}")
    if view["run"]:
        words.append(f"{who}: a run of {game.say(view['open'])}")
    elif view["open"] != "-":
        words.append(f"an open TAKI, {game.say(view['open'])}")
    if view["plus"]:
        words.append(f"{who}: another turn after the plus")
    if view["asked"] != "-":
        words.append(f"{who}: +3, and {names[view['asked']]} can break it")
    return words
