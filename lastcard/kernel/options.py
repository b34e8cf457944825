"""The options of a game, and which of them exclude each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from lastcard.errors import BadOption

from .seats import NOBODY
from .sheets import Sheet
from .telling import NAMED, NULLABLE, NUMBER, TRUTH, Row
from .texts import flag_of, is_nothing, number_of, show, text_of


@dataclass(frozen=True)
class Option:
    """A whole number from `low` to `high`.

    `simulated` is the default in simulations and for learners, where people want another.
    `kind` is for the forms in which people choose options.
    """

    kind: ClassVar[str] = "number"
    name: str
    default: Any
    help: str
    low: int = 0
    high: int = 0
    simulated: Any = None

    def read(self, value: object, players: int) -> int:
        number = number_of(value)
        if number is None or not self.low <= number <= self.high:
            raise self.refusal(f"a whole number from {self.low} to {self.high}", value)
        return number

    def write(self, stored: int) -> Any:
        return stored

    def row(self, sheet: Sheet) -> Row:
        """How compiled code writes it: as `write` does."""
        return Row(NUMBER)

    def refusal(self, wanted: str, value: object) -> BadOption:
        return BadOption("options", f"{self.name} must be {wanted}, not {show(value)}.")


@dataclass(frozen=True)
class Flag(Option):
    kind = "flag"

    def read(self, value: object, players: int) -> int:
        flag = flag_of(value)
        if flag is None:
            raise self.refusal("true or false", value)
        return int(flag)

    def write(self, stored: int) -> bool:
        return bool(stored)

    def row(self, sheet: Sheet) -> Row:
        return Row(TRUTH)


@dataclass(frozen=True)
class Choice(Option):
    kind = "choice"
    choices: Sequence[str] = ()

    def read(self, value: object, players: int) -> int:
        text = (text_of(value) or "").lower()
        if text not in self.choices:
            raise self.refusal("one of " + ", ".join(self.choices), value)
        return self.choices.index(text)

    def write(self, stored: int) -> str:
        return self.choices[stored]

    def row(self, sheet: Sheet) -> Row:
        return Row(NAMED, name=sheet.names(self.choices), names=len(self.choices))


@dataclass(frozen=True)
class Limit(Option):
    """A whole number from `low`, which is above 0, to `high`, or none, which is kept as 0."""

    kind = "limit"

    def read(self, value: object, players: int) -> int:
        if is_nothing(value):
            return 0
        return super().read(value, players)

    def write(self, stored: int) -> int | None:
        return stored or None

    def row(self, sheet: Sheet) -> Row:
        return Row(NULLABLE, more=0)


@dataclass(frozen=True)
class OpenerOption(Option):
    """A seat, or none: then the opener is drawn from the key."""

    kind = "seat"
    name: str = "opener"
    default: Any = None
    help: str = "the seat that opens the first round; drawn from the key if left out"

    def read(self, value: object, players: int) -> int:
        if is_nothing(value):
            return NOBODY
        seat = number_of(value)
        if seat is None or not 0 <= seat < players:
            raise self.refusal(f"a seat from 0 to {players - 1}", value)
        return seat

    def write(self, stored: int) -> int | None:
        return None if stored == NOBODY else stored

    def row(self, sheet: Sheet) -> Row:
        return Row(NULLABLE, more=NOBODY)


@dataclass(frozen=True)
class Above:
    """Of a number: more than `most`."""

    most: int


@dataclass(frozen=True)
class Clash:
    """Options that exclude each other: refused if all have the values in `when` (or are Above one),
    with certain numbers of `players` if given. `why` is a sentence, in which `{players}` and
    options by name are filled in."""

    when: Mapping[str, Any]
    why: str
    players: tuple[int, ...] | None = None

    def holds(self, players: int, options: Mapping[str, Any]) -> bool:
        return (self.players is None or players in self.players) and all(
            options[name] is not None and options[name] > wanted.most
            if isinstance(wanted, Above)
            else options[name] == wanted
            for name, wanted in self.when.items()
        )

    def facts(self) -> dict[str, Any]:
        """The same as plain values, for the page and other programs, without the sentence."""
        when = {
            name: {"above": wanted.most} if isinstance(wanted, Above) else wanted
            for name, wanted in self.when.items()
        }
        return {"players": self.players, "when": when}
