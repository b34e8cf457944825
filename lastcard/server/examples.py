"""Examples in the rules that readers play themselves. Nothing is kept: all moves come each time.

An example is a scenario that says besides what is `right`: a list of moves, any of which will do,
or a mapping as in a step's `expect`, where any moves will do that lead to it.

Pages with an engine play them without the server (web/device/examples.js), from what is `compiled`
here; the others ask.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from lastcard.core import scenarios
from lastcard.core.events import log_of, told_of
from lastcard.core.match import Events, Match
from lastcard.core.registry import games
from lastcard.core.sheets import keys_of
from lastcard.core.views import Watch
from lastcard.errors import IllegalAction
from lastcard.kernel.forms import Form, Seats
from lastcard.kernel.telling import new_text, told
from lastcard.kernel.texts import CHANCE_NAME, NONE, flag_of, known_as, text_of
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
    match, seat, _ = _start(path)
    return Shown(seat, _view(match, seat))


def played(path: Path, moves: list[str]) -> Played:
    match, seat, right = _start(path)
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
    over, meant = _judged(right, match, begun, moves, seat)
    return Played(seat, steps, over, meant)


def _view(match: Match, seat: int) -> msgspec.Raw:
    return msgspec.Raw(Watch(match.game, seat).look(match.hidden(seat)))


def _start(path: Path) -> tuple[Match, int, Any]:
    """The match; the seat that the reader takes, the first that it waits for; and what is right."""
    match, right = _read(path, path.stat().st_mtime_ns)
    return match.copy(), int(match.waiting[0]), right


@lru_cache(256)
def _read(path: Path, changed: int) -> tuple[Match, Any]:
    match = scenarios.start(path)
    _rolled(match)
    return match, scenarios.read(path)["right"]


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


# --- For pages that play them without us ---------------------------------------------------------


class Check(msgspec.Struct, frozen=True):
    """A value that a key must have in the end, as text; cards, and seats, in any order."""

    key: int  # its number, as engines count them
    value: str | list[str]
    place: int | None = None  # in a list
    size: bool = False  # only the number of cards counts


class Compiled(msgspec.Struct, frozen=True, omit_defaults=True):
    """An example without its scenario."""

    record: str  # how it begins: the bytes of its record in base64
    seat: int
    moves: list[int] | None = None  # any of these is right
    checks: list[Check] | None = None  # or whatever leads to all of these


def scenarios_of(face: Path) -> list[Path]:
    return sorted((face / "examples").glob("*.yaml"))


def compiled(face: Path) -> bytes:
    """All examples of a face that a page can judge, by their names, as JSON."""
    found = {path.stem: _compiled(path, path.stat().st_mtime_ns) for path in scenarios_of(face)}
    return msgspec.json.encode({name: one for name, one in found.items() if one})


@lru_cache(256)
def _compiled(path: Path, changed: int) -> Compiled | None:
    match, seat, right = _start(path)
    record = base64.b64encode(match.state).decode()
    if isinstance(right, list):
        return Compiled(record, seat, moves=[match.game.parse_action(one) for one in right])
    checks = [_check(match, str(key), value) for key, value in right.items()]
    known = [one for one in checks if one]
    return Compiled(record, seat, checks=known) if len(known) == len(checks) else None


def _check(match: Match, key: str, wanted: object) -> Check | None:
    """What a key such as `turn`, `hands.0` or `size.stock` must be; None if an engine does not
    tell that, or tells it in another way."""
    keys = keys_of(match.game)
    whole = key.removeprefix("size.")
    name, _, place = whole.partition(".")
    if name not in keys or (place and not place.isdigit()):
        return None
    number, form, out = list(keys).index(name), keys[name], new_text()
    found = msgspec.json.decode(
        told(out.bytes, match.game.telling.key(match.record, match.record.data, number, out))
    )
    if place:
        found = found[int(place)]
    value = text_of(wanted) if whole != key else _wanted(form, found, wanted)
    where = int(place) if place else None
    return None if value is None else Check(number, value, where, whole != key)


def _wanted(form: Form, found: object, wanted: object) -> str | list[str] | None:
    """What is written in a scenario, in the words of an engine."""
    if isinstance(found, Mapping):
        if form.ordered or (text := text_of(wanted)) is None:
            return None
        words = [known_as(word, getattr(form, "names", ())) for word in text.split()]
        return [] if words == [NONE] else sorted(words)
    if isinstance(found, list):
        if not isinstance(form, Seats) or not isinstance(wanted, list):
            return None
        return sorted(str(text_of(one)) for one in wanted)
    if isinstance(found, bool):
        flag = flag_of(wanted)
        return None if flag is None else str(flag).lower()
    return text_of(wanted)
