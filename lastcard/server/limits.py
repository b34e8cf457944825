"""How much one client may ask for."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What is bounded. Addresses are those of clients, or what a trusted proxy says they are."""

    messages_per_second: float = 30.0  # of one connection,
    messages_at_once: int = 60
    requests_per_second: float = 20.0  # of one address; five seconds' worth at once,
    files_for_a_request: int = 40  # so many times as many files of the page
    tables_per_hour: int = 60
    connections_per_address: int = 100
    offences: int = 20  # malformed or too fast, then the connection is closed
    reactions_per_second: float = 0.5
    reactions_at_once: int = 5
    body: int = 16_384  # bytes of a request,
    body_within: float = 15.0  # seconds
    unsent: int = 256  # messages that wait for a client to read them
    hello: float = 10.0  # seconds for the first message of a connection,
    idle: float = 1800.0  # and between two
    watchers: int = 200  # at one table
    addresses: int = 50_000  # remembered at once


class Bucket:
    """So many at once, and so many per second."""

    __slots__ = ("_level", "_then", "at_once", "per_second")

    def __init__(self, per_second: float, at_once: float, now: float) -> None:
        self.per_second = per_second
        self.at_once = at_once
        self._level = 0.0
        self._then = now

    def take(self, now: float) -> bool:
        """Whether there is room for one more."""
        self._level = max(self._level - (now - self._then) * self.per_second, 0.0)
        self._then = now
        if self._level + 1 > self.at_once:
            return False
        self._level += 1
        return True


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
