"""The levels at which bots play it: search for longer is hardly stronger, so the last steps are
small ones (docs/bots.md has the figures)."""

from __future__ import annotations

LEVELS = {
    "easy": "easy:40",
    "normal": "normal",
    "hard": "learned",
    "expert": "search:15ms:drawn:reach=3:trust=0.003:least=0.001",
    "master": "search:50ms:drawn:reach=3:trust=0.003:least=0.001",
}
