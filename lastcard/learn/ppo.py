"""Learning from one's own play: proximal policy optimisation, all seats with one network.

Rewards are what each round changes in a seat's chance to win, and what a choice leads to is
followed to the end of the round. That is much quicker than to wait for the end of the match.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from torch.nn.functional import log_softmax

from .model import Model
from .others import FORBIDDEN, Others
from .playing import Tables

LARGEST_STEP = 0.5  # the norm of a gradient


@dataclass(frozen=True)
class Rates:
    """How to learn now; some of it changes on the way."""

    learning: float
    entropy: float
    imitating: bool = False  # what the game's policy does, instead of what has worked


@dataclass
class Learned:
    """How one round of learning went."""

    entropy: float = 0.0
    change: float = 0.0  # of the policy: an estimate of the divergence
    explained: float = 0.0  # the part of the results that values foresee
    agreed: float = 0.0  # with the game's policy, or with what was played


class Learner:
    """Plays some steps with all matches, and learns from them.

    With `others` all seats but one play as those do, which is not learned from: in all matches, or
    in a part of them.
    """

    def __init__(
        self,
        model: Model,
        tables: Tables,
        steps: int,
        batch: int,
        *,
        others: Others | None = None,
        part: float = 1.0,
        clip: float = 0.2,
        trace: float = 0.95,
        value_weight: float = 2.0,
        surprise: float = 0.1,
    ) -> None:
        self.model = model
        self.tables = tables
        self.others = others
        self.clip = clip
        self.trace = trace
        self.value_weight = value_weight
        self.surprise = surprise  # how often imitation plays at random, to see more of the game
        self.device = model.last.weight.device
        self.on_gpu = on_gpu = self.device.type == "cuda"
        self.entropy = torch.tensor(0.0, device=self.device)
        self.optimiser = torch.optim.Adam(
            model.parameters(),
            lr=torch.tensor(0.0, device=self.device),  # a number would be fixed in a graph
            eps=1e-5,
            capturable=on_gpu,
            fused=on_gpu or None,
        )
        rows, outputs = tables.count, len(tables.game.actions) + 1
        self.seats_of = tables.game.most
        self.parts = max(steps * rows // batch, 1) if batch > rows else steps
        self.mine = self._seats_of_mine(part).to(self.device)

        def room(*shape: int, dtype: Any = torch.float32) -> Any:
            return torch.zeros(steps, rows, *shape, dtype=dtype, device=self.device)

        self.steps = steps
        self.sight = torch.zeros(rows, model.inputs, device=self.device)  # now, to the last bit
        self.seen = room(model.inputs, dtype=torch.bfloat16)
        self.legal = room(outputs, dtype=torch.bool)
        self.seats = room(dtype=torch.int64)
        self.actions = room(dtype=torch.int64)
        self.odds = room()
        self.values = room()
        self.rewards = room(self.seats_of)
        self.ended = room(dtype=torch.bool)
        self.told = torch.zeros(len(Learned.__dataclass_fields__), device=self.device)
        self.rounds = {
            imitating: Repeated(partial(self._round, imitating), on_gpu)
            for imitating in (True, False)
        }

    def _seats_of_mine(self, part: float) -> Any:
        """By match and seat: who plays by the network."""
        tables = self.tables
        mine = torch.ones(tables.count, self.seats_of, dtype=torch.bool)
        for number, group in enumerate(tables.batches if self.others else ()):
            shared = round(tables.each * part)
            first = number * tables.each
            seats = torch.arange(shared)[:, None] % group.players
            mine[first : first + shared] = seats == torch.arange(self.seats_of)
        return mine

    @property
    def decisions(self) -> int:
        """In one round of learning."""
        return self.steps * self.tables.count

    def learn(self, rates: Rates) -> Learned:
        for group in self.optimiser.param_groups:
            group["lr"].fill_(rates.learning)
        self.entropy.fill_(rates.entropy)
        self.tables.renew()
        self.rounds[rates.imitating]()
        return Learned(*self.told.tolist())

    def _round(self, imitating: bool) -> None:
        self.play(imitating)
        gains, use = self._gains()
        self._update(gains, use, imitating)

    @torch.no_grad()
    def play(self, imitating: bool) -> None:
        advice = torch.zeros_like(self.actions[0])

        def advise() -> Any:
            self.tables.advise(advice)
            return advice

        for step in range(self.steps):
            seen, legal = self.seen[step], self.legal[step]
            self.tables.look(self.sight, legal, self.seats[step])
            seen.copy_(self.sight)
            scores, values = self._think(seen)
            odds = log_softmax(scores.masked_fill_(~legal, FORBIDDEN), 1)
            noise = torch.empty_like(odds).exponential_().log_()
            if imitating:
                at_random = noise.neg().masked_fill_(~legal, FORBIDDEN).argmax(1)
                rare = torch.rand(len(advice), device=self.device) < self.surprise
                self.actions[step].copy_(advise())
                played = torch.where(rare, at_random, advice)
            else:
                played = (odds - noise).argmax(1)
                self.actions[step].copy_(played)
            self.odds[step].copy_(odds.gather(1, self.actions[step][:, None])[:, 0])
            self.values[step].copy_(values)
            if self.others is not None:
                mine = self.mine.gather(1, self.seats[step][:, None])[:, 0]
                theirs = self.others(self.sight, legal, ~mine, advise)
                played = torch.where(mine, played, theirs)
            self.tables.step(played, self.rewards[step], self.ended[step])

    def _think(self, seen: Any) -> tuple[Any, Any]:
        with torch.autocast(self.device.type, torch.bfloat16):
            scores, values = self.model(seen)
        return scores.float(), values.float()

    @torch.no_grad()
    def _gains(self) -> tuple[Any, Any]:
        """By how much each choice did better than was foreseen; and which can be used, because it
        is known what came next for the seat."""
        shape = (self.tables.count, self.seats_of)
        reward = torch.zeros(shape, device=self.device)
        after = torch.zeros(shape, device=self.device)  # the value of a seat's next choice
        gain_after = torch.zeros(shape, device=self.device)
        known = torch.zeros(shape, dtype=torch.bool, device=self.device)
        gains = torch.zeros_like(self.values)
        use = torch.zeros_like(self.ended)
        for step in range(self.steps - 1, -1, -1):
            ended = self.ended[step][:, None]
            reward = torch.where(ended, self.rewards[step], reward)
            after = torch.where(ended, 0.0, after)
            gain_after = torch.where(ended, 0.0, gain_after)
            known = known | ended
            seats, value = self.seats[step][:, None], self.values[step][:, None]
            usable = known.gather(1, seats)
            gain = reward.gather(1, seats) + after.gather(1, seats) - value
            gain = (gain + self.trace * gain_after.gather(1, seats)) * usable
            gains[step].copy_(gain[:, 0])
            use[step].copy_(usable[:, 0])
            reward.scatter_(1, seats, 0.0)
            after.scatter_(1, seats, value)
            gain_after.scatter_(1, seats, gain)
            known.scatter_(1, seats, True)
        if self.others is not None:
            use &= self.mine.gather(1, self.seats.T).T
        return gains, use

    def _update(self, gains: Any, use: Any, imitating: bool) -> None:
        """Changes the network part by part. A part has some steps of all matches, so that what is
        in it has little to do with each other."""
        weights = use.float()
        count = weights.sum().clamp(min=1.0)
        results = gains + self.values
        mean, mean_result = ((one * weights).sum() / count for one in (gains, results))
        variance = ((gains - mean) ** 2 * weights).sum() / count
        spread = ((results - mean_result) ** 2 * weights).sum() / count
        self.told.zero_()
        self.told[2] = 1 - variance / spread.clamp(min=1e-12)
        gains = (gains - mean) / (variance.sqrt() + 1e-8)
        for part in torch.randperm(self.parts).tolist():
            self._step(slice(part, None, self.parts), gains, results, weights, imitating)

    def _step(self, part: slice, gains: Any, results: Any, weights: Any, imitating: bool) -> None:
        # A GPU repeats the same work each time; a CPU saves what is not learned from.
        learned_from = ... if self.on_gpu else weights[part].flatten() > 0

        def of(array: Any) -> Any:
            return array[part].flatten(0, 1)[learned_from]

        weight = of(weights)
        weight = weight / weight.sum().clamp(min=1.0)
        scores, values = self._think(of(self.seen))
        all_odds = log_softmax(scores.masked_fill(~of(self.legal), FORBIDDEN), 1)
        actions = of(self.actions)
        odds = all_odds.gather(1, actions[:, None])[:, 0]
        entropy = (-(all_odds.exp() * all_odds).sum(1) * weight).sum()
        if imitating:
            loss = -(odds * weight).sum()
        else:
            change = odds - of(self.odds)
            ratio, gain = change.exp(), of(gains)
            near = ratio.clamp(1 - self.clip, 1 + self.clip)
            loss = -(torch.minimum(ratio * gain, near * gain) * weight).sum()
            self.told[1] += ((ratio - 1 - change).detach() * weight).sum() / self.parts
        loss = loss - self.entropy * entropy
        loss = loss + self.value_weight * ((values - of(results)) ** 2 * weight).sum()
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), LARGEST_STEP)
        self.optimiser.step()
        self.told[0] += entropy.detach() / self.parts
        agreed = (all_odds.argmax(1) == actions).float() * weight
        self.told[3] += agreed.sum() / self.parts


class Repeated:
    """Work that is the same each time. A GPU is told it once, and then repeats it by itself: Python
    would take longer to tell it than it takes to do."""

    def __init__(self, work: Callable[[], None], on_gpu: bool) -> None:
        self.work = work
        self.on_gpu = on_gpu
        self.graph: Any = None

    def __call__(self) -> None:
        if not self.on_gpu:
            self.work()
        elif self.graph is None:
            here, aside = torch.cuda.current_stream(), torch.cuda.Stream()
            aside.wait_stream(here)
            with torch.cuda.stream(aside):
                self.work()
            here.wait_stream(aside)
            torch.cuda.synchronize()
            self.graph = torch.cuda.CUDAGraph()
            # What is compiled or allocated meanwhile elsewhere in this process does no harm.
            with torch.cuda.graph(self.graph, capture_error_mode="relaxed"):
                self.work()
        else:
            self.graph.replay()
