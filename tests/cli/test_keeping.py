"""backup and restore."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.cli.runner import Runner
from tests.table.stores import HIDDEN, appended, founded, line, opened


def test_tables_are_copied_and_put_back(run: Runner, home: Path) -> None:
    async def write() -> None:
        async with opened(f"sqlite:///{home / 'data' / 'lastcard' / 'tables.db'}") as store:
            await store.found(founded("mine"), HIDDEN)
            assert await appended(store, line("mine", 1))

    asyncio.run(write())
    copy, other = str(home / "copy.db"), f"sqlite:///{home / 'other.db'}"
    done = run("backup", copy)
    assert done.code == 0 and "1 tables, 1 entries" in done.out
    done = run("restore", copy, "--database", other)
    assert done.code == 0 and "1 tables restored, 0 were there already." in done.out
    done = run("restore", copy, "--database", other)
    assert done.code == 0 and "0 tables restored, 1 were there already." in done.out
    for arguments, words in (
        (("backup", copy), "there already"),
        (("backup", str(home / "none" / "copy.db")), "cannot be copied"),
        (("restore", str(home / "none.db")), "there is no file"),
        (("backup", str(home / "2.db"), "--database", "mysql://x/y"), "sqlite or postgresql"),
    ):
        done = run(*arguments)
        assert done.code == 2 and words in " ".join(done.err.split()), done.err
        assert "Traceback" not in done.err
