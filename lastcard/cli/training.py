"""The command that trains a network by self-play."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from lastcard.errors import BadOption

from .common import GameArgument, console, getting_ready
from .simulating import STOPPED

if TYPE_CHECKING:
    from rich.console import Console

    from lastcard.learn.training import Progress, Training

UNITS = {"": 1, "k": 1_000, "M": 1_000_000, "G": 1_000_000_000}
EVERY = 10  # seconds between lines about the progress


class Usual(NamedTuple):
    """What is trained if nothing is said."""

    decisions: str
    matches: int


USUAL = {"cpu": Usual("200M", 2_048), "cuda": Usual("3G", 32_768)}


def train(
    game: GameArgument,
    decisions: Annotated[
        str | None,
        typer.Option(help="How many to learn from: 500k, 200M.  [default: 200M; on cuda 3G]"),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for the network.  [default: trained/GAME]")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on where it was stopped; or for longer.")
    ] = False,
    seed: Annotated[
        int, typer.Option(min=0, help="The same seed leads to the same network on one machine.")
    ] = 1,
    on: Annotated[str, typer.Option(help="Where to train: cpu or cuda.")] = "cpu",
    width: Annotated[int, typer.Option(min=8, max=2048, help="Units in a layer.")] = 256,
    depth: Annotated[int, typer.Option(min=1, max=8, help="Layers between in and out.")] = 3,
    matches: Annotated[
        int | None, typer.Option(min=16, help="Side by side.  [default: 2048; on cuda 32768]")
    ] = None,
    against: Annotated[
        str, typer.Option(help="Learn to beat normal, learned or a folder's network, not itself.")
    ] = "",
    part: Annotated[
        float, typer.Option(min=0, max=1, help="With --against: in what part of the matches.")
    ] = 1.0,
    threads: Annotated[int, typer.Option(min=1, help="Cores to use.")] = 1,
    patient: Annotated[
        bool, typer.Option("--patient", help="Begin even if it will take longer than a day.")
    ] = False,
) -> None:
    """Train a network by self-play, for the bot `learned`.

    It begins with what the game's policy does, and goes on with what works. Ctrl-C keeps all of it;
    --resume goes on from there. The folder has the network, a log, and a picture of how its
    strength grew. `lastcard arena GAME --bots learned:FOLDER,normal` plays by it.

    With --against it learns to beat one bot, which shows how far that is from perfect.
    """
    screen = console()
    with getting_ready(screen):
        from lastcard.core.registry import game as find
        from lastcard.sim.plans import need

        id, usual = find(game).id, usual_on(on)
        count = count_of(decisions or usual.decisions)
        need("torch", "train")
        from lastcard.learn.training import Plan, Training

        sizes = (width, depth, matches or usual.matches)
        plan = Plan(id, count, seed, *sizes, threads=threads, on=on, against=against, part=part)
        folder = out or Path("trained") / id
        training = Training(plan, folder, resume)
    carry_out(training, Shown(screen), patient)


def carry_out(training: Training, shown: Shown, patient: bool) -> None:
    try:
        training.run(shown, patient)
    except KeyboardInterrupt:
        print(f"Stopped after {training.done:,} decisions; --resume goes on.")
        raise typer.Exit(STOPPED) from None
    id, folder = training.plan.game, training.out
    print(f"The network, a log and a picture of its strength: {folder}")
    print(f"Measure it: lastcard arena {id} --bots learned:{folder},normal --matches 2000")


def usual_on(device: str) -> Usual:
    if device not in USUAL:
        raise BadOption("on", f"is {' or '.join(USUAL)}, not {device}.")
    return USUAL[device]


def count_of(text: str) -> int:
    """Reads 500k, 200M or a plain number."""
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*([kMG]?)", text.strip())
    count = int(float(found[1]) * UNITS[found[2]]) if found else 0
    if count < 1:
        raise BadOption("decisions", f"is written 500k, 200M or 2G, not {text}.")
    return count


class Shown:
    """A line now and then: how far it is, how fast, how strong."""

    def __init__(self, screen: Console) -> None:
        self.screen = screen
        self.last = 0.0

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if not progress.strengths and now - self.last < EVERY:
            return
        self.last = now
        part = 100 * progress.decisions / progress.of
        self.screen.print(
            f"{part:5.1f} %  {progress.decisions / 1e6:.1f} million decisions, "
            f"{progress.rate / 1e3:,.0f} thousand/s, {_time(progress.left)} left  "
            f"[dim]entropy {progress.learned.entropy:.3f}, "
            f"foreseen {100 * progress.learned.explained:.0f} %[/dim]"
        )
        if progress.strengths:
            told = ", ".join(map(str, progress.strengths))
            self.screen.print(f"         [bold]against {progress.against}: {told}[/bold]")


def _time(seconds: float) -> str:
    if seconds < 90:
        return f"{max(seconds, 0):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
