"""What is public about a table: who sits there and how things stand, but no cards."""

from __future__ import annotations

from collections.abc import Set

import msgspec

from .messages import ChairShown, TableShown
from .store import Listing
from .table import Table


class Summary(msgspec.Struct, frozen=True):
    """A table in the list of tables."""

    id: str
    game: str
    players: int
    status: str
    names: list[str]  # of people
    free: int
    clock: int | None
    watch: bool


def shown(table: Table, here: Set[int], watching: int, seconds: float | None) -> TableShown:
    setup, over = table.setup, table.status == "over"
    return TableShown(
        id=table.id,
        game=setup.game,
        players=len(table.chairs),
        options=setup.options,
        public=setup.public,
        watch=setup.watch,
        clock=setup.clock,
        grace=setup.grace,
        undo=setup.undo,
        status=table.status,
        seats=[
            ChairShown(
                kind=chair.kind,
                name=chair.name,
                level=chair.level or None,
                here=seat in here,
                left=chair.left,
                seed=chair.seed if table.match is None else table.dealt_seeds[seat],
                pronoun=chair.pronoun,
            )
            for seat, chair in enumerate(table.chairs)
        ],
        number=table.number,
        commitment=table.commitment,
        next_commitment=table.next_commitment,
        secret=table.shuffle.secret if over else None,
        key=table.key.hex() if over else None,
        agreed=sorted(table.agreed),
        seconds=seconds,
        watching=watching,
    )


def listing_of(table: Table) -> Listing:
    """A table's line in the list, where it stays as long as others may join or watch."""
    people = [chair.name for chair in table.chairs if chair.kind == "person" and not chair.left]
    to_join, to_watch = table.status == "open", table.setup.watch and table.status == "playing"
    summary = Summary(
        id=table.id,
        game=table.setup.game,
        players=len(table.chairs),
        status=table.status,
        names=people,
        free=len(table.free),
        clock=table.setup.clock,
        watch=table.setup.watch,
    )
    listed = table.setup.public and bool(people) and (to_join or to_watch)
    return Listing(listed, msgspec.json.encode(summary))
