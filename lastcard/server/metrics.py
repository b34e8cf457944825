"""Metrics for Prometheus, with no personal data."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import accumulate

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest
from prometheus_client.core import HistogramMetricFamily
from prometheus_client.registry import Collector

from lastcard.table.house import House

from .doors import Doors

SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0)


class Durations(Collector):
    """A histogram. prometheus_client's own takes as long as a rule for every move."""

    def __init__(self, name: str, text: str) -> None:
        self._about = name, text
        self._counts = [0] * (len(SECONDS) + 1)
        self._sum = 0.0

    def observe(self, seconds: float) -> None:
        self._counts[bisect_left(SECONDS, seconds)] += 1
        self._sum += seconds

    def collect(self) -> Iterable[HistogramMetricFamily]:
        bounds = [*map(str, SECONDS), "+Inf"]
        totals = list(zip(bounds, map(float, accumulate(self._counts)), strict=True))
        yield HistogramMetricFamily(*self._about, buckets=totals, sum_value=self._sum)


class Metrics:
    def __init__(self, house: House, doors: Doors) -> None:
        self.registry = CollectorRegistry()
        self.refused = Counter(
            "lastcard_refused", "Messages and requests refused.", ["code"], registry=self.registry
        )
        self.connections = Gauge(
            "lastcard_connections", "WebSockets that are open.", registry=self.registry
        )
        self.moves = Durations(
            "lastcard_move_seconds", "From a move's arrival until it is on disk and answered."
        )
        self.registry.register(self.moves)
        self.requests = Counter(
            "lastcard_requests", "HTTP requests answered.", ["status"], registry=self.registry
        )
        for name, text, value in (
            ("lastcard_tables_live", "Tables in memory.", lambda: len(house.tables)),
            ("lastcard_tables_opened", "Tables opened.", lambda: house.opened),
            ("lastcard_moves_made", "Moves, bots' included.", lambda: house.writer.moves),
            (
                "lastcard_late_seconds",
                "How long arrivals wait to be on disk.",
                lambda: house.load.late,
            ),
            ("lastcard_turned_away", "Connections not let in.", lambda: doors.refused),
            ("lastcard_commits", "Commits of the journal.", lambda: house.store.commits),
            ("lastcard_entries", "Entries written to it.", lambda: house.store.written),
        ):
            Gauge(name, text, registry=self.registry).set_function(value)

    def text(self) -> bytes:
        return generate_latest(self.registry)
