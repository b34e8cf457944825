"""Tables leave memory, and come back from their journals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lastcard.table.refusals import Refused
from tests.table.rooms import Room, run


def test_a_table_that_nobody_looks_at_leaves_memory_and_comes_back(tmp_path: Path) -> None:
    async def play(one: Room) -> None:
        ann = await one.open(game="chiko", players=2)
        ben = await one.join("Ben")
        first = ann if ann.seat in ann.view["waiting"] else ben
        await one.move(first)
        id, view, version = one.hosted.table.id, dict(ann.view), ann.version
        for friend in (ann, ben):
            one.house.disconnect(one.hosted, friend)
        one.hosted.used = 0.0  # long ago
        await one.until(lambda: id not in one.house.tables)
        one.hosted = await one.house.shelf.find(id)
        again = await one.enter(one.seats[0].token)
        assert again.view == view and again.version == version

    run(tmp_path, play)


def test_who_found_a_table_that_was_put_away_meanwhile_finds_it_again(tmp_path: Path) -> None:
    """Or there would be two of it in memory, and one would not hear of the other's moves."""

    async def play(one: Room) -> None:
        ann = await one.open(game="chiko", players=2)
        found = one.hosted
        one.house.disconnect(found, ann)
        found.used = 0.0  # long ago
        await one.until(lambda: found.table.id not in one.house.tables)
        with pytest.raises(Refused, match=r"^unavailable"):
            await one.enter(one.seats[0].token)
        one.hosted = await one.house.shelf.find(found.table.id)
        again = await one.enter(one.seats[0].token)
        assert one.hosted is not found and again.seat == 0

    run(tmp_path, play)


def test_a_table_is_there_after_a_restart(tmp_path: Path) -> None:
    kept: dict[str, Any] = {}

    async def before(one: Room) -> None:
        ann = await one.open(game="taki", players=2, bots=["normal"], public=True)
        await one.until(lambda: 0 in ann.view["waiting"])
        kept.update(id=one.hosted.table.id, token=one.seats[0].token, view=dict(ann.view))

    async def after(one: Room) -> None:
        (listed,) = await one.house.journals.listed()
        assert json.loads(listed)["id"] == kept["id"]
        one.hosted = await one.house.shelf.find(kept["id"])
        ann = await one.enter(kept["token"])
        assert ann.view == kept["view"]
        await one.move(ann)

    run(tmp_path, before)
    run(tmp_path, after)


def test_there_is_no_such_table(tmp_path: Path) -> None:
    async def play(one: Room) -> None:
        for id in ("", "x", "A" * 16, "../../../../etc/", "A" * 1000):
            with pytest.raises(Refused, match=r"^not_found"):
                await one.house.shelf.find(id)

    run(tmp_path, play)
