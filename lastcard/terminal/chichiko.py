"""A table of Chi-Chi-Ko: the chain with all its tiles, and what fits its ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.text import Text

from lastcard.core.game import Game
from lastcard.rules.forms import HIDDEN, NONE, known_as

from .table import CARD, FACE_DOWN, PAINT

RARE = ("missing",)
GAP = " "
CUT = "…"
WIDE = 5  # letters of most tiles
ARROWS = {"cw": "clockwise ↻", "ccw": "counter-clockwise ↺"}
SIDES = ("left", "right")
ENDS = {  # what people call an end, by how many there are
    2: ("left", "right"),
    4: ("left upper", "left lower", "right upper", "right lower"),
}
RAYS = ("┌", "├", "├", "└")  # of a phone, from its first double


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
        who = names[view["turn"]]
        lines.append(f"{who} start{'' if who == 'You' else 's'} the chain with any double.")
    return Group(*lines)


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
    """From the left end to the right one; the terminal breaks it into lines."""
    left = [turned(tile) for tile, place in placed if place == "0"][::-1]
    right = [tile for tile, place in placed if place == "1"]
    tiles = [card(game, tile) for tile in (*left, *([first] if first else []), *right)]
    return Text(GAP).join([Text("@0", style="dim"), *tiles, Text("@1", style="dim")])


def turned(tile: str) -> str:
    return "-".join(reversed(tile.split("-")))


class Phone:
    """Four lines from the first double, each on a row of its own, as far as there is room."""

    def __init__(
        self, game: Game, first: str, placed: list[tuple[str, str]], ends: list[str]
    ) -> None:
        self.first = card(game, first) if first else Text(HIDDEN * WIDE, style=FACE_DOWN)
        self.rays = []
        for end, shown in enumerate(ends):
            tiles = [card(game, tile) for tile, place in placed if place == str(end)]
            if shown == NONE:  # the double that closed it lies face down
                tiles[-1:] = [Text("closed", style=FACE_DOWN)]
            self.rays.append(tiles)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        for end, tiles in enumerate(self.rays):
            start = self.first if end == 1 else Text(" " * len(self.first))
            row = Text.assemble(start, f" {RAYS[end]} ", (f"@{end} ", "dim"))
            yield row.append_text(fitted(tiles, options.max_width - len(row)))


def fitted(tiles: list[Text], room: int) -> Text:
    """A row of tiles; of one that is too long its beginning is left out."""
    row = Text(GAP).join(tiles)
    left_out = 0
    while len(row) > room and tiles[left_out:]:
        left_out += 1
        row = Text(GAP).join([Text(f"{CUT}{left_out}{CUT}", style="dim"), *tiles[left_out:]])
    return row


class Sausage:
    """Two lines to the left and two to the right, and the tiles that lie across them."""

    def __init__(self, first: str, placed: list[tuple[str, str]]) -> None:
        half = first.partition("-")[0] if first else HIDDEN * 2
        self.middle = (half, half)
        self.columns = [self.side(side, placed) for side in range(len(SIDES))]

    def side(self, side: int, placed: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """The upper and the lower tile of each column from the middle on; halves, if across."""
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
        room = options.max_width // 2 - 8
        left, right = (self.shortened(columns, room) for columns in self.columns)
        columns = [*left[::-1], self.middle, *right]
        for line, labels in enumerate((("@0", "@2"), ("@1", "@3"))):
            cells = [self.cell(column, line) for column in columns]
            ends = [Text(label, style="dim") for label in labels]
            yield Text(GAP).join([ends[0], *cells, ends[1]])

    def shortened(self, columns: list[tuple[str, str]], room: int) -> list[tuple[str, str]]:
        """As many columns as there is room for, the outer ones."""
        kept: list[tuple[str, str]] = []
        for column in reversed(columns):
            room -= max(map(len, column)) + len(GAP)
            if room < 0:
                mark = f"{CUT}{len(columns) - len(kept)}{CUT}"
                return [(mark, mark), *kept[::-1]]
            kept.append(column)
        return kept[::-1]

    def cell(self, column: tuple[str, str], line: int) -> Text:
        width = max(map(len, column))
        halves = column[line].split("-") if column[line] else []
        text = Text("-", style="dim").join(half_text(half) for half in halves)
        text.append(" " * (width - len(text)))
        return text


# --- In words ------------------------------------------------------------------------------------


def _asks(game: Game, view: dict[str, Any]) -> list[Text]:
    """What each end takes. Where nothing goes: why."""
    if view["over"]:
        return []
    lines = []
    for end, shown in enumerate(view["ends"].split()):
        line = Text(f"@{end} ", style="dim")
        if shown == NONE:
            line.append("is closed")
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
    """What there is to know of players beside their tiles."""
    lines = []
    if view["owes_face"] != NONE:
        who = names[view["owes_face"]]
        lines.append(f"{who} owe{'' if who == 'You' else 's'} a face before putting a tile.")
    lacking = [
        f"{names[seat]} {lacks}"
        for seat, words in enumerate(view["memory"])
        if seat != view["seat"] and (lacks := _lacks(words, view["ends"].split()))
    ]
    return [*lines, f"Known not to fit: {'; '.join(lacking)}."] if lacking else lines


def _lacks(memory: str, ends: list[str]) -> str:
    """Of the ends as they are now: how many tiles of a hand fit which of them not."""
    kinds = [word.split(":") for word in memory.split()]
    known = [(count, [end for end in ends if end in what.split(",")]) for count, what in kinds]
    return ", ".join(f"{count} tiles at {' '.join(dict.fromkeys(e))}" for count, e in known if e)


def label(game: Game, view: dict[str, Any], action: str) -> str:
    return action.replace("face", "make a face")


def ways(game: Game, view: dict[str, Any], action: str, names: Sequence[str]) -> list[str]:
    """A tile may be named in either order, if only one way to put it is possible there; in words;
    the end may be left out, or called by its place."""
    verb, *rest = action.split()
    if verb not in ("start", "put", "across"):
        return []
    tile, place, *closed = [*rest, ""] if verb == "start" else rest
    tiles = [tile, *([turned(tile)] if _only_way(view, action, tile) else [])]
    tiles += [" ".join(game.say(half) for half in one.split("-")) for one in tiles]
    ends = ["", place]
    if verb == "put":
        ends.append(ENDS[len(view["ends"].split())][int(place[1:])])
    texts = [" ".join([one, end, *closed]) for one in tiles for end in ends]
    return [*texts, *(f"{verb} {text}" for text in texts)]


def _only_way(view: dict[str, Any], action: str, tile: str) -> bool:
    return action.replace(tile, turned(tile)) not in view["legal"]


def why(game: Game, view: dict[str, Any], verb: str, typed: str) -> str:
    """Why what was typed is not possible."""
    if view["seat"] is None:
        return ""
    hand = view["hands"][view["seat"]]["cards"]
    fitting = {
        known_as(words[1], game.cards) for words in map(str.split, view["legal"]) if words[1:]
    }
    if verb in ("draw", "pass"):
        if fitting:
            return "Who can put a tile must."
        return "There are tiles in the bazaar: draw." if view["bazaar"]["size"] else ""
    meant = [
        tile for tile in game.cards for way in (tile, turned(tile)) if _typed(game, way, typed)
    ]
    if not meant:
        return ""
    if meant[0] not in hand:
        return f"You have no {meant[0]}."
    if not view["ends"]:
        return "The chain starts with a double."
    return "" if meant[0] in fitting else f"{meant[0]} fits no end now."


def _typed(game: Game, tile: str, typed: str) -> bool:
    """Whether what was typed, squeezed, names a tile."""
    words = "".join(game.say(half) for half in tile.split("-")).replace("-", "")
    return any(typed.startswith(way) for way in (tile.replace("-", ""), words))
