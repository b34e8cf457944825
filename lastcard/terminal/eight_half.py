"""The middle of a table of Eight and a Half: the pot, its value, and what that asks for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from lastcard.core.game import Game
from lastcard.rules.eight_half import CARDS, YELLOW

from .table import CARD, card_text

STYLES = {
    **{name: "#000000 on #f2c230" for card, name in enumerate(CARDS) if YELLOW >> card & 1},
    "9": "#ffffff on #b3261e",
}
FACES = {"h": "½"}
COUNTED = ("banks", "burned")
SHOWN = 12  # cards of the pot, the top ones


def middle(game: Game, view: dict[str, Any], names: Sequence[str]) -> Text:
    text = Text(f"Round {view['round']} of {view['options']['rounds']}\n", style="bold")
    text.append_text(_pot(game, view))
    for words in _asks(game, view, names) if not view["over"] else ():
        text.append(f"\n{words}", style="not bold")
    return text


def remarks(view: dict[str, Any], seat: int) -> list[str]:
    """Where somebody plays from, if not from the hand, and where what he eats would go."""
    places: dict[str, list[str]] = {"hand": [], "open": ["plays open"], "blind": ["flips blind"]}
    return places[view["places"][seat]] + (["eats to hand"] if seat in view["table"] else [])


def _pot(game: Game, view: dict[str, Any]) -> Text:
    if view["value"] == "-":
        return Text("The pot is empty.", style="not bold")
    text = Text("The pot stands at ", style="not bold")
    value = view["value"].replace("0.5", "½").replace(".5", "½")
    text.append(f" {value} ", style=f"bold {CARD}")
    cards = view["pot"]["cards"]
    text.append(f"    {'... ' if len(cards) > SHOWN else ''}")
    for name in cards[-SHOWN:]:
        text.append_text(card_text(game, name)).append(" ")
    return text


def _asks(game: Game, view: dict[str, Any], names: Sequence[str]) -> list[str]:
    """What the pot demands, in words, so that one sees why a card is not legal."""
    words = []
    if view["swap"] != "-":
        winner, loser = (names[seat] for seat in view["swap"])
        return [f"{winner}: exchange an open card for one of {loser}'s, or keep yours."]
    if view["first"]:
        words.append("The first pot is opened with the lowest yellow card in anybody's hand.")
    elif view["value"] == "-":
        words.append("Any card opens it.")
    else:
        if view["down"]:
            words.append("Go down: a number of 5 or lower, or a joker.")
        if view["policeman"] != "-":
            words.append(f"{names[view['last']]} can be caught with a {view['policeman']}.")
        words.append(f"Legal on it: {', '.join(game.say(view['fits']).split())}.")
    if view["legal"] == ["eat"]:
        words.append("Nothing of yours is legal: you have to eat the pot.")
    return words
