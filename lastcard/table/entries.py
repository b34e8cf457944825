"""Entries of a table's journal. A table is its setup, its secret and its entries, nothing more."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

By: TypeAlias = Literal["player", "bot", "clock", "chance"]
# For languages whose sentences depend on it; None if not stated.
Pronoun: TypeAlias = Literal["he", "she"]


class _Entry(msgspec.Struct, tag_field="is", tag=str.lower, omit_defaults=True):
    """One line of the journal."""


class Joined(_Entry):
    """A person has taken a free seat."""

    seat: int
    name: str
    token: str  # hashed
    seed: str | None = None
    pronoun: Pronoun | None = None


class Left(_Entry):
    """A person has given up their seat."""

    seat: int


class Returned(_Entry):
    """A person who had left has come back."""

    seat: int


class Filled(_Entry):
    """Bots have taken all free seats."""

    level: str


class Seeded(_Entry):
    """A person has chosen a seed, after seeing the commitment."""

    seat: int
    seed: str


class Moved(_Entry):
    """A move of a seat, or a roll of the dice."""

    seat: int | str
    action: str
    id: str = ""  # given by the client
    by: By = "player"


class Undone(_Entry):
    """A seat has taken its move back."""

    seat: int


class Agreed(_Entry):
    """A seat has agreed to a pause or a rematch; `all` if it was the last one needed."""

    seat: int
    all: bool
    seed: str | None = None


class Resumed(_Entry):
    """A seat has ended a pause, or withdrawn its agreement."""

    seat: int


Entry: TypeAlias = Joined | Left | Returned | Filled | Seeded | Moved | Undone | Agreed | Resumed

# The first bytes of entries that are steps of a match, so that the database can select them.
STEP_STARTS = tuple(f'{{"is":"{kind}"'.encode() for kind in ("moved", "undone"))

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Entry).decode
