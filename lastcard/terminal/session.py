"""People and bots at one terminal."""

from __future__ import annotations

import time
from pathlib import Path

from rich.console import Console
from rich.markdown import Markdown
from rich.markup import escape
from rich.text import Text

from lastcard.bots import bot
from lastcard.core import files
from lastcard.core.match import Events, Match
from lastcard.core.views import CHANCE_NAME
from lastcard.errors import IllegalAction
from lastcard.rules.forms import number_of

from .table import HUMAN, names_of, standing_of, table_of

HELP = "Type the number or the name of an action. Also: help, rules, log, exit."
DICE_SECONDS = 0.6
RECALLED = 6  # lines of the log that are told again when a match is resumed
CLEAR_SCROLLBACK = "\x1b[3J"


def spelt(action: str) -> str:
    """However it is typed: play red-5, play red 5, red 5 are the same."""
    return "-".join(action.split()).removeprefix("play-")


class Leave(Exception):
    """Somebody wants to stop for now."""


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
        self.round_seen = match.round

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
            self.let_others_act()
            self.pause_between_rounds()
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

    def let_others_act(self) -> None:
        """Some may act without being waited for: bots do at once, people may let it be."""
        for seat in self.match.bystanders:
            if seat in self.bots:
                self.done(self.match.play(seat, self.bots[seat].choose(self.match, seat)))
            elif self.ask(seat, waited=False):
                self.let_others_act()
                return

    def pause_between_rounds(self) -> None:
        """Time to read how a round ended, where somebody sits at the screen."""
        if self.match.round != self.round_seen and self.console.is_terminal:
            self.tell(self.looking if len(self.people) == 1 else None)
            self.read("Press Enter for the next round. ")
        self.round_seen = self.match.round

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

    def ask(self, seat: int, waited: bool = True) -> bool:
        """Lets a person choose, until a legal action is chosen; says whether one was.

        Who is not waited for may also choose nothing.
        """
        self.hand_over(seat)
        self.tell(seat)
        self.show(seat, waited)
        while True:
            answer = self.read(f"{self.names[seat]} > ")
            if answer == "exit":
                raise Leave
            if answer == "" and not waited:
                return False
            if answer in ("", "?", "help"):
                self.console.print(HELP)
            elif answer == "rules":
                self.console.print(Markdown(self.match.game.page))
            elif answer == "log":
                self.console.print(escape("\n".join(self.told[seat])) or "Nothing yet.")
            elif self.try_to(seat, answer):
                return True
            else:
                continue
            self.show(seat, waited)

    def show(self, seat: int, waited: bool) -> None:
        """The table as a seat sees it, and what it may do."""
        view = self.match.view(seat)
        menu = Text("\n")
        for number, name in enumerate(view["legal"], 1):
            menu.append(f"{number} ", style="bold cyan")
            menu.append(f"{self.match.game.say(name)}   ")
        if not waited:
            menu.append("Enter ", style="bold cyan")
            menu.append("go on without")
        self.console.print()
        self.console.print(table_of(self.match.game, view, self.names))
        self.console.print(menu)

    def try_to(self, seat: int, answer: str) -> bool:
        """Plays what a person typed, a number of the menu or a name, if that can be done."""
        game, legal = self.match.game, self.match.legal(seat)
        number = number_of(answer) or 0
        named = {spelt(name): name for action in legal for name in (action, game.say(action))}
        action = game.unsay(named.get(spelt(answer), answer))
        if 1 <= number <= len(legal):
            action = legal[number - 1]
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
