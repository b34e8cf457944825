"""What several commands share: arguments, the screen, and where files go."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from lastcard.errors import BadOption

if TYPE_CHECKING:
    from rich.console import Console
    from rich.status import Status

FAILED = 1  # exit code: a check failed
BAD_INPUT = 2  # exit code: wrong usage, or a file that cannot be used


def console() -> Console:
    from rich.console import Console

    screen = Console(highlight=False)
    if not screen.is_terminal:
        screen.width = 100
    return screen


@contextmanager
def getting_ready(screen: Console) -> Iterator[Status]:
    """A spinner while the rules are loaded, or compiled for the first time."""
    with screen.status("Getting ready (takes a few seconds the first time) ...") as status:
        yield status


def find_id(name: str) -> str:
    """A game's id from its id or title, whatever the case, spaces and hyphens.

    An unknown name is returned as it is: looking it up says which games there are.
    """
    with getting_ready(console()):
        from lastcard.core.registry import game, games

    def letters(text: str) -> str:
        return re.sub(r"[\W_]", "", text).lower()

    wanted = letters(name)
    ids = {letters(id): id for id in games()}
    if wanted in ids:
        return ids[wanted]
    return {letters(game(id).title): id for id in games()}.get(wanted, name)


GAME = typer.Argument(parser=find_id, help="A game's id or title, as `lastcard games` lists them.")
GAMES = typer.Argument(parser=find_id, help="Ids or titles of games.  [default: all games]")
GameArgument: TypeAlias = Annotated[str, GAME]
GamesArgument: TypeAlias = Annotated[list[str] | None, GAMES]
OptionWords: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", help="A game option, as name=value. Can be repeated."),
]


def read_option_words(words: list[str] | None) -> dict[str, str]:
    from lastcard.kernel.texts import show

    options = {}
    for word in words or []:
        name, equals, value = word.partition("=")
        if not equals:
            raise BadOption("options", f"are written name=value, not {show(word)}.")
        options[name.strip()] = value.strip()
    return options


def read_bots(names: str) -> list[str]:
    return [name.strip() for name in names.split(",")]


def own_command() -> str:
    """How to run this command again: by its path if the shell would not find it."""
    called = Path(sys.argv[0])
    if called.name != "lastcard" or shutil.which("lastcard"):
        return "lastcard"
    return os.path.relpath(called)


def data_folder() -> Path:
    """Where files go unless the user says otherwise."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "lastcard"


def new_file(folder: str, name: str) -> Path:
    """An unused path in the data folder; `*` in the name becomes the time."""
    path = data_folder() / folder
    path.mkdir(parents=True, exist_ok=True)
    stamp = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    return path / f"{name.replace('*', stamp)}-{secrets.token_hex(2)}.json"


def refuse_existing(path: Path) -> None:
    if path.exists():
        raise BadOption("save", f"{path} already exists.")
