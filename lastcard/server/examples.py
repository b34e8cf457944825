"""Examples in the rules that readers play themselves. Nothing is kept: all moves come each time.

An example is a scenario that says besides what is `right`: a list of moves, any of which will do,
or a mapping as in a step's `expect`, where any moves will do that lead to it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from lastcard.core import scenarios
from lastcard.core.events import log_of, told_of
from lastcard.core.match import Events, Match
from lastcard.core.registry import games
from lastcard.core.views import Watch
from lastcard.errors import IllegalAction
from lastcard.kernel.texts import CHANCE_NAME
from lastcard.table.messages import Text
from lastcard.table.refusals import Code, Refused

from .faces import face_of

MOST_MOVES = 40
NAME = re.compile(r"[a-z0-9_-]+")  # so no path leads out


class Moves(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the reader has done since the start."""

    moves: Annotated[list[Text], Meta(max_length=MOST_MOVES)]


class Shown(msgspec.Struct, frozen=True):
    """How it begins, as the reader's seat sees it."""

    seat: int
    view: msgspec.Raw


class ExampleStep(msgspec.Struct, frozen=True):
    events: msgspec.Raw
    view: msgspec.Raw


class Played(msgspec.Struct, frozen=True):
    seat: int
    steps: list[ExampleStep]
    over: bool  # what was asked is done, or can no longer be
    meant: bool  # whether it is what was asked


def find(game: str, name: str) -> Path:
    """The scenario of an example."""
    face = face_of(game) if game in games() and NAME.fullmatch(name) else None
    path = face and face / "examples" / f"{name}.yaml"
    if path is None or not path.is_file():
        raise Refused(Code.NOT_FOUND, "There is no such example.")
    return path


def shown(path: Path) -> Shown:
    match, seat = _start(path)
    return Shown(seat, _view(match, seat))


def played(path: Path, moves: list[str]) -> Played:
    match, seat = _start(path)
    begun = match.round
    steps = []
    for move in moves:
        try:
            events = match.play(seat, move)
        except IllegalAction as error:
            raise Refused(Code.ILLEGAL, str(error)) from None
        events += _rolled(match)
        told = msgspec.Raw(told_of(match.game, log_of(events), seat))
        steps.append(ExampleStep(told, _view(match, seat)))
    over, meant = _judged(scenarios.read(path)["right"], match, begun, moves, seat)
    return Played(seat, steps, over, meant)


def _view(match: Match, seat: int) -> msgspec.Raw:
    return msgspec.Raw(Watch(match.game, seat).look(match.hidden(seat)))


def _start(path: Path) -> tuple[Match, int]:
    """The match, and the seat that the reader takes: the first that it waits for."""
    match = scenarios.start(path)
    _rolled(match)
    return match, int(match.waiting[0])


def _judged(
    right: list[str] | dict[str, Any], match: Match, begun: int, moves: list[str], seat: int
) -> tuple[bool, bool]:
    """Whether the reader is done, and whether it is what was asked."""
    if not moves:
        return False, False
    if isinstance(right, list):
        parse = match.game.parse_action
        return True, parse(moves[0]) in map(parse, right)
    meant = match.round == begun and scenarios.holds(match, right)
    return meant or match.round != begun or not match.legal(seat), meant


def _rolled(match: Match) -> Events:
    """Dice are not for the reader to decide."""
    events: Events = []
    while match.waiting == [CHANCE_NAME]:
        events += match.roll()
    return events
