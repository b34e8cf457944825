"""Tables of every game in every state, as their journals leave them."""

from __future__ import annotations

import asyncio
import itertools
import random
from dataclasses import dataclass
from typing import Any

from lastcard.core.registry import game as find
from lastcard.core.registry import games
from lastcard.table.entries import Entry
from lastcard.table.hosted import HostedTable
from lastcard.table.house import House
from lastcard.table.setup import Setup
from lastcard.table.store import Store
from lastcard.table.times import Times
from lastcard.table.writer import Decide

STATES = ("open", "playing", "paused", "over")
HASTE = Times(pace=0.0, patience=0.0, hurry=0.0)
MOVES = 6  # of the person, before a match that goes on


@dataclass(frozen=True)
class Standing:
    """A table, and the token of the person in its first seat; all others are bots, or free."""

    game: str
    state: str
    id: str
    token: str


async def prepared(database: str, rng: random.Random) -> list[Standing]:
    """Plays at tables in a database, and closes it."""
    store = await Store.open(database)
    house = House(store, HASTE)
    try:
        standing = [
            await _brought_to(house, game, state, rng)
            for game, state in itertools.product(games(), STATES)
        ]
        for at in standing:
            assert house.tables[at.id].table.status == at.state, at
        return standing
    finally:
        await house.close()
        await store.close()


async def _brought_to(house: House, id: str, state: str, rng: random.Random) -> Standing:
    game = find(id)
    free = state == "open"
    options: dict[str, Any] = {}
    if any(option.name == "rounds" for option in game.options):
        options["rounds"] = 1
    bots = ["easy"] * (game.fewest - 1)
    setup = Setup(
        game=id, players=game.fewest + free, options=options, bots=bots, grace=None, undo=True
    )
    while True:
        seated = await house.open(setup, "Ann", None)
        hosted = await house.shelf.find(seated.table)
        moves = 0
        while hosted.table.status == "playing" and (
            state == "over" or moves < MOVES or hosted.table.waiting != [seated.seat]
        ):
            moves += await _moved(house, hosted, seated.seat, rng)
        if hosted.table.status == ("playing" if state == "paused" else state):
            break  # otherwise the match was over too soon
    if state == "paused":
        await _write(house, hosted, lambda: hosted.table.pause(seated.seat, {seated.seat}))
    return Standing(id, state, seated.table, seated.token)


async def _moved(house: House, hosted: HostedTable, seat: int, rng: random.Random) -> bool:
    table = hosted.table

    def decide() -> Entry | None:
        legal = table.match.legal(seat) if table.match is not None else []
        if seat not in table.waiting or not legal:
            return None
        return table.move(seat, table.version, rng.choice(legal), "")

    before = table.seq
    await _write(house, hosted, decide)
    await asyncio.sleep(0)
    return table.seq > before


async def _write(house: House, hosted: HostedTable, decide: Decide) -> None:
    await house.writer.in_turn(hosted, decide, lambda: None)
