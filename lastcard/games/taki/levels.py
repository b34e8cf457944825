"""The levels at which bots play it: a little search lies between the rules of thumb and the network
(docs/bots.md has the figures)."""

from __future__ import annotations

LEVELS = {
    "easy": "easy:40",
    "normal": "normal",
    "hard": "search:2ms",
    "expert": "learned",
    "master": "search:50ms:guided:trust=0.003:least=0.001",
}
