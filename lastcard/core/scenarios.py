"""Scenarios: a position, then steps. Rule tests are scenarios, and bug reports can be."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from lastcard.errors import BadFile, BadOption, BadPosition, IllegalAction, UnknownGame
from lastcard.kernel.forms import Form, Seats
from lastcard.kernel.texts import CHANCE_NAME, number_of, show, text_of

from .files import reason
from .game import Seed
from .match import Match, Seat
from .positions import values_of
from .registry import game

# `right` is for examples that people play on the page; here it is ignored.
KEYS = ("game", "title", "players", "seed", "options", "position", "steps", "refused", "right")
STEPS = ("legal", "illegal", "move", "expect", "chance")

# YAML reserves `---` at the start of a line, so documents can be told apart without parsing.
SEPARATOR = re.compile(r"^(?=---(?:\s|$))", re.MULTILINE)
COMMENTS = re.compile(r"(?:[ \t]*(?:#.*)?\n)*")
TITLE = re.compile(r"^title:(.*)$", re.MULTILINE)


class Failed(AssertionError):
    """A scenario's step that did not come out as expected."""


class _TextLoader(getattr(yaml, "CBaseLoader", yaml.BaseLoader)):  # type: ignore[misc]
    """Reads everything as text, so that `y`, `-` and `6` mean themselves; refuses double keys."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[str, Any]:
        names = [key.value for key, _ in node.value]
        for name in names:
            if names.count(name) > 1:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {name!r} is given twice", node.start_mark
                )
        return super().construct_mapping(node, deep=True)


@dataclass(frozen=True)
class Document:
    """One scenario as text. A file holds one, or several separated by `---`."""

    name: str  # the file; if it holds several, also the document's number, title and line
    title: str
    text: str
    before: int  # lines of the file above this text

    def read(self) -> dict[str, Any]:
        """The parsed scenario; BadFile if it is none."""
        content = self._parse()
        if not isinstance(content, Mapping):
            empty = "empty; " if content in (None, "") else ""
            raise BadFile(
                f"{self.name}: {empty}a scenario is a mapping with the keys {', '.join(KEYS)}."
            )
        for key in content:
            if key not in KEYS:
                raise BadFile(f"{self.name}: {show(key)} is none of the keys {', '.join(KEYS)}.")
        if "game" not in content:
            raise BadFile(f"{self.name}: the key game is missing.")
        if "refused" in content and "steps" in content:
            raise BadFile(f"{self.name}: what is refused has no steps.")
        return dict(content)

    def check(self) -> int:
        """Runs the scenario and returns its number of steps; Failed or BadFile if it is wrong."""
        return run(self.read(), self.name)

    def _parse(self) -> Any:
        try:
            return yaml.load(self.text, _TextLoader)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark
            where = f" (line {self.before + mark.line + 1})" if mark else ""
            raise BadFile(f"{self.name}: not YAML: {error.problem}{where}.") from None
        except yaml.YAMLError as error:
            raise BadFile(f"{self.name}: not YAML: {str(error).splitlines()[0]}.") from None
        except RecursionError:
            raise BadFile(f"{self.name}: not a scenario: nested too deeply.") from None


def documents(path: str | Path) -> list[Document]:
    """The scenarios of a file, not yet parsed: a bad one must not hide the others.

    BadFile if the file cannot be read.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise BadFile(f"{path}: not a text file.") from None
    except (OSError, ValueError) as error:
        raise BadFile(f"{path}: {reason(error)}.") from None
    before = 0
    texts = SEPARATOR.split(text)
    if len(texts) > 1 and COMMENTS.fullmatch(texts[0]):
        before = texts.pop(0).count("\n")
    found = []
    for number, part in enumerate(texts, 1):
        title = _title(part)
        name = str(path)
        if len(texts) > 1:
            quoted = f' "{title}"' if title else ""
            name += f", document {number}{quoted} (line {before + 1})"
        found.append(Document(name, title, part, before))
        before += part.count("\n")
    return found


def _title(text: str) -> str:
    """Found without parsing, to name a document that cannot be parsed."""
    found = TITLE.search(text)
    return found[1].strip("\"' ") if found else ""


def read(path: str | Path) -> dict[str, Any]:
    """The scenario of a file that holds one; BadFile if it is none."""
    found = documents(path)
    if len(found) > 1:
        raise BadFile(f"{path}: one scenario is needed here, and the file holds {len(found)}.")
    return found[0].read()


def start(path: str | Path) -> Match:
    """A scenario's match before its first step."""
    try:
        return _build(read(path))
    except (UnknownGame, BadPosition, BadOption) as error:
        raise BadFile(f"{path}: {error}") from None


def check(path: str | Path) -> int:
    """Runs all scenarios of a file and returns their number of steps.

    Failed or BadFile at the first that is wrong.
    """
    return sum(document.check() for document in documents(path))


def outcomes(path: str | Path) -> Iterator[Failed | BadFile | None]:
    """Runs all scenarios of a file; for each, what is wrong with it, or None."""
    try:
        found = documents(path)
    except BadFile as error:
        yield error
        return
    for document in found:
        try:
            document.check()
        except (Failed, BadFile) as error:
            yield error
        else:
            yield None


def run(scenario: Mapping[str, Any], name: str = "scenario") -> int:
    refused = scenario.get("refused")
    try:
        match = _build(scenario)
    except UnknownGame as error:
        raise BadFile(f"{name}: {error}") from None
    except (BadPosition, BadOption) as error:
        if refused is None:
            raise BadFile(f"{name}: {error}") from None
        if not str(error).startswith(f"{refused}: "):
            raise Failed(f"{name}: expected to be refused for {refused}, found: {error}") from None
        return 1
    if refused is not None:
        raise Failed(f"{name}: expected to be refused for {refused}, found: accepted.")
    steps = scenario.get("steps", [])
    if not isinstance(steps, list):
        raise BadFile(f"{name}: steps must be a list.")
    for number, step in enumerate(steps, 1):
        try:
            _step(match, step)
        except Failed as error:
            raise Failed(f"{name}: step {number}: {error}") from None
        except (IllegalAction, BadFile) as error:
            raise BadFile(f"{name}: step {number}: {error}") from None
    return len(steps)


def _build(scenario: Mapping[str, Any]) -> Match:
    rules = game(str(scenario["game"]))
    players: Any = scenario.get("players")
    if players is not None:
        players = number_of(players) if number_of(players) is not None else players
    options = scenario.get("options", "")
    options = {} if options == "" else options
    seed: Seed = scenario.get("seed", 0)
    position = scenario.get("position")
    if position is None or position == "":
        return rules.match(players, seed, options)
    return rules.position(position, players, options, seed)


def _step(match: Match, step: object) -> None:
    if not isinstance(step, Mapping):
        raise BadFile(f"a step is a mapping, not {show(step)}.")
    kinds = [key for key in step if key != "seat"]
    if not kinds or not set(kinds) <= set(STEPS):
        raise BadFile(f"a step has some of {', '.join(STEPS)}, not {show(list(step))}.")
    if bool(set(kinds) & {"legal", "illegal", "move"}) != ("seat" in step):
        raise BadFile(f"{kinds[0]} {'takes no' if 'seat' in step else 'needs a'} seat.")
    seat = _seat(step.get("seat"))
    for kind in kinds:
        wanted = step[kind]
        if kind == "expect":
            _expect(match, wanted)
        elif kind == "chance":
            _move(match, CHANCE_NAME, wanted)
        elif kind == "move":
            # Dice that the scenario leaves out are drawn from the key before the next move.
            while match.waiting == [CHANCE_NAME] and seat != CHANCE_NAME:
                match.roll()
            _move(match, seat, wanted)
        elif kind == "legal":
            _legal(match, seat, wanted)
        else:
            for action in wanted if isinstance(wanted, list) else [wanted]:
                _illegal(match, seat, action)


def _seat(value: object) -> Seat:
    seat = number_of(value)
    return str(value) if seat is None else seat


def _move(match: Match, seat: Seat, action: object) -> None:
    try:
        match.play(seat, str(action))
    except IllegalAction as error:
        raise Failed(f"expected {action} to be possible, found: {error}") from None


def _legal(match: Match, seat: Seat, wanted: object) -> None:
    if not isinstance(wanted, list):
        raise BadFile(f"legal must be a list of actions, not {show(wanted)}.")
    found = match.legal_ids(seat)
    try:
        ids = sorted(match.game.parse_action(str(name)) for name in wanted)
    except ValueError as error:
        raise BadFile(str(error)) from None
    if ids != found:
        expected, there = (", ".join(map(match.game.action_name, some)) for some in (ids, found))
        raise Failed(f"expected legal: {expected}; found: {there}.")


def _illegal(match: Match, seat: Seat, action: object) -> None:
    before = match.state
    try:
        match.play(seat, str(action))
    except IllegalAction:
        if match.state != before:
            raise Failed(f"{action} was refused, but the match has changed.") from None
        return
    raise Failed(f"expected {action} to be illegal, found: accepted.")


def holds(match: Match, wanted: Mapping[str, Any]) -> bool:
    """Whether a match meets a step's `expect`."""
    try:
        _expect(match, wanted)
    except Failed:
        return False
    return True


def _expect(match: Match, wanted: object) -> None:
    if not isinstance(wanted, Mapping):
        raise BadFile(f"expect must be a mapping, not {show(wanted)}.")
    derived = {key: form for key, form in match.game.keys.items() if form.derived}
    position = match.position() | values_of(match.game, match.record, derived)
    for key, expected in wanted.items():
        form = match.game.keys.get(str(key).partition(".")[0], _PLAIN)
        form = _SEATS if key in ("winners", "waiting") else form
        found = _found(match, position, str(key))
        if not form.same(str(key), expected, found):
            raise Failed(f"expected {key}: {_words(expected)}; found: {_words(found)}.")


class _Plain(Form):
    """Values other than cards."""


_PLAIN = _Plain()
_SEATS = Seats("")  # `winners` and `waiting`, in any order


def _found(match: Match, position: Mapping[str, Any], key: str) -> Any:
    """The value of a key such as `turn`, `hands.0`, `size.stock` or `winners`."""
    if key == "winners":
        return match.winners
    if key == "waiting":
        return match.waiting
    if key.startswith("size."):
        value = _found(match, position, key.removeprefix("size."))
        if not isinstance(value, str | list):
            raise BadFile(f"expect: {show(key)} has no size.")
        return len(
            [name for name in value.split() if name != "-"] if isinstance(value, str) else value
        )
    name, dot, entry = key.partition(".")

    if name not in position:
        raise BadFile(f"expect: there is no key {show(name)}.")
    value = position[name]
    if not dot:
        return value
    place = number_of(entry)
    if not isinstance(value, list) or place is None or not 0 <= place < len(value):
        raise BadFile(f"expect: there is no {show(key)}.")
    return value[place]


def _words(value: object) -> str:
    text = text_of(value)
    if text is None:
        return f"[{', '.join(map(_words, value))}]" if isinstance(value, list) else show(value)
    return text or "nothing"
