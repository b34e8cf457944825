"""Eight and a Half: what scenarios cannot say. Scores here are computed by hand from the rules."""

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
from lastcard.core.registry import game
from lastcard.errors import BadOption, BadPosition
from lastcard.games.eight_half import rules
from lastcard.kernel import NOBODY
from tests.helpers import choose, play_on, random_match, times

CARDS = "0123456789hg"


@pytest.fixture(scope="module")
def eight_half() -> Game:
    return game("eight_half")


# --- Points, by hand -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "scores", "why"),
    [
        # Seat 0 goes out. Counts 0, 1, 3.
        ({"hands": ["9", "8", "1 1 1"]}, [3, 0, 0], "the winner has the lowest count, too"),
        # Counts 2 (burned), 1, 3.
        (
            {"hands": ["9", "8", "1 1 1"], "burned": ["1 2", "", ""]},
            [2, 1, 0],
            "burned cards count, the winner's too",
        ),
        # Counts 1, 1, 1 + 2 + 2 + 1 + 1 = 7.
        (
            {
                "hands": ["9", "8", "1"],
                "burned": ["g", "", "0"],
                "banks": ["", "", "2 2"],
                "open": ["-", "-", "h - h"],
                "blind": ["-", "-", "- 5 -"],
            },
            [3, 1, 0],
            "all who share the lowest count have the point",
        ),
        # Counts 5, 1 + 3 = 4, 2 + 2 = 4.
        (
            {"hands": ["9", "8", "1 1"], "burned": ["1 2 3 4 5", "0 0 h", "h h"]},
            [2, 1, 1],
            "others share it, the winner has it not",
        ),
    ],
)
def test_points_by_hand(
    eight_half: Game, position: dict[str, Any], scores: list[int], why: str
) -> None:
    more = {"turn": 0, "pot": "8", "turns": 9}
    match = eight_half.position(more | position, options={"rounds": 1})
    match.play(0, "play 9")
    assert match.over
    assert match.scores == scores, why


def test_final_scores_of_a_match_by_hand(eight_half: Game) -> None:
    """Three rounds of three players.

    Round 1: seat 1 leaves the pot on 3½; seat 2 catches with its last card, a 4, and has won. Seat
    1 burns 2, h, h, h, 4 and has 5 left: a count of 5 + 1 = 6. Seat 0 has 6 6: 2. Seat 2 has 0, the
    lowest. Points 0, 0, 3. The big loser is seat 1.
    Round 2: seat 0 flips its last blind card, a ghost, and has won; 5 burned cards count for it.
    Seat 1 has 9 and 9: 2. Seat 2 has 7, and burned 7: 2. So 2, 1, 1: in all 2, 1, 4. Of the two
    with the highest count the first after seat 0 is the big loser: seat 1.
    Round 3: the 500th turn ends it, without points: 2, 1, 4. Seat 2 wins.
    """
    options = {"rounds": 3}
    first = eight_half.position(
        {"turn": 1, "pot": "2 h h", "turns": 9, "hands": ["6 6", "h 5", "4"]}, options=options
    )
    first.play(1, "play h")
    assert first.view(None)["value"] == "3.5"
    first.play(2, "play 4")
    assert first.scores == [0, 0, 3]
    assert first.position()["swap"] == [2, 1]
    second = eight_half.position(
        {
            "turn": 0,
            "pot": "5",
            "turns": 40,
            "round": 2,
            "hands": ["", "9 9", "7"],
            "blind": ["- g -", "-", "-"],
            "table": [0],
            "burned": ["1 1 2 2 3", "", "7"],
            "scores": first.scores,
        },
        options=options,
    )
    second.play(0, "flip 1")
    assert second.scores == [2, 1, 4]
    assert second.position()["swap"] == [0, 1]
    third = eight_half.position(
        {
            "turn": 2,
            "pot": "9",
            "turns": 499,
            "round": 3,
            "hands": ["9 9", "3", "1 2"],
            "scores": second.scores,
        },
        options=options,
    )
    third.play(2, "eat")
    assert third.over
    assert third.scores == [2, 1, 4]
    assert third.winners == [2]


# --- Deals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "piles"), [(2, [36]), (3, [24]), (4, [18]), (5, [14, 15])])
def test_deals(eight_half: Game, players: int, piles: list[int]) -> None:
    deck = Counter(dict(zip(CARDS, (6, 4, 4, 6, 6, 6, 6, 6, 6, 6, 8, 8), strict=True)))
    assert deck.total() == 72
    for seed in range(times(200, 20)):
        match = eight_half.match(players, seed)
        position = match.position()
        sizes = []
        dealt: Counter[str] = Counter()
        for zone in ("hands", "open", "blind", "banks"):
            for seat, cards in enumerate(position[zone]):
                assert zone == "banks" or len(cards.split()) == 3
                sizes.append((seat, len(cards.split())))
                dealt.update(cards.split())
        assert dealt == deck
        of_seat = [sum(n for one, n in sizes if one == seat) for seat in range(players)]
        assert set(of_seat) == set(piles)
        if players == 5:
            longer = {position["opener"], (position["opener"] + 1) % 5}
            assert {seat for seat in range(5) if of_seat[seat] == 15} == longer


def test_all_cards_are_always_somewhere(eight_half: Game) -> None:
    rng = random.Random(1)
    deck = Counter(dict(zip(rules.CARDS, rules.DECK, strict=True)))
    for _ in range(times(60, 6)):
        match = random_match(eight_half, rng)
        for _ in play_on(match, rng):
            position = match.position()
            zones = ("hands", "open", "blind", "banks", "burned")
            cards = Counter(position["pot"].split())
            cards.update(" ".join(" ".join(position[zone]) for zone in zones).split())
            del cards["-"]
            assert cards == deck
            s = match.record
            assert s.sizes.tolist() == s.hands.sum(axis=1).tolist()
            assert s.burned_sizes.tolist() == s.burned.sum(axis=1).tolist()
            kinds = [sum(1 << card for card in np.flatnonzero(hand).tolist()) for hand in s.hands]
            assert s.holds.tolist() == kinds


def test_every_seat_opens_now_and_then(eight_half: Game) -> None:
    openers = Counter(eight_half.match(5, seed).waiting[0] for seed in range(times(500, 100)))
    assert set(openers) == set(range(5))


# --- What a seat knows ---------------------------------------------------------------------------


def may_be_played(card: str, value: str) -> bool:
    """The rules once more, on a pot that is not empty."""
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
    """What is left of hands from which these cards were played."""
    left = set()
    for hand in hands:
        rest = Counter(hand)
        rest.subtract(cards)
        if min(rest.values()) >= 0:
            left.add(tuple(sorted(rest.elements())))
    return frozenset(left)


@cache
def filled(hands: frozenset[Hand], count: int) -> frozenset[Hand]:
    """Hands that any cards have come to."""
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
    """Keeps for every hand all that it can be, by what its player did in this round.

    This is done by listing hands, which has nothing in common with what the record keeps. The hand
    of somebody who has played from the table is seen by all: it is not followed.
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
    """All hands that the record takes for possible."""
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
    """Neither more nor less, at every moment of many matches."""
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
                    rules.guess(guessed[0], seat, generator)
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
    """Before the first card everybody but the one on turn may have many a lowest card."""
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
        rules.guess(guessed[0], NOBODY, generator)
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
    # Nobody's own blind cards and bank are known to him.
    assert match.view(0)["blind"][0]["cards"] == ["?", "?", "?"]
    fresh = eight_half.match(2, 1)
    assert fresh.view(0)["banks"][0] == {"size": 27, "cards": []}


def test_who_eats_eight_and_a_half_has_no_eight_or_no_half(eight_half: Game) -> None:
    position = {"turn": 0, "pot": "8 h", "turns": 9, "hands": ["8 8 3", "1 2 3"]}
    match = eight_half.position(position)
    match.play(0, "eat")
    assert match.position()["memory"][0] == "89g 89g 89g | 9hg 9hg 9hg"
    # An 8 is played: it was in the hand, so there is no half.
    match.play(1, "play 1")
    match.play(0, "play 8")
    assert match.position()["memory"][0] == "9hg 9hg"


# --- What the pot asks for -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pot", "value", "down", "policeman", "fits"),
    [
        ("", "-", False, "-", "0 1 2 3 4 5 6 7 8 9 h g 8h"),
        ("g", "0", False, "-", "0 1 2 3 4 5 6 7 8 9 h g 8h"),
        ("h", "0.5", False, "1", "1 2 3 4 5 6 7 8 9 h g 8h"),
        ("3 h g", "3.5", False, "4", "4 5 6 7 8 9 h g 8h"),
        ("4 h h", "5", True, "-", "0 1 2 3 4 5 h g"),
        ("5 g", "5", True, "-", "0 1 2 3 4 5 h g"),
        ("8", "8", False, "-", "0 8 9 h g 8h"),
        ("8 h", "8.5", False, "9", "9 g 8h"),
        ("9", "9", False, "-", "0 9 h g"),
        ("9 h", "9.5", False, "-", "h g"),
        ("9 h h", "10", False, "-", "0 h g"),
        ("9 h h h h h h h h", "13", False, "-", "0 h g"),
    ],
)
def test_a_view_says_what_the_pot_asks_for(
    eight_half: Game, pot: str, value: str, down: bool, policeman: str, fits: str
) -> None:
    view = eight_half.position({"turn": 0, "pot": pot, "turns": 9, "hands": ["1", "2"]}).view(1)
    found = [view[key] for key in ("value", "down", "policeman", "fits")]
    assert found == [value, down, policeman, fits]
    assert not view["first"]


def test_a_view_says_where_everybody_plays_from(eight_half: Game) -> None:
    position = {"turn": 0, "turns": 9, "hands": ["1", "", ""], "open": ["-", "- - 7", "-"]}
    match = eight_half.position(position | {"blind": ["1 2 3", "1 2 3", "- 4 -"]})
    assert match.view(None)["places"] == ["hand", "open", "blind"]
    assert match.view(None)["counts"] == [4, 4, 1]


def test_cards_out_of_the_round_are_seen_by_all(eight_half: Game) -> None:
    """A bot may count them, so people can look them up."""
    deck = Counter(dict(zip(rules.CARDS, rules.DECK, strict=True)))
    match = eight_half.position({"turn": 0, "turns": 9, "hands": ["2 6 9", "3 g"], "pot": "1"})
    assert Counter(match.view(1)["outside"].split()) == deck - Counter(
        ["2", "6", "9", "3", "g", "1"]
    )
    assert eight_half.match(3, 1).view(0)["outside"] == ""


# --- Bad input -----------------------------------------------------------------------------------

GOOD: dict[str, Any] = {
    "turn": 0,
    "pot": "3 h",
    "turns": 9,
    "hands": ["4 5", "6 7", "8 9"],
    "banks": ["1 1", "", ""],
    "open": ["0 0 0", "-", "- 1 -"],
    "blind": ["-", "5 5 5", "-"],
    "table": [2],
    "memory": ["0g 0", "", ""],
}


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"value": "3.5"}, "value"),
        ({"fits": "4"}, "fits"),
        ({"pot": "3 x"}, "pot"),
        ({"pot": "1 1 1"}, "banks"),
        ({"banks": ["1 1"]}, "banks"),
        ({"hands": ["", "6 7", "8 9"], "memory": ["", "", ""]}, "hands"),
        ({"hands": ["4 5", "", "8 9"], "blind": ["-", "-", "-"]}, "hands"),
        ({"banks": ["", "", "2"]}, "banks"),
        ({"banks": ["h " * 30, "", ""]}, "banks"),
        ({"open": ["0 0", "-", "-"]}, "open"),
        ({"open": ["0 0 0 0", "-", "-"]}, "open"),
        ({"open": ["0 0 q", "-", "-"]}, "open"),
        ({"blind": "5 5 5"}, "blind"),
        ({"last": 0}, "last"),
        ({"last": "-"}, "last"),
        ({"pot": "", "last": 1}, "last"),
        ({"turns": 501}, "turns"),
        ({"turns": 500}, "turns"),
        ({"swap": [0, 1]}, "swap"),
        ({"swap": [0, 0]}, "swap"),
        ({"swap": [0]}, "swap"),
        ({"swap": "0 1"}, "swap"),
        ({"swap": [0, 1], "pot": ""}, "swap"),
        ({"swap": [1, 0], "pot": "", "turns": 0}, "turn"),
        ({"round": 6}, "round"),
        ({"scores": [0, 0, -1]}, "scores"),
        ({"memory": ["", ""]}, "memory"),
        ({"memory": ["x", "", ""]}, "memory"),
        ({"memory": ["0 0g", "", ""]}, "memory"),
        ({"memory": ["0 0 0", "", ""]}, "memory"),
        ({"memory": ["0 | 1 | 2", "", ""]}, "memory"),
        ({"memory": ["45", "", ""]}, "memory"),
        ({"memory": ["4 4", "", ""]}, "memory"),
        ({"memory": [["0"], "", ""]}, "memory"),
        ({"table": [3]}, "table"),
    ],
)
def test_bad_positions(eight_half: Game, change: dict[str, Any], key: str) -> None:
    eight_half.position(GOOD)
    with pytest.raises(BadPosition, match=rf"^{key}: .*\.$"):
        eight_half.position(GOOD | change)


@pytest.mark.parametrize("options", [{"rounds": 0}, {"rounds": 101}, {"opener": 3}, {"target": 5}])
def test_bad_options(eight_half: Game, options: dict[str, Any]) -> None:
    with pytest.raises(BadOption, match=r"^options: .*\.$"):
        eight_half.match(3, 1, options)


@pytest.mark.parametrize("players", [1, 6])
def test_bad_numbers_of_players(eight_half: Game, players: int) -> None:
    with pytest.raises(BadOption, match=r"^players: "):
        eight_half.match(players)


def test_positions_that_are_over(eight_half: Game) -> None:
    last: dict[str, Any] = {"hands": ["", "1"], "turn": 0, "scores": [1, 4], "turns": 30}
    for more in ({}, {"pot": "9", "last": 0}, {"over": True}):
        match = eight_half.position({**last, **more}, options={"rounds": 1})
        assert match.over
        assert match.winners == [1]
    with pytest.raises(BadPosition, match=r"^over: "):
        eight_half.position({**last, "over": False}, options={"rounds": 1})
    with pytest.raises(BadPosition, match=r"^hands: "):
        eight_half.position(last)
    at_the_cap = eight_half.position(
        {"hands": ["2", "1"], "turns": 500, "round": 2}, options={"rounds": 2}
    )
    assert at_the_cap.over
