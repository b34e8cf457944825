"""A table: who sits there and the match they play, as its journal says.

What people ask for is checked first, and either becomes an entry or is refused. The entry is
written to the journal. Only then does `fold` carry it out: nothing happens that is not on disk, and
reading the journal leads to the same state in every process.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import msgspec
import numpy as np

from lastcard.core.match import Match, Seat
from lastcard.core.shuffle import Shuffle, commitment_of, key_of
from lastcard.core.views import legal_of, seats_of, seats_or_chance
from lastcard.errors import IllegalAction

from .entries import (
    Agreed,
    By,
    Entry,
    Filled,
    Joined,
    Left,
    Moved,
    Pronoun,
    Resumed,
    Returned,
    Seeded,
    Undone,
)
from .refusals import Code, Refused
from .setup import Setup, check_level, completed, read_name, read_seed
from .undo import reveals_nothing

REMEMBERED = 8  # last moves of each seat, to recognise them when they are sent again
MOST_MATCHES = 1000  # at one table
MOST_NON_MOVES = 5000  # entries in one match


@dataclass(slots=True)
class Chair:
    """One seat of a table."""

    kind: Literal["free", "person", "bot"] = "free"
    name: str = ""
    level: str = ""  # of a bot
    token: str = ""  # hashed
    seed: str | None = None
    left: bool = False
    pronoun: Pronoun | None = None

    def copy(self) -> Chair:
        """Much faster than `dataclasses.replace`."""
        return Chair(
            self.kind, self.name, self.level, self.token, self.seed, self.left, self.pronoun
        )


class Happened(msgspec.Struct, frozen=True):
    """What an entry has changed, for those who are told."""

    log: Any = None  # the events of a move, as `Match.carry_out` returns them
    seat: Seat | None = None  # whose move it is
    action: str = ""  # for match files only; clients are told events, see window.py
    by: By = "player"  # who moved for the seat
    whole: bool = False  # clients need the whole match again
    undone: int | None = None  # the seat whose move was taken back
    table: bool = True  # more than the match has changed


@dataclass(slots=True)
class Last:
    """A move that its player may want to take back."""

    seat: int
    action: int
    before: Match
    log: Any  # its events
    asked_at: dict[int, float]
    harmless: bool | None = None  # None: not checked yet


class Start(msgspec.Struct, frozen=True):
    """A snapshot of a table as a match is dealt, so that earlier entries need not be read."""

    number: int  # of the match
    seq: int  # of the entry that began it
    version: int
    at: float
    chairs: list[Chair]
    recent: dict[int, dict[str, int]]


def hash_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


@lru_cache(4096)
def _match_secret(secret: str, number: int) -> str:
    """Each match has its own secret, which tells nothing about the others."""
    message = f"match {number}".encode()
    return hmac.digest(bytes.fromhex(secret), message, "sha256").hex()


@lru_cache(4096)
def _commitment(secret: str, number: int) -> str:
    return commitment_of(_match_secret(secret, number))


class Table:
    """The state that the entries of a journal lead to."""

    __slots__ = (
        "_checked",
        "_last",
        "_recent",
        "agreed",
        "asked_at",
        "base",
        "chairs",
        "dealt_seeds",
        "game",
        "id",
        "match",
        "non_moves",
        "number",
        "paused",
        "paused_at",
        "secret",
        "seq",
        "served",
        "setup",
        "since",
        "start",
        "stored",
        "version",
        "waited",
    )

    def __init__(self, id: str, setup: Setup, secret: str, created: float) -> None:
        self.id = id
        self.game, self.setup = completed(setup)
        self.secret = secret  # the table's; each match derives its own from it
        assert self.setup.players is not None
        people = self.setup.players - len(setup.bots)
        self.chairs = [Chair() for _ in range(people)]
        self.chairs += [Chair("bot", level=level) for level in setup.bots]
        self.served = bool(setup.bots)  # whether bots play here, also for people who have left
        self.stored = np.array(
            self.game.read_options(self.setup.options, self.setup.players), np.int16
        )
        self.seq = 0  # of the last entry
        self.start: Start | None = None  # of the current match
        self.non_moves = 0  # entries of this match that are not moves
        self.number = 1  # of the match
        self.match: Match | None = None
        self.dealt_seeds: list[str | None] = []  # the seeds of the current deal
        self.waited = 0  # the seats the match waits for, as bits
        self.version = 0  # grows with every deal, move and undo
        self.base = 0  # the oldest version that a move may answer
        self.paused = False
        self.agreed: set[int] = set()  # seats that want a pause, or a rematch
        self.paused_at = created
        self.since = created  # time of the last deal, move or undo
        self.asked_at: dict[int, float] = {}  # since when the match waits for each seat
        self._recent: dict[int, dict[str, int]] = {}  # by seat: versions of recent moves, by id
        # The move that was found legal last: version, seat and action, and their numbers.
        self._checked: tuple[int, Seat, str, tuple[int, int]] = (-1, 0, "", (0, 0))
        self._last: Last | None = None  # the last move, if undoing it may be possible

    # --- What is public --------------------------------------------------------------------------

    @property
    def status(self) -> str:
        """`open`, `playing`, `paused` or `over`."""
        if self.match is None:
            return "open"
        if not self.waited:
            return "over"
        return "paused" if self.paused else "playing"

    @property
    def free(self) -> list[int]:
        return [seat for seat, chair in enumerate(self.chairs) if chair.kind == "free"]

    @property
    def people(self) -> list[int]:
        return [seat for seat, chair in enumerate(self.chairs) if chair.kind == "person"]

    @property
    def waiting(self) -> list[Seat]:
        """The seats the match waits for; none while it is paused, or over."""
        return [] if self.paused else seats_or_chance(self.waited)

    @property
    def person_moved(self) -> bool:
        """Whether a person made the last move and may want to undo it, allowed or not."""
        return self._last is not None

    def may_undo(self, seat: int | None) -> bool:
        if self._last is None or self._last.seat != seat or self.match is None:
            return False
        if self._last.harmless is None:
            self._last.harmless = reveals_nothing(
                self._last.before, self.match, self._last.seat, self._last.action, self._last.log
            )
        return self._last.harmless

    # --- The shuffle -----------------------------------------------------------------------------

    def match_secret(self, number: int) -> str:
        return _match_secret(self.secret, number)

    @property
    def commitment(self) -> str:
        """The hash of the secret of the match, or of the first match before it begins."""
        return _commitment(self.secret, self.number)

    @property
    def next_commitment(self) -> str | None:
        """After a match: the commitment of the next, so that seeds are chosen after the secret."""
        return _commitment(self.secret, self.number + 1) if self.status == "over" else None

    @property
    def key(self) -> bytes:
        """The key of all cards of the match."""
        return key_of(self.match_secret(self.number), self.dealt_seeds)

    @property
    def shuffle(self) -> Shuffle:
        """Where the cards came from: secret until the match is over."""
        return Shuffle(self.commitment, self.match_secret(self.number), self.dealt_seeds)

    # --- What people ask for: an entry, or Refused -----------------------------------------------

    def seat_of(self, token: str) -> int:
        """Whose token this is. Compares all of them, in constant time."""
        wanted, found = hash_of(token), None
        for seat, chair in enumerate(self.chairs):
            if hmac.compare_digest(wanted, chair.token):
                found = seat
        if found is None:
            raise Refused(Code.UNAUTHORIZED, "No seat at this table has this token.")
        return found

    def join(
        self, name: str, seed: str | None, token: str, pronoun: Pronoun | None = None
    ) -> Joined:
        shown, seed = read_name(name), read_seed(seed)
        if not self.free:
            raise Refused(Code.FULL, "There is no free seat at this table.")
        return Joined(self.free[0], shown, hash_of(token), seed, pronoun)

    def leave(self, seat: int) -> Left:
        if self.chairs[seat].left:
            raise Refused(Code.NOT_NOW, "You have already left.")
        return Left(seat)

    def fill(self, level: str) -> Filled:
        check_level(level, self.game)
        if not self.free:
            raise Refused(Code.NOT_NOW, "There is no free seat to fill.")
        return Filled(level)

    def seed(self, seat: int, seed: str) -> Seeded:
        chosen = read_seed(seed)
        assert chosen is not None
        if self.match is not None:
            raise Refused(Code.NOT_NOW, "The cards have already been dealt.")
        return Seeded(seat, chosen)

    def move(self, seat: int, version: int, action: str, id: str) -> Moved:
        match = self._running()
        if not self.base <= version <= self.version:
            raise Refused(Code.STALE, "The match has moved on. Look again.")
        try:
            self._checked = (self.version, seat, action, match.check(seat, action))
        except IllegalAction as error:
            raise Refused(Code.ILLEGAL, str(error)) from None
        return Moved(seat, action, id)

    def may_be_advised(self, seat: int) -> Match:
        """The match, if the seat may have a hint."""
        if self.match is None or self.status != "playing":
            raise Refused(Code.NOT_NOW, "There are hints only during a match.")
        others = [chair for other, chair in enumerate(self.chairs) if other != seat]
        if any(chair.kind == "person" and not chair.left for chair in others):
            raise Refused(Code.NOT_NOW, "There are hints only when everyone else is a bot.")
        if not legal_of(self.game, self.match.hidden(seat)[0], seat):
            raise Refused(Code.NOT_NOW, "You have nothing to choose right now.")
        return self.match

    def moved_already(self, seat: int, id: str) -> int | None:
        """The version that a move led to, if it was already made."""
        return self._recent.get(seat, {}).get(id) if id else None

    def undo(self, seat: int, version: int) -> Undone:
        self._running()
        if not self.setup.undo:
            raise Refused(Code.NOT_NOW, "This table does not allow undo.")
        if version != self.version:
            raise Refused(Code.STALE, "The match has moved on. Look again.")
        if not self.may_undo(seat):
            why = "your last move revealed something, or another player has acted since."
            raise Refused(Code.NOT_NOW, f"You cannot undo this: {why}")
        return Undone(seat)

    def pause(self, seat: int, asked: Set[int]) -> Agreed:
        """The match pauses once all who are asked agree."""
        self._running()
        return Agreed(seat, self._all_agree(seat, asked))

    def rematch(self, seat: int, asked: Set[int], seed: str | None) -> Agreed:
        if self.status != "over":
            raise Refused(Code.NOT_NOW, "This match is not over yet.")
        if self.number == MOST_MATCHES:
            raise Refused(Code.NOT_NOW, "This table has seen enough matches. Open a new one.")
        return Agreed(seat, self._all_agree(seat, asked), read_seed(seed))

    def resume(self, seat: int) -> Resumed:
        if not self.paused and seat not in self.agreed:
            raise Refused(Code.NOT_NOW, "The match is not paused.")
        return Resumed(seat)

    def _all_agree(self, seat: int, asked: Set[int]) -> bool:
        return asked <= self.agreed | {seat}

    def _running(self) -> Match:
        if self.match is None:
            raise Refused(Code.NOT_NOW, "The match has not begun: there are free seats.")
        if not self.waited:
            raise Refused(Code.NOT_NOW, "The match is over.")
        if self.paused:
            raise Refused(Code.PAUSED, "The match is paused. Resume it first.")
        return self.match

    def bound(self, entry: Entry) -> None:
        """Raises Refused when a match has had too many entries other than moves. It can still be
        played to its end, and a rematch begun."""
        if self.non_moves < MOST_NON_MOVES:
            return
        match entry:
            case Moved() | Joined() | Filled() | Returned():
                return
            case Resumed() if self.paused:
                return
            case Agreed() if self.status == "over" and (entry.all or entry.seat not in self.agreed):
                return
        raise Refused(Code.NOT_NOW, "There has been enough of that. Play on.")

    # --- Carrying out entries --------------------------------------------------------------------

    def fold(self, entry: Entry, at: float) -> Happened:
        self.seq += 1
        if isinstance(entry, Moved):
            return self._moved(entry, at)
        self.non_moves += 1
        happened = self._changed(entry, at)
        self._count_bots()
        return happened

    def _count_bots(self) -> None:
        self.served = any(chair.left or chair.kind == "bot" for chair in self.chairs)

    def _changed(self, entry: Entry, at: float) -> Happened:
        match entry:
            case Joined():
                self.chairs[entry.seat] = Chair(
                    "person",
                    name=entry.name,
                    token=entry.token,
                    seed=entry.seed,
                    pronoun=entry.pronoun,
                )
                return self._begin_if_full(at)
            case Filled():
                for seat in self.free:
                    self.chairs[seat] = Chair("bot", level=entry.level)
                return self._begin_if_full(at)
            case Seeded():
                self.chairs[entry.seat].seed = entry.seed
            case Left():
                if self.match is None:
                    self.chairs[entry.seat] = Chair()
                else:
                    self.chairs[entry.seat].left = True
                self.agreed.discard(entry.seat)
            case Returned():
                self.chairs[entry.seat].left = False
            case Agreed():
                return self._agreed(entry, at)
            case Resumed():
                self.agreed.discard(entry.seat)
                if self.paused:
                    self.paused, self.agreed, self.since = False, set(), at
                    # The clock may have been set: nobody gets more than all his time.
                    rested = max(at - self.paused_at, 0.0)
                    self.asked_at = {
                        seat: min(when + rested, at) for seat, when in self.asked_at.items()
                    }
            case Undone():
                assert self._last is not None
                self.match, asked_at = self._last.before, self._last.asked_at
                self._next_version(at)
                self.asked_at = asked_at  # an undo gives no extra time
                return Happened(undone=entry.seat, whole=True)
        return Happened()

    def _begin_if_full(self, at: float) -> Happened:
        return Happened() if self.free else self._begin(at)

    def _begin(self, at: float) -> Happened:
        self.dealt_seeds = [chair.seed for chair in self.chairs]
        self.match = self.game.dealt(len(self.chairs), self.stored, self.key)
        self.agreed = set()
        self.asked_at = {}
        self._next_version(at)
        self.non_moves = 0
        self.start = Start(
            self.number,
            self.seq,
            self.version,
            at,
            [chair.copy() for chair in self.chairs],
            {seat: dict(recent) for seat, recent in self._recent.items()},
        )
        return Happened(whole=True)

    def begin_at(self, start: Start) -> Happened:
        """Restores a snapshot, without the entries before it."""
        self.seq, self.number, self.version = start.seq, start.number, start.version - 1
        self.chairs = [chair.copy() for chair in start.chairs]
        self._count_bots()
        self._recent = {seat: dict(recent) for seat, recent in start.recent.items()}
        return self._begin(start.at)

    def _agreed(self, entry: Agreed, at: float) -> Happened:
        self.agreed.add(entry.seat)
        if self.waited:
            if entry.all:
                self.paused, self.agreed, self.paused_at = True, set(), at
            return Happened()
        self.chairs[entry.seat].seed = entry.seed
        if not entry.all:
            return Happened()
        for seat, chair in enumerate(self.chairs):
            if seat not in self.agreed:
                chair.seed = None  # chosen for the last match, before this one's commitment
        self.number += 1
        return self._begin(at)

    def _moved(self, entry: Moved, at: float) -> Happened:
        match = self.match
        assert match is not None
        before = match.copy() if self.setup.undo else None
        base, waited, asked_at = self.base, self.waited, self.asked_at
        # What was found legal a moment ago still is; what the journal says is not taken on trust.
        version, seat, action, known = self._checked
        if version != self.version or seat != entry.seat or action != entry.action:
            known = match.check(entry.seat, entry.action)
        log = match.carry_out(*known)  # the journal has the moves
        self._next_version(at, entry.seat)
        if not self.waited:
            self.agreed = set()  # agreeing to a pause is not agreeing to a rematch
        if isinstance(entry.seat, int):
            if self.waited and self.waited == waited & ~(1 << entry.seat) != waited:
                self.base = base  # the others still answer the same question
            if entry.id:
                recent = self._recent.setdefault(entry.seat, {})
                recent[entry.id] = self.version
                if len(recent) > REMEMBERED:
                    del recent[next(iter(recent))]
            if before is not None and entry.by == "player":
                self._last = Last(entry.seat, known[1], before, log, asked_at)
        return Happened(log, entry.seat, entry.action, entry.by, table=not self.waited)

    def _next_version(self, at: float, mover: Seat | None = None) -> None:
        assert self.match is not None
        self.waited = self.match.waited
        if self.setup.clock is not None:  # those who have not moved yet get no extra time
            before = {seat: when for seat, when in self.asked_at.items() if seat != mover}
            self.asked_at = {seat: before.get(seat, at) for seat in seats_of(self.waited)}
        self.version += 1
        self.base = self.version
        self.since = at
        self._last = None
