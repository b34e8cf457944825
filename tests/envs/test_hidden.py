"""Nothing that an agent is given changes when the cards that it cannot see are dealt otherwise."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyspiel
import pytest

from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.envs.drawing import MODES
from lastcard.envs.gymnasium import SeatEnv, SeatVectorEnv, SelfPlayEnv
from lastcard.envs.openspiel import LastCardState
from lastcard.envs.openspiel_past import Dealt, Moved, Past
from lastcard.envs.pettingzoo import AtOnceEnv, TurnsEnv
from lastcard.envs.pufferlib import SeatsEnv
from lastcard.envs.rlcard import RLCardEnv
from lastcard.kernel import NOBODY
from lastcard.kernel.events import LOG_VALUES
from tests.envs.test_openspiel import SHORT, course
from tests.helpers import moments, permuted, times


def told(value: Any) -> Any:
    """Anything that environments return, so that it can be compared."""
    if isinstance(value, dict):
        return {key: told(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [told(one) for one in value]
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    return value


def deals(game: Game, seed: int) -> Iterator[tuple[Match, Match, int, random.Random]]:
    """Moments of matches, once more with other hidden cards, and the seat that is asked first."""
    for match, rng in moments(game, times(12, 2), seed):
        waiting = [seat for seat in match.waiting if isinstance(seat, int)]
        if waiting:
            yield match, permuted(match, waiting[0], rng), waiting[0], rng


def start(match: Match) -> dict[str, Any]:
    return {"position": match.position()}


def settings(match: Match) -> dict[str, Any]:
    return {"players": match.players, "options": match.options}


def of_turns(env: TurnsEnv, match: Match, agent: str) -> Any:
    env.reset(seed=1, options=start(match))
    return told([env.agent_selection, env.last(), env.infos, env.observe(agent)])


def of_at_once(env: AtOnceEnv, match: Match, agent: str) -> Any:
    seen, infos = env.reset(seed=1, options=start(match))
    return told([seen[agent], infos[agent], env.observe(agent)])


def test_pettingzoo(any_game: Game) -> None:
    differ = 0
    for match, other, seat, rng in deals(any_game, 31):
        env = TurnsEnv(any_game, through=False, **settings(match))
        agent = f"seat_{seat}"
        first = of_turns(env, match, agent)
        whole = env.state()
        assert first == of_turns(env, other, agent)
        differ += not np.array_equal(env.state(), whole)  # it holds what others know
        at_once = AtOnceEnv(any_game, through=False, **settings(match))
        for viewer in range(match.players):
            agent, dealt = f"seat_{viewer}", permuted(match, viewer, rng)
            assert of_at_once(at_once, match, agent) == of_at_once(at_once, dealt, agent)
    assert differ or times(12, 2) == 2


@pytest.mark.parametrize("mode", [mode for mode in MODES if mode != "human"])
def test_drawings(any_game: Game, mode: str) -> None:
    often = 3 if mode == "rgb_array" else 6  # pixels take long
    for match, rng in moments(any_game, times(often, 1), seed=32):
        if match.over:
            continue
        for viewer in (None, rng.randrange(match.players)):
            env = TurnsEnv(
                any_game, through=False, render_mode=mode, observer=viewer, **settings(match)
            )
            pictures = []
            for one in (match, permuted(match, viewer, rng)):
                env.reset(seed=1, options=start(one))
                pictures.append(told(env.render()))
            assert pictures[0] == pictures[1]


def test_gymnasium(any_game: Game) -> None:
    for match, other, seat, _ in deals(any_game, 33):
        env = SeatEnv(any_game, seat=seat, through=False, render_mode="ansi", **settings(match))
        first = told([env.reset(seed=1, options=start(match)), env.render()])
        assert first == told([env.reset(seed=1, options=start(other)), env.render()])


def test_gymnasium_with_many_matches(any_game: Game) -> None:
    for match, other, seat, _ in deals(any_game, 34):
        every = SelfPlayEnv(any_game, 2, through=False, **settings(match))
        one = SeatVectorEnv(any_game, 2, through=False, seat=seat, **settings(match))
        for env in (every, one):
            env.reset(seed=1)
            env.batch.put(0, match)
            env.batch.put(1, other)
            seen = env._seen()
            infos = env._told({"seats": env.batch.seats}, seen["action_mask"])
            for array in [*seen.values(), *infos.values(), env.batch.observe(seat)]:
                assert np.array_equal(array[0], array[1])


def test_pufferlib(any_game: Game) -> None:
    for match, other, _, _ in deals(any_game, 35):
        env = SeatsEnv(any_game, 2, through=False, **settings(match))
        env.reset(seed=1)
        env.observations[:] = 0
        env.batch.put(0, match)
        env.batch.put(1, other)
        env._show()
        for array in (env.observations, env.masks):
            one, again = np.split(array, 2)
            assert np.array_equal(one, again)


def test_rlcard(any_game: Game) -> None:
    for match, _, _, rng in deals(any_game, 36):
        env = RLCardEnv(any_game, through=False, **settings(match))
        env.reset()
        for viewer in range(match.players):
            states = []
            for one in (match, permuted(match, viewer, rng)):
                env.match.reset(1, one.position())
                states.append(told(env.get_state(viewer)))
            assert states[0] == states[1]


# --- OpenSpiel: the past has secrets, too --------------------------------------------------------


def other_log(game: Game, log: Any, seat: int, rng: random.Random) -> Any:
    """The same events, but with other values where this seat sees none."""
    log = log.copy()
    for row in log[1 : 1 + log[0, 0]]:
        kind, _, eyes = row[:LOG_VALUES].tolist()
        event = game.events[kind]
        if event.secret and (seat == NOBODY or not eyes >> seat & 1):
            for place, name in enumerate(event.values):
                if name in event.secret:
                    row[LOG_VALUES + place] = rng.randrange(len(game.cards))
    return log


def other_past(game: Game, past: Past, seat: int, rng: random.Random) -> Past | None:
    """The same past with other hidden cards in its deals, other secrets in its events, and other
    actions of others: what all may know of these is in events."""
    made: Past | None = None
    for step in reversed([*past.whole()]):
        if isinstance(step, Dealt):
            viewer = None if seat == NOBODY else seat
            dealt = permuted(Match(game, step.record), viewer, rng)
            made = Dealt(made, np.frombuffer(bytearray(dealt.raw), game.rules.RECORD))
            continue
        assert isinstance(step, Moved) and made is not None
        action = step.action if step.seat == seat else rng.randrange(len(game.actions))
        made = Moved(made, step.seat, action, other_log(game, step.log, seat, rng))
    return made


def otherwise(state: Any, seat: int, rng: random.Random) -> Any:
    """A state that differs in everything that this seat, or a spectator, has not seen."""
    game, now, other = state.at.rules, state.now, LastCardState(state.at)
    match = permuted(Match(game, now.record), None if seat == NOBODY else seat, rng)
    other.now.begin(np.frombuffer(bytearray(match.raw), game.rules.RECORD))
    other.now.turn, other.now.aside = now.turn, now.aside
    other.now.past = other_past(game, now.past, seat, rng)
    return other


KINDS = [
    pyspiel.IIGObservationType(public, recalls, private)
    for public in (False, True)
    for recalls in (False, True)
    for private in (pyspiel.PrivateInfoType.NONE, pyspiel.PrivateInfoType.SINGLE_PLAYER)
]


def observed(state: Any, player: int, private: bool) -> list[Any]:
    """What every observer says of a state that tells a player's own secrets, or nobody's."""
    seen: list[Any] = []
    for kind in KINDS:
        if private == (kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER):
            observer = state.at.make_py_observer(kind)
            observer.set_from(state, player)
            seen += [told(observer.tensor), told(observer.dict)]
            seen.append(observer.string_from(state, player))
    return seen


def in_openspiel(state: Any, player: int) -> list[Any]:
    return [
        state.observation_string(player),
        state.observation_tensor(player),
        state.information_state_string(player),
        state.information_state_tensor(player),
        *observed(state, player, private=True),
    ]


@pytest.mark.parametrize("name", SHORT[:7])
def test_openspiel(name: str) -> None:
    rng = random.Random(37)
    states = [state.clone() for state in course(name, 37)]
    for state in rng.sample(states, 3):
        whole = state.information_state_string
        for seat in range(state.num_players()):
            other = otherwise(state, seat, rng)
            assert in_openspiel(state, seat) == in_openspiel(other, seat)
            assert state.legal_actions(seat) == other.legal_actions(seat)
            assert any(
                whole(one) != other.information_state_string(one)
                for one in range(state.num_players())
            )
        dealt = otherwise(state, NOBODY, rng)
        for seat in range(state.num_players()):
            assert observed(state, seat, private=False) == observed(dealt, seat, private=False)
            assert in_openspiel(state, seat) != in_openspiel(dealt, seat)
