"""Learning from one's own play: proximal policy optimisation, all seats with one network.

Rewards are what each round changes in a seat's chance to win, and what a choice leads to is
followed to the end of the round. That is much quicker than to wait for the end of the match.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch.nn.functional import log_softmax

from .model import Model
from .playing import Tables

FORBIDDEN = -1e9  # the score of an action that is not legal


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
    agreed: float = 0.0  # with the game's policy


class Learner:
    """Plays some steps with all matches, and learns from them."""

    def __init__(
        self,
        model: Model,
        tables: Tables,
        steps: int,
        batch: int,
        *,
        clip: float = 0.2,
        trace: float = 0.9,
        value_weight: float = 2.0,
        surprise: float = 0.1,
    ) -> None:
        self.model = model
        self.tables = tables
        self.batch = batch
        self.clip = clip
        self.trace = trace
        self.value_weight = value_weight
        self.surprise = surprise  # how often imitation plays at random, to see more of the game
        first = model.last.weight
        self.device = first.device
        self.optimiser = torch.optim.Adam(model.parameters(), lr=1e-3, eps=1e-5)
        rows, outputs = tables.count, len(tables.game.actions) + 1
        self.seats_of = tables.game.most

        def room(*shape: int, dtype: Any = torch.float32) -> Any:
            return torch.zeros(steps, rows, *shape, dtype=dtype, device=self.device)

        self.steps = steps
        self.seen = room(model.layers[0].in_features, dtype=torch.bfloat16)
        self.legal = room(outputs, dtype=torch.bool)
        self.seats = room(dtype=torch.int64)
        self.actions = room(dtype=torch.int64)
        self.odds = room()
        self.values = room()
        self.rewards = room(self.seats_of)
        self.ended = room(dtype=torch.bool)

    @property
    def decisions(self) -> int:
        """In one round of learning."""
        return self.steps * self.tables.count

    def learn(self, rates: Rates) -> Learned:
        self.play(rates.imitating)
        gains, use = self._gains()
        return self._update(gains, use, rates)

    @torch.no_grad()
    def play(self, imitating: bool) -> None:
        self.tables.renew()
        advice = torch.zeros_like(self.actions[0])
        for step in range(self.steps):
            seen, legal = self.seen[step], self.legal[step]
            self.tables.look(seen, legal, self.seats[step])
            scores, values = self._think(seen)
            odds = log_softmax(scores.masked_fill_(~legal, FORBIDDEN), 1)
            noise = torch.empty_like(odds).exponential_().log_()
            if imitating:
                self.tables.advise(advice)
                at_random = (noise.neg_().masked_fill_(~legal, FORBIDDEN)).argmax(1)
                rare = torch.rand(len(advice), device=self.device) < self.surprise
                self.actions[step] = advice
                played = torch.where(rare, at_random, advice)
            else:
                played = (odds - noise).argmax(1)
                self.actions[step] = played
            self.odds[step] = odds.gather(1, self.actions[step][:, None])[:, 0]
            self.values[step] = values
            self.tables.step(played, self.rewards[step], self.ended[step])

    def _think(self, seen: Any) -> tuple[Any, Any]:
        with torch.autocast(self.device.type, torch.bfloat16):
            scores, values = self.model(seen)
        return scores.float(), values.float()

    @torch.no_grad()
    def _gains(self) -> tuple[Any, Any]:
        """By how much each choice did better than was foreseen; and which can be used, because it
        is known what came next for the seat."""
        rows = torch.arange(self.tables.count, device=self.device)
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
            known |= ended
            seats, value = self.seats[step], self.values[step]
            use[step] = known[rows, seats]
            gain = reward[rows, seats] + after[rows, seats] - value
            gain = (gain + self.trace * gain_after[rows, seats]) * use[step]
            gains[step] = gain
            reward[rows, seats] = 0.0
            after[rows, seats] = value
            gain_after[rows, seats] = gain
            known[rows, seats] = True
        return gains, use

    def _update(self, gains: Any, use: Any, rates: Rates) -> Learned:
        flat = {
            "seen": self.seen.flatten(0, 1),
            "legal": self.legal.flatten(0, 1),
            "actions": self.actions.flatten(),
            "odds": self.odds.flatten(),
            "gains": gains.flatten(),
            "results": (gains + self.values).flatten(),
        }
        places = use.flatten().nonzero()[:, 0]
        mean, spread = flat["gains"][places].mean(), flat["gains"][places].std() + 1e-8
        results = flat["results"][places]
        told = Learned(explained=float(1 - flat["gains"][places].var() / results.var()))
        for group in self.optimiser.param_groups:
            group["lr"] = rates.learning
        order = places[torch.randperm(len(places), device=self.device)]
        parts = order.split(self.batch)
        for part in parts:
            one = {name: value[part] for name, value in flat.items()}
            one["gains"] = (one["gains"] - mean) / spread
            self._step(one, rates, told, len(parts))
        return told

    def _step(self, one: dict[str, Any], rates: Rates, told: Learned, parts: int) -> None:
        scores, values = self._think(one["seen"])
        all_odds = log_softmax(scores.masked_fill(~one["legal"], FORBIDDEN), 1)
        odds = all_odds.gather(1, one["actions"][:, None])[:, 0]
        entropy = -(all_odds.exp() * all_odds).sum(1).mean()
        if rates.imitating:
            loss = -odds.mean()
        else:
            ratio = (odds - one["odds"]).exp()
            near = ratio.clamp(1 - self.clip, 1 + self.clip)
            loss = -torch.minimum(ratio * one["gains"], near * one["gains"]).mean()
            told.change += (
                float((ratio.detach() - 1 - (odds - one["odds"]).detach()).mean()) / parts
            )
        loss = loss - rates.entropy * entropy
        loss = loss + self.value_weight * ((values - one["results"]) ** 2).mean()
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 0.5)
        self.optimiser.step()
        told.entropy += float(entropy.detach()) / parts
        told.agreed += float((all_odds.argmax(1) == one["actions"]).float().mean()) / parts
