"""What is checked of every message, as it leaves a process."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from msgspec.json import decode

from lastcard.core.events import told_of
from lastcard.core.match import Match
from lastcard.core.views import Watch, shown
from lastcard.kernel import NOBODY
from lastcard.table.entries import Agreed, Entry, Filled, Left, Resumed, Seeded, Undone
from lastcard.table.messages import Update
from lastcard.table.refusals import Code
from lastcard.table.table import hash_of
from tests.helpers import NoOtherDeal, permuted

from .truth import Moment, TrueTable, Violation, without_presence

if TYPE_CHECKING:
    from lastcard.core.game import Game

    from .people import Asked, Device
    from .world import World

CODES = {str(code) for code in Code}
AGAINST_THE_MOVE = ("stale", "illegal", "not_now", "paused")
CLOSED_WITH = {"unavailable": 1013, "not_found": 4004}
PERMUTED = 0.01  # of all views, changes and steps are made again from other hidden cards
SLACK = 3.0  # seconds by which clocks of processes, and news, may be off


class Told:
    """One connection: what its client was told so far, and whether that is true."""

    def __init__(self, world: World, device: Device, known: int) -> None:
        self.world = world
        self.device = device
        self.known = known  # the version that the client knew before
        self.welcomed = False
        self.seat: int | None = None
        self.version = 0
        self.view: dict[str, Any] = {}
        self.public: dict[str, Any] = {}
        self.seq = 0  # the first entry that the table it was told may be as of
        self.refused = ""  # why it was not let in
        self.last = ""  # type of the last message

    @property
    def true(self) -> TrueTable:
        return self.world.truth.tables[self.device.table]

    def hear(self, text: str) -> None:
        self.true.check_no_token(text)
        message = decode(text)
        kind = message["type"]
        if not self.welcomed and kind not in ("welcome", "error"):
            raise Violation(f"told before the welcome: {text}")
        getattr(self, f"_{kind}")(message)
        self.last = kind
        if kind == "update" and self.world.rng.random() < PERMUTED:
            self._check_hidden_update(decode(text, type=Update))

    def closed(self, code: int) -> None:
        """Whoever is refused at first learns whether to come back."""
        if not self.welcomed and self.refused and code != CLOSED_WITH.get(self.refused, 1008):
            raise Violation(f"{self.refused}, but closed with {code}")

    # --- What a match and a table are ------------------------------------------------------------

    def _welcome(self, message: dict[str, Any]) -> None:
        first, self.welcomed = not self.welcomed, True
        self.seat = message["seat"]
        if first and self.seat != self.device.seat:
            raise Violation(f"seat {self.device.seat} is welcomed as {self.seat}")
        self._table(message)
        self.version = self.known if first else self.version
        if message["match"] is not None:
            self._whole(message["match"])
        elif self.true.table.match is not None and self.known:
            raise Violation("welcomed without the match that was already known")

    def _match(self, message: dict[str, Any]) -> None:
        self._whole(message["match"])

    def _whole(self, told: dict[str, Any]) -> None:
        version, view = told["version"], told["view"]
        if version < self.version:
            raise Violation(f"from version {self.version} back to {version}")
        moment = self._moment(version)
        if told["number"] != moment.number:
            raise Violation(f"match {told['number']}, which is {moment.number}")
        self.version, self.view = version, view
        self._check_view(told["undo"])
        if self.world.rng.random() < PERMUTED:
            check_hidden(moment, self.seat, moment.text(self.seat), None, self.world.rng)

    def _update(self, message: dict[str, Any]) -> None:
        if message["version"] != self.version + 1:
            raise Violation(f"an update from {self.version} to {message['version']}")
        self.version += 1
        moment = self._moment(self.version)
        happened = moment.happened
        if happened.log is None or (message["seat"], message["by"]) != (
            happened.seat,
            happened.by,
        ):
            raise Violation(f"version {self.version} is {happened}, not {message}")
        if message["events"] != decode(moment.told(self.seat)):
            raise Violation(f"events {message['events']}, but {moment.told(self.seat)!r}")
        self.view = {**self.view, **message["changes"]}
        self._check_view(message["undo"])
        check_seconds(self.true, message["seconds"])

    def _check_hidden_update(self, message: Update) -> None:
        """The changes are those between what the seat knew and knows, whatever it does not."""
        before, after = self._moment(self.version - 1), self._moment(self.version)
        if after.match.over:
            return
        watch, rng = Watch(self.true.table.game, self.seat), self.world.rng
        watch.whole(_otherwise(before.match, self.seat, rng).hidden(self.seat))
        changes = watch.look(_otherwise(after.match, self.seat, rng).hidden(self.seat))
        if changes != bytes(message.changes):
            raise Violation(f"depends on hidden cards: {message}")
        check_hidden(after, self.seat, None, bytes(message.events), rng)

    def _moment(self, version: int) -> Moment:
        if version not in self.true.moments:
            raise Violation(f"version {version} was never committed")
        return self.true.moments[version]

    def _check_view(self, undo: bool) -> None:
        moment = self._moment(self.version)
        if self.view != (true := moment.view(self.seat)):
            wrong = {key for key in true if true[key] != self.view.get(key)}
            raise Violation(f"the view of seat {self.seat} at {self.version} is wrong: {wrong}")
        if undo != (moment.undo is not None and moment.undo == self.seat):
            raise Violation(f"undo is {undo} for seat {self.seat} at {self.version}")

    def _table(self, message: dict[str, Any]) -> None:
        told = message["table"]
        check_seconds(self.true, told["seconds"])
        public, true = without_presence(told), self.true
        for seq in range(self.seq, true.seq + 1):
            if true.publics[seq] == public:
                self.seq, self.public = seq, public
                return
        raise Violation(f"the table was never like this since {self.seq}: {public}")

    def _undone(self, message: dict[str, Any]) -> None:
        if not isinstance(message["seat"], int):
            raise Violation(f"undone by {message['seat']}")

    def _reaction(self, message: dict[str, Any]) -> None:
        if (message["seat"], message["reaction"]) not in self.world.reactions:
            raise Violation(f"nobody has said {message}")

    # --- Answers ---------------------------------------------------------------------------------

    def _hint(self, message: dict[str, Any]) -> None:
        moment = self._moment(message["version"])
        legal = {*moment.view(self.device.seat)["legal"], None}
        if not all(one["action"] in legal for one in message["best"]):
            raise Violation(f"a hint that is not legal: {message}")

    def _ok(self, message: dict[str, Any]) -> None:
        if message["id"] not in self.world.asked:
            raise Violation(f"an answer to nobody: {message}")
        asked = self.world.asked[message["id"]]
        if asked.kind == "move":
            led_to = self.true.moves.get((asked.seat, message["id"]))
            if led_to is None or led_to != message["version"]:
                raise Violation(f"acknowledged: {message}, but committed as {led_to}")
        elif not self._was_carried_out(asked, message["version"]):
            raise Violation(f"acknowledged, but not committed: {asked} {message}")

    def _was_carried_out(self, asked: Asked, version: int | None) -> bool:
        since = self.true.entries[asked.seq :]
        match asked.kind:
            case "undo":
                return any(is_of(one, Undone, asked.seat) for one in since) and version is not None
            case "leave":
                return any(is_of(one, Left, asked.seat) for one in since)
            case "fill":
                return any(isinstance(one, Filled) for one in since)
            case "seed":
                return any(is_of(one, Seeded, asked.seat) for one in since)
            case "resume":
                return any(is_of(one, Resumed, asked.seat) for one in since)
            case "rematch":
                return any(is_of(one, Agreed, asked.seat) for one in since)
            case "pause":  # agreed already, perhaps
                return any(is_of(one, Agreed, asked.seat) for one in self.true.entries)
        return True

    def _error(self, message: dict[str, Any]) -> None:
        if message["code"] not in CODES:
            raise Violation(f"no such code: {message}")
        if not self.welcomed:
            self.refused = message["code"]
        if not self.welcomed and message["code"] == "unauthorized" and self.device.token:
            token = hash_of(self.device.token)
            if any(chair.token == token for chair in self.true.table.chairs):
                raise Violation(f"seat {self.device.seat} is not let in")
        asked = self.world.asked.get(message["id"])
        if asked is None or asked.kind != "move" or message["code"] == "unavailable":
            return
        asked.refused = True
        remembered = self.true.table._recent.get(asked.seat, {})
        if message["id"] in remembered and message["code"] in AGAINST_THE_MOVE:
            raise Violation(f"refused, although it is made: {message}")
        if message["code"] == "stale" and self.last != "match" and self.true.table.match:
            raise Violation(f"stale, but not shown the match: {message}")


def is_of(entry: Entry, kind: type[Any], seat: int) -> bool:
    return isinstance(entry, kind) and entry.seat == seat


def check_seconds(true: TrueTable, seconds: float | None) -> None:
    clock = true.table.setup.clock
    if seconds is not None and (clock is None or not 0 <= seconds <= clock + SLACK):
        raise Violation(f"{seconds} seconds left of {clock}")


def _otherwise(match: Match, seat: int | None, rng: random.Random) -> Match:
    try:
        return permuted(match, seat, rng)
    except NoOtherDeal:
        return match


def check_hidden(
    moment: Moment, seat: int | None, view: bytes | None, events: bytes | None, rng: random.Random
) -> None:
    """A view would be the same if what the seat cannot see were otherwise; and so would events."""
    match = moment.match
    if view is not None and not match.over:
        other = _otherwise(match, seat, rng)
        if shown(match.game, other.hidden(seat)[0], seat) != view:
            raise Violation(f"depends on hidden cards: {view!r}")
    if events is not None and moment.happened.log is not None:
        other = with_other_secrets(match.game, moment.happened.log, seat)
        if told_of(match.game, other, seat) != events:
            raise Violation(f"depends on secrets: {events!r}")


def with_other_secrets(game: Game, log: Any, seat: int | None) -> Any:
    """The same events, where the seat does not see each secret, with another one in its place."""
    other, viewer = log.copy(), NOBODY if seat is None else seat
    for row in other[1 : 1 + log[0, 0]]:
        event, eyes = game.events[row[0]], int(row[2])
        if viewer != NOBODY and eyes >> viewer & 1:
            continue
        for column, (name, names) in enumerate(event.values.items(), 3):
            if name in event.secret and names and 0 <= row[column] < len(names):
                row[column] = (row[column] + 1) % len(names)
    return other
