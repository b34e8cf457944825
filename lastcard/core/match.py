"""A match: one record, the moves that led to it, and what can be done next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from lastcard.errors import IllegalAction
from lastcard.kernel import CHANCE, NOBODY, Record
from lastcard.kernel.texts import CHANCE_NAME, show

from .events import events_for, lines_for, rows_of
from .game import Game
from .positions import write_position
from .views import legal_of, seats_of, seats_or_chance, view_of

Seat: TypeAlias = int | str  # a seat, or "chance"
Events: TypeAlias = list[list[int]]  # what `play` returns; `tell` and `lines` make it readable


class Match:
    """Made by `Game.match` and `Game.position`."""

    __slots__ = ("_array", "_s", "game", "moves", "players", "raw", "start")

    def __init__(
        self,
        game: Game,
        array: Any,
        moves: Sequence[tuple[Seat, str]] = (),
        start: Mapping[str, Any] | None = None,
    ) -> None:
        self.game = game
        self.moves: list[tuple[Seat, str]] = list(moves)
        self.start = start  # the starting position; None for a fresh deal
        self._array = array
        self._s: Record = array[0]
        self.raw = memoryview(array.view(np.uint8))  # the record's bytes
        self.players = int(self._s.players)

    def __repr__(self) -> str:
        return f"<Match {self.game.id}, {self.players} players, {len(self.moves)} moves>"

    # --- Asking ----------------------------------------------------------------------------------

    @property
    def options(self) -> dict[str, Any]:
        return self.game.write_options(self._s)

    @property
    def waiting(self) -> list[Seat]:
        """The seats that the match waits for, or ["chance"]; empty once it is over."""
        return seats_or_chance(self.waited)

    @property
    def waited(self) -> int:
        """The same as bits."""
        return self.game.desks.mine.waiting(self.raw)

    @property
    def bystanders(self) -> list[int]:
        """The seats that may act now although nobody waits for them."""
        may_be = seats_of(int(self.game.rules.bystanders(self._s)))
        return [seat for seat in may_be if legal_of(self.game, self._s, seat)]

    @property
    def over(self) -> bool:
        return bool(self._s.over)

    @property
    def round(self) -> int:
        return int(self._s.round_number)

    @property
    def scores(self) -> list[int]:
        return self._s.scores[: self.players].tolist()

    @property
    def winners(self) -> list[int]:
        """All winners; empty before the end."""
        return seats_of(int(self._s.winners))

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """What a seat may see, JSON-able; None is a spectator."""
        return view_of(self.game, self.hidden(seat), None if seat is None else int(seat))

    def legal_ids(self, seat: Seat) -> list[int]:
        return self.game.desks.mine.legal_for(self.raw, self._seat(seat))

    def legal(self, seat: Seat) -> list[str]:
        """The names of a seat's legal actions. Bystanders have some, too."""
        return [self.game.actions[action] for action in self.legal_ids(seat)]

    # --- Playing ---------------------------------------------------------------------------------

    def play(self, seat: Seat, action: str | int) -> Events:
        """Carries out an action, given by name or number, and returns what happened."""
        known = self.check(seat, action)
        self.moves.append((seat_name(known[0]), self.game.actions[known[1]]))
        return rows_of(self.carry_out(*known))

    def carry_out(self, seat: int, action: int) -> Any:
        """The same for numbers that `check` has returned, without noting the move; the events as
        the engine logs them."""
        return self.game.desks.mine.carry_out(self.raw, seat, action)

    def check(self, seat: Seat, action: str | int) -> tuple[int, int]:
        """The numbers of a seat and an action that is legal for it; IllegalAction otherwise."""
        number = self._seat(seat)
        chosen = self._action(action)
        legal = self.game.desks.mine.legal_for(self.raw, number)
        if chosen not in legal:
            raise IllegalAction(self._why_not(number, chosen, legal))
        return number, chosen

    def roll(self) -> Events:
        """Plays for chance: draws one of its equally likely outcomes from the key."""
        return self.play(CHANCE_NAME, self.tossed())

    def tossed(self) -> int:
        """The outcome that chance draws now."""
        outcomes = self.legal_ids(CHANCE_NAME)
        if not outcomes:
            raise IllegalAction("There is nothing to roll now.")
        return outcomes[int(self.game.rules.toss(self._s, len(outcomes)))]

    def tell(
        self, events: Events, seat: int | None, *, all_open: bool = False
    ) -> list[dict[str, Any]]:
        """Events as mappings, with what the seat may not see redacted."""
        return events_for(self.game, events, seat, all_open=all_open)

    def lines(
        self,
        events: Events,
        seat: int | None,
        names: Sequence[str] | None = None,
        *,
        all_open: bool = False,
    ) -> list[str]:
        """Events as sentences, with what the seat may not see redacted."""
        return lines_for(self.game, events, seat, names, all_open=all_open)

    # --- The whole state -------------------------------------------------------------------------

    @property
    def seed(self) -> bytes:
        """The 32-byte key. With options and moves it determines the whole match."""
        return self._s.key.astype("<u4").tobytes()

    @property
    def state(self) -> bytes:
        """The record's bytes; equal matches have equal bytes."""
        return self._array.tobytes()

    @property
    def record(self) -> Record:
        """The whole state, secrets included. Do not change it."""
        return self._s

    def position(self) -> dict[str, Any]:
        """The state as a position, with every key."""
        return write_position(self.game, self._s)

    def copy(self) -> Match:
        return Match(self.game, duplicate(self._array), self.moves, self.start)

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Match:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return Match, (self.game, self._array, self.moves, self.start)

    def hidden(self, seat: int | None) -> Any:
        """A copy of the record, as an array of one, with what the seat may not know hidden."""
        array = duplicate(self._array)
        self.game.rules.hide(array[0], self._observer(seat))
        return array

    def revealed(self) -> Any:
        """The same with nothing hidden, for matches that are over."""
        return duplicate(self._array)

    # --- Checking arguments ----------------------------------------------------------------------

    def _seat(self, seat: object) -> int:
        if type(seat) is int and 0 <= seat < self.players:  # the rest is for what is rare
            return seat
        if seat == CHANCE_NAME:
            return CHANCE
        if isinstance(seat, int | np.integer) and not isinstance(seat, bool):
            if 0 <= seat < self.players:
                return int(seat)
        raise IllegalAction(f"There is no seat {show(seat)}: seats are 0 to {self.players - 1}.")

    def _observer(self, seat: int | None) -> int:
        number = NOBODY if seat is None else self._seat(seat)
        if number == CHANCE:
            raise IllegalAction("The dice have no view of their own.")
        return number

    def _action(self, action: object) -> int:
        if isinstance(action, str):
            try:
                return self.game.parse_action(action)
            except ValueError as error:
                raise IllegalAction(str(error)) from None
        if isinstance(action, int | np.integer) and not isinstance(action, bool):
            if 0 <= action < len(self.game.actions):
                return int(action)
        raise IllegalAction(f"There is no action {show(action)} in {self.game.title}.")

    def _why_not(self, seat: int, action: int, legal: list[int]) -> str:
        if self.over:
            return "The match is over."
        cannot = (
            f"{seat_words(seat_name(seat)).capitalize()} cannot {self.game.actions[action]} now"
        )
        if not legal:
            awaited = " and ".join(seat_words(other) for other in self.waiting)
            return f"{cannot}: the match waits for {awaited}."
        possible = [self.game.actions[other] for other in legal]
        if len(possible) > 12:
            possible = [*possible[:12], "..."]
        return f"{cannot}. Possible: {', '.join(possible)}."


def duplicate(array: Any) -> Any:
    """A copy of an array of records. Faster than NumPy's own, which copies field by field."""
    return np.frombuffer(bytearray(array.tobytes()), array.dtype)


def seat_name(number: int) -> Seat:
    return CHANCE_NAME if number == CHANCE else number


def seat_words(seat: Seat) -> str:
    return "the dice" if seat == CHANCE_NAME else f"seat {seat}"
