"""The levels at which bots play it: by search, without the network (docs/bots.md has figures)."""

from __future__ import annotations

LEVELS = {
    "easy": "easy:40",
    "normal": "normal",
    "hard": "search:4ms",
    "expert": "search:15ms",
    "master": "search:50ms",
}
