"""The games in TorchRL: many matches over one `lastcard.Batch`, in which a policy has all seats.

    from lastcard.envs.torchrl import SelfPlayEnv
    env = SelfPlayEnv("taki", 1024, players=4)
    env.rollout(100, policy, break_when_any_done=False)

Every step is one decision in each match.

- `observation`: what the deciding seat sees; `action_mask`: what it may do; `seat`: who it is.
- `reward`: what the step brought to the seat that acted; `rewards`: to all seats. `lastcard.Batch`
  says what they are.
- `done`: the match is over. Its last observation is of the seat that acted last, with an empty
  mask. The next match has been dealt by then, and `reset` shows it. If all rows are to be reset,
  all matches are dealt anew.

The action spec has the mask of the moment, so `env.rand_action` is legal. `tensors_of` gives the
arrays of any batch as tensors that share their memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from tensordict import TensorDict, TensorDictBase
from torchrl.data import Binary, Bounded, Categorical, Composite, Unbounded
from torchrl.envs import EnvBase

from lastcard.core.game import Game
from lastcard.errors import BadOption
from lastcard.sim.batch import Batch, read_seed

ARRAYS = ("seats", "legal", "observations", "rewards", "done")
SEEDS = 1 << 63


def tensors_of(batch: Batch) -> dict[str, torch.Tensor]:
    """A batch's arrays as tensors without a copy, where they live: every step changes them."""
    return {name: _tensor(getattr(batch, name)) for name in ARRAYS}


def _tensor(array: Any) -> torch.Tensor:
    """Those on a GPU by `__cuda_array_interface__`, for which nobody waits."""
    if isinstance(array, np.ndarray):
        return torch.from_dlpack(array)
    return torch.as_tensor(array, device="cuda")


class SelfPlayEnv(EnvBase):  # type: ignore[misc]
    """Batched and stateful; on the CPU."""

    def __init__(
        self,
        game: str | Game,
        count: int,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        rewards: str = "match",
        through: bool = True,
        out_of_turn: bool = False,
        threads: int | None = None,
        seed: int | None = None,
    ) -> None:
        self.batch = Batch(
            *(game, count, players, options, 0, rewards),
            through=through,
            out_of_turn=out_of_turn,
            threads=threads,
        )
        super().__init__(device="cpu", batch_size=[count])
        self.tensors = tensors_of(self.batch)
        self.final = _tensor(self.batch.final_observations)
        self.actions = self.batch.actions
        observed, actions, players = len(self.batch.observed), len(self.actions), self.batch.players
        self.observation_spec = Composite(
            observation=Unbounded((count, observed), dtype=torch.float32),
            action_mask=Binary(actions, (count, actions), dtype=torch.bool),
            seat=Bounded(0, players - 1, (count,), dtype=torch.int64),
            rewards=Unbounded((count, players), dtype=torch.float32),
            shape=(count,),
        )
        self.action_spec = Categorical(
            actions, (count,), dtype=torch.int64, mask=self.tensors["legal"].clone()
        )
        self.reward_spec = Unbounded((count, 1), dtype=torch.float32)
        self._set_seed(seed)

    def _set_seed(self, seed: int | None) -> None:
        self._rng = np.random.default_rng(None if seed is None else read_seed(seed))

    def _reset(self, tensordict: TensorDictBase | None = None, **_: Any) -> TensorDictBase:
        wish = None if tensordict is None else tensordict.get("_reset", None)
        if wish is None or wish.all():
            self.batch.reset(int(self._rng.integers(SEEDS)))
        elif (wish.reshape(-1) & ~self.tensors["done"]).any():
            raise BadOption("_reset", "only matches that are over can be reset one by one.")
        seen = self._seen()
        done = torch.zeros((*self.batch_size, 1), dtype=torch.bool)
        seen.update({"done": done, "terminated": done.clone()})
        return seen

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        acting, actions = self.tensors["seats"].long(), tensordict["action"]
        if actions.dtype.is_floating_point or actions.shape != self.batch_size:
            raise BadOption(
                "action",
                f"must be a whole number for each of {len(acting)} matches, not "
                f"{actions.dtype} of shape {tuple(actions.shape)}.",
            )
        self.batch.step(actions.numpy())
        seen, done = self._seen(), self.tensors["done"].clone()
        if done.any():
            seen["observation"][done] = self.final[done]
            seen["action_mask"][done] = False
            seen["seat"][done] = acting[done]
        rewards = self.tensors["rewards"].clone()
        over = done.unsqueeze(-1)
        seen.update(
            {
                "reward": rewards.gather(1, acting.unsqueeze(-1)),
                "rewards": rewards,
                "done": over,
                "terminated": over.clone(),
            }
        )
        return seen

    def _seen(self) -> TensorDict:
        legal = self.tensors["legal"].clone()
        self.action_spec.update_mask(legal)
        return TensorDict(
            {
                "observation": self.tensors["observations"].clone(),
                "action_mask": legal.clone(),
                "seat": self.tensors["seats"].long(),
                "rewards": torch.zeros(self.tensors["rewards"].shape),
            },
            self.batch_size,
        )
