"""Background tasks of a process."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from .refusals import Refused

log = logging.getLogger("lastcard.table")


class Tasks:
    """Keeps tasks alive until they are done, logs those that fail, and cancels the rest at the
    end."""

    def __init__(self) -> None:
        self.running: set[asyncio.Task[Any]] = set()
        self.closed = False

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        if self.closed:  # nobody would wait for it
            work.close()
            return
        task = asyncio.create_task(work)
        self.running.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self.running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            if not isinstance(error, Refused):
                log.error("a task has failed", exc_info=error)

    async def close(self) -> None:
        self.closed = True
        running = list(self.running)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
