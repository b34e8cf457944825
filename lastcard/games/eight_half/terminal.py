"""Draws Eight and a Half: the pot, its value, and what may be played on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from lastcard.core.game import Game
from lastcard.terminal.drawing import CARD, card_text

from .components import ACTIONS, CARDS, YELLOW

STYLES = {
    **{name: "#000000 on #f2c230" for card, name in enumerate(CARDS) if YELLOW >> card & 1},
    "9": "#ffffff on #b3261e",
}
FACES = {"h": "½"}
COUNTED = ("burned",)
SHOWN = 12  # top cards of the pot
NAMES = {"0": "zero", "h": "half", "g": "ghost"}
TIMES = ("", "", "two", "three", "four", "five", "six", "seven", "eight")


def _spellings(several: str) -> tuple[str, ...]:
    """Ways to type `7x2`: 77, two 7s, 2x7."""
    name, _, times = several.partition("x")
    count, word = int(times), NAMES.get(name, name)
    plural = "halves" if name == "h" else f"{word}s"
    return (name * count, word * count, f"{TIMES[count]}{plural}", f"{count}x{word}")


SPELLINGS = {
    **{name: (word,) for name, word in NAMES.items()},
    **{name[5:]: _spellings(name[5:]) for name in ACTIONS if "x" in name},
    "8h": ("8half", "8andahalf", "half8", "halfand8", "8+h", "8+half"),
    "eat": ("eatthepot",),
}


def middle(game: Game, view: dict[str, Any], names: Sequence[str]) -> Text:
    text = Text(f"Round {view['round']} of {view['options']['rounds']}\n", style="bold")
    text.append_text(_pot(game, view))
    for words in _asks(game, view, names) if not view["over"] else ():
        text.append(f"\n{words}", style="not bold")
    return text


def _pot(game: Game, view: dict[str, Any]) -> Text:
    if view["value"] == "-":
        return Text("The pot is empty.", style="not bold")
    text = Text("The pot stands at ", style="not bold")
    text.append(f" {_value(view)} ", style=f"bold {CARD}")
    cards = view["pot"]["cards"]
    text.append(f"    {len(cards)} cards ... " if len(cards) > SHOWN else "    ")
    return text.append_text(Text(" ").join(card_text(game, name) for name in cards[-SHOWN:]))


def _value(view: dict[str, Any]) -> str:
    whole, half, _ = str(view["value"]).partition(".5")
    return f"{'' if half and whole == '0' else whole}{'½' if half else ''}"


def _asks(game: Game, view: dict[str, Any], names: Sequence[str]) -> list[str]:
    """What the pot demands, so that people see why a card is not legal."""
    if view["swap"] != "-":
        winner, loser = (names[seat] for seat in view["swap"])
        return [f"{winner} may swap an open card with {loser}, the big loser."]
    if view["first"]:
        return ["The lowest yellow card in any hand opens the first pot."]
    if view["value"] == "-":
        return ["Any card opens it."]
    words = []
    if view["down"]:
        words.append("Go down: a number of 5 or lower, or a joker.")
    if view["policeman"] != "-":
        words.append(f"{names[view['last']]} can be caught with a {view['policeman']}.")
    words.append(f"Legal on it: {_legal_on_it(game, view)}.")
    if view["legal"] == ["eat"]:
        words.append("You have no legal card, so you must eat the pot.")
    return words


def _legal_on_it(game: Game, view: dict[str, Any]) -> str:
    return ", ".join(game.say(view["fits"]).split())


def remarks(view: dict[str, Any], names: Sequence[str]) -> list[str]:
    """Who does not play from the hand, and who takes eaten cards into it."""
    lines = []
    for seat, place in enumerate(view["places"]):
        s = "" if names[seat] == "You" else "s"
        words = {"open": f"play{s} the open cards", "blind": f"flip{s} the blind cards"}
        some = [words[place]] if place in words else []
        if seat in view["table"]:
            some.append(f"eat{s} into the hand")
        if some:
            lines.append(f"{names[seat]}: {'; '.join(some)}.")
    return lines


def label(game: Game, view: dict[str, Any], action: str) -> str:
    """An exchange names the cards, not the slots."""
    verb, *slots = action.split()
    if verb == "swap":
        zones = [view["open"][seat]["cards"] for seat in view["swap"]]
        mine, theirs = (zone[int(slot)] for zone, slot in zip(zones, slots, strict=True))
        return f"swap {game.say(mine)} for {game.say(theirs)}"
    return game.say(action)


def why(game: Game, view: dict[str, Any], verb: str, typed: str) -> str:
    """Why a typed card cannot be played: it does not fit, or is not there."""
    words = {name: name for name in (*CARDS, "8h")} | {word: name for name, word in NAMES.items()}
    words |= dict.fromkeys(SPELLINGS["8h"], "8h")
    name = words.get(typed)
    if verb not in ("", "play") or name is None or view["swap"] != "-" or view["seat"] is None:
        return ""
    if name not in view["fits"].split():
        return f"The pot stands at {_value(view)}: legal on it are {_legal_on_it(game, view)}."
    if view["first"]:
        return "Only the lowest yellow card opens the first pot."
    place = view["places"][view["seat"]]
    if place == "blind":
        return "You can only flip a blind card."
    zone = view["hands" if place == "hand" else "open"][view["seat"]]["cards"]
    if name not in zone:
        return f"You have no {game.say(name)} {'in your hand' if place == 'hand' else 'open'}."
    return ""
