"""What to ask of Sixth Sense: see `lastcard study`."""

from __future__ import annotations

from .components import COLOURS, DOUBLE, PEEK, REVERSAL, SIX, ZERO

SPECIAL = {
    name: tuple(f"{colour}{number}" for colour in COLOURS)
    for name, number in (
        ("0, block", ZERO),
        ("4, reversal", REVERSAL),
        ("6 or 9", SIX),
        ("8, peek", PEEK),
        ("12, double", DOUBLE),
        ("13", 13),
        ("14", 14),
    )
}
ORDINARY = "another card"
COMPARE = (
    (
        "What if beginners play: no trump, and points by the difference?",
        ({"beginner": False}, {"beginner": True}),
    ),
    (
        "What if the trump is turned up after the predictions?",
        ({"late_trump": False}, {"late_trump": True}),
    ),
    (
        "What if the match goes on until somebody has 20 points?",
        ({"target": None}, {"target": 20}),
    ),
)
ENDINGS: dict[str, str] = {}  # a round of Sixth Sense ends when the hands are empty
