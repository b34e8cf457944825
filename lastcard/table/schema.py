"""The schema, how it came to be, and the statements that read and write it.

They are the same for SQLite and PostgreSQL: `?` is a value, and BYTES the type of columns of bytes.
"""

from __future__ import annotations

from . import entries
from .database import Connection, Database

# Each is done in a transaction of its own. Those that databases have are never changed any more.
MIGRATIONS: dict[str, tuple[str, ...]] = {
    "0001": (
        """
        CREATE TABLE tables (
            id VARCHAR(32) NOT NULL PRIMARY KEY,
            created FLOAT NOT NULL,  -- seconds since 1970
            setup TEXT NOT NULL,  -- JSON
            secret VARCHAR(64) NOT NULL,
            listed BOOLEAN NOT NULL,  -- public, with people at it, and not over
            summary TEXT NOT NULL  -- JSON, for the list
        )""",
        "CREATE INDEX tables_listed ON tables (listed, created)",
        """
        CREATE TABLE entries (
            table_id VARCHAR(32) NOT NULL REFERENCES tables (id),
            seq INTEGER NOT NULL,  -- 1, 2, ...; the primary key decides who was first
            at FLOAT NOT NULL,
            body BYTES NOT NULL,  -- JSON: see entries.py
            PRIMARY KEY (table_id, seq)
        )""",
    ),
    "0002": (
        # A cache: all of it follows from the entries.
        """
        CREATE TABLE starts (
            table_id VARCHAR(32) NOT NULL REFERENCES tables (id),
            number INTEGER NOT NULL,  -- of the match
            body BYTES NOT NULL,  -- JSON: see Start in table.py
            PRIMARY KEY (table_id, number)
        )""",
        # One row, updated to check that the database can be written to.
        "CREATE TABLE health (id INTEGER NOT NULL PRIMARY KEY, at FLOAT NOT NULL)",
        "INSERT INTO health (id, at) VALUES (1, 0.0)",
    ),
}

# Which migration was the last. Alembic once did this: its table serves on, so that older databases
# can be opened, and older versions of this software can open newer ones.
VERSION_TABLE = "alembic_version"
MAKE_VERSION = f"""
    CREATE TABLE {VERSION_TABLE} (
        version_num VARCHAR(32) NOT NULL,
        CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
    )"""
VERSION = f"SELECT version_num FROM {VERSION_TABLE}"
FIRST_VERSION = f"INSERT INTO {VERSION_TABLE} (version_num) VALUES (?)"
NEXT_VERSION = f"UPDATE {VERSION_TABLE} SET version_num = ?"

FOUND = """
    INSERT INTO tables (id, created, setup, secret, listed, summary) VALUES (?, ?, ?, ?, ?, ?)"""
FOUNDED = "SELECT created, setup, secret FROM tables WHERE id = ?"
RELIST = "UPDATE tables SET listed = ?, summary = ? WHERE id = ?"
LISTED = """
    SELECT summary FROM tables WHERE listed = TRUE AND created > ? ORDER BY created DESC LIMIT ?"""

ADD_ENTRIES = "INSERT INTO entries (table_id, seq, at, body)"
_SOME = "SELECT seq, at, body FROM entries WHERE table_id = ? AND seq > ? AND seq <= ?"
_IS_STEP = " OR ".join(f"substr(body, 1, {len(kind)}) = ?" for kind in entries.STEP_STARTS)
LINES = f"{_SOME} ORDER BY seq"
STEPS = f"{_SOME} AND ({_IS_STEP}) ORDER BY seq"
NEWEST = """
    SELECT id, coalesce((SELECT max(seq) FROM entries WHERE table_id = tables.id), 0)
    FROM tables WHERE id IN """


def keep(count: int) -> str:
    """Keeps so many starts."""
    rows = ", ".join([places(3)] * count)
    return f"INSERT INTO starts (table_id, number, body) VALUES {rows} ON CONFLICT DO NOTHING"


START = """
    SELECT body FROM starts WHERE table_id = ? AND number <= ? ORDER BY number DESC LIMIT 1"""

# All that is kept, in an order in which it can be put back; the first column names the table.
COLUMNS = {
    "tables": ("id", "created", "setup", "secret", "listed", "summary"),
    "entries": ("table_id", "seq", "at", "body"),
    "starts": ("table_id", "number", "body"),
}
ALL_TABLES = "SELECT id FROM tables ORDER BY created, id"
KNOWN = "SELECT id FROM tables WHERE id IN "

# Tables that nobody has used since some time, oldest first, from some time on.
UNUSED = """
    SELECT id, created FROM tables WHERE created < ? AND created > ? AND coalesce(
        (SELECT at FROM entries WHERE table_id = tables.id ORDER BY seq DESC LIMIT 1), created) < ?
    ORDER BY created, id LIMIT ?"""

PROBE = "UPDATE health SET at = ?"

LAST = 2**31 - 1  # no number of an entry or a match is larger


class NewerSchema(Exception):
    """Some later version of this software has migrated the database."""


def insert_into(table: str) -> str:
    columns = COLUMNS[table]
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES {places(len(columns))}"


def removals(count: int) -> list[str]:
    """Statements that remove so many tables, with all that is kept of them."""
    backwards = reversed(COLUMNS.items())
    return [
        f"DELETE FROM {name} WHERE {columns[0]} IN {places(count)}" for name, columns in backwards
    ]


def places(count: int) -> str:
    """(?, ?, ...)"""
    return f"({', '.join('?' * count)})"


async def migrate(database: Database) -> None:
    """Does what is still to be done; of several processes that try, one does it."""
    while await database.read(_next) is not None:
        await database.write(_migrate_once)


async def _next(connection: Connection) -> str | None:
    """The next migration to be done."""
    names = list(MIGRATIONS)
    done = await _version(connection)
    if done is None:
        return names[0]
    if done not in MIGRATIONS:
        raise NewerSchema(done)
    return next((name for name in names if name > done), None)


async def _version(connection: Connection) -> str | None:
    """The last migration that was done."""
    if not await connection.has_table(VERSION_TABLE):
        return None
    found = await connection.execute(VERSION)
    return max((row[0] for row in found), default=None)


async def _migrate_once(connection: Connection) -> None:
    await connection.wait_for_other_migrations()
    name = await _next(connection)
    if name is None:
        return  # another process was faster
    for statement in MIGRATIONS[name]:
        await connection.execute(statement.replace("BYTES", connection.bytes_type))
    if not await connection.has_table(VERSION_TABLE):
        await connection.execute(MAKE_VERSION)
    known = await _version(connection) is not None
    await connection.execute(NEXT_VERSION if known else FIRST_VERSION, name)
