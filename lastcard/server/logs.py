"""Logs: one JSON object per line. Tokens, cards and keys are never logged."""

from __future__ import annotations

import json
import logging
import sys
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime

from lastcard.table.bucket import Bucket

LINES_PER_SECOND, LINES_AT_ONCE = 0.2, 20  # per kind
MOST_KINDS = 1000


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "text": record.getMessage(),
            **getattr(record, "facts", {}),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


class Thrift(logging.Filter):
    """Limits warnings and errors of one kind, noting how many were left out, so that strangers
    cannot fill the disk."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._buckets: dict[tuple[str, str], Bucket] = {}
        self._left_out: Counter[tuple[str, str]] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        now, kind = self._clock(), (record.name, str(record.msg))
        if len(self._buckets) > MOST_KINDS:
            self._buckets.clear()
        bucket = self._buckets.setdefault(kind, Bucket(LINES_PER_SECOND, LINES_AT_ONCE, now))
        if not bucket.take(now):
            self._left_out[kind] += 1
            return False
        if left_out := self._left_out.pop(kind, 0):
            record.facts = {**getattr(record, "facts", {}), "left_out": left_out}
        return True


def set_up(level: str) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    handler.addFilter(Thrift())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    # uvicorn logs full URLs, which may hold the ids of tables; we log routes instead.
    logging.getLogger("uvicorn.access").disabled = True
    for name in ("asyncio", "numba", "uvicorn.error"):
        logging.getLogger(name).setLevel(logging.WARNING)
