"""Chi-Chi-Ko: what a seat knows, and what the table remembers about the hands."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np

from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.games.chichiko import components
from lastcard.kernel import NOBODY
from tests.games.chichiko import twin
from tests.games.chichiko.plan import excluded_tiles
from tests.helpers import (
    choose,
    permuted,
    random_match,
    times,
)


class Witness:
    """A spectator who remembers, for every tile of a hand, what it cannot be.

    The oldest tiles come first. A tile that is put is taken for the oldest that it can have been.
    """

    def __init__(self, match: Match) -> None:
        self.round = 0
        self.look(match)

    def look(self, match: Match) -> None:
        """After a new deal: players passed over have no double."""
        self.view = match.view()
        if self.view["round"] != self.round:
            self.round = self.view["round"]
            self.hands: list[list[set[str]]] = [
                [set() for _ in range(zone["size"])] for zone in self.view["hands"]
            ]
            seat = self.view["opener"]
            while seat != self.view["turn"]:
                self.bar(seat, set(twin.DOUBLES))
                seat = (seat + 1) % match.players

    def bar(self, seat: int, tiles: set[str]) -> None:
        for not_it in self.hands[seat]:
            not_it.update(tiles)

    def fitting(self, view: dict[str, Any], ends: list[int], tiles: list[str]) -> set[str]:
        shown = view["ends"].split()
        return {tile for tile in tiles for end in ends if twin.ways_to_fit(tile, shown[end])}

    def hear(self, seat: int, action: str, stuck: list[int], match: Match) -> None:
        """A move, the seats that could put nothing after it, and the table as it is now."""
        before, verb, *rest = self.view, *action.split()
        if verb in ("draw", "pass"):
            self.bar(seat, self.fitting(before, before["free"], twin.DECK))
        elif verb in ("start", "put", "across"):
            tile = twin.TILE[rest[0]]
            oldest = next(n for n, not_it in enumerate(self.hands[seat]) if tile not in not_it)
            del self.hands[seat][oldest]
        after = match.view()
        if after["round"] == self.round:
            used = set(before["used"])
            if verb == "put" and seat == before["turn"]:
                used.add(int(rest[1][1:]))
            for other, zone in enumerate(after["hands"]):
                self.hands[other] += [set() for _ in range(zone["size"] - len(self.hands[other]))]
            for other in stuck:
                blitz = after["options"]["blitz"]
                ends = [end for end in after["free"] if blitz or end not in used]
                self.bar(other, self.fitting(after, ends, twin.DECK if blitz else twin.DOUBLES))
        self.look(match)

    def may_be(self, seat: int, hand: list[str]) -> bool:
        """Whether a hand is possible: a tile that may be an old one may also be any newer one."""
        left = list(hand)
        for not_it in self.hands[seat]:
            fine = [tile for tile in left if tile not in not_it]
            if not fine:
                return False
            left.remove(fine[0])
        return True


def watched(rng: random.Random, rules: Game) -> Any:
    """Random matches, move by move, with a witness."""
    while True:
        match = random_match(rules, rng)
        witness = Witness(match)
        yield match, witness
        while not match.over:
            seat, action = choose(rng, match, ("draw",))
            events = match.play(seat, action)
            told = match.tell(events, None)
            assert isinstance(seat, int)
            stuck = [event["seat"] for event in told if event["kind"] == "stuck"]
            witness.hear(seat, action, stuck, match)
            yield match, witness


def test_the_table_remembers_what_a_witness_does(chichiko: Game) -> None:
    rng = random.Random(11)
    compared = remembered = full = 0
    for match, witness in watched(rng, chichiko):
        if match.options["open"]:
            assert match.position()["memory"] == [""] * match.players
            continue
        for words, known in zip(match.position()["memory"], witness.hands, strict=True):
            kinds = [word.split(":") for word in words.split()]
            sets = [excluded_tiles(what) for count, what in kinds for _ in range(int(count))]
            sets += [frozenset()] * (len(known) - len(sets))
            compared += 1
            remembered += bool(words)
            if len(kinds) == components.KINDS_REMEMBERED:
                full += 1  # then it may know less, but nothing wrong
                assert all(one <= two for one, two in zip(sets, known, strict=True))
            else:
                assert sets == known
        if compared > times(25_000, 1_500):
            break
    assert remembered > compared / 30
    assert full < compared / 100


def test_guesses_fit_what_a_witness_remembers(chichiko: Game) -> None:
    rng = random.Random(12)
    rng64 = np.array([8], np.uint64)
    guesses = 0
    for match, witness in watched(rng, chichiko):
        if match.over or rng.random() < 0.8:
            continue
        true = match.position()
        for seat in [NOBODY, *range(match.players)]:
            hidden = match.hidden(None if seat == NOBODY else seat)
            chichiko.rules.guess(hidden[0], seat, rng64, chichiko.new_deal())
            guess = Match(chichiko, hidden).position()
            guesses += 1
            hands = [hand.split() for hand in guess["hands"]]
            tiles = " ".join([*guess["hands"], guess["bazaar"]]).split()
            laid = {twin.TILE[word.partition("@")[0]] for word in true["laid"].split()}
            assert len(set(tiles)) == len(tiles)
            assert not laid & set(tiles)
            for other, hand in enumerate(hands):
                if match.options["open"] or other == seat:
                    assert guess["hands"][other] == true["hands"][other]
                words = true["memory"][other].split()
                if len(words) < components.KINDS_REMEMBERED:
                    assert witness.may_be(other, hand)
            assert_can_be(match, hands, guess)
        if guesses > times(3_000, 150):
            break


def assert_can_be(match: Match, hands: list[list[str]], guess: dict[str, Any]) -> None:
    """Whoever starts or goes on has a tile to put, and it is no fish."""
    view = match.view()
    shown = view["ends"].split()
    turn = hands[view["turn"]]
    if not shown:
        assert set(turn) & set(twin.DOUBLES)
    elif view["begun"]:
        blitz = match.options["blitz"]
        ends = [end for end in view["free"] if blitz or end not in view["used"]]
        tiles = [tile for tile in turn if blitz or tile in twin.DOUBLES]
        assert any(twin.ways_to_fit(tile, shown[end]) for tile in tiles for end in ends)
    elif not guess["bazaar"]:
        tiles = [tile for hand in hands for tile in hand]
        assert any(twin.ways_to_fit(t, shown[end]) for t in tiles for end in view["free"])


def test_guesses_are_not_all_alike(chichiko: Game) -> None:
    """Every unseen tile turns up everywhere it may be, even out of the game."""
    match = chichiko.position(
        {
            "hands": ["rk-rk gs-gs", "yp-yp yn-yn", "bn-bn"],
            "ends": "rk gs",
            "bazaar": "yc-yc rn-rn",
            "memory": ["", "2:rk,gs", ""],
            "rest": "out",
        }
    )
    rng64 = np.array([3], np.uint64)
    seen: list[Counter[str]] = [Counter(), Counter(), Counter()]
    for _ in range(1_500):
        hidden = match.hidden(0)
        chichiko.rules.guess(hidden[0], 0, rng64, chichiko.new_deal())
        guess = Match(chichiko, hidden).position()
        for place, text in enumerate([*guess["hands"][1:], guess["bazaar"]]):
            seen[place].update(text.split())
    unseen = set(twin.DECK) - {"rk-rk", "gs-gs"}
    fitting = {t for t in unseen if any(twin.ways_to_fit(t, end) for end in ("rk", "gs"))}
    assert set(seen[0]) == unseen - fitting
    assert set(seen[1]) == set(seen[2]) == unseen


def test_memory_has_room_for_six_kinds_of_tiles(chichiko: Game) -> None:
    """A seventh kind is merged with the sixth: what is known of both."""
    kinds = ["1:rk,rs,yk,ys,gk,gs,bk", "1:rk,rs,yk,ys,gk,bk", "1:rk,rs,yk,gk,bk", "1:rk,yk,gk,bk"]
    kinds += ["1:rk,yk,gk"]
    match = chichiko.position(
        {
            "turn": 1,
            "hands": ["yc-yc", "gn-gn bn-bn yn-yn rn-rn gs-gs bs-bs ys-ys rs-rs"],
            "ends": "rk rk",
            "bazaar": "yp-yp bp-bp",
            "memory": ["", " ".join([*kinds, "1:rk,yk"])],
            "rest": "out",
        }
    )
    match.play(1, "draw")
    assert match.position()["memory"][1].split() == [*kinds, "3:rk"]


def test_tiles_that_were_taken_out_are_nowhere_to_be_seen(chichiko: Game) -> None:
    """The contract tests permute them, too: other tiles are out, and nobody notices."""
    rng = random.Random(1)
    match = chichiko.match(4, 3, {"apocalypse": True})
    everything = set(chichiko.cards)
    outs = set()
    for _ in range(20):
        other = permuted(match, 0, rng)
        position = other.position()
        tiles = set(" ".join([*position["hands"], position["bazaar"]]).split())
        outs.add(frozenset(everything - tiles))
        assert other.hidden(0).tobytes() == match.hidden(0).tobytes()
    assert len(outs) == 20
    assert {len(out) for out in outs} == {40}


def test_drawn_tiles_are_told_to_whom_they_concern(chichiko: Game) -> None:
    table = {"hands": ["yp-yp", "bs-bs"], "ends": "rk rk", "bazaar": "gc-gc yn-yn", "rest": "out"}
    for open, others in ((False, "?"), (True, "gc-gc")):
        match = chichiko.position(table, options={"open": open})
        events = match.play(0, "draw")
        told = [match.tell(events, seat)[0]["card"] for seat in (0, 1, None)]
        assert told == ["gc-gc", others, others]
        line = "Seat 0 draws gc-gc." if open else "Seat 0 draws a tile."
        assert match.lines(events, None) == [line]
