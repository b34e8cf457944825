"""A house with a table, and friends who play there."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from lastcard.table import clock, messages
from lastcard.table.hosted import HostedTable
from lastcard.table.house import House, Seated
from lastcard.table.messages import decode
from lastcard.table.setup import Setup
from lastcard.table.store import Store
from lastcard.table.times import Times

QUICK = Times(pace=0.0, patience=0.0, sweep=0.02)
WAIT = 60  # seconds that nothing here should take


class Friend:
    """A client that keeps what it is told."""

    def __init__(self) -> None:
        self.seat: int | None = None
        self.messages: list[dict[str, Any]] = []
        self.view: dict[str, Any] = {}
        self.version = -1
        self.table: dict[str, Any] = {}
        self.closed = False

    def send(self, message: bytes) -> None:
        told = json.loads(message)
        self.messages.append(told)
        if told["type"] in ("welcome", "match") and told["match"]:
            self.view, self.version = told["match"]["view"], told["match"]["version"]
        if told["type"] in ("welcome", "table"):
            self.table = told["table"]
        if told["type"] == "update":
            assert told["version"] == self.version + 1
            self.view |= told["changes"]
            self.version = told["version"]

    def close(self) -> None:
        self.closed = True

    def kinds(self) -> list[str]:
        return [message["type"] for message in self.messages]


class Room:
    """A house with a table, and friends at it."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.hosted: HostedTable
        self.seats: list[Seated] = []

    async def open(self, **setup: Any) -> Friend:
        seated = await self.house.open(Setup(**setup), "Ann", "blue")
        self.seats.append(seated)
        self.hosted = await self.house.shelf.find(seated.table)
        return await self.enter(seated.token)

    async def join(self, name: str) -> Friend:
        seated = await self.house.join(self.hosted, name, None, None)
        self.seats.append(seated)
        return await self.enter(seated.token)

    async def enter(self, token: str | None) -> Friend:
        friend = Friend()
        await self.house.connect(self.hosted, friend, token)
        return friend

    async def say(self, friend: Friend, **message: Any) -> messages.Ok:
        answered: asyncio.Future[messages.Ok] = asyncio.get_running_loop().create_future()

        def answer(answer: messages.Ok | Exception) -> None:
            if answered.cancelled():
                return
            if isinstance(answer, Exception):
                answered.set_exception(answer)
            else:
                answered.set_result(answer)

        self.house.handler.handle(self.hosted, friend, decode(json.dumps(message)), answer)
        return await answered

    async def move(self, friend: Friend, action: str = "", id: str | None = None) -> messages.Ok:
        action = action or friend.view["legal"][0]
        return await self.say(friend, type="move", version=friend.version, action=action, id=id)

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(WAIT):
            while not condition():
                await asyncio.sleep(0.002)


def skip(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """So much time passes, for tables; timers that were set notice only when they fire."""
    monkeypatch.setattr(clock, "_BEGAN", clock._BEGAN + seconds)


@asynccontextmanager
async def room(database: str, times: Times = QUICK) -> AsyncIterator[Room]:
    store = await Store.open(database)
    house = House(store, times)
    try:
        yield Room(house)
    finally:
        await house.close()
        await store.close()


def run(path: Path, work: Callable[[Room], Awaitable[None]], times: Times = QUICK) -> None:
    async def main() -> None:
        async with room(f"sqlite:///{path / 'tables.db'}", times) as one:
            await work(one)

    asyncio.run(main())
