"""PettingZoo's own checks, and what they do not check."""

from __future__ import annotations

import random
import warnings
from functools import partial
from typing import Any

import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import data_equivalence

from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.core.positions import write_position
from lastcard.core.registry import game
from lastcard.envs import pettingzoo as ours
from lastcard.envs.pettingzoo import AtOnceEnv, TurnsEnv, environments
from lastcard.errors import BadOption, IllegalAction, LastCardError
from lastcard.kernel.forms import Stack, Stacks
from lastcard.sim.batch import WAIT
from tests.games.plans import plan_of
from tests.helpers import moments, times

with warnings.catch_warnings():  # importing them makes an environment in a way that is deprecated
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import (
        api_test,
        parallel_api_test,
        parallel_seed_test,
        render_test,
        seed_test,
        state_test,
    )

# What they say of every environment with masks, their own included; and nobody has anything to do
# once a match is over.
with_masks = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:Action mask numpy array is all zeros",
)


# With these, seats may act although it is not their turn.
CALLS: dict[str, dict[str, Any]] = {"taki": {"announce": "call"}, "chichiko": {"out_of_turn": True}}


def chosen(rng: random.Random, mask: Any) -> int:
    return rng.choice(np.flatnonzero(mask).tolist())


def play_out(env: TurnsEnv, rng: random.Random) -> dict[str, float]:
    """Random play to the end; what each agent has been told that it got."""
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, ended, _, info = env.last()
        totals[agent] += reward
        if not ended:
            assert np.array_equal(observation["action_mask"], info["action_mask"])
        env.step(None if ended else chosen(rng, observation["action_mask"]))
    return totals


@with_masks
def test_it_passes_their_checks(any_game: Game) -> None:
    here = environments(any_game)
    api_test(here.env(), num_cycles=times(60, 3))
    seed_test(here.env, num_cycles=times(30, 2))
    parallel_api_test(here.parallel_env(), num_cycles=times(100, 4))
    # These draw actions without looking at masks.
    parallel_seed_test(lambda: here.parallel_env(illegal="lose"), num_cycles=10)
    state_test(here.env(illegal="lose"), here.parallel_env())


@with_masks
def test_it_passes_them_with_the_most_players_and_out_of_turn(any_game: Game) -> None:
    here = environments(any_game)
    crowd: dict[str, Any] = {"players": any_game.most}
    parallel_api_test(here.parallel_env(**crowd), num_cycles=times(30, 2))
    crowd |= {"options": CALLS.get(any_game.id), "out_of_turn": True}
    env = here.env(**crowd)
    api_test(env, num_cycles=times(30, 2))
    assert env.actions[-1] == WAIT
    seed_test(lambda: here.env(**crowd), num_cycles=times(30, 2))


@with_masks
def test_it_is_drawn_in_every_mode(any_game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    drawn = {"svg": lambda text: text.startswith("<svg") and text.endswith("</svg>\n")}
    render_test(environments(any_game).env, drawn)
    assert "Seat 0" in capsys.readouterr().out


def test_a_match_is_the_one_of_its_seed(any_game: Game) -> None:
    rng = random.Random(1)
    players = any_game.most
    for rewards in ("match", "score"):
        env = environments(any_game).env(players=players, through=False, rewards=rewards)
        env.reset(seed=7)
        match = any_game.match(players, 7, env.match.batch.options)
        totals = dict.fromkeys(env.agents, 0.0)
        for agent in env.agent_iter(times(10_000, 30)):
            observation, reward, ended, _, _ = env.last()
            totals[agent] += reward
            if ended:
                env.step(None)
                continue
            while match.waiting == ["chance"]:
                match.roll()
            seat = min(seat for seat in match.waiting if isinstance(seat, int))
            assert agent == f"seat_{seat}"
            assert np.flatnonzero(observation["action_mask"]).tolist() == match.legal_ids(seat)
            action = chosen(rng, observation["action_mask"])
            match.play(seat, action)
            env.step(action)
        if not match.over:
            return  # rules in plain Python are slow
        if rewards == "match":
            share = 1 / len(match.winners)
            expected = [share * (seat in match.winners) for seat in range(players)]
        else:
            sign = -1 if any_game.rules.LOWEST_WINS else 1
            expected = [sign * score for score in match.scores]
        assert list(totals.values()) == pytest.approx(expected)


def everything(env: Any) -> Any:
    """All that an environment tells, to all agents, as it stands."""
    whole = [env.agents, env.state(), [env.observe(agent) for agent in env.possible_agents]]
    if isinstance(env, TurnsEnv):
        whole += [env.agent_selection, env.rewards, env._cumulative_rewards]
        whole += [env.terminations, env.truncations, env.infos]
    return whole


def seats_in(env: Any) -> Any:
    """What `state` is said to be: what all seats see, one after the other."""
    return np.concatenate([env.observe(agent)["observation"] for agent in env.possible_agents])


def stepped(env: Any, rng: random.Random) -> Any:
    """A step by masks; what it returned."""
    if isinstance(env, TurnsEnv):
        observation, *_, info = env.last()
        ended = env.terminations[env.agent_selection]
        assert ended or np.array_equal(observation["action_mask"], info["action_mask"])
        return env.step(None if ended else chosen(rng, observation["action_mask"]))
    masks = {agent: env.observe(agent)["action_mask"] for agent in env.agents}
    return env.step({agent: chosen(rng, mask) for agent, mask in masks.items()})


@pytest.mark.parametrize("kind", ["env", "parallel_env"])
def test_the_same_seed_gives_the_same_everything(any_game: Game, kind: str) -> None:
    """To the end, whatever was played before. PettingZoo's own tests hardly see a legal action."""
    plan = plan_of(any_game.id)
    assert plan
    name, values = plan.short({})  # one round
    settings: dict[str, Any] = {"players": 4, "options": {name: values[0]}, "rewards": "score"}
    make = partial(getattr(environments(any_game), kind), **settings)
    one, other = make(), make()
    other.reset(seed=2)
    stepped(other, random.Random(2))
    assert not data_equivalence(begun(one, 3), everything(other))
    assert data_equivalence(begun(one, 7), begun(other, 7))
    steps = 0
    while one.agents and steps < times(1_000, 15):
        results = [stepped(env, random.Random(steps)) for env in (one, other)]
        assert data_equivalence(results[0], results[1])
        assert data_equivalence(everything(one), everything(other))
        assert one.state_space.contains(one.state())
        assert np.array_equal(one.state(), seats_in(one))
        steps += 1
    assert not one.agents or times(0, 1)


def begun(env: Any, seed: int) -> Any:
    env.reset(seed=seed)
    return everything(env)


def reordered(match: Match, rng: random.Random) -> dict[str, Any]:
    """A position with the cards of each stack in another order, where no seat knows them."""
    hidden = [write_position(match.game, match.hidden(seat)[0]) for seat in range(match.players)]
    position = match.position()
    for key, form in match.game.keys.items():
        if isinstance(form, Stack):
            position[key] = mixed(position[key], [one[key] for one in hidden], rng)
        elif isinstance(form, Stacks):
            stacks = zip(position[key], *(one[key] for one in hidden), strict=True)
            position[key] = [mixed(whole, seen, rng) for whole, *seen in stacks]
    return position


def mixed(stack: str, seen: list[str], rng: random.Random) -> str:
    cards, known = stack.split(), [one.split() for one in seen]
    free = [place for place in range(len(cards)) if all(one[place] == "?" for one in known)]
    drawn = [cards[place] for place in rng.sample(free, len(free))]
    for place, card in zip(free, drawn, strict=True):
        cards[place] = card
    return " ".join(cards)


def test_the_state_has_no_order_of_what_nobody_sees(any_game: Game) -> None:
    differ = 0
    for match, rng in moments(any_game, times(8, 2), seed=39):
        if match.over:
            continue
        env = TurnsEnv(any_game, players=match.players, options=match.options, through=False)
        states = []
        for position in (match.position(), reordered(match, rng)):
            env.reset(seed=1, options={"position": position})
            states.append(env.state())
        differ += position != match.position()
        assert np.array_equal(*states)
    assert differ or times(0, 1)


def test_what_was_given_is_not_changed_later(any_game: Game) -> None:
    env, rng = environments(any_game).env(), random.Random(2)
    env.reset(seed=1)
    kept = []
    for _ in range(8):
        observation = env.last()[0]
        kept.append((observation, {key: value.copy() for key, value in observation.items()}))
        env.step(chosen(rng, observation["action_mask"]))
    for given, copy in kept:
        assert all(np.array_equal(given[key], copy[key]) for key in copy)


def test_matches_differ_unless_they_are_seeded() -> None:
    env = ours.chiko_v1.env(players=3)

    def deals(seed: int | None) -> list[bytes]:
        env.reset(seed=seed)
        first = env.state().tobytes()
        env.reset()
        return [first, env.state().tobytes()]

    assert deals(5) == deals(5)
    assert len({*deals(5), *deals(6), *deals(None)}) == 6


# --- Seats that decide at once, and out of turn --------------------------------------------------


def test_seats_predict_at_once() -> None:
    """In one step, and with the same result as one after the other."""
    rng = random.Random(3)
    at_once = ours.sixth_sense_v1.parallel_env(players=4, through=False)
    in_turn = ours.sixth_sense_v1.env(players=4, through=False)
    seen, _ = at_once.reset(seed=11)
    in_turn.reset(seed=11)
    masks = {agent: one["action_mask"] for agent, one in seen.items()}
    assert all(mask.sum() > 1 and not mask[-1] for mask in masks.values())
    together = 0
    while at_once.agents:
        actions = {agent: chosen(rng, one["action_mask"]) for agent, one in seen.items()}
        deciding = [agent for agent in at_once.agents if not seen[agent]["action_mask"][-1]]
        together += len(deciding) > 1
        seen, rewards, *_ = at_once.step(actions)
        before = dict.fromkeys(in_turn.agents, 0.0)
        for agent in deciding:
            assert in_turn.agent_selection == agent
            in_turn.step(actions[agent])
            before = {one: before[one] + in_turn.rewards[one] for one in before}
        assert rewards == before
        assert np.array_equal(at_once.state(), in_turn.state())
    assert together >= 4  # once a round


def test_whoever_need_not_act_waits(any_game: Game) -> None:
    rng = random.Random(4)
    env = environments(any_game).parallel_env(players=any_game.most)
    seen, infos = env.reset(seed=2)
    for _ in range(times(60, 5)):
        masks = {agent: one["action_mask"] for agent, one in seen.items()}
        assert all(np.array_equal(masks[agent], infos[agent]["action_mask"]) for agent in masks)
        waiting = [agent for agent, mask in masks.items() if mask[-1]]
        assert all(masks[agent].sum() == 1 for agent in waiting)
        assert any(mask.sum() > 1 for mask in masks.values())  # forced moves have been played
        seen, _, _, _, infos = env.step({agent: chosen(rng, masks[agent]) for agent in masks})
        if not env.agents:
            seen, infos = env.reset()


def test_seats_may_act_out_of_turn() -> None:
    rng = random.Random(5)
    env = ours.taki_v1.env(players=3, options={"announce": "call"}, out_of_turn=True)
    assert env.actions == (*game("taki").actions, WAIT)
    asked = 0
    for seed in range(times(10, 1)):
        env.reset(seed=seed)
        for _ in env.agent_iter(times(400, 60)):
            observation, _, ended, _, _ = env.last()
            mask = observation["action_mask"]
            seat = env.match.seat
            if not ended:
                turn = env.match.view(None)["waiting"]
                assert bool(mask[-1]) == (seat not in turn)
                asked += int(mask[-1])
            env.step(None if ended else chosen(rng, mask))
    assert asked or times(10, 1) == 1


# --- What people can do wrong --------------------------------------------------------------------


def test_an_illegal_action_changes_nothing(any_game: Game) -> None:
    env = environments(any_game).env()
    env.reset(seed=1)
    before, agent = env.state(), env.agent_selection
    wrong = int(np.flatnonzero(env.observe(agent)["action_mask"] == 0)[0])
    for action in (wrong, -1, len(env.actions)):
        with pytest.raises(IllegalAction, match=r"^action: seat \d .*Possible: "):
            env.step(action)
    for nothing in (None, "draw", 1.5, True, np.zeros(2, int)):
        with pytest.raises(BadOption, match=r"^action: must be the number of an action"):
            env.step(nothing)  # type: ignore[arg-type]
    assert np.array_equal(env.state(), before)
    assert env.agent_selection == agent
    assert env.terminations == dict.fromkeys(env.possible_agents, False)


def test_it_loses_the_match_if_so_wished() -> None:
    env = ours.chiko_v1.env(players=3, illegal="lose")
    env.reset(seed=1)
    loser = env.agent_selection
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0]))
    told = {}
    for agent in env.agent_iter():
        _, reward, ended, cut, _ = env.last()
        assert ended and cut
        told[agent] = reward
        env.step(None)
    assert told == {agent: -1.0 * (agent == loser) for agent in env.possible_agents}
    at_once = ours.chiko_v1.parallel_env(players=3, illegal="lose")
    seen, _ = at_once.reset(seed=1)
    wrong = {agent: int(np.argmin(one["action_mask"])) for agent, one in seen.items()}
    _, rewards, ended, cut, _ = at_once.step(wrong)
    assert set(rewards.values()) == {-1.0} and all(ended.values()) and all(cut.values())
    assert at_once.agents == []


def test_nothing_comes_after_the_end() -> None:
    env = ours.chiko_v1.env(players=2)
    env.reset(seed=1)
    play_out(env, random.Random(1))
    assert env.agents == []
    with pytest.raises(IllegalAction, match=r"^step: .*reset"):
        env.step(0)
    env.reset(seed=1)
    while not any(env.terminations.values()):
        env.step(int(np.argmax(env.last()[0]["action_mask"])))
    with pytest.raises(IllegalAction, match=r"^action: must be None"):
        env.step(0)


def test_refused_positions_and_actions_change_nothing() -> None:
    env = ours.chiko_v1.env(players=2)
    env.reset(seed=1)
    before = env.state()
    for scores, key in (([50, 0], "position"), ([0], "scores")):
        with pytest.raises(LastCardError, match=rf"^{key}: "):
            env.reset(options={"position": {"hands": ["1", "2"], "top": "1", "scores": scores}})
    assert np.array_equal(env.state(), before)
    at_once = ours.chiko_v1.parallel_env(players=2)
    seen, _ = at_once.reset(seed=1)
    legal = {agent: int(np.argmax(one["action_mask"])) for agent, one in seen.items()}
    one, other = legal
    before = at_once.state()
    for actions in ({one: 0}, {**legal, "seat_7": 0}, {**legal, one: "draw"}):
        with pytest.raises(BadOption):
            at_once.step(actions)
    for number in (-1, len(at_once.actions), int(np.argmin(seen[other]["action_mask"]))):
        with pytest.raises(IllegalAction, match=rf"^actions\['{other}'\]: "):
            at_once.step({**legal, other: number})
    assert np.array_equal(at_once.state(), before)


def test_games_are_found_by_name() -> None:
    assert "taki_v1" in dir(ours)
    with pytest.raises(AttributeError, match=r"uno_v1.*there are .*chiko_v1"):
        _ = ours.uno_v1
    made = pettingzoo.make("aec", "lastcard/SixthSense-v1", players=4)
    assert isinstance(made, TurnsEnv)
    assert (str(made), len(made.possible_agents)) == ("sixth_sense_v1", 4)
    assert isinstance(pettingzoo.make("parallel", "lastcard/Chiko-v1"), AtOnceEnv)


def test_there_is_nothing_to_render_without_a_mode() -> None:
    env = ours.chiko_v1.env()
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="render_mode is None"):
        assert env.render() is None
