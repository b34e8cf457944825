"""Gymnasium's own check, and what it does not check."""

from __future__ import annotations

import itertools
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from lastcard.bots import Bot
from lastcard.bots.simple import RandomBot
from lastcard.core.game import Game
from lastcard.core.registry import games
from lastcard.envs.gymnasium import SeatEnv, SeatVectorEnv, SelfPlayEnv
from lastcard.envs.spaces import title_of
from lastcard.errors import BadOption, IllegalAction
from lastcard.sim.batch import WAIT, Batch
from tests.games.plans import plan_of
from tests.helpers import times


def chosen(rng: np.random.Generator, mask: Any) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


def play_out(env: Any, seed: int) -> tuple[float, list[Any]]:
    """A match by random play: what it brought, and all that was seen."""
    rng = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    total, seen, ended = 0.0, [observation["observation"].tobytes()], False
    while not ended and len(seen) < times(5_000, 20):
        assert np.array_equal(observation["action_mask"], info["action_mask"])
        action = chosen(rng, observation["action_mask"])
        observation, reward, ended, cut, info = env.step(action)
        assert not cut
        assert observation in env.observation_space
        total += reward
        seen += [observation["observation"].tobytes(), reward, ended]
    return total, seen


# --- A seat against bots -------------------------------------------------------------------------


def test_it_passes_their_check(any_game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    made = gymnasium.make(f"lastcard/{title_of(any_game.id)}-v1", illegal="lose")
    check_env(made.unwrapped)
    assert "Seat 0" in capsys.readouterr().out


def test_the_same_seed_gives_the_same_match_against_the_same_bots(any_game: Game) -> None:
    bots = ["normal", "easy", "random", *["normal"] * 9][: any_game.most - 1]
    one, other = (SeatEnv(any_game, any_game.most, seat=1, bots=bots) for _ in range(2))
    first = play_out(one, 3)
    assert first == play_out(other, 3) == play_out(one, 3)
    assert play_out(one, 4)[1] != first[1]
    if times(1, 0):
        assert first[0] in {0.0, 1.0, *(1 / winners for winners in range(2, any_game.most + 1))}


def test_bots_know_what_their_own_seat_may_know(any_game: Game) -> None:
    hide, seats = any_game.rules.hide, set()

    class Witness(RandomBot):
        def decide(self, hidden: Any, seat: int, legal: list[int]) -> int:
            before = hidden.tobytes()
            hide(hidden[0], seat)
            assert hidden.tobytes() == before
            seats.add(seat)
            return super().decide(hidden, seat, legal)

    play_out(SeatEnv(any_game, any_game.fewest, seat=0, bots=Witness), 5)
    assert seats == set(range(1, any_game.fewest))


def test_everybody_may_act_out_of_turn() -> None:
    asked = []

    class Caller(RandomBot):
        def decide(self, hidden: Any, seat: int, legal: list[int]) -> int:
            action = super().decide(hidden, seat, legal)
            asked.append(action)
            return action

    env = SeatEnv("taki", 3, {"announce": "call"}, bots=Caller, out_of_turn=True)
    assert env.actions[-1] == WAIT
    for seed in range(times(4, 1)):
        play_out(env, seed)
    assert -1 in asked or times(0, 1)


def test_any_seat_can_be_drawn() -> None:
    env = SeatEnv("chiko", 4, seat=None)
    env.reset(seed=1)
    seats = {env.reset()[1]["seat"] for _ in range(40)}
    assert seats == {0, 1, 2, 3}


def test_a_match_can_start_from_a_position() -> None:
    env = SeatEnv("chiko", 2, bots="random")
    position = {"hands": ["1 1 e", "2 3"], "top": "1", "turn": 0}
    observation, _ = env.reset(seed=1, options={"position": position})
    legal = [env.actions[one] for one in np.flatnonzero(observation["action_mask"])]
    assert legal == ["play 1", "play e", "draw", "quit"]
    with pytest.raises(BadOption, match=r"^options: .*potision"):
        env.reset(options={"potision": position})
    with pytest.raises(BadOption, match=r"^position: .*over"):
        env.reset(options={"position": {**position, "scores": [50, 0]}})


def test_illegal_actions(any_game: Game) -> None:
    env = SeatEnv(any_game)
    observation, _ = env.reset(seed=1)
    wrong = int(np.argmin(observation["action_mask"]))
    for action in (wrong, -1, len(env.actions)):
        with pytest.raises(IllegalAction, match=r"^action: seat 0 .*Possible: "):
            env.step(action)
    assert np.array_equal(env.match.observation, observation["observation"])
    env = SeatEnv(any_game, illegal="lose")
    env.reset(seed=1)
    assert env.step(wrong)[1:4] == (-1.0, True, False)
    with pytest.raises(IllegalAction, match=r"^step: .*reset"):
        env.step(0)


# --- Many matches --------------------------------------------------------------------------------


def test_all_games_are_registered_in_both_forms() -> None:
    for id in games():
        name = f"lastcard/{title_of(id)}"
        assert f"{name}-v1" in gymnasium.registry and f"{name}-SelfPlay-v1" in gymnasium.registry
    envs = gymnasium.make_vec("lastcard/Chiko-SelfPlay-v1", num_envs=3, players=4)
    assert isinstance(envs, SelfPlayEnv)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert envs.batch.players == 4
    each = gymnasium.make_vec("lastcard/Chiko-v1", num_envs=2, vectorization_mode="sync")
    assert each.reset(seed=1)[0]["action_mask"].shape == (2, len(envs.actions))
    each.close()


def test_many_matches_are_those_of_a_batch(any_game: Game) -> None:
    """Also where they end, and whatever the number of threads."""
    count, players = 6, any_game.most
    settings: dict[str, Any] = {"players": players, "rewards": "score"}
    envs = [SelfPlayEnv(any_game, count, threads=threads, **settings) for threads in (1, 2)]
    batch = Batch(any_game, count, seed=9, restart=False, **settings)
    rng = np.random.default_rng(1)
    (seen, infos), _ = (env.reset(seed=9) for env in envs)
    ended = np.zeros(count, bool)
    for _ in range(times(4_000, 15)):
        actions = np.array([chosen(rng, mask) for mask in seen["action_mask"]])
        acting = infos["seats"]
        results = [env.step(actions) for env in envs]
        for one, other in zip(*map(flat, results), strict=True):
            assert np.array_equal(one, other)
        seen, rewards, done, cut, infos = results[0]
        assert seen in envs[0].observation_space
        assert not cut.any()
        assert np.array_equal(rewards, infos["rewards"][np.arange(count), acting])
        compare(batch, actions, ended, results[0])
        ended |= done
        if ended.all():
            return
    assert times(0, 1)


def compare(batch: Batch, actions: Any, ended: Any, result: Any) -> None:
    """The first match of each slot, with a batch in which it stays where it has ended."""
    seen, _, done, _, infos = result
    batch.step(actions)
    for number in np.flatnonzero(~ended):
        assert np.array_equal(infos["rewards"][number], batch.rewards[number])
        assert done[number] == batch.done[number]
        if not done[number]:
            assert np.array_equal(seen["observation"][number], batch.observations[number])
            assert np.array_equal(seen["action_mask"][number], batch.legal[number])
            continue
        final, last = infos["final_info"], infos["final_obs"][number]["observation"]
        assert infos["_final_obs"][number] and infos["_final_info"][number]
        assert np.array_equal(
            final["scores"][number], batch.records["scores"][number][: batch.players]
        )
        assert final["winners"][number].any()
        assert any(
            np.array_equal(last, batch.observe(seat)[number]) for seat in range(batch.players)
        )


def flat(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(itertools.chain.from_iterable(map(flat, value.values())))
    if isinstance(value, tuple):
        return list(itertools.chain.from_iterable(map(flat, value)))
    if isinstance(value, np.ndarray) and value.dtype == object:
        return flat(tuple(one or {} for one in value))
    return [value]


def test_what_is_given_can_be_kept_unless_it_is_not_copied() -> None:
    rng = np.random.default_rng(1)
    for copy in (True, False):
        env = SelfPlayEnv("chiko", 4, copy=copy)
        seen, _ = env.reset(seed=1)
        before = seen["observation"].copy()
        env.step(np.array([chosen(rng, mask) for mask in seen["action_mask"]]))
        assert np.array_equal(seen["observation"], before) == copy
        assert np.shares_memory(seen["action_mask"], env.batch.legal) != copy


# --- Many seats against bots ---------------------------------------------------------------------


def drawn(env: SeatVectorEnv, rng: np.random.Generator) -> Any:
    return np.array([chosen(rng, mask) for mask in env.batch.legal])


@pytest.mark.parametrize("seat", [1, None])
def test_one_seat_decides_in_every_match(any_game: Game, seat: int | None) -> None:
    """The others do what the policy says; and the end is seen from that seat."""
    count = times(8, 2)
    env = SeatVectorEnv(any_game, count, 3, seat=seat, options=short(any_game))
    batch, rng, ended = env.batch, np.random.default_rng(1), 0
    advised: list[Any] = []
    ends: list[Any] = []
    advise, step, deal_again = batch.advise, batch.step, env._deal_again

    def advice() -> Any:
        advised.append(advise())
        return advised[-1]

    def watched(actions: Any, check: bool = True) -> None:
        if not check:  # the bots'
            theirs = np.flatnonzero(actions != -1)
            assert (batch.seats[theirs] != env.seats[theirs]).all() and len(theirs)
            assert np.array_equal(actions[theirs], advised.pop()[theirs])
        step(actions, check)

    def watched_end() -> None:
        ends.append(batch.records.copy())
        deal_again()

    batch.advise, batch.step, env._deal_again = advice, watched, watched_end  # type: ignore[method-assign]
    seen, infos = env.reset(seed=4)
    for _ in range(times(120, 6)):
        assert np.array_equal(batch.seats, env.seats) and np.array_equal(infos["seat"], env.seats)
        assert np.array_equal(seen["observation"], batch.observe(env.seats))
        assert np.array_equal(seen["action_mask"], batch.legal)
        seats = env.seats.copy()
        seen, rewards, done, cut, infos = env.step(drawn(env, rng))
        assert not cut.any() and seen in env.observation_space
        for row in range(count):
            if not done[row]:
                assert rewards[row] == 0
                continue
            winners = infos["final_info"]["winners"][row]
            assert rewards[row] == pytest.approx(winners[seats[row]] / winners.sum())
            over, expected = ends[-1][row : row + 1], np.zeros(len(batch.observed), np.float32)
            any_game.rules.hide(over[0], seats[row])
            any_game.rules.observe(over[0], seats[row], expected)
            assert np.array_equal(infos["final_obs"][row]["observation"], expected)
        ended += int(done.sum())
    assert (ended > 3 and not advised) or times(0, 1)
    assert seat is not None or len({*env.seats.tolist()}) > 1 or times(0, 1)


def short(game: Game) -> dict[str, Any]:
    """Options with which a match is short."""
    plan = plan_of(game.id)
    assert plan
    name, values = plan.short({})
    return {name: values[0]}


def test_the_same_seed_gives_the_same_matches_against_bots(any_game: Game) -> None:
    """Whatever the number of threads, and whatever was played before."""
    settings: dict[str, Any] = {"players": 4, "seat": None, "rewards": "score"}
    one, other = (SeatVectorEnv(any_game, 4, threads=n, **settings) for n in (1, 2))
    other.reset(seed=1)
    other.step(drawn(other, np.random.default_rng(1)))
    results: list[Any] = [env.reset(seed=9) for env in (one, other)]
    for number in range(times(40, 3)):
        for left, right in zip(*map(flat, results), strict=True):
            assert np.array_equal(left, right)
        results = [env.step(drawn(env, np.random.default_rng(number))) for env in (one, other)]


def test_it_is_harder_against_the_policy_than_against_luck() -> None:
    shares = {}
    for bots in ("normal", "random"):
        env = gymnasium.make_vec("lastcard/Chiko-v1", num_envs=32, players=4, bots=bots)
        assert isinstance(env, SeatVectorEnv)
        env.reset(seed=1)
        rng, won, ended = np.random.default_rng(1), 0.0, 0
        for _ in range(times(200, 2)):
            _, rewards, done, _, _ = env.step(drawn(env, rng))
            won, ended = won + rewards.sum(), ended + done.sum()
        shares[bots] = won / max(ended, 1)
    assert shares["normal"] < 0.1 < shares["random"] or times(0, 1)


def test_wrong_actions_for_many_matches() -> None:
    env = SelfPlayEnv("chiko", 3)
    seen, _ = env.reset(seed=1)
    legal = seen["action_mask"].argmax(1)
    with pytest.raises(IllegalAction, match=r"^actions\[1\] is 40"):
        env.step(np.array([legal[0], 40, legal[2]]))
    for actions in (legal.astype(float), legal[:2], legal[:, None]):
        with pytest.raises(BadOption, match=r"^actions: "):
            env.step(actions)
    assert np.array_equal(env.step(legal)[4]["seats"] >= 0, [True] * 3)


def test_a_bot_of_ones_own_can_be_made() -> None:
    class First(Bot):
        def decide(self, hidden: Any, seat: int, legal: list[int]) -> int:
            return legal[0]

    assert play_out(SeatEnv("chiko", 3, bots=lambda game, seed: First(game)), 1)[0] in (
        0.0,
        0.5,
        1.0,
    )
