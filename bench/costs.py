"""What one table costs a server: moves, CPU, bytes on disk and over the network, game by game.

    python bench/costs.py [--tables 100] [--players 4]

Tables of people who play one match by the policy of normal bots, all at the same time, with a fresh
SQLite file. Their choices are not counted, and there is no network: `bench/server.py` measures what
a move costs with it.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import tempfile
import time
from pathlib import Path

from lastcard.bots import bot
from lastcard.bots.bot import Bot
from lastcard.core.game import Game
from lastcard.core.registry import game as find
from lastcard.core.registry import games
from lastcard.server.run import _spare_the_garbage_collector
from lastcard.table.hosted import HostedTable
from lastcard.table.house import House
from lastcard.table.messages import Move, Ok
from lastcard.table.setup import Setup
from lastcard.table.store import Store


class Sent:
    """What all players are sent, and how long they took to choose."""

    def __init__(self) -> None:
        self.bytes = 0
        self.choosing = 0.0


class Player:
    """A client that only counts what it is sent."""

    def __init__(self, sent: Sent) -> None:
        self.seat: int | None = None
        self._sent = sent

    def send(self, message: bytes) -> None:
        self._sent.bytes += len(message)

    def close(self) -> None: ...


class Party:
    """A table, and the people at it."""

    def __init__(self, house: House, game: Game, chooser: Bot, sent: Sent) -> None:
        self.house = house
        self.game = game
        self.chooser = chooser
        self.sent = sent
        self.players: list[Player] = []
        self.over = asyncio.Event()
        self.moves = 0
        self.hosted: HostedTable

    async def sit_down(self, count: int) -> None:
        seated = await self.house.open(Setup(game=self.game.id, players=count), "Ann", None)
        self.hosted = await self.house.shelf.find(seated.table)
        tokens = [seated.token]
        for number in range(1, count):
            joined = await self.house.join(self.hosted, f"Ben {number}", None, None)
            tokens.append(joined.token)
        for token in tokens:
            player = Player(self.sent)
            await self.house.connect(self.hosted, player, token)
            self.players.append(player)

    def go_on(self, answer: Ok | Exception | None = None) -> None:
        """The next move, once the last was answered."""
        if isinstance(answer, Exception):
            raise answer
        table, began = self.hosted.table, time.thread_time()
        self.moves += answer is not None
        match, waiting = table.match, table.waiting
        if match is None or not waiting:
            self.over.set()
        elif isinstance(waiting[0], str):  # dice, which the house rolls
            asyncio.get_running_loop().call_later(0.001, self.go_on)
        else:
            seat = waiting[0]
            action = self.game.actions[self.chooser.choose(match, seat)]
            self.sent.choosing += time.thread_time() - began
            player = next(one for one in self.players if one.seat == seat)
            move = Move(table.version, action, f"{seat}.{self.moves}")
            self.house.handler.handle(self.hosted, player, move, self.go_on)


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())


async def measure(game: Game, tables: int, players: int, folder: Path) -> str:
    store = await Store.open(f"sqlite:///{folder / 'tables.db'}")
    house = House(store)
    await house.warmup.prepare(game)
    sent = Sent()
    chooser = bot("normal", game, 1)
    parties = [Party(house, game, chooser, sent) for _ in range(tables)]
    gc.collect()
    began = time.process_time()
    for party in parties:
        await party.sit_down(players)
    seated = time.process_time() - began
    for party in parties:
        party.go_on()
    await asyncio.gather(*[party.over.wait() for party in parties])
    cpu = time.process_time() - began - seated - sent.choosing
    await house.close()
    await store.close()
    moves = sum(party.moves for party in parties)
    on_disk = size(folder)
    return (
        f"{game.id:12} {players} players  {moves / tables:6.0f} moves  "
        f"CPU {1e6 * cpu / moves:4.0f} us a move, {1e3 * seated / tables:4.1f} ms to sit down  "
        f"disk {on_disk / tables / 1000:5.1f} KB, {on_disk / moves:4.0f} bytes a move  "
        f"sent {sent.bytes / tables / 1000:5.0f} KB, {sent.bytes / moves:5.0f} bytes a move"
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--tables", type=int, default=100)
    options.add_argument("--players", type=int, default=4)
    chosen = options.parse_args()
    _spare_the_garbage_collector()
    for id in games():
        game = find(id)
        players = max(game.fewest, min(chosen.players, game.most))
        with tempfile.TemporaryDirectory(prefix="lastcard-costs-") as folder:
            print(asyncio.run(measure(game, chosen.tables, players, Path(folder))), flush=True)


if __name__ == "__main__":
    main()
