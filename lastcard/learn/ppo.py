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

from .model import Model, rounded_up
from .others import Choices, Others
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
        rows, most = tables.count, tables.game.rules.MOST_LEGAL + 1  # and to wait
        self.seats_of = tables.game.most
        self.mine = self._seats_of_mine(part).to(self.device)
        self.batch = max(batch, rows)
        self.parts = max(round(steps * rows * self._share_of_mine() / self.batch), 1)

        def room(*shape: int, dtype: Any = torch.float32) -> Any:
            return torch.zeros(steps, rows, *shape, dtype=dtype, device=self.device)

        self.steps = steps
        self.sight = torch.zeros(rows, model.inputs, device=self.device)  # now, to the last bit
        self.seen = room(rounded_up(model.inputs), dtype=torch.bfloat16)
        self.choices = room(most, dtype=torch.int16)
        self.counts = room(dtype=torch.int16)
        self.seats = room(dtype=torch.int64)
        self.chosen = room(dtype=torch.int64)  # their places among the choices
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

    def _share_of_mine(self) -> float:
        """Of all decisions: those of the network, if all seats of a match have as many."""
        players = torch.tensor([one.players for one in self.tables.batches])
        seats = players.repeat_interleave(self.tables.each)[:, None]
        there = torch.arange(self.seats_of) < seats
        return float(((self.mine.cpu() & there).sum(1) / seats[:, 0]).mean())

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
        advice = torch.zeros_like(self.chosen[0])

        def advise() -> Any:
            self.tables.advise(advice)
            return advice

        for step in range(self.steps):
            seen, choices = self.seen[step], Choices(self.choices[step], self.counts[step])
            self.tables.look(self.sight, choices, self.seats[step])
            seen[:, : self.model.inputs].copy_(self.sight)
            scores, values = self._think(seen)
            odds = log_softmax(choices.scored(scores), 1)
            if imitating:
                listed = choices.actions == advise()[:, None]
                self.chosen[step].copy_(listed.int().argmax(1))
                any_one = torch.rand(len(advice), device=self.device) * choices.counts
                rare = torch.rand(len(advice), device=self.device) < self.surprise
                played = torch.where(rare, choices.at(any_one.long()), advice)
            else:
                noise = torch.empty_like(odds).exponential_().log_()
                self.chosen[step].copy_((odds - noise).argmax(1))
                played = choices.at(self.chosen[step])
            self.odds[step].copy_(odds.gather(1, self.chosen[step][:, None])[:, 0])
            self.values[step].copy_(values)
            if self.others is not None:
                mine = self.mine.gather(1, self.seats[step][:, None])[:, 0]
                theirs = self.others(self.sight, choices, ~mine, advise)
                played = torch.where(mine, played, theirs)
            self.tables.step(played, self.rewards[step], self.ended[step])

    def _think(self, seen: Any) -> tuple[Any, Any]:
        with torch.autocast(self.device.type, torch.bfloat16):
            scores, values = self.model(seen)
        return scores, values.float()

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
        """Changes the network part by part. A part has some decisions of all matches and steps, so
        that they have little to do with each other; those that are of no use are in none."""
        weights = use.float()
        count = weights.sum().clamp(min=1.0)
        results = gains + self.values
        mean, mean_result = ((one * weights).sum() / count for one in (gains, results))
        variance = ((gains - mean) ** 2 * weights).sum() / count
        spread = ((results - mean_result) ** 2 * weights).sum() / count
        self.told.zero_()
        self.told[2] = 1 - variance / spread.clamp(min=1e-12)
        gains = (gains - mean) / (variance.sqrt() + 1e-8)
        lots = torch.rand_like(weights) - weights
        order = lots.flatten().argsort()
        for part in range(self.parts):
            places = order[part * self.batch : (part + 1) * self.batch]
            self._step(places, gains, results, weights, imitating)

    def _step(self, places: Any, gains: Any, results: Any, weights: Any, imitating: bool) -> None:
        def of(array: Any) -> Any:
            return array.flatten(0, 1)[places]

        weight = of(weights)
        weight = weight / weight.sum().clamp(min=1.0)
        scores, values = self._think(of(self.seen))
        all_odds = log_softmax(Choices(of(self.choices), of(self.counts)).scored(scores), 1)
        chosen = of(self.chosen)
        odds = all_odds.gather(1, chosen[:, None])[:, 0]
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
        agreed = (all_odds.argmax(1) == chosen).float() * weight
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
