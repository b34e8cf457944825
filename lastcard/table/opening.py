"""Opening a database by its address."""

from __future__ import annotations

from pathlib import Path

from lastcard.errors import BadOption

from .database import SQLITE, Address, Database, DatabaseError, read_address
from .schema import NewerSchema, migrate
from .sqlite import Sqlite


async def open_database(address: str, *, serving: bool = True) -> Database:
    """A database that answers and is migrated; or raises BadOption with a sentence.

    Who serves an SQLite file has it for himself; who only copies need not."""
    where = read_address(address)
    opened = await unopened(where, serving=serving)
    try:
        await migrate(opened)
    except BaseException as error:
        await opened.close()
        if isinstance(error, DatabaseError):
            raise BadOption("database", f"{where} does not answer: {error}.") from None
        if isinstance(error, NewerSchema):
            raise BadOption("database", f"{where} is of a newer version of Last Card.") from None
        raise
    return opened


async def unopened(where: Address, *, serving: bool = True) -> Database:
    """A database as it is, whether it answers or not."""
    if where.kind == SQLITE:
        return Sqlite(Path(where.name), serving)
    try:
        from .postgres import Postgres
    except ModuleNotFoundError as error:
        if error.name != "asyncpg":
            raise
        raise BadOption(
            "database", "PostgreSQL needs one more package: pip install 'lastcard[postgres]'."
        ) from None
    return await Postgres.open(where)
