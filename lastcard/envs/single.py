"""One match at a time, over a batch of one: what interfaces for single matches share."""

from __future__ import annotations

import copy
import operator
import random
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lastcard.core.game import Game
from lastcard.core.match import duplicate
from lastcard.core.views import view_of
from lastcard.errors import BadOption, IllegalAction
from lastcard.kernel import NOBODY
from lastcard.kernel.texts import show
from lastcard.sim.batch import Batch, listed

ERROR, LOSE = "error", "lose"  # what an illegal action leads to
POSITION = "position"  # what environments call it among the options of `reset`
PENALTY = -1.0  # for the seat that loses that way: less than any match brings


def read_choice(what: str, value: object, choices: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in choices:
        raise BadOption(what, f"is one of {', '.join(choices)}, not {show(value)}.")
    return value


def read_reset(options: object) -> Mapping[str, Any]:
    """The options of a `reset`."""
    if options is not None and not isinstance(options, Mapping):
        raise BadOption("options", f"must be a mapping, not {show(options)}.")
    return options or {}


def begun(begun: bool, what: str) -> None:
    """Before the first `reset` there is nothing to ask for."""
    if not begun:
        raise IllegalAction(f"{what}: no match has begun; call reset.")


def read_action(action: object) -> int:
    """An action's number."""
    number = _whole(action)
    if number is None:
        raise BadOption("action", f"must be the number of an action, not {show(action)}.")
    return number


def read_seat(what: str, seat: object, players: int, otherwise: str = "") -> int:
    """A seat's number; what else could be given is added to the refusal."""
    number = _whole(seat)
    if number is None or not 0 <= number < players:
        raise BadOption(what, f"is a seat, 0 to {players - 1}{otherwise}, not {show(seat)}.")
    return number


def _whole(value: object) -> int | None:
    """In any form that libraries have for whole numbers; None if it is none."""
    try:
        return None if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def refusal(seat: int, action: int, choices: Sequence[int], names: Sequence[str]) -> IllegalAction:
    """The error that says what a seat may do instead."""
    what = f"cannot {names[action]} now" if 0 <= action < len(names) else "has no such action"
    possible = listed(choices, names)
    return IllegalAction(f"action: seat {seat} {what} ({action}). Possible: {possible}.")


class Single:
    """A match that is played decision by decision, and another one after each `reset`."""

    def __init__(
        self,
        game: str | Game,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        rewards: str = "match",
        through: bool = True,
        out_of_turn: bool = False,
    ) -> None:
        self.batch = Batch(
            *(game, 1, players, options, 0, rewards),
            through=through,
            out_of_turn=out_of_turn,
            restart=False,
            threads=1,
        )
        self.game, self.players = self.batch.game, self.batch.players
        self.actions = self.batch.actions
        self._seeds = random.Random()
        self._look()

    def _look(self) -> None:
        """The batch writes into the same memory all its life."""
        self._chosen = np.zeros(1, np.int64)
        self._seats = self.batch.seats
        self._observation, self._legal = self.batch.observations[0], self.batch.legal[0]
        self._mask = self._legal.view(np.int8)
        self._rewards = self.batch.rewards[0]

    def reset(self, seed: int | None = None, position: Mapping[str, Any] | None = None) -> None:
        """Deals a match: from the seed, or else from one that follows from the last seed given.

        With a position the match starts from there, and the seed is for what is dealt later.
        """
        key = self._seeds.getrandbits(64) if seed is None else seed
        start = None
        if position is not None:
            start = self.game.position(position, self.players, self.batch.options, key)
            if start.over:
                raise BadOption(POSITION, "is of a match that is over.")
        self.batch.reset(key)
        if start is not None:
            self.batch.put(0, start)
        if seed is not None:
            self._seeds = random.Random(int(seed))

    def copy(self) -> Single:
        """The same match once more, to be played on its own."""
        twin = copy.copy(self)
        twin.batch = self.batch.copy()
        twin._seeds = copy.copy(self._seeds)
        twin._look()
        return twin

    @property
    def seat(self) -> int:
        """Who decides; NOBODY once the match is over."""
        return int(self._seats[0])

    @property
    def over(self) -> bool:
        return bool(self._seats[0] == NOBODY)

    @property
    def mask(self) -> Any:
        """What the deciding seat may do, as a new array of ones and zeros."""
        return self._mask.copy()

    @property
    def observation(self) -> Any:
        """What the deciding seat sees, as a new array."""
        return self._observation.copy()

    def observe(self, seat: int) -> Any:
        """What any seat sees."""
        return self.batch.observe(seat)[0]

    @property
    def rewards(self) -> list[float]:
        """What the last action brought to each seat."""
        return self._rewards.tolist()

    @property
    def choices(self) -> list[int]:
        """The numbers of what the deciding seat may do."""
        return self.batch.choices[0, : self.batch.counts[0]].tolist()

    def allows(self, action: int) -> bool:
        """Whether the deciding seat may do that."""
        return 0 <= action < len(self._legal) and bool(self._legal[action])

    def refusal(self, action: int) -> IllegalAction:
        """The error that says what may be done instead."""
        if self.over:
            return IllegalAction("action: the match is over; reset starts another one.")
        return refusal(self.seat, action, self.choices, self.actions)

    def act(self, action: int) -> None:
        """Carries out an action that is allowed."""
        self._chosen[0] = action
        self.batch.step(self._chosen)

    def hidden(self, seat: int | None) -> Any:
        """The record as a seat may know it, or a spectator, as a new array of one."""
        array = duplicate(self.batch.records)
        self.game.rules.hide(array[0], NOBODY if seat is None else seat)
        return array

    def view(self, seat: int | None) -> dict[str, Any]:
        """The same in words: what `Match.view` gives."""
        return view_of(self.game, self.hidden(seat), seat)
