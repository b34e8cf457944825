"""No message holds what its seat must not know."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

from lastcard.core.events import rows_of
from lastcard.core.game import Game
from lastcard.table.table import Happened
from lastcard.table.window import Window
from tests.helpers import permuted, times
from tests.table.tables import MATCHES, observers, random_table, welcome, with_match


def without_order(update: bytes) -> dict[str, Any]:
    """A player sees in which order cards are drawn; the record need not keep it."""
    message = json.loads(update)
    message["events"].sort(key=json.dumps)
    return message


def test_the_whole_view(any_game: Game) -> None:
    rng = random.Random(1)
    compared = different = 0
    for _ in range(MATCHES):
        one = random_table(any_game, rng)
        for _ in one.moves(rng):
            if rng.random() < 0.7 or one.table.status == "over":
                continue
            seat = rng.choice(observers(one.table))
            assert one.table.match is not None
            other = with_match(one.table, permuted(one.table.match, seat, rng))
            compared += 1
            assert other.match is not None
            different += other.match.state != one.table.match.state
            assert welcome(one.table, seat) == welcome(other, seat)
    assert different > 0.5 * compared > times(5, 0)


def test_every_update(any_game: Game) -> None:
    """A move that leaves a seat with the same hidden record in two worlds is told alike."""
    rng = random.Random(2)
    compared = 0
    for _ in range(MATCHES):
        one = random_table(any_game, rng, undo=True)
        before = copy.deepcopy(one.table.match)
        for happened in one.moves(rng):
            after, earlier = one.table.match, before
            before = copy.deepcopy(after)
            assert after is not None and earlier is not None
            if rng.random() < 0.6 or not isinstance(happened.seat, int):
                continue
            seat = rng.choice(observers(one.table))
            mover, action = happened.seat, happened.action
            other = permuted(earlier, seat, rng)
            if action not in other.legal(mover):
                continue
            updates = []
            for match in (earlier.copy(), other):
                table = with_match(one.table, match)
                window = Window(table, seat)
                window.shown(table)
                told = Happened(match.carry_out(*match.check(mover, action)), mover, action)
                updates.append((match.hidden(seat).tobytes(), window.update(table, told, None)))
            (record, update), (other_record, other_update) = updates
            if record == other_record:
                compared += 1
                assert without_order(update) == without_order(other_update)
    assert compared > times(5, 0)


def test_secrets_of_the_shuffle_stay_until_the_end(any_game: Game) -> None:
    rng = random.Random(5)
    one = random_table(any_game, rng)
    table = one.table
    secret, key = table.match_secret(1), table.key.hex()
    for _ in one.moves(rng):
        for seat in observers(table):
            text = welcome(table, seat).decode()
            assert table.secret not in text
            assert table.commitment in text
            over = table.status == "over"
            assert (secret in text) == (key in text) == over
            assert table.match_secret(2) not in text


def test_tables_of_one_game_do_not_mix(any_game: Game) -> None:
    """All are told at the same places in memory: what was told there before must not show."""
    rng = random.Random(7)
    rooms = [random_table(any_game, rng) for _ in range(3)]
    walks = [room.moves(rng) for room in rooms]
    windows: list[dict[int | None, Window]] = [{}, {}, {}]
    views: list[dict[int | None, dict[str, Any]]] = [{}, {}, {}]
    for _ in range(times(150, 10)):
        number = rng.randrange(len(rooms))
        table, happened = rooms[number].table, next(walks[number], None)
        if happened is None:
            continue
        match = table.match
        assert match is not None
        for seat in observers(table):
            known = views[number].get(seat)
            window = windows[number].setdefault(seat, Window(table, seat))
            if known is None or happened.log is None:
                window.shown(table)
                known = match.view(seat)
            else:
                message = json.loads(window.update(table, happened, None))
                assert message["events"] == match.tell(rows_of(happened.log), seat)
                known = {**known, **message["changes"]}
            views[number][seat] = known
            assert known == match.view(seat)
