"""What to ask of Chi-Chi-Ko: see `lastcard study`."""

from __future__ import annotations

from .components import CARDS, N_DOUBLES, TILES
from .components import SPECIAL as PICTURES

SPECIAL = {
    "double": CARDS[:N_DOUBLES],
    **{
        f"super tile, {name}": tuple(
            card for card, (_, half) in zip(CARDS, TILES, strict=True) if half[1:] == picture
        )
        for name, picture in zip(("+2", "+4", "reverse", "skip"), PICTURES, strict=True)
    },
}
ORDINARY = "an ordinary tile"
COMPARE = (
    (
        "Ruling: a match has five rounds. What if it has one, or ten?",
        ({"rounds": 5}, {"rounds": 1}, {"rounds": 10}),
    ),
    (
        "Ruling: tiles are not put out of turn. What if they may be, at the price of five?",
        ({"out_of_turn": False}, {"out_of_turn": True}),
    ),
    ("What if smaller hands are dealt?", ({"hand": None}, {"hand": 5}, {"hand": 3})),
    ("What if a turn is as many tiles as you like?", ({"blitz": False}, {"blitz": True})),
    (
        "What if the chain has four ends?",
        ({"phone": False, "sausage": False}, {"phone": True}, {"sausage": True}),
    ),
    (
        "What if all hands are open, and faces are made?",
        ({"open": False}, {"open": True}, {"open": True, "faces": True}),
    ),
    (
        "Ruling: how many tiles an apocalypse takes out. What if there is none, or one?",
        ({"apocalypse": False}, {"apocalypse": True}),
    ),
)
ENDINGS = {
    "fish": "ended in a fish: nobody could put a tile",
    "closed_all": "ended in a fish: all ends were closed",
}
RULINGS = {
    "special-half": (
        "Ruling: super tiles fit their colour with either half. What if only with the special one?",
        {"components": [("or is_super(tile)\n    return", "or half[1:] in SPECIAL\n    return")]},
    ),
    "ten-supers": (
        "Ruling: 20 of our tiles are super tiles. What if ten are, of every colour and picture?",
        {
            "components": [
                (
                    "SPECIAL[(p + c) % 4]))\n        for p in range(N_ORDINARY)\n"
                    "        for c in range(4)\n",
                    "SPECIAL[(p + c) % 4]))\n        for p in range(N_ORDINARY)\n"
                    "        for c in range(4)\n        if (p + c // 2) % 2 == 0\n",
                )
            ]
        },
    ),
}
