"""What people may do at a table, and what they may not."""

from __future__ import annotations

import hashlib
import random
from typing import Any

import pytest

from lastcard.core import files
from lastcard.core.game import Game
from lastcard.core.registry import game
from lastcard.core.shuffle import commitment_of, key_of
from lastcard.table import entries, replay
from lastcard.table.entries import (
    Agreed,
    Entry,
    Filled,
    Left,
    Moved,
    Resumed,
    Seeded,
    Undone,
)
from lastcard.table.refusals import Code, Refused
from lastcard.table.setup import Setup, checked, read_name, read_seed
from lastcard.table.table import Table, hash_of
from tests.table.tables import Journalled, random_table


def refused(code: Code) -> Any:
    return pytest.raises(Refused, match=f"^{code}: ")


def two(**more: Any) -> Journalled:
    """Ann and Ben at a table for two."""
    one = Journalled(Setup(game="chiko", players=2, **more))
    one.join("Ann", "blue")
    one.join("Ben")
    return one


def finished(rng: random.Random, **more: Any) -> Journalled:
    one = two(options={"target": 1}, **more)
    for _ in one.moves(rng):
        pass
    return one


def legal(one: Journalled, seat: int) -> list[str]:
    assert one.table.match is not None
    return one.table.match.legal(seat)


def turn(one: Journalled) -> int:
    (seat,) = one.table.waiting
    assert isinstance(seat, int)
    return seat


# --- Setting up ----------------------------------------------------------------------------------


def test_what_is_left_out_is_filled_in() -> None:
    rules, setup = checked(Setup(game="taki"))
    assert rules is game("taki")
    assert setup.players == rules.fewest
    assert set(setup.options) == {option.name for option in rules.options}


@pytest.mark.parametrize(
    ("setup", "words"),
    [
        ({"game": "bridge"}, "There is no game"),
        ({"game": "chiko", "players": 9}, "players"),
        ({"game": "chiko", "players": 1}, "players"),
        ({"game": "chiko", "options": {"x": 1}}, "'x' is none of"),
        ({"game": "chiko", "options": {"target": "many"}}, "target"),
        (
            {"game": "chiko", "players": 2, "bots": ["normal", "easy"]},
            "2 bots leave no seat of 2 free",
        ),
        ({"game": "chiko", "bots": ["search:50ms"]}, "no level 'search:50ms'"),
        ({"game": "chiko", "bots": ["random"]}, "no level 'random'"),
        ({"game": "chiko", "clock": 1}, "clock must be from 5 to 604800"),
        ({"game": "chiko", "grace": 10**9}, "grace must be"),
    ],
)
def test_a_setup_that_cannot_be(setup: dict[str, Any], words: str) -> None:
    with refused(Code.BAD_SETUP) as error:
        checked(Setup(**setup))
    assert words in error.value.text


def test_names() -> None:
    assert read_name("  Ann   Lee ") == "Ann Lee"
    assert read_name("רות") == "רות"
    assert read_name("Наталья") == "Наталья"
    for name in ("👩‍👩‍👧", "❤️", "שָׁלוֹם", "Zoë", "แม่", "नि", "می‌خواهم", "1️⃣", "O'Neil 2", "בַּיִת"):
        assert read_name(name)
    unseen = ("\u200d", "\u3164", "\u2800", "\u115f", "\u200b", "a\u200d", "\u0301", "a \u0301")
    stacked = ("a" + 10 * "\u0301", "\ufe0f", "x\u034f", "\u3164 \u3164", "\u180e")
    broken = ("", "   ", "x" * 25, "a\u202eb", "a\x00b", "\ud800", "a\u2066b")
    for name in unseen + stacked + broken:
        with refused(Code.BAD_NAME):
            read_name(name)


def test_seeds() -> None:
    assert read_seed(None) is None
    assert read_seed("blue umbrella") == "blue umbrella"
    for seed in ("", "-", "x" * 65, "a\nb", "\ud800"):
        with refused(Code.BAD_SETUP):
            read_seed(seed)


# --- Sitting down --------------------------------------------------------------------------------


def test_a_match_begins_when_no_seat_is_free() -> None:
    one = Journalled(Setup(game="chiko", players=3, bots=["hard"]))
    assert one.table.status == "open" and one.table.free == [0, 1]
    assert one.table.chairs[2].level == "hard"
    one.join("Ann")
    assert one.table.status == "open"
    with refused(Code.NOT_NOW):
        one.table.move(0, 0, "draw", "")
    one.join("Ben")
    assert one.table.status == "playing" and one.table.version == 1
    with refused(Code.FULL):
        one.table.join("Cid", None, "t")


def test_bots_take_all_free_seats() -> None:
    one = Journalled(Setup(game="chiko", players=4))
    one.join("Ann")
    with refused(Code.BAD_SETUP):
        one.table.fill("best")
    one.write(one.table.fill("easy"))
    assert [chair.level for chair in one.table.chairs] == ["", "easy", "easy", "easy"]
    assert one.table.status == "playing"
    with refused(Code.NOT_NOW):
        one.table.fill("easy")


def test_tokens() -> None:
    one = two()
    assert one.table.seat_of("token of Ann") == 0
    assert one.table.seat_of("token of Ben") == 1
    for token in ("", "token of Cid", hash_of("token of Ann")):
        with refused(Code.UNAUTHORIZED):
            one.table.seat_of(token)
    assert all(b"token of" not in line.body for line in one.journal)
    bots = Journalled(Setup(game="chiko", players=2, bots=["easy"]))
    with refused(Code.UNAUTHORIZED):
        bots.table.seat_of("")  # free seats and bots have no token


def test_who_sits_down_may_say_how_to_be_spoken_of() -> None:
    one = Journalled(Setup(game="chiko", players=4, bots=["easy"]))
    one.write(one.table.join("Ann", None, "a", "she"))
    one.write(one.table.join("Ben", None, "b", "he"))
    one.write(one.table.join("Cid", None, "c"))
    assert [chair.pronoun for chair in one.table.chairs] == ["she", "he", None, None]


def test_who_leaves_before_the_match_frees_the_seat() -> None:
    one = Journalled(Setup(game="chiko", players=2))
    token = one.join("Ann", pronoun="she")
    one.write(one.table.leave(0))
    assert one.table.free == [0, 1] and one.table.chairs[0].pronoun is None
    with refused(Code.UNAUTHORIZED):
        one.table.seat_of(token)


def test_who_leaves_a_match_may_come_back() -> None:
    one = two()
    one.write(one.table.leave(0))
    assert one.table.chairs[0].left and one.table.seat_of("token of Ann") == 0
    with refused(Code.NOT_NOW):
        one.table.leave(0)
    one.write(entries.Returned(0))
    assert not one.table.chairs[0].left


# --- Moves ---------------------------------------------------------------------------------------


def test_moves_must_be_legal_and_fresh() -> None:
    one = two()
    table, seat = one.table, turn(one)
    with refused(Code.ILLEGAL):
        table.move(seat, 1, "play 9", "")
    with refused(Code.ILLEGAL):
        table.move(1 - seat, 1, "draw", "")
    for version in (0, 2, 10**6):
        with refused(Code.STALE):
            table.move(seat, version, "draw", "")
    one.write(table.move(seat, 1, "draw", "a"))
    assert table.version == 2
    with refused(Code.STALE):
        table.move(seat, 1, "draw", "b")
    assert table.moved_already(seat, "a") == 2
    assert table.moved_already(seat, "b") is None
    assert table.moved_already(1 - seat, "a") is None


def test_who_decide_at_the_same_time_do_not_make_each_other_stale() -> None:
    one = Journalled(Setup(game="sixth_sense", players=3))
    for name in ("Ann", "Ben", "Cid"):
        one.join(name)
    table = one.table
    first = table.version
    assert table.waiting == [0, 1, 2]
    for seat in (2, 0, 1):
        one.write(table.move(seat, first, legal(one, seat)[0], ""))
    assert len(table.waiting) == 1
    with refused(Code.STALE):
        table.move(turn(one), first, legal(one, turn(one))[0], "")


def test_an_action_out_of_turn_makes_the_turn_stale() -> None:
    rng = random.Random(3)
    for _ in range(200):
        one = Journalled(
            Setup(game="chichiko", players=3, options={"out_of_turn": True}),
            f"{rng.getrandbits(256):064x}",
        )
        for name in ("Ann", "Ben", "Cid"):
            one.join(name)
        table = one.table
        for happened in one.moves(rng):
            assert table.match is not None
            if happened.seat not in table.waiting and table.match.bystanders:
                seat, before = table.match.bystanders[0], table.version
                on_turn = turn(one)
                one.write(table.move(seat, before, legal(one, seat)[0], ""))
                with pytest.raises(Refused):
                    table.move(on_turn, before, "draw", "")
                return
    raise AssertionError("nobody ever acts out of turn")


def test_only_the_last_moves_of_a_seat_are_remembered() -> None:
    rng, one = random.Random(1), two()
    table = one.table
    ids: list[tuple[int, str]] = []
    while table.status == "playing" and len(ids) < 40:
        if table.waiting == ["chance"]:
            assert table.match is not None
            one.write(Moved("chance", rng.choice(table.match.legal("chance")), by="chance"))
            continue
        ids.append((turn(one), f"id {len(ids)}"))
        action = rng.choice(legal(one, turn(one)))
        one.write(table.move(turn(one), table.version, action, ids[-1][1]))
    assert table.moved_already(*ids[-1]) is not None
    assert table.moved_already(*ids[0]) is None


# --- Undo ----------------------------------------------------------------------------------------


def test_undo_restores_the_match() -> None:
    rng = random.Random(5)
    undone = 0
    while undone < 20:
        one = two(undo=True)
        for _ in range(rng.randrange(12)):
            next(one.moves(rng), None)
        table = one.table
        if table.status != "playing" or table.waiting == ["chance"]:
            continue
        assert table.match is not None
        seat, before = turn(one), table.match.state
        plays = [action for action in legal(one, seat) if action.startswith("play ")]
        if not plays:
            continue
        one.write(table.move(seat, table.version, plays[0], "x"))
        if not table.may_undo(seat):
            continue
        assert not table.may_undo(1 - seat) and not table.may_undo(None)
        version = table.version
        with refused(Code.STALE):
            table.undo(seat, version - 1)
        one.write(table.undo(seat, version))
        assert table.match.state == before and table.version == version + 1
        assert not table.may_undo(seat)
        undone += 1


def test_what_was_drawn_is_not_put_back(any_game: Game) -> None:
    """Actions that show a card to somebody cannot be undone; plain ones can, in every game."""
    rng = random.Random(6)
    answers: dict[str, set[bool]] = {}
    for _ in range(12):
        one = random_table(any_game, rng, undo=True)
        for happened in one.moves(rng):
            if one.table._last is not None:
                may = one.table.may_undo(one.table._last.seat)
                answers.setdefault(happened.action.split()[0], set()).add(may)
    assert True in set().union(*answers.values())
    assert answers.get("draw", {False}) == {False}


def test_undo_is_refused_after_others_have_acted_and_where_it_is_off() -> None:
    one = two(undo=True)
    first = turn(one)
    play = next(action for action in legal(one, first) if action != "quit")
    one.write(one.table.move(first, 1, play, ""))
    second = turn(one)
    one.write(one.table.move(second, 2, legal(one, second)[0], ""))
    if second != first:
        with refused(Code.NOT_NOW):
            one.table.undo(first, one.table.version)
    off = two()
    off.write(off.table.move(turn(off), 1, legal(off, turn(off))[0], ""))
    with refused(Code.NOT_NOW):
        off.table.undo(0, 2)


# --- Pauses and rematches ------------------------------------------------------------------------


def test_a_pause_needs_everybody_who_is_here() -> None:
    one = two()
    one.write(one.table.pause(0, {0, 1}))
    assert one.table.status == "playing" and one.table.agreed == {0}
    one.write(one.table.resume(0))
    assert one.table.agreed == set()
    one.write(one.table.pause(0, {0, 1}))
    one.write(one.table.pause(1, {0, 1}))
    assert one.table.status == "paused" and one.table.waiting == []
    with refused(Code.PAUSED):
        one.table.move(0, 1, "draw", "")
    one.write(one.table.resume(1))
    assert one.table.status == "playing"
    with refused(Code.NOT_NOW):
        one.table.resume(1)
    one.write(one.table.pause(0, {0}))  # Ben is gone
    assert one.table.status == "paused"


def test_a_rematch_has_another_secret_and_fresh_seeds() -> None:
    one = finished(random.Random(1))
    table = one.table
    assert table.status == "over"
    first, promised, version = table.shuffle, table.next_commitment, table.version
    assert first.seeds == ["blue", None]
    one.write(table.rematch(1, {0, 1}, "green"))
    assert table.status == "over" and table.shuffle.seeds == ["blue", None]
    one.write(table.rematch(0, {0, 1}, None))
    assert table.status == "playing" and table.number == 2 and table.version == version + 1
    assert table.commitment == promised != first.commitment
    assert table.shuffle.seeds == [None, "green"]
    with refused(Code.NOT_NOW):
        table.rematch(0, {0, 1}, None)


def test_who_agreed_to_a_pause_has_not_agreed_to_a_rematch() -> None:
    one = two(options={"target": 1})
    one.write(one.table.pause(0, {0, 1}))
    for _ in one.moves(random.Random(1)):
        pass
    assert one.table.agreed == set()
    one.write(one.table.rematch(1, {0, 1}, None))
    assert one.table.number == 1


def test_who_is_not_here_does_not_hold_up_a_rematch() -> None:
    one = finished(random.Random(2))
    one.write(one.table.rematch(0, {0}, None))
    assert one.table.number == 2


def test_a_seed_is_chosen_before_the_cards_are_dealt() -> None:
    one = Journalled(Setup(game="chiko", players=2))
    one.join("Ann", "blue")
    one.write(one.table.seed(0, "red"))
    with refused(Code.BAD_SETUP):
        one.table.seed(0, "-")
    one.join("Ben")
    assert one.table.shuffle.seeds == ["red", None]
    with refused(Code.NOT_NOW):
        one.table.seed(0, "green")


# --- The clock -----------------------------------------------------------------------------------


def test_who_is_still_waited_for_gets_no_more_time() -> None:
    one = Journalled(Setup(game="sixth_sense", players=3, clock=10))
    for name in ("Ann", "Ben", "Cid"):
        one.join(name)
    table, dealt = one.table, one.table.since
    assert table.asked_at == {0: dealt, 1: dealt, 2: dealt}
    one.write(table.move(1, table.version, legal(one, 1)[0], ""))
    assert table.asked_at == {0: dealt, 2: dealt} and table.since > dealt
    one.write(table.move(0, table.version, legal(one, 0)[0], ""))
    one.write(table.move(2, table.version, legal(one, 2)[0], ""))
    assert list(table.asked_at.values()) == [table.since]


def test_an_undo_gives_no_more_time() -> None:
    one = Journalled(Setup(game="sixth_sense", players=2, clock=10, undo=True))
    one.join("Ann")
    one.join("Ben")
    table, dealt = one.table, one.table.since
    one.write(table.move(0, table.version, legal(one, 0)[0], ""))
    assert table.may_undo(0)  # nobody has learnt anything by a hidden card
    one.write(table.undo(0, table.version))
    assert table.asked_at == {0: dealt, 1: dealt}


def test_the_clock_stands_still_in_a_pause() -> None:
    one = two(clock=10)
    table = one.table
    seat, asked = turn(one), dict(one.table.asked_at)
    one.write(table.pause(0, {0}))
    one.write(table.resume(1))
    assert table.asked_at == {seat: asked[seat] + 1}  # each entry is a second later than the last


# --- The shuffle and the file --------------------------------------------------------------------


def test_the_key_follows_from_the_secret_and_the_seeds() -> None:
    one = two()
    secret = one.table.match_secret(1)
    assert one.table.commitment == commitment_of(secret)
    assert one.table.commitment == hashlib.sha256(secret.encode()).hexdigest()
    lines = f"lastcard 1\n{secret}\nblue\n-\n"
    assert one.table.match is not None
    assert one.table.match.seed == hashlib.sha256(lines.encode()).digest()
    assert key_of(secret, ["blue", None]) != key_of(secret, [None, "blue"])


def test_the_file_of_a_match(any_game: Game, tmp_path: Any) -> None:
    rng = random.Random(7)
    one = random_table(any_game, rng, undo=True)
    with refused(Code.NOT_NOW):
        replay.match_file(one.played())
    with refused(Code.NOT_FOUND):
        replay.match_file(one.played(2))
    table = one.table
    undone = 0
    for _ in one.moves(rng):
        last = table._last
        if last is not None and table.status == "playing" and table.may_undo(last.seat):
            if rng.random() < 0.2:
                one.write(table.undo(last.seat, table.version))
                undone += 1
    assert table.match is not None
    state, shuffle = table.match.state, table.shuffle
    one.write(table.rematch(0, {0}, "another"))  # the file is of the first one all the same
    path = tmp_path / "match.json"
    path.write_text(replay.match_file(one.played()))
    match = files.load(path)
    assert match.over and match.state == state
    assert files.read(path).shuffle == shuffle
    with refused(Code.NOT_NOW):
        replay.match_file(one.played(2))


def test_open_cards_only_when_the_match_is_over() -> None:
    one = two()
    with refused(Code.NOT_NOW):
        replay.steps(one.played(), None, True, 0, 10)
    one = finished(random.Random(3))
    found = replay.steps(one.played(), None, True, 0, 10)
    assert all(hand["cards"] for hand in found.steps[0].view["hands"])
    assert len(found.steps) == min(10, found.of)
    later = replay.steps(one.played(), None, True, 2, 1)
    assert later.steps == found.steps[2:3]


# --- The journal ---------------------------------------------------------------------------------


def test_a_table_read_from_its_journal_is_the_same(any_game: Game) -> None:
    rng = random.Random(8)
    one = random_table(any_game, rng, undo=True)
    for _ in one.moves(rng):
        pass
    one.write(one.table.rematch(0, {0}, None))
    for _ in range(5):
        next(one.moves(rng))
    again = Table(one.table.id, one.table.setup, one.table.secret, 0.0)
    for line in one.journal:
        again.fold(entries.decode(line.body), line.at)
    assert again.match is not None and one.table.match is not None
    assert again.match.state == one.table.match.state
    for name in ("seq", "number", "version", "base", "chairs", "agreed", "paused", "since"):
        assert getattr(again, name) == getattr(one.table, name), name


def test_entries_are_read_as_they_were_written() -> None:
    for entry in (
        entries.Joined(0, "Ann", "ff", "x"),
        entries.Joined(0, "Ann", "ff", None, "she"),
        entries.Left(1),
        entries.Returned(1),
        Filled("easy"),
        entries.Seeded(0, "x"),
        Moved("chance", "roll 1", by="chance"),
        Moved(1, "draw", "id"),
        entries.Undone(1),
        entries.Agreed(1, True, "x"),
        entries.Resumed(0),
    ):
        assert entries.decode(entries.encode(entry)) == entry


def test_a_journal_from_before_pronouns_is_read() -> None:
    line = b'{"is":"joined","seat":0,"name":"Ann","token":"ff","seed":"x"}'
    entry = entries.decode(line)
    assert entry == entries.Joined(0, "Ann", "ff", "x", None)
    assert entries.encode(entry) == line


def test_steps_are_known_by_how_they_begin() -> None:
    steps: list[Entry] = [Moved(0, "draw"), Moved("chance", "roll", by="chance"), Undone(1)]
    others: list[Entry] = [Agreed(0, True), Resumed(0), Left(0), Seeded(0, '{"is":"moved"')]
    assert all(entries.encode(entry).startswith(entries.STEPS) for entry in steps)
    assert not any(entries.encode(entry).startswith(entries.STEPS) for entry in others)
