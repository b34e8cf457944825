"""PyTorch, JAX and TorchRL: `make test-torch`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
torch.set_num_threads(1)  # on a busy machine threads wait for each other

from lastcard.core.game import Game  # noqa: E402
from lastcard.envs.rlcard import make  # noqa: E402
from lastcard.envs.torchrl import SelfPlayEnv, tensors_of  # noqa: E402
from lastcard.errors import BadOption, IllegalAction, UnknownGame  # noqa: E402
from lastcard.sim.batch import Batch  # noqa: E402
from tests.helpers import moments, permuted, times  # noqa: E402


def step(batch: Batch) -> None:
    batch.step(batch.choices[:, 0])


def test_tensors_share_the_memory_of_a_batch(any_game: Game) -> None:
    batch = Batch(any_game, 3, seed=1)
    tensors = tensors_of(batch)
    before = tensors["observations"].clone()
    step(batch)
    assert not torch.equal(tensors["observations"], before)
    for name, tensor in tensors.items():
        array = getattr(batch, name)
        assert tensor.data_ptr() == array.ctypes.data
        assert np.array_equal(tensor.numpy(), array)


class OnGpu:
    """An array as Numba has it on a GPU: without DLPack."""

    def __init__(self, array: Any) -> None:
        pointer = array.ctypes.data
        self.__cuda_array_interface__ = {
            **{"shape": array.shape, "typestr": array.dtype.str, "data": (pointer, False)},
            **{"strides": None, "version": 3},
        }


@pytest.mark.skipif(torch.cuda.is_available(), reason="it is told apart by PyTorch without a GPU")
def test_tensors_of_a_gpu_are_asked_for_there() -> None:
    batch: Any = Batch("chiko", 3, seed=1)
    batch.observations = OnGpu(batch.observations)
    with pytest.raises((RuntimeError, AssertionError), match="CUDA"):
        tensors_of(batch)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_tensors_share_the_memory_of_a_gpu() -> None:
    batch = Batch("chiko", 3, seed=1, on="cuda")
    tensors = tensors_of(batch)
    before = tensors["observations"].clone()
    batch.step(batch.advise())
    torch.cuda.synchronize()
    assert not torch.equal(tensors["observations"], before)
    for name, tensor in tensors.items():
        array = getattr(batch, name)
        assert tensor.data_ptr() == array.__cuda_array_interface__["data"][0]
        assert np.array_equal(tensor.cpu().numpy(), array.copy_to_host())


def test_jax_shares_it_too(any_game: Game) -> None:
    jax = pytest.importorskip("jax")
    batch = Batch(any_game, 3, seed=1)
    for name in ("seats", "legal", "observations", "rewards", "done"):
        array = getattr(batch, name)
        shared = jax.dlpack.from_dlpack(array, copy=False)
        assert shared.unsafe_buffer_pointer() == array.ctypes.data
        assert np.array_equal(shared, array)


def test_it_passes_their_check(any_game: Game) -> None:
    from torchrl.envs import check_env_specs

    check_env_specs(SelfPlayEnv(any_game, 4, players=any_game.most, seed=1))


def test_a_rollout_is_what_a_batch_plays(any_game: Game) -> None:
    count = 4
    torch.manual_seed(1)
    env = SelfPlayEnv(any_game, count, rewards="score", seed=3)
    rolled = env.rollout(times(100, 12), break_when_any_done=False)
    batch = Batch(
        any_game, count, rewards="score", seed=int(np.random.default_rng(3).integers(1 << 63))
    )
    for moment in rolled.unbind(1):
        assert np.array_equal(moment["observation"], batch.observations)
        assert np.array_equal(moment["action_mask"], batch.legal)
        assert np.array_equal(moment["seat"], batch.seats)
        acting = batch.seats.copy()
        batch.step(moment["action"].numpy())
        after = moment["next"]
        assert np.array_equal(after["rewards"], batch.rewards)
        assert np.array_equal(after["reward"][:, 0], batch.rewards[np.arange(count), acting])
        assert np.array_equal(after["done"][:, 0], batch.done)
        done = batch.done
        assert np.array_equal(after["observation"][done], batch.final_observations[done])
        assert np.array_equal(after["observation"][~done], batch.observations[~done])
        assert not after["action_mask"][done].any()


def test_nothing_changes_with_hidden_cards(any_game: Game) -> None:
    """Two matches that the deciding seat cannot tell apart, side by side."""
    for match, rng in moments(any_game, times(12, 2), seed=38):
        seats = [seat for seat in match.waiting if isinstance(seat, int)]
        if not seats:
            continue
        settings: dict[str, Any] = {"players": match.players, "options": match.options}
        env = SelfPlayEnv(any_game, 2, through=False, seed=1, **settings)
        for number, one in enumerate((match, permuted(match, seats[0], rng))):
            env.batch.put(number, one)
        assert env.batch.records[0].tobytes() != env.batch.records[1].tobytes()
        seen = env._seen()
        assert set(seen.keys()) == {"observation", "action_mask", "seat", "rewards"}
        for tensor in (*seen.values(), env.action_spec.mask):
            assert torch.equal(tensor[0], tensor[1])


def test_only_matches_that_are_over_are_reset_one_by_one() -> None:
    env = SelfPlayEnv("chiko", 3, seed=1)
    rolled = env.reset()
    rolled["_reset"] = torch.tensor([[True], [False], [False]])
    with pytest.raises(BadOption, match=r"^_reset: "):
        env.reset(rolled)
    again = env.reset()
    again["_reset"] = torch.ones(3, dtype=torch.bool)  # which deals all of them anew
    before = again["observation"].clone()
    assert not torch.equal(env.reset(again)["observation"], before)


def test_what_is_wrong_is_named() -> None:
    env = SelfPlayEnv("chiko", 3, seed=1)
    wrong = env.reset()
    before = env.batch.records.tobytes()
    wrong["action"] = torch.full((3,), 40)
    with pytest.raises(IllegalAction, match=r"^actions\[0\] is 40"):
        env.step(wrong)
    for action in (torch.zeros(3), torch.zeros((3, 1), dtype=torch.int64)):
        wrong["action"] = action
        with pytest.raises(BadOption, match=r"^action: must be a whole number for each of 3"):
            env.step(wrong)
    assert env.batch.records.tobytes() == before
    for seed in (-1, "x", 1.5, 1 << 128):
        for ask in (env.set_seed, lambda seed: SelfPlayEnv("chiko", 3, seed=seed)):
            with pytest.raises(BadOption, match=r"^seed: "):
                ask(seed)
    wishes: list[dict[str, Any]] = [
        *({"players": 9}, {"count": 0}, {"options": {"target": 0}}, {"rewards": "glory"}),
        *({"through": "no"}, {"out_of_turn": 1}, {"threads": 0}),
    ]
    for wish in wishes:
        with pytest.raises(BadOption, match=f"^{next(iter(wish))}: "):
            SelfPlayEnv("chiko", **{"count": 3, **wish})
    with pytest.raises(BadOption, match=r"^options: beginner and late_trump"):
        SelfPlayEnv("sixth_sense", 3, options={"beginner": True, "late_trump": True})
    with pytest.raises(UnknownGame, match="no game 'whist'"):
        SelfPlayEnv("whist", 3)


def test_the_programs_in_the_docs() -> None:
    text = (Path(__file__).parents[2] / "docs/environments.md").read_text()
    programs = [one for one in re.findall(r"```python\n(.*?)```", text, re.S) if "torch" in one]
    assert len(programs) == 2
    for program in programs:
        exec(program, {})


def test_a_learner_of_rlcard_learns() -> None:
    """Its DQN agent, unchanged, through the adapter."""
    pytest.importorskip("rlcard")
    from rlcard.agents import DQNAgent, RandomAgent
    from rlcard.utils import reorganize

    np.random.seed(1)
    torch.manual_seed(1)
    env = make("chiko", {"players": 2, "seed": 1})
    learner: Any = DQNAgent(
        num_actions=env.num_actions,
        state_shape=env.state_shape[0],
        mlp_layers=[32],
        replay_memory_init_size=50,
        device=torch.device("cpu"),
    )
    env.set_agents([learner, RandomAgent(num_actions=env.num_actions)])
    for _ in range(times(8, 1)):
        trajectories, payoffs = env.run(is_training=True)
        for transition in reorganize(trajectories, payoffs)[0]:
            learner.feed(transition)
    assert learner.total_t > 0
    assert learner.train_t > 0 or times(0, 1)
