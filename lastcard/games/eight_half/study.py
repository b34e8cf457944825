"""What to ask of Eight and a Half: see `lastcard study`."""

from __future__ import annotations

from .components import LAST_TURN

ZONES = ("hands", "open", "blind", "banks")  # all cards are dealt
SPECIAL = {
    "zero": ("0",),
    "half": ("h",),
    "ghost": ("g",),
    "8": ("8",),
    "9": ("9",),
}
ORDINARY = "a number from 1 to 7"
COMPARE = (
    (
        "Ruling: a match has five rounds. What if it has one, or ten?",
        ({"rounds": 5}, {"rounds": 1}, {"rounds": 10}),
    ),
)
ENDINGS = {"ended": f"ended without a winner after {LAST_TURN} turns"}
