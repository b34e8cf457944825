"""The levels at which bots play it: with a few milliseconds search beats the network alone
(docs/bots.md has the figures)."""

from __future__ import annotations

LEVELS = {
    "easy": "easy:10",
    "normal": "normal",
    "hard": "search:4ms",
    "expert": "search:15ms",
    "master": "search:50ms",
}
