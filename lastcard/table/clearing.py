"""Removes tables that nobody has used for long."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Container

from .database import DatabaseError
from .store import Store

log = logging.getLogger("lastcard.table")

DAY = 24 * 3600
EVERY = 3600.0  # seconds between two rounds
AT_ONCE = 50  # tables in a transaction
REST = 0.05  # seconds between transactions: players come first


async def clear_for_good(store: Store, in_use: Container[str], days: float) -> None:
    """Round after round, as long as the server runs."""
    while True:
        try:
            removed = await clear(store, in_use, time.time() - days * DAY)
            if removed:
                log.info("removed old tables", extra={"facts": {"tables": removed}})
        except DatabaseError:
            log.exception("old tables could not be removed")
        await asyncio.sleep(EVERY)


async def clear(store: Store, in_use: Container[str], since: float) -> int:
    """Removes what was not used since then, except tables in use; returns how many."""
    removed, after = 0, 0.0
    while True:
        found = await store.unused(since, after, AT_ONCE)
        going = [id for id, _ in found if id not in in_use]
        if going:
            await store.remove(going)
            removed += len(going)
        if len(found) < AT_ONCE:
            return removed
        after = found[-1][1]  # others of the same moment wait for the next round
        await asyncio.sleep(REST)
