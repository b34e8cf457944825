"""Match files: a match as readable JSON, enough to replay it to the same bytes."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from lastcard.errors import BadFile, BadOption, BadPosition, IllegalAction, UnknownGame
from lastcard.kernel.texts import CHANCE_NAME, show

from .game import KEY_BYTES
from .match import Match, Seat
from .registry import game
from .shuffle import Shuffle

FORMAT = 1
HUMAN = "human"  # in `seats`, a person and not a bot


class MatchFile(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The content of a match file."""

    lastcard: int
    game: str
    players: int
    options: dict[str, Any]
    key: str
    moves: list[tuple[int | str, str]]
    position: dict[str, Any] | None = None
    seats: list[str] | None = None  # for each seat "human" or the name of a bot
    state: str | None = None  # a digest of the last state
    shuffle: Shuffle | None = None  # how the key came about


def digest(match: Match) -> str:
    return hashlib.sha256(match.state).hexdigest()[:16]


def describe(
    match: Match, seats: list[str] | None = None, shuffle: Shuffle | None = None
) -> MatchFile:
    return MatchFile(
        lastcard=FORMAT,
        game=match.game.id,
        players=match.players,
        options=match.options,
        key=match.seed.hex(),
        moves=list(match.moves),
        position=None if match.start is None else dict(match.start),
        seats=seats,
        state=digest(match),
        shuffle=shuffle,
    )


def dumps(match: Match, seats: list[str] | None = None, shuffle: Shuffle | None = None) -> str:
    """The text of a match file, with a line for every key and every move."""
    content = msgspec.to_builtins(describe(match, seats, shuffle))
    moves = ",\n".join("    " + json.dumps(move) for move in content.pop("moves"))
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in content.items()]
    lines.append('  "moves": [' + (f"\n{moves}\n  ]" if moves else "]"))
    return "{\n" + ",\n".join(lines) + "\n}\n"


def save(match: Match, path: str | os.PathLike[str], seats: list[str] | None = None) -> None:
    """Writes a match file atomically: a crash leaves the old file or the new one, whole."""
    if seats is not None and len(seats) != match.players:
        raise BadFile(f"{path}: {len(seats)} seats named for {match.players} players.")
    try:
        _write(Path(path), dumps(match, seats))
    except (OSError, ValueError) as error:
        raise BadFile(f"{path}: cannot be written: {reason(error)}.") from None


def reason(error: OSError | ValueError) -> str:
    """Why a file could not be opened. A ValueError is about an impossible file name."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _write(target: Path, text: str) -> None:
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def read(path: str | os.PathLike[str]) -> MatchFile:
    """Reads a match file, or raises BadFile."""
    try:
        content = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise BadFile(f"{path}: {reason(error)}.") from None
    try:
        return msgspec.json.decode(content, type=MatchFile)
    except msgspec.ValidationError as error:
        raise BadFile(f"{path}: not a match file: {error}.") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadFile(f"{path}: damaged, or not a match file: {error}.") from None
    except RecursionError:
        raise BadFile(f"{path}: not a match file: nested too deeply.") from None


def start(file: MatchFile, path: str | os.PathLike[str] = "match") -> Match:
    """A file's match before its first move."""
    if file.lastcard != FORMAT:
        raise BadFile(f"{path}: unknown format {file.lastcard}; this version reads {FORMAT}.")
    if len(file.key) != 2 * KEY_BYTES:
        raise BadFile(f"{path}: the key must have {2 * KEY_BYTES} hex digits.")
    try:
        rules = game(file.game)
        if file.position is None:
            match = rules.match(file.players, file.key, file.options)
        else:
            match = rules.position(file.position, file.players, file.options, file.key)
    except (UnknownGame, BadOption, BadPosition) as error:
        raise BadFile(f"{path}: {error}") from None
    if file.seats is not None and len(file.seats) != match.players:
        raise BadFile(f"{path}: {len(file.seats)} seats named for {match.players} players.")
    return match


def replay(file: MatchFile, path: str | os.PathLike[str] = "match", *, fair: bool = False) -> Match:
    """A file's match after its last move, checked move by move; `fair` if dice must fall as the
    key says, as they do at tables."""
    match = start(file, path)
    for number, (seat, action) in enumerate(file.moves, 1):
        before = match.copy() if fair and seat == CHANCE_NAME else None
        step(match, seat, action, number, path)
        if before is not None and match.moves[-1][1] != match.game.actions[before.tossed()]:
            raise BadFile(f"{path}: the dice of move {number} do not follow from the key.")
    if file.state is not None and file.state != digest(match):
        raise BadFile(f"{path}: altered: its moves do not lead to the state it was saved in.")
    return match


def step(
    match: Match, seat: Seat, action: str, number: int, path: str | os.PathLike[str]
) -> list[list[int]]:
    try:
        return match.play(seat, action)
    except IllegalAction:
        # The reason would reveal what the seat holds.
        raise BadFile(f"{path}: altered: move {number}, {show(action)}, is not possible.") from None


def load(path: str | os.PathLike[str]) -> Match:
    """The match in a file, replayed to where it was saved."""
    return replay(read(path), path)
