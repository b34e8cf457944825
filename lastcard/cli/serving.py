"""Commands that bring the page to people: serve, site, backup, restore."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from lastcard.errors import BadOption

from .common import console, data_folder, getting_ready

DatabaseOption = Annotated[
    str | None,
    typer.Option(
        help="sqlite:///FILE, or postgresql://USER:PASSWORD@HOST/NAME for several processes.  "
        "[default: a file in your data folder]"
    ),
]
KeepOption = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="DAYS",
        help="Remove tables, with their replays, that nobody has used for so many days.  "
        "[default: keep all]",
    ),
]
LOG_LEVELS = ("debug", "info", "warning", "error")


def serve(
    host: Annotated[
        str,
        typer.Option(help="Address to listen on; 0.0.0.0 lets phones in the same network join."),
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0 picks a free one.")
    ] = 8421,
    database: DatabaseOption = None,
    workers: Annotated[
        int, typer.Option(min=1, help="Number of processes; more than one needs PostgreSQL.")
    ] = 1,
    public_url: Annotated[
        str | None,
        typer.Option(help="The address people use, if behind a proxy: https://cards.example."),
    ] = None,
    tables_per_hour: Annotated[
        int, typer.Option(min=1, help="Tables that one address may open per hour.")
    ] = 60,
    connections_per_address: Annotated[
        int, typer.Option(min=1, help="Connections that one address may have open.")
    ] = 100,
    requests_per_second: Annotated[
        int, typer.Option(min=1, help="Requests that one address may send per second.")
    ] = 20,
    keep: KeepOption = None,
    log_level: Annotated[str, typer.Option(help="debug, info, warning or error.")] = "warning",
    open: Annotated[bool, typer.Option("--open", help="Open the page in your browser.")] = False,
) -> None:
    """Serve the web page, and live tables for it and for bots.

    docs/protocol.md describes how clients talk to it. Logs are lines of JSON on stderr. SIGTERM or
    Ctrl-C stops the server; acknowledged moves are never lost.
    """
    if log_level.lower() not in LOG_LEVELS:
        raise BadOption("log-level", f"is debug, info, warning or error, not {log_level}.")
    with getting_ready(console()):
        from lastcard.server.run import Settings
        from lastcard.server.run import serve as run

    run(
        Settings(
            host=host,
            port=port,
            database=_address(database),
            workers=workers,
            public_url=public_url,
            tables_per_hour=tables_per_hour,
            connections_per_address=connections_per_address,
            requests_per_second=requests_per_second,
            log_level=log_level,
            keep=keep,
        ),
        open,
    )


def site(
    out: Annotated[Path, typer.Argument(help="The folder; an older site in it is replaced.")],
    live: Annotated[
        str | None, typer.Option(help="Where live tables are to be had: https://cards.example.")
    ] = None,
) -> None:
    """Write the page as a folder for any web host: everything but live tables, without a server.

    Addresses in it are relative: it may lie anywhere, such as under /cards/. docs/offline.md says
    more.
    """
    with getting_ready(console()):
        from lastcard.server.site import write_site

        done = write_site(out, live)
    sizes = f"{done.plain / 1000:,.0f} kB, {done.packed / 1000:,.0f} kB compressed"
    print(f"{out}: {done.files} files, {sizes}.")
    if done.kept:
        print(f"Files of the version before that are kept, for pages that are open: {done.kept}.")
    if done.left_out:
        print(f"Left out, since they have no face or no engine: {', '.join(done.left_out)}.")
    if live is None:
        print("To say where live tables are to be had: --live https://cards.example")


def backup(
    file: Annotated[Path, typer.Argument(help="The file to write. It must not be there yet.")],
    database: DatabaseOption = None,
) -> None:
    """Copy all tables to a file, while the server runs or not.

    The file is an SQLite database, whatever the server uses: restore puts it back anywhere.
    """
    screen = console()
    with getting_ready(screen):
        from lastcard.table.backups import back_up
    with screen.status("Copying"):
        copied = asyncio.run(back_up(_address(database), file))
    size = file.stat().st_size / 1e6
    print(f"{file}: {copied.tables:,} tables, {copied.entries:,} entries, {size:,.1f} MB.")


def restore(
    file: Annotated[Path, typer.Argument(help="A file that backup has written.")],
    database: DatabaseOption = None,
) -> None:
    """Put the tables of a backup back, while the server runs or not.

    Tables that are there already stay as they are: they may have gone on since.
    """
    screen = console()
    with getting_ready(screen):
        from rich.progress import Progress

        from lastcard.table.backups import restore as put_back
    with Progress(console=screen, transient=True) as progress:
        task = progress.add_task("Restoring tables", total=None)
        done = put_back(file, _address(database), lambda n: progress.update(task, completed=n))
        restored = asyncio.run(done)
    print(f"{restored.added:,} tables restored, {restored.known:,} were there already.")


def _address(database: str | None) -> str:
    return database or f"sqlite:///{data_folder() / 'tables.db'}"
