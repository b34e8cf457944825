"""What the normal bot plays in Chiko."""

from __future__ import annotations

from lastcard.bots import bot
from lastcard.core.game import Game


def test_it_has_sense(chiko: Game) -> None:
    player = bot("normal", chiko, 1)

    def choice(position: dict[str, object]) -> str:
        match = chiko.position(position)
        return chiko.actions[player.choose(match, 0)]

    # A chick costs ten: it goes first. The egg can wait.
    assert choice({"turn": 0, "top": "c", "hands": ["1 c", "1 1 1"]}) == "play c"
    assert choice({"turn": 0, "top": "6", "hands": ["e c", "1 1 1"]}) == "play c"
    # With few points in hand it quits, with many it draws, unless somebody is about to go out.
    assert choice({"turn": 0, "top": "6", "hands": ["1 2", "1 1 1"]}) == "quit"
    assert choice({"turn": 0, "top": "4", "hands": ["c 3 2", "1 1 1"]}) == "draw"
    assert choice({"turn": 0, "top": "4", "hands": ["c 3 2", "1"]}) == "quit"
