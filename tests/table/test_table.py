"""What people may do at a table, and what they may not."""

from __future__ import annotations

import hashlib
import random

import pytest

from lastcard.core.game import Game
from lastcard.core.shuffle import commitment_of, key_of
from lastcard.table import entries
from lastcard.table.entries import Agreed, Entry, Left, Moved, Resumed, Returned, Seeded, Undone
from lastcard.table.refusals import Code, Refused
from lastcard.table.setup import Setup
from lastcard.table.table import MOST_NON_MOVES, Table, hash_of
from tests.table.tables import Journalled, finished, legal, random_table, refuses, turn, two


def is_taken(one: Journalled, entry: Entry) -> bool:
    try:
        one.table.bound(entry)
    except Refused as refused:
        assert refused.code == Code.NOT_NOW
        return False
    return True


FACTS = [
    "seq",
    "number",
    "version",
    "base",
    "chairs",
    "agreed",
    "paused",
    "since",
    "waited",
    "non_moves",
    "start",
    "_recent",
]


def test_after_enough_of_it_a_table_only_goes_on() -> None:
    one = Journalled(Setup(game="taki", players=2))
    one.join("Ann")
    one.join("Ben")
    for _ in range(MOST_NON_MOVES // 2):
        one.write(Agreed(0, True))
        assert is_taken(one, Resumed(0))
        one.write(Resumed(0))
    stops: list[Entry] = [Agreed(0, True), Undone(0), Left(0), Seeded(0, "blue"), Resumed(0)]
    assert not any(is_taken(one, entry) for entry in stops)
    assert is_taken(one, Moved(0, "draw")) and is_taken(one, Returned(0))
    one.table.paused = True
    assert is_taken(one, Resumed(0))
    one.table.paused, one.table.waited = False, 0  # the match is over: another one is possible
    assert is_taken(one, Agreed(0, False)) and is_taken(one, Agreed(0, True))
    one.table.agreed = {0}
    assert not is_taken(one, Agreed(0, False)) and not is_taken(one, Resumed(0))
    one.write(Agreed(0, True))
    assert is_taken(one, Undone(0))  # in the next one, anew


def test_a_table_from_its_start_is_the_same(any_game: Game) -> None:
    rng = random.Random(11)
    one = random_table(any_game, rng, undo=True)
    for _ in one.moves(rng):
        pass
    one.write(one.table.rematch(0, {0}, "blue"))
    for _ in range(3):
        next(one.moves(rng))
    one.write(one.table.pause(0, {0}))
    again = Table(one.table.id, one.table.setup, one.table.secret, 0.0)
    again.begin_at(one.starts[1])
    for line in one.journal[one.starts[1].seq :]:
        again.fold(entries.decode(line.body), line.at)
    assert again.match is not None and one.table.match is not None
    assert again.match.state == one.table.match.state
    for name in FACTS:
        assert getattr(again, name) == getattr(one.table, name), name


def test_a_match_begins_when_no_seat_is_free() -> None:
    one = Journalled(Setup(game="chiko", players=3, bots=["hard"]))
    assert one.table.status == "open" and one.table.free == [0, 1]
    assert one.table.chairs[2].level == "hard"
    one.join("Ann")
    assert one.table.status == "open"
    with refuses(Code.NOT_NOW):
        one.table.move(0, 0, "draw", "")
    one.join("Ben")
    assert one.table.status == "playing" and one.table.version == 1
    with refuses(Code.FULL):
        one.table.join("Cid", None, "t")


def test_bots_take_all_free_seats() -> None:
    one = Journalled(Setup(game="chiko", players=4))
    one.join("Ann")
    with refuses(Code.BAD_SETUP):
        one.table.fill("best")
    one.write(one.table.fill("easy"))
    assert [chair.level for chair in one.table.chairs] == ["", "easy", "easy", "easy"]
    assert one.table.status == "playing"
    with refuses(Code.NOT_NOW):
        one.table.fill("easy")


def test_tokens() -> None:
    one = two()
    assert one.table.seat_of("token of Ann") == 0
    assert one.table.seat_of("token of Ben") == 1
    for token in ("", "token of Cid", hash_of("token of Ann")):
        with refuses(Code.UNAUTHORIZED):
            one.table.seat_of(token)
    assert all(b"token of" not in line.body for line in one.journal)
    bots = Journalled(Setup(game="chiko", players=2, bots=["easy"]))
    with refuses(Code.UNAUTHORIZED):
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
    with refuses(Code.UNAUTHORIZED):
        one.table.seat_of(token)


def test_who_leaves_a_match_may_come_back() -> None:
    one = two()
    one.write(one.table.leave(0))
    assert one.table.chairs[0].left and one.table.seat_of("token of Ann") == 0
    with refuses(Code.NOT_NOW):
        one.table.leave(0)
    one.write(entries.Returned(0))
    assert not one.table.chairs[0].left


def test_bots_serve_those_who_have_left_and_free_seats() -> None:
    one = two(options={"target": 1})
    assert not one.table.served
    one.write(one.table.leave(0))
    assert one.table.served
    for _ in one.moves(random.Random(1)):
        pass
    one.write(one.table.rematch(1, {1}, None))
    again = Table(one.table.id, one.table.setup, one.table.secret, 0.0)
    again.begin_at(one.starts[1])
    assert again.served  # also where nothing before that match is read
    one.write(entries.Returned(0))
    assert not one.table.served
    filled = Journalled(Setup(game="chiko", players=2))
    filled.join("Ann")
    filled.write(filled.table.fill("easy"))
    assert filled.table.served


def test_moves_must_be_legal_and_fresh() -> None:
    one = two()
    table, seat = one.table, turn(one)
    with refuses(Code.ILLEGAL):
        table.move(seat, 1, "play 9", "")
    with refuses(Code.ILLEGAL):
        table.move(1 - seat, 1, "draw", "")
    for version in (0, 2, 10**6):
        with refuses(Code.STALE):
            table.move(seat, version, "draw", "")
    one.write(table.move(seat, 1, "draw", "a"))
    assert table.version == 2
    with refuses(Code.STALE):
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
    with refuses(Code.STALE):
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


def test_a_pause_needs_everybody_who_is_here() -> None:
    one = two()
    one.write(one.table.pause(0, {0, 1}))
    assert one.table.status == "playing" and one.table.agreed == {0}
    one.write(one.table.resume(0))
    assert one.table.agreed == set()
    one.write(one.table.pause(0, {0, 1}))
    one.write(one.table.pause(1, {0, 1}))
    assert one.table.status == "paused" and one.table.waiting == []
    with refuses(Code.PAUSED):
        one.table.move(0, 1, "draw", "")
    one.write(one.table.resume(1))
    assert one.table.status == "playing"
    with refuses(Code.NOT_NOW):
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
    with refuses(Code.NOT_NOW):
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
    with refuses(Code.BAD_SETUP):
        one.table.seed(0, "-")
    one.join("Ben")
    assert one.table.shuffle.seeds == ["red", None]
    with refuses(Code.NOT_NOW):
        one.table.seed(0, "green")


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


def test_the_key_follows_from_the_secret_and_the_seeds() -> None:
    one = two()
    secret = one.table.match_secret(1)
    assert one.table.commitment == commitment_of(secret)
    assert one.table.commitment == hashlib.sha256(secret.encode()).hexdigest()
    lines = f"lastcard 1\n{secret}\nblue\n-\n"
    assert one.table.match is not None
    assert one.table.match.seed == hashlib.sha256(lines.encode()).digest()
    assert key_of(secret, ["blue", None]) != key_of(secret, [None, "blue"])


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
