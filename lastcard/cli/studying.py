"""The commands that study a game, and the bots that play it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .common import (
    GameArgument,
    OptionWords,
    console,
    getting_ready,
    read_bots,
    read_option_words,
)

if TYPE_CHECKING:
    from rich.console import Console

    from lastcard.sim.habits import Answer, Habits
    from lastcard.sim.plans import Plan
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


def habits(
    game: GameArgument,
    bots: Annotated[
        str, typer.Option(help="Whose, separated by commas: each plays against itself.")
    ] = "learned,normal",
    matches: Annotated[int, typer.Option(min=1, help="Of each bot.")] = 500,
    players: Annotated[
        int | None, typer.Option(help="Number of players.  [default: as few as can play]")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same tables.")] = 1,
    option: OptionWords = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="How many at a time.  [default: one per core]")
    ] = None,
) -> None:
    """Show how bots play a game: how often they choose what in its telling situations.

    Each bot plays against itself, all of them the same deals. In brackets are 95 % intervals; a
    match is the unit of chance.
    """
    from lastcard.sim.plans import need

    need("pyarrow", "sim")
    screen = console()
    with getting_ready(screen):
        from lastcard.sim.habits import plans

        options = read_option_words(option)
        asked = plans(game, read_bots(bots), matches, players, options, seed)
    found = _observed(asked, workers)
    each = "" if len(asked) == 1 else " each, against themselves"
    title = asked[0].rules.title
    print(f"{title}, {asked[0].players} players, {matches} matches{each}, seed {seed}")
    for question, rows in found.tables.items():
        print(f"\n{question}")
        print("\n".join(_habits_lines(found, rows)))


def _observed(asked: list[Plan], workers: int | None) -> Habits:
    from rich.console import Console
    from rich.progress import Progress

    from lastcard.sim.habits import observe

    screen = Console(stderr=True, highlight=False)
    with Progress(console=screen, transient=True, disable=not screen.is_terminal) as progress:
        task = progress.add_task("", total=sum(one.matches for one in asked))
        return observe(asked, workers, lambda done: progress.update(task, completed=done))


def _habits_lines(found: Habits, rows: Mapping[str, tuple[Answer, ...]]) -> Iterator[str]:
    """A table as text: what each bot does, and of how many decisions that is."""
    cells = [["", *(text for bot in found.bots for text in (bot, "of"))]]
    for label, answers in rows.items():
        cells.append(
            [label, *(text for one in answers for text in (str(one), f"{one.decisions:,}"))]
        )
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for label, *others in cells:
        row = [label.ljust(widths[0])]
        row += [text.rjust(width) for text, width in zip(others, widths[1:], strict=True)]
        yield "  " + "  ".join(row).rstrip()
