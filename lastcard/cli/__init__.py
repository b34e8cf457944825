"""The command `lastcard`. Commands import heavy modules only when they run."""

from __future__ import annotations

import io
import sys
from typing import Annotated

import typer

from lastcard import __version__
from lastcard.errors import LastCardError

from .believing import believe
from .checking import check, verify
from .common import BAD_INPUT
from .engines import build, doctor
from .measuring import arena, bench, warm
from .playing import games, hint, play, replay, rules
from .serving import backup, restore, serve, site
from .simulating import simulate
from .studying import habits, study
from .training import train

app = typer.Typer(
    name="lastcard",
    help="Five family table games: play them, check their rules, measure them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help appears in half the time
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (
    *(games, rules, play, replay, hint, serve, site, backup, restore, verify, arena, check),
    *(simulate, study, habits, train, believe, build, doctor, warm, bench),
):
    app.command()(command)


@app.callback(invoke_without_command=True)
def version(
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    if version:
        print(f"lastcard {__version__}")
        raise typer.Exit


def main(arguments: list[str] | None = None) -> None:
    """Runs the command. A user's mistake is answered with one sentence, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # the terminal may lack some characters
    try:
        if any("\0" in one for one in arguments or ()):
            raise LastCardError("no file name has an embedded null character.")
        app(arguments, prog_name="lastcard")
    except LastCardError as error:
        print(f"lastcard: {error}", file=sys.stderr)
        sys.exit(BAD_INPUT)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"lastcard: {where}{error.strerror or error}.", file=sys.stderr)
        sys.exit(BAD_INPUT)
