"""What a learner sees is all that a player knows, whoever sits where. (That it is no more is part
of the contract.)"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lastcard.core.game import Game
from lastcard.core.registry import game, games
from lastcard.engine import PLAIN
from tests.games.known import Known, known_of, meaning_of, turned
from tests.helpers import moments, play_on, random_match, shy_of

LADDER = Path(__file__).parents[2] / "examples" / "ladder"
# Not of the match's rules: chance, which nobody knows, and what fills the record. The number of
# players cannot be changed alone: `test_whoever_knows_...` compares them.
OTHERS = ("key", "block", "counter", "filling", "players", "over", "winners")


@pytest.fixture(params=[*games(), "ladder"], scope="module")
def any_game(request: pytest.FixtureRequest) -> Iterator[Game]:
    """Every registered game, and the example for games of other packages."""
    if request.param != "ladder":
        yield game(request.param)
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(LADDER)
        yield Game("ladder", "lastcard_ladder", PLAIN)


@pytest.fixture(scope="module")
def known(any_game: Game) -> Known:
    return known_of(any_game.id)


@pytest.fixture(scope="module")
def seen(any_game: Game) -> list[tuple[int, Any]]:
    """Hidden records of many matches, a few of each, each with its observer."""
    rng = random.Random(20)
    found = []
    for _ in range(120):
        match = random_match(any_game, rng)
        states = [match.state]
        for _ in play_on(match, rng, shy_of(rng, match)):
            states.append(match.state)
        for state in rng.sample(states[:-1], min(4, len(states) - 1)):
            array = np.frombuffer(state, any_game.rules.RECORD).copy()
            seat = rng.randrange(match.players)
            any_game.rules.hide(array[0], seat)
            found.append((seat, array))
    return found


def numbers(game: Game, array: Any, seat: int) -> bytes:
    out = np.zeros(len(game.rules.OBSERVED), np.float32)
    game.rules.observe(array[0], seat, out)
    return out.tobytes()


def test_whoever_sees_the_same_knows_the_same(
    any_game: Game, known: Known, seen: list[tuple[int, Any]]
) -> None:
    meanings: dict[bytes, dict[str, Any]] = {}
    for seat, hidden in seen:
        meaning = meaning_of(any_game, known, hidden, seat)
        assert meanings.setdefault(numbers(any_game, hidden, seat), meaning) == meaning
    assert len(meanings) > len(seen) / 2


def test_whatever_changes_for_a_player_changes_the_numbers(
    any_game: Game, known: Known, seen: list[tuple[int, Any]]
) -> None:
    """One thing at a time is made what it was for somebody in another match."""
    rng = random.Random(21)
    changed: set[str] = set()
    meant: set[str] = set()
    fields = [name for name in seen[0][1].dtype.names if name not in OTHERS]
    for seat, hidden in rng.sample(seen, 100):
        before = meaning_of(any_game, known, hidden, seat), numbers(any_game, hidden, seat)
        meant |= {name for name, value in before[0].items() if value is not None}
        others = [one for one in seen if one[1][0].players == hidden[0].players]
        for name in fields:
            donor, theirs = rng.choice(others)
            other = turned(theirs, known, seat - donor)
            for new in changes(known, hidden, other, name, rng):
                known.settle(new[0], hidden[0], name)
                if new[0].round_number > known.rounds(new[0]):
                    continue
                after = meaning_of(any_game, known, new, seat), numbers(any_game, new, seat)
                assert (before[0] == after[0]) == (before[1] == after[1]), name
                if before[0] != after[0]:
                    changed.add(name)
    assert meant & {*fields} <= changed  # nothing was left as it is


def changes(known: Known, hidden: Any, other: Any, name: str, rng: random.Random) -> Iterator[Any]:
    """Some places of a field, or rows of it, as in another record."""
    mine, theirs = hidden[name][0], other[name][0]
    if name in known.rare:
        values = [*known.rare[name]]
        theirs = np.vectorize(lambda _: rng.choice(values))(mine)
    differ = np.argwhere(mine != theirs)
    places = [tuple(int(i) for i in place) for place in differ]
    if name in known.rows:
        places = sorted({place[:1] for place in places})
    for place in rng.sample(places, min(3, len(places))):
        new = hidden.copy()
        new[name][(0, *place)] = theirs[place]
        yield new


def test_the_end_is_seen(any_game: Game, seen: list[tuple[int, Any]]) -> None:
    for seat, hidden in seen:
        ended = hidden.copy()
        ended[0].over = 1
        assert numbers(any_game, ended, seat) != numbers(any_game, hidden, seat)


def test_it_is_the_same_on_every_seat(any_game: Game, known: Known) -> None:
    for match, rng in moments(any_game, 100, seed=22):
        by = rng.randrange(1, match.players)
        array = np.frombuffer(match.state, any_game.rules.RECORD)
        for seat in range(match.players):
            moved, there = turned(array, known, by), (seat + by) % match.players
            any_game.rules.hide(moved[0], there)
            assert numbers(any_game, moved, there) == numbers(any_game, match.hidden(seat), seat)


def test_numbers_are_of_a_size(any_game: Game) -> None:
    """Between -1 and 1 with the usual options, but for the rare large hand or score."""
    rng = random.Random(23)
    largest = np.zeros(len(any_game.rules.OBSERVED))
    for players in range(any_game.fewest, any_game.most + 1):
        match = any_game.match(players, players)
        while not match.over and len(match.moves) < 2_000:
            actor = rng.choice(match.waiting)
            match.play(actor, rng.choice(match.legal(actor)))
            hidden = match.hidden(0)
            out = np.frombuffer(numbers(any_game, hidden, 0), np.float32)
            largest = np.maximum(largest, np.abs(out))
    assert largest.max() <= 3
    assert np.median(largest) <= 1
