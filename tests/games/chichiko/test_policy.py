"""What the normal bot plays in Chi-Chi-Ko."""

from __future__ import annotations

from typing import Any

from lastcard.bots import bot
from lastcard.core.game import Game
from lastcard.core.match import Match

VARIANTS = ("blitz", "phone", "sausage", "open", "faces", "out_of_turn")


def test_it_has_sense(chichiko: Game) -> None:
    player = bot("normal", chichiko, 1)

    def table(hands: list[str], ends: str, bazaar: str = "yc-yc yn-yn", **more: Any) -> Match:
        options = {name: more.pop(name) for name in [*more] if name in VARIANTS}
        full = {"hands": hands, "ends": ends, "bazaar": bazaar, "rest": "out", **more}
        return chichiko.position(full, options=options)

    def choice(hands: list[str], ends: str, **more: Any) -> str:
        return chichiko.actions[player.choose(table(hands, ends, **more), 0)]

    def turn(match: Match) -> list[str]:
        """What it plays in a whole turn."""
        played = []
        while not match.over and match.waiting == [0] and match.round == 1:
            played.append(chichiko.actions[player.choose(match, 0)])
            match.play(0, played[-1])
        return played

    # It makes a player who is about to go out miss a turn.
    others = ["bp-bp", "rs-rs gs-gs yp-yp"]
    assert choice(["rk-r+2 rc-rc", *others], "rk rk") == "put rk-r+2 @0"
    # It does not turn play towards a player it sees about to go out.
    seen = ["rp-rp gk-rp gk-gc bn-bv", "rk-rk gp-gp rk-ys rk-bn rs-bp gs-yp", "bp-bp"]
    assert choice(seen, "rn bx", open=True) == "put bv-bn @1"
    # All tiles in one turn: the super tile, which ends it, comes last.
    three = ["gk-bs gk-gc gn-g+4", "gc-gc bk-bc bs-bn", "gn-gn"]
    assert len(turn(table(three, "gn bk rp rp", phone=True, blitz=True))) == 3
    four = ["yn-yn gp-rc gn-yc bn-bv", "yk-gs bp-b+4"]
    assert len(turn(table(four, "gc gn", "rs-rs rp-rp", blitz=True, begun=True))) == 4
    # If it owes a face, that comes first.
    owing = ["bk-bk yk-yk", "gn-gn gp-gp gs-gs"]
    assert choice(owing, "rk rk", open=True, faces=True, owes_face=0) == "face"


def test_it_puts_out_of_turn_only_to_win(chichiko: Game) -> None:
    player = bot("normal", chichiko, 1)
    hands = ["bk-bk yn-yn", "yk-yk", "gk-gk gs-gs"]
    for bazaar, wish in (("rs-rs", None), ("", "put yk-yk @0")):
        match = chichiko.position(
            {"hands": hands, "ends": "rk rk", "bazaar": bazaar, "rest": "out"},
            options={"out_of_turn": True},
        )
        assert match.bystanders == [1, 2]
        action = player.interject(match, 1)
        assert action == (None if wish is None else chichiko.parse_action(wish))
        assert player.interject(match, 2) is None
