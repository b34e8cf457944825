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

REST = 4.0  # times as long as somebody's work has taken, before there is more
REST_AFTER_RESTING = 1.0  # the same, for work that rests now and then itself


@dataclass(frozen=True)
class Limits:
    """What is bounded. Addresses are those of clients, or what a trusted proxy says they are."""

    messages_per_second: float = 30.0  # of one connection,
    messages_at_once: int = 60
    address_messages_per_second: float = 200.0  # of all connections of an address,
    address_messages_at_once: int = 400
    requests_per_second: float = 20.0  # of one address; five seconds' worth at once,
    files_for_a_request: int = 10  # so many times as many files of the page
    tables_per_hour: int = 60
    connections_per_address: int = 100  # at tables,
    raw_per_address: int = 200  # whatever they are for,
    arrivals_per_second: float = 20.0  # and new ones; as many at once as may be there,
    raw_connections: int = 20_000  # of all addresses together
    frames_per_second: float = 5.0  # of one connection: pings, pongs and parts of messages,
    frames_at_once: int = 60
    pipelined: int = 8  # requests on one connection that wait for the answers before them
    written_within: float = 30.0  # seconds until somebody who does not read is cut off
    offences: int = 20  # malformed or too fast, then the connection is closed
    reactions_per_second: float = 0.5
    reactions_at_once: int = 5
    body: int = 16_384  # bytes of a request,
    body_within: float = 15.0  # seconds
    unsent: int = 256  # messages that wait for a client to read them,
    unsent_bytes: int = 262_144
    replays_at_once: int = 2  # of all addresses, one of each,
    replays_waiting: int = 16  # of one address
    hello: float = 10.0  # seconds for the first message of a connection,
    idle: float = 1800.0  # and between two
    watchers: int = 200  # at one table
    addresses: int = 50_000  # remembered at once


class Buckets:
    """A bucket for every address; the one that was not used for longest is forgotten first."""

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
        now = self._clock()
        bucket = self._buckets.pop(address, None) or Bucket(*self._kind, now)
        self._buckets[address] = bucket  # at the end
        if len(self._buckets) > self._most:
            del self._buckets[next(iter(self._buckets))]
        return bucket.take(now)


class Spacing:
    """Lets what one address wants begin one after another, so that others have their turn in
    between: much at once is allowed, but not at the cost of those who play."""

    def __init__(
        self, seconds: float, most: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._seconds = seconds
        self._most = most
        self._clock = clock
        self._due: dict[str, float] = {}

    def wait(self, address: str) -> float:
        """Seconds until it is the turn of one more."""
        now = self._clock()
        due = max(self._due.pop(address, now), now)
        self._due[address] = due + self._seconds  # at the end
        if len(self._due) > self._most:
            del self._due[next(iter(self._due))]
        return due - now


class Queue:
    """For work that takes a while: some at once, and of each address one after another, with a rest
    in between. Python does one thing at a time, and players come first."""

    def __init__(self, at_once: int, waiting: int) -> None:
        self._all = asyncio.Semaphore(at_once)
        self._most = waiting
        self._here: Counter[str] = Counter()  # by address: who works, rests or waits
        self._one: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    @asynccontextmanager
    async def turn(self, address: str, rest: float = REST) -> AsyncIterator[None]:
        if self._here[address] > self._most:
            raise Refused(Code.TOO_FAST, "You have asked for enough: wait for the answers.")
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
