"""Stores to write to, and what is written."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from lastcard.table.database import DatabaseError, EntryRow
from lastcard.table.store import Founded, Line, Listing, Store


@asynccontextmanager
async def opened(database: str) -> AsyncIterator[Store]:
    store = await Store.open(database)
    try:
        yield store
    finally:
        await store.close()


def appended(store: Store, line: EntryRow) -> asyncio.Future[bool]:
    """Whether an entry was written, once that is known."""
    answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def settle(outcome: bool | DatabaseError) -> None:
        if isinstance(outcome, DatabaseError):
            answer.set_exception(outcome)
        else:
            answer.set_result(outcome)

    Store.append(store, line, settle)  # whatever a test has put in its place
    return answer


def founded(id: str) -> Founded:
    return Founded(id, 12.5, b'{"game": "chiko"}', "ab" * 32)


def line(table: str, seq: int, body: bytes = b"{}") -> Line:
    return Line(table, seq, 0.5 + seq, body)


HIDDEN = Listing(False, b"{}")
