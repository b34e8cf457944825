"""Whole studies of few matches: pages that are whole, safe, the same twice, and tell the truth."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import lastcard
from lastcard.sim.plans import key_of
from lastcard.sim.study.gathering import Gathered, gather, played_of, steps
from lastcard.sim.study.questions import Design, design
from lastcard.sim.study.report import Report
from lastcard.sim.study.spread import bins_of
from lastcard.sim.study.writing import rows_folder, write_study

VOID = {"meta", "line", "circle", "polygon", "polyline", "rect"}
SECTIONS = (
    "glance",
    "opening",
    "length",
    "branching",
    "skill",
    "cards",
    "ties",
    "lead",
    "variants",
)
IDS = lastcard.games()


def small(id: str) -> Design:
    return design(id, "2-3", matches=6, strong_matches=3, strong="search:4", rulings=False)


class Outline(HTMLParser):
    """The elements of a page; fails if they are not nested as they should be."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.count: Counter[str] = Counter()
        self.attributes: list[tuple[str, str, str]] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.count[tag] += 1
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def values(self, tag: str, name: str) -> list[str]:
        return [value for one, key, value in self.attributes if (one, key) == (tag, name)]


def check_page(found: Gathered) -> None:
    """It is whole, and nothing comes from elsewhere."""
    text = Report(found).page()
    assert text == Report(found).page()
    outline = Outline(text)
    ids = outline.values("h2", "id")
    assert len(ids) == len(set(ids)) and {*SECTIONS, "events", "method"} <= {*ids}
    assert outline.values("a", "href") == [f"#{one}" for one in ids]
    assert not re.search(r"https?:|//|url\(|@import|<script|<link|<img|\bon\w+=", text)
    # Every plot has its words, and every section its numbers and its command.
    plots = outline.values("svg", "aria-label")
    assert len(plots) == outline.values("svg", "role").count("img") > 6 and all(plots)
    for section in text.split("<section")[1:]:
        if 'id="method"' not in section:
            assert "<table>" in section
            has_command = re.search("lastcard (simulate|study) ", section) is not None
            assert has_command == ('id="glance"' not in section)
    assert found.design.command in text.replace("&#x27;", "'")
    assert "nan" not in re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL).lower()
    assert len(text) < 300_000


def check_numbers(found: Gathered) -> None:
    """Winners are those of the game, and what is dealt is what matches deal."""
    rules = found.design.rules
    id = rules.id
    rows: Any = lastcard.simulate(id, 6, 3, bots="normal", rows="round")
    played = played_of(rules, 3, rows)
    matches: Any = lastcard.simulate(id, 6, 3, bots="normal", rows="match")
    assert [np.flatnonzero(won).tolist() for won in played.winners] == matches[
        "winners"
    ].to_pylist()
    usual = found.usual[3]
    assert usual.scores.tolist() == played.scores.tolist()
    special = found.design.questions.special
    hands = rules.match(3, key_of(1, 4)).position()
    zones = [hands[zone] for zone in found.design.questions.zones]
    for place, cards in enumerate(special.values()):
        for seat in range(3):
            count = sum(card in cards for zone in zones for card in zone[seat].split())
            assert found.dealt[3][4, seat, place] == count


@pytest.mark.parametrize("id", IDS)
def test_a_study_of_each_game(id: str) -> None:
    found = gather(small(id), workers=1)
    check_page(found)
    check_numbers(found)


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    told: list[str] = []
    for name in ("a", "b"):
        write_study(small("chiko"), tmp_path / f"{name}.html", 1, told.append)
    assert len(told) == 2 * steps(small("chiko"))
    one, other = (tmp_path / "a.html").read_bytes(), (tmp_path / "b.html").read_bytes()
    assert one == other
    files = sorted(file.name for file in rows_folder(tmp_path / "a.html").iterdir())
    assert len(files) == 2 * 4 + 1
    for file in files:
        made = [(rows_folder(tmp_path / f"{name}.html") / file).read_bytes() for name in "ab"]
        assert made[0] == made[1], file


def test_another_seed_gives_other_numbers_and_old_rows_go(tmp_path: Path) -> None:
    page = tmp_path / "study.html"
    mine = rows_folder(page) / "mine.txt"
    write_study(
        design("chiko", "2-3", matches=4, strong_matches=2, strong="search:4", rulings=False),
        page,
        1,
    )
    before = page.read_bytes()
    mine.write_text("keep")
    write_study(
        design("chiko", "2", matches=4, strong_matches=2, strong="search:4", seed=2, rulings=False),
        page,
        1,
    )
    assert page.read_bytes() != before
    assert not (rows_folder(page) / "rounds-3.parquet").exists() and mine.read_text() == "keep"
    assert [file.name for file in tmp_path.iterdir() if file.suffix == ".part"] == []


def test_a_study_that_is_stopped_leaves_the_one_before(tmp_path: Path) -> None:
    page = tmp_path / "study.html"
    asked = design("chiko", "2", matches=4, strong_matches=2, strong="search:4", rulings=False)
    write_study(asked, page, 1)
    before = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}

    def stop(what: str) -> None:
        if "decisions" in what:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_study(replace(asked, seed=2), page, 1, stop)
    assert before == {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}


def test_all_numbers_are_in_a_table(tmp_path: Path) -> None:
    page = tmp_path / "study.html"
    write_study(
        design("chiko", "3", matches=8, strong_matches=3, strong="search:4", rulings=False), page, 1
    )
    rows = pq.read_table(rows_folder(page) / "numbers.parquet").to_pylist()
    (row,) = [
        one for one in rows if one["measure"] == "rounds per match" and one["section"] == "length"
    ]
    rounds = pq.read_table(rows_folder(page) / "rounds-3.parquet").to_pylist()
    usual = [one for one in rounds if one["bots"] == "normal" and "target=50" in one["options"]]
    assert row["value"] == pytest.approx(len(usual) / 8)
    assert row["low"] < row["value"] < row["high"]
    assert row["command"].startswith("lastcard simulate chiko --players 3 --matches 8")
    assert {one["section"] for one in rows} >= {*SECTIONS} - {"glance"}


def test_bins_hold_everything() -> None:
    match = np.repeat(np.arange(10), 100)
    values = np.arange(1000) % 97
    bins = bins_of(match, values)
    assert len(bins) <= 30 and bins[0].start == 0 and bins[-1].end >= 96
    assert sum(one.share.value for one in bins) == pytest.approx(1)
    (only,) = bins_of(match, np.full(1000, 7))
    assert (only.start, only.end, only.share.value) == (7, 8, 1)
