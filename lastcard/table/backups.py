"""Copies of all tables, made and put back while servers run. A copy is an SQLite file, whatever the
database is: it can be served as it is, or restored into any other."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from lastcard.errors import BadFile, BadOption

from . import schema
from .database import SQLITE, Connection, Database, DatabaseError, Row, read_address
from .opening import open_database, unopened

if TYPE_CHECKING:
    from .postgres import Postgres

AT_ONCE = 100  # tables that are looked up, before each is written in a transaction of its own
ROWS = 1000  # of a copy, in a transaction
KEPT = ("tables", "entries")  # what is counted

Told = Callable[[int], None]  # how many tables are done


@dataclass(frozen=True)
class Copied:
    tables: int
    entries: int


@dataclass(frozen=True)
class Restored:
    added: int
    known: int  # tables that were there already, and were left alone


async def back_up(address: str, target: Path) -> Copied:
    """Copies what is committed at this moment; servers are not held up."""
    where = read_address(address)
    if target.exists():
        raise BadFile(f"{target} is there already: name another file.")
    with _appearing(target) as part:
        if where.kind == SQLITE:
            _copy_file(Path(where.name), part)
        else:
            database: Postgres = await unopened(where)  # type: ignore[assignment]
            try:
                await _copy_rows(database, part)
            except DatabaseError as error:
                raise BadOption("database", f"{where} does not answer: {error}.") from None
            finally:
                await database.close()
        return _counted(part)


async def restore(source: Path, address: str, told: Told = lambda done: None) -> Restored:
    """Adds the tables of a copy that are not there. Others stay as they are: they may have gone on
    since."""
    with tempfile.TemporaryDirectory(prefix="lastcard-") as folder:
        copy = Path(folder, "copy.db")
        if not source.is_file():
            raise BadFile(f"there is no file {source}.")
        try:
            _vacuum(source, copy)  # it may be of an earlier version: then the copy is migrated
            _counted(copy)
            opened = await open_database(f"sqlite:///{copy}", serving=False)
        except (sqlite3.Error, BadOption):
            raise BadFile(f"{source}: damaged, or not a backup of Last Card.") from None
        try:
            target = await open_database(address, serving=False)
            try:
                return await _add(opened, target, told)
            finally:
                await target.close()
        finally:
            await opened.close()


@contextlib.contextmanager
def _appearing(target: Path) -> Iterator[Path]:
    """A file beside it that takes its name once it is whole, and on disk."""
    part = target.with_name(f".{target.name}.part")
    part.unlink(missing_ok=True)
    try:
        yield part
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.rename(target)
    finally:
        part.unlink(missing_ok=True)


def _copy_file(path: Path, part: Path) -> None:
    if not path.is_file():
        raise BadOption("database", f"there is no file {path}.")
    try:
        _vacuum(path, part)
    except sqlite3.Error as error:
        raise BadFile(f"{path} cannot be copied: {error}.") from None


def _vacuum(path: Path, into: Path) -> None:
    """All of a database as of one moment, whoever writes to it meanwhile."""
    with contextlib.closing(_read_only(path)) as raw:
        raw.execute("VACUUM INTO ?", (str(into),))


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)


async def _copy_rows(database: Postgres, part: Path) -> None:
    copy = await open_database(f"sqlite:///{part}", serving=False)
    try:
        async with database.snapshot() as rows:
            for table, columns in schema.COLUMNS.items():
                insert = schema.insert_into(table)
                async for some in _batches(rows(f"SELECT {', '.join(columns)} FROM {table}")):
                    await copy.write(partial(_insert, insert=insert, rows=some))
    finally:
        await copy.close()
    with contextlib.closing(sqlite3.connect(part)) as raw:
        raw.execute("PRAGMA journal_mode=DELETE")  # one file, with nothing beside it


async def _insert(connection: Connection, insert: str, rows: Sequence[Row]) -> None:
    for row in rows:
        await connection.execute(insert, *row)


async def _batches(rows: AsyncIterator[Row]) -> AsyncIterator[list[Row]]:
    some: list[Row] = []
    async for row in rows:
        some.append(row)
        if len(some) == ROWS:
            yield some
            some = []
    if some:
        yield some


def _counted(copy: Path) -> Copied:
    """What a copy holds; raises sqlite3.Error if it is damaged."""
    with contextlib.closing(_read_only(copy)) as raw:
        (fine,) = raw.execute("PRAGMA quick_check(1)").fetchone()
        if fine != "ok":
            raise sqlite3.DatabaseError(fine)
        counts = [raw.execute(f"SELECT count(*) FROM {one}").fetchone()[0] for one in KEPT]
        return Copied(*counts)


async def _add(source: Database, target: Database, told: Told) -> Restored:
    ids = [id for (id,) in await source.read(lambda one: one.execute(schema.ALL_TABLES))]
    added = 0
    for first in range(0, len(ids), AT_ONCE):
        some = ids[first : first + AT_ONCE]
        known = await target.read(partial(_known, ids=some))
        for id in some:
            if id not in known:
                rows = await source.read(partial(_rows_of, id=id))
                await target.write(partial(_put, rows=rows))
                added += 1
        told(first + len(some))
    return Restored(added, len(ids) - added)


async def _known(connection: Connection, ids: Sequence[str]) -> set[str]:
    found = await connection.execute(schema.KNOWN + schema.places(len(ids)), *ids)
    return {id for (id,) in found}


async def _rows_of(connection: Connection, id: str) -> dict[str, Sequence[Row]]:
    """All that is kept of a table."""
    return {
        table: await connection.execute(
            f"SELECT {', '.join(columns)} FROM {table} WHERE {columns[0]} = ?", id
        )
        for table, columns in schema.COLUMNS.items()
    }


async def _put(connection: Connection, rows: dict[str, Sequence[Row]]) -> None:
    for table, insert in ((one, schema.insert_into(one)) for one in schema.COLUMNS):
        flag = schema.COLUMNS[table].index("listed") if table == "tables" else None
        for row in rows[table]:  # SQLite has no booleans
            values = [bool(value) if n == flag else value for n, value in enumerate(row)]
            await connection.execute(insert, *values)
