"""Databases of every earlier version, with tables at which people play, are opened and played on.

Journals are made by the tables of today and put into the schema of then. That is what the earlier
version wrote: entries have only ever got more kinds, and more keys, which are not written where
they have their defaults. So what the first version did not know is not used here: pronouns, seeds
chosen later, options that were not chosen; nor starts, where the schema has none. And bots have a
level that is not offered any more. What this cannot show is a match under rules that have changed.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec
import pytest

from lastcard.bots import LEVELS
from lastcard.table import entries, schema
from lastcard.table.entries import Agreed, Filled, Left, Moved, Resumed, Undone
from lastcard.table.setup import Setup
from lastcard.table.shown import listing_of
from lastcard.table.table import Table
from tests.table.earlier import ALEMBIC, insert, made_by_alembic, run
from tests.table.rooms import Friend, Room, room
from tests.table.tables import Journalled

OLD_LEVEL = "learned"
MOVES = 6  # that are made before, and after
SHORT = {"target": 1}  # a match is one round


@dataclass
class Kept:
    """A table as it was left."""

    one: Journalled
    setup: Setup  # as it was written
    tokens: list[str] = field(default_factory=list)

    @property
    def table(self) -> Table:
        return self.one.table


def kept(id: str, people: int, setup: Setup) -> Kept:
    made = Kept(Journalled(setup, f"{len(id):02x}" * 32, id.ljust(16, "_")), setup)
    for name in ("Ann", "Ben", "Cid")[:people]:
        made.tokens.append(made.one.join(name, f"seed of {name}"))
    return made


def moved(made: Kept, most: int = MOVES) -> None:
    for _, _ in zip(range(most), made.one.moves(random.Random(made.table.id)), strict=False):
        pass


def played_to_its_end(made: Kept) -> None:
    for _ in made.one.moves(random.Random(made.table.id)):
        pass
    assert made.table.status == "over"


def playing() -> Kept:
    made = kept("playing", 2, Setup(game="taki", players=2, clock=600, public=True))
    moved(made)
    return made


def after_an_undo() -> Kept:
    made = kept("undone", 2, Setup(game="chiko", players=2, undo=True))
    while True:
        seat, table = made.table.waiting[0], made.table
        assert isinstance(seat, int) and table.match is not None
        made.one.write(Moved(seat, table.match.legal(seat)[0], id="id"))
        if table.may_undo(seat):
            made.one.write(Undone(seat))
            return made


def paused(id: str = "paused") -> Kept:
    made = kept(id, 3, Setup(game="sixth_sense", players=3))
    moved(made)
    for seat, all in ((2, False), (0, False), (1, True)):
        made.one.write(Agreed(seat, all))
    return made


def resumed() -> Kept:
    made = paused("resumed")
    made.one.write(Resumed(1))
    return made


def over() -> Kept:
    made = kept("over", 2, Setup(game="chiko", players=2, options=SHORT))
    played_to_its_end(made)
    return made


def in_the_second_match() -> Kept:
    made = kept("again", 2, Setup(game="chiko", players=2, options=SHORT))
    played_to_its_end(made)
    made.one.write(Agreed(0, False))
    made.one.write(Agreed(1, True, "another seed"))
    moved(made, 1)
    assert made.table.number == 2 and made.table.status == "playing"
    return made


def with_old_bots() -> Kept:
    setup = Setup(game="chiko", players=3, bots=[OLD_LEVEL])
    made = kept("bots", 1, setup)
    made.one.write(Filled(OLD_LEVEL))
    return made


def left() -> Kept:
    made = kept("left", 2, Setup(game="eight_half", players=2))
    moved(made)
    made.one.write(Left(1))
    del made.tokens[1]  # and does not come back
    return made


def waiting_for_a_friend() -> Kept:
    return kept("open", 1, Setup(game="chichiko", players=2, public=True))


MAKERS: tuple[Callable[[], Kept], ...] = (
    playing,
    after_an_undo,
    paused,
    resumed,
    over,
    in_the_second_match,
    with_old_bots,
    left,
    waiting_for_a_friend,
)


def write(database: str, version: str, tables: list[Kept]) -> None:
    """As the version of then would have left them."""
    made_by_alembic(database, version)
    rows = []
    for made in tables:
        listing = listing_of(made.table)
        setup = msgspec.json.encode(made.setup).decode()
        id, secret = made.table.id, made.table.secret
        rows.append((id, 12.5, setup, secret, listing.listed, listing.summary.decode()))
    insert(database, "tables", rows)
    insert(database, "entries", [line for made in tables for line in made.one.journal])
    if version >= "0002":
        starts = [
            (made.table.id, start.number, msgspec.json.encode(start))
            for made in tables
            for start in made.one.starts
        ]
        insert(database, "starts", starts)


def state(table: Table) -> object:
    """Everything but times, of which those in the journal may be later than now."""
    match = None if table.match is None else table.match.state
    counts = table.seq, table.version, table.base, table.number, table.non_moves
    chairs = [msgspec.to_builtins(chair.copy()) for chair in table.chairs]
    return match, counts, table.status, table.waiting, chairs, table.dealt_seeds, table._recent


async def come_in(one: Room, made: Kept) -> list[Friend]:
    one.hosted = await one.house.shelf.find(made.table.id)
    assert state(one.hosted.table) == state(made.table)
    return [await one.enter(token) for token in made.tokens]


async def play_on(one: Room, friends: list[Friend]) -> None:
    """Until people have made some moves, or the match is over."""
    for _ in range(MOVES):
        await one.until(
            lambda: (
                friends[0].view["over"]
                or any(friend.seat in friend.view["waiting"] for friend in friends)
            )
        )
        if friends[0].view["over"]:
            return
        version = one.hosted.table.version
        await one.until(lambda: min(f.version for f in friends) >= version)  # noqa: B023
        friend = next((f for f in friends if f.seat in f.view["waiting"]), None)
        if friend is not None:
            await one.move(friend)


async def use(one: Room, made: Kept) -> None:
    """People come back to a table, and go on with whatever they were at."""
    friends = await come_in(one, made)
    table = one.hosted.table
    if table.status == "open":
        friends.append(await one.join("Ben"))
    if table.status == "over":
        match = await one.house.journals.played(table, 1)
        assert match.over and len(list(match.steps())) == match.length
        for friend in friends:
            await one.say(friend, type="rematch")
    if table.status == "paused":
        await one.say(friends[0], type="resume")
    assert table.status == "playing"
    await play_on(one, friends)
    for number in range(1, table.number + 1):
        match = await one.house.journals.played(table, number)
        assert len(list(match.steps())) == match.length


@pytest.mark.parametrize("version", ALEMBIC)
def test_tables_of_every_earlier_version_are_played_on(empty: str, version: str) -> None:
    assert OLD_LEVEL not in LEVELS
    tables = [make() for make in MAKERS]
    write(empty, version, tables)

    async def main() -> None:
        async with room(empty) as one:
            for made in tables:
                await use(one, made)
            left = [one.house.tables[made.table.id].table for made in tables]
        async with room(empty) as one:  # and the next start finds all of it
            for table in left:
                journals = one.house.journals
                for line in await journals.lines_after(table):  # written as the server stopped
                    table.fold(entries.decode(line.body), line.at)
                assert state(await journals.read(table.id)) == state(table)

    asyncio.run(main())
    assert run(empty, "SELECT version_num FROM alembic_version") == [(max(schema.MIGRATIONS),)]
    assert run(empty, "SELECT id FROM health") == [(1,)]
