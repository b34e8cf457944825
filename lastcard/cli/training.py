"""The command that trains a network by self-play."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeAlias

import typer

from lastcard.errors import BadOption

from .common import GameArgument, console, getting_ready, read_option_words
from .measuring import play_matches, print_standings
from .simulating import STOPPED

if TYPE_CHECKING:
    from rich.console import Console

    from lastcard.learn.training import Progress, Training
    from lastcard.sim.arena import Result

UNITS = {"": 1, "k": 1_000, "M": 1_000_000, "G": 1_000_000_000}
EVERY = 10  # seconds between lines about the progress
COMPETING = 10_000  # matches in the arena


class Usual(NamedTuple):
    """What is trained if nothing is said."""

    decisions: str
    matches: int


USUAL = {"cpu": Usual("200M", 2_048), "cuda": Usual("3G", 32_768)}


Decisions: TypeAlias = Annotated[
    str | None,
    typer.Option(help="How many to learn from: 500k, 200M.  [default: 200M; on cuda 3G]"),
]
Minutes: TypeAlias = Annotated[
    float | None, typer.Option(min=0.01, help="Learn for so long, instead of --decisions.")
]
Start: TypeAlias = Annotated[
    str, typer.Option(help="Begin from learned or a folder's network, not from nothing.")
]
Against: TypeAlias = Annotated[
    str, typer.Option(help="Learn to beat normal, learned or a folder's network, not itself.")
]
Part: TypeAlias = Annotated[
    float, typer.Option(min=0, max=1, help="With --against: in what part of the matches.")
]
Arena: TypeAlias = Annotated[
    int | None,
    typer.Option(
        min=1, help="With --against: matches that tell at the end who wins.  [default: 10000]"
    ),
]
Players: TypeAlias = Annotated[
    int | None, typer.Option(min=2, help="Learn with so many only.  [default: all numbers]")
]
Options: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", help="With --players: a game option, as name=value."),
]
Seed: TypeAlias = Annotated[
    int, typer.Option(min=0, help="The same seed leads to the same network on one machine.")
]
Width: TypeAlias = Annotated[
    int | None, typer.Option(min=8, max=2048, help="Units in a layer.  [default: 256]")
]
Depth: TypeAlias = Annotated[
    int | None, typer.Option(min=1, max=8, help="Layers between in and out.  [default: 3]")
]
Matches: TypeAlias = Annotated[
    int | None, typer.Option(min=16, help="Side by side.  [default: 2048; on cuda 32768]")
]
Out: TypeAlias = Annotated[
    Path | None, typer.Option(help="Folder for the network.  [default: trained/GAME]")
]
Resume: TypeAlias = Annotated[
    bool, typer.Option("--resume", help="Go on where it was stopped; or for longer.")
]
Patient: TypeAlias = Annotated[
    bool, typer.Option("--patient", help="Begin even if it will take longer than a day.")
]


def train(
    game: GameArgument,
    decisions: Decisions = None,
    minutes: Minutes = None,
    start: Start = "",
    players: Players = None,
    option: Options = None,
    out: Out = None,
    resume: Resume = False,
    seed: Seed = 1,
    on: Annotated[str, typer.Option(help="Where to train: cpu or cuda.")] = "cpu",
    width: Width = None,
    depth: Depth = None,
    matches: Matches = None,
    against: Against = "",
    part: Part = 1.0,
    arena: Arena = None,
    threads: Annotated[int, typer.Option(min=1, help="Cores to use.")] = 1,
    patient: Patient = False,
) -> None:
    """Train a network by self-play, for the bot `learned`.

    It begins with what the game's policy does, and goes on with what works. Ctrl-C keeps all of it;
    --resume goes on from there. The folder has the network, a log, and a picture of how its
    strength grew. `lastcard arena GAME --bots learned:FOLDER,normal` plays by it.

    With --against it learns to beat one bot, which shows how far that is from perfect; in the end
    they play in the arena.
    """
    screen = console()
    with getting_ready(screen):
        from lastcard.core.registry import game as find
        from lastcard.sim.plans import need

        id, usual = find(game).id, usual_on(on)
        count = count_of(decisions or usual.decisions)
        if minutes and decisions:
            raise BadOption("minutes", "takes the place of --decisions: only one of them.")
        if start and (width or depth):
            raise BadOption("start", "brings its own layers: no --width and no --depth.")
        if (arena or part < 1) and not against:
            raise BadOption("arena" if arena else "part", "goes with --against: whom?")
        need("torch", "train")
        from lastcard.learn.training import Plan, Training

        options = tuple(read_option_words(option).items())
        sizes: dict[str, Any] = {"width": width or Plan.width, "depth": depth or Plan.depth}
        which: dict[str, Any] = {"start": start, "players": players or 0, "options": options}
        how: dict[str, Any] = {"against": against, "part": part, "threads": threads, "on": on}
        how["matches"] = matches or usual.matches
        count = Plan.decisions if minutes else count
        plan = Plan(id, count, minutes or 0.0, seed, **sizes, **which, **how)
        training = Training(plan, out or Path("trained") / id, resume)
    carry_out(training, Shown(screen), patient)
    if against:
        compete(screen, training, arena or COMPETING)


def carry_out(training: Training, shown: Shown, patient: bool) -> None:
    try:
        with stopping(training):
            training.run(shown, patient)
    except KeyboardInterrupt:
        print(f"Stopped after {training.kept:,} decisions; --resume goes on.")
        raise typer.Exit(STOPPED) from None
    id, folder = training.plan.game, training.out
    print(f"The network, a log and a picture of its strength: {folder}")
    print(f"Measure it: lastcard arena {id} --bots learned:{folder},normal --matches 2000")


@contextmanager
def stopping(training: Training) -> Iterator[None]:
    """Ctrl-C ends a training when its round of learning is over, so that nothing is lost; once more
    ends it at once."""

    def stop(number: int, frame: object) -> None:
        training.stop()
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def compete(screen: Console, training: Training, matches: int) -> None:
    """How often the network wins against the bot that it has learned to beat."""
    from lastcard.learn.others import bot_named
    from lastcard.sim import arena as arenas

    folder, plan = training.out, training.plan
    bots = [f"learned:{folder}", bot_named(plan.against)]
    options = dict(plan.options)
    for players in training.numbers:
        planned = arenas.plan(plan.game, bots, matches, players, options)
        results: list[Result] = []
        play_matches(screen, planned, plan.threads, results)
        print_standings(screen, planned, results)
        if results:
            arenas.save(planned, results, folder / f"arena-{players}.json")
        chosen = "".join(f" --option {name}={value}" for name, value in plan.options)
        words = f"--bots {','.join(bots)} --players {players} --matches {matches}{chosen}"
        print(f"lastcard arena {plan.game} {words}")


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
        from lastcard.learn.training import lasting

        now = time.monotonic()
        if not progress.strengths and now - self.last < EVERY:
            return
        self.last = now
        part = 100 * progress.part
        self.screen.print(
            f"{part:5.1f} %  {progress.decisions / 1e6:.1f} million decisions, "
            f"{progress.rate / 1e3:,.0f} thousand/s, {lasting(progress.left)} left  "
            f"[dim]entropy {progress.learned.entropy:.3f}, "
            f"foreseen {100 * progress.learned.explained:.0f} %[/dim]"
        )
        if progress.strengths:
            told = ", ".join(map(str, progress.strengths))
            self.screen.print(f"         [bold]against {progress.against}: {told}[/bold]")
