"""How strong a network is while it learns: it plays against the game's policy, the bot `normal`."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from lastcard.core.game import Game
from lastcard.sim.batch import Batch

from .model import Model
from .playing import tensor
from .ppo import FORBIDDEN

SEED = 1 << 100  # apart from what is learned from
LONGEST = 100_000  # steps after which matches count as drawn


@dataclass(frozen=True)
class Strength:
    """The network's share of the wins: one seat of it, the others by the policy."""

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
) -> Strength:
    """In each match the network has one seat, all seats equally often."""
    batch = Batch(
        *(game, matches),
        players=players,
        seed=SEED,
        out_of_turn=True,
        restart=False,
        threads=threads,
        on=on,
    )
    device = model.last.weight.device
    mine = torch.arange(matches, device=device) % players
    for _ in range(LONGEST):
        if bool(tensor(batch.done).all()):
            break
        scores, _ = model(tensor(batch.observations))
        best = scores.masked_fill(~tensor(batch.legal), FORBIDDEN).argmax(1)
        ours = tensor(batch.seats) == mine
        actions = torch.where(ours, best, tensor(batch.advise()))
        batch.step(actions if on == "cuda" else actions.numpy())
    won = tensor(batch.final_winners).float()
    shares = (won / won.sum(1, keepdim=True).clamp(min=1.0))[torch.arange(matches), mine]
    margin = 1.96 * float(shares.std()) / matches**0.5
    return Strength(players, matches, float(shares.mean()), margin)
