"""What every bot is: something that decides, given the hidden record of its seat and no more."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.core.views import legal_of
from lastcard.errors import IllegalAction
from lastcard.kernel import NOBODY


class Bot(ABC):
    """A player of one game."""

    thinks = False  # whether it takes time to decide

    def __init__(self, game: Game) -> None:
        self.game = game

    def choose(self, match: Match, seat: int) -> int:
        """One of the seat's legal actions, by number."""
        action = self._decide(match, seat)
        if action == NOBODY:
            raise IllegalAction(f"Seat {seat} is not waited for, and does nothing.")
        return action

    def interject(self, match: Match, seat: int) -> int | None:
        """The same for a seat that is not waited for; None to do nothing."""
        action = self._decide(match, seat)
        return None if action == NOBODY else action

    def _decide(self, match: Match, seat: int) -> int:
        hidden = self.sight(match, seat)
        legal = legal_of(match.game, hidden[0], seat)
        if not legal:
            raise IllegalAction(f"Seat {seat} has nothing to choose now.")
        return self.decide(hidden, seat, legal)

    def sight(self, match: Match, seat: int) -> Any:
        """What it may see, as an array of one record that it may change."""
        return match.hidden(seat)

    @abstractmethod
    def decide(self, hidden: Any, seat: int, legal: list[int]) -> int:
        """One of the legal actions; or NOBODY, to do nothing, if the seat is not waited for.

        The arguments are all that a bot gets to know.
        """

    def warm(self) -> None:
        """Compiles or loads what it needs for a quick first move."""
        self.game.warm("waiting", "legal", "hide")

    def load(self) -> None:
        """The same, and waits for what is compiled in the background."""
        self.warm()
