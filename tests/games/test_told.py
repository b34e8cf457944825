"""Every byte that seats are sent: of matches with fixed seeds it must stay the same.

To write the digests again after a change that is meant:
pytest tests/games/test_told.py --write-playthroughs
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator

import msgspec
import pytest

from lastcard.core.events import log_of, told_of
from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.core.scratch import LOG_ROWS
from lastcard.core.views import Watch, shown
from lastcard.kernel.telling import CAPACITY
from tests.games.plans import FOLDER
from tests.helpers import combinations_of_flags, moments, times

MOVES = 12  # of each match; so that plain Python takes seconds
MATCHES = 6


def played(match: Match, rng: random.Random) -> Iterator[list[list[int]]]:
    """The start, and what happens in random moves."""
    yield []
    for _ in range(MOVES):
        if match.over:
            return
        seat = rng.choice(match.waiting)
        yield match.play(seat, rng.choice(match.legal(seat)))


def all_told(game: Game) -> Iterator[bytes]:
    """What every seat and a spectator are sent, in matches with many options."""
    rng = random.Random(f"told {game.id}")
    for number in range(MATCHES):
        players = game.fewest + number % (game.most - game.fewest + 1)
        flags = rng.choice(combinations_of_flags(game, players))
        match = game.match(players, rng.getrandbits(200), flags)
        seats = [None, *range(players)]
        watches = {seat: Watch(game, seat) for seat in seats}
        for events in played(match, rng):
            for seat in seats:
                yield watches[seat].look(match.hidden(seat))
                yield shown(game, match.hidden(seat)[0], seat)
                yield shown(game, match.record, seat)
                yield told_of(game, log_of(events), seat)
                yield told_of(game, log_of(events), seat, all_open=True)
            yield msgspec.json.encode(match.position())


def test_what_is_told_stays_the_same(any_game: Game, request: pytest.FixtureRequest) -> None:
    path = FOLDER / any_game.id / "told.txt"
    digest = hashlib.sha256(b"\n".join(all_told(any_game))).hexdigest()
    if request.config.getoption("--write-playthroughs"):
        path.write_text(f"{digest}\n")
    assert digest == path.read_text().strip()


def test_there_is_room_for_much_more(any_game: Game) -> None:
    """The longest texts are far from what a text can hold: views with all cards open, and as many
    events as there are rows in a log."""
    views = [
        shown(any_game, match.record, seat)
        for match, _ in moments(any_game, times(100, 5), seed=8)
        for seat in range(match.players)
    ]
    assert max(map(len, views)) < CAPACITY / 4
    longest = max(
        len(told_of(any_game, log_of([row] * (LOG_ROWS - 1)), None, all_open=True))
        for row in longest_events(any_game)
    )
    assert longest < CAPACITY


def longest_events(game: Game) -> Iterator[list[int]]:
    """Of every kind one with its longest names."""
    for kind, event in enumerate(game.events):
        values = [
            -(1 << 15) if names is None else max(range(len(names)), key=lambda n: len(names[n]))
            for names in event.values.values()
        ]
        yield [kind, 14, 0, *values, *[0] * (3 - len(values))]
