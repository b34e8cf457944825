"""The schema, and how databases of earlier versions get there."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from lastcard.errors import BadOption
from lastcard.table import schema
from lastcard.table.sqlite import Sqlite
from tests.table.earlier import ALEMBIC, in_sql_of, made_by_alembic, path_of, run
from tests.table.stores import appended, founded, line, opened

# A table with an entry.
WRITTEN = (
    "INSERT INTO tables VALUES ('kept', 12.5, '{\"game\": \"chiko\"}', "
    f"'{'ab' * 32}', FALSE, '{{}}')",
    "INSERT INTO entries VALUES ('kept', 1, 1.5, CAST('{}' AS BLOB))",
)
OPENING = """
import asyncio, sys
from lastcard.errors import BadOption
from lastcard.table.store import Store

async def main():
    while True:
        try:
            store = await Store.open(sys.argv[1])
        except BadOption as error:
            if "in use by another server" not in str(error):
                raise
            await asyncio.sleep(0.01)
        else:
            assert await store.is_writable()
            return await store.close()

print("ready", flush=True)
sys.stdin.readline()
asyncio.run(main())
"""


def with_an_entry(database: str, version: str) -> None:
    made_by_alembic(database, version)
    run(database, *(in_sql_of(database, one) for one in WRITTEN))


def shape(database: str) -> list[Any]:
    """All tables with their columns, keys and indexes."""
    if database.startswith("sqlite"):
        names = run(database, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        found = [
            (name, kind, run(database, f"SELECT * FROM pragma_{kind}('{name}')"))
            for (name,) in names
            for kind in ("table_info", "foreign_key_list", "index_list")
        ]
        return [*found, run(database, "SELECT * FROM pragma_index_info('tables_listed')")]
    columns = (
        "SELECT table_name, column_name, data_type, character_maximum_length, is_nullable "
        "FROM information_schema.columns WHERE table_schema = 'public' "
        "ORDER BY table_name, ordinal_position"
    )
    indexes = "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexname"
    keys = (
        "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint "
        "WHERE connamespace = 'public'::regnamespace AND contype <> 'n' ORDER BY conname"
    )
    return [run(database, asked) for asked in (columns, indexes, keys)]


def versions(database: str) -> list[str]:
    return [version for (version,) in run(database, "SELECT version_num FROM alembic_version")]


def play(database: str, seqs: Sequence[int]) -> None:
    """Reads what was kept, and writes on."""

    async def work() -> None:
        async with opened(database) as store:
            assert await store.founded("kept") == founded("kept")
            assert [one.seq for one in await store.lines("kept")] == list(seqs)
            assert (await store.lines("kept"))[0].body == b"{}"
            assert await appended(store, line("kept", len(seqs) + 1))
            assert await store.is_writable()

    asyncio.run(work())


def open_and_close(database: str) -> None:
    async def work() -> None:
        async with opened(database):
            pass

    asyncio.run(work())


def test_the_schema_is_the_one_that_alembic_made(empty: str) -> None:
    made_by_alembic(empty, "0002")
    before = shape(empty)
    if empty.startswith("sqlite"):
        path_of(empty).unlink()
    else:
        run(empty, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
    open_and_close(empty)
    assert shape(empty) == before
    assert versions(empty) == ["0002"]


def test_a_table_of_versions_with_nothing_in_it_is_no_version(empty: str) -> None:
    run(empty, ALEMBIC["0001"][0])
    open_and_close(empty)
    assert versions(empty) == [max(schema.MIGRATIONS)]


def test_a_migration_is_done_as_a_whole_or_not_at_all(
    empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_an_entry(empty, "0001")
    before = shape(empty)
    second = schema.MIGRATIONS["0002"]
    monkeypatch.setitem(schema.MIGRATIONS, "0002", (*second, "INSERT INTO nowhere VALUES (1)"))
    with pytest.raises(BadOption, match=r"does not answer: .*nowhere"):
        open_and_close(empty)
    assert shape(empty) == before and versions(empty) == ["0001"]
    monkeypatch.setitem(schema.MIGRATIONS, "0002", second)
    play(empty, [1])


def test_a_database_of_a_newer_version_is_left_alone(empty: str) -> None:
    made_by_alembic(empty, "0002")
    run(empty, "UPDATE alembic_version SET version_num = '0099'")
    with pytest.raises(BadOption, match="newer version of Last Card"):
        open_and_close(empty)
    assert versions(empty) == ["0099"]


@pytest.mark.parametrize("version", ["", *(one for one in ALEMBIC if one < max(ALEMBIC))])
def test_processes_may_start_at_once(empty: str, version: str) -> None:
    if version:
        with_an_entry(empty, version)
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", OPENING, empty],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    with contextlib.ExitStack() as stack:
        for process in processes:
            stack.enter_context(process)
            stack.callback(process.kill)
        for process in processes:
            assert process.stdout is not None and process.stdout.readline() == "ready\n"
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        for process in processes:
            _, said = process.communicate(timeout=60)
            assert process.returncode == 0, said
    assert versions(empty) == [max(schema.MIGRATIONS)]
    assert [id for (id,) in run(empty, "SELECT id FROM health")] == [1]


def test_sqlite_is_migrated_once_even_if_two_have_the_file(tmp_path: Path) -> None:
    """The lock of the file is ours: another program may be there nevertheless."""

    async def work() -> None:
        path = tmp_path / "tables.db"
        one = Sqlite(path)
        path.with_suffix(".db.lock").unlink()  # so the second gets a lock of its own
        two = Sqlite(path)
        try:
            await asyncio.gather(schema.migrate(one), schema.migrate(two))
        finally:
            await one.close()
            await two.close()

    asyncio.run(work())
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    assert versions(database) == [max(schema.MIGRATIONS)]
    assert [id for (id,) in run(database, "SELECT id FROM health")] == [1]
