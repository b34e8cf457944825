"""Games are compiled, or loaded from the cache, before they are needed."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping

from lastcard.core.game import Game
from lastcard.core.registry import game as find
from lastcard.core.registry import games

from .hosted import HostedTable
from .thinking import HURRIED, Thinkers


class Warmup:
    """Gets games ready, each once however many ask."""

    def __init__(self, thinkers: Thinkers, tables: Mapping[str, HostedTable]) -> None:
        self._thinkers = thinkers
        self._tables = tables
        self._preparing: dict[str, asyncio.Task[None]] = {}

    @property
    def ready(self) -> list[str]:
        return [id for id, task in self._preparing.items() if task.done() and not task.exception()]

    async def prepare(self, game: Game) -> None:
        """What a table of this game needs."""
        before = self._preparing.get(game.id)
        if before is None or (before.done() and before.exception()):
            self._preparing[game.id] = asyncio.create_task(asyncio.to_thread(_warm, game))
        await asyncio.shield(self._preparing[game.id])

    async def all_games(self) -> None:
        for id in games():
            await self.prepare(find(id))

    async def search(self) -> None:
        """What hints and the stronger bots need, most played games first. Comes after everything
        else, since only one thread can compile at a time."""
        left = list(games())
        while left:
            played = Counter(hosted.table.game.id for hosted in self._tables.values())
            left.sort(key=lambda one: -played[one])
            await self._thinkers.get_ready(find(left.pop(0)))


def _warm(game: Game) -> None:
    from lastcard.bots import bot

    game.warm("new", "waiting", "bystanders", "legal", "apply", "hide", "guess", "telling")
    bot(HURRIED, game).warm()
