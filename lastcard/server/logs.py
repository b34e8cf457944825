"""Logs as one JSON object a line. Tokens, cards and keys are never given to them."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime


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


def set_up(level: str) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    # What uvicorn would log of requests has their whole addresses; we log our own.
    logging.getLogger("uvicorn.access").disabled = True
    for name in ("alembic", "aiosqlite", "asyncio", "numba", "uvicorn.error"):
        logging.getLogger(name).setLevel(logging.WARNING)
