"""What people ask over HTTP, and what is checked of each answer, as it leaves a process."""

from __future__ import annotations

import asyncio
import contextlib
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from msgspec.json import decode

from lastcard.core.files import MatchFile, digest
from lastcard.table.messages import Steps
from lastcard.table.table import hash_of

from .checks import CODES, PERMUTED, check_hidden, check_seconds
from .network import Lines, Lost
from .truth import TrueTable, Violation, without_presence

if TYPE_CHECKING:
    from .people import Party
    from .world import World

EVERY = 4.0  # seconds between two questions about a table, on average
PAGE = 12  # steps at most, usually
TROUBLE = (429, 503)  # statuses of answers that say to try again


@dataclass(frozen=True)
class Question:
    """A request for something that is there, or secret, and who asks."""

    path: str
    number: int = 0  # of the match
    seat: int | None = None  # whose view
    token: str = ""
    all_open: bool = False
    first: int = 0
    count: int = 0


class Reader:
    """Asks about a table without being connected: with a player's token, or as anybody."""

    def __init__(self, party: Party) -> None:
        self.party = party
        self.world: World = party.world
        self.rng = random.Random(f"{self.world.plan.seed} reader {party.number}")
        self.address = f"10.3.0.{party.number + 1}"

    async def read(self) -> None:
        while not self.world.ending:
            await asyncio.sleep(self.rng.uniform(0, 2 * EVERY))
            process = self.world.any_process(self.rng)
            if process is None or not self.party.id:
                continue
            asked = self._question()
            with contextlib.suppress(Lost):
                await Lines(self.world, process).ask(
                    "GET", asked.path, self.address, token=asked.token, check=self._checks(asked)
                )

    @property
    def true(self) -> TrueTable:
        return self.world.truth.tables[self.party.id]

    # --- Asking ----------------------------------------------------------------------------------

    def _question(self) -> Question:
        rng, table = self.rng, self.true.table
        path = f"/api/tables/{self.party.id}"
        kind = rng.random()
        if kind < 0.1:
            return Question("/api/tables")
        if kind < 0.3 or table.match is None:
            return Question(path)
        token = rng.choice([*(device.token for device in self.party.devices), ""])
        number = table.number if rng.random() < 0.8 else rng.randint(1, table.number)
        if kind < 0.45:
            return Question(f"{path}/matches/{number}/file", number, token=token)
        return self._steps(f"{path}/matches/{number}/steps", number, token)

    def _steps(self, path: str, number: int, token: str) -> Question:
        """Of one's own seat, of another, or as a spectator; or with all cards."""
        rng, seats = self.rng, [None, *range(len(self.true.table.chairs))]
        seat = self._seat_of(token) if rng.random() < 0.6 else rng.choice(seats)
        all_open, count = rng.random() < 0.2, rng.randint(1, PAGE)
        last = self.true.table.version - min(self._moments(number), default=0)
        first = rng.choice((0, max(last - count, 0), rng.randint(0, last + 1)))
        query = f"from={first}&count={count}"
        query += "" if seat is None else f"&seat={seat}"
        query += "&open=true" if all_open else ""
        return Question(f"{path}?{query}", number, seat, token, all_open, first, count)

    def _seat_of(self, token: str) -> int | None:
        """Whose token it is, as long as it is anybody's."""
        chairs = self.true.table.chairs if token else []
        return next((n for n, one in enumerate(chairs) if one.token == hash_of(token)), None)

    def _moments(self, number: int) -> dict[int, Any]:
        return {
            version: moment
            for version, moment in self.true.moments.items()
            if moment.number == number
        }

    # --- Checking --------------------------------------------------------------------------------

    def _checks(self, asked: Question) -> Any:
        def check(status: int, text: str) -> None:
            self.true.check_no_token(text)
            try:
                self._check(asked, status, text)
            except Violation as violation:
                raise Violation(f"{asked} is answered {status}: {violation}") from None

        return check

    def _check(self, asked: Question, status: int, text: str) -> None:
        if status != 200:
            self._check_refusal(asked, status, decode(text))
        elif asked.path == "/api/tables":
            self._check_list(decode(text)["tables"])
        elif not asked.number:
            self._check_table(decode(text))
        elif self._may_see(asked):
            self._check_steps(asked, text) if asked.count else self._check_file(asked, text)
        else:
            raise Violation("that is secret")

    def _may_see(self, asked: Question) -> bool:
        own = self._seat_of(asked.token)
        if own is None and (asked.token or not self.true.table.setup.watch):
            return False  # nobody's token any more, or nobody may watch
        if self.true.is_over(asked.number):
            return True
        return asked.count > 0 and not asked.all_open and asked.seat in (None, own)

    def _check_refusal(self, asked: Question, status: int, error: dict[str, Any]) -> None:
        """A process may be behind, but not without a sign of it."""
        if error["code"] not in CODES:
            raise Violation(f"no such code: {error}")
        if status in TROUBLE or (status == 404 and asked.number):
            return
        behind = status == 409 and (asked.all_open or not asked.count)  # not over there
        stranger = status == 401 and not (self._may_see(asked) and asked.seat is None)
        own = status == 401 and asked.seat is not None and asked.seat == self._seat_of(asked.token)
        if not asked.number or own or not (behind or stranger):
            raise Violation(f"without reason: {error}")

    def _check_list(self, listed: list[dict[str, Any]]) -> None:
        for told in listed:
            true = self.world.truth.tables.get(told["id"])
            if true is None or not true.table.setup.public:
                raise Violation(f"no public table: {told}")
            if not any(summary_of(public) == told for public in true.publics):
                raise Violation(f"the table was never like this: {told}")

    def _check_table(self, told: dict[str, Any]) -> None:
        check_seconds(self.true, told["seconds"])
        if without_presence(told) not in self.true.publics:
            raise Violation(f"the table was never like this: {told}")

    def _check_steps(self, asked: Question, text: str) -> None:
        answer = decode(text, type=Steps)
        versions = sorted(self._moments(asked.number))
        if answer.of > len(versions):
            raise Violation(f"{answer.of} steps of {len(versions)}")
        expected = versions[: answer.of][asked.first : asked.first + asked.count]
        if expected != [step.version for step in answer.steps]:
            raise Violation(f"expected {expected}")
        for step in answer.steps:
            moment = self.true.moments[step.version]
            moved = moment.happened.log is not None
            who = (moment.happened.seat, moment.happened.by) if moved else (None, None)
            if (step.seat, step.by) != who:
                raise Violation(f"version {step.version} is {who}")
            if bytes(step.view) != moment.text(asked.seat, asked.all_open):
                raise Violation(f"the view at {step.version} is wrong: {step.view!r}")
            if bytes(step.events) != moment.told(asked.seat, asked.all_open):
                raise Violation(f"the events at {step.version} are wrong: {step.events!r}")
            if not asked.all_open and self.rng.random() < PERMUTED:
                check_hidden(moment, asked.seat, bytes(step.view), bytes(step.events), self.rng)

    def _check_file(self, asked: Question, text: str) -> None:
        """It has all moves but those that were taken back, and what the cards were dealt from."""
        content = decode(text, type=MatchFile)
        moves: list[tuple[int | str | None, str]] = []
        moments = self._moments(asked.number)
        for _, moment in sorted(moments.items()):
            if moment.happened.undone is not None:
                moves.pop()
            elif moment.happened.log is not None:
                moves.append((moment.happened.seat, moment.happened.action))
        if content.moves != moves or content.state != digest(moments[max(moments)].match):
            raise Violation("another match was played")
        table = self.true.table
        assert content.shuffle is not None
        if content.shuffle.secret != table.match_secret(asked.number):
            raise Violation("dealt from another secret")


def summary_of(public: dict[str, Any]) -> dict[str, Any]:
    """A table in the list, by what is public about it."""
    seats = public["seats"]
    people = [one["name"] for one in seats if one["kind"] == "person" and not one["left"]]
    free = sum(one["kind"] == "free" for one in seats)
    same = ("id", "game", "players", "status", "clock", "watch")
    return {**{key: public[key] for key in same}, "names": people, "free": free}
