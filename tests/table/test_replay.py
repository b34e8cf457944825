"""Replays: what they show, and to whom."""

from __future__ import annotations

import random
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from lastcard.core import files
from lastcard.core.events import rows_of
from lastcard.core.game import Game
from lastcard.table import replay
from lastcard.table.messages import encode
from lastcard.table.refusals import Code
from lastcard.table.table import Happened
from lastcard.table.window import Window
from tests.table.tables import MATCHES, finished, observers, random_table, refuses, two


def test_whoever_looks_back_leaves_time_for_those_who_play(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now, rests = 0.0, []

    def work() -> Iterator[int]:
        nonlocal now
        for one in range(6):
            now += 0.4 * replay.AT_A_TIME
            yield one

    def rest(seconds: float) -> None:
        rests.append((done[-1], seconds))

    clock = SimpleNamespace(perf_counter=lambda: now, sleep=rest)
    monkeypatch.setattr(replay, "time", clock)
    done: list[int] = []
    for one in replay.gently(work()):
        done.append(one)
    assert done == list(range(6))
    assert rests == [(2, replay.REST), (5, replay.REST)]


def test_steps_of_a_running_match_are_what_was_seen_then(any_game: Game) -> None:
    rng = random.Random(4)
    for _ in range(MATCHES):
        one = random_table(any_game, rng)
        seats = observers(one.table)
        windows = {seat: Window(one.table, seat) for seat in seats}
        seen: dict[int | None, list[tuple[Any, Any]]] = {seat: [] for seat in seats}

        def look(happened: Happened | None) -> None:
            match = one.table.match  # noqa: B023
            assert match is not None
            for seat in seats:  # noqa: B023
                told = match.tell(rows_of(happened.log), seat) if happened else []
                window = windows[seat].shown(one.table)  # noqa: B023
                assert window is not None
                seen[seat].append((told, msgspec.json.decode(window.view)))  # noqa: B023

        look(None)
        for happened in one.moves(rng):
            look(happened)
            if len(one.journal) in (30, 60) or one.table.status == "over":
                for seat in seats:
                    found = replay.steps(one.played(), seat, False, 0, 10_000)
                    assert found.of == len(seen[seat])
                    steps = msgspec.json.decode(encode(found.steps))
                    shown_then = [{"events": told, "view": view} for told, view in seen[seat]]
                    for step, then in zip(steps, shown_then[: replay.MOST_STEPS], strict=True):
                        assert {key: step[key] for key in then} == then


def test_the_file_of_a_match(any_game: Game, tmp_path: Any) -> None:
    rng = random.Random(7)
    one = random_table(any_game, rng, undo=True)
    with refuses(Code.NOT_NOW):
        replay.match_file(one.played())
    with refuses(Code.NOT_FOUND):
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
    with refuses(Code.NOT_NOW):
        replay.match_file(one.played(2))


def test_open_cards_only_when_the_match_is_over() -> None:
    one = two()
    with refuses(Code.NOT_NOW):
        replay.steps(one.played(), None, True, 0, 10)
    one = finished(random.Random(3))
    found = replay.steps(one.played(), None, True, 0, 10)
    assert all(hand["cards"] for hand in msgspec.json.decode(found.steps[0].view)["hands"])
    assert len(found.steps) == min(10, found.of)
    later = replay.steps(one.played(), None, True, 2, 1)
    assert later.steps == found.steps[2:3]
