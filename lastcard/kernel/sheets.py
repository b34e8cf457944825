"""Sheets: the tables of numbers and names from which compiled code tells a game's records."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .compiling import as_it_runs, rule
from .events import Event
from .seats import NOBODY
from .telling import OWN, PER_VALUE, VALUES, EventValue, Row, Table, Text, spelled

if TYPE_CHECKING:
    from .forms import Form
    from .options import Option

MOST_OWN = 16  # keys of a game that rules of its own tell
Telling = Callable[[Any, Text], None]  # a rule that writes the value of a key


class Sheet:
    """Gathers what is to be told of records of one layout."""

    def __init__(self, layout: np.dtype[Any]) -> None:
        self.layout = layout
        self.own: list[Telling] = []
        self._names: list[str] = []
        self._first: dict[tuple[str, ...], int] = {}

    def names(self, names: Sequence[str]) -> int:
        """The number that the first of some names has; the others follow it."""
        several = tuple(names)
        if several not in self._first:
            self._first[several] = len(self._names)
            self._names += several
        return self._first[several]

    def name(self, name: str) -> int:
        return self.names((name,))

    def table(self) -> Table:
        """All names, once everything has been gathered."""
        return spelled(self._names)

    def field(self, op: int, field: str, names: Sequence[str] = (), more: int = 0) -> Row:
        """A row about a field; of one with a row for each seat, `items` are those of a seat."""
        at, kind, shape = self.place(field)
        items = shape[-1] if shape else 1
        return Row(op, at, kind, items, name=self.names(names), names=len(names), more=more)

    def sized(
        self, op: int, field: str, sizes: str, names: Sequence[str] = (), more: int = 0
    ) -> Row:
        """The same with the field of sizes that belongs to it."""
        at, kind, _ = self.place(sizes)
        return self.field(op, field, names, more)._replace(sizes_at=at, sizes_kind=kind)

    def place(self, field: str) -> tuple[int, int, tuple[int, ...]]:
        """Where a field begins, the kind of its items, and its shape."""
        fields = self.layout.fields
        if fields is None or field not in fields:
            raise TypeError(f"the record has no field {field}.")
        type, at = fields[field][:2]
        number = type.base
        if number.kind not in "iu" or (number.kind == "u" and number.itemsize == 8):
            raise TypeError(f"the field {field} has no integers that can be told.")
        return at, number.itemsize if number.kind == "i" else -number.itemsize, type.shape

    def told_by(self, telling: Telling) -> Row:
        """A row for what a rule of the game tells."""
        if telling not in self.own:
            self.own.append(telling)
        if len(self.own) > MOST_OWN:
            raise TypeError(f"more than {MOST_OWN} keys are told by rules of their own.")
        return Row(OWN, more=self.own.index(telling))

    def rows(self, forms: Sequence[Form]) -> Any:
        return np.array([form.row(self) for form in forms], np.int32)

    def options(self, options: Sequence[Option]) -> Any:
        """Rows about the record's options, which lie in a field of their own."""
        at, kind, _ = self.place("options")
        rows = [
            option.row(self)._replace(at=at + abs(kind) * number, kind=kind)
            for number, option in enumerate(options)
        ]
        return np.array(rows, np.int32)

    def spans(self, reads: Sequence[Sequence[str]]) -> tuple[Any, Any]:
        """The bytes that each key's value is made from: all spans of fields, and for each key the
        first of its own and the one after the last. Without fields it may be any byte."""
        spans: list[tuple[int, int]] = []
        parts: list[tuple[int, int]] = []
        for fields in reads:
            first = len(spans)
            for field in fields:
                at, kind, shape = self.place(field)
                spans.append((at, at + abs(kind) * int(np.prod(shape, dtype=int))))
            if not fields:
                spans.append((0, self.layout.itemsize))
            parts.append((first, len(spans)))
        return np.array(spans, np.int32), np.array(parts, np.int32)

    def events(self, events: Sequence[Event]) -> Any:
        most = max(len(event.values) for event in events)
        table = np.zeros((len(events), VALUES + PER_VALUE * most), np.int32)
        for row, event in zip(table, events, strict=True):
            values = [self._value(name, event) for name in event.values]
            row[:VALUES] = self.name(event.kind), len(values)
            row[VALUES : VALUES + PER_VALUE * len(values)] = np.ravel(values)
        return table

    def _value(self, name: str, event: Event) -> EventValue:
        names = event.values[name]
        first = NOBODY if names is None else self.names(names)
        return EventValue(self.name(name), first, len(names or ()), name in event.secret)


@rule
def untold(s: Any, out: Text) -> None:
    """Stands where a game has no more rules that tell keys."""


def own_rules(sheet: Sheet) -> Mapping[str, Telling]:
    """The game's own rules by the names that compiled code calls them by."""
    rules = [*sheet.own, *[untold] * (MOST_OWN - len(sheet.own))]
    return {f"own_{number}": as_it_runs(one) for number, one in enumerate(rules)}
