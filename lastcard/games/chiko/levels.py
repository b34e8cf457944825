"""The levels at which bots play it: docs/bots.md has the figures."""

from __future__ import annotations

LEVELS = {
    "easy": "easy:6",
    "normal": "normal",
    "hard": "learned",
    "expert": "search:8ms:guided:trust=0.01:least=0.001",
    "master": "search:50ms:guided:trust=0.01:least=0.001",
}
