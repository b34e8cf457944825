"""Any game in the terminal: the table, your hand, numbered actions, the log. Knows no rules."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.markdown import Markdown
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from lastcard.bots import bot
from lastcard.core import files
from lastcard.core.game import Game
from lastcard.core.match import Events, Match
from lastcard.core.views import CHANCE_NAME
from lastcard.errors import IllegalAction
from lastcard.rules.forms import Hands, Numbers, Seat, Seats, number_of

HUMAN = "human"
BOT_NAMES = ("Ada", "Boris", "Carmel", "Dov", "Esther", "Fedor", "Galit", "Hanna", "Ilya", "Judith")
HELP = "Type the number or the name of an action. Also: help, rules, log, exit."
CARD = "black on bright_white"
MIDDLE = 10  # cards of a zone in the middle, so that its line stays a line
DICE_SECONDS = 0.6
RECALLED = 6  # lines of the log that are told again when a match is resumed
CLEAR_SCROLLBACK = "\x1b[3J"


class Leave(Exception):
    """Somebody wants to stop for now."""


# --- Drawing -------------------------------------------------------------------------------------


def cards_text(game: Game, zone: dict[str, Any], most: int = 1000) -> Text:
    """The cards of a zone if they are known, otherwise how many there are."""
    if len(zone["cards"]) < zone["size"]:
        return Text(f"{zone['size']} cards" if zone["size"] != 1 else "1 card")
    text = Text()
    for name in zone["cards"][:most]:
        text.append(f" {game.say(name)} ", style=CARD)
        text.append(" ")
    more = len(zone["cards"]) - most
    return text.append(f"and {more} more") if more > 0 else text


def table_of(game: Game, view: dict[str, Any], names: Sequence[str]) -> RenderableType:
    """What a view shows: the middle in a line, then a row for every player."""
    seats = range(view["players"])
    middle = Text(f"Round {view['round']}", style="bold")
    columns: dict[str, list[Text]] = {}
    marks: list[list[str]] = [[] for _ in seats]
    for key, form in game.keys.items():
        value = view[key]
        if isinstance(form, Hands):
            title = "cards" if key == "hands" else game.say(key)
            columns[title] = [cards_text(game, zone) for zone in value]
        elif isinstance(form, Numbers):
            columns[game.say(key)] = [Text(str(number)) for number in value]
        elif isinstance(form, Seats):
            for seat in value:
                marks[seat].append(game.say(key))
        elif isinstance(form, Seat):
            if key != "turn" and value in seats:
                marks[value].append(game.say(key))
        else:
            middle.append(f"    {game.say(key)} ", style="not bold")
            zone = value if isinstance(value, dict) else one_card(value)
            middle.append(cards_text(game, zone, MIDDLE))
    table = Table("", "player", *columns, "", box=None, padding=(0, 2, 0, 0))
    for seat in seats:
        mark = ">" if view.get("turn") == seat and not view["over"] else ""
        mark = "*" if seat in view["winners"] else mark
        cells = [column[seat] for column in columns.values()]
        style = "bold" if seat == view["seat"] else ""
        table.add_row(mark, escape(names[seat]), *cells, ", ".join(marks[seat]), style=style)
    return Group(middle, table)


def one_card(name: object) -> dict[str, Any]:
    return {"size": 1, "cards": [str(name)]}


def standing_of(match: Match, names: Sequence[str]) -> Table:
    """The winners first, the others by how near they came to them."""
    table = Table("", "player", "score", title="The match is over", box=None, title_justify="left")
    best = match.scores[match.winners[0]]
    for seat in sorted(range(match.players), key=lambda seat: abs(match.scores[seat] - best)):
        won = "winner" if seat in match.winners else ""
        style = "bold" if won else ""
        table.add_row(won, escape(names[seat]), str(match.scores[seat]), style=style)
    return table


def names_of(seats: Sequence[str]) -> list[str]:
    """What to call the players: you, or the people by number, and the bots by name."""
    people = [seat for seat, kind in enumerate(seats) if kind == HUMAN]
    others = iter(BOT_NAMES)
    return [
        ("You" if len(people) == 1 else f"Player {people.index(seat) + 1}")
        if kind == HUMAN
        else next(others)
        for seat, kind in enumerate(seats)
    ]


# --- Playing -------------------------------------------------------------------------------------


class Session:
    """People and bots at one terminal. The match is saved after every move."""

    def __init__(self, console: Console, match: Match, seats: list[str], path: Path) -> None:
        self.console = console
        self.match = match
        self.seats = seats
        self.path = path
        self.names = names_of(seats)
        self.people = [seat for seat, kind in enumerate(seats) if kind == HUMAN]
        self.bots = {
            seat: bot(kind, match.game) for seat, kind in enumerate(seats) if kind != HUMAN
        }
        for one in self.bots.values():
            one.warm()
        # Everybody's log, and how much of it has been read; None is for all who are watching.
        self.told: dict[int | None, list[str]] = {seat: [] for seat in [None, *self.people]}
        self.read_so_far: dict[int | None, int] = dict.fromkeys(self.told, 0)
        self.looking = self.people[0] if len(self.people) == 1 else None

    def recall(self, file: files.MatchFile) -> None:
        """Fills the logs of a match that is resumed."""
        match = files.start(file, self.path)
        for number, (seat, action) in enumerate(file.moves, 1):
            self.note(files.step(match, seat, action, number, self.path))
        for reader, lines in self.told.items():
            self.read_so_far[reader] = max(0, len(lines) - RECALLED)

    def play(self) -> None:
        """Plays to the end, or until somebody leaves."""
        files.save(self.match, self.path, self.seats)
        game = self.match.game
        options = ", ".join(
            f"{name} {value}" for name, value in self.match.options.items() if value is not None
        )
        self.console.print(f"[bold]{game.title}[/]: {game.tagline} ({options}) [dim]{HELP}[/]")
        while not self.match.over:
            waiting = self.match.waiting
            if waiting == [CHANCE_NAME]:
                self.roll()
                continue
            seat = next((seat for seat in waiting if seat in self.bots), waiting[0])
            assert isinstance(seat, int)
            if seat in self.bots:
                self.done(self.match.play(seat, self.bots[seat].choose(self.match, seat)))
            else:
                self.ask(seat)
        self.tell(self.looking if len(self.people) == 1 else None)
        self.console.print()
        self.console.print(table_of(game, self.match.view(None), self.names))
        self.console.print()
        self.console.print(standing_of(self.match, self.names))

    def roll(self) -> None:
        if len(self.people) == 1:
            self.tell(self.looking)
        if self.console.is_terminal:
            with self.console.status("The dice tumble ..."):
                time.sleep(DICE_SECONDS)
        self.done(self.match.roll())

    def done(self, events: Events) -> None:
        """After every move: on disk first, then in everybody's log."""
        files.save(self.match, self.path, self.seats)
        self.note(events)

    def note(self, events: Events) -> None:
        for reader, lines in self.told.items():
            lines.extend(self.match.lines(events, reader, self.names))

    def tell(self, reader: int | None) -> None:
        """What has happened since this reader last looked."""
        lines = self.told[reader][self.read_so_far[reader] :]
        self.read_so_far[reader] = len(self.told[reader])
        self.read_so_far[None] = len(self.told[None])
        if lines:
            self.console.print()
        for line in lines:
            self.console.print(f"[dim]{escape(line)}[/]")

    def ask(self, seat: int) -> None:
        """Lets a person choose, until a legal action is chosen."""
        self.hand_over(seat)
        self.tell(seat)
        self.show(seat)
        while True:
            answer = self.read(f"{self.names[seat]} > ")
            if answer == "exit":
                raise Leave
            if answer in ("", "?", "help"):
                self.console.print(HELP)
            elif answer == "rules":
                self.console.print(Markdown(self.match.game.page))
            elif answer == "log":
                self.console.print(escape("\n".join(self.told[seat])) or "Nothing yet.")
            elif self.try_to(seat, answer):
                return
            else:
                continue
            self.show(seat)

    def show(self, seat: int) -> None:
        """The table as a seat sees it, and what it may do."""
        view = self.match.view(seat)
        menu = Text("\n")
        for number, name in enumerate(view["legal"], 1):
            menu.append(f"{number} ", style="bold cyan")
            menu.append(f"{self.match.game.say(name)}   ")
        self.console.print()
        self.console.print(table_of(self.match.game, view, self.names))
        self.console.print(menu)

    def try_to(self, seat: int, answer: str) -> bool:
        """Plays what a person typed, a number of the menu or a name, if that can be done."""
        game, legal = self.match.game, self.match.legal(seat)
        number = number_of(answer) or 0
        action = legal[number - 1] if 1 <= number <= len(legal) else game.unsay(answer)
        try:
            self.done(self.match.play(seat, action))
        except IllegalAction:
            possible = ", ".join(game.say(name) for name in legal)
            self.console.print(
                f"[red]You cannot do that now: {escape(answer)}.[/] You can: {possible}."
            )
            return False
        return True

    def hand_over(self, seat: int) -> None:
        """Several people at one screen: nobody sees the hand of another, not by scrolling up."""
        if seat == self.looking:
            return
        self.console.clear()
        if self.console.is_terminal:
            self.console.file.write(CLEAR_SCROLLBACK)
        self.console.print(f"{self.names[seat]}, it is your turn.")
        self.read("Press Enter when only you are looking. ")
        self.looking = seat

    def read(self, prompt: str) -> str:
        try:
            return " ".join(self.console.input(f"[bold]{escape(prompt)}[/]").split()).lower()
        except (EOFError, RuntimeError, UnicodeDecodeError):  # nothing to read from, or no text
            raise Leave from None


# --- Watching a saved match again ----------------------------------------------------------------


class Replay:
    """Steps through a match file, forward and back."""

    def __init__(
        self, console: Console, file: files.MatchFile, path: Path, seat: int | None, all_open: bool
    ) -> None:
        self.console = console
        self.seat = seat
        self.all_open = all_open
        self.names = names_of(file.seats or [HUMAN] * file.players)
        match = files.start(file, path)
        self.states = [match.copy()]
        self.events: list[Events] = [[]]
        for number, (who, action) in enumerate(file.moves, 1):
            self.events.append(files.step(match, who, action, number, path))
            match.moves.clear()  # a copy for every move, but not of all moves before it
            self.states.append(match.copy())

    def show(self, number: int) -> None:
        match = self.states[number]
        self.console.print(f"\n[bold]Move {number} of {len(self.states) - 1}[/]")
        events = self.events[number]
        for line in match.lines(events, self.seat, self.names, all_open=self.all_open):
            self.console.print(f"[dim]{escape(line)}[/]")
        self.console.print(table_of(match.game, self.view(match), self.names))

    def view(self, match: Match) -> dict[str, Any]:
        view = match.view(self.seat)
        if self.all_open:
            for key, form in match.game.keys.items():
                view[key] = form.view(match.record)
        return view

    def run(self) -> None:
        number, last = 0, len(self.states) - 1
        if not self.console.is_terminal:
            for number in range(last + 1):
                self.show(number)
            return
        while True:
            self.show(number)
            try:
                answer = self.console.input(
                    "[bold]Enter: next, b: back, a number: go there, q: leave > [/]"
                )
            except (EOFError, KeyboardInterrupt, RuntimeError, UnicodeDecodeError):
                return
            answer = answer.strip().lower()
            if answer == "q" or (answer == "" and number == last):
                return
            if answer == "":
                number += 1
            elif answer == "b":
                number = max(0, number - 1)
            elif (wish := number_of(answer)) is not None and 0 <= wish <= last:
                number = wish
            else:
                self.console.print(f"There are moves 0 to {last}.")
