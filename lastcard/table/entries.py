"""What a table's journal holds. A table is its setup, its secret and its entries, and no more."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

By: TypeAlias = Literal["player", "bot", "clock", "chance"]
# How sentences about somebody go on, in languages that need to know; None for who says neither.
Pronoun: TypeAlias = Literal["he", "she"]


class _Entry(msgspec.Struct, tag_field="is", tag=str.lower, omit_defaults=True):
    """One line of the journal."""


class Joined(_Entry):
    """Somebody has taken a free seat."""

    seat: int
    name: str
    token: str  # the hash of it
    seed: str | None = None
    pronoun: Pronoun | None = None


class Left(_Entry):
    """Somebody has given up a seat."""

    seat: int


class Returned(_Entry):
    """And has come back."""

    seat: int


class Filled(_Entry):
    """Bots have taken all free seats."""

    level: str


class Seeded(_Entry):
    """Somebody has chosen a seed, after the commitment was shown."""

    seat: int
    seed: str


class Moved(_Entry):
    """A move of a seat, or a roll of the dice."""

    seat: int | str
    action: str
    id: str = ""  # by which the player knows it
    by: By = "player"


class Undone(_Entry):
    """A seat has taken its move back."""

    seat: int


class Agreed(_Entry):
    """A seat has agreed to a pause, or to another match; `all` have, if it was the last."""

    seat: int
    all: bool
    seed: str | None = None


class Resumed(_Entry):
    """A seat has ended a pause, or taken its agreement back."""

    seat: int


Entry: TypeAlias = Joined | Left | Returned | Filled | Seeded | Moved | Undone | Agreed | Resumed

# How entries begin that are steps of a match: the database can tell them from the others.
STEPS = tuple(f'{{"is":"{kind}"'.encode() for kind in ("moved", "undone"))

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Entry).decode
