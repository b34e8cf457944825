"""Commands for playing: games, rules, play, replay, hint."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lastcard.errors import BadOption

from .common import (
    GAME,
    GameArgument,
    OptionWords,
    console,
    getting_ready,
    new_file,
    own_command,
    read_bots,
    read_option_words,
    refuse_existing,
)

if TYPE_CHECKING:
    from rich.console import Console

    from lastcard.core.match import Match
    from lastcard.terminal import Session

USUAL_PLAYERS = 3


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


def rules(game: GameArgument) -> None:
    """Show a game's rules and options."""
    screen = console()
    with getting_ready(screen):
        from rich.markdown import Markdown

        from lastcard.core.registry import game as find

    screen.print(Markdown(find(game).page))


def play(
    game: Annotated[str | None, GAME] = None,
    players: Annotated[
        int | None,
        typer.Option(help="Number of players, bots included.  [default: 3, if the game allows]"),
    ] = None,
    hotseat: Annotated[
        int | None, typer.Option(help="How many of them are people at this screen.  [default: 1]")
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option(help="A number or 64 hex digits. The same seed deals the same cards."),
    ] = None,
    option: OptionWords = None,
    bots: Annotated[
        str | None,
        typer.Option(
            help="easy, normal, hard, expert, master, learned (a network alone), random or "
            "search:20ms. Separate several with commas; the last one takes all remaining seats.  "
            "[default: normal]"
        ),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(help="Save the match to this file.  [default: a file in your data folder]"),
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(help="Continue a saved match. Takes no other arguments.")
    ] = None,
) -> None:
    """Play in the terminal, against bots or with friends at one screen."""
    screen = console()
    with getting_ready(screen):
        from lastcard.terminal import LeaveSession

        if resume is None:
            session = new_session(screen, game, players, hotseat, seed, option, bots, save)
        elif any((game, players, hotseat, seed, option, bots, save)):
            raise BadOption("resume", "takes no other arguments: the file has them.")
        else:
            session = resumed_session(screen, resume)
    watch = f"{own_command()} replay {session.path}"
    if session.match.over:
        print(f"This match is over. To watch it: {watch}")
        return
    try:
        session.play()
        print(f"\nTo watch it again: {watch}")
    except (LeaveSession, KeyboardInterrupt):
        print(f"\nSaved. To continue: {own_command()} play --resume {session.path}")


def new_session(
    screen: Console,
    game: str | None,
    players: int | None,
    hotseat: int | None,
    seed: str | None,
    option: list[str] | None,
    bots: str | None,
    save: Path | None,
) -> Session:
    from lastcard.bots import bot
    from lastcard.core.registry import game as find
    from lastcard.core.registry import games as ids
    from lastcard.terminal import HUMAN, Session

    if game is None:
        raise BadOption("game", f"which one? There are {', '.join(ids())}.")
    rules = find(game)
    usual = min(max(USUAL_PLAYERS, rules.fewest), rules.most)
    count = rules.read_players(usual if players is None else players)
    people = 1 if hotseat is None else hotseat
    if not 1 <= people <= count:
        raise BadOption("hotseat", f"must be from 1 to {count}, not {people}.")
    kinds = read_bots(bots or "normal")
    for kind in kinds:
        bot(kind, rules)  # raises if there is no such bot
    free = count - people
    if len(kinds) > free and bots is not None:
        seats_left = "1 seat is" if free == 1 else f"{free} seats are"
        raise BadOption("bots", f"{len(kinds)} named, but {seats_left} left for them.")
    match = rules.match(count, seed, read_option_words(option))
    seats = [HUMAN] * people + (kinds + kinds[-1:] * count)[:free]
    path = save or new_file("matches", f"{rules.id}-*")
    refuse_existing(path)
    warm_up(match)
    return Session(screen, match, seats, path)


def resumed_session(screen: Console, path: Path) -> Session:
    from lastcard.core import files
    from lastcard.terminal import HUMAN, Session

    file = files.read(path)
    match = files.replay(file, path)
    seats = file.seats or [HUMAN] * match.players
    if HUMAN not in seats:
        raise BadOption("resume", f"only bots play in {path}; lastcard replay shows it.")
    warm_up(match)
    session = Session(screen, match, seats, path)
    session.recall(file)
    return session


def warm_up(match: Match) -> None:
    match.game.warm("new", "waiting", "bystanders", "legal", "apply", "hide")


def replay(
    file: Annotated[Path, typer.Argument(help="A saved match.")],
    seat: Annotated[
        int | None, typer.Option(help="Show only what this seat could see. The first seat is 0.")
    ] = None,
) -> None:
    """Step through a saved match, with all cards face up if it is over."""
    screen = console()
    with getting_ready(screen):
        from lastcard.core import files
        from lastcard.terminal import HUMAN, Replay

        content = files.read(file)
        match = files.replay(content, file)
    people = [at for at, kind in enumerate(content.seats or []) if kind == HUMAN]
    if seat is not None:
        check_seat(match, seat)
    # While the match is running, a replay must not reveal what a seat may not know yet.
    if not match.over and seat is not None and seat not in people:
        raise BadOption("seat", f"the match is still running, and seat {seat} is a bot.")
    all_open = match.over and seat is None
    if seat is None and len(people) == 1:
        seat = people[0]
    Replay(screen, content, file, seat, all_open).run()


def check_seat(match: Match, seat: int) -> None:
    if not 0 <= seat < match.players:
        raise BadOption("seat", f"must be from 0 to {match.players - 1}, not {seat}.")


def hint(
    file: Annotated[Path, typer.Argument(help="A saved match, or a scenario (YAML).")],
    seat: Annotated[
        int | None,
        typer.Option(help="Who asks; the first seat is 0.  [default: the player to act]"),
    ] = None,
    think: Annotated[
        str, typer.Option(help="How long to search: 2000ms, or 5000 for that many playouts.")
    ] = "2000ms",
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="With playouts, the same seed gives the same answer."),
    ] = None,
) -> None:
    """Show what search would do, and how likely each action is to win; and what the self-taught
    bot would do.

    Takes a saved match in which it is a person's turn, or the starting position of a scenario.
    """
    screen = console()
    with getting_ready(screen) as status:
        from lastcard.bots import adviser
        from lastcard.bots.learned import opinions_of
        from lastcard.bots.playouts import TREE
        from lastcard.bots.search import read_budget
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
        # Playouts are for repeatable answers, and only one thread is repeatable on every machine.
        threads = 1 if budget.ms is None else os.cpu_count() or 1
        chance = secrets.randbits(64) if seed is None else seed
        player = adviser(match.game, chance, budget, threads)
        player.load()
        status.update("Thinking ...")
        judged = player.advise(match, asking)
    view = match.view(asking)
    screen.print(table_of(match.game, view, names_of(kinds, asking)))
    screen.print()
    trusting = player.manner(match.players).way != TREE
    opinions = opinions_of(match.game, match, asking)
    screen.print(advice_of(match.game, view, judged, trusting, opinions=opinions))


def who_asks(match: Match, people: list[int], seat: int | None) -> int:
    """The seat to advise. Never a bot's: that would reveal its hand."""
    if match.over:
        raise BadOption("match", "it is over; there is nothing left to do.")
    able = [at for at in [*match.waiting, *match.bystanders] if at in people]
    if seat is None and able:
        return int(able[0])
    if seat is None:
        raise BadOption("seat", "no person can act now.")
    check_seat(match, seat)
    if seat not in people:
        raise BadOption("seat", f"the match is still running, and seat {seat} is a bot.")
    if seat not in able:
        raise BadOption("seat", f"seat {seat} cannot act now.")
    return seat
