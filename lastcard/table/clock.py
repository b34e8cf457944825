"""The time at tables: seconds since 1970, which only ever go on.

Somebody may set the machine's clock, and other processes have their own: what bots and people wait
for is measured here by a clock that nobody sets, and what a journal calls the future is now.
"""

from __future__ import annotations

import time

_BEGAN = time.time() - time.monotonic()


def now() -> float:
    return _BEGAN + time.monotonic()


def not_later(at: float) -> float:
    """A time from a journal, as it counts here."""
    return min(at, now())
