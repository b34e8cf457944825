"""What the normal bot plays in Eight and a Half."""

from __future__ import annotations

from typing import Any

from lastcard.bots import bot
from lastcard.core.game import Game


def test_it_has_sense(eight_half: Game) -> None:
    player = bot("normal", eight_half, 1)
    unseen = "0 3 4 5 6 7 8 9 h g 8 9"

    def choice(pot: str, hand: str, other: str = "1 1 2", **more: Any) -> str:
        position = {"turn": 0, "turns": 9, "pot": pot, "hands": [hand, other]}
        full = {"banks": [unseen, unseen], **more}
        return eight_half.actions[player.choose(eight_half.position({**position, **full}), 0)]

    # The lowest card that fits, with all its copies; jokers can wait.
    assert choice("3", "4 7 g") == "play 4"
    assert choice("3", "4 4 g") == "play 4x2"
    assert choice("", "1 9 h") == "play 1"
    # It catches an offender if it can.
    assert choice("7 h", "8 9 9") == "play 8"
    # It plays what a known hand cannot answer: on 8 the other plays 8, on 9 they must eat.
    at_the_table: dict[str, Any] = {"table": [1], "banks": [unseen, ""]}
    assert choice("8", "8 9 3", "8 7 7", **at_the_table) == "play 9"
    # It does not leave the pot on a half number if the other is known to have the policeman.
    assert choice("6", "h g 1", "7 1 1", **at_the_table) == "play g"
    assert choice("6", "h g 1", "3 1 1", **at_the_table) == "play h"
    # It keeps the other from going out if it can.
    last: dict[str, Any] = {"table": [0, 1], "banks": ["", ""], "blind": ["1 2 3", "- - -"]}
    assert choice("", "2 9", "3", **last) == "play 9"
    assert choice("", "3 3 8 1", "7", **last) == "play 8"
    assert choice("5", "3 3 3 5", "7", **last) == "play 5"
    assert choice("7", "8 h 9 3", "8 h", **last) == "play 9"
    # If it can go out, it does.
    out: dict[str, Any] = {"banks": ["", unseen]}
    assert choice("2", "g", **out) == "play g"
    assert choice("2", "g g", **out) == "play gx2"
    # The worst of its open cards for the best of the loser's, or none.
    swap: dict[str, Any] = {"turns": 0, "swap": [0, 1], "banks": ["", ""]}
    assert choice("", "3 4 5", open=["7 2 9", "g 3 h"], **swap) == "swap 1 0"
    assert choice("", "3 4 5", open=["g g g", "1 2 3"], **swap) == "keep"
