"""Bots: legal, sensible, and blind to what their seat cannot see."""

from __future__ import annotations

import random

import pytest

import lastcard
from lastcard.bots import LEVELS, NAMES, bot, play_out
from lastcard.bots.search import SearchBot
from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.sim import arena
from tests.helpers import moments, permuted, random_options

# Search by a number of playouts: reproducible, and quick.
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
    """It does the same if the hidden cards are others."""
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
    """With seats swapped on the same deals, it wins well above an even share."""
    plan = arena.plan(any_game.id, [strong, weak], 80)
    best, _ = arena.standings(plan, [*arena.run(plan, workers=1)])
    assert best.wins.mean > (0.7 if strong == "normal" else 0.6)


def test_easy_is_easier(any_game: Game) -> None:
    plan = arena.plan(any_game.id, ["easy", "normal"], 100)
    easy, normal = arena.standings(plan, [*arena.run(plan, workers=1)])
    assert easy.wins.mean < normal.wins.mean


def test_easy_bots_slip_as_often_as_they_are_told(chiko: Game) -> None:
    """Chiko's policy leaves nothing to chance, so what differs from it is a slip."""
    differ = {0: 0, 50: 0, 100: 0}
    for number, (match, _) in enumerate(moments(chiko, 200, seed=2)):
        seat = match.waiting[0] if match.waiting else None
        if isinstance(seat, int) and len(match.legal(seat)) > 1:
            usual = bot("normal", chiko, 1).choose(match, seat)
            for slips in differ:
                differ[slips] += bot(f"easy:{slips}", chiko, number).choose(match, seat) != usual
    assert differ[0] == 0 < 0.3 * differ[100] < differ[50] < 0.7 * differ[100]


def test_easy_bots_miss_their_chance_to_act_out_of_turn() -> None:
    taki = lastcard.game("taki")
    missed = 0
    for match, _ in moments(taki, 150, seed=3):
        for seat in match.bystanders:
            missed += bot("easy:100", taki, 1).interject(match, seat) is None
    assert missed and missed == sum(
        len(match.bystanders) for match, _ in moments(taki, 150, seed=3)
    )


def test_levels() -> None:
    assert set(LEVELS) < set(NAMES)
    chiko = lastcard.game("chiko")
    before = bot("search:500ms", chiko)  # what other bots are measured against
    assert isinstance(before, SearchBot)
    assert (before.budget.ms, len(before.spaces), before.manner(2).by_network) == (500, 1, False)
    # Older match files say greedy.
    assert type(bot("greedy", chiko)) is type(bot("normal", chiko))


def test_a_bot_that_is_not_asked(chiko: Game) -> None:
    match = chiko.match(3, 1, {"opener": 0})
    for name in QUICK:
        for seat in (1, 99):
            with pytest.raises(lastcard.IllegalAction):
                bot(name, chiko, seed=-1).choose(match, seat)


def test_unknown_bots(chiko: Game) -> None:
    with pytest.raises(lastcard.BadOption, match=r"bot: there is no bot 'genius'"):
        bot("genius", chiko)
    for slips in ("", "101", "-1", "ten"):
        with pytest.raises(lastcard.BadOption, match="slips in 20 of 100"):
            bot(f"easy:{slips}", chiko)


def test_seeds_that_are_alike_give_different_bots() -> None:
    """Small ones, too: their first choices are spread over all actions."""
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
