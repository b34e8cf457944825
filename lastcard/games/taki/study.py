"""What to ask of TAKI: see `lastcard study`."""

from __future__ import annotations

from .components import COLOURS, LAST_TURN, N_NUMBERS, SHAPES

SHAPE_NAMES = {"2+": "2+", "s": "stop", "r": "reverse", "+": "plus", "t": "TAKI"}
SPECIAL = {
    **{
        SHAPE_NAMES[shape]: tuple(colour + shape for colour in COLOURS)
        for shape in SHAPES[N_NUMBERS:]
    },
    **{"change colour": ("cc",), "Super TAKI": ("st",), "crazy": ("cz",)},
}
ORDINARY = "a number"
COMPARE = (
    (
        "Ruling: whoever can play must. What if he may draw instead?",
        ({"must_play": True}, {"must_play": False}),
    ),
    (
        "Ruling: the player of a crazy keeps his hand. What if he passes it on, too?",
        ({"crazy_all": False}, {"crazy_all": True}),
    ),
    (
        "Ruling: calls are made by the players. What if they are made for everybody?",
        ({"announce": "call"}, {"announce": "auto"}),
    ),
    (
        "Ruling: a match has five rounds. What if it has one, or ten?",
        ({"rounds": 5}, {"rounds": 1}, {"rounds": 10}),
    ),
)
ENDINGS = {
    "ended": f"ended without a winner: nobody could draw any more, or after {LAST_TURN:,} turns"
}
