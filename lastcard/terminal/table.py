"""A table in the terminal, drawn from a view: what lies in the middle, then the players.

A game's package may have a module `terminal` with some of the following; what it lacks is drawn key
by key.

- `middle(game, view, names)` draws what lies in the middle;
- `remarks(view, names)` are sentences about players, to stand below;
- `label(game, view, action)` is what the menu says for an action;
- `ways(game, view, action, names)` are more ways to type an action at this moment;
- `why(game, view, verb, typed)` is a sentence on why that cannot be done; the verb may be empty;
- `STYLES` and `FACES`: how cards look if they do not look like others; or `card(game, name)` draws
  one;
- `unlisted(action)` says whether the menu leaves an action out, which can be typed all the same;
- `COUNTED`: keys of which only the number of cards is shown;
- `RARE`: keys with numbers that are shown only if any is not 0, and not at the end;
- `SPELLINGS`: other words that people type for names;
- `LEGEND`: what `help` says besides.
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
PAINT = {  # of games with colours
    "r": "#ffffff on #b3261e",
    "y": "#000000 on #f2c230",
    "g": "#ffffff on #2e7d32",
    "b": "#ffffff on #1f5fbf",
    "p": "#ffffff on #6a1b9a",
}
FACE_DOWN = "white on grey30"
HAND = 12  # letters: three cards, so that a small hand stays in a line
MIDDLE = 10  # cards of a zone in the middle, so that its line stays a line


def own_drawing(game: Game) -> Any:
    """The game's own module for the terminal, or None."""
    return game.part("terminal")


def card_text(game: Game, name: str) -> Text:
    drawing = own_drawing(game)
    if hasattr(drawing, "card"):
        text: Text = drawing.card(game, name)
        return text
    face = getattr(drawing, "FACES", {}).get(name) or game.say(name)
    return Text(f" {face} ", style=getattr(drawing, "STYLES", {}).get(name, CARD))


def cards_text(game: Game, zone: dict[str, Any], most: int = 1000) -> Text:
    """The cards of a zone that are known, and how many others there are."""
    unknown = zone["size"] - len(zone["cards"])
    text = Text()
    if unknown:
        text.append(game.say(f"{unknown} cards" if unknown != 1 else "1 card"))
        text.append(" and " if zone["cards"] else "")
    text.append_text(Text(" ").join(card_text(game, name) for name in zone["cards"][:most]))
    more = len(zone["cards"]) - most
    return text.append(f" and {more} more") if more > 0 else text


def stack_text(game: Game, zone: dict[str, Any]) -> Text:
    """Nobody but the reader of a match that is over sees its cards."""
    return cards_text(game, zone) if zone["cards"] else Text(str(zone["size"]))


def slots_text(game: Game, names: Sequence[str]) -> Text:
    """Places for cards: those that lie face up, those that lie face down, and empty ones."""
    others = {HIDDEN: Text(" ? ", style=FACE_DOWN), NONE: Text(" · ")}
    return Text(" ").join(others.get(name) or card_text(game, name) for name in names)


def table_of(game: Game, view: dict[str, Any], names: Sequence[str]) -> RenderableType:
    """What a view shows: the middle, then a row for every player."""
    seats = range(view["players"])
    drawing = own_drawing(game)
    counted, rare = getattr(drawing, "COUNTED", ()), getattr(drawing, "RARE", ())
    table = Table("", "player", box=None, padding=(0, 1, 0, 0))
    columns: list[list[Text]] = []
    marks: list[list[str]] = [[] for _ in seats]
    for key, form in game.keys.items():
        value = view[key]
        title = game.say("cards" if key == "hands" else key)
        if key in counted:
            column = [Text(str(zone["size"])) for zone in value]
        elif isinstance(form, Stacks):
            column = [stack_text(game, zone) for zone in value]
        elif isinstance(form, Hands):
            column = [cards_text(game, zone) for zone in value]
        elif isinstance(form, Slots):
            column = [slots_text(game, zone["cards"]) for zone in value]
        elif isinstance(form, OnePerSeat):
            column = [slots_text(game, [name]) for name in value]
        elif key in rare and (view["over"] or not any(value)):
            continue
        elif isinstance(form, Numbers):
            column = [Text(str(number)) for number in value]
        else:
            if isinstance(form, Seats | Seat) and key != "turn":
                for seat in value if isinstance(value, list) else [value]:
                    if seat in seats:
                        marks[seat].append(game.say(key))
            continue
        columns.append(column)
        narrowest = HAND if isinstance(form, Hands) and key not in counted else None
        table.add_column(title, no_wrap=isinstance(form, Slots), min_width=narrowest)
    table.add_column("")
    below: list[str] = []
    if hasattr(drawing, "remarks"):
        marks = [[] for _ in seats]
        below = [] if view["over"] else drawing.remarks(view, names)
    for seat in seats:
        mark = ">" if seat in view["waiting"] and not view["over"] else ""
        mark = "*" if seat in view["winners"] else mark
        remarks = "" if view["over"] else ", ".join(marks[seat])
        cells = [column[seat] for column in columns]
        style = "bold" if seat == view["seat"] else ""
        table.add_row(mark, escape(names[seat]), *cells, remarks, style=style)
    middle = drawing.middle(game, view, names) if drawing else middle_of(game, view)
    return Group(middle, table, *(Text(line, style="dim") for line in below))


_OF_PLAYERS = (Hands, Stacks, Slots, OnePerSeat, Numbers, Seats, Seat, Outside)


def middle_of(game: Game, view: dict[str, Any]) -> Text:
    """Everything that belongs to no player and does not follow from the rest, in a line."""
    middle = Text(f"Round {view['round']}", style="bold")
    for key, form in game.keys.items():
        if not isinstance(form, _OF_PLAYERS) and not form.derived:
            middle.append(f"    {game.say(key)} ", style="not bold")
            value = view[key]
            zone = value if isinstance(value, dict) else {"size": 1, "cards": [str(value)]}
            middle.append_text(cards_text(game, zone, MIDDLE))
    return middle


def standing_of(match: Match, names: Sequence[str]) -> Table:
    """The winners first, the others by how near they came to them."""
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
