"""A table of Sixth Sense: trump, the trick and what is asked, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from lastcard.core.game import Game
from lastcard.rules.sixth_sense import CARDS, COLOURS, LAID, WORDS

from .table import card_text

_PAINT = {
    "r": "#ffffff on #b3261e",
    "y": "#000000 on #f2c230",
    "g": "#ffffff on #2e7d32",
    "b": "#ffffff on #1f5fbf",
    "p": "#ffffff on #6a1b9a",
}
STYLES = {name: _PAINT[name[0]] for name in (*COLOURS, *LAID)}
FACES = {name: name for name in LAID}  # short, since hands are large; the menu says red-14


def _spellings(name: str) -> tuple[str, ...]:
    """Of `r4`: 4. Of a six as nine also red 9."""
    colour, _, nine = name[0], *name[1:].partition("=")[1:]
    return (f"{colour}9", f"{WORDS[colour]}9", nine) if nine else (name[1:],)


SPELLINGS = {
    **{name: _spellings(name) for name in LAID},
    "split": ("two", "twotricks", "double"),
    "whole": ("one", "onetrick"),
}


def middle(game: Game, view: dict[str, Any], names: Sequence[str]) -> Text:
    most = "at most " if view["options"]["target"] else ""
    text = Text(f"Round {view['round']} of {most}{view['rounds']}", style="bold")
    text.append_text(_trump(game, view))
    if view["trick"]:
        text.append("\nTrick  ", style="not bold")
        text.append_text(Text("  ").join(_trick(game, view, names)))
    for words in _asks(game, view, names) if not view["over"] else ():
        text.append(f"\n{words}", style="not bold")
    return text


def _trump(game: Game, view: dict[str, Any]) -> Text:
    if view["trump"] == "-":
        late = view["options"]["late_trump"]
        words = "the trump is turned up when all have predicted" if late else "no trump"
        return Text(f"    {words}", style="not bold")
    text = Text("    trump ", style="not bold")
    return text.append_text(card_text(game, view["trump"]))


def _trick(game: Game, view: dict[str, Any], names: Sequence[str]) -> list[Text]:
    """Who has laid what; blocked cards are struck through."""
    entries = [entry.split() for entry in view["trick"]]
    blocked = {card.partition(">")[2] for _, card in entries if ">" in card}
    cards = []
    for seat, card in entries:
        name, block, whom = card.partition(">")
        text = Text(f"{names[int(seat)]} ", style="not bold")
        laid = card_text(game, name)
        if seat in blocked or block:
            laid.stylize("strike dim")
        text.append_text(laid)
        if block:
            text.append(f" blocks {names[int(whom)]}", style="not bold")
        cards.append(text)
    return cards


def _asks(game: Game, view: dict[str, Any], names: Sequence[str]) -> list[str]:
    if "-" in view["aims"]:
        missing = [names[seat] for seat, aim in enumerate(view["aims"]) if aim == "-"]
        return [
            "Everybody lays a card face down: its number is how many tricks he means to win.",
            f"Still to predict: {', '.join(missing)}.",
        ]
    whole = len(view["trick"]) == view["players"]
    words = []
    if not view["trick"]:
        words.append(_does(names[view["turn"]], "lead") + " with any card.")
    elif view["asked"] == "-":
        words.append("No colour is asked for: any card may be played.")
    else:
        words.append(f"Asked for: {game.say(view['asked'])}.")
    if view["reversed"]:
        words.append("Reversed: the lowest card wins, other colours before asked before trump.")
    if whole:
        words.append(_does(names[view["turn"]], "win") + " it, and can count it as two tricks.")
    elif view["winning"] != "-":
        words.append(_does(names[view["winning"]], "would win") + " it as it lies.")
    if view["double"] and not whole:
        words.append("A 12 lies in it: the winner may count it as two tricks.")
    return words


def _does(name: str, verb: str) -> str:
    """You lead, Ada leads."""
    return f"{name} {verb}{'' if name == 'You' or ' ' in verb else 's'}"


def remarks(view: dict[str, Any], names: Sequence[str]) -> list[str]:
    """What is known of hands: colours that were not followed."""
    lines = []
    for seat, void in enumerate(view["void"]):
        if void and names[seat] != "You":
            colours = " and no ".join(WORDS[colour] for colour in void.split())
            lines.append(f"{names[seat]} has no {colours}.")
    return lines


def label(game: Game, view: dict[str, Any], action: str) -> str:
    """Blocks name the card, not the seat; what is chosen for a 12 says what it means."""
    verb, *rest = action.split()
    if verb == "block":
        zero, seat = rest
        laid = next(card for one, card in map(str.split, view["trick"]) if one == seat)
        return f"block {game.say(laid)} with {game.say(zero)}"
    said = game.say(action)
    if verb == "predict":
        number = rest[0][1:]
        return f"{said} (6 or 9)" if number == "6" else said
    return {"split": "split: two tricks", "whole": "whole: one trick"}.get(action, said)


def why(game: Game, view: dict[str, Any], typed: str) -> str:
    """Why a card that was typed is not possible: it does not follow, or is not there."""
    words = {name: name for name in CARDS}
    words |= {WORDS[name].replace("-", ""): name for name in CARDS}
    if view["seat"] is None:
        return ""
    hand = view["hands"][view["seat"]]["cards"]
    if typed.isdigit() and not any(card[1:] == typed for card in hand):
        return f"You have no {typed} in your hand."
    name = words.get(typed)
    if name is None:
        return ""
    if name not in hand:
        return f"You have no {game.say(name)} in your hand."
    if view["asked"] not in ("-", name[0]):
        return f"{game.say(view['asked']).capitalize()} is asked for, and you have some."
    return ""
