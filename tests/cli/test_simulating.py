"""`lastcard simulate`: rows in a folder, stopped by Ctrl-C and resumed."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pexpect
import pyarrow.parquet as pq
import pytest

from lastcard.cli import simulating
from lastcard.sim.simulation import Progress
from tests.cli.runner import Runner, heed_interrupts

SOME = "simulate chiko --matches 60 --players 3 --part 2 --workers 2"
# Goes on after some matches only if the file beside it is gone.
BOT = """
import pathlib, time
closed = pathlib.Path(__file__).with_name("closed")
class First:
    made = 0
    def __init__(self):
        First.made += 1
    def choose(self, view, legal):
        while First.made > 10 and closed.exists():
            time.sleep(0.01)
        return legal[0]
"""


def test_rows_in_a_folder(run: Runner, tmp_path: Path) -> None:
    words = "simulate taki --matches 30 --players 3 --seed 11 --workers 2 --option rounds=2"
    done = run(*words.split(), "--out", str(tmp_path))
    path = tmp_path / "game=taki" / "players=3"
    assert done.code == 0 and done.out == f"30 matches: {path}\n"
    rows = pq.read_table(tmp_path)
    assert rows.num_rows == 30 and set(rows["rounds"].to_pylist()) == {2}
    card = (path / "_card.md").read_text()
    again = card.partition("```\n")[2].partition("\n```")[0].split()
    done = run(*again[1:-1], str(tmp_path / "again"))
    files = [file.relative_to(tmp_path) for file in path.iterdir()]
    assert len(files) == 3
    for file in files:
        assert (tmp_path / "again" / file).read_bytes() == (tmp_path / file).read_bytes()


def test_without_a_folder_seats_are_summed_up(run: Runner) -> None:
    done = run("simulate", "chiko", "--matches", "200", "--bots", "policy,random")
    assert "normal" in done.out and "share of wins" in done.out and "200 matches" in done.out
    done = run("simulate", "chiko", "--rows", "decision")
    assert done.code == 2 and "--out FOLDER" in done.err


def test_interrupted_and_resumed(run: Runner, tmp_path: Path) -> None:
    folder, whole, closed = tmp_path / "folder", tmp_path / "whole", tmp_path / "closed"
    (tmp_path / "bot.py").write_text(BOT)
    closed.touch()
    words = [*SOME.split(), "--bots", f"{tmp_path / 'bot.py'}:First,random"]
    child = pexpect.spawn(
        sys.executable,
        ["-m", "lastcard.cli", *words, "--out", str(folder)],
        env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
        preexec_fn=heed_interrupts,
    )
    child.expect(r"[1-9]\d* of 60 matches", timeout=120)
    child.sendintr()
    child.expect(r"Stopped after [1-9]\d* of 60 matches; --resume goes on", timeout=60)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130
    before = len(list(folder.rglob("*.parquet")))
    assert 0 < before < 30
    closed.unlink()
    done = run(*words, "--out", str(folder), "--resume")
    assert done.code == 0
    run(*words, "--out", str(whole))
    names = sorted(file.relative_to(whole) for file in whole.rglob("*") if file.is_file())
    assert names == sorted(file.relative_to(folder) for file in folder.rglob("*") if file.is_file())
    for name in names:
        assert (folder / name).read_bytes() == (whole / name).read_bytes()


def test_without_a_terminal_lines_say_how_far_it_is(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulating, "EVERY", 0)
    words = ["simulate", "chiko", "--matches", "6", "--part", "2", "--workers", "1"]
    done = run(*words, "--out", str(tmp_path))
    told = [line.partition(" after ")[0] for line in done.err.splitlines()]
    assert told == ["2 of 6 matches", "4 of 6 matches", "6 of 6 matches"]


def test_ctrl_c_without_a_folder_tells_how_far_it_came(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(shown: simulating.Shown, progress: Progress) -> None:
        if progress.done >= 4:
            raise KeyboardInterrupt

    monkeypatch.setattr(simulating.Shown, "__call__", stop)
    done = run(*["simulate", "chiko", "--matches", "8", "--part", "2", "--workers", "1"])
    assert done.code == simulating.STOPPED
    assert "Stopped after 4 of 8 matches." in done.out and "4 matches of" in done.out
