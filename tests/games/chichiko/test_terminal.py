"""Chi-Chi-Ko in the terminal: the chain, what fits its ends, and what people type."""

from __future__ import annotations

import io
import random
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import lastcard
from lastcard.core.match import Match
from lastcard.terminal.drawing import table_of
from tests.cli.runner import Runner, home, run
from tests.helpers import permuted, play_on, random_match

__all__ = ["home", "run"]  # fixtures

PLAYERS = ["human", "normal", "normal"]
TABLE: dict[str, Any] = {
    "hands": ["rk-ys gp-gp rk-r+2", "bk-bk yn-yn", "rs-rs yn-rc"],
    "laid": "gk-gk yk-gs@0 bk-bc@1",
    "bazaar": "yc-yc bs-bs rp-rp bn-bn gn-gn",
    "rest": "out",
}
FOUR: dict[str, Any] = {"laid": "gk-gk yk-gs@0 bk-bc@1 rk-rc@2"}


def saved(home: Path, change: dict[str, Any], seats: list[str] = PLAYERS, **options: Any) -> Path:
    path = home / "m.json"
    match = lastcard.game("chichiko").position(TABLE | change, options=options)
    lastcard.save(match, path, seats)
    return path


def shown(run: Runner, home: Path, change: dict[str, Any], answers: str = "", **more: Any) -> str:
    out = run("play", "--resume", str(saved(home, change, **more)), answers=answers).out
    return " ".join(out.split())


def drawn(change: dict[str, Any], width: int = 80, **options: Any) -> list[str]:
    match = lastcard.game("chichiko").position(TABLE | change, options=options)
    return drawn_of(match, width)


def drawn_of(match: Match, width: int) -> list[str]:
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(table_of(match.game, match.view(0), [f"P{n}" for n in range(match.players)]))
    return [line.rstrip() for line in console.export_text().splitlines()]


# --- The chain -----------------------------------------------------------------------------------


def test_the_chain_is_drawn_from_end_to_end() -> None:
    """The left part is mirrored: the end is outside."""
    assert "@0 gs-yk gk-gk bk-bc @1" in drawn({})
    assert "@0 gs takes rs ys gk gc bs and green super tiles" in drawn({})
    assert "@1 bc takes rc yc gc bp bn and blue super tiles" in drawn({})


def test_a_phone_is_drawn_as_four_lines() -> None:
    hands = ["rk-ys gp-gp rk-r+2", "yn-yn", "rs-rs yn-rc"]
    laid = {"laid": "gk-gk yk-gs@0 bk-bk@1 rk-rc@2", "ends": "gs - rc gk"}
    lines = drawn({"hands": hands, **laid}, phone=True)
    assert lines[1:5] == [
        "      ┌ @0 yk-gs",
        "gk-gk ├ @1 closed",
        "      ├ @2 rk-rc",
        "      └ @3",
    ]
    assert "@1 is closed" in lines


def test_a_sausage_is_drawn_as_two_lines_and_what_lies_across() -> None:
    laid = "gk-gk yk-gs@0 bk-bc@1 rk-rc@2 rp-gc@left"
    lines = drawn({"laid": laid, "hands": ["rk-ys", "yn-yn", "rs-rs"]}, sausage=True)
    assert lines[1:3] == ["@0 rp gs-yk [gk] rk-rc @2", "@1 gc bc-bk [gk]       @3"]
    assert "@2 rc takes nothing: its line is the longer one" in lines


@pytest.mark.parametrize("width", [40, 80, 120])
def test_a_chain_fits_the_screen(width: int) -> None:
    """Long lines lose their middle, never their ends, and no row wraps."""
    rng = random.Random(width)
    cut = 0
    for n in range(40):
        flags = {"phone": n % 2 > 0, "sausage": n % 2 == 0, "rounds": 1}
        match = lastcard.game("chichiko").match(8, n, flags)
        for _ in play_on(match, rng):
            if match.over or not match.view()["laid"] or rng.random() < 0.8:
                continue
            lines = drawn_of(match, width)
            top = next(i for i, line in enumerate(lines) if "@0" in line)
            rows = lines[top : top + (4 if n % 2 else 2)]
            for end, row in enumerate(rows):
                assert f"@{end}" in row
                assert n % 2 or row.endswith(f"@{end + 2}")
            cut += any("…" in row for row in rows)
    assert cut or width == 120


def test_tiles_without_a_place_are_told(run: Runner, home: Path) -> None:
    out = shown(run, home, {"laid": "gk-gk bk-bc@1 bp-yc", "ends": "gk bc"})
    assert "@0 gk-gk bk-bc @1 Somewhere in the chain: bp-yc" in out
    assert "@0 ????? @1" in shown(run, home, {"laid": "", "ends": "gk bc"})
    closed = shown(run, home, {"laid": "", "ends": "gk - - gk"}, phone=True)
    assert "┌ @0 ????? ├ @1 closed ├ @2 closed └ @3" in closed


# --- In words ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "options", "words"),
    [
        ({}, {}, ["Round 1 of 5 bazaar 5, 65 out of the game clockwise, down the list"]),
        ({"direction": "ccw"}, {}, ["counter-clockwise, up the list"]),
        ({"laid": ""}, {}, ["You start the chain with any double."]),
        (
            {"memory": ["", "2:gs,rs", "1:bc"]},
            {},
            ["Ada: 2 tiles do not fit gs.", "Boris: 1 tile do"],
        ),
        ({"missing": [0, 2, 0]}, {}, ["player tiles to miss score"]),
        ({}, {}, ["player tiles score"]),
        (
            {"owes_face": 0},
            {"open": True, "faces": True},
            ["a tile put without it costs 3 tiles, or what is left.", "c make a face"],
        ),
        ({"begun": True}, {"blitz": True}, ["Your turn goes on: more tiles, or end."]),
        (
            FOUR | {"used": [1], "hands": ["gs-yp yc-yc", "yn-yn", "rs-rs"], "bazaar": "bs-bs"},
            {"phone": True},
            ["Your turn goes on: more doubles, or end.", "@1 bc has had its double in this turn"],
        ),
    ],
)
def test_what_the_table_says(
    run: Runner, home: Path, change: dict[str, Any], options: dict[str, Any], words: list[str]
) -> None:
    out = shown(run, home, change, **options)
    for one in words:
        assert one in out


def test_who_has_no_double_is_told_before_the_first_tile(run: Runner, home: Path) -> None:
    hands = ["gp-gp", "rk-ys", "yn-rc"]
    out = shown(run, home, {"laid": "", "hands": hands, "opener": 1})
    assert "Ada opens the round, without a double. You start the chain with any double." in out


# --- What people type ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("put ys-rk @0", "put ys-rk @0"),
        ("ys-rk", "put ys-rk @0"),
        ("rk-ys", "put ys-rk @0"),
        ("rk ys left", "put ys-rk @0"),
        ("left ys rk", "put ys-rk @0"),
        ("rk-ys 0", "put ys-rk @0"),
        ("@0 rk-ys", "put ys-rk @0"),
        ("put rk-ys on the left", "put ys-rk @0"),
        ("red rock yellow scissors", "put ys-rk @0"),
        ("yellow-scissors-red-rock at left", "put ys-rk @0"),
        ("c", "put ys-rk @0"),
    ],
)
def test_names_as_people_type_them(run: Runner, home: Path, typed: str, action: str) -> None:
    path = saved(home, {})
    run("play", "--resume", str(path), answers=f"{typed}\n")
    assert lastcard.load(path).moves[0] == (0, action)


@pytest.mark.parametrize(
    ("typed", "action", "options"),
    [
        ("close rp-rp", "put rp-rp @2 closed", {"phone": True}),
        ("rp-rp 2 closed", "put rp-rp @2 closed", {"phone": True}),
        ("rp-rp 2", "put rp-rp @2", {"phone": True}),
        ("put rp-rp 2", "put rp-rp @2", {"phone": True}),
        ("put rp-rp 2 closed", "put rp-rp @2 closed", {"phone": True}),
        ("green scissors green skip 3", "put gs-gx @3", {"phone": True}),
        ("gs gx 3", "put gs-gx @3", {"phone": True}),
        ("gx gs 3", "put gx-gs @3", {"phone": True}),
    ],
)
def test_names_at_four_ends(
    run: Runner, home: Path, typed: str, action: str, options: dict[str, Any]
) -> None:
    hands = ["rp-rp gs-gx", "yn-yn", "rs-rs"]
    laid = "gk-gk yk-yk@0 bk-bk@1 rk-rc@2"
    path = saved(home, {"hands": hands, "laid": laid, "bazaar": "bs-bs"}, **options)
    run("play", "--resume", str(path), answers=f"{typed}\n")
    assert lastcard.load(path).moves[0] == (0, action)


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("yk yk right upper", "put yk-yk @2"),
        ("yk-yk 1", "put yk-yk @1"),
        ("across yk yk right", "across yk-yk right"),
        ("across yk-yk on the left", "across yk-yk left"),
        ("yk-yk across right", "across yk-yk right"),
    ],
)
def test_names_in_a_sausage(run: Runner, home: Path, typed: str, action: str) -> None:
    change = {"hands": ["yk-yk bk-rs", "yn-yn", "rs-rs"], "laid": "gk-gk", "bazaar": "bs-bs"}
    assert "Which one? yk-yk @0, yk-yk @1" in shown(
        run, home, change, "put yk-yk left\n", sausage=True
    )
    path = saved(home, change, sausage=True)
    run("play", "--resume", str(path), answers=f"{typed}\n")
    assert lastcard.load(path).moves[0] == (0, action)


@pytest.mark.parametrize(
    ("change", "typed", "options", "why"),
    [
        ({}, "draw", {}, "You can place a tile, so you must."),
        ({}, "pass", {}, "You can place a tile, so you must."),
        ({"hands": ["gp-gp", "yn-yn", "rs-rs"]}, "pass", {}, "The bazaar has tiles: draw."),
        (
            {"hands": ["gp-gp", "yn-yn", "rs-rs"], "bazaar": ""},
            "draw",
            {},
            "The bazaar is empty: pass",
        ),
        ({}, "bn-bn", {}, "You have no bn-bn."),
        ({}, "blue snake blue snake", {}, "You have no bn-bn."),
        ({}, "gp-gp", {}, "gp-gp fits no end now."),
        ({}, "rk-ys 1", {}, "rk-ys fits at @0."),
        ({}, "start gp-gp", {}, "The chain has already been started."),
        ({"laid": ""}, "rk-ys", {}, "Only a double can be put now."),
        ({"begun": True}, "draw", {"blitz": True}, "Your turn has begun: go on, or end it."),
        (
            FOUR | {"used": [1], "hands": ["gs-yp yc-yc", "yn-yn", "rs-rs"], "bazaar": "bs-bs"},
            "gs-yp",
            {"phone": True},
            "Only a double can be put now.",
        ),
        ({}, "rk-r+2", {}, "rk-r+2 fits no end now."),
        ({}, "left rk-r+2", {}, "rk-r+2 fits no end now."),
        ({}, "end", {}, "Put a tile first; you can only end a turn that could go on."),
        ({}, "face", {}, "You owe no face."),
        ({}, "close gp-gp", {}, "Doubles can be closed only with the option phone."),
        ({}, "across rk-ys left", {}, "Tiles go across only with the option sausage."),
        (FOUR, "ys-rk closed", {"phone": True}, "Only a double can be closed."),
        ({"turn": 1}, "draw", {"out_of_turn": True}, "It is not your turn."),
        (
            {"turn": 1, "hands": ["yp-gn yk-yk", "bk-bk", "rs-rs"], **FOUR, "used": [1]},
            "yp-gn",
            {"out_of_turn": True, "phone": True},
            "yp-gn fits no end now.",
        ),
        ({}, "nonsense", {}, "You cannot do that now: nonsense."),
    ],
)
def test_why_not(
    run: Runner, home: Path, change: dict[str, Any], typed: str, options: dict[str, Any], why: str
) -> None:
    out = shown(run, home, change, f"{typed}\n", **options)
    assert "You cannot do that now" in out
    assert why in out


def test_a_super_tile_may_be_put_either_way(run: Runner, home: Path) -> None:
    change = {"hands": ["gs-gx rk-rk", "yn-yn", "rs-rs"]}
    for typed in ("gs-gx", "gx-gs"):
        path = saved(home, change)
        run("play", "--resume", str(path), answers=f"{typed}\n")
        assert lastcard.load(path).moves[0] == (0, f"put {typed} @0")


def test_help_says_what_the_letters_mean(run: Runner, home: Path) -> None:
    out = shown(run, home, {}, "help\n")
    assert "k rock, s scissors, p paper, n snake, c crook" in out
    assert "scissors > paper, snake" in out


def test_how_a_round_ends(run: Runner, home: Path) -> None:
    last = {"hands": ["ys-rk", "bk-bk rk-r+2", "yn-yn"], "round": 5}
    out = shown(run, home, last, "c\n")
    assert "You put ys-rk at @0. You are out and win the round." in out
    assert "Ada shows bk-bk rk-r+2. Boris shows yn-yn." in out
    assert "You: 0 this round, 0 in all. Ada counts ordinary: 1, super: 5. Ada: 6 this round" in out
    fish = {"hands": ["gp-gp", "bn-bn", "yp-yx bp-b+4"], "laid": "", "ends": "rs rs", "round": 5}
    out = shown(run, home, fish | {"bazaar": "yn-yn"}, "draw\n")
    assert "A fish: nobody can put a tile." in out
    assert "Ada has the fewest points and wins the round." in out


# --- Out of turn ---------------------------------------------------------------------------------


def test_one_person_is_asked_out_of_turn_and_told_so(run: Runner, home: Path) -> None:
    change = {"turn": 1}
    out = shown(run, home, change, "\nexit\n", out_of_turn=True)
    assert "It is not your turn: waiting for Ada." in out
    assert "costs you 5 tiles; if fewer are left, those and 2 turns." in out
    assert "Enter do nothing" in out
    path = saved(home, change, out_of_turn=True)
    run("play", "--resume", str(path), answers="ys-rk\n")
    assert lastcard.load(path).moves[0] == (0, "put ys-rk @0")


def test_people_at_one_screen_call_out_of_turn(run: Runner, home: Path) -> None:
    """Nobody is asked, since that would tell something about their hand; but they may say so."""

    def play(answers: str, **change: Any) -> tuple[list[tuple[Any, str]], str]:
        path = saved(home, change, ["human", "human", "normal"], out_of_turn=True)
        out = run("play", "--resume", str(path), answers=answers).out
        return lastcard.load(path).moves, " ".join(out.split())

    fits = {"ends": "gk bc", "laid": ""}
    moves, out = play("\nhelp\nplayer 2\n\nbk-bk 0\n", **fits)
    assert moves == [(1, "put bk-bk @0")]
    assert "another player at this screen wants to act out of turn" in out
    assert "Player 2, you may act out of turn." in out
    # Whoever called may do nothing; and what does not fit does not fit.
    moves, out = play("\nplayer 2\n\n\n\nys-rk\n")
    assert moves[0] == (0, "put ys-rk @0")
    moves, out = play("\nplayer 2\n\nyn-yn\n")
    assert moves == []
    assert "yn-yn fits no end now. You can: nothing." in out
    # Also before a bot acts; but not before the start.
    moves, out = play("player 2\n\nbk-bk 0\n", turn=2, **fits)
    assert moves == [(1, "put bk-bk @0")]
    assert "Ada is next. Press Enter, or type player 1, player 2 to act first." in out
    moves, out = play("\n", turn=2, **fits)
    assert moves[0][0] == 2
    moves, out = play("\nplayer 2\n", laid="")
    assert moves == []
    assert "Nobody can act out of turn now." in out


def test_a_match_may_be_won_out_of_turn(run: Runner, home: Path) -> None:
    change = {"turn": 1, "hands": ["ys-rk", "bk-bk yp-yp", "rs-rs"], "bazaar": "", "round": 5}
    out = shown(run, home, change, "ys-rk\n", out_of_turn=True)
    assert "You put ys-rk at @0, out of turn! You are out and win the round." in out
    assert "The match is over" in out
    assert "miss" not in out.partition("out of turn!")[2]


def test_closing_is_not_in_the_menu_but_can_be_typed(run: Runner, home: Path) -> None:
    hands = ["rp-rp yp-yp", "yn-yn", "rs-rs"]
    out = shown(run, home, {"hands": hands, "laid": "gk-gk rk-rc@2", "bazaar": ""}, phone=True)
    assert "c rp-rp @2 " in out
    assert "rp-rp @2 closed " not in out
    assert "To close a double add closed, as in rp-rp @2 closed." in out


def test_being_asked_tells_nothing_of_a_hand(run: Runner, home: Path) -> None:
    """With several people, the first one's screen is the same whatever the second holds."""
    texts = set()
    for theirs in ("bk-bk yn-yn", "gp-rc yn-yn", "bp-rn bp-bp"):
        hands = ["rk-ys gp-gp rk-r+2", theirs, "rs-rs yn-rc"]
        path = saved(home, {"hands": hands}, ["human", "human", "normal"], out_of_turn=True)
        texts.add(run("play", "--resume", str(path), answers="\n").out)
    assert len(texts) == 1


# --- What is hidden ------------------------------------------------------------------------------


def test_the_screen_tells_nothing_that_is_hidden(run: Runner, home: Path) -> None:
    """The same table with other hidden tiles looks the same, even after an error."""
    rng = random.Random(3)
    rules = lastcard.game("chichiko")
    compared = 0
    while compared < 8:
        match = random_match(rules, rng)
        if match.options["out_of_turn"]:
            continue
        for _ in zip(range(rng.randint(2, 30)), play_on(match, rng), strict=False):
            pass
        if match.over:
            continue
        person = match.waiting[0]
        assert isinstance(person, int)
        legal = " ".join(match.legal(person))
        wrong = next(tile for tile in rules.cards if tile not in legal)
        kinds = ["human" if seat == person else "normal" for seat in range(match.players)]
        texts = []
        for one in (match, permuted(match, person, rng)):
            path = home / "m.json"
            start = rules.position(one.position(), one.players, one.options)
            lastcard.save(start, path, kinds)
            texts.append(run("play", "--resume", str(path), answers=f"{wrong}\nlog\nexit\n").out)
        assert "You cannot do that now" in texts[0]
        assert texts[0] == texts[1]
        compared += 1
