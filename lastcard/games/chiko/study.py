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
RULINGS = {
    "must-play": (
        "Ruling: you may draw even if you could play. What if you must play?",
        {"rules": [("& (not _alone(s)))", "& (not _alone(s)) & (n == 0))")]},
    ),
    "four-chicks": (
        "Ruling: there are seven of each card. What if there are four chicks, and eight of 1 to 3?",
        {"components": [("(7, 7, 7, 7, 7, 7, 7, 1)", "(8, 8, 8, 7, 7, 7, 4, 1)")]},
    ),
    "higher-dice": (
        "Ruling: the dice have 1 to 5 beside the rooster. What if they have 2 to 6?",
        {"components": [("FACES = (1, 2, 3, 4, 5, 10)", "FACES = (2, 3, 4, 5, 6, 10)")]},
    ),
    "egg-with-its-rank": (
        "Ruling: an egg counts even next to a card of its value. What if it does not?",
        {
            "rules": [
                (
                    "    if s.hands[seat, EGG] > 0:\n        points",
                    "    if s.hands[seat, EGG] > 0 and s.hands[seat, s.top] == 0:\n        points",
                )
            ]
        },
    ),
}
