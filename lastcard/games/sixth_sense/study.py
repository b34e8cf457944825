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
RULINGS = {
    "any-reversal": (
        "Ruling: an odd number of 4s turns a trick round. What if any number does?",
        {
            "rules": [
                ("powers += POWERS[s.trick[place]]", "powers |= wide(POWERS[s.trick[place]])"),
            ]
        },
    ),
    "each-double": (
        "Ruling: several 12s change nothing more. What if each makes one more trick?",
        {
            "rules": [
                (
                    "_win(s, seat, 2 if action == SPLIT else 1, log)",
                    "_win(s, seat, 1 + powers_of(s) // DOUBLES * (action == SPLIT), log)",
                )
            ]
        },
    ),
    "next-asks": (
        "Ruling: when the first card is blocked, the first that lies after it and is not blocked "
        "asks for its colour. What if the first that is played after the block does?",
        {
            "rules": [
                (
                    "s.asked = NOBODY if s.blocker == 1 else COLOUR_OF[s.trick[1]]",
                    "s.asked = NOBODY",
                )
            ]
        },
        *(4, 6),  # with fewer players the trick is complete then
    ),
}
