"""Who may connect at all: connections are counted before anything is sent on them."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Container

from .limits import Buckets, Limits, Spacing

log = logging.getLogger("lastcard.server")


class Doors:
    """The limits of one process. A proxy connects for many, so only the total applies to it."""

    def __init__(self, limits: Limits, proxies: Container[str] = ()) -> None:
        self.refused = 0  # for metrics
        self.limits = limits
        self._proxies = proxies
        self._inside: Counter[str] = Counter()
        self._all = 0
        self._arrivals = Buckets(
            limits.arrivals_per_second, limits.raw_per_address, limits.addresses
        )
        self._spacing = Spacing(1 / (5 * limits.arrivals_per_second), limits.addresses)

    def enter(self, host: str, address: str) -> bool:
        """Whether to let one more connection in. `address` is what limits apply to."""
        if self._all >= self.limits.raw_connections:
            log.warning("no room for more connections", extra={"facts": {"open": self._all}})
        elif self._has_room(address) or host in self._proxies:
            self._all += 1
            self._inside[address] += 1
            return True
        self.refused += 1
        return False

    def wait(self, host: str, address: str) -> float:
        """Seconds to wait before serving a connection that was let in."""
        return 0.0 if host in self._proxies else self._spacing.wait(address)

    def _has_room(self, address: str) -> bool:
        inside = self._inside.get(address, 0) < self.limits.raw_per_address
        return self._arrivals.take(address) and inside

    def leave(self, address: str) -> None:
        self._all -= 1
        self._inside[address] -= 1
        if not self._inside[address]:
            del self._inside[address]
