"""Pictures show what the terminal shows."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np

from lastcard.core.game import Game
from lastcard.envs.drawing import FELT, ROWS, pixels_of, svg_of, text_of
from tests.helpers import moments, times

SVG = "{http://www.w3.org/2000/svg}"
ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def test_a_picture_has_every_word(any_game: Game) -> None:
    """In its place, and none is beyond the edge."""
    for match, rng in moments(any_game, times(60, 4), seed=41):
        viewer = rng.choice([None, *range(match.players)])
        names = [f"<Seat & {seat}>" for seat in range(match.players)]
        what = any_game, match.view(viewer), names
        text = ESCAPES.sub("", text_of(*what))
        assert len(text.splitlines()) <= ROWS
        picture = ElementTree.fromstring(svg_of(*what))
        left, top, right, bottom = map(int, picture.attrib["viewBox"].split())
        rows: dict[int, list[tuple[int, str]]] = {}
        for one in picture.iter(f"{SVG}text"):
            x, y = int(one.attrib["x"]), int(one.attrib["y"])
            assert left < x and x + int(one.attrib["textLength"]) < right and top < y < bottom
            rows.setdefault(y, []).append((x, one.text or ""))
        drawn = ["".join(word for _, word in sorted(rows[y])) for y in sorted(rows)]
        shown = [line.split() for line in text.splitlines() if line.strip()]
        assert ["".join(words) for words in shown] == ["".join(line.split()) for line in drawn]


def test_pixels_show_the_cards(any_game: Game) -> None:
    felt = tuple(bytes.fromhex(FELT[1:]))
    sizes = set()
    for match, _ in moments(any_game, times(3, 1), seed=42):
        names = [f"Seat {seat}" for seat in range(match.players)]
        pixels = pixels_of(any_game, match.view(0), names)
        sizes.add(pixels.shape)
        assert pixels.dtype == np.uint8
        assert tuple(pixels[0, 0]) == tuple(pixels[-1, -1]) == felt
        other = pixels_of(any_game, any_game.match(match.players, 1).view(0), names)
        assert not np.array_equal(pixels, other)
    assert len(sizes) == 1
