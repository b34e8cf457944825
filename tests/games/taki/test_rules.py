"""TAKI: what scenarios cannot say. Scores here are computed by hand from the rule page."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from lastcard.core.game import Game
from lastcard.core.match import Events, Match
from lastcard.core.registry import game
from lastcard.errors import BadOption, BadPosition
from lastcard.games.taki import rules
from lastcard.kernel import NOBODY
from tests.helpers import choose, play_on, random_match, shy_of, times


@pytest.fixture(scope="module")
def taki() -> Game:
    return game("taki")


# --- Points, by hand -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("r1 y3 g4 b5 r6 y7 g8 b9", 43),  # 1 + 3 + 4 + 5 + 6 + 7 + 8 + 9
        ("r2+ ys gr b+ rt", 50),  # five commands
        ("cc st cz", 30),
        ("cc cc cc cc st st cz cz", 80),
        ("b9 b9", 18),
        ("g1", 1),
    ],
)
def test_points_of_a_hand(taki: Game, hand: str, points: int) -> None:
    position = {"turn": 0, "top": "y5", "hands": ["y5", hand]}
    match = taki.position(position, options={"rounds": 1})
    match.play(0, "play y5")
    assert match.over
    assert match.scores == [-100, points]
    assert match.winners == [0]


def test_final_scores_of_a_match_by_hand(taki: Game) -> None:
    """Three rounds of three players; a +3 that is broken, a run, and a round without a winner.

    Round 1: seat 0 plays the green pair; seat 2 breaks it with its red pair, which were its last
    cards: seat 0 draws b1 b3 b4. Seat 0 holds y9 b1 b3 b4 (17), seat 1 holds cc r7 (17), seat 2 has
    won: 17, 17, -100.
    Round 2: seat 1 lays yt, y4 and then y8, its last card. Seat 0 holds gs (10), seat 2 b6 b6 (12):
    27, -83, -88.
    Round 3: there is nothing to draw, and nobody can play: after three turns everybody scores:
    seat 0 b1 (1), seat 1 b+ (10), seat 2 b3 b4 (7): 28, -73, -81. Seat 2 wins.
    """
    options = {"rounds": 3}
    first = taki.position(
        {"turn": 0, "top": "g5", "hands": ["g+ g3 y9", "cc r7", "r+ r3"], "stock": "b1 b3 b4"},
        options=options,
    )
    for seat, action in [(0, "play g+"), (0, "play g3"), (2, "break r")]:
        first.play(seat, action)
    assert first.scores == [17, 17, -100]
    assert (first.round, first.waiting) == (2, [2])
    second = taki.position(
        {"turn": 1, "top": "y1", "hands": ["gs", "yt y4 y8", "b6 b6"], "round": 2}
        | {"scores": first.scores},
        options=options,
    )
    for action in ("play yt", "play y4", "play y8"):
        second.play(1, action)
    assert second.scores == [27, -83, -88]
    assert (second.round, second.waiting) == (3, [1])
    third = taki.position(
        {"turn": 1, "top": "r5", "hands": ["b1", "b+", "b3 b4"], "round": 3, "rest": "out"}
        | {"scores": second.scores},
        options=options,
    )
    for seat in (1, 2, 0):
        assert not third.over
        third.play(seat, "draw")
    assert third.over
    assert third.scores == [28, -73, -81]
    assert third.winners == [2]


# --- Deals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 11))
def test_deals(taki: Game, players: int) -> None:
    returned = 0
    for seed in range(times(200, 20)):
        match = taki.match(players, seed)
        position = match.position()
        assert position["top"][1:] in "13456789"
        assert all(len(hand.split()) == 8 for hand in position["hands"])
        assert len(position["stock"].split()) == 112 - 8 * players - 1
        assert position["pile"] == ""
        returned += position["chance"] > 2  # two blocks for the shuffle, one for each card put back
    assert 0.2 < returned / times(200, 20) < 0.7  # 48 of 112 cards are no numbers


def test_all_cards_are_always_somewhere(taki: Game) -> None:
    rng = random.Random(1)
    deck = Counter(dict(zip(rules.CARDS, rules.DECK, strict=True)))
    assert deck.total() == 112
    for _ in range(times(60, 6)):
        match = random_match(taki, rng)
        for _ in play_on(match, rng, shy_of(rng, match)):
            position = match.position()
            cards = " ".join([*position["hands"], position["stock"], position["pile"]])
            assert Counter([*cards.split(), position["top"]]) == deck
            s = match.record
            assert s.sizes.tolist() == s.hands.sum(axis=1).tolist()
            kinds = [sum(1 << card for card in np.flatnonzero(hand).tolist()) for hand in s.hands]
            assert s.holds.tolist() == kinds


def test_every_seat_opens_now_and_then(taki: Game) -> None:
    openers = Counter(taki.match(10, seed).waiting[0] for seed in range(times(1000, 200)))
    assert set(openers) == set(range(10))


# --- Calls ---------------------------------------------------------------------------------------


def test_a_call_is_open_to_a_seat_that_is_not_waited_for(taki: Game) -> None:
    match = taki.position({"turn": 0, "top": "r5", "hands": ["r7 b1", "r1 r3", "g1 g3"]})
    assert match.bystanders == []
    match.play(0, "play r7")
    assert match.waiting == [1]
    assert match.bystanders == [0]
    assert match.view(0)["legal"] == ["call"]
    late = match.copy()
    match.play(0, "call")
    assert match.bystanders == []
    match.play(1, "play r1")
    assert match.view(1)["hands"][0]["size"] == 1
    late.play(1, "play r1")
    assert late.view(1)["hands"][0]["size"] == 5


def test_simulations_need_no_calls(taki: Game) -> None:
    assert taki.match(2).options["announce"] == "call"
    stored = taki.simulated_options(4)
    assert taki.options[rules.ANNOUNCE].write(stored[rules.ANNOUNCE]) == "auto"
    rng = random.Random(5)
    match = taki.match(4, 1, {"announce": "auto"})
    while not match.over:
        assert all("call" not in match.legal(seat) for seat in range(4))
        assert match.position()["exposed"] == "-"
        match.play(*choose(rng, match))


# --- What a seat knows ---------------------------------------------------------------------------


class Witness:
    """Sits at the table as one seat and keeps in mind what it has seen, slowly and in its own way.

    A hand is followed wherever crazy cards take it. For each one: the cards that this seat has
    passed on with it; how many cards it had when the stock was last made anew, what it has drawn
    and played since; how many cards it had when its player had to draw, and what was played since.
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
        """Whether the stock was made anew for a penalty, before the move took effect."""
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
        """Everybody but the mover, or everybody, passes on to the next in the new direction."""
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
        deck = Counter(dict(zip(rules.CARDS, rules.DECK, strict=True)))
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
            asked = match.position()["asked"] != "-"  # rare, so never left out
            if match.over or (rng.random() > 0.05 and not asked):
                continue
            for witness in witnesses if asked else [rng.choice(witnesses)]:
                guessed = match.hidden(witness.seat)
                rules.guess(guessed[0], witness.seat, rng64)
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
            rules.guess(guessed[0], seat, rng64)
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
    """He passed one r7 on; the other draws the second one and plays one: nobody knows which."""
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
        }
    )
    out = np.zeros(len(rules.OBSERVED), np.float32)
    rules.observe(match.hidden(1)[0], 1, out)
    seen = dict(zip(rules.OBSERVED, out.tolist(), strict=True))
    assert (seen["own b4"], seen["own r1"]) == (0.5, 0)
    assert (seen["pile r5"], seen["pile b7"]) == (1, 0.5)
    assert (seen["colour g"], seen["colour r"]) == (1, 0)
    assert not any(seen[f"shape {shape}"] for shape in rules.SHAPES)
    assert seen["direction"] == -1
    assert (seen["here 2"], seen["here 3"]) == (1, 0)
    assert (seen["turn 0"], seen["called 0"], seen["turn 1"]) == (1, 1, 0)
    assert seen["cards 2"] == pytest.approx(3 / 20)
    assert (seen["score 0"], seen["score 2"]) == (0.5, -1)
    assert (seen["known 1 y9"], seen["known 1 y+"], seen["known 2 r1"]) == (0.5, 0, 0)


# --- Bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {"rounds": 0},
        {"rounds": 21},
        {"rounds": "many"},
        {"must_play": "maybe"},
        {"crazy_all": 1},
        {"announce": "shout"},
        {"opener": 4},
        {"target": 50},
    ],
)
def test_bad_options(taki: Game, options: dict[str, Any]) -> None:
    with pytest.raises(BadOption, match=r"^options: .*\.$"):
        taki.match(4, 0, options)


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"memory": ["", "r9@0", ""]}, "memory"),  # there is no r9 in that hand
        ({"memory": ["", "r7@1", ""]}, "memory"),  # one's own hand
        ({"memory": ["", "r7@3", ""]}, "memory"),
        ({"memory": ["", "r7@", ""]}, "memory"),
        ({"memory": ["", "nonsense", ""]}, "memory"),
        ({"memory": ["", "barred:9:r5", ""]}, "memory"),
        ({"memory": ["", "barred:1:x5", ""]}, "memory"),
        ({"memory": ["", "old:1", ""]}, "memory"),  # no stock was made anew
        ({"memory": ["drew:r1", "", ""]}, "memory"),
        ({"memory": ["drew:r1", "", ""], "remade": "r3"}, "memory"),
        ({"memory": ["old:2 young:1", "", ""], "remade": "r3"}, "memory"),
        ({"memory": ["", ""]}, "memory"),
        ({"memory": "r7@0"}, "memory"),
        ({"remade": "r1 r1 r1"}, "remade"),
        ({"remade": "x"}, "remade"),
        ({"scores": [0, 0, 20_000]}, "scores"),
        ({"run": "perhaps", "open": "r"}, "run"),
        ({"direction": "left"}, "direction"),
        ({"exposed": 2}, "exposed"),
        ({"exposed": 1, "called": [1]}, "exposed"),
    ],
)
def test_bad_positions(taki: Game, change: dict[str, Any], key: str) -> None:
    position = {"turn": 0, "top": "r5", "hands": ["b1 b3", "r7", "g6 g8"]}
    taki.position(position)
    with pytest.raises(BadPosition, match=rf"^{key}: .*\.$"):
        taki.position(position | change)


def test_nobody_is_exposed_when_calls_are_made_for_all(taki: Game) -> None:
    position = {"turn": 0, "top": "r5", "hands": ["b1 b3", "r7"], "exposed": 1}
    taki.position(position)
    with pytest.raises(BadPosition, match=r"^exposed: "):
        taki.position(position, options={"announce": "auto"})
