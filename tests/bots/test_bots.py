"""Bots: legal, sensible, and blind to what their seat cannot see."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

import lastcard
from lastcard.bots import LEVELS, NAMES, bot, play_out
from lastcard.bots.search import SearchBot
from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.sim import arena
from tests.helpers import moments, permuted, random_options

# Search with playouts: it repeats itself, and does not take its time.
QUICK = ("random", "easy", "normal", "search:40")


@pytest.mark.parametrize("name", QUICK)
def test_bots_play_whole_matches(any_game: Game, name: str) -> None:
    rng = random.Random(3)
    for players in range(any_game.fewest, any_game.most + 1):
        match = any_game.match(players, players, random_options(rng, any_game, players))
        play_out(match, [bot(name, any_game, seed=seat) for seat in range(players)])
        assert match.winners


@pytest.mark.parametrize("name", QUICK)
def test_a_bot_does_not_see_hidden_cards(any_game: Game, name: str) -> None:
    """With other cards in the places it cannot see, it does the same."""
    asked = 0
    for match, rng in moments(any_game, 150, seed=6):
        for seat in [*match.waiting, *match.bystanders]:
            if not isinstance(seat, int):
                continue
            other = permuted(match, seat, rng)
            seed = rng.getrandbits(32)
            one, two = bot(name, any_game, seed), bot(name, any_game, seed)
            if seat in match.waiting:
                action: int | None = one.choose(match, seat)
                assert action == two.choose(other, seat)
            else:
                action = one.interject(match, seat)
                assert action == two.interject(other, seat)
            assert action is None or action in match.legal_ids(seat)
            asked += 1
    assert asked > 100


def test_a_seeded_bot_repeats_itself(chiko: Game) -> None:
    def played(seed: int) -> Match:
        match = chiko.match(3, 5)
        player = bot("random", chiko, seed)
        while not match.over:
            seat = match.waiting[0]
            match.roll() if seat == "chance" else match.play(seat, player.choose(match, int(seat)))
        return match

    assert played(1).state == played(1).state
    assert played(1).moves != played(2).moves


@pytest.mark.parametrize(("strong", "weak"), [("normal", "random"), ("easy", "random")])
def test_who_has_sense_beats_chance(any_game: Game, strong: str, weak: str) -> None:
    """Both seats in turn, the same deals: well above the even share."""
    plan = arena.plan(any_game.id, [strong, weak], 80)
    best, _ = arena.standings(plan, [*arena.run(plan, workers=1)])
    assert best.wins.mean > (0.7 if strong == "normal" else 0.6)


def test_easy_is_easier(any_game: Game) -> None:
    plan = arena.plan(any_game.id, ["easy", "normal"], 100)
    easy, normal = arena.standings(plan, [*arena.run(plan, workers=1)])
    assert easy.wins.mean < normal.wins.mean


def test_levels() -> None:
    assert set(LEVELS) < set(NAMES)
    chiko = lastcard.game("chiko")
    hard, expert = bot("hard", chiko), bot("expert", chiko)
    assert isinstance(hard, SearchBot) and isinstance(expert, SearchBot)
    assert (hard.budget.ms, len(hard.spaces)) == (50, 1)
    assert (expert.budget.ms, len(expert.spaces)) == (500, os.cpu_count())
    # Older match files say greedy.
    assert type(bot("normal", chiko)) is type(bot("normal", chiko))


def test_a_bot_that_is_not_asked(chiko: Game) -> None:
    match = chiko.match(3, 1, {"opener": 0})
    for name in QUICK:
        for seat in (1, 99):
            with pytest.raises(lastcard.IllegalAction):
                bot(name, chiko, seed=-1).choose(match, seat)


def test_unknown_bots(chiko: Game) -> None:
    with pytest.raises(lastcard.BadOption, match=r"bot: there is no bot 'genius'"):
        bot("genius", chiko)


def test_the_greedy_bot_of_chiko_has_sense(chiko: Game) -> None:
    player = bot("normal", chiko, 1)

    def choice(position: dict[str, object]) -> str:
        match = chiko.position(position)
        return chiko.actions[player.choose(match, 0)]

    # A chick is worth ten: it goes first. The egg can wait.
    assert choice({"turn": 0, "top": "c", "hands": ["1 c", "1 1 1"]}) == "play c"
    assert choice({"turn": 0, "top": "6", "hands": ["e c", "1 1 1"]}) == "play c"
    # With little in hand it stops, with much it draws; unless somebody is about to go out.
    assert choice({"turn": 0, "top": "6", "hands": ["1 2", "1 1 1"]}) == "quit"
    assert choice({"turn": 0, "top": "4", "hands": ["c 3 2", "1 1 1"]}) == "draw"
    assert choice({"turn": 0, "top": "4", "hands": ["c 3 2", "1"]}) == "quit"


def test_the_greedy_bot_of_taki_has_sense() -> None:
    taki = lastcard.game("taki")
    player = bot("normal", taki, 1)

    def choice(hand: str, other: str = "y1 y3 y4 y5", seat: int = 0, **more: Any) -> str:
        position = {"turn": 0, "top": "r5", "hands": [hand, other]}
        return taki.actions[player.choose(taki.position({**position, **more}), seat)]

    # A TAKI that takes others along, a +3, and no colourless card while another one fits.
    assert choice("rt r1 r3 b5 b9") == "play rt"
    assert choice("r+ r3 b5 b7") == "play r+"
    assert choice("b5 cc g9") == "play b5"
    # It names the colour that it has most of.
    assert choice("cc g9 g8 y1") == "play cc>g"
    # In a run everything goes, what has an effect last; then it closes.
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
    # With few cards next to it, it stings.
    assert choice("r2+ r9 b9 b8", "y1 y3") == "play r2+"


def test_the_greedy_bot_of_eight_half_has_sense() -> None:
    eight_half = lastcard.game("eight_half")
    player = bot("normal", eight_half, 1)
    unseen = "0 3 4 5 6 7 8 9 h g 8 9"

    def choice(pot: str, hand: str, other: str = "1 1 2", **more: Any) -> str:
        position = {"turn": 0, "turns": 9, "pot": pot, "hands": [hand, other]}
        full = {"banks": [unseen, unseen], **more}
        return eight_half.actions[player.choose(eight_half.position({**position, **full}), 0)]

    # The lowest card that fits, of identical ones all; jokers can wait.
    assert choice("3", "4 7 g") == "play 4"
    assert choice("3", "4 4 g") == "play 4x2"
    assert choice("", "1 9 h") == "play 1"
    # It catches whom it can.
    assert choice("7 h", "8 9 9") == "play 8"
    # What an open hand cannot answer: on 8 the other plays 8, on 9 he has to eat.
    at_the_table: dict[str, Any] = {"table": [1], "banks": [unseen, ""]}
    assert choice("8", "8 9 3", "8 7 7", **at_the_table) == "play 9"
    # It does not leave the pot on a half number if the other surely has the policeman.
    assert choice("6", "h g 1", "7 1 1", **at_the_table) == "play g"
    assert choice("6", "h g 1", "3 1 1", **at_the_table) == "play h"
    # It does not let the other go out if it can help it.
    last: dict[str, Any] = {"table": [0, 1], "banks": ["", ""], "blind": ["1 2 3", "- - -"]}
    assert choice("", "2 9", "3", **last) == "play 9"
    assert choice("", "3 3 8 1", "7", **last) == "play 8"
    assert choice("5", "3 3 3 5", "7", **last) == "play 5"
    assert choice("7", "8 h 9 3", "8 h", **last) == "play 9"
    # What goes out is played.
    out: dict[str, Any] = {"banks": ["", unseen]}
    assert choice("2", "g", **out) == "play g"
    assert choice("2", "g g", **out) == "play gx2"
    # The worst of its open cards for the best of the loser's, or none.
    swap: dict[str, Any] = {"turns": 0, "swap": [0, 1], "banks": ["", ""]}
    assert choice("", "3 4 5", open=["7 2 9", "g 3 h"], **swap) == "swap 1 0"
    assert choice("", "3 4 5", open=["g g g", "1 2 3"], **swap) == "keep"


def test_the_greedy_bot_of_sixth_sense_has_sense() -> None:
    sixth_sense = lastcard.game("sixth_sense")
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
    # It is the last to play: it wins while it needs a trick, as cheaply as it can; then no more.
    trick = ["1 r7", "2 r10"]
    last: dict[str, Any] = {"trick": trick, "rest": "out"}
    assert choice(["r2 r11 y1", "y4 y5", "y7 y8"], tricks=[1, 2, 4], **last) == "play r11"
    assert choice(["r2 r8 y1", "r12 y5", "r3 y8"], tricks=[2, 2, 4], **last) == "play r8"
    assert choice(["r11 r12 y1", "y4 y5", "y7 y8"], tricks=[1, 2, 4], **last).startswith("play r1")
    # A six is a nine if that wins, and a six if that does not.
    six: dict[str, Any] = {"trick": ["1 r7", "2 r8"], "rest": "out"}
    assert choice(["r6 y1", "y4", "y7"], tricks=[1, 2, 4], **six) == "play r6=9"
    assert choice(["r6 y1", "y4", "y7"], tricks=[2, 2, 4], **six) == "play r6"
    # One trick or two, as the prediction asks.
    twelve: dict[str, Any] = {"trick": ["1 r7", "2 r12", "0 r14"], "rest": "out"}
    assert choice(["y1", "y4", "y7"], tricks=[0, 2, 4], **twelve) == "split"
    assert choice(["y1", "y4", "y7"], tricks=[1, 2, 4], **twelve) == "whole"
    # A 4 turns a trick round that it would lose, or that it must not win.
    turned: dict[str, Any] = {"trick": ["1 r7", "2 r10"], "rest": "out"}
    assert choice(["y4 y14", "y5", "y7"], tricks=[1, 2, 4], **turned) == "play y4"


def test_the_greedy_bot_of_sixth_sense_uses_what_it_has_seen() -> None:
    """Of one who has what he predicted it does not fear that he wins the trick."""
    sixth_sense = lastcard.game("sixth_sense")
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


def test_the_greedy_bot_of_chichiko_has_sense() -> None:
    chichiko = lastcard.game("chichiko")
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

    # It stops who is about to go out, by a tile that makes him miss his turn.
    others = ["bp-bp", "rs-rs gs-gs yp-yp"]
    assert choice(["rk-r+2 rc-rc", *others], "rk rk") == "put rk-r+2 @0"
    # It does not turn play to somebody who is about to go out, if it sees him.
    seen = ["rp-rp gk-rp gk-gc bn-bv", "rk-rk gp-gp rk-ys rk-bn rs-bp gs-yp", "bp-bp"]
    assert choice(seen, "rn bx", open=True) == "put bv-bn @1"
    # All tiles in one turn: the super tile, which ends it, comes last.
    three = ["gk-bs gk-gc gn-g+4", "gc-gc bk-bc bs-bn", "gn-gn"]
    assert len(turn(table(three, "gn bk rp rp", phone=True, blitz=True))) == 3
    four = ["yn-yn gp-rc gn-yc bn-bv", "yk-gs bp-b+4"]
    assert len(turn(table(four, "gc gn", "rs-rs rp-rp", blitz=True, begun=True))) == 4
    # A face first, where one is owed.
    owing = ["bk-bk yk-yk", "gn-gn gp-gp gs-gs"]
    assert choice(owing, "rk rk", open=True, faces=True, owes_face=0) == "face"


VARIANTS = ("blitz", "phone", "sausage", "open", "faces", "out_of_turn")


def test_the_greedy_bot_of_chichiko_puts_out_of_turn_only_to_win() -> None:
    chichiko = lastcard.game("chichiko")
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


def test_seeds_that_are_alike_give_different_bots() -> None:
    """Small numbers, too: their first choices are spread over all actions."""
    sixth_sense = lastcard.game("sixth_sense")
    match = sixth_sense.match(3, 1)
    legal = match.legal_ids(0)
    first = [bot("random", sixth_sense, seed).choose(match, 0) for seed in range(300)]
    assert set(first) == set(legal)
    assert max(map(first.count, legal)) < 3 * len(first) / len(legal)


def test_no_name_leads_to_code_of_others(chiko: Game) -> None:
    for name in ("examples/first_bot.py:FirstBot", "os:abort", "oracle:50ms"):
        with pytest.raises(lastcard.BadOption, match="there is no bot"):
            bot(name, chiko)


def test_seeds_of_any_size(chiko: Game) -> None:
    player = bot("random", chiko, 2**62)
    assert isinstance(player.choose(chiko.match(2, 1, {"opener": 0}), 0), int)
