"""A belief: a network that tells what players hold from what they have done.

`guess` deals unseen cards at random. But whoever has played by a plan holds other cards than chance
would give. So a small network learns to tell positions as they were from such guesses, by what each
other player sees in them; how sure it is says how much likelier a guess is than `guess` deals it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn.functional import log_softmax

from lastcard import __version__
from lastcard.bots.bot import Bot
from lastcard.bots.learned import BELIEF, LearnedBot, Trained, told_to, write
from lastcard.bots.simple import NormalBot, new_rng
from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.core.registry import game as find_game
from lastcard.engine.places import state_of

from .model import Model
from .playing import variant
from .revision import revision

BY_POLICY = 0.25  # of the seats play by the policy, so that it is not at a loss with such players
OFTEN = 0.3  # of the decisions are kept: neighbours tell the same
APART = 0.05  # of the positions only measure it
BATCH = 2_048
RATE, LAST_RATE = 2e-3, 2e-5
MOST_BYTES = 1 << 30  # of positions


@dataclass(frozen=True)
class Plan:
    """What is trained, and how. The same plan leads to the same network on the same machine."""

    game: str
    positions: int = 100_000
    seed: int = 1
    width: int = 64
    depth: int = 2
    rounds: int = 40  # through all positions


@dataclass(frozen=True)
class Believing:
    """How far it is."""

    doing: str
    part: float
    right: float | None = None  # how often it tells a position from a guess


def train(plan: Plan, trained: Trained, out: Path, show: Callable[[Believing], None]) -> float:
    """Writes the network; returns how often it tells a new position from a guess."""
    torch.manual_seed(plan.seed)
    started = time.monotonic()
    game = find_game(plan.game)
    seen = gather(game, plan, trained, show)
    apart = max(int(APART * len(seen)), 1)
    model = Model(seen.shape[-1], plan.width, plan.depth, 1)
    model.adjust(_rows(seen[: BATCH // 2]))
    learn(model, seen[apart:], plan, show)
    with torch.no_grad():
        right = float((_odds(model, seen[:apart])[:, 0] > np.log(0.5)).float().mean())
    facts = {
        "game": plan.game,
        "told": told_to(game),
        "command": f"lastcard believe {plan.game} --positions {plan.positions} --seed {plan.seed}",
        "seed": plan.seed,
        "positions": len(seen),
        "seconds": round(time.monotonic() - started),
        "version": __version__,
        "revision": revision(),
        "rules": state_of(game.folder),
        "torch": torch.__version__,
        "tells apart": f"{100 * right:.1f} %",
    }
    write(out, model.in_whole_numbers(_rows(seen[:BATCH])), facts, BELIEF)
    return right


def gather(
    game: Game, plan: Plan, trained: Trained, show: Callable[[Believing], None]
) -> torch.Tensor:
    """What others see: by position, as it was and as it was guessed, by player, by number. Who is
    not there sees nothing."""
    observed = len(game.rules.OBSERVED)
    shape = (2, game.most - 1, observed)
    count = min(plan.positions, MOST_BYTES // (2 * int(np.prod(shape))))
    seen = np.zeros((count, *shape), np.float16)
    room = np.zeros(observed, np.float32)
    small, deal = new_rng(plan.seed), game.new_deal()
    rng = random.Random(f"belief {plan.seed}")
    for at, (match, seat) in enumerate(decisions(game, trained, rng)):
        if at == count:
            break
        guessed = match.hidden(seat)
        game.rules.guess(guessed[0], seat, small, deal)
        was = game.blank()
        was[0] = match.record
        others = [one for one in range(match.players) if one != seat]
        for kind, record in enumerate((was, guessed)):
            for place, other in enumerate(others):
                hidden = record.copy()
                game.rules.hide(hidden[0], other)
                room[:] = 0
                game.rules.observe(hidden[0], other, room)
                seen[at, kind, place] = room
        if at % 1000 == 0:
            show(Believing("positions", at / count))
    return torch.from_numpy(seen)


def decisions(game: Game, trained: Trained, rng: random.Random) -> Iterator[tuple[Match, int]]:
    """Decisions in matches with all numbers of players and options, without end."""
    learned = LearnedBot(game, trained)
    while True:
        players = rng.randint(game.fewest, game.most)
        match = game.match(players, rng.getrandbits(64), variant(game, players, rng))
        seats: list[Bot] = [
            NormalBot(game, rng.getrandbits(64)) if rng.random() < BY_POLICY else learned
            for _ in range(players)
        ]
        while not match.over:
            for seat in match.bystanders:
                action = seats[seat].interject(match, seat)
                if action is not None:
                    match.play(seat, action)
                    break
            else:
                waited = match.waiting[0]
                if not isinstance(waited, int):
                    match.roll()
                    continue
                if rng.random() < OFTEN:
                    yield match, waited
                match.play(waited, seats[waited].choose(match, waited))


def learn(model: Model, seen: torch.Tensor, plan: Plan, show: Callable[[Believing], None]) -> None:
    """Which of the two was it?"""
    optimiser = torch.optim.Adam(model.parameters(), RATE)
    chance = torch.Generator().manual_seed(plan.seed)
    steps = plan.rounds * max(len(seen) // BATCH, 1)
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = RATE + (LAST_RATE - RATE) * step / steps
        some = torch.randint(0, len(seen), (BATCH,), generator=chance)
        odds = _odds(model, seen[some])
        loss = -odds[:, 0].mean()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        if step % 20 == 0:
            right = float((odds[:, 0] > np.log(0.5)).float().mean())
            show(Believing("learning", step / steps, right))


def _odds(model: Model, seen: torch.Tensor) -> Any:
    """The logarithms of how likely each of the two is the position as it was."""
    here = seen.float()
    there = here.abs().amax(-1) > 0  # players
    _, sure = model(here.flatten(0, 2))
    return log_softmax((sure.view(there.shape) * there).sum(2), 1)


def _rows(seen: torch.Tensor) -> torch.Tensor:
    rows = seen.flatten(0, 2).float()
    return rows[rows.abs().amax(1) > 0]
