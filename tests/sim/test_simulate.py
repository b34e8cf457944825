"""Simulated rows are what bots play in Python, and the same bytes whoever plays them."""

from __future__ import annotations

import json
import os
import platform
import shutil
import sys
from collections import Counter
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import lastcard
from lastcard.bots import play_out
from lastcard.core.events import rows_of
from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.core.registry import folder_of
from lastcard.engine.places import state_of
from lastcard.errors import BadFile, BadOption, LastCardError
from lastcard.kernel.chance import chacha8
from lastcard.sim import folders
from lastcard.sim.plans import Plan, key_of, new_bot, plan
from lastcard.sim.recorded import Recorder, asked_recording
from lastcard.sim.recording import SEATS, Out
from lastcard.sim.simulation import Progress
from lastcard.sim.tables import table_of
from tests.helpers import moments, permuted, times

MIXED = "policy,random"


class Told(Match):
    """A match that keeps what happened in it: seats, actions, and all events by round."""

    __slots__ = ("acted", "events", "points")

    def __init__(self, match: Match) -> None:
        super().__init__(match.game, match._array)
        self.acted: list[tuple[int, int]] = []
        self.events = [Counter[str]()]
        self.points: list[list[int]] = []

    def carry_out(self, seat: int, action: int) -> Any:
        before = self.round
        log = super().carry_out(seat, action)
        if seat < self.players:
            self.acted.append((seat, action))
        for kind, *_ in rows_of(log):
            name = self.game.events[kind].kind
            if name == "dealt":
                self.events.append(Counter())
            self.events[-1][name] += 1
        if self.over or self.round != before:
            self.points.append(self.scores)
        return log


def in_python(plan: Plan, number: int) -> Told:
    """A match of a plan, played by bots as everywhere else."""
    match = Told(plan.rules.match(plan.players, key_of(plan.seed, number), dict(plan.options)))
    bots = []
    for seat, name in enumerate(plan.bots):
        block = np.zeros(16, np.uint32)
        chacha8(match.record.key, seat // 8, 0, SEATS, block)
        state = int(block[2 * (seat % 8)]) | int(block[2 * (seat % 8) + 1]) << 32 | 1
        bots.append(new_bot(name, plan.rules, state, state))
    play_out(match, bots)
    return match


def variants(game: Game) -> dict[str, Any]:
    """Options with which seats also act out of turn."""
    wanted = {"out_of_turn": True, "blitz": True, "announce": "call"}
    return {one.name: wanted[one.name] for one in game.options if one.name in wanted}


@pytest.mark.parametrize("bots", ["policy", "random", "random,policy"])
def test_compiled_matches_are_those_that_bots_play_in_python(any_game: Game, bots: str) -> None:
    players = min(any_game.most, 4)
    given = (any_game.id, times(4, 1), players, variants(any_game), bots, 5)
    by_match, by_round, by_decision = (
        lastcard.simulate(*given, rows=rows).to_pylist() for rows in ("match", "round", "decision")
    )
    acted = silent = 0
    for row in by_match:
        told = in_python(plan(*given), row["match"])
        rounds = [one for one in by_round if one["match"] == row["match"]]
        decisions = [one for one in by_decision if one["match"] == row["match"]]
        taken = [(one["seat"], one["action"]) for one in decisions if one["action"] is not None]
        assert taken == told.acted
        assert row["decisions"] == len(taken) == sum(one["decisions"] for one in rounds)
        assert (row["scores"], row["winners"]) == (told.scores, told.winners)
        assert [one["scores"] for one in rounds] == told.points
        assert row["rounds"] == len(rounds) == told.round
        for one, events in zip(rounds, told.events, strict=True):
            for event in any_game.events:
                assert one[f"event_{event.kind}"] == events[event.kind], event.kind
        acted += len(taken)
        silent += len(decisions) - len(taken)
        for one in decisions:
            share = (one["seat"] in told.winners) / len(told.winners)
            assert one["share"] == pytest.approx(share)
            assert one["score"] == told.scores[one["seat"]]
            assert one["points"] == rounds[one["round"] - 1]["points"][one["seat"]]
    assert acted > 0
    assert silent > 0 or "policy" in bots or not variants(any_game)


class Asked(Plan):
    """A plan whose bots are asked in Python, even those that also run compiled."""

    compiled = False


@pytest.mark.parametrize("rows", ["match", "round", "decision"])
def test_bots_in_python_write_the_same_rows(rows: str) -> None:
    found = plan("chiko", 3, 3, bots=MIXED, rows=rows, seed=9)
    asked = Asked(**{one.name: getattr(found, one.name) for one in fields(found)})
    assert table_of(asked, Recorder(asked), 0) == table_of(found, Recorder(found), 0)


def test_decisions_do_not_change_with_cards_that_cannot_be_seen(any_game: Game) -> None:
    """What is written about a decision, in a match and in one that looks the same to the seat."""
    recording = asked_recording(any_game)
    different = 0
    for match, rng in moments(any_game, times(100, 20), seed=3):
        for seat in range(match.players):
            if not match.legal_ids(seat):
                continue
            other = permuted(match, seat, rng)
            different += other.state != match.state
            assert written(recording, match, seat) == written(recording, other, seat)
    assert different > times(50, 8)


def written(recording: Any, match: Match, seat: int) -> list[bytes]:
    """All that a decision of a seat leaves in rows, with observations and hidden records."""
    found = plan(match.game.id, 1, match.players, match.options, rows="decision")
    work = Recorder(found).work
    rules = match.game.rules
    out = Out(
        matches=np.zeros((1, 3), np.int64),
        rounds=np.zeros((1, 3 + match.players + len(match.game.events)), np.int32),
        decisions=np.zeros((1, 4), np.int16),
        actions=np.zeros(rules.MOST_LEGAL, np.int16),
        observations=np.zeros((1, len(rules.OBSERVED)), np.float32),
        hidden=np.zeros(1, rules.RECORD),
    )
    work.records[0] = match.record
    work.marks[0] = 1
    work.limits[:] = 1, 1, rules.MOST_LEGAL
    n = int(rules.legal(work.records[0], seat, work.legal))
    assert recording._write(seat, int(work.legal[0]), n, work, out)
    assert out.observations.any() and out.hidden.tobytes() == match.hidden(seat).tobytes()
    return [array.tobytes() for array in out]


# --- The same bytes -------------------------------------------------------------------------------


def bytes_in(folder: Path) -> dict[str, bytes]:
    files = (file for file in sorted(folder.rglob("*")) if file.is_file())
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


@pytest.mark.parametrize(
    ("rows", "bots", "hidden"),
    [
        ("match", MIXED, False),
        ("round", "random", False),
        ("decision", MIXED, False),
        ("decision", "random", True),
        ("match", "search:20,easy", False),
    ],
)
def test_the_number_of_workers_changes_no_byte(
    tmp_path: Path, rows: str, bots: str, hidden: bool
) -> None:
    given: dict[str, Any] = {
        "players": 3,
        "bots": bots,
        "seed": 11,
        "rows": rows,
        "hidden": hidden,
        "part": 4,
    }
    for workers in (1, 2):
        folder = tmp_path / str(workers)
        path = lastcard.simulate("chiko", 22, **given, workers=workers, out=folder)
        assert path == folder / "game=chiko" / "players=3"
    one, two = bytes_in(tmp_path / "1"), bytes_in(tmp_path / "2")
    assert one == two
    assert len(one) == 6 + 2  # parts, the plan and the card
    whole = pq.read_table(tmp_path / "1", partitioning=None)
    assert whole == lastcard.simulate("chiko", 22, **given, workers=2)
    assert len(set(whole["match"].to_pylist())) == 22


def test_every_file_says_how_to_make_it_again(tmp_path: Path) -> None:
    options = {"target": 30}
    path = lastcard.simulate("chiko", 8, 4, options, MIXED, 7, part=4, out=tmp_path)
    plans = {pq.read_schema(file).metadata[b"lastcard"] for file in path.glob("*.parquet")}
    (facts,) = map(json.loads, plans)
    assert facts["version"] == lastcard.__version__ and facts["options"]["target"] == 30
    assert facts["sources"] == state_of(folder_of("chiko"))
    del facts["version"], facts["hidden"], facts["sources"]
    again = lastcard.simulate(facts.pop("game"), **facts)
    assert again == pq.read_table(path, partitioning=None)
    card = (path / "_card.md").read_text()
    assert "--bots normal,random,random,random --seed 7" in card and "target=30" in card
    for column in again.column_names:
        assert f"| `{column}` |" in card or column.startswith("event_")


def test_files_say_which_matches_they_hold_and_cards_how_many_a_limit_has_ended(
    tmp_path: Path,
) -> None:
    """Random players of Chiko seldom get as far as 30,000 points in 100 rounds."""
    path = lastcard.simulate("chiko", 7, 2, {"target": 30_000}, part=4, out=tmp_path)
    parts = [
        json.loads(pq.read_schema(file).metadata[b"lastcard-part"])
        for file in sorted(path.glob("*.parquet"))
    ]
    assert parts == [
        {"first": 0, "last": 3, "capped": 4},
        {"first": 4, "last": 6, "capped": 3},
    ]
    rows = pq.read_table(path, partitioning=None)
    assert set(rows["rounds"].to_pylist()) == {100}
    assert "ended by the limit of rounds: 7" in (path / "_card.md").read_text()
    usual = lastcard.simulate("chiko", 7, 3, part=4, out=tmp_path)
    assert "ended by the limit of rounds: 0" in (usual / "_card.md").read_text()
    taki = lastcard.simulate("taki", 2, 2, out=tmp_path)
    assert "limit of rounds" not in (taki / "_card.md").read_text()


def test_budgets_by_the_clock_are_named_in_the_card() -> None:
    from lastcard.sim.cards import card_of

    card = card_of(plan("chiko", 2, bots="search:5ms,search:100"), 0, 0)
    assert "not what `search:5ms` will choose" in card and "0 are here" in card


def test_seeds_and_numbers_lead_to_different_deals() -> None:
    keys = {key_of(seed, number) for seed in range(20) for number in range(20)}
    assert len(keys) == 400
    tables = [lastcard.simulate("chiko", 50, seed=seed) for seed in (1, 2)]
    assert tables[0] != tables[1]


def test_a_match_that_does_not_fit_is_given_more_room(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {"bots": "policy", "rows": "decision"}
    wide = lastcard.simulate("chiko", 20, **given)
    for name in ("ROUNDS_EACH", "DECISIONS_EACH", "ACTIONS_EACH"):
        monkeypatch.setattr(f"lastcard.sim.recorded.{name}", 1)
    assert lastcard.simulate("chiko", 20, **given) == wide


# --- Stopping and going on ------------------------------------------------------------------------

DEAD = 1 << 22  # no process has such a number: it is the most that Linux gives
SMALL: dict[str, Any] = {"players": 3, "seed": 2, "part": 4}


def stop_after(parts: int) -> Any:
    def stop(progress: Progress) -> None:
        if progress.done >= 4 * parts:
            raise KeyboardInterrupt

    return stop


def test_what_is_whole_is_kept_and_the_rest_added(tmp_path: Path) -> None:
    stopped, whole = tmp_path / "stopped", tmp_path / "whole"
    with pytest.raises(KeyboardInterrupt):
        lastcard.simulate("chiko", 30, **SMALL, out=stopped, progress=stop_after(2))
    path = stopped / "game=chiko" / "players=3"
    before = {file.name: file.stat().st_mtime_ns for file in path.glob("*.parquet")}
    assert len(before) == 2 and "8 are here; `--resume`" in (path / "_card.md").read_text()
    killed, others = (path / f"_unfinished.{one}.{platform.node()}" for one in (DEAD, os.getppid()))
    killed.write_bytes(b"of a process that was killed")
    others.write_bytes(b"of one that is at work")
    with pytest.raises(BadFile, match=r"already holds 2 of 8 parts .* --resume"):
        lastcard.simulate("chiko", 30, **SMALL, out=stopped)
    with pytest.raises(BadFile, match=r"another plan \(seed 2\)"):
        lastcard.simulate("chiko", 30, **{**SMALL, "seed": 3}, out=stopped, resume=True)
    told: list[Progress] = []
    lastcard.simulate("chiko", 30, **SMALL, out=stopped, resume=True, progress=told.append)
    assert told[0].done in (10, 12) and told[-1] == Progress(30, 30)
    assert not killed.exists() and others.read_bytes() == b"of one that is at work"
    others.unlink()
    lastcard.simulate("chiko", 30, **SMALL, out=whole)
    assert bytes_in(stopped) == bytes_in(whole)
    assert all((path / name).stat().st_mtime_ns == at for name, at in before.items())


def test_two_numbers_of_players_share_a_folder(tmp_path: Path) -> None:
    for players in (2, 3):
        lastcard.simulate("chiko", 5, players, out=tmp_path)
    rows = pq.read_table(tmp_path, columns=["match", "players"])
    assert Counter(rows["players"].to_pylist()) == {2: 5, 3: 5}


def test_a_folder_that_cannot_be_written_is_said_before_anything_is_played(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadFile, match=r"cannot be written: Not a directory"):
        lastcard.simulate("chiko", 10**12, out=tmp_path / "file" / "folder")


def test_a_disk_that_will_be_too_small_is_said_after_the_first_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(tmp_path)._replace(free=folders.SPARE + 20_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    with pytest.raises(BadFile, match=r"needs about .* KB, and 1.07 MB are free. 1 of 10 parts"):
        lastcard.simulate("chiko", 40, **SMALL, out=tmp_path, workers=1)
    monkeypatch.undo()
    lastcard.simulate("chiko", 40, **SMALL, out=tmp_path, resume=True)
    assert pq.read_table(tmp_path).num_rows == 40


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full disk")
def test_a_full_disk_costs_no_part(tmp_path: Path) -> None:
    path = tmp_path / "game=chiko" / "players=3"

    def fill(progress: Progress) -> None:
        (path / f"_unfinished.{os.getpid()}.{platform.node()}").symlink_to("/dev/full")

    with pytest.raises(BadFile, match="the disk is full"):
        lastcard.simulate("chiko", 40, **SMALL, out=tmp_path, workers=1, progress=fill)
    assert len(list(path.glob("*.parquet"))) == 1
    lastcard.simulate("chiko", 40, **SMALL, out=tmp_path, resume=True)
    assert pq.read_table(tmp_path).num_rows == 40


def test_a_folder_that_goes_away_is_named(tmp_path: Path) -> None:
    def remove(progress: Progress) -> None:
        shutil.rmtree(tmp_path / "game=chiko")

    with pytest.raises(BadFile, match=r"players=3.* cannot be (written|read): No such file"):
        lastcard.simulate("chiko", 40, **SMALL, out=tmp_path, workers=1, progress=remove)


# --- What people get wrong ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"rows": "turn"}, "rows: are match, round or decision, not 'turn'."),
        ({"on": "gpu"}, "on: is cpu, ray or cuda, not 'gpu'."),
        ({"bots": "clever"}, "there is no bot 'clever'"),
        ({"bots": ["normal", "normal", "easy"], "players": 2}, "3 named, but there are 2 seats"),
        ({"bots": 3}, "bots: are names"),
        ({"bots": " "}, "bots: which ones"),
        ({"players": 9}, "Chiko is for 2 to 5"),
        ({"matches": 0}, "matches: must be a whole number from 1 on, not 0."),
        ({"seed": -1}, "seed: must be"),
        ({"workers": 0}, "workers: must be"),
        ({"part": 1.5}, "part: must be"),
        ({"hidden": True}, "hidden: records belong to decisions"),
        ({"options": {"goal": 3}}, "options: 'goal' is none of"),
        ({"options": 3}, "options: must be a mapping"),
        ({"resume": True}, "resume: goes on in a folder"),
    ],
)
def test_sentences(given: dict[str, Any], says: str) -> None:
    with pytest.raises(LastCardError, match=says.replace("(", r"\(")):
        lastcard.simulate("chiko", **{"matches": 3, **given})


def test_without_arrow_people_are_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(BadOption, match=r"pip install 'lastcard\[sim\]'"):
        lastcard.simulate("chiko", 1)
