"""TAKI: what a seat knows, and what the table remembers about the hands."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from lastcard.core.game import Game
from lastcard.core.match import Events, Match
from lastcard.games.taki import components, features
from lastcard.kernel import NOBODY
from tests.helpers import choose, random_match, shy_of, times


class Witness:
    """Remembers what one seat has seen, slowly and without the game's own code.

    A hand is tracked wherever crazy cards take it. For each hand: the cards that this seat has
    passed on with it; its size when the stock was last reshuffled, and what it has drawn and
    played since; its size when its player had to draw, and what it has played since.
    """

    def __init__(self, match: Match, seat: int) -> None:
        self.seat = seat
        self.start_round(match)

    def start_round(self, match: Match) -> None:
        self.round = match.round
        self.passed: list[Counter[str]] = [Counter() for _ in range(match.players)]
        self.barred: list[tuple[int, str, str, int]] = [(0, "", "", 0)] * match.players
        self.stock: Counter[str] | None = None
        self.drawn_by_me: Counter[str] = Counter()
        self.since: list[dict[str, Any]] = []

    def watch(
        self, match: Match, before: dict[str, Any], mover: int, action: str, rows: Events
    ) -> None:
        """What this seat learns from a move; `before` is the position before it."""
        if match.round != self.round:
            self.start_round(match)
            return
        if action == "draw" and not before["debt"] and match.options["must_play"]:
            held = len(before["hands"][mover].split())
            if held:
                colour = before["colour"] if before["colour"] != "-" else before["top"][0]
                shape = {"cc": "none", "st": "t"}.get(before["top"], before["top"][1:])
                self.barred[mover] = (held, colour, shape, 0)
        for card in self.laid(action):
            self.play(mover, card)
        events = match.tell(rows, self.seat)
        for event in events:
            if event["kind"] == "remade":
                self.remake(match, before, mover, action, events)
            if event["kind"] == "drew":
                self.draw(event)
        if action.startswith("play cz"):
            self.pass_on(match, before, mover, events)

    def laid(self, action: str) -> list[str]:
        if action.startswith("play "):
            return [action.removeprefix("play ").partition(">")[0]]
        if action.startswith("break "):
            colour = action[-1]
            return [f"{colour}+", f"{colour}3"]
        return []

    def play(self, mover: int, card: str) -> None:
        self.passed[mover] -= Counter([card])
        held, colour, shape, played = self.barred[mover]
        if held and not fits(card, colour, shape):
            self.barred[mover] = (held, colour, shape, played + 1)
        if self.stock is not None:
            self.since[mover]["played"][card] += 1

    def remake(
        self, match: Match, before: dict[str, Any], mover: int, action: str, events: Any
    ) -> None:
        """The pile as it lay: with what the move has put on it before the draw."""
        pile = Counter(before["pile"].split())
        sizes = [len(hand.split()) for hand in before["hands"]]
        if action.startswith(("play", "break")) and not self.penalty_only(events):
            pile[before["top"]] += 1
            laid = self.laid(action)
            for card in laid[:-1]:
                pile[card] += 1
            sizes[mover] -= len(laid)
        for event in events:
            if event["kind"] == "remade":
                break
            if event["kind"] == "drew":
                sizes[event["seat"]] += 1
        self.stock = pile
        self.drawn_by_me = Counter()
        self.since = [{"had": size, "drew": 0, "played": Counter()} for size in sizes]

    def penalty_only(self, events: Any) -> bool:
        """Whether the stock was reshuffled for a penalty, before the move took effect."""
        kinds = [event["kind"] for event in events]
        laid = [kind for kind in kinds if kind in ("played", "named", "crazed", "broke")]
        return bool(laid) and kinds.index("remade") < kinds.index(laid[0])

    def draw(self, event: dict[str, Any]) -> None:
        if self.stock is None:
            return
        self.since[event["seat"]]["drew"] += 1
        if event["seat"] == self.seat:
            self.drawn_by_me[event["card"]] += 1

    def pass_on(self, match: Match, before: dict[str, Any], mover: int, events: Any) -> None:
        """All hands, or all but the mover's, move on to the next in the new direction."""
        if match.over or (match.players == 2 and not match.options["crazy_all"]):
            return
        step = 1 if match.position()["direction"] == "cw" else -1
        givers = [
            seat for seat in range(match.players) if seat != mover or match.options["crazy_all"]
        ]
        to = {}
        for giver in givers:
            taker = (giver + step) % match.players
            to[giver] = taker if taker in givers else (taker + step) % match.players
        passed, barred, since = self.passed[:], self.barred[:], self.since[:]
        for giver, taker in to.items():
            self.passed[taker], self.barred[taker] = passed[giver], barred[giver]
            if since:
                self.since[taker] = since[giver]
        if self.seat in to:
            mine = Counter(before["hands"][self.seat].split())
            if self.seat == mover:
                mine -= Counter(["cz"])
            for event in events:
                if event["kind"] == "drew" and event["seat"] == self.seat:
                    mine[event["card"]] += 1  # a penalty, just before
            self.passed[to[self.seat]] = mine
        self.passed[self.seat] = Counter()

    def check(self, guessed: dict[str, Any]) -> None:
        hands = [Counter(hand.split()) for hand in guessed["hands"]]
        for seat, hand in enumerate(hands):
            if seat == self.seat:
                continue
            assert self.passed[seat] <= hand
            held, colour, shape, played = self.barred[seat]
            others = sum(n for card, n in hand.items() if not fits(card, colour, shape))
            assert held == 0 or others >= held - played
        if guessed["asked"] != "-":
            hand = hands[guessed["asked"]]
            assert any(hand[f"{colour}+"] and hand[f"{colour}3"] for colour in "rygb")
        if self.stock is None:
            return
        assert Counter(guessed["stock"].split()) <= self.stock - self.drawn_by_me
        deck = Counter(dict(zip(components.CARDS, components.DECK, strict=True)))
        for seat, hand in enumerate(hands):
            if seat == self.seat:
                continue
            both = hand + self.since[seat]["played"]
            old = sum(n for card, n in both.items() if not self.stock[card])
            young = sum(n for card, n in both.items() if self.stock[card] == deck[card])
            assert old <= self.since[seat]["had"]
            assert young <= self.since[seat]["drew"]


def fits(card: str, colour: str, shape: str) -> bool:
    return card in ("cc", "st", "cz") or card[0] == colour or card[1:] == shape


def test_guesses_fit_all_that_the_seat_has_seen(taki: Game) -> None:
    """At random moments of random matches, against a witness who has watched from the start."""
    rng = random.Random(7)
    rng64 = np.array([777], np.uint64)
    guesses = 0
    seen: Counter[str] = Counter()
    while guesses < times(1000, 60):
        match = random_match(taki, rng)
        shy = shy_of(rng, match)
        witnesses = [Witness(match, seat) for seat in range(match.players)]
        while not match.over:
            before = match.position()
            mover, action = choose(rng, match, shy)
            events = match.play(mover, action)
            for witness in witnesses:
                witness.watch(match, before, int(mover), action, events)
            asked = match.position()["asked"] != "-"  # rare, so never skipped
            if match.over or (rng.random() > 0.05 and not asked):
                continue
            for witness in witnesses if asked else [rng.choice(witnesses)]:
                guessed = match.hidden(witness.seat)
                taki.rules.guess(guessed[0], witness.seat, rng64, taki.new_deal())
                witness.check(match.position())  # or the witness is wrong
                witness.check(Match(taki, guessed).position())
                guesses += 1
                seen["passed"] += any(hand.total() for hand in witness.passed)
                seen["barred"] += any(held > played for held, _, _, played in witness.barred)
                seen["remade"] += witness.stock is not None
                seen["asked"] += asked
    assert min(seen["passed"], seen["barred"], seen["remade"]) > guesses / 20, seen
    assert seen["asked"] >= times(20, 0), seen


@pytest.mark.parametrize(
    ("pile", "possible"),
    [
        ("g+", "rygb"),
        ("g+ r+ r+ b+ b+ g+ y+", "y"),  # all but one plus have been seen
        ("g+ r3 r3 b3 y3", "ygb"),  # and both red 3s
    ],
)
def test_who_is_asked_has_a_pair_in_every_guess(taki: Game, pile: str, possible: str) -> None:
    position = {"turn": 0, "top": "g3", "asked": 2, "pile": pile}
    position |= {"hands": ["r1 r4", "b1 b4", "y+ y3 y9", "g4"], "memory": ["", "", "y9@1", ""]}
    match = taki.position(position)
    rng64 = np.array([3], np.uint64)
    found = set()
    for _ in range(times(200, 20)):
        for seat in (NOBODY, 0, 1, 3):
            guessed = match.hidden(None if seat == NOBODY else seat)
            taki.rules.guess(guessed[0], seat, rng64, taki.new_deal())
            hand = Match(taki, guessed).position()["hands"][2].split()
            assert "y9" in hand or seat != 1
            pairs = {colour for colour in "rygb" if {f"{colour}+", f"{colour}3"} <= set(hand)}
            assert pairs
            found |= pairs
    assert found == set(possible)


def test_a_player_knows_the_hand_he_passed_on(taki: Game) -> None:
    match = taki.position(
        {"turn": 0, "top": "r5", "hands": ["cz r1 r1", "y1 y3", "g4 g4 g8", "b6"], "stock": "b7 b3"}
    )
    match.play(0, "play cz>cw")  # 1 -> 2 -> 3 -> 1
    assert match.view(1)["hands"][2] == {"size": 2, "cards": ["y1", "y3"]}
    assert match.view(2)["hands"][3] == {"size": 3, "cards": ["g4", "g4", "g8"]}
    assert match.view(3)["hands"][1] == {"size": 1, "cards": ["b6"]}
    assert all(zone["cards"] == [] for zone in match.view(0)["hands"][1:])
    assert all(zone["cards"] == [] for zone in match.view(None)["hands"])
    match.play(1, "draw")
    assert match.view(3)["hands"][1] == {"size": 2, "cards": ["b6"]}
    match.play(2, "draw")
    match.play(3, "draw")
    assert match.view(2)["hands"][3] == {"size": 4, "cards": ["g4", "g4", "g8"]}


def test_equal_cards_cannot_be_told_apart(taki: Game) -> None:
    """Seat 0 passed on one r7; the other draws the second and plays one: nobody knows which."""
    position = {"turn": 1, "top": "r5", "hands": ["b1 b3", "r7 r7 y4", "g6"]}
    match = taki.position(position | {"memory": ["", "r7@0 y4@0", ""]})
    assert match.view(0)["hands"][1] == {"size": 3, "cards": ["r7", "y4"]}
    match.play(1, "play r7")
    assert match.view(0)["hands"][1] == {"size": 2, "cards": ["y4"]}


def test_memory_is_not_told_to_others(taki: Game) -> None:
    position = {"turn": 1, "top": "r5", "hands": ["b1 b3", "r7 y4", "g6"]}
    remembered = {"remade": "b1 g9", "memory": ["drew:b1", "r7@0 y4@02", "old:1 barred:1:y5"]}
    match = taki.position(position | remembered)
    assert match.view(0)["memory"] == ["drew:b1", "r7@0 y4@0", "old:1 barred:1:y5"]
    assert match.view(1)["memory"] == ["", "", "old:1 barred:1:y5"]
    assert match.view(2)["memory"] == ["", "y4@2", "old:1 barred:1:y5"]
    assert match.view(None)["memory"] == ["", "", "old:1 barred:1:y5"]


def test_hands_are_shown_when_the_match_is_over(taki: Game) -> None:
    match = taki.position({"turn": 0, "top": "r5", "hands": ["r1", "b6 y1"]}, options={"rounds": 1})
    assert match.view(0)["hands"][1] == {"size": 2, "cards": []}
    match.play(0, "play r1")
    assert match.view(None)["hands"][1] == {"size": 2, "cards": ["y1", "b6"]}
    assert match.view(None)["stock"]["cards"] == []


def test_what_a_learner_sees(taki: Game) -> None:
    match = taki.position(
        {
            "turn": 1,
            "top": "cc",
            "colour": "g",
            "direction": "ccw",
            "hands": ["r1 r1 st", "b4", "y+ y9"],
            "pile": "r5 r5 b7",
            "called": [1],
            "scores": [-100, 50, 0],
            "memory": ["", "", "y9@1"],
            "round": 4,
        }
    )
    out = np.zeros(len(features.OBSERVED), np.float32)
    taki.rules.observe(match.hidden(1)[0], 1, out)
    seen = dict(zip(features.OBSERVED, out.tolist(), strict=True))
    assert (seen["own b4"], seen["own r1"]) == (0.5, 0)
    assert (seen["pile r5"], seen["pile b7"]) == (1, 0.5)
    assert (seen["colour g"], seen["colour r"]) == (1, 0)
    assert not any(seen[f"shape {shape}"] for shape in components.SHAPES)
    assert (seen["top cc"], seen["top st"]) == (1, 0)
    assert (seen["unseen r5"], seen["unseen b4"], seen["unseen cc"]) == (0, 0.5, 1.5)
    assert seen["rounds left"] == 0.5
    assert seen["direction"] == -1
    assert (seen["here 2"], seen["here 3"]) == (1, 0)
    assert (seen["turn 0"], seen["called 0"], seen["turn 1"]) == (1, 1, 0)
    assert seen["cards 2"] == pytest.approx(3 / 20)
    assert (seen["score 0"], seen["score 2"]) == (0.25, -0.5)
    assert (seen["known 1 y9"], seen["known 1 y+"], seen["known 2 r1"]) == (0.5, 0, 0)
