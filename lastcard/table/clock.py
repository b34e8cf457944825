"""The time at tables: seconds since 1970 that never go backwards.

The system clock may be set, and other processes have their own. So waiting is measured by the
monotonic clock, and times from a journal that lie in the future count as now.
"""

from __future__ import annotations

import time

_BEGAN = time.time() - time.monotonic()


def now() -> float:
    return _BEGAN + time.monotonic()


def not_later(at: float) -> float:
    """A time from a journal, at most now."""
    return min(at, now())
