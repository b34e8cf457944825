"""The levels at which bots play it: by search, without the network (docs/bots.md has figures)."""

from __future__ import annotations

LEVELS = {
    "easy": "easy:10",
    "normal": "normal",
    "hard": "search:1ms",
    "expert": "search:2ms",
    "master": "search:50ms",
}
