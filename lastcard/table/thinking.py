"""A pool of bots for all tables of a process: each is lent for one decision, since those that
search are large."""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
import threading
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from lastcard.bots import LEARNED, Bot, bot
from lastcard.bots import adviser as new_adviser
from lastcard.bots.learned import LearnedBot, Opinion, has_learned
from lastcard.bots.search import Budget, Judgement, SearchBot, loading
from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.core.views import legal_of
from lastcard.kernel import NOBODY

from .load import Load
from .refusals import Code, Refused

HURRIED = "normal"  # the level that plays under load, and for people who are gone
QUEUE = 4  # decisions that may wait, per core
HINT = Budget(ms=300)
GIVE_WAY = 10  # a `nice` value
LOOK = 0.05  # seconds between checks whether search is compiled


def adviser(game: Game) -> SearchBot:
    return new_adviser(game, secrets.randbits(64), HINT)


def _give_way() -> None:
    """Lowers the priority of a search thread: answering people comes first."""
    if sys.platform == "linux":  # elsewhere priorities are per process
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), GIVE_WAY)


class Thinkers:
    """Decides for seats. Nobody waits long: under load, some bots play by their policy instead."""

    def __init__(self, load: Load | None = None) -> None:
        self._load = load or Load()
        cores = os.cpu_count() or 1
        self._pool = ThreadPoolExecutor(cores, thread_name_prefix="bot", initializer=_give_way)
        self._most = QUEUE * cores
        self._busy = 0
        self._idle: defaultdict[tuple[str, str], list[Bot]] = defaultdict(list)
        self._advisers: defaultdict[str, list[SearchBot]] = defaultdict(list)

    async def decide(self, match: Match, seat: int, level: str) -> int | None:
        """An action, or None to do nothing. The bot sees the redacted record of its seat."""
        hidden = match.hidden(seat)
        legal = legal_of(match.game, hidden[0], seat)
        if not legal:
            return None
        player = self._lend(match.game, level)
        if player.thinks and (self._busy >= self._most or self._load.busy):
            self._return(match.game, level, player)
            level, player = HURRIED, self._lend(match.game, HURRIED)
        try:
            if not player.thinks:
                action = player.decide(hidden, seat, legal)
            else:
                self._busy += 1
                loop = asyncio.get_running_loop()
                action = await loop.run_in_executor(self._pool, player.decide, hidden, seat, legal)
        finally:
            self._busy -= player.thinks
            self._return(match.game, level, player)
        return None if action == NOBODY else action

    async def get_ready(self, game: Game) -> None:
        """Waits for search to be compiled, which may take a minute, without blocking a thread."""
        while loading(game).thread.is_alive():
            await asyncio.sleep(LOOK)

    async def advise(self, match: Match, seat: int) -> list[Judgement]:
        """What search makes of each action the seat may take, from its redacted record."""
        game, hidden = match.game, match.hidden(seat)
        await self.get_ready(game)
        self._load.check()
        if self._busy >= self._most:
            raise Refused(Code.UNAVAILABLE, "Too many hints at once. Try again.")
        self._busy += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._pool, self._judge, game, hidden, seat)
        finally:
            self._busy -= 1

    def opinions(self, match: Match, seat: int) -> list[Opinion]:
        """What a self-taught bot makes of each action the seat may take, from its redacted record;
        nothing if there is none for the game. That takes no time."""
        if not has_learned(match.game):
            return []
        player, hidden = self._lend(match.game, LEARNED), match.hidden(seat)
        assert isinstance(player, LearnedBot)
        try:
            return player.think(hidden, seat, legal_of(match.game, hidden[0], seat))
        finally:
            self._return(match.game, LEARNED, player)

    def _judge(self, game: Game, hidden: Any, seat: int) -> list[Judgement]:
        """Runs in a thread, which keeps the bot to itself even after its caller was cancelled."""
        idle = self._advisers[game.id]
        try:
            player = idle.pop()
        except IndexError:  # all are lent out
            player = adviser(game)
        try:
            return player.judge(hidden, seat, legal_of(game, hidden[0], seat))
        finally:
            idle.append(player)

    def _lend(self, game: Game, level: str) -> Bot:
        idle = self._idle[game.id, level]
        return idle.pop() if idle else bot(level, game)

    def _return(self, game: Game, level: str, player: Bot) -> None:
        self._idle[game.id, level].append(player)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
