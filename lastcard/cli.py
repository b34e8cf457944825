"""The command `lastcard`. Heavy modules are imported only by the commands that need them."""

from __future__ import annotations

import io
import os
import re
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lastcard import __version__
from lastcard.errors import BadFile, BadOption, LastCardError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.status import Status
    from rich.table import Table

    from lastcard.core.match import Match
    from lastcard.sim.arena import Plan, Standing

app = typer.Typer(
    name="lastcard",
    help="Five family table games: play them, check their rules, measure them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help is there in half the time
    context_settings={"help_option_names": ["-h", "--help"]},
)

FAILED = 1  # the answer is no
BAD_INPUT = 2  # the question could not be understood


def console() -> Console:
    from rich.console import Console

    screen = Console(highlight=False)
    if not screen.is_terminal:
        screen.width = 100
    return screen


@contextmanager
def getting_ready(screen: Console) -> Iterator[Status]:
    """A word to the user while the rules are loaded, or compiled for the first time."""
    with screen.status("Getting ready (the first time takes some seconds) ...") as status:
        yield status


def myself() -> str:
    """How to call this command again: by its path if the shell would not find it."""
    called = Path(sys.argv[0])
    if called.name != "lastcard" or shutil.which("lastcard"):
        return "lastcard"
    return os.path.relpath(called)


def known(game: str) -> str:
    """A game's id, however it is written: TAKI is taki, Sixth Sense is sixth_sense."""
    from lastcard.core.registry import game as find
    from lastcard.core.registry import games

    def letters(text: str) -> str:
        return re.sub(r"[\W_]", "", text).lower()

    by_id = {letters(id): id for id in games()}
    if letters(game) in by_id:
        return by_id[letters(game)]
    return {letters(find(id).title): id for id in games()}.get(letters(game), game)


def data_folder() -> Path:
    """Where things are kept unless the user says where."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "lastcard"


def new_file(folder: str, name: str) -> Path:
    path = data_folder() / folder
    path.mkdir(parents=True, exist_ok=True)
    stamp = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    return path / f"{name.replace('*', stamp)}-{secrets.token_hex(2)}.json"


def read_option_words(words: list[str]) -> dict[str, str]:
    from lastcard.kernel.texts import show

    options = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise BadOption("options", f"are written name=value, not {show(word)}.")
        options[name.strip()] = value.strip()
    return options


def read_bots(names: str) -> list[str]:
    return [name.strip() for name in names.split(",")]


@app.callback(invoke_without_command=True)
def version(
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    if version:
        print(f"lastcard {__version__}")
        raise typer.Exit


@app.command()
def games() -> None:
    """List the games."""
    screen = console()
    with getting_ready(screen):
        from rich.table import Table

        from lastcard.core.registry import game
        from lastcard.core.registry import games as ids

    table = Table("id", "game", "players", "", box=None)
    for id in ids():
        rules = game(id)
        table.add_row(id, rules.title, f"{rules.fewest}-{rules.most}", rules.tagline)
    screen.print(table)


@app.command()
def rules(game: Annotated[str, typer.Argument(help="The game's id, such as chiko.")]) -> None:
    """Show a game's rules."""
    screen = console()
    with getting_ready(screen):
        from rich.markdown import Markdown

        from lastcard.core.registry import game as find

    screen.print(Markdown(find(known(game)).page))


@app.command()
def play(
    game: Annotated[str | None, typer.Argument(help="The game's id, such as chiko.")] = None,
    players: Annotated[int | None, typer.Option(help="How many play, bots included.")] = None,
    hotseat: Annotated[
        int | None, typer.Option(help="How many of them are people at this screen; 1 if left out.")
    ] = None,
    seed: Annotated[
        str | None, typer.Option(help="A number or 64 hex digits: the same seed, the same cards.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", help="A table option, as name=value.")
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(
            help="How the bots play: easy, normal (if left out), hard, expert, random or "
            "search:20ms; or a list with commas, the last one for all seats that are left."
        ),
    ] = None,
    save: Annotated[Path | None, typer.Option(help="The file to keep the match in.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on with a saved match.")] = None,
) -> None:
    """Play in the terminal, against bots and with each other."""
    screen = console()
    with getting_ready(screen):
        from lastcard.bots import bot
        from lastcard.core import files
        from lastcard.core.registry import game as find
        from lastcard.core.registry import games as ids
        from lastcard.terminal import HUMAN, Leave, Session

        if resume is not None:
            if any((game, players, hotseat, seed, option, bots, save)):
                raise BadOption("resume", "goes with no other option: all is in the file.")
            file = files.read(resume)
            match = files.replay(file, resume)
            seats, path = file.seats or [HUMAN] * match.players, resume
            if HUMAN not in seats:
                raise BadOption("resume", f"no person plays in {path}; lastcard replay shows it.")
        else:
            if game is None:
                raise BadOption("game", f"which one? There are {', '.join(ids())}.")
            rules = find(known(game))
            usual = min(max(3, rules.fewest), rules.most)
            count = rules.read_players(usual if players is None else players)
            people = 1 if hotseat is None else hotseat
            if not 1 <= people <= count:
                raise BadOption("hotseat", f"must be from 1 to {count}, not {people}.")
            kinds = read_bots(bots or "normal")
            for kind in kinds:
                bot(kind, rules)  # or there is no such bot
            if len(kinds) > count - people and bots is not None:
                seats_left = "1 seat" if count - people == 1 else f"{count - people} seats"
                raise BadOption("bots", f"{len(kinds)} named, but {seats_left} left for them.")
            match = rules.match(count, seed, read_option_words(option or []))
            seats = [HUMAN] * people + (kinds + kinds[-1:] * count)[: count - people]
            path = save or new_file("matches", f"{rules.id}-*")
            if path.exists():
                raise BadOption("save", f"{path} is there already.")
        match.game.warm("new", "waiting", "bystanders", "legal", "apply", "hide")
        session = Session(screen, match, seats, path)
        if resume is not None:
            session.recall(file)
    if match.over:
        print(f"This match is over. To see it again: {myself()} replay {path}")
        return
    try:
        session.play()
        print(f"\nTo see it again: {myself()} replay {path}")
    except (Leave, KeyboardInterrupt):
        print(f"\nSaved. To go on: {myself()} play --resume {path}")


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A saved match.")],
    seat: Annotated[
        int | None, typer.Option(help="See it as this seat saw it; the first is 0.")
    ] = None,
) -> None:
    """Step through a saved match: with all cards open once it is over."""
    screen = console()
    with getting_ready(screen):
        from lastcard.core import files
        from lastcard.terminal import HUMAN, Replay

        content = files.read(file)
        match = files.replay(content, file)
    people = [at for at, kind in enumerate(content.seats or []) if kind == HUMAN]
    if seat is not None and not 0 <= seat < match.players:
        raise BadOption("seat", f"must be from 0 to {match.players - 1}, not {seat}.")
    # What a seat may not know yet stays hidden in a replay, too.
    if not match.over and seat is not None and seat not in people:
        raise BadOption("seat", f"the match goes on, and seat {seat} is no person here.")
    all_open = match.over and seat is None
    if seat is None and len(people) == 1:
        seat = people[0]
    Replay(screen, content, file, seat, all_open).run()


@app.command()
def hint(
    file: Annotated[
        Path, typer.Argument(help="A saved match, or a position (a scenario in YAML).")
    ],
    seat: Annotated[
        int | None, typer.Option(help="Who asks; whoever is to act if left out. The first is 0.")
    ] = None,
    think: Annotated[
        str, typer.Option(help="How long: 2000ms, or 5000 for so many playouts.")
    ] = "2000ms",
    seed: Annotated[
        int | None, typer.Option(min=0, help="With playouts: the same seed, the same answer.")
    ] = None,
) -> None:
    """Say what search would do, and how likely each action wins.

    For a person whose turn it is in a saved match, or in the position that a scenario begins with.
    """
    screen = console()
    with getting_ready(screen) as status:
        from lastcard.bots.search import CAREFUL, SearchBot, read_budget
        from lastcard.core import files, scenarios
        from lastcard.terminal import HUMAN, advice_of, names_of, table_of

        budget = read_budget(think)
        if file.suffix.lower() in (".yaml", ".yml"):
            match, kinds = scenarios.start(file), None
        else:
            content = files.read(file)
            match, kinds = files.replay(content, file), content.seats
        kinds = kinds or [HUMAN] * match.players
        asking = who_asks(match, [at for at, kind in enumerate(kinds) if kind == HUMAN], seat)
        # Only one thread can be repeated on every machine.
        threads = 1 if budget.ms is None else os.cpu_count() or 1
        chance = secrets.randbits(64) if seed is None else seed
        adviser = SearchBot(match.game, chance, budget, threads, doubt=CAREFUL)
        adviser.load()
        status.update("Thinking ...")
        judged = adviser.advise(match, asking)
    view = match.view(asking)
    screen.print(table_of(match.game, view, names_of(kinds, asking)))
    screen.print()
    screen.print(advice_of(match.game, view, judged, adviser.trusting(match.players)))


def who_asks(match: Match, people: list[int], seat: int | None) -> int:
    """The seat that a hint is for: what a bot's seat holds is nobody's business."""
    if match.over:
        raise BadOption("match", "it is over: there is nothing left to do.")
    able = [at for at in [*match.waiting, *match.bystanders] if at in people]
    if seat is None and able:
        return int(able[0])
    if seat is None:
        raise BadOption("seat", "it is no person's turn now.")
    if not 0 <= seat < match.players:
        raise BadOption("seat", f"must be from 0 to {match.players - 1}, not {seat}.")
    if seat not in people:
        raise BadOption("seat", f"the match goes on, and seat {seat} is no person here.")
    if seat not in able:
        raise BadOption("seat", f"there is nothing that seat {seat} can do now.")
    return seat


@app.command()
def serve(
    host: Annotated[
        str, typer.Option(help="Where to listen; 0.0.0.0 for phones and friends in the network.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes any that is free.")] = 8421,
    database: Annotated[
        str | None,
        typer.Option(
            help="sqlite:///FILE, or postgresql://USER:PASSWORD@HOST/NAME for several processes; "
            "a file in your data folder if left out."
        ),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes; several need PostgreSQL.")] = 1,
    public_url: Annotated[
        str | None,
        typer.Option(
            help="How people reach it, if that is through a proxy: https://cards.example."
        ),
    ] = None,
    tables_per_hour: Annotated[
        int, typer.Option(min=1, help="How many tables one address may open.")
    ] = 60,
    connections_per_address: Annotated[
        int, typer.Option(min=1, help="How many connections one address may have.")
    ] = 100,
    requests_per_second: Annotated[
        int, typer.Option(min=1, help="How many requests one address may send.")
    ] = 20,
    log_level: Annotated[str, typer.Option(help="debug, info, warning or error.")] = "warning",
    open: Annotated[bool, typer.Option("--open", help="Open the page in your browser.")] = False,
) -> None:
    """Serve the page to play in, and live tables over HTTP and WebSocket (docs/protocol.md).

    Logs are lines of JSON on stderr. SIGTERM and Ctrl-C stop it; nothing that was acknowledged is
    lost, whatever happens.
    """
    if log_level.lower() not in ("debug", "info", "warning", "error"):
        raise BadOption("log-level", f"is debug, info, warning or error, not {log_level}.")
    with getting_ready(console()):
        from lastcard.server.run import Settings
        from lastcard.server.run import serve as run

    run(
        Settings(
            host=host,
            port=port,
            database=database or f"sqlite:///{data_folder() / 'tables.db'}",
            workers=workers,
            public_url=public_url,
            tables_per_hour=tables_per_hour,
            connections_per_address=connections_per_address,
            requests_per_second=requests_per_second,
            log_level=log_level,
        ),
        open,
    )


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(help="A match file from a table.")],
    commitment: Annotated[
        str | None, typer.Option(help="The hash that the table showed before the first card.")
    ] = None,
    seed: Annotated[
        list[str] | None, typer.Option(help="A seed that somebody gave; may be given again.")
    ] = None,
) -> None:
    """Check a shuffle: that nobody chose the cards, and that they were dealt as they had to be."""
    screen = console()
    with getting_ready(screen):
        from lastcard.core import files, shuffle

        content = files.read(file)
        if content.shuffle is None:
            raise BadOption("file", f"{file} does not say how its key came about.")
        match = files.replay(content, file)  # deals all rounds again, and plays every move
        made = content.shuffle
        shuffle.check(made, match.players, match.seed, file)
    if commitment is not None and commitment.strip().lower() != made.commitment:
        raise BadFile(f"{file}: the hash in it is {made.commitment}, not the one you were shown.")
    for one in seed or []:
        if one not in made.seeds:
            raise BadFile(f"{file}: the seed {one!r} is not among those that were used.")
    print(
        f"{content.game}, {match.players} players, {len(match.moves)} moves: all as it had to be."
    )
    if not match.over:
        print("The match is not over in this file: its end may have been cut off.")
    print(f"Shown before the first card: {made.commitment}")
    for seat, given in enumerate(made.seeds):
        print(f"Seat {seat}: {'no seed' if given is None else f'seed {given}'}")
    if commitment is None:
        print("Is that the hash the table showed you? Give it as --commitment to have it compared.")


@app.command()
def arena(
    game: Annotated[str, typer.Argument(help="The game's id, such as chiko.")],
    bots: Annotated[
        str,
        typer.Option(
            help="Who sits at the table, with commas: easy, normal, hard, expert, random; "
            "search:20ms or search:1000 (playouts); my_bot.py:MyBot; oracle:50ms, which sees all "
            "cards."
        ),
    ] = "hard,normal",
    matches: Annotated[
        int,
        typer.Option(
            min=1, help="How many; rounded up, so that every deal is played in all seats."
        ),
    ] = 100,
    players: Annotated[
        int | None,
        typer.Option(help="How many play; the last bot takes the other seats."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed, the same deals.")] = 1,
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", help="A table option, as name=value.")
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, help="Processes; one for each core that bots leave."),
    ] = None,
    save: Annotated[Path | None, typer.Option(help="The file for the results (JSON).")] = None,
) -> None:
    """Let bots play each other, and count who wins.

    Every deal is played with the seats rotated. Ctrl-C stops; what has been played is kept.
    """
    screen = console()
    with getting_ready(screen):
        from rich.progress import Progress, TimeElapsedColumn, TimeRemainingColumn

        from lastcard.sim import arena as arenas

        plan = arenas.plan(
            known(game), read_bots(bots), matches, players, read_option_words(option or []), seed
        )
        count = min(workers or arenas.usual_workers(plan), plan.matches)
        path = save or new_file("arenas", f"{plan.game}-*")
        if path.exists():
            raise BadOption("save", f"{path} is there already.")
        path.touch()  # or it cannot be written: better now than after an hour
    results: list[arenas.Result] = []
    columns = (*Progress.get_default_columns()[:3], TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True) as progress:
        task = progress.add_task("", total=plan.matches)
        try:
            for result in arenas.run(plan, count):
                results.append(result)
                so_far = f"{len(results)} of {plan.matches} matches"
                progress.update(task, description=so_far, advance=1)
        except KeyboardInterrupt:
            progress.console.print("Stopping ...")
        finally:
            if results:
                arenas.save(plan, results, path)
            else:
                path.unlink()
            found = arenas.standings(plan, results)
    if found:
        screen.print(standings_table(plan, found))
        even = f"an even share is {100 / plan.players:.3g} %"
        sure = "" if found[0].wins.margin is None else "; ± is a 95 % confidence interval"
        print(f"{len(results)} matches; {even}{sure}.")
    else:
        print("No deal has been played in all seats.")
    if len(results) < plan.matches:
        print(f"Stopped after {len(results)} of {plan.matches} matches.")
    if results:
        print(f"All results: {path}")


def standings_table(plan: Plan, found: list[Standing]) -> Table:
    from rich.table import Table

    from lastcard.core.registry import game

    rules = game(plan.game)
    best = "lowest wins" if rules.rules.LOWEST_WINS else "highest wins"
    title = f"{rules.title}, {plan.players} players"
    table = Table(box=None, padding=(0, 2, 0, 0), title=title, title_justify="left")
    table.add_column("bot", no_wrap=True)
    for title in ("seats", "of the wins", f"score, {best}", "ms a choice"):
        table.add_column(title, justify="right")
    for one in found:
        wins = one.wins.times(100)
        table.add_row(one.bot, str(one.seats), f"{wins} %", str(one.score), f"{one.ms:.2f}")
    return table


@app.command()
def check(
    files: Annotated[list[Path], typer.Argument(help="Scenario files (YAML), or folders of them.")],
) -> None:
    """Run scenarios: print the first step of each that fails."""
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


@app.command()
def warm(
    game: Annotated[list[str] | None, typer.Argument(help="Which games; all if left out.")] = None,
) -> None:
    """Compile games now, so that none has to be waited for later."""
    screen = console()
    with getting_ready(screen):
        from rich.progress import Progress

        from lastcard.bots import bot
        from lastcard.core.game import FUNCTIONS
        from lastcard.core.registry import game as find
        from lastcard.core.registry import games as ids

        chosen = [find(id) for id in game or ids()]
    with Progress(console=screen) as progress:
        task = progress.add_task("", total=len(chosen) * (len(FUNCTIONS) + 2))
        for rules in chosen:
            progress.update(task, description=rules.title)
            for _ in rules.warming():
                progress.advance(task)
            for name in ("normal", "hard"):
                bot(name, rules).load()
                progress.advance(task)
        progress.update(task, description="Ready")


@app.command()
def bench(
    game: Annotated[list[str] | None, typer.Argument(help="Which games; all if left out.")] = None,
    players: Annotated[
        int, typer.Option(min=2, help="How many play, or as near to that as the game allows.")
    ] = 4,
    seconds: Annotated[float, typer.Option(min=0.1, help="How long each is measured.")] = 1.0,
    repeats: Annotated[int, typer.Option(min=1, help="How often each is measured.")] = 15,
    search: Annotated[
        bool, typer.Option("--search", help="Measure search instead: Sixth Sense, 4 players.")
    ] = False,
) -> None:
    """Measure speed on one core, side by side with peers.

    Random play, or search, beside OpenSpiel and RLCard.
    """
    if search and game:
        raise BadOption("search", "is measured with Sixth Sense; no other game can be named.")
    screen = console()
    with getting_ready(screen):
        from rich.progress import Progress
        from rich.table import Table

        from lastcard.sim import bench as benches

        mine, peers, absent = (
            benches.searchers() if search else benches.contestants(game or [], players)
        )
    everybody = [*mine, *peers]
    with Progress(console=screen, transient=True) as progress:
        task = progress.add_task("", total=repeats * len(everybody))
        for name in benches.run(everybody, seconds, repeats):
            progress.update(task, description=name, advance=1)
    table = Table(box=None, padding=(0, 1, 0, 0))
    what = "iterations of search" if search else "decisions"
    table.add_column(f"{what} per second, one core", no_wrap=True)
    columns = [f"x {peer.game.replace('_', ' ')}" for peer in peers]
    for title in ("median", "lowest", "highest", *columns):
        table.add_column(title, justify="right")
    for one in everybody:
        ratios = [f"{one.times(peer):.1f}" for peer in peers] if one in mine else []
        speeds = (one.median, min(one.speeds), max(one.speeds))
        table.add_row(one.name, *map(benches.rounded, speeds), *ratios)
    screen.print(table)
    screen.print(f"Medians of {repeats} repeats of {seconds:g} s each, after warm-up.")
    for name in absent:
        print(f"{name} is not installed; to compare: pip install 'lastcard[bench]'")


def main(arguments: list[str] | None = None) -> None:
    """Runs the command; what a person did wrong is one sentence, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal may not have every letter
    try:
        app(arguments, prog_name="lastcard")
    except LastCardError as error:
        print(f"lastcard: {error}", file=sys.stderr)
        sys.exit(BAD_INPUT)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"lastcard: {where}{error.strerror or error}.", file=sys.stderr)
        sys.exit(BAD_INPUT)


if __name__ == "__main__":
    main()
