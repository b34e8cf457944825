"""How strong a network is while it learns: how often it wins against others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch

from lastcard.core.game import Game
from lastcard.sim.batch import Batch

from .model import Model
from .others import Choices, Others, by_policy
from .playing import tensor

SEED = 1 << 100  # apart from what is learned from
LONGEST = 100_000  # steps after which matches count as drawn
LOOK = 16  # steps until it is asked again whether all matches are over


@dataclass(frozen=True)
class Strength:
    """The network's share of the wins: one seat of it, the others by another bot."""

    players: int
    matches: int
    share: float
    margin: float  # half of a 95 % interval

    def __str__(self) -> str:
        return f"{100 * self.share:.1f} % ± {100 * self.margin:.1f} with {self.players} players"


@torch.no_grad()
def strength(
    model: Model,
    game: Game,
    players: int,
    matches: int,
    on: str = "cpu",
    threads: int | None = None,
    others: Others = by_policy,
    options: Mapping[str, Any] | None = None,
) -> Strength:
    """In each match the network has one seat, all seats equally often."""
    batch = Batch(
        *(game, matches),
        players=players,
        options=options,
        seed=SEED,
        out_of_turn=True,
        restart=False,
        threads=threads if on == "cpu" else None,
        on=on,
    )
    device = model.last.weight.device
    mine = torch.arange(matches, device=device) % players
    for step in range(LONGEST):
        # To look whether all are done, one has to wait for the GPU.
        if step % LOOK == 0 and bool(tensor(batch.done).all()):
            break
        seen = tensor(batch.observations)
        choices = Choices(tensor(batch.choices), tensor(batch.counts))
        best = choices.best(model(seen)[0])
        ours = tensor(batch.seats) == mine
        theirs = others(seen, choices, ~ours, lambda: tensor(batch.advise()))
        actions = torch.where(ours, best, theirs)
        batch.step(actions if on == "cuda" else actions.numpy(), check=False)
    won = tensor(batch.final_winners).float()
    shares = (won / won.sum(1, keepdim=True).clamp(min=1.0))[torch.arange(matches), mine]
    margin = 1.96 * float(shares.std()) / matches**0.5
    return Strength(players, matches, float(shares.mean()), margin)
