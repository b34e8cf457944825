"""What a process does that has too much to do."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from lastcard.bots import Bot
from lastcard.core.game import Game
from lastcard.table.database import Work
from lastcard.table.house import House
from lastcard.table.load import BUSY, WEIGHT, Load
from lastcard.table.refusals import Code, Refused
from lastcard.table.setup import Setup
from lastcard.table.thinking import HURRIED
from tests.table.stores import HIDDEN, appended, founded, line, opened


def test_one_moment_is_not_too_much() -> None:
    load = Load()
    load.note(5 * BUSY)
    load.check()
    for _ in range(50):
        load.note(2 * BUSY)
    with pytest.raises(Refused):
        load.check()
    load.note(0.0)  # it does not say yes to everybody at once
    assert load.busy
    for _ in range(50):
        load.note(0.0)
    load.check()


def test_a_loop_that_is_held_up_is_late() -> None:
    async def main() -> None:
        load = Load()
        watching = asyncio.create_task(load.watch())
        await asyncio.sleep(0)
        time.sleep(4 * BUSY)  # nobody else gets a turn
        while not load.late:
            await asyncio.sleep(0)
        assert load.late > WEIGHT * 3 * BUSY
        watching.cancel()

    asyncio.run(main())


def test_entries_that_wait_for_the_disk_are_noticed(tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(f"sqlite:///{tmp_path / 'tables.db'}") as store:
            await store.found(founded("slow"), HIDDEN)
            write, held = store.database.write, asyncio.Event()

            async def slow(work: Work[Any]) -> Any:
                await held.wait()
                return await write(work)

            store.database.write = slow  # type: ignore[method-assign]
            assert store.longest_wait() > 0.0 == store.longest_wait()
            writing = appended(store, line("slow", 1))
            await asyncio.sleep(0.02)
            held.set()
            assert await writing
            assert store.longest_wait() > 0.01
            assert store.longest_wait() == 0.0

    asyncio.run(main())


def test_moves_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async with opened(f"sqlite:///{tmp_path / 'tables.db'}") as store:
            house = House(store)
            monkeypatch.setattr(house.load, "note", lambda late: None)
            try:
                seated = await house.open(Setup(game="chiko", bots=["expert"]), "Ann", None)
                hosted = await house.shelf.find(seated.table)
                match = hosted.table.match
                assert match is not None
                house.load.late = 1.0
                with pytest.raises(Refused) as refused:
                    await house.open(Setup(game="chiko"), "Ben", None)
                assert refused.value.code == Code.UNAVAILABLE
                with pytest.raises(Refused) as refused:
                    await house.thinkers.advise(match, 0)
                assert refused.value.code == Code.UNAVAILABLE
                lent: list[str] = []
                lend = house.thinkers._lend

                def noted(game: Game, level: str) -> Bot:
                    lent.append(level)
                    return lend(game, level)

                monkeypatch.setattr(house.thinkers, "_lend", noted)
                seat = match.waiting[0]
                assert isinstance(seat, int)
                assert await house.thinkers.decide(match, seat, "expert") is not None
                assert lent == ["expert", HURRIED]
            finally:
                await house.close()

    asyncio.run(main())
