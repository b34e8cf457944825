"""Commands that check files: verify, check."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from lastcard.errors import BadFile, BadOption

from .common import BAD_INPUT, FAILED, console, getting_ready


def verify(
    file: Annotated[Path, typer.Argument(help="A match file from a table.")],
    commitment: Annotated[
        str | None, typer.Option(help="The hash that the table showed before the first card.")
    ] = None,
    seed: Annotated[
        list[str] | None, typer.Option(help="A seed that a player gave. Can be repeated.")
    ] = None,
) -> None:
    """Check that nobody rigged a shuffle.

    Deals every round from the seeds that were used, and plays every move again.
    """
    screen = console()
    with getting_ready(screen):
        from lastcard.core import files, shuffle

        content = files.read(file)
        if content.shuffle is None:
            raise BadOption("file", f"{file} does not say how its key came about.")
        # Deals every round, throws all dice and plays every move again.
        match = files.replay(content, file, fair=True)
        made = content.shuffle
        shuffle.check(made, match.players, match.seed, file)
    if commitment is not None and commitment.strip().lower() != made.commitment:
        raise BadFile(f"{file}: its hash is {made.commitment}, not the one you were shown.")
    for one in seed or []:
        if one not in made.seeds:
            raise BadFile(f"{file}: the seed {one!r} was not used.")
    print(f"{content.game}, {match.players} players, {len(match.moves)} moves: all correct.")
    if not match.over:
        print("The match is not over in this file: its end may have been cut off.")
    print(f"Shown before the first card: {made.commitment}")
    for seat, given in enumerate(made.seeds):
        print(f"Seat {seat}: {'no seed' if given is None else f'seed {given}'}")
    if commitment is None:
        print("Is this the hash that the table showed you? Pass it as --commitment to compare.")


def check(
    files: Annotated[list[Path], typer.Argument(help="Scenario files (YAML), or folders of them.")],
) -> None:
    """Run scenarios, and print the first failing step of each."""
    paths = []
    for file in files:
        inside = [*file.rglob("*.yaml"), *file.rglob("*.yml")] if os.path.isdir(file) else [file]
        paths += sorted(path for path in inside if path == file or path.is_file())
    total = failed = bad = 0
    screen = console()
    with getting_ready(screen) as status:
        from lastcard.core import scenarios

        outcomes = (error for path in paths for error in scenarios.outcomes(path))
        for total, error in enumerate(outcomes, 1):
            status.update(f"Checked {total} scenarios ...")
            if isinstance(error, scenarios.Failed):
                failed += 1
                print(error)
            elif error is not None:
                bad += 1
                print(error, file=sys.stderr)
    print(f"{total - failed - bad} of {total} scenarios hold.")
    if failed or bad or not total:
        raise typer.Exit(FAILED if failed else BAD_INPUT)
