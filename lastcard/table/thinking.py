"""Bots for all tables of a process: lent for one decision, since searching ones are large."""

from __future__ import annotations

import asyncio
import os
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor

from lastcard.bots import Bot, bot
from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.core.views import legal_of
from lastcard.rules.kernel import NOBODY

HURRIED = "normal"  # plays when too many others think, and for people who are gone
QUEUE = 4  # so many decisions may wait for each core


class Thinkers:
    """Decides for seats. Nobody waits long: when many think at once, some play by the policy."""

    def __init__(self) -> None:
        cores = os.cpu_count() or 1
        self._pool = ThreadPoolExecutor(cores, thread_name_prefix="bot")
        self._most = QUEUE * cores
        self._busy = 0
        self._idle: defaultdict[tuple[str, str], list[Bot]] = defaultdict(list)

    async def decide(self, match: Match, seat: int, level: str) -> int | None:
        """An action, or None to let it be. The bot gets the hidden record of its seat."""
        hidden = match.hidden(seat)
        legal = legal_of(match.game, hidden[0], seat)
        if not legal:
            return None
        player = self._lend(match.game, level)
        if player.thinks and self._busy >= self._most:
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

    def _lend(self, game: Game, level: str) -> Bot:
        idle = self._idle[game.id, level]
        return idle.pop() if idle else bot(level, game)

    def _return(self, game: Game, level: str, player: Bot) -> None:
        self._idle[game.id, level].append(player)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
