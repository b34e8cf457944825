"""The levels at which bots play it: with the network search is stronger by far than without, so the
last step is a large one (docs/bots.md has the figures)."""

from __future__ import annotations

LEVELS = {
    "easy": "easy:10",
    "normal": "normal",
    "hard": "search:1ms",
    "expert": "search:2ms",
    "master": "search:50ms:guided:trust=0.003:least=0.001",
}
