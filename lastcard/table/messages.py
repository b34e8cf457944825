"""The messages between a table and its clients, as docs/protocol.md describes them."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta

from .entries import By, Pronoun
from .refusals import Code

MOST_BYTES = 4096  # bytes of a message to the server
REACTIONS = ("hello", "thanks", "well_played", "good_luck", "oops", "wow", "laugh", "hurry", "bye")

Id: TypeAlias = Annotated[str, Meta(max_length=64)]
Text: TypeAlias = Annotated[str, Meta(max_length=200)]
Version: TypeAlias = Annotated[int, Meta(ge=0, le=1 << 31)]


# --- To the server -------------------------------------------------------------------------------


class _Asked(msgspec.Struct, tag_field="type", tag=str.lower, forbid_unknown_fields=True):
    """A message from a client. The answer has the same id."""


class Hello(_Asked):
    token: Text | None = None
    id: Id | None = None


class Move(_Asked):
    version: Version
    action: Text
    id: Id | None = None


class Undo(_Asked):
    version: Version
    id: Id | None = None


class Pause(_Asked):
    id: Id | None = None


class Resume(_Asked):
    id: Id | None = None


class Fill(_Asked):
    level: Text
    id: Id | None = None


class Seed(_Asked):
    seed: Text
    id: Id | None = None


class Rematch(_Asked):
    seed: Text | None = None
    id: Id | None = None


class React(_Asked):
    reaction: Literal[REACTIONS]  # type: ignore[valid-type]
    id: Id | None = None


class Hint(_Asked):
    id: Id | None = None


class Hurry(_Asked):
    id: Id | None = None


class Leave(_Asked):
    id: Id | None = None


class Ping(_Asked):
    id: Id | None = None


Asked: TypeAlias = (
    Hello
    | Move
    | Undo
    | Pause
    | Resume
    | Fill
    | Seed
    | Rematch
    | React
    | Hint
    | Hurry
    | Leave
    | Ping
)
decode = msgspec.json.Decoder(Asked).decode


class _Named(msgspec.Struct):
    id: Id | None = None


_decode_id = msgspec.json.Decoder(_Named).decode


def id_of(text: str) -> str | None:
    """The id of a text that may not even be a message."""
    if len(text) > MOST_BYTES:
        return None
    try:
        return _decode_id(text).id
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


# --- From the server -----------------------------------------------------------------------------


class ChairShown(msgspec.Struct, frozen=True):
    kind: str
    name: str
    level: str | None
    here: bool
    left: bool
    seed: str | None
    pronoun: Pronoun | None


class TableShown(msgspec.Struct, frozen=True):
    """Everything about a table but its cards."""

    id: str
    game: str
    players: int
    options: dict[str, Any]
    public: bool
    watch: bool
    clock: int | None
    grace: int | None
    undo: bool
    status: str
    seats: list[ChairShown]
    number: int
    commitment: str
    next_commitment: str | None  # of a rematch, once the match is over
    secret: str | None  # once the match is over
    key: str | None  # of the cards, once the match is over
    agreed: list[int]
    seconds: float | None
    watching: int


class MatchShown(msgspec.Struct, frozen=True):
    """A match as a seat may see it."""

    number: int
    version: int
    undo: bool
    view: msgspec.Raw


class _Told(msgspec.Struct, tag_field="type", tag=str.lower):
    """A message to a client."""


class Welcome(_Told):
    seat: int | None
    table: TableShown
    match: MatchShown | None


class TableChanged(_Told, tag="table"):
    table: TableShown


class MatchChanged(_Told, tag="match"):
    match: MatchShown


class Update(_Told):
    version: int
    seat: int | str
    by: By
    events: msgspec.Raw
    changes: msgspec.Raw
    undo: bool
    seconds: float | None


class UndoneMove(_Told, tag="undone"):
    seat: int


class Reaction(_Told):
    seat: int
    reaction: str


class Advice(msgspec.Struct, frozen=True):
    """An action, or None to do nothing, the chance of winning with it, and how likely a self-taught
    bot would do it, if there is one for the game."""

    action: str | None
    chance: float
    liking: float | None = None


class Liked(msgspec.Struct, frozen=True):
    """What a self-taught bot would do, None for nothing, and how likely that is."""

    action: str | None
    liking: float


class HintShown(_Told, tag="hint"):
    id: str | None
    version: int
    best: list[Advice]
    learned: Liked | None = None  # if there is such a bot for the game


class Ok(_Told):
    id: str | None
    version: int | None = None


class Error(_Told):
    id: str | None
    code: Code
    text: str


class Step(msgspec.Struct, frozen=True):
    """One step of a replay."""

    version: int
    seat: int | str | None
    by: By | None
    events: msgspec.Raw
    view: msgspec.Raw


class Steps(msgspec.Struct, frozen=True):
    of: int
    steps: list[Step]


encode = msgspec.json.Encoder().encode
