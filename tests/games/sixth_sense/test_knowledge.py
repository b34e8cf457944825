"""Sixth Sense: what a seat knows, and what the table remembers about the hands."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.kernel import NOBODY
from tests.helpers import choose, permuted, random_match, times


class Witness:
    """Follows a match like a player at the table, and keeps what the played cards tell."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.begin()

    def begin(self) -> None:
        players = self.match.players
        self.round = self.match.round
        self.void: list[set[str]] = [set() for _ in range(players)]
        self.played: set[str] = set()
        self.trick: list[tuple[int, str]] = []
        self.covered: set[int] = set()  # seats whose cards are blocked, or blocks

    def asked(self) -> str:
        return next((card[0] for seat, card in self.trick if seat not in self.covered), "")

    def hear(self, seat: int, action: str) -> None:
        """Call it after the move."""
        verb, *rest = action.split()
        if verb in ("play", "block"):
            card = rest[0].partition("=")[0]
            asked = self.asked()
            if asked and asked != card[0]:
                self.void[seat].add(asked)
            self.played.add(card)
            if verb == "block":
                self.covered |= {seat, int(rest[1])}
            self.trick.append((seat, card))
        if not self.match.position()["trick"]:
            self.trick, self.covered = [], set()
        if self.match.round != self.round:
            self.begin()


def witnessed(sixth_sense: Game, count: int, seed: str) -> Any:
    rng = random.Random(seed)
    found = 0
    while found < count:
        match = random_match(sixth_sense, rng)
        witness = Witness(match)
        while not match.over and found < count:
            seat, action = choose(rng, match)
            match.play(seat, action)
            witness.hear(int(seat), action)
            if rng.random() < 0.1:
                found += 1
                yield match, witness, rng


def test_who_does_not_follow_is_known_to_have_none(sixth_sense: Game) -> None:
    some = 0
    for match, witness, _ in witnessed(sixth_sense, times(1500, 40), "void"):
        if match.over:
            continue
        void = [set(text.split()) for text in match.view(None)["void"]]
        assert void == witness.void
        some += any(void)
    assert some > times(500, 10)


def test_guesses_fit_what_was_seen(sixth_sense: Game) -> None:
    """Nobody is dealt a colour that they did not follow, nor a card that was played.

    What the seat holds, laid or peeked at stays; a prediction may have any colour.
    """
    rng64 = np.array([99], np.uint64)
    guesses = of_void_colour = 0
    for match, witness, rng in witnessed(sixth_sense, times(1000, 30), "guess"):
        if match.over:
            continue
        seat = rng.choice([NOBODY, *range(match.players)])
        true = match.position()
        view = match.view(None if seat == NOBODY else seat)
        for _ in range(4):
            hidden = match.hidden(None if seat == NOBODY else seat)
            sixth_sense.rules.guess(hidden[0], seat, rng64, sixth_sense.new_deal())
            guess = Match(sixth_sense, hidden).position()
            guesses += 1
            for other in range(match.players):
                hand = guess["hands"][other].split()
                assert len(hand) == len(true["hands"][other].split())
                assert not {card[0] for card in hand} & witness.void[other]
                assert not set(hand) & witness.played
                laid = guess["predictions"][other]
                assert laid not in witness.played
                of_void_colour += laid[0] in witness.void[other]
                if view["predictions"][other] != "?":
                    assert laid == true["predictions"][other]
            if seat != NOBODY:
                assert guess["hands"][seat] == true["hands"][seat]
            zones = [*guess["hands"], *guess["predictions"], guess["stock"]]
            cards = [c for c in " ".join(zones).split() if c != "-"]
            there = [*true["hands"], *true["predictions"], true["stock"]]
            assert sorted(cards) == sorted(c for c in " ".join(there).split() if c != "-")
            if true["trump"] != "-":
                assert guess["stock"].split()[0] == true["stock"].split()[0]
    assert guesses > times(3500, 80)
    assert of_void_colour > times(300, 2)


def test_guesses_are_not_all_alike(sixth_sense: Game) -> None:
    """Every unseen card turns up everywhere it may be."""
    match = sixth_sense.position(
        {
            "trump": "r",
            "hands": ["y1 y2", "g1 b2", "b3 b4"],
            "predictions": ["y3", "b5", "p0"],
            "void": ["", "p", "g"],
            "stock": "r8 p1 p2",
            "rest": "out",
        }
    )
    rng64 = np.array([3], np.uint64)
    hands: list[set[str]] = [set(), set()]
    laid: list[set[str]] = [set(), set()]
    for _ in range(400):
        hidden = match.hidden(0)
        sixth_sense.rules.guess(hidden[0], 0, rng64, sixth_sense.new_deal())
        guess = Match(sixth_sense, hidden).position()
        for i in (0, 1):
            hands[i] |= set(guess["hands"][1 + i].split())
            laid[i].add(guess["predictions"][1 + i])
    unseen = {"g1", "b2", "b3", "b4", "b5", "p0", "p1", "p2"}
    assert hands == [unseen - {"p0", "p1", "p2"}, unseen - {"g1"}]
    assert laid == [unseen, unseen]


def test_hidden_predictions_are_dealt_out_with_the_hands(sixth_sense: Game) -> None:
    """The contract tests permute predictions, too."""
    rng = random.Random(1)
    match = sixth_sense.match(3, 2)
    for seat in range(3):
        match.play(seat, match.legal(seat)[0])
    others = {tuple(permuted(match, 0, rng).position()["predictions"]) for _ in range(20)}
    assert len(others) > 10
    assert len({laid[0] for laid in others}) == 1
