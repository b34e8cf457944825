"""The command that studies a game."""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .common import GameArgument, OptionWords, getting_ready, read_option_words

if TYPE_CHECKING:
    from rich.console import Console

    from lastcard.sim.study.questions import Design


def study(
    game: GameArgument,
    players: Annotated[
        str | None,
        typer.Option(help="Numbers of players, such as 3 or 2-5.  [default: 2-5]"),
    ] = None,
    compare: Annotated[
        list[str] | None,
        typer.Option(
            help="Play the same deals with different values of an option: option=a,b. Can be "
            "repeated.  [default: what the game's folder asks]"
        ),
    ] = None,
    matches: Annotated[
        int, typer.Option(min=1, help="For each number of players and each variant.")
    ] = 5000,
    skill_matches: Annotated[
        int, typer.Option(min=1, help="Of the strong bot, for each number of players.")
    ] = 240,
    bots: Annotated[str, typer.Option(help="Who plays, in all seats.")] = "normal",
    strong: Annotated[
        str | None,
        typer.Option(
            help="Who plays better, for the question how much is skill.  [default: as the level "
            "expert, but with 400 playouts a move instead of its milliseconds]"
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same page.")] = 1,
    option: OptionWords = None,
    rulings: Annotated[
        bool, typer.Option(help="Play with other rulings, too; they are compiled by Numba.")
    ] = True,
    workers: Annotated[
        int | None, typer.Option(min=1, help="How many at a time.  [default: one per core]")
    ] = None,
    out: Annotated[
        Path, typer.Option(help="The page; the rows behind it go into a folder beside it.")
    ] = Path("study.html"),
) -> None:
    """Measure what a game is like, and write a page with plots.

    Who opens has what advantage, how long it takes, how much is skill, what cards are worth, what
    variants change: every number with its 95 % interval.
    """
    from rich.console import Console

    from lastcard.sim.plans import need

    need("pyarrow", "sim")
    screen = Console(stderr=True, highlight=False)
    with getting_ready(screen):
        from lastcard.sim.study.questions import design

        options = read_option_words(option)
        asked = design(
            *(game, players, compare or (), matches, skill_matches, bots, strong, seed, options),
            rulings=rulings,
        )
    _write(asked, out, workers, screen)


def _write(asked: Design, out: Path, workers: int | None, screen: Console) -> None:
    from rich.progress import Progress

    from lastcard.sim.study.gathering import steps
    from lastcard.sim.study.writing import rows_folder, write_study

    quiet = not screen.is_terminal
    with Progress(console=screen, transient=True, disable=quiet) as progress:
        task = progress.add_task("", total=steps(asked))
        done = count()

        def tell(what: str) -> None:
            so_far = next(done)
            progress.update(task, description=what, completed=so_far)
            if quiet:  # a line for logs
                print(f"{so_far + 1} of {steps(asked)}: {what}", file=sys.stderr, flush=True)

        write_study(asked, out, workers, tell)
    print(f"{out}, and the rows behind it: {rows_folder(out)}")
