"""Databases as earlier versions of this software left them, past our own code."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import asyncpg

# What Alembic, which did this earlier, left behind after each migration.
ALEMBIC = {
    "0001": (
        "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, "
        "CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))",
        "CREATE TABLE tables (id VARCHAR(32) NOT NULL, created FLOAT NOT NULL, "
        "setup TEXT NOT NULL, secret VARCHAR(64) NOT NULL, listed BOOLEAN NOT NULL, "
        "summary TEXT NOT NULL, PRIMARY KEY (id))",
        "CREATE INDEX tables_listed ON tables (listed, created)",
        "CREATE TABLE entries (table_id VARCHAR(32) NOT NULL, seq INTEGER NOT NULL, "
        "at FLOAT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (table_id, seq), "
        "FOREIGN KEY(table_id) REFERENCES tables (id))",
        "INSERT INTO alembic_version (version_num) VALUES ('0001')",
    ),
    "0002": (
        "CREATE TABLE starts (table_id VARCHAR(32) NOT NULL, number INTEGER NOT NULL, "
        "body BLOB NOT NULL, PRIMARY KEY (table_id, number), "
        "FOREIGN KEY(table_id) REFERENCES tables (id))",
        "CREATE TABLE health (id SERIAL NOT NULL, at FLOAT NOT NULL, PRIMARY KEY (id))",
        "INSERT INTO health (id, at) VALUES (1, 0.0)",
        "UPDATE alembic_version SET version_num = '0002'",
    ),
}


def in_sql_of(database: str, statement: str) -> str:
    is_sqlite = database.startswith("sqlite")
    return statement.replace(*(("SERIAL", "INTEGER") if is_sqlite else ("BLOB", "BYTEA")))


def path_of(database: str) -> Path:
    return Path(database.removeprefix("sqlite:///"))


def run(database: str, *statements: str) -> list[Any]:
    """Runs statements past our own code; returns what the last one found."""

    async def postgresql() -> list[Any]:
        connection = await asyncpg.connect(database)
        try:
            found: list[Any] = []
            for statement in statements:
                found = [tuple(row) for row in await connection.fetch(statement)]
            return found
        finally:
            await connection.close()

    if not database.startswith("sqlite"):
        return asyncio.run(postgresql())
    with contextlib.closing(sqlite3.connect(path_of(database))) as connection:
        found: list[Any] = []
        for statement in statements:
            found = connection.execute(statement).fetchall()
        connection.commit()
        return found


def made_by_alembic(database: str, version: str) -> None:
    """With nothing in it."""
    migrations = [some for name, some in ALEMBIC.items() if name <= version]
    run(database, *(in_sql_of(database, one) for some in migrations for one in some))


def insert(database: str, table: str, rows: Sequence[Sequence[Any]]) -> None:
    """Rows of all columns."""

    async def postgresql() -> None:
        connection = await asyncpg.connect(database)
        try:
            places = ", ".join(f"${number + 1}" for number in range(len(rows[0])))
            await connection.executemany(f"INSERT INTO {table} VALUES ({places})", rows)
        finally:
            await connection.close()

    if not database.startswith("sqlite"):
        asyncio.run(postgresql())
        return
    with contextlib.closing(sqlite3.connect(path_of(database))) as connection:
        places = ", ".join("?" * len(rows[0]))
        connection.executemany(f"INSERT INTO {table} VALUES ({places})", rows)
        connection.commit()
