"""Tables without a database: their journal is a list."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

import pytest

from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.table import entries
from lastcard.table.entries import STEP_STARTS, Entry, Filled, Moved, Pronoun
from lastcard.table.messages import Welcome, encode
from lastcard.table.refusals import Code, Refused
from lastcard.table.replay import PlayedMatch, is_over
from lastcard.table.setup import Setup
from lastcard.table.shown import shown
from lastcard.table.store import Line
from lastcard.table.table import Happened, Start, Table
from lastcard.table.window import Window
from tests.helpers import choose, random_options, shy_of, times

MATCHES = times(4, 1)
PRONOUNS: tuple[Pronoun | None, ...] = ("she", "he", None)


class Journalled:
    """A table and its journal."""

    def __init__(self, setup: Setup, secret: str = "5" * 64, id: str = "t" * 16) -> None:
        self.table = Table(id, setup, secret, 0.0)
        self.journal: list[Line] = []
        self.starts: list[Start] = []

    def write(self, entry: Entry) -> Happened:
        seq = self.table.seq + 1
        self.journal.append(Line(self.table.id, seq, float(seq), entries.encode(entry)))
        happened = self.table.fold(entry, float(seq))
        if len(self.starts) < self.table.number and self.table.start is not None:
            self.starts.append(self.table.start)
        return happened

    def played(self, number: int = 1) -> PlayedMatch:
        """A match of this table, to be played again."""
        over, start = is_over(self.table, number), self.starts[number - 1]
        last, end = self.table.seq, self.table.version + 1
        if number < self.table.number:
            following = self.starts[number]
            last, end = following.seq - 1, following.version
        lines = [one for one in self.journal[start.seq : last] if one.body.startswith(STEP_STARTS)]
        return PlayedMatch(self.table, start, lines, end - start.version, over)

    def join(self, name: str, seed: str | None = None, pronoun: Pronoun | None = None) -> str:
        """Seats somebody, and returns the token."""
        token = f"token of {name}"
        self.write(self.table.join(name, seed, token, pronoun))
        return token

    def moves(self, rng: random.Random) -> Iterator[Happened]:
        """Random moves to the end of the match."""
        match = self.table.match
        assert match is not None
        shy = shy_of(rng, match)
        while self.table.status == "playing":
            assert self.table.match is not None
            seat, action = choose(rng, self.table.match, shy)
            if isinstance(seat, int):
                yield self.write(self.table.move(seat, self.table.version, action, ""))
            else:
                yield self.write(Moved(seat, action, by="chance"))


def random_table(game: Game, rng: random.Random, **more: Any) -> Journalled:
    """A table with people at it, and a match that has begun."""
    players = rng.randint(game.fewest, game.most)
    options = random_options(rng, game, players)
    one = Journalled(
        Setup(game=game.id, players=players, options=options, **more),
        f"{rng.getrandbits(256):064x}",
    )
    for seat in range(rng.randint(1, players)):
        seed = f"seed {rng.random()}" if rng.random() < 0.5 else None
        one.join(f"Ann {seat}", seed, PRONOUNS[seat % 3])
    if one.table.free:
        one.write(Filled("normal"))
    return one


def observers(table: Table) -> list[int | None]:
    return [None, *range(len(table.chairs))]


def with_match(table: Table, match: Match) -> Table:
    """The same table with another match."""
    other = copy.copy(table)
    other.match = match
    other._last = None
    return other


def welcome(table: Table, seat: int | None) -> bytes:
    return encode(Welcome(seat, shown(table, {0}, 1, None), Window(table, seat).shown(table)))


def refuses(code: Code) -> Any:
    return pytest.raises(Refused, match=f"^{code}: ")


def two(**more: Any) -> Journalled:
    """Ann and Ben at a table for two."""
    one = Journalled(Setup(game="chiko", players=2, **more))
    one.join("Ann", "blue")
    one.join("Ben")
    return one


def finished(rng: random.Random, **more: Any) -> Journalled:
    one = two(options={"target": 1}, **more)
    for _ in one.moves(rng):
        pass
    return one


def legal(one: Journalled, seat: int) -> list[str]:
    assert one.table.match is not None
    return one.table.match.legal(seat)


def turn(one: Journalled) -> int:
    (seat,) = one.table.waiting
    assert isinstance(seat, int)
    return seat
