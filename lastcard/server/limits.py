"""How much one client may ask for."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from lastcard.table.bucket import Bucket
from lastcard.table.refusals import Code, Refused

REST = 4.0  # how long an address rests after its work, relative to what it took
REST_AFTER_RESTING = 1.0  # the same, for work that takes rests itself


@dataclass(frozen=True)
class Limits:
    """All limits. An address is the client's, or what a trusted proxy says it is."""

    messages_per_second: float = 30.0  # per connection
    messages_at_once: int = 60  # per connection
    address_messages_per_second: float = 200.0  # all connections of an address
    address_messages_at_once: int = 400  # all connections of an address
    requests_per_second: float = 20.0  # per address; a burst may be five seconds' worth
    files_for_a_request: int = 10  # page files allowed per API request
    tables_per_hour: int = 60  # per address
    connections_per_address: int = 100  # WebSockets
    raw_per_address: int = 200  # TCP connections
    arrivals_per_second: float = 20.0  # new TCP connections per address; burst: `raw_per_address`
    raw_connections: int = 20_000  # TCP connections in all
    frames_per_second: float = 5.0  # pings, pongs and fragments per connection
    frames_at_once: int = 60  # pings, pongs and fragments per connection
    pipelined: int = 8  # requests queued on one connection
    written_within: float = 30.0  # seconds before a client that does not read is cut off
    offences: int = 20  # malformed or too fast messages before a connection is closed
    reactions_per_second: float = 0.5  # per connection
    reactions_at_once: int = 5  # per connection
    body: int = 16_384  # bytes of a request
    body_within: float = 15.0  # seconds to send it
    unsent: int = 256  # messages queued for a client
    unsent_bytes: int = 262_144  # bytes queued for a client
    replays_at_once: int = 2  # in all; one per address
    replays_waiting: int = 16  # per address
    hello: float = 10.0  # seconds for the first message of a connection
    idle: float = 1800.0  # seconds between two messages of a connection
    watchers: int = 200  # spectators per table
    addresses: int = 50_000  # remembered at once


class Buckets:
    """A bucket per address; the least recently used is forgotten first."""

    def __init__(
        self,
        per_second: float,
        at_once: float,
        most: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._kind = per_second, at_once
        self._most = most
        self._clock = clock
        self._buckets: dict[str, Bucket] = {}

    def take(self, address: str) -> bool:
        return self.of(address).take(self._clock())

    def of(self, address: str) -> Bucket:
        """The bucket itself, for whoever takes from it often."""
        bucket = self._buckets.pop(address, None) or Bucket(*self._kind, self._clock())
        self._buckets[address] = bucket  # at the end
        if len(self._buckets) > self._most:
            del self._buckets[next(iter(self._buckets))]
        return bucket


class Spacing:
    """Spaces out what one address asks for, so that others get their turn in between: bursts are
    allowed, but not at the cost of players."""

    def __init__(
        self, seconds: float, most: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._seconds = seconds
        self._most = most
        self._clock = clock
        self._due: dict[str, float] = {}

    def wait(self, address: str) -> float:
        """Seconds to wait before the next request."""
        now = self._clock()
        due = max(self._due.pop(address, now), now)
        self._due[address] = due + self._seconds  # at the end
        if len(self._due) > self._most:
            del self._due[next(iter(self._due))]
        return due - now


class Queue:
    """For slow work: a few at once, but one at a time per address, with rests in between. Python
    runs one thread at a time, and players come first."""

    def __init__(self, at_once: int, waiting: int) -> None:
        self._all = asyncio.Semaphore(at_once)
        self._most = waiting
        self._here: Counter[str] = Counter()  # working, resting or waiting, by address
        self._one: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    @asynccontextmanager
    async def turn(self, address: str, rest: float = REST) -> AsyncIterator[None]:
        if self._here[address] > self._most:
            raise Refused(Code.TOO_FAST, "Too many requests. Wait for the answers.")
        loop, one = asyncio.get_running_loop(), self._one[address]
        self._here[address] += 1
        took = 0.0
        try:
            await one.acquire()
            try:
                async with self._all:
                    began = loop.time()
                    try:
                        yield
                    finally:
                        took = loop.time() - began
            finally:
                loop.call_later(rest * took, one.release)
        finally:
            loop.call_later(rest * took, self._leave, address)

    def _leave(self, address: str) -> None:
        self._here[address] -= 1
        if not self._here[address]:
            del self._here[address], self._one[address]
