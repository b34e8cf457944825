"""What the normal bot plays in Sixth Sense."""

from __future__ import annotations

import random
from typing import Any

from lastcard.bots import bot
from lastcard.core.game import Game


def test_it_has_sense(sixth_sense: Game) -> None:
    player = bot("normal", sixth_sense, 1)

    def choice(hands: list[str], **more: Any) -> str:
        full = {"trump": "b", "hands": hands, "predictions": ["p2", "p3", "p4"], **more}
        match = sixth_sense.position(full)
        return sixth_sense.actions[player.choose(match, 0)]

    weak, strong = "r1 r2 y1 y2 g1 g2 p1 p3 y5 r5 g5", "b14 b13 b12 b11 b10 b8 r14 y14 g14 p6 r3"
    others = ["y3 y4 y6 y7 y8 g3 g4 g6 g7 g8 p7", "r7 r8 r10 r11 y10 y11 g10 g11 p10 p11 p12"]
    low, high = (
        int(choice([hand, *others], predictions=["-"] * 3, tricks=[0, 0, 0]).split()[1][1:])
        for hand in (weak, strong)
    )
    assert low <= 2
    assert high >= 6
    # Last to play, it wins as cheaply as it can while it needs tricks, and then no more.
    trick = ["1 r7", "2 r10"]
    last: dict[str, Any] = {"trick": trick, "rest": "out"}
    assert choice(["r2 r11 y1", "y4 y5", "y7 y8"], tricks=[1, 2, 4], **last) == "play r11"
    assert choice(["r2 r8 y1", "r12 y5", "r3 y8"], tricks=[2, 2, 4], **last) == "play r8"
    assert choice(["r11 r12 y1", "y4 y5", "y7 y8"], tricks=[1, 2, 4], **last).startswith("play r1")
    # It plays a six as a nine to win, and as a six to lose.
    six: dict[str, Any] = {"trick": ["1 r7", "2 r8"], "rest": "out"}
    assert choice(["r6 y1", "y4", "y7"], tricks=[1, 2, 4], **six) == "play r6=9"
    assert choice(["r6 y1", "y4", "y7"], tricks=[2, 2, 4], **six) == "play r6"
    # One trick or two, as the prediction asks.
    twelve: dict[str, Any] = {"trick": ["1 r7", "2 r12", "0 r14"], "rest": "out"}
    assert choice(["y1", "y4", "y7"], tricks=[0, 2, 4], **twelve) == "split"
    assert choice(["y1", "y4", "y7"], tricks=[1, 2, 4], **twelve) == "whole"
    # It plays a 4 to reverse a trick that it would lose, or must not win.
    turned: dict[str, Any] = {"trick": ["1 r7", "2 r10"], "rest": "out"}
    assert choice(["y4 y14", "y5", "y7"], tricks=[1, 2, 4], **turned) == "play y4"


def test_it_uses_what_it_has_seen(sixth_sense: Game) -> None:
    """It does not expect a player who has met the prediction to win the trick."""
    player = bot("normal", sixth_sense, 1)
    rng = random.Random(5)
    different = 0
    for _ in range(300):
        cards = rng.sample(sixth_sense.cards, 18)
        match = sixth_sense.position(
            {
                "trump": rng.choice("rygbp"),
                "hands": [" ".join(cards[4 * seat : 4 * seat + 4]) for seat in range(3)],
                "predictions": ["-", "-", "-"],
            }
        )
        for seat in range(3):
            match.play(seat, rng.choice(match.legal(seat)))
        position = match.position()
        choices = set()
        for seen in ([], ["0 1", "0 2"]):
            one = sixth_sense.position({**position, "seen": seen}, 3)
            choices.add(player.choose(one, 0))
        different += len(choices) > 1
    assert different > 5
