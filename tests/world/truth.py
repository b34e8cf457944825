"""What is true: the journal as it was committed, carried out once more by whoever looks on."""

from __future__ import annotations

import bisect
import hashlib
import math
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from lastcard.core.events import log_of, told_of
from lastcard.core.match import Match
from lastcard.core.views import shown as view_text
from lastcard.table import entries
from lastcard.table.entries import Entry, Moved
from lastcard.table.hosted import BACK_WITHIN
from lastcard.table.setup import Setup
from lastcard.table.shown import shown
from lastcard.table.table import Happened, Table

NEW_TABLES = "SELECT rowid, id, created, setup, secret FROM tables WHERE rowid > ? ORDER BY rowid"
NEW_ENTRIES = "SELECT rowid, table_id, seq, at, body FROM entries WHERE rowid > ? ORDER BY rowid"

SKEW = 1.0  # seconds that clocks may be off, and then some
LEAST_SKEW = 0.3  # seconds that they may be off


class Violation(AssertionError):
    """The server has broken a promise."""


@dataclass
class Break:
    """A while in which no process served a table."""

    until: float
    returned: dict[int, float] = field(default_factory=dict)  # who has come back, and when at first


class Moment:
    """A version of a match."""

    def __init__(self, table: Table, match: Match, happened: Happened, at: float) -> None:
        self.number = table.number
        self.match = match.copy()
        self.happened = happened
        self.at = at
        last = table._last
        self.undo = last.seat if last is not None and table.may_undo(last.seat) else None
        self._views: dict[int | None, dict[str, Any]] = {}

    def view(self, seat: int | None) -> dict[str, Any]:
        if seat not in self._views:
            self._views[seat] = msgspec.json.decode(self.text(seat))
        return self._views[seat]

    def text(self, seat: int | None, all_open: bool = False) -> bytes:
        """As `hide` leaves it to the seat, made anew; or with all cards."""
        record = self.match.revealed() if all_open else self.match.hidden(seat)
        return view_text(self.match.game, record[0], seat)

    def told(self, seat: int | None, all_open: bool = False) -> bytes:
        log = log_of([]) if self.happened.log is None else self.happened.log
        return told_of(self.match.game, log, seat, all_open=all_open)


def state_of(table: Table) -> tuple[Any, ...]:
    """Everything that the journal decides, but for times."""
    return (
        None if table.match is None else table.match.state,
        (table.version, table.base, table.number, table.waited, table.paused, table.non_moves),
        sorted(table.agreed),
        [tuple(getattr(chair, name) for name in chair.__slots__) for chair in table.chairs],
        table.dealt_seeds,
        table._recent,
    )


def public_of(table: Table) -> dict[str, Any]:
    """What `table` in messages says, but for who is connected and the time left."""
    return without_presence(msgspec.to_builtins(shown(table, frozenset(), 0, None)))


def without_presence(told: dict[str, Any]) -> dict[str, Any]:
    seats = [{**seat, "here": None} for seat in told["seats"]]
    return {**told, "seats": seats, "watching": None, "seconds": None}


class TrueTable:
    """A table as its committed entries leave it, at every moment of its life."""

    def __init__(self, id: str, setup: bytes, secret: str, created: float, fair: bool) -> None:
        self.fair = fair  # the clocks of processes are nearly right
        self.table = Table(id, msgspec.json.decode(setup, type=Setup), secret, created)
        self.entries: list[Entry] = []
        self.times: list[float] = [0.0]  # of each number, from 0
        self.states = [_copied(state_of(self.table))]
        self.publics = [public_of(self.table)]
        self.public_since = 0.0
        self.moments: dict[int, Moment] = {}
        self.moves: dict[tuple[int, str], int] = {}  # versions that players' moves led to
        self.outage: Break | None = None  # there was no process at all
        self.takeover: Break | None = None  # another one has taken over, and served it since then
        self.left_at = -math.inf  # when the only process that served it went down
        self.read_at = 0.0  # when a process took it into memory last
        self.tokens: set[str] = set()  # of those who sit here
        self._secrets = self._find_secrets()

    @property
    def seq(self) -> int:
        return self.table.seq

    def seq_at(self, time: float) -> int:
        """The last entry that was committed by then."""
        return bisect.bisect(self.times, time) - 1

    def version_at(self, time: float) -> int:
        return max((one for one in self.moments if self.moments[one].at <= time), default=0)

    def add(self, seq: int, body: bytes, written: float, at: float) -> None:
        """An entry that was committed now, and `written` a while ago by the clock of a process."""
        if seq != self.table.seq + 1:
            raise Violation(f"entry {seq} comes after {self.table.seq}: {body.decode()}")
        entry = entries.decode(body)
        if isinstance(entry, Moved) and isinstance(entry.seat, int) and entry.id:
            if (entry.seat, entry.id) in self.moves:
                raise Violation(f"carried out twice: {body.decode()}")
            self.moves[entry.seat, entry.id] = self.table.version + 1
        if isinstance(entry, Moved) and entry.by == "clock":
            self._check_clock(entry, written)
        version = self.table.version
        happened = self.table.fold(entry, written)
        self.entries.append(entry)
        self.times.append(at)
        self.states.append(_copied(state_of(self.table)))
        public = public_of(self.table) if happened.table else self.publics[-1]
        if public != self.publics[-1]:
            self.public_since = at
        self.publics.append(public)
        if happened.table:
            self._secrets = self._find_secrets()
            self._check_commitment(public)
        if self.table.version != version and self.table.match is not None:
            self.moments[self.table.version] = Moment(self.table, self.table.match, happened, at)

    def _check_clock(self, entry: Moved, written: float) -> None:
        """Nobody is moved for before his time is up."""
        clock = self.table.setup.clock
        seat = entry.seat
        asked = self.table.asked_at.get(seat) if isinstance(seat, int) else None
        if clock is None or asked is None or (self.fair and written < asked + clock - SKEW):
            raise Violation(f"moved for seat {seat}, who was asked at {asked}, at {written}")
        for one in filter(None, (self.outage, self.takeover)):
            again = one.until
            # Late news of a process that was killed is of before the break.
            if not self.fair or asked > again - LEAST_SKEW or written < again + LEAST_SKEW:
                continue
            assert isinstance(seat, int)
            back = min(one.returned.get(seat, math.inf), again + BACK_WITHIN)
            if written < back + clock - SKEW:
                raise Violation(
                    f"moved for seat {seat} at {written}, who was asked at {asked}, "
                    f"but could not move until {again}, and is back since {back}"
                )

    def note_back(self, seat: int, at: float) -> None:
        for one in filter(None, (self.outage, self.takeover)):
            one.returned.setdefault(seat, at)

    def is_over(self, number: int) -> bool:
        return number < self.table.number or self.table.status == "over"

    def _find_secrets(self) -> list[str]:
        """What decides the cards that are still to come, or hidden."""
        table = self.table
        hidden = [table.secret, table.match_secret(table.number + 1)]
        if table.status != "over":
            hidden.append(table.match_secret(table.number))
        if table.match is not None and table.status != "over":
            hidden.append(table.key.hex())
        return hidden

    def _check_commitment(self, public: dict[str, Any]) -> None:
        """The secret that is shown after a match is the one that was promised before it."""
        if public["secret"] is None:
            return
        number = public["number"]
        promised = {one["commitment"] for one in self.publics if one["number"] == number}
        promised |= {one["next_commitment"] for one in self.publics if one["number"] == number - 1}
        if promised - {None} != {hashlib.sha256(public["secret"].encode()).hexdigest()}:
            raise Violation(f"promised {promised}, but shown {public['secret']}")

    def check_silent(self, text: str) -> None:
        """No secret of the cards is in what is sent."""
        if any(secret in text for secret in self._secrets):
            raise Violation(f"a secret is sent: {text}")

    def check_no_token(self, text: str) -> None:
        """Nobody is told how somebody else may come in."""
        if any(token in text for token in self.tokens):
            raise Violation(f"a token is sent: {text}")


def _copied(state: tuple[Any, ...]) -> tuple[Any, ...]:
    *rest, recent = state
    return (*rest, {seat: dict(ids) for seat, ids in recent.items()})


class Truth:
    """All tables of a world."""

    def __init__(
        self, clock: Callable[[], float], epoch: float, fair: bool, note: Callable[..., None]
    ) -> None:
        self.tables: dict[str, TrueTable] = {}
        self._clock = clock
        self._epoch = epoch
        self._fair = fair
        self._note = note
        self._read = [0, 0]  # the last rows that were read

    def look(self, raw: sqlite3.Connection) -> None:
        """After a commit."""
        find = sqlite3.Connection.execute
        for row, id, created, setup, secret in find(raw, NEW_TABLES, (self._read[0],)).fetchall():
            self._read[0] = row
            self.tables[id] = TrueTable(id, setup.encode(), secret, created, self._fair)
            self._note("founded", id, setup)
        for row, id, seq, at, body in find(raw, NEW_ENTRIES, (self._read[1],)).fetchall():
            self._read[1] = row
            self._note("committed", id, seq, body.decode())
            self.tables[id].add(seq, body, at - self._epoch, self._clock())
