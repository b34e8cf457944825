"""Replays of saved matches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from lastcard.core import files
from lastcard.core.files import HUMAN
from lastcard.core.match import Events, Match
from lastcard.core.views import view_of
from lastcard.kernel.texts import number_of

from .drawing import names_of, table_of


class Replay:
    """Steps through a match file, forward and back."""

    def __init__(
        self, console: Console, file: files.MatchFile, path: Path, seat: int | None, all_open: bool
    ) -> None:
        self.console = console
        self.seat = seat
        self.all_open = all_open
        self.names = names_of(file.seats or [HUMAN] * file.players, seat)
        match = files.start(file, path)
        self.states = [match.copy()]
        self.events: list[Events] = [[]]
        for number, (who, action) in enumerate(file.moves, 1):
            self.events.append(files.step(match, who, action, number, path))
            match.moves.clear()  # or every copy would hold all moves before it
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
            opened = view_of(match.game, match.revealed(), self.seat)
            view |= {key: opened[key] for key in match.game.keys}
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
                self.console.print(f"Moves go from 0 to {last}.")
