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
RULINGS = {
    "250-turns": (
        f"Ruling: a round ends after {LAST_TURN} turns. What if it does after 250?",
        {"components": [("LAST_TURN = 500", "LAST_TURN = 250")]},
    ),
    "1000-turns": (
        f"Ruling: a round ends after {LAST_TURN} turns. What if it does after 1,000?",
        {"components": [("LAST_TURN = 500", "LAST_TURN = 1000")]},
    ),
    "opener-opens": (
        "Ruling: whoever has the lowest yellow card opens the first pot of every round. What if "
        "he does in the first round only, and then the opener does?",
        {
            "pot": [
                (
                    "for _ in range(s.players):",
                    "for _ in range(s.players * (s.round_number == 1)):",
                ),
                ("and s.winner == NOBODY", "and s.winner == NOBODY and s.round_number == 1"),
            ]
        },
    ),
    "extra-cards-last": (
        "Ruling: extra cards go to the seats from the opener on. What if the last seats get them?",
        {
            "rules": [
                (
                    "if after_opener(s, seat) < DECK_SIZE % s.players:",
                    "if s.players - 1 - after_opener(s, seat) < DECK_SIZE % s.players:",
                )
            ]
        },
        *(5, 5),  # with fewer players there are no extra cards
    ),
}
