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
RULINGS = {
    "reverse-again": (
        "Ruling: with two players a reverse passes the turn. What if you play again, as after a "
        "stop?",
        {
            "rules": [
                (
                    "s.direction = -s.direction\n",
                    "s.direction = -s.direction\n        steps = 2 if s.players == 2 else 1\n",
                )
            ]
        },
        *(2, 2),
    ),
    "bare-closes": (
        "Ruling: a run whose last card is a TAKI cannot be closed. What if it can?",
        {"rules": [("run & (s.lead_shape != TAKI))", "run)")]},
    ),
}
