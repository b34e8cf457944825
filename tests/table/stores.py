"""Stores to write to, and what is written."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from lastcard.table.store import Founded, Line, Listing, Store


@asynccontextmanager
async def opened(database: str) -> AsyncIterator[Store]:
    store = await Store.open(database)
    try:
        yield store
    finally:
        await store.close()


def founded(id: str) -> Founded:
    return Founded(id, 12.5, b'{"game": "chiko"}', "ab" * 32)


def line(table: str, seq: int, body: bytes = b"{}") -> Line:
    return Line(table, seq, 0.5 + seq, body)


HIDDEN = Listing(False, b"{}")
