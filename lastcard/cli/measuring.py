"""Commands that compile and measure: arena, warm, bench."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .common import (
    GameArgument,
    GamesArgument,
    OptionWords,
    console,
    getting_ready,
    new_file,
    read_bots,
    read_option_words,
    refuse_existing,
)

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from lastcard.sim.arena import Plan, Result, Standing
    from lastcard.sim.bench import Contestant

WARMED_BOTS = ("normal", "master")  # the others need nothing else


def arena(
    game: GameArgument,
    bots: Annotated[
        str,
        typer.Option(
            help="Who plays, separated by commas: easy, normal, hard, expert, master, learned, "
            "random; search:20ms or search:1000 (playouts); learned:FOLDER, a network of your own; "
            "my_bot.py:MyBot; oracle:50ms, which sees all cards. The last one takes all remaining "
            "seats."
        ),
    ] = "hard,normal",
    matches: Annotated[
        int,
        typer.Option(min=1, help="Rounded up, so that every deal is played in all rotations."),
    ] = 100,
    players: Annotated[
        int | None, typer.Option(help="Number of players.  [default: one per bot named]")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same deals.")] = 1,
    option: OptionWords = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, help="Number of processes.  [default: one per core]"),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(help="Write results (JSON) here.  [default: a file in your data folder]"),
    ] = None,
) -> None:
    """Let bots play each other, and count who wins.

    Every deal is played with the seats rotated. Ctrl-C stops early and keeps what was played.
    """
    screen = console()
    with getting_ready(screen):
        from lastcard.sim import arena as arenas

        plan = arenas.plan(game, read_bots(bots), matches, players, read_option_words(option), seed)
        count = min(workers or os.cpu_count() or 1, plan.matches)
        path = save or new_file("arenas", f"{plan.game}-*")
        refuse_existing(path)
        path.touch()  # if it cannot be written, fail now and not an hour later
    results: list[Result] = []
    try:
        play_matches(screen, plan, count, results)
    finally:
        if results:
            arenas.save(plan, results, path)
        else:
            path.unlink()
    print_standings(screen, plan, results)
    if len(results) < plan.matches:
        print(f"Stopped after {len(results)} of {plan.matches} matches.")
    if results:
        print(f"All results: {path}")


def play_matches(screen: Console, plan: Plan, workers: int, results: list[Result]) -> None:
    """Adds results as matches end, until all are played or the user presses Ctrl-C."""
    from rich.progress import Progress, TimeElapsedColumn, TimeRemainingColumn

    from lastcard.sim import arena as arenas

    columns = (*Progress.get_default_columns()[:3], TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True) as progress:
        task = progress.add_task("", total=plan.matches)
        try:
            for result in arenas.run(plan, workers):
                results.append(result)
                so_far = f"{len(results)} of {plan.matches} matches"
                progress.update(task, description=so_far, advance=1)
        except KeyboardInterrupt:
            progress.console.print("Stopping ...")


def print_standings(screen: Console, plan: Plan, results: list[Result]) -> None:
    from lastcard.sim.arena import standings

    found = standings(plan, results)
    if not found:
        print("No deal has been played in all rotations.")
        return
    screen.print(standings_table(plan, found))
    even = f"an even share is {100 / plan.players:.3g} %"
    sure = "" if found[0].wins.margin is None else "; ± is a 95 % confidence interval"
    print(f"{len(results)} matches; {even}{sure}.")


def standings_table(plan: Plan, found: list[Standing]) -> Table:
    from rich.table import Table

    from lastcard.core.registry import game

    rules = game(plan.game)
    best = "lowest wins" if rules.rules.LOWEST_WINS else "highest wins"
    title = f"{rules.title}, {plan.players} players"
    table = Table(box=None, padding=(0, 2, 0, 0), title=title, title_justify="left")
    table.add_column("bot", no_wrap=True)
    for heading in ("seats", "share of wins", f"score, {best}", "ms per choice"):
        table.add_column(heading, justify="right")
    for one in found:
        wins = one.wins.times(100)
        table.add_row(one.bot, str(one.seats), f"{wins} %", str(one.score), f"{one.ms:.2f}")
    return table


def warm(game: GamesArgument = None) -> None:
    """Compile games now, so that nobody has to wait for it later."""
    screen = console()
    with getting_ready(screen):
        from rich.progress import Progress

        from lastcard.bots import bot
        from lastcard.core.registry import game as find
        from lastcard.core.registry import games as ids

        chosen = [find(id) for id in game or ids()]
    with Progress(console=screen) as progress:
        task = progress.add_task("", total=len(chosen) * (1 + len(WARMED_BOTS)))
        for rules in chosen:
            for function in rules.warming():
                progress.update(task, description=f"{rules.title}: {function}")
            progress.advance(task)
            for name in WARMED_BOTS:
                progress.update(task, description=f"{rules.title}: {name} bots")
                bot(name, rules).load()
                progress.advance(task)
        progress.update(task, description="Ready")


def bench(
    game: GamesArgument = None,
    players: Annotated[
        int, typer.Option(min=2, help="Number of players, or the nearest the game allows.")
    ] = 4,
    seconds: Annotated[float, typer.Option(min=0.1, help="Length of each measurement.")] = 1.0,
    repeats: Annotated[int, typer.Option(min=1, help="Measurements of each contestant.")] = 15,
    search: Annotated[
        bool, typer.Option("--search", help="Measure search instead of random play.")
    ] = False,
) -> None:
    """Measure speed on one core, side by side with OpenSpiel and RLCard.

    Counts decisions of random play, or iterations of search, by a tree and by the policy.
    """
    screen = console()
    with getting_ready(screen):
        from rich.progress import Progress

        from lastcard.sim import bench as benches

        gather = benches.searchers if search else benches.contestants
        mine, peers, absent = gather(game or [], players)
    everybody = [*mine, *peers]
    with Progress(console=screen, transient=True) as progress:
        task = progress.add_task("", total=repeats * len(everybody))
        for name in benches.run(everybody, seconds, repeats):
            progress.update(task, description=name, advance=1)
    what = "iterations of search" if search else "decisions"
    screen.print(speed_table(f"{what} per second, one core", mine, peers))
    screen.print(f"Medians of {repeats} repeats of {seconds:g} s each, after warm-up.")
    for name in absent:
        print(f"{name} is not installed; to compare: pip install 'lastcard[bench]'")


def speed_table(title: str, mine: list[Contestant], peers: list[Contestant]) -> Table:
    """Everybody's speed, and how many times as fast as each peer ours are."""
    from rich.table import Table

    from lastcard.sim.bench import rounded

    table = Table(box=None, padding=(0, 1, 0, 0))
    table.add_column(title, no_wrap=True)
    columns = [f"x {peer.game.replace('_', ' ')}" for peer in peers]
    for heading in ("median", "lowest", "highest", *columns):
        table.add_column(heading, justify="right")
    for one in [*mine, *peers]:
        ratios = [f"{one.times(peer):.1f}" for peer in peers] if one in mine else []
        speeds = (one.median, min(one.speeds), max(one.speeds))
        table.add_row(one.name, *map(rounded, speeds), *ratios)
    return table
