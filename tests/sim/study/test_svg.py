"""Plots: where things are drawn, and that they are XML that nothing slips into."""

from __future__ import annotations

import math
from xml.etree import ElementTree

import pytest

from lastcard.sim.study.estimates import Estimate
from lastcard.sim.study.page import SHARE, SHARE_OVER, Section, Table, Unit
from lastcard.sim.study.svg import Bin, Line, Row, Scale, dots, histogram, lines, mark


def parsed(drawn: str) -> ElementTree.Element:
    return ElementTree.fromstring(drawn)


def test_ticks_are_round_numbers() -> None:
    assert Scale(0, 100, 0, 1).ticks(5) == [0, 20, 40, 60, 80, 100]
    assert Scale(-3.1, 8, 0, 1).ticks(6) == [-2, 0, 2, 4, 6, 8]
    assert Scale(0, 1.7, 0, 1).ticks(4) == [0, 0.5, 1, 1.5]
    assert Scale(4, 4, 0, 1).ticks(5) == [4]


def test_dots_lie_on_their_intervals() -> None:
    rows = [Row("<a & b>", Estimate(1, 0, 4)), Row("none", Estimate(2, None, None), 1)]
    root = parsed(dots([*rows, Row("x", Estimate(math.nan, None, None))], "points", "Says", 0.0))
    assert root.get("role") == "img" and root.get("aria-label") == "Says"
    (bar,) = [one for one in root if (one.get("class") or "").startswith("bar")]
    circle = root.find("circle")
    assert circle is not None
    low, high, at = (float(one or 0) for one in (bar.get("x1"), bar.get("x2"), circle.get("cx")))
    assert (at - low) / (high - low) == pytest.approx(1 / 4, abs=0.01)
    assert [one.text for one in root if one.get("class") == "label"] == ["<a & b>", "none"]
    assert len(root.findall("polygon")) == 1  # another series, another shape
    assert dots([], "points", "Says") == ""


def test_lines_with_bands() -> None:
    series = [Line("a", [Estimate(1, 0, 2), Estimate(3, 2, 4)])]
    root = parsed(lines((2, 3), series, "players", "wins", "Says"))
    (band,) = [one for one in root if one.get("class") == "band s0"]
    assert len((band.get("points") or "").split()) == 4
    single = parsed(lines((3,), [Line("a", [Estimate(1, 0, 2)])], "players", "wins", "Says"))
    assert [one for one in single if one.get("class") == "bar s0"]


def test_bars_of_a_histogram() -> None:
    bins = [Bin(n, n + 1, Estimate(share, None, None)) for n, share in enumerate((0.25, 0.75))]
    bars = parsed(histogram(bins, "cards", "Says")).findall("rect")
    heights = [float(bar.get("height") or 0) for bar in bars]
    assert heights[1] == pytest.approx(3 * heights[0], abs=0.2)


def test_every_series_has_its_own_sign() -> None:
    assert len({mark(series).replace(f"s{series}", "") for series in range(5)}) == 5


def test_numbers_in_words() -> None:
    assert SHARE.text(Estimate(0.1234, 0.1, 0.15)) == "12.3\N{NO-BREAK SPACE}% (10.0 to 15.0)"
    assert SHARE_OVER.text(
        Estimate(-0.05, -0.1, 0.001)
    ) == "-5.0\N{NO-BREAK SPACE}% (-10.0 to +0.1)".replace("-", "\N{MINUS SIGN}")
    assert Unit(2).text(Estimate(1234.5, None, None)) == "1,234.50"
    assert Unit(1).number(-0.01) == "0.0"
    assert Unit(1).text(Estimate(math.nan, None, None)) == "\N{EN DASH}"


def test_what_people_call_things_is_text() -> None:
    section = Section("a", "<b>")
    section.say("1 < 2 & 3")
    section.details([Table("<c>", ["d"], [["e"]])], ["lastcard study '<x>'"])
    html = section.html()
    assert "1 &lt; 2 &amp; 3" in html and "&lt;b&gt;" in html and "&lt;x&gt;" in html
    assert "<b>" not in html and "<c>" not in html and "<x>" not in html
