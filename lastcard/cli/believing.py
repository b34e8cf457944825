"""The command that trains a belief."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .common import GameArgument, console, getting_ready

if TYPE_CHECKING:
    from rich.console import Console

    from lastcard.learn.belief import Believing

EVERY = 10  # seconds between lines about the progress


def believe(
    game: GameArgument,
    positions: Annotated[
        int, typer.Option(min=100, help="How many positions to learn from.")
    ] = 100_000,
    network: Annotated[
        Path | None,
        typer.Option(help="By which network players play.  [default: the game's own]"),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for the belief.  [default: beside the network]")
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, help="The same seed leads to the same belief on one machine.")
    ] = 1,
) -> None:
    """Train a belief: what a network's players hold, from what they have done.

    Search draws the worlds that it tries by it (`belief=8` in a bot's name).
    """
    screen = console()
    with getting_ready(screen):
        from lastcard.bots.learned import FOLDER, read
        from lastcard.core.registry import game as find
        from lastcard.sim.plans import need

        rules = find(game)
        need("torch", "train")
        from lastcard.learn.belief import Plan, train

        folder = network or rules.folder / FOLDER
        trained = read(rules, folder)
    right = train(Plan(rules.id, positions, seed), trained, out or folder, Shown(screen))
    print(f"It tells {100 * right:.1f} % of new positions from guesses.")
    print(f"The belief: {out or folder}")


class Shown:
    """A line now and then."""

    def __init__(self, screen: Console) -> None:
        self.screen = screen
        self.last = 0.0

    def __call__(self, progress: Believing) -> None:
        now = time.monotonic()
        if now - self.last < EVERY:
            return
        self.last = now
        right = "" if progress.right is None else f", {100 * progress.right:.1f} % told apart"
        self.screen.print(f"{100 * progress.part:5.1f} %  {progress.doing}{right}")
