"""What to ask of Chiko: see `lastcard study`."""

from __future__ import annotations

SPECIAL = {"chick": ("c",), "egg": ("e",)}
ORDINARY = "a number"
COMPARE = (
    (
        "The match ends at 50 points. What if it ends at 25, or at 100?",
        ({"target": 50}, {"target": 25}, {"target": 100}),
    ),
)
ENDINGS: dict[str, str] = {}  # a round of Chiko always ends by itself
