"""Shows in the terminal what search thinks of a seat's actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from lastcard.bots.search import Judgement
from lastcard.core.game import Game
from lastcard.kernel import NOBODY

from .drawing import own_drawing

PASS = "do nothing"  # for a seat that need not act
IN_95_PERCENT = 1.96  # standard errors of a 95 % confidence interval
BY_A_TREE = "Assumes that players soon play at random: too high, but comparable with each other."


def labels_of(game: Game, view: dict[str, Any]) -> dict[str, str]:
    """What people read for each legal action in a seat's view."""
    drawing = own_drawing(game)
    if hasattr(drawing, "label"):
        return {name: drawing.label(game, view, name) for name in view["legal"]}
    return {name: game.say(name) for name in view["legal"]}


def advice_of(
    game: Game,
    view: dict[str, Any],
    judged: Sequence[Judgement],
    trusting: bool,
    most: int | None = None,
    opinions: Mapping[int, float] | None = None,
) -> RenderableType:
    """Each action with its chance to win the match, best first; and if there are any, with the
    opinions of a network: how likely it is to choose it."""
    labels = labels_of(game, view)
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("action")
    table.add_column("chance to win", justify="right")
    table.add_column("tried", justify="right")
    if opinions:
        table.add_column("self-taught bot", justify="right")
    for place, one in enumerate(judged[:most]):
        name = PASS if one.action == NOBODY else labels[game.actions[one.action]]
        chance = f"{100 * one.chance:.1f} %"
        if one.worlds > 1:
            chance += f" ± {100 * IN_95_PERCENT * one.error:.1f}"
        style = "bold" if place == 0 else ""
        tried = "once" if one.worlds == 1 else f"{one.worlds} times"
        liking = [f"{100 * opinions.get(one.action, 0.0):.0f} %"] if opinions else []
        table.add_row(Text(name), chance, tried, *liking, style=style)
    return table if trusting else Group(table, Text(BY_A_TREE, style="dim"))
