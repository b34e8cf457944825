"""What the normal bot plays in TAKI."""

from __future__ import annotations

from typing import Any

from lastcard.bots import bot
from lastcard.core.game import Game


def test_it_has_sense(taki: Game) -> None:
    player = bot("normal", taki, 1)

    def choice(hand: str, other: str = "y1 y3 y4 y5", seat: int = 0, **more: Any) -> str:
        position = {"turn": 0, "top": "r5", "hands": [hand, other]}
        return taki.actions[player.choose(taki.position({**position, **more}), seat)]

    # It plays a TAKI with a run, a +3, and no colourless card while another one fits.
    assert choice("rt r1 r3 b5 b9") == "play rt"
    assert choice("r+ r3 b5 b7") == "play r+"
    assert choice("b5 cc g9") == "play b5"
    # It names the colour that it has most of.
    assert choice("cc g9 g8 y1") == "play cc>g"
    # In a run it plays everything, a command last; then it closes.
    run: dict[str, Any] = {"run": True, "open": "r", "top": "rt"}
    assert choice("r2+ r1 b4 b6", **run) == "play r1"
    assert choice("r2+ b4 b6", **run) == "play r2+"
    assert choice("b4 b6 g1", **{**run, "top": "r2+"}) == "close"
    # It calls when its move leaves it with one card, and only then.
    assert choice("r1 b4") == "call"
    assert choice("r1 b4", called=[0]) == "play r1"
    assert choice("g1 b4") == "draw"
    assert choice("r+ b4") == "play r+"
    assert choice("rt b4") == "play rt"
    assert choice("b4", **run) == "call"
    assert choice("b4 b6", "y1", seat=1, exposed=1) == "call"
    # It breaks a +3 if it can.
    assert choice("r1 r4", "g+ g3 g9", seat=1, asked=1, top="r3") == "break g"
    # It attacks a neighbour with few cards.
    assert choice("r2+ r9 b9 b8", "y1 y3") == "play r2+"
