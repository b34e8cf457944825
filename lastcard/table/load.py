"""Whether a process has more to do than it can: then moves come first, and new things wait."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from .refusals import Code, Refused

EVERY = 0.05  # seconds between two looks
BUSY = 0.2  # seconds until what arrives is looked at and on disk, beyond which it is too much
WEIGHT = 0.1  # of the last look: a moment's delay is none, and not all come back at once


class Load:
    """Measured by how late a timer fires, as late as everything else is looked at, and by how long
    entries then take to be on disk."""

    def __init__(self, to_disk: Callable[[], float] = lambda: 0.0) -> None:
        self.late = 0.0  # seconds
        self._to_disk = to_disk  # the longest time lately

    @property
    def busy(self) -> bool:
        return self.late > BUSY

    def check(self) -> None:
        """For what can wait."""
        if self.busy:
            raise Refused(Code.UNAVAILABLE, "Too much is going on here. Try again in a moment.")

    def note(self, late: float) -> None:
        self.late += WEIGHT * (late - self.late)

    async def watch(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + EVERY
            await asyncio.sleep(EVERY)
            self.note(loop.time() - due + self._to_disk())
