"""The command that simulates."""

from __future__ import annotations

import sys
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lastcard.errors import BadOption

from .common import GameArgument, OptionWords, console, getting_ready, read_option_words

if TYPE_CHECKING:
    from lastcard.sim.plans import Plan
    from lastcard.sim.simulation import Progress
    from lastcard.sim.summary import Summary

STOPPED = 130  # exit code, as shells have it for Ctrl-C
EVERY = 10  # seconds between lines about progress, where there is no terminal


def simulate(
    game: GameArgument,
    matches: Annotated[int, typer.Option(min=1, help="How many matches to play.")] = 1000,
    players: Annotated[
        int | None, typer.Option(help="Number of players.  [default: one per bot named]")
    ] = None,
    option: OptionWords = None,
    bots: Annotated[
        str,
        typer.Option(
            help="Who plays, by seat, separated by commas: random, policy, easy, hard, expert, "
            "master, learned; search:20ms or search:1000 (playouts); my_bot.py:MyBot. The last one "
            "takes all remaining seats."
        ),
    ] = "random",
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same rows.")] = 1,
    on: Annotated[str, typer.Option(help="Where to play: cpu, cuda or ray.")] = "cpu",
    rows: Annotated[str, typer.Option(help="A row for each match, round or decision.")] = "match",
    hidden: Annotated[
        bool,
        typer.Option("--hidden", help="Hidden records instead of observations, for decisions."),
    ] = False,
    ruling: Annotated[
        str, typer.Option(help="Play by another ruling than ours, such as must-play in Chiko.")
    ] = "",
    workers: Annotated[
        int | None, typer.Option(min=1, help="How many at a time.  [default: one per core]")
    ] = None,
    part: Annotated[
        int | None, typer.Option(min=1, help="Matches in a file.  [default: it depends]")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write Parquet files and a data card into this folder.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on in a folder where it was stopped.")
    ] = False,
) -> None:
    """Play any number of matches, and write rows for data science and learners.

    Ctrl-C stops and keeps what is whole; --resume goes on from there.
    """
    screen = console()
    with getting_ready(screen):
        from lastcard.sim.plans import MATCH, need
        from lastcard.sim.plans import plan as planned

        need("pyarrow", "sim")
        chosen = read_option_words(option)
        plan = planned(game, matches, players, chosen, bots, seed, rows, hidden, part, ruling)
    if out is not None:
        _write(plan, out, on, workers, resume)
        return
    if rows != MATCH:
        raise BadOption("out", f"rows by {rows} go to a folder: --out FOLDER.")
    if resume:
        raise BadOption("resume", "goes on in a folder: --out FOLDER.")
    _summarise(plan, on, workers)


def _write(plan: Plan, out: Path, on: str, workers: int | None, resume: bool) -> None:
    from lastcard.sim.simulation import write

    progress = Shown(plan)
    try:
        with progress:
            path = write(plan, out, on, workers, resume, progress)
    except KeyboardInterrupt:
        print(f"Stopped after {progress.done} of {plan.matches} matches; --resume goes on.")
        raise typer.Exit(STOPPED) from None
    print(f"{plan.matches} matches: {path}")


def _summarise(plan: Plan, on: str, workers: int | None) -> None:
    """Plays and tells how seats did, without keeping rows."""
    from lastcard.sim.simulation import run
    from lastcard.sim.summary import Summary

    summary = Summary(plan)
    progress = Shown(plan)
    stopped = False
    try:
        playing = run(plan, range(plan.parts), on, workers, False, progress)
        with progress, closing(playing) as parts:
            for _, table in parts:
                summary.add(table)
    except KeyboardInterrupt:
        print(f"Stopped after {summary.matches} of {plan.matches} matches.")
        stopped = True
    if summary.matches:
        _print_summary(summary)
    if stopped:
        raise typer.Exit(STOPPED)


def _print_summary(summary: Summary) -> None:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), title_justify="left")
    table.add_column("seat")
    table.add_column("bot")
    for heading in ("share of wins", "mean score"):
        table.add_column(heading, justify="right")
    for seat, (name, share, score) in enumerate(summary.seats()):
        table.add_row(str(seat), name, f"{100 * share:.2f} %", f"{score:.2f}")
    screen = console()
    screen.print(table)
    print(
        f"{summary.matches} matches of {summary.rounds:.2f} rounds and {summary.decisions:.1f} "
        "decisions. With --out FOLDER all rows are kept."
    )


class Shown:
    """Progress on the terminal, with the rate and the time left; where there is none, a line now
    and then, for logs."""

    def __init__(self, plan: Plan) -> None:
        from rich.console import Console
        from rich.progress import Progress, TaskID, TextColumn, TimeRemainingColumn

        self.done = 0
        screen = Console(stderr=True, highlight=False)
        rate = TextColumn("{task.fields[rate]}")
        columns = (*Progress.get_default_columns()[:3], rate, TimeRemainingColumn())
        self.plain = not sys.stderr.isatty()
        self.started = self.told = time.monotonic()
        self.bar: Any = Progress(*columns, console=screen, transient=True, disable=self.plain)
        self.task: TaskID = self.bar.add_task("", total=plan.matches, rate="")

    def __enter__(self) -> Shown:
        self.bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.bar.stop()

    def __call__(self, progress: Progress) -> None:
        self.done = progress.done
        if self.plain:
            self._print(progress)
            return
        task = self.bar.tasks[0]
        rate = f"{task.speed:,.0f} matches/s" if task.speed else ""
        told = f"{progress.done} of {progress.matches} matches"
        self.bar.update(self.task, description=told, completed=progress.done, rate=rate)

    def _print(self, progress: Progress) -> None:
        now = time.monotonic()
        if now - self.told < EVERY:
            return
        self.told = now
        minutes = (now - self.started) / 60
        print(
            f"{progress.done} of {progress.matches} matches after {minutes:.1f} minutes",
            file=sys.stderr,
            flush=True,
        )
