"""The levels at which bots play it: the network is far better than the rules of thumb, so there is
a step between them (docs/bots.md has the figures)."""

from __future__ import annotations

LEVELS = {
    "easy": "easy:35",
    "normal": "normal",
    "hard": "search:1ms",
    "expert": "learned",
    "master": "search:50ms:guided:trust=0.003:least=0.001",
}
