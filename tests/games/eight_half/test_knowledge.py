"""Eight and a Half: what a seat knows, and what the table remembers about the hands."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest

from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.kernel import NOBODY
from tests.helpers import choose, random_match, times

CARDS = "0123456789hg"


def may_be_played(card: str, value: str) -> bool:
    """The rules again, for a pot that is not empty."""
    pot = float(value)
    if card == "g":
        return True
    if card == "h":
        return pot != 8.5
    if card == "0":
        return pot == int(pot)
    return int(card) <= 5 if pot == 5 else int(card) >= pot


Hand = tuple[str, ...]  # sorted
EVERYTHING: frozenset[Hand] = frozenset(combinations_with_replacement(sorted(CARDS), 3))


@cache
def without(hands: frozenset[Hand], cards: Hand) -> frozenset[Hand]:
    """What is left of hands after these cards were played."""
    left = set()
    for hand in hands:
        rest = Counter(hand)
        rest.subtract(cards)
        if min(rest.values()) >= 0:
            left.add(tuple(sorted(rest.elements())))
    return frozenset(left)


@cache
def filled(hands: frozenset[Hand], count: int) -> frozenset[Hand]:
    """Hands after drawing any cards."""
    for _ in range(count):
        hands = frozenset(tuple(sorted((*hand, card))) for hand in hands for card in CARDS)
    return hands


@cache
def that_eat(hands: frozenset[Hand], value: str) -> frozenset[Hand]:
    """Hands with nothing to play."""
    return frozenset(
        hand
        for hand in hands
        if not any(may_be_played(card, value) for card in hand)
        and not (value == "8.5" and "8" in hand and "h" in hand)
    )


@cache
def that_open_not(hands: frozenset[Hand], card: str, equal: bool) -> frozenset[Hand]:
    """Hands without a yellow card below one that opened the first pot, nor, if `equal`, like it."""
    low = int(card) if card in "12345678" else 9
    return frozenset(
        hand
        for hand in hands
        if not any(one in "12345678" and int(one) < low + equal for one in hand)
    )


class Witness:
    """Keeps a list of all that each hand can be, after what its player did in this round.

    The record keeps something quite different. Hands of players who have played from the table are
    known to all, and are not tracked.
    """

    def __init__(self, match: Match) -> None:
        self.start_round(match)

    def start_round(self, match: Match) -> None:
        self.round = match.round
        self.hands = [EVERYTHING] * match.players

    def watch(self, match: Match, before: dict[str, Any], mover: int, action: str) -> None:
        """`before` is what a spectator saw before the move."""
        if match.round != self.round:
            self.start_round(match)
            return
        if action == "eat":
            self.hands[mover] = that_eat(self.hands[mover], before["value"])
        elif action.startswith("play ") and before["places"][mover] == "hand":
            name, _, count = action.removeprefix("play ").partition("x")
            cards = ("8", "h") if name == "8h" else (name,) * int(count or 1)
            if before["first"]:
                self.open(match, before, mover, name)
            self.hands[mover] = without(self.hands[mover], cards)
            drawn = before["banks"][mover]["size"] - match.view(None)["banks"][mover]["size"]
            self.hands[mover] = filled(self.hands[mover], drawn)

    def open(self, match: Match, before: dict[str, Any], mover: int, card: str) -> None:
        order = [(before["opener"] + step) % match.players for step in range(match.players)]
        for seat in range(match.players):
            earlier = order.index(seat) < order.index(mover)
            self.hands[seat] = that_open_not(self.hands[seat], card, earlier)

    def accepts(self, match: Match) -> bool:
        position = match.position()
        followed = [seat for seat in range(match.players) if seat not in position["table"]]
        hands = [tuple(sorted(position["hands"][seat].split())) for seat in followed]
        fits = all(hand in self.hands[seat] for seat, hand in zip(followed, hands, strict=True))
        return fits and (not match.view(None)["first"] or opens(position) == position["turn"])


def opens(position: dict[str, Any]) -> int:
    """Who opens the first pot."""
    players = len(position["hands"])
    order = [(position["opener"] + step) % players for step in range(players)]
    lows = [
        min([int(card) for card in position["hands"][seat].split() if card in "12345678"] or [9])
        for seat in order
    ]
    return order[0] if min(lows) == 9 else order[lows.index(min(lows))]


def remembered(match: Match, seat: int) -> frozenset[Hand]:
    """All hands that are possible according to the record."""
    s = match.record
    first, second = s.barred[seat, :, : s.sizes[seat]].tolist()
    return fitting(tuple(first)) | (fitting(tuple(second)) if any(second) else frozenset())


@cache
def fitting(barred: tuple[int, ...]) -> frozenset[Hand]:
    hands: set[Hand] = {()}
    for kinds in barred:
        some = [card for i, card in enumerate(CARDS) if not kinds >> i & 1]
        hands = {tuple(sorted((*hand, card))) for hand in hands for card in some}
    return frozenset(hands)


def test_the_table_remembers_just_what_hands_can_be(eight_half: Game) -> None:
    """No more and no less, at every moment of many matches."""
    rng = random.Random(11)
    known = two_ways = 0
    for _ in range(times(60, 6)):
        match = random_match(eight_half, rng)
        witness = Witness(match)
        while not match.over:
            before = match.view(None)
            seat, action = choose(rng, match)
            match.play(seat, action)
            witness.watch(match, before, int(seat), action)
            if match.over:
                break
            assert witness.accepts(match)
            for other in range(match.players):
                if not match.record.table >> other & 1:
                    assert remembered(match, other) == witness.hands[other]
                    known += witness.hands[other] < EVERYTHING
                    two_ways += match.record.barred[other, 1].any()
    assert known > times(2_500, 150)
    assert two_ways > times(20, 0)


def test_guesses_contradict_nothing_that_was_seen(eight_half: Game) -> None:
    rng = random.Random(12)
    generator = np.array([99], np.uint64)
    guesses = restricted = openings = 0
    while guesses < times(3000, 60):
        match = random_match(eight_half, rng)
        witness = Witness(match)
        while not match.over:
            before = match.view(None)
            if rng.random() < 0.2 or before["first"]:
                for seat in [NOBODY, *range(match.players)]:
                    guessed = match.hidden(None if seat == NOBODY else seat)
                    eight_half.rules.guess(guessed[0], seat, generator, eight_half.new_deal())
                    as_match = Match(eight_half, guessed)
                    assert witness.accepts(as_match)
                    hands = match.position()["hands"]
                    for one in {seat, *match.position()["table"]} - {NOBODY}:
                        assert as_match.position()["hands"][one] == hands[one]
                    guesses += 1
                    restricted += any(hands < EVERYTHING for hands in witness.hands)
                    openings += before["first"]
            mover, action = choose(rng, match)
            match.play(mover, action)
            witness.watch(match, before, int(mover), action)
    assert restricted > times(1000, 20)
    assert openings > times(50, 2)


def test_a_guess_can_be_any_deal(eight_half: Game) -> None:
    """Before the first card, all but the player on turn may have one of many lowest cards."""
    match = next(
        match
        for match in (eight_half.match(3, seed) for seed in range(99))
        if "1" not in match.position()["hands"][match.waiting[0]]
    )
    turn = int(match.waiting[0])
    generator = np.array([5], np.uint64)
    lows: Counter[str] = Counter()
    blinds: Counter[str] = Counter()
    for _ in range(times(300, 60)):
        guessed = match.hidden(None)
        eight_half.rules.guess(guessed[0], NOBODY, generator, eight_half.new_deal())
        position = Match(eight_half, guessed).position()
        assert opens(position) == turn
        lows[min(card for card in (*position["hands"][turn].split(), "g") if card != "0")] += 1
        blinds[position["blind"][0].split()[0]] += 1
    assert len(lows) >= 4
    assert set(blinds) == set(CARDS)


def test_a_hand_of_one_at_the_table_is_seen_by_all(eight_half: Game) -> None:
    match = eight_half.position(
        {
            "turn": 0,
            "pot": "7 8 h",
            "turns": 60,
            "hands": ["", "9 3", "5 6"],
            "open": ["3 - -", "-", "-"],
            "blind": ["7 7 7", "-", "-"],
            "table": [0],
        }
    )
    assert match.legal(0) == ["eat"]
    match.play(0, "eat")
    for seat in (None, 1, 2):
        view = match.view(seat)
        assert view["hands"][0] == {"size": 3, "cards": ["7", "8", "h"]}
        assert view["blind"][0] == {"size": 3, "cards": ["?", "?", "?"]}
        assert view["open"][0]["cards"] == ["3", "-", "-"]
    assert match.view(2)["hands"][1] == {"size": 2, "cards": []}
    # Nobody knows their own blind cards and bank.
    assert match.view(0)["blind"][0]["cards"] == ["?", "?", "?"]
    fresh = eight_half.match(2, 1)
    assert fresh.view(0)["banks"][0] == {"size": 27, "cards": []}


def test_who_eats_eight_and_a_half_has_no_eight_or_no_half(eight_half: Game) -> None:
    position = {"turn": 0, "pot": "8 h", "turns": 9, "hands": ["8 8 3", "1 2 3"]}
    match = eight_half.position(position)
    match.play(0, "eat")
    assert match.position()["memory"][0] == "89g 89g 89g | 9hg 9hg 9hg"
    seen = seen_by(match, 1)
    assert (seen["lacks 1 8"], seen["lacks 1 h"]) == (1, 0)
    assert (seen["or lacks 1 8"], seen["or lacks 1 h"]) == (0, 1)
    # An 8 is played: it was in the hand, so there is no half.
    match.play(1, "play 1")
    match.play(0, "play 8")
    assert match.position()["memory"][0] == "9hg 9hg"
    seen = seen_by(match, 1)
    assert seen["lacks 1 8"] == 0
    assert seen["lacks 1 h"] == pytest.approx(2 / 3)
    assert not any(seen[name] for name in seen if name.startswith("or lacks"))


def seen_by(match: Match, seat: int) -> dict[str, float]:
    """What a learner sees, by name."""
    rules = match.game.rules
    out = np.zeros(len(rules.OBSERVED), np.float32)
    rules.observe(match.hidden(seat)[0], seat, out)
    return dict(zip(rules.OBSERVED, out.tolist(), strict=True))
