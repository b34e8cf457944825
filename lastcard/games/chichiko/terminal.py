"""Draws Chi-Chi-Ko: the chain with all its tiles, and what fits its ends."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.text import Text

from lastcard.core.game import Game
from lastcard.kernel.texts import HIDDEN, NONE, known_as
from lastcard.terminal.drawing import CARD, FACE_DOWN, PAINT

from .components import (
    BEATS,
    FACE_PENALTY,
    ORDINARY,
    PENALTY,
    PENALTY_TURNS,
    SIDES,
    SPECIAL,
    WAY_NAMES,
    WORDS,
)

RARE = ("missing",)
GAP = " "
CUT = "…"
UNKNOWN_START = Text(HIDDEN * 5, style=FACE_DOWN)
ARROWS = {"cw": "clockwise, down the list ↓", "ccw": "counter-clockwise, up the list ↑"}
RAYS = ("┌", "├", "├", "└")  # the four lines of a phone
ENDS = (("left",), ("right",))  # what people call them
ENDS_OF_SAUSAGE = tuple((f"{side} {line}", side) for side in SIDES for line in ("upper", "lower"))


def _word(picture: str) -> str:
    return WORDS["r" + picture].partition("-")[2]


_BEATEN = (f"{_word(one)} > {', '.join(map(_word, others))}" for one, others in BEATS.items())
LEGEND = "\n".join(
    [
        f"Pictures: {', '.join(f'{picture} {_word(picture)}' for picture in ORDINARY)}.",
        f"Special: {', '.join(SPECIAL[:2])}, {', '.join(f'{p} {_word(p)}' for p in SPECIAL[2:])}.",
        f"What beats what: {'; '.join(_BEATEN)}.",
    ]
)


def card(game: Game, name: str) -> Text:
    """A tile, each half in its colour."""
    halves = name.split("-")
    return Text("-", style="dim").join(half_text(half) for half in halves)


def half_text(half: str) -> Text:
    return Text(half, style=PAINT.get(half[0], CARD))


def middle(game: Game, view: dict[str, Any], names: Sequence[str]) -> RenderableType:
    options = view["options"]
    text = Text(f"Round {view['round']} of {options['rounds']}", style="bold")
    text.append(f"    bazaar {view['bazaar']['size']}", style="not bold")
    if view["left_out"]:
        text.append(f", {view['left_out']} out of the game", style="not bold")
    text.append(f"    {ARROWS[view['direction']]}", style="not bold")
    lines: list[RenderableType] = [text]
    if view["ends"]:
        lines += [chain_of(game, view), *_asks(game, view)]
    elif not view["over"]:
        opener, starter = names[view["opener"]], names[view["turn"]]
        if opener != starter:
            lines.append(f"{_does(opener, 'open')} the round, without a double.")
        lines.append(f"{_does(starter, 'start')} the chain with any double.")
    return Group(*lines)


def _does(name: str, verb: str) -> str:
    """You start, Ada starts."""
    return f"{name} {verb}{'' if name == 'You' else 's'}"


def _whose(name: str) -> str:
    return "Your" if name == "You" else f"{name}'s"


# --- The chain -----------------------------------------------------------------------------------


def chain_of(game: Game, view: dict[str, Any]) -> RenderableType:
    laid = [word.partition("@") for word in view["laid"]]
    first = laid[0][0] if laid and not laid[0][1] else ""
    placed = [(tile, place) for tile, at, place in laid if at]
    lost = [tile for tile, at, _ in laid[bool(first) :] if not at]
    if view["options"]["sausage"]:
        chain: RenderableType = Sausage(first, placed)
    elif view["options"]["phone"]:
        chain = Phone(game, first, placed, view["ends"].split())
    else:
        chain = _line(game, first, placed)
    if not lost:
        return chain
    rest = Text("Somewhere in the chain: ").append_text(Text(GAP).join(card(game, t) for t in lost))
    return Group(chain, rest)


def _line(game: Game, first: str, placed: list[tuple[str, str]]) -> Text:
    """From the left end to the right; the terminal wraps it."""
    left = [turned(tile) for tile, place in placed if place == "0"][::-1]
    right = [tile for tile, place in placed if place == "1"]
    start = card(game, first) if first else UNKNOWN_START
    ends = [Text(end, style="dim") for end in ("@0", "@1")]
    before, after = ([card(game, tile) for tile in tiles] for tiles in (left, right))
    return Text(GAP).join([ends[0], *before, start, *after, ends[1]])


def turned(tile: str) -> str:
    return "-".join(reversed(tile.split("-")))


class Phone:
    """Four lines from the first double, a row for each, as far as there is room."""

    def __init__(
        self, game: Game, first: str, placed: list[tuple[str, str]], ends: list[str]
    ) -> None:
        self.first = card(game, first) if first else UNKNOWN_START
        self.rays = []
        for end, shown in enumerate(ends):
            tiles = [card(game, tile) for tile, place in placed if place == str(end)]
            if shown == NONE:  # closed by a double that lies face down
                tiles[-1:] = [Text("closed", style=FACE_DOWN)]
            self.rays.append(tiles)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        for end, tiles in enumerate(self.rays):
            start = self.first if end == 1 else Text(" " * len(self.first))
            row = Text.assemble(start, f" {RAYS[end]} ", (f"@{end} ", "dim"))
            yield row.append_text(fitted(tiles, options.max_width - len(row)))


def fitted(tiles: list[Text], room: int) -> Text:
    """A row of tiles, without its first ones if there is no room for them."""
    row = Text(GAP).join(tiles)
    left_out = 0
    while len(row) > room and tiles[left_out:]:
        left_out += 1
        row = Text(GAP).join([Text(f"{CUT}{left_out}{CUT}", style="dim"), *tiles[left_out:]])
    return row


class Sausage:
    """Two lines to the left and two to the right of the first double, and tiles across them."""

    def __init__(self, first: str, placed: list[tuple[str, str]]) -> None:
        half = first.partition("-")[0] if first else HIDDEN * 2
        self.middle = Text.assemble("[", half_text(half), "]")
        self.sides = [self.columns(side, placed) for side in range(len(SIDES))]

    def columns(self, side: int, placed: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """The upper and lower tile of each column, from the middle outwards; halves if across."""
        upper: list[str] = []
        lower: list[str] = []
        for tile, place in placed:
            outward = turned(tile) if side == 0 else tile
            if place == SIDES[side]:
                above, below = tile.split("-")
                upper.append(above)
                lower.append(below)
            elif place == str(2 * side):
                upper.append(outward)
            elif place == str(2 * side + 1):
                lower.append(outward)
        return list(zip_longest(upper, lower, fillvalue=""))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        room = (options.max_width - len(GAP.join(("@0", "", "@2"))) - len(self.middle)) // 2
        left, right = (self.shortened(columns, room) for columns in self.sides)
        for line, labels in enumerate((("@0", "@2"), ("@1", "@3"))):
            ends = [Text(label, style="dim") for label in labels]
            cells = [
                *(self.cell(column, line) for column in reversed(left)),
                self.middle,
                *(self.cell(column, line) for column in right),
            ]
            yield Text(GAP).join([ends[0], *cells, ends[1]])

    def shortened(self, columns: list[tuple[str, str]], room: int) -> list[tuple[str, str]]:
        """The outer columns, as many as there is room for, and the number left out."""
        for left_out in range(len(columns) + 1):
            mark = f"{CUT}{left_out}{CUT}"
            kept = [(mark, mark)] * (left_out > 0) + columns[left_out:]
            if sum(self.width(column) + len(GAP) for column in kept) <= room:
                break
        return kept

    def width(self, column: tuple[str, str]) -> int:
        return max(map(len, column))

    def cell(self, column: tuple[str, str], line: int) -> Text:
        halves = column[line].split("-") if column[line] else []
        text = Text("-", style="dim").join(half_text(half) for half in halves)
        text.append(" " * (self.width(column) - len(text)))
        return text


# --- In words ------------------------------------------------------------------------------------


def _asks(game: Game, view: dict[str, Any]) -> list[Text]:
    """What each end takes, or why it takes nothing."""
    if view["over"]:
        return []
    lines = []
    for end, shown in enumerate(view["ends"].split()):
        line = Text(f"@{end} ", style="dim")
        if shown == NONE:
            line.append("is closed")
        elif end in view["used"] and view["seat"] in view["waiting"]:
            line.append_text(half_text(shown)).append(" has had its double in this turn")
        else:
            line.append_text(half_text(shown)).append(" takes ")
            line.append_text(_takes(game, view["accepts"][end]))
        lines.append(line)
    return lines


def _takes(game: Game, accepted: str) -> Text:
    if accepted == NONE:
        return Text("nothing: its line is the longer one")
    halves = [name for name in accepted.split() if not name.endswith("*")]
    text = Text(GAP).join(half_text(half) for half in halves)
    for colour in (name[0] for name in accepted.split() if name.endswith("*")):
        text.append(f" and {game.say(colour + 'k').partition('-')[0]} super tiles")
    return text


def remarks(view: dict[str, Any], names: Sequence[str]) -> list[str]:
    """What else there is to know about players."""
    lines = []
    if view["owes_face"] != NONE:
        who = _does(names[view["owes_face"]], "owe")
        cost = f"{FACE_PENALTY} tiles, or what is left"
        lines.append(f"{who} a face; a tile put without it costs {cost}.")
    if view["begun"]:
        more = "doubles" if view["wanted"] == "double" else "tiles"
        lines.append(f"{_whose(names[view['turn']])} turn goes on: more {more}, or end.")
    if view["legal"] and view["seat"] not in view["waiting"]:
        less = f"if fewer are left, those and {PENALTY_TURNS} turns"
        lines.append(f"A tile that you put now stays, and costs you {PENALTY} tiles; {less}.")
    if any(action.endswith("closed") for action in view["legal"]):
        lines.append("To close a double add closed, as in " + _example(view["legal"]) + ".")
    for seat, words in enumerate(view["memory"]):
        if seat != view["seat"] and (lacks := _lacks(words, view["ends"].split())):
            lines.append(f"{names[seat]}: {lacks}.")
    return lines


def _lacks(memory: str, ends: list[str]) -> str:
    """How many tiles of a hand are known not to fit the ends as they are now."""
    kinds = [word.split(":") for word in memory.split()]
    known = [
        (int(count), dict.fromkeys(e for e in ends if e in what.split(",")))
        for count, what in kinds
    ]
    return ", ".join(
        f"{count} {'tile does' if count == 1 else 'tiles do'} not fit {' '.join(not_there)}"
        for count, not_there in known
        if not_there
    )


def _example(legal: Sequence[str]) -> str:
    return next(action for action in legal if unlisted(action)).removeprefix("put ")


def unlisted(action: str) -> bool:
    """The menu does not list closing a double beside putting it."""
    return action.endswith("closed")


def label(game: Game, view: dict[str, Any], action: str) -> str:
    return action.removeprefix("put ").replace("face", "make a face")


def ways(game: Game, view: dict[str, Any], action: str, names: Sequence[str]) -> list[str]:
    """A tile may be typed in words, and in either order if there is only one way to put it; the end
    may be left out, called by its place, or come first."""
    verb, *rest = action.split()
    if verb not in ("start", "put", "across"):
        return []
    tile, place, *closed = [*rest, ""] if verb == "start" else rest
    ends = [place, *(_called(view, int(place[1:])) if verb == "put" else ())]
    texts = [
        text
        for one in _named(game, view, tile, place)
        for end in ends
        for text in (f"{one} {end}", f"{one} on the {end}", f"{one} at {end}", f"{end} {one}")
    ]
    texts += _named(game, view, tile, "")
    if closed:
        return [
            way for one in texts for way in (f"close {one}", f"{one} closed", f"put {one} closed")
        ]
    if verb == "across":
        return [way for one in texts for way in (f"across {one}", f"{one} across")] + [
            f"{one} across {place}" for one in _named(game, view, tile, place)
        ]
    if verb == "start":
        half = tile.partition("-")[0]
        texts += [half, _in_words(game, half), f"with {tile}", f"with {_in_words(game, half)}"]
    return [*texts, *(f"{verb} {text}" for text in texts)]


def _named(game: Game, view: dict[str, Any], tile: str, place: str) -> list[str]:
    """A tile in its order, and in the other one unless that is another legal way."""
    other = turned(tile)
    legal = [action.split()[1:] for action in view["legal"]]
    taken = any(words[:1] == [other] and place in ("", *words[1:]) for words in legal)
    tiles = [tile] if taken else [tile, other]
    return [*tiles, *(_in_words(game, one) for one in tiles)]


def _called(view: dict[str, Any], end: int) -> tuple[str, ...]:
    """Other names of an end; a phone's ends have none."""
    if view["options"]["phone"]:
        return ()
    return ENDS_OF_SAUSAGE[end] if view["options"]["sausage"] else ENDS[end]


def _in_words(game: Game, tile: str) -> str:
    """A tile in words: red rock yellow scissors."""
    words = " ".join(game.say(half) for half in tile.split("-"))
    return words.replace("+2", "take two").replace("+4", "take four")


def why(game: Game, view: dict[str, Any], verb: str, typed: str) -> str:
    """Why what was typed cannot be done."""
    if view["seat"] is None:
        return ""
    mine = view["seat"] in view["waiting"]
    if verb in ("draw", "pass", "end", "face") and not typed:
        return _why_not_without_tile(game, view, verb) if mine else "It is not your turn."
    if verb == "start" and view["ends"]:
        return "The chain has already been started."
    if verb == "across" and not view["options"]["sausage"]:
        return "Tiles go across only with the option sausage."
    closing = typed.startswith("close") or typed.endswith("closed")
    if closing and not view["options"]["phone"]:
        return "Doubles can be closed only with the option phone."
    meant = [way for way in WAY_NAMES if _typed(game, way, typed)]
    if not meant:
        return ""
    tile = known_as(max(meant, key=len), game.cards)
    if tile not in view["hands"][view["seat"]]["cards"]:
        return f"You have no {tile}."
    double = len(set(tile.split("-"))) == 1
    if mine and view["wanted"] == "double" and not double:
        return "Only a double can be put now."
    if closing and not double:
        return "Only a double can be closed."
    places = _fitting(game, view).get(tile, [])
    return (
        f"{tile} fits at {', '.join(dict.fromkeys(places))}."
        if places
        else f"{tile} fits no end now."
    )


def _why_not_without_tile(game: Game, view: dict[str, Any], verb: str) -> str:
    if verb == "face":
        return "You owe no face."
    if verb == "end":
        return "Put a tile first; you can only end a turn that could go on."
    if view["begun"]:
        return "Your turn has begun: go on, or end it."
    if _fitting(game, view):
        return "You can place a tile, so you must."
    return "The bazaar is empty: pass." if verb == "draw" else "The bazaar has tiles: draw."


def _fitting(game: Game, view: dict[str, Any]) -> dict[str, list[str]]:
    """The tiles that can be put, each with its places."""
    found: dict[str, list[str]] = {}
    for verb, *words in map(str.split, view["legal"]):
        if words:
            place = f"{verb} {words[1]}" if verb == "across" else " ".join(words[1:2])
            found.setdefault(known_as(words[0], game.cards), []).append(place)
    return found


def _typed(game: Game, tile: str, typed: str) -> bool:
    """Whether what was typed, without spaces, names a tile."""
    words = "".join(game.say(half) for half in tile.split("-"))
    names = (tile, words, _in_words(game, tile))
    return any(re.sub("[- ]", "", name) in typed for name in names)
