"""Commands about how rules run: build, doctor."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Annotated

import typer

from lastcard.errors import CannotBuild

from .common import GamesArgument, console, getting_ready


def build(
    game: GamesArgument = None,
    out: Annotated[
        Path | None, typer.Option(help="Write a folder per game here instead of beside the rules.")
    ] = None,
) -> None:
    """Compile games ahead for every kind of machine: x86-64, AArch64 and WebAssembly.

    What people install has been built already. This is for those who change or add a game; it needs
    Numba and LLVM's linker, and takes about half a minute per game.
    """
    screen = console()
    with getting_ready(screen):
        from rich.progress import Progress

        from lastcard import building
        from lastcard.core.registry import folder_of
        from lastcard.core.registry import games as ids

        if problem := building.missing_tools():
            raise CannotBuild(problem)
        folders = {id: folder_of(id) for id in game or ids()}
    with (
        Progress(console=screen, transient=True) as progress,
        ThreadPoolExecutor(os.cpu_count()) as pool,
    ):
        task = progress.add_task("Building", total=len(folders))
        work = {
            pool.submit(building.build, id, folder, out and out / id): id
            for id, folder in folders.items()
        }
        for done in as_completed(work):
            made = done.result()
            size = sum(file.stat().st_size for file in made.iterdir())
            progress.update(task, advance=1)
            progress.console.print(f"{work[done]}: {made} ({size // 1000} kB)")


def doctor() -> None:
    """Say how each game's rules run on this machine, and why."""
    screen = console()
    with getting_ready(screen):
        from rich.table import Table

        from lastcard.core.registry import game as find
        from lastcard.core.registry import games as ids

        table = Table(box=None, padding=(0, 2, 0, 0))
        for heading in ("game", "runs", ""):
            table.add_column(heading)
        for id in ids():
            engine = find(id).engine
            table.add_row(id, engine.way, engine.why)
    screen.print(table)
