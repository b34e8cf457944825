"""Draws a table in the terminal from a view: the middle, then the players.

A game's package may have a module `terminal` with any of these; whatever it lacks is drawn key by
key.

- `middle(game, view, names)`: draws the middle of the table.
- `remarks(view, names)`: sentences about players, shown below the table.
- `label(game, view, action)`: an action's text in the menu.
- `ways(game, view, action, names)`: more ways to type an action at this moment.
- `why(game, view, verb, typed)`: a sentence on why something cannot be done; `verb` may be empty.
- `card(game, name)`: draws a card. Or `STYLES` and `FACES`: the style and text of cards that differ
  from the usual.
- `unlisted(action)`: whether to leave an action out of the menu; it can still be typed.
- `COUNTED`: keys of which only the number of cards is shown.
- `RARE`: keys with numbers that are hidden while all are 0, and at the end of the match.
- `SPELLINGS`: other words that people type for names.
- `LEGEND`: what `help` adds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from lastcard.core.files import HUMAN
from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.kernel.forms import Hands, Numbers, OnePerSeat, Outside, Seat, Seats, Slots, Stacks
from lastcard.kernel.texts import HIDDEN, NONE

BOT_NAMES = ("Ada", "Boris", "Carmel", "Dov", "Esther", "Fedor", "Galit", "Hanna", "Ilya", "Judith")
CARD = "black on bright_white"
PAINT = {  # for games with colours
    "r": "#ffffff on #b3261e",
    "y": "#000000 on #f2c230",
    "g": "#ffffff on #2e7d32",
    "b": "#ffffff on #1f5fbf",
    "p": "#ffffff on #6a1b9a",
}
FACE_DOWN = "white on grey30"
HAND = 12  # columns: three cards, so that a small hand fits on a line
MIDDLE = 10  # cards shown of a zone in the middle, so that it fits on a line


def own_drawing(game: Game) -> Any:
    """The game's module `terminal`, if it has one."""
    return game.part("terminal")


def card_text(game: Game, name: str) -> Text:
    drawing = own_drawing(game)
    if hasattr(drawing, "card"):
        text: Text = drawing.card(game, name)
        return text
    face = getattr(drawing, "FACES", {}).get(name) or game.say(name)
    return Text(f" {face} ", style=getattr(drawing, "STYLES", {}).get(name, CARD))


def cards_text(game: Game, zone: dict[str, Any], most: int = 1000) -> Text:
    """The known cards of a zone, and the number of unknown ones."""
    unknown = zone["size"] - len(zone["cards"])
    text = Text()
    if unknown:
        text.append(game.say(f"{unknown} cards" if unknown != 1 else "1 card"))
        text.append(" and " if zone["cards"] else "")
    text.append_text(Text(" ").join(card_text(game, name) for name in zone["cards"][:most]))
    more = len(zone["cards"]) - most
    return text.append(f" and {more} more") if more > 0 else text


def stack_text(game: Game, zone: dict[str, Any]) -> Text:
    """How many cards, as they are face down; the cards themselves once the match is over."""
    return cards_text(game, zone) if zone["cards"] else Text(str(zone["size"]))


def slots_text(game: Game, names: Sequence[str]) -> Text:
    """Places for cards: face up, face down or empty."""
    others = {HIDDEN: Text(" ? ", style=FACE_DOWN), NONE: Text(" · ")}
    return Text(" ").join(others.get(name) or card_text(game, name) for name in names)


def table_of(game: Game, view: dict[str, Any], names: Sequence[str]) -> RenderableType:
    """What a view shows: the middle, then a row for every player."""
    drawing = own_drawing(game)
    table = Table("", "player", box=None, padding=(0, 1, 0, 0))
    columns: list[list[Text]] = []
    for key, form in game.keys.items():
        column = column_of(game, key, view)
        if column is None:
            continue
        columns.append(column)
        counted = key in getattr(drawing, "COUNTED", ())
        table.add_column(
            game.say("cards" if key == "hands" else key),
            no_wrap=isinstance(form, Slots),
            min_width=HAND if isinstance(form, Hands) and not counted else None,
        )
    table.add_column("")
    below: list[str] = []
    marks = [""] * view["players"]
    if not view["over"] and hasattr(drawing, "remarks"):
        below = drawing.remarks(view, names)
    elif not view["over"]:
        marks = marks_of(game, view)
    for seat in range(view["players"]):
        pointer = ">" if seat in view["waiting"] and not view["over"] else ""
        pointer = "*" if seat in view["winners"] else pointer
        cells = [column[seat] for column in columns]
        style = "bold" if seat == view["seat"] else ""
        table.add_row(pointer, escape(names[seat]), *cells, marks[seat], style=style)
    middle = drawing.middle(game, view, names) if drawing else middle_of(game, view)
    return Group(middle, table, *(Text(line, style="dim") for line in below))


def column_of(game: Game, key: str, view: dict[str, Any]) -> list[Text] | None:
    """A cell for every player, if the key is something that each player has."""
    drawing, form, value = own_drawing(game), game.keys[key], view[key]
    if key in getattr(drawing, "COUNTED", ()):
        return [Text(str(zone["size"])) for zone in value]
    if isinstance(form, Stacks):
        return [stack_text(game, zone) for zone in value]
    if isinstance(form, Hands):
        return [cards_text(game, zone) for zone in value]
    if isinstance(form, Slots):
        return [slots_text(game, zone["cards"]) for zone in value]
    if isinstance(form, OnePerSeat):
        return [slots_text(game, [name]) for name in value]
    if key in getattr(drawing, "RARE", ()) and (view["over"] or not any(value)):
        return None
    return [Text(str(number)) for number in value] if isinstance(form, Numbers) else None


def marks_of(game: Game, view: dict[str, Any]) -> list[str]:
    """For every player the keys that name their seat, such as `quit`."""
    marks: list[list[str]] = [[] for _ in range(view["players"])]
    for key, form in game.keys.items():
        if key == "turn" or not isinstance(form, Seats | Seat):
            continue
        seats = view[key] if isinstance(view[key], list) else [view[key]]
        for seat in seats:
            if seat in range(view["players"]):
                marks[seat].append(game.say(key))
    return [", ".join(words) for words in marks]


_OF_PLAYERS = (Hands, Stacks, Slots, OnePerSeat, Numbers, Seats, Seat, Outside)


def middle_of(game: Game, view: dict[str, Any]) -> Text:
    """Whatever belongs to no player and does not follow from other keys, in a line."""
    middle = Text(f"Round {view['round']}", style="bold")
    for key, form in game.keys.items():
        if not isinstance(form, _OF_PLAYERS) and not form.derived:
            middle.append(f"    {game.say(key)} ", style="not bold")
            value = view[key]
            zone = value if isinstance(value, dict) else {"size": 1, "cards": [str(value)]}
            middle.append_text(cards_text(game, zone, MIDDLE))
    return middle


def standing_of(match: Match, names: Sequence[str]) -> Table:
    """The winners first, then the others by how close they came."""
    table = Table("", "player", "score", title="The match is over", box=None, title_justify="left")
    best = match.scores[match.winners[0]]
    for seat in sorted(range(match.players), key=lambda seat: abs(match.scores[seat] - best)):
        won = "winner" if seat in match.winners else ""
        style = "bold" if won else ""
        table.add_row(won, escape(names[seat]), str(match.scores[seat]), style=style)
    return table


def names_of(seats: Sequence[str], you: int | None) -> list[str]:
    """What to call the players: you, the other people by number, the bots by name."""
    people = [seat for seat, kind in enumerate(seats) if kind == HUMAN]
    bots = iter(BOT_NAMES)
    names = []
    for seat, kind in enumerate(seats):
        name = f"Player {people.index(seat) + 1}" if kind == HUMAN else next(bots)
        names.append("You" if seat == you else name)
    return names
