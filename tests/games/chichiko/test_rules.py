"""Chi-Chi-Ko: what scenarios cannot say. Scores here are computed by hand from the rules."""

from __future__ import annotations

import random
import re
import shutil
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lastcard.core.game import Game
from lastcard.errors import BadOption, BadPosition
from lastcard.games.chichiko import components
from tests.games.chance import Chance, key_from_number
from tests.games.chichiko import twin
from tests.helpers import (
    INTERPRETED,
    counted_after,
    play_on,
    random_match,
    times,
)

FLAGS = ("out_of_turn", "blitz", "phone", "sausage", "open", "faces", "apocalypse")


# --- Tiles ---------------------------------------------------------------------------------------


def test_every_ordinary_half_is_on_seven_halves(chichiko: Game) -> None:
    halves = Counter(half for tile in chichiko.cards for half in tile.split("-"))
    ordinary = {colour + picture for colour in "rygb" for picture in "kspnc"}
    assert len(chichiko.cards) == 80
    assert {half: count for half, count in halves.items() if half in ordinary} == dict.fromkeys(
        ordinary, 7
    )
    assert sum(count for half, count in halves.items() if half not in ordinary) == 20


def test_a_tile_may_be_named_in_either_order(chichiko: Game) -> None:
    for tile in chichiko.cards:
        turned = "-".join(reversed(tile.split("-")))
        assert chichiko.parse_card(turned) == chichiko.parse_card(tile)
    hands = ["rk-ys gp-gp", "bk-bk"]
    turned_hands = ["gp-gp ys-rk", "bk-bk"]
    one, two = ({"hands": h, "ends": "rk ys", "rest": "out"} for h in (hands, turned_hands))
    assert chichiko.position(one).state == chichiko.position(two).state


def test_the_tables_say_what_fits() -> None:
    """All 140 ways to put a tile at all 36 ends, compared with the twin."""
    for end, shown in enumerate(components.HALVES):
        for way, name in enumerate(components.WAY_NAMES):
            fits = bool(components.FITS[end, components.WORD_OF[way]] & components.BIT_OF[way])
            tile = components.CARDS[components.TILE_OF[way]]
            assert fits == twin.fits(name.split("-")[0], tile, shown), (name, shown)


def test_what_an_end_accepts_is_what_fits(chichiko: Game) -> None:
    """What a view says, tile by tile."""
    for shown in components.HALVES:
        position = {"hands": ["rk-rk", "yk-yk"], "ends": f"{shown} rk", "bazaar": "gk-gk"}
        accepts = chichiko.position(position).view()["accepts"][0].split()
        for tile in twin.DECK:
            named = {half for half in tile.split("-") if half in accepts}
            super_tile = tile in twin.SUPERS and f"{tile[0]}*" in accepts
            assert bool(named or super_tile) == bool(twin.ways_to_fit(tile, shown))


# --- Points, by hand -----------------------------------------------------------------------------

# A hand and what it counts: 1 for each tile, 5 for each super tile.
POINTS = [
    ("rk-rk", 1),
    ("rk-ys", 1),
    ("rk-r+2", 5),
    ("gp-gp rk-ys rk-r+2", 7),
    ("rk-r+2 ys-yv bk-bx", 15),
    ("gp-gp yp-yp rk-rc rn-bc gs-yp yn-y+2 yk-y+4", 15),
]


@pytest.mark.parametrize(("hand", "points"), POINTS)
def test_points_by_hand(chichiko: Game, hand: str, points: int) -> None:
    """Seat 0 goes out with a double in the last round."""
    match = chichiko.position(
        {"hands": ["bs-bs", hand], "ends": "gs gs", "round": 5, "scores": [3, 30], "rest": "out"}
    )
    assert match.view(1)["points"] == ["?", points]
    match.play(0, "put bs-bs @0")
    assert match.over
    assert match.scores == [3, 30 + points]


def test_final_scores_of_a_match_by_hand(chichiko: Game) -> None:
    """Round 1: seat 0 goes out, the others are left with a double and a super tile (6) and with two
    mixed tiles (2). Round 2, taken from a position: seat 1 goes out, the others are left with a
    double (1) and with a mixed and a super tile (6). In all 0 + 1, 6 + 0 and 2 + 6.
    """
    options = {"rounds": 2}
    first = chichiko.position(
        {
            "hands": ["rk-ys", "gp-gp rk-r+2", "bs-rc bk-bc"],
            "ends": "yk bn",
            "bazaar": "gk-gk",
            "rest": "out",
        },
        options=options,
    )
    first.play(0, "put rk-ys @0")  # the same picture in another colour
    assert first.scores == [0, 6, 2]
    assert (first.round, first.position()["opener"]) == (2, 1)
    second = chichiko.position(
        {
            "turn": 0,
            "hands": ["yp-yp yk-rn", "gp-g+2", "gs-gn bp-rn bn-bv"],
            "ends": "gk rn",
            "scores": first.scores,
            "round": 2,
            "rest": "out",
        },
        options=options,
    )
    second.play(0, "put yk-rn @0")  # both ends are rn now, and there is no bazaar
    assert second.legal(1) == ["pass"]
    second.play(1, "pass")
    assert second.legal(2) == ["put bn-bv @0", "put gn-gs @0", "put bn-bv @1", "put gn-gs @1"]
    second.play(2, "put gn-gs @0")
    assert second.legal(0) == ["pass"]
    second.play(0, "pass")
    # A green super tile at a green end, with either half.
    assert second.legal(1) == ["put gp-g+2 @0", "put g+2-gp @0"]
    second.play(1, "put gp-g+2 @0")
    assert second.over
    assert second.scores == [1, 6, 8]
    assert second.winners == [0]


def test_a_fish_by_hand(chichiko: Game) -> None:
    """A draw takes the last tile, and nobody can put any: 2, 5 and 1 + 5 = 6; seat 0 wins."""
    match = chichiko.position(
        {
            "hands": ["yp-yp yn-yn", "gp-g+2", "gn-g+4 bp-bp"],
            "ends": "rk rk",
            "bazaar": "ys-ys",
            "round": 5,
            "scores": [1, 1, 1],
            "rest": "out",
        }
    )
    events = match.play(0, "draw")
    assert match.over
    assert match.scores == [1 + 3, 1 + 5, 1 + 6]
    assert match.winners == [0]
    assert "A fish: nobody can put a tile." in match.lines(events, None)


def test_ordinary_and_super_tiles_are_counted(chichiko: Game) -> None:
    position = {
        "turn": 0,
        "laid": "gs-gs ys-rk@1 gk-rp@0",
        "hands": ["bk-gn", "gn-gn bp-yc rn-rx", "gp-g+2 bc-bx"],
    }
    assert counted_after(chichiko, position, [(0, "put bk-gn @1")]) == {
        1: [("ordinary", 2, 2), ("super", 1, 5)],
        2: [("super", 2, 10)],
    }


# --- Deals ---------------------------------------------------------------------------------------

LEFT_OUT = {2: 53, 3: 53, 4: 40, 5: 40, 6: 26, 7: 26, 8: 26}


@pytest.mark.parametrize("players", range(2, 9))
def test_deals(chichiko: Game, players: int) -> None:
    for hand, apocalypse in product([None, 3, 6], [False, True]):
        match = chichiko.match(players, 5, {"hand": hand, "apocalypse": apocalypse})
        each = hand or (7 if players < 7 else 6)
        out = LEFT_OUT[players] if apocalypse else 0
        view = match.view()
        assert [zone["size"] for zone in view["hands"]] == [each] * players
        assert view["bazaar"] == {"size": 80 - out - each * players, "cards": []}
        assert view["left_out"] == out
        held = " ".join([*match.position()["hands"], match.position()["bazaar"]]).split()
        assert len(set(held)) == len(held) == 80 - out
        assert any(double in match.position()["hands"][view["turn"]] for double in twin.DOUBLES)


def test_without_any_double_all_is_dealt_again(chichiko: Game) -> None:
    """With two hands of three tiles, one deal in six has none."""
    again = 0
    for seed in range(60):
        match = chichiko.match(2, seed, {"hand": 3, "apocalypse": True})
        chance = Chance(key_from_number(seed), 1)
        deals = 0
        while True:
            tiles = list(twin.DECK)
            chance.shuffle(tiles)
            deals += 1
            dealt = [tiles.pop() for _ in range(53 + 6)][53:]
            if set(dealt) & set(twin.DOUBLES):
                break
        assert match.position()["chance"] == chance.counter
        assert " ".join(match.position()["hands"]).split() == [
            tile for hand in (dealt[:3], dealt[3:]) for tile in sorted(hand, key=twin.DECK.index)
        ]
        again += deals > 1
    assert again >= 4


# --- Variants ------------------------------------------------------------------------------------


def test_every_combination_is_played_or_refused_by_name(chichiko: Game) -> None:
    rng = random.Random(1)
    allowed = 0
    for values in product([False, True], repeat=len(FLAGS)):
        flags = dict(zip(FLAGS, values, strict=True))
        names = []
        if flags["phone"] and flags["sausage"]:
            names = ["phone", "sausage"]
        elif flags["faces"] and not flags["open"]:
            names = ["faces", "open"]
        if names:
            with pytest.raises(BadOption, match=rf"^options: {names[0]} .*{names[1]}"):
                chichiko.match(4, 1, flags)
            continue
        allowed += 1
        match = chichiko.match(rng.randint(2, 8), allowed, {**flags, "rounds": 1})
        for _ in play_on(match, rng):
            pass
        assert match.over
    assert allowed == 72


def test_too_few_tiles_are_refused(chichiko: Game) -> None:
    chichiko.match(8, 1, {"hand": 7})
    chichiko.match(7, 1, {"hand": 7, "apocalypse": True})
    with pytest.raises(BadOption, match=r"^options: apocalypse leaves 54 tiles, too few for 8"):
        chichiko.match(8, 1, {"hand": 7, "apocalypse": True})


def test_who_may_put_out_of_turn_is_not_waited_for(chichiko: Game) -> None:
    table = {"hands": ["yk-yk gk-gk", "bk-bk", "yp-yp"], "ends": "rk rk", "bazaar": "rs-rs"}
    assert chichiko.position(table).bystanders == []
    match = chichiko.position(table, options={"out_of_turn": True})
    assert match.waiting == [0]
    assert match.bystanders == [1]
    events = match.play(1, "put bk-bk @0")
    assert match.waiting == [0]
    assert match.lines(events, 1)[0] == "You put bk-bk at @0, out of turn!"


# --- What a picture needs ------------------------------------------------------------------------


def test_the_chain_can_be_drawn_from_a_view(chichiko: Game) -> None:
    """Laying out the tiles of a view again gives the same ends and lengths."""
    rng = random.Random(5)
    drawn = 0
    for _ in range(times(150, 15)):
        match = random_match(chichiko, rng)
        for _ in play_on(match, rng):
            if rng.random() < 0.2 or match.over:
                view = match.view()
                ends, lengths, tiles = redrawn(view)
                drawn += 1
                assert len(tiles) == len(set(tiles))
                assert not view["lengths"] or lengths == view["lengths"]
                for redrawn_end, shown in zip(ends, view["ends"].split(), strict=True):
                    assert shown in (redrawn_end, "-")  # a closed double lies face down
    assert drawn > times(800, 60)


def redrawn(view: dict[str, Any]) -> tuple[list[str], list[int], list[str]]:
    if not view["laid"]:
        return [], [0] * 4, []
    first, *others = view["laid"]
    count = 4 if view["options"]["phone"] or view["options"]["sausage"] else 2
    ends, lengths, tiles = [first.split("-")[0]] * count, [0] * 4, [first]
    for word in others:
        tile, place = word.split("@")
        one, two = tile.split("-")
        canonical = twin.TILE[tile]
        tiles.append(canonical)
        if place in ("left", "right"):
            upper = 0 if place == "left" else 2
            assert twin.fits(one, canonical, ends[upper])
            assert twin.fits(two, canonical, ends[upper + 1])
            ends[upper : upper + 2] = [one, two]
            lengths[upper] += 1
            lengths[upper + 1] += 1
        else:
            assert twin.fits(one, canonical, ends[int(place)])
            ends[int(place)] = two
            lengths[int(place)] += 1
    return ends, lengths, tiles


def test_a_chain_without_all_places(chichiko: Game) -> None:
    table = {"hands": ["yk-yk", "bk-bk"], "rest": "out"}
    laid = "rk-rk yk-rn rc-yn@1"
    match = chichiko.position({**table, "laid": laid, "ends": "rk yn"})
    assert match.position()["laid"] == laid
    assert match.view()["laid"] == laid.split()
    with pytest.raises(BadPosition, match=r"^ends: must be given where"):
        chichiko.position({**table, "laid": laid})


# --- Another set of tiles ------------------------------------------------------------------------

SMALL_SET = """TILES = (
    *((_half(c, p), _half(c, p)) for p in "ks" for c in range(4)),
    *((_half(c, p), _half(c + 1, q)) for p, q in ("ks", "kp", "sp", "nc") for c in range(4)),
    ("gn", "g+4"),
    ("rk", "rx"),
    ("bc", "bv"),
)
"""


@pytest.mark.skipif(not INTERPRETED, reason="compiled it takes long, and shows nothing more")
def test_another_set_of_tiles(
    chichiko: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same rules with the table of tiles replaced."""
    folder = tmp_path / "small_set"
    shutil.copytree(chichiko.folder, folder, ignore=shutil.ignore_patterns("face", "__pycache__"))
    components = folder / "components.py"
    source, count = re.subn(
        r"^TILES = \(\n.*?^\)\n", SMALL_SET, components.read_text(), flags=re.M | re.S
    )
    assert count == 1
    components.write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    play_small_set(Game("small_set", "small_set"))


def play_small_set(small: Game) -> None:
    assert len(small.cards) == 27
    assert len(small.actions) == 8 + 4 * (8 + 2 * 19) + 4 * 8 + 2 * (8 + 2 * 19) + 4
    with pytest.raises(BadOption, match=r"^options: there are 27 tiles, too few for 4 players"):
        small.match(4)
    rng = random.Random(2)
    rng64 = np.array([5], np.uint64)
    for number in range(30):
        flags = {"blitz": number % 2 > 0, "phone": number % 3 == 1, "sausage": number % 3 == 2}
        match = small.match(2 + number % 2, number, {**flags, "rounds": 1, "hand": 4})
        for _ in play_on(match, rng):
            again = small.position(match.position(), match.players, match.options, match.seed)
            assert again.state == match.state
            hidden = match.hidden(0)
            small.rules.guess(hidden[0], 0, rng64, small.new_deal())
        assert match.over


# --- Bad input -----------------------------------------------------------------------------------

TABLE: dict[str, Any] = {
    "hands": ["rk-ys gp-gp", "bk-bk yn-yn", "rs-rs"],
    "ends": "yk gs",
    "bazaar": "yc-yc",
    "rest": "out",
}
FOUR = {"ends": "yk gs rk rk"}


@pytest.mark.parametrize(
    ("options", "change", "message"),
    [
        ({}, {"hands": ["rk-ys", "bk-bk"]}, "hands: has entries for 2, not for 3 players"),
        ({}, {"hands": "rk-ys"}, "hands: must be a list"),
        ({}, {"hands": ["rk-yk", "bk-bk", "rs-rs"]}, "hands: there is no card 'rk-yk'"),
        ({}, {"hands": ["bk-bk", "bk-bk", "rs-rs"]}, "hands: there is only 1 of the card bk-bk"),
        ({}, {"hands": ["ys-rk rk-ys", "bk-bk", "rs-rs"]}, "hands: there is only 1 of the card"),
        ({}, {"bazaar": "ys-rk"}, "bazaar: there is only 1 of the card rk-ys"),
        ({}, {"hands": ["rk-ys", "", "rs-rs"]}, "hands: seat 1 has no tile"),
        (
            {},
            {"hands": ["gp-gp", "yn-yn", "bp-bp"], "ends": "rk rk", "bazaar": ""},
            "hands: nobody",
        ),
        ({}, {"hands": ["rk-ys", "yk-bp", "gs-yp"], "ends": ""}, "hands: nobody has a double"),
        ({}, {"ends": "yk"}, "ends: there are 2 ends, not 1"),
        ({}, {"ends": "yk gs rk rk"}, "ends: there are 2 ends, not 4"),
        ({}, {"ends": "yk zz"}, "ends: there is no half 'zz'"),
        ({}, {"ends": "yk -"}, "ends: only with phone an end is closed"),
        ({}, {"ends": {"0": "yk"}}, "ends: must be halves"),
        ({"phone": True}, {"ends": "- - - -"}, "ends: all are closed"),
        ({}, {"laid": "rk-yk"}, "laid: there is no tile 'rk-yk'"),
        ({}, {"laid": "gk-gk yp-yp@2"}, "laid: there is no place '@2'"),
        ({}, {"laid": "gk-gk yp-yp@left"}, "laid: there is no place '@left'"),
        ({}, {"laid": "gk-gk gk-gk@1"}, "laid: there is only 1 of the card gk-gk"),
        ({}, {"laid": {}}, "laid: must be tiles"),
        ({}, {"laid": "gk-gk", "ends": ""}, "laid: before the start"),
        ({}, {"lengths": [0, 0, 0, 0]}, "lengths: only with sausage"),
        ({"sausage": True}, {**FOUR, "lengths": [0, 0]}, "lengths: there are 4 lines, not 2"),
        ({"sausage": True}, {**FOUR, "lengths": [2, 0, 0, 0]}, "lengths: the two lines of a side"),
        ({"sausage": True}, {**FOUR, "lengths": [0, 0, 1, -1]}, "lengths: must be numbers"),
        ({"sausage": True}, {"ends": "", "lengths": [1, 1, 0, 0]}, "lengths: before the start"),
        ({}, {"used": [0]}, "used: only with phone"),
        ({"phone": True, "blitz": True}, {**FOUR, "used": [0]}, "used: only with phone"),
        ({"phone": True}, {**FOUR, "used": [4]}, "used: there is no end 4"),
        ({"phone": True}, {**FOUR, "used": [1, "@1"]}, "used: names the end 1 twice"),
        ({"phone": True}, {**FOUR, "used": [1], "begun": False}, "used: a turn that has not begun"),
        ({"phone": True}, {"ends": "", "used": [1]}, "used: before the start"),
        ({}, {"begun": True}, "begun: a turn is one tile"),
        ({"blitz": True}, {"ends": "", "begun": True}, "begun: before the start"),
        ({}, {"missing": [0, 0, -1]}, "missing: must be a whole number"),
        ({}, {"owes_face": 0}, "owes_face: only with faces"),
        ({"open": True, "faces": True}, {"owes_face": 1}, "owes_face: it is seat 0's turn"),
        ({}, {"turn": 3}, "turn: there is no seat 3"),
        ({}, {"ends": "", "turn": 1}, "turn: seat 0 is the first who can start"),
        ({}, {"direction": "left"}, "direction: must be one of cw ccw"),
        ({}, {"round": 6}, "round: the match has 5 rounds"),
        ({}, {"memory": ["2:rp", "", ""]}, "memory: the hand of seat 0 is another one"),
        ({}, {"memory": ["9:bn", "", ""]}, "memory: the hand of seat 0 is another one"),
        ({}, {"memory": ["x:bn", "", ""]}, "memory: 'x:bn' does not say"),
        ({}, {"memory": ["1:rk-ys", "", ""]}, "memory: 'rk-ys' is neither a half nor a double"),
        ({}, {"memory": ["1:bn 1:bn,bc", "", ""]}, "memory: '1:bn,bc' excludes more"),
        ({}, {"memory": [" ".join(["1:bn"] * 7), "", ""]}, "memory: has at most 6 words"),
        ({"open": True}, {"memory": ["1:bn", "", ""]}, "memory: with open all hands are seen"),
        ({}, {"accepts": "-"}, "accepts: no such key"),
        ({}, {"over": "maybe"}, "over: must be true or false"),
        ({"rounds": 1}, {"hands": ["", "bk-bk", "rs-rs"], "over": False}, "over: the last round"),
    ],
)
def test_bad_positions(
    chichiko: Game, options: dict[str, Any], change: dict[str, Any], message: str
) -> None:
    chichiko.position(TABLE)
    with pytest.raises((BadPosition, BadOption)) as error:
        chichiko.position(TABLE | change, 3, options)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"phone": True, "sausage": True}, "options: phone and sausage do not go together"),
        ({"faces": True}, "options: faces needs open"),
        ({"hand": 2}, "options: hand must be a whole number from 3 to 7"),
        ({"hand": 8}, "options: hand must be a whole number from 3 to 7"),
        ({"rounds": 0}, "options: rounds must be a whole number from 1 to 100"),
        ({"blitz": "perhaps"}, "options: blitz must be true or false"),
        ({"opener": 3}, "options: opener must be a seat from 0 to 2"),
        ({"target": 3}, "options: 'target' is none of"),
    ],
)
def test_bad_options(chichiko: Game, options: dict[str, Any], message: str) -> None:
    with pytest.raises(BadOption) as error:
        chichiko.match(3, 1, options)
    assert str(error.value).startswith(message)


def test_the_wrong_number_of_players(chichiko: Game) -> None:
    for players in (1, 9):
        with pytest.raises(BadOption, match=r"^players: Chi-Chi-Ko is for 2 to 8"):
            chichiko.match(players)


def test_ends_may_be_a_list(chichiko: Game) -> None:
    listed = chichiko.position(TABLE | {"ends": ["yk", "gs"]})
    assert listed.state == chichiko.position(TABLE).state
    assert listed.position()["ends"] == "yk gs"
