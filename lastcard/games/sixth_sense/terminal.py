"""Draws Sixth Sense: trump, the trick, and the colour asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from lastcard.core.game import Game
from lastcard.kernel.texts import NONE
from lastcard.terminal.drawing import PAINT, card_text

from .components import AIMS, COLOURS, LAID, WORDS

STYLES = {name: PAINT[name[0]] for name in (*COLOURS, *LAID)}
FACES = {name: name for name in LAID}  # short, as hands are large; the menu says red-14


def _spellings(name: str) -> tuple[str, ...]:
    """Ways to type `r4`: 4; and a six played as a nine: red 9."""
    number, _, nine = name[1:].partition("=")
    return (f"{name[0]}9", f"{WORDS[name[0]]}9", nine) if nine else (number,)


SPELLINGS = {
    **{name: _spellings(name) for name in LAID},
    "split": ("two", "2", "twotricks", "double"),
    "whole": ("one", "1", "onetrick"),
}
ANY_NAME = {
    way: name
    for name in LAID
    for way in (name.replace("=", ""), WORDS[name].replace("-", ""), *_spellings(name)[:-1])
}


def middle(game: Game, view: dict[str, Any], names: Sequence[str]) -> Text:
    target = view["options"]["target"]
    end = f"to {target} points, at most {view['rounds']} rounds" if target else ""
    text = Text(f"Round {view['round']}", style="bold")
    text.append(f"    {end}" if end else f" of {view['rounds']}", style="not bold" if end else "")
    text.append_text(_trump(game, view))
    if view["trick"]:
        text.append("\nTrick  ", style="not bold")
        text.append_text(Text("  ").join(_trick(game, view, names)))
    for words in _asks(game, view, names) if not view["over"] else ():
        text.append(f"\n{words}", style="not bold")
    return text


def _trump(game: Game, view: dict[str, Any]) -> Text:
    if view["trump"] == NONE:
        late = view["options"]["late_trump"] and NONE in view["aims"]
        words = "trump is turned up once everybody has predicted" if late else "no trump"
        return Text(f"    {words}", style="not bold")
    text = Text("    trump ", style="not bold")
    text.append_text(card_text(game, view["trump"]))
    if view["stock"]["cards"]:
        text.append(f"  {game.say(view['stock']['cards'][0])} is turned up", style="not bold")
    return text


def _laid(view: dict[str, Any]) -> dict[int, str]:
    """Who has laid what, in playing order."""
    return {int(seat): card for seat, card in (entry.split() for entry in view["trick"])}


def _trick(game: Game, view: dict[str, Any], names: Sequence[str]) -> list[Text]:
    """The cards of the trick with their players; blocked cards are struck through."""
    laid = _laid(view)
    covered = {int(card.partition(">")[2]) for card in laid.values() if ">" in card}
    cards = []
    for seat, card in laid.items():
        name, block, whom = card.partition(">")
        face = card_text(game, name)
        if seat in covered or block:
            face.stylize("strike dim")
        text = Text(f"{names[seat]} ", style="not bold").append_text(face)
        if block:
            text.append(f" blocks {_object(names[int(whom)])}", style="not bold")
        cards.append(text)
    return cards


def _asks(game: Game, view: dict[str, Any], names: Sequence[str]) -> list[str]:
    if NONE in view["aims"]:
        missing = [names[seat] for seat, aim in enumerate(view["aims"]) if aim == NONE]
        return [
            "Everybody lays a card face down: its number is how many tricks they will win.",
            f"Still to predict: {', '.join(missing)}. {_does(names[view['leader']], 'will lead')}.",
        ]
    whole = len(view["trick"]) == view["players"]
    words = []
    if not view["trick"]:
        words.append(_does(names[view["turn"]], "lead") + " with any card.")
    elif view["asked"] == NONE:
        words.append("No colour is asked for: any card may be played.")
    else:
        words.append(f"Asked for: {game.say(view['asked'])}.")
    if view["reversed"]:
        words.append("Reversed: the lowest card wins, other colours before asked before trump.")
    if whole:
        words.append(_does(names[view["turn"]], "win") + " it, and can count it as two tricks.")
    elif view["winning"] != NONE:
        card = game.say(_laid(view)[view["winning"]])
        words.append(f"So far {_object(names[view['winning']])} would win it with {card}.")
    if view["double"] and not whole:
        words.append("A 12 lies in it: the winner may count it as two tricks.")
    return words


def _does(name: str, verb: str) -> str:
    """You lead, Ada leads."""
    return f"{name} {verb}{'' if name == 'You' or ' ' in verb else 's'}"


def _object(name: str) -> str:
    """A name within a sentence."""
    return "you" if name == "You" else name


def remarks(view: dict[str, Any], names: Sequence[str]) -> list[str]:
    """What is known about hands: colours that were not followed."""
    voids = [
        f"{names[seat]} {' '.join(WORDS[colour] for colour in void.split())}"
        for seat, void in enumerate(view["void"])
        if void and seat != view["seat"]
    ]
    return [f"Have none of: {'; '.join(voids)}."] if voids else []


def label(game: Game, view: dict[str, Any], action: str) -> str:
    """Blocks name the card, not the seat; choices for a 12 say what they mean."""
    verb, *rest = action.split()
    if verb == "block":
        return f"block {game.say(_laid(view)[int(rest[1])])} with {game.say(rest[0])}"
    said = game.say(action)
    if verb == "predict" and (aim := AIMS[int(rest[0][1:])]) != rest[0][1:]:
        return f"{said} ({aim})"
    return {"split": "split: two tricks", "whole": "whole: one trick"}.get(action, said)


def ways(game: Game, view: dict[str, Any], action: str, names: Sequence[str]) -> list[str]:
    """`block b12`, `block b12 with r0`, `block Ada`; and 9 for a prediction with a 6."""
    verb, *rest = action.split()
    if verb == "block":
        zero, seat = rest[0], int(rest[1])
        card = _laid(view)[seat]
        targets = [card, game.say(card), names[seat]]
        return [f"block {one}{end}" for one in targets for end in ("", f" with {zero}")]
    if verb == "predict" and rest[0][1:] == "6":
        colour = rest[0][0]
        nines = ["9", f"{colour}9", f"{WORDS[colour]} 9"]
        return [*nines, *(f"predict {nine}" for nine in nines)]
    return []


def why(game: Game, view: dict[str, Any], verb: str, typed: str) -> str:
    """Why a typed card cannot be played or blocked."""
    if view["seat"] is None:
        return ""
    hand = view["hands"][view["seat"]]["cards"]
    if verb == "block":
        if not view["blockable"]:
            return "A trick has only one block, and the leader cannot block."
        zeros = [card for card in hand if card[1:] == "0"]
        if not zeros:
            return "You have no 0 in your hand."
        return _not_asked(game, view) if view["asked"] + "0" not in zeros else ""
    if typed.isdigit():
        number = "6" if typed == "9" else typed
        there = any(card[1:] == number for card in hand)
        return _not_asked(game, view) if there else f"You have no {number} in your hand."
    name = ANY_NAME.get(typed, "").partition("=")[0]
    if name and name not in hand:
        return f"You have no {game.say(name)} in your hand."
    return _not_asked(game, view) if name and name[0] != view["asked"] else ""


def _not_asked(game: Game, view: dict[str, Any]) -> str:
    if view["asked"] == NONE:
        return ""
    return f"{game.say(view['asked']).capitalize()} is asked for, and you have some."
