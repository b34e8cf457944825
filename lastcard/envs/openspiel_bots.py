"""Our bots in OpenSpiel: as its bots, and as policies whose distance to equilibrium it computes;
and playouts for its search."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

from lastcard.bots import bot
from lastcard.bots.simple import new_rng
from lastcard.core.match import duplicate
from lastcard.errors import BadOption, IllegalAction
from lastcard.kernel import LOG_COLUMNS, NOBODY
from lastcard.kernel.texts import show
from lastcard.sim.batch import read_seed

from .openspiel import LastCardGame, LastCardState, returns_of
from .single import read_seat


def _ours(at: object) -> LastCardGame:
    if not isinstance(at, LastCardGame):
        raise BadOption("at", f"must be a game of ours in OpenSpiel, not {show(at)}.")
    return at


class Player(pyspiel.Bot):  # type: ignore[misc]
    """One of our bots in a seat. It sees the hidden record, as everywhere else."""

    def __init__(self, at: LastCardGame, name: str, seat: int, seed: int | None = None) -> None:
        super().__init__()
        at = _ours(at)
        self.seat = read_seat("seat", seat, at.players)
        self.inner = bot(name, at.rules, secrets.randbits(64) if seed is None else read_seed(seed))
        self.inner.load()

    def player_id(self) -> int:
        return self.seat

    def restart_at(self, state: LastCardState) -> None:
        """It keeps nothing from one decision to the next."""

    def step(self, state: LastCardState) -> int:
        if state.current_player() != self.seat:
            raise IllegalAction(f"step: it is not the turn of seat {self.seat}.")
        legal: list[int] = state.legal_actions(self.seat)
        wait = state.at.wait
        ours = [action for action in legal if action != wait]
        hidden = duplicate(state.now.record)
        state.at.rules.rules.hide(hidden[0], self.seat)
        chosen = self.inner.decide(hidden, self.seat, ours) if ours else NOBODY
        return wait if chosen == NOBODY else chosen


class RandomPlayouts(mcts.Evaluator):  # type: ignore[misc]
    """Worth by one random playout, like OpenSpiel's RandomRolloutEvaluator, but compiled: whole
    matches take microseconds. Nobody acts out of turn in it."""

    def __init__(self, at: LastCardGame, seed: int) -> None:
        self.players = _ours(at).players
        self.play = at.rules.bound("lastcard.sim.selfplay")
        self.rng = new_rng(read_seed(seed))
        self.legal = np.zeros(at.rules.rules.MOST_LEGAL, np.int16)
        self.log = np.zeros((0, LOG_COLUMNS), np.int32)

    def evaluate(self, state: LastCardState) -> list[float]:
        s = duplicate(state.now.record)[0]
        self.play.play_out(s, self.rng, self.legal, self.log)
        return returns_of(s, self.players)

    def prior(self, state: LastCardState) -> list[tuple[int, float]]:
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]


Table = dict[str, list[tuple[int, float]]]  # by information state


def policy_of(at: LastCardGame, name: str, seed: int = 1) -> Table:
    """What a bot would choose in every information state, for a game that is small enough."""
    players = [Player(at, name, seat, seed) for seat in range(_ours(at).players)]
    table: Table = {}
    states: list[Any] = [at.new_initial_state()]
    while states:
        state = states.pop()
        if state.is_player_node():
            key = state.information_state_string()
            if key not in table:
                chosen = players[state.current_player()].step(state)
                table[key] = [(one, float(one == chosen)) for one in state.legal_actions()]
        states += [state.child(action) for action in state.legal_actions()]
    return table
