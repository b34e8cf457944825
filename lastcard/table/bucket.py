"""A rate limit."""

from __future__ import annotations


class Bucket:
    """Allows `at_once` events in a burst, and `per_second` in the long run."""

    __slots__ = ("_level", "_then", "at_once", "per_second")

    def __init__(self, per_second: float, at_once: float, now: float) -> None:
        self.per_second = per_second
        self.at_once = at_once
        self._level = 0.0
        self._then = now

    def take(self, now: float) -> bool:
        """Whether one more is allowed; if so, it counts."""
        level = self._level - (now - self._then) * self.per_second
        level = level + 1.0 if level > 0.0 else 1.0
        self._then = now
        if level > self.at_once:
            self._level = level - 1.0
            return False
        self._level = level
        return True
