"""Games are compiled before they are needed."""

from __future__ import annotations

import asyncio
import threading
from functools import cache
from pathlib import Path

import pytest

from lastcard.core.game import Game
from lastcard.core.registry import games
from lastcard.table import thinking
from lastcard.table.house import House
from lastcard.table.times import Times
from tests.table.rooms import Room, run

PATIENT = Times(pace=60, patience=60)  # bots move when the test is over


def test_search_is_warmed_after_all_games_and_those_that_are_played_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Meanwhile tables of all games are opened: nobody waits for it."""
    done: list[str] = []
    going = threading.Event()

    class Coming:
        def __init__(self, game: Game) -> None:
            assert len(one_house[0].warmup.ready) == len(games())
            done.append(game.id)
            self.thread = threading.Thread(target=going.wait, args=(60,))
            self.thread.start()

    one_house: list[House] = []
    monkeypatch.setattr(thinking, "loading", cache(Coming))

    async def play(one: Room) -> None:
        one_house.append(one.house)
        await one.house.warmup.all_games()
        await one.open(game="taki", players=2, bots=["easy"], options={})
        work = asyncio.create_task(one.house.warmup.search())
        await one.until(lambda: done)
        assert done == ["taki"] and not work.done()
        for id in games():
            await one.open(game=id, players=2, bots=["easy"], options={})
        going.set()
        await work
        assert done[0] == "taki" and sorted(done) == sorted(games())

    run(tmp_path, play, PATIENT)
