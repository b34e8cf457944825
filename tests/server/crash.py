"""The crash storm: people play on while their server is killed again and again.

usage: python -m tests.server.crash --database sqlite|postgresql --kills 1000 [--workers 8]

More than 200 kills, or several workers, are several storms, each on a database of its own.

Whatever was answered with `ok` must be in its match once, at the version that was answered, and
nothing else; nobody may see a match go back; and when the storm is over all tables play on.
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import operator
import os
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field, fields
from typing import Any

from tests.postgres import free_port, postgres
from tests.server.client import Lost, Move, Player, Refused, Server
from tests.workers import format_failure, spread

SOON, LATE = 0.05, 0.5  # seconds for which a server lives after it is ready
AFTERWARDS = 10  # moves that every table must get when the storm is over
QUIET = 300.0  # seconds in which it must get them, and in which all that is under way is answered
ONE_LIFE = 20.0  # seconds that a kill and a start may take on average
UNLIMITED = (
    *("--tables-per-hour", "1000000", "--connections-per-address", "1000000"),
    *("--requests-per-second", "100000"),
)
PAGE = 200
ONE_STORM = 200  # kills at most: later some tables have had as many short matches as one may have

Place = tuple[int, int]  # a match's number and a version of it


@dataclass(frozen=True)
class Report:
    kills: int
    tables: int
    matches: int
    acknowledged: int
    found_applied: int  # sent again although they had been carried out
    stale: int
    seconds: float  # of all storms together
    lost: tuple[str, ...]
    twice: tuple[str, ...]

    def __add__(self, other: Report) -> Report:
        names = [one.name for one in fields(self)]
        return Report(**{name: getattr(self, name) + getattr(other, name) for name in names})

    def __str__(self) -> str:
        return (
            f"{self.kills:,} kills, {self.tables} tables, {self.matches:,} matches, "
            f"{self.acknowledged:,} moves acknowledged, {len(self.lost)} lost, {len(self.twice)} "
            f"carried out twice; {self.found_applied:,} were sent again and found carried out, "
            f"{self.stale:,} were stale; {self.seconds:,.0f} s"
        )


@dataclass
class Table:
    id: str
    game: str
    tokens: list[str]
    shown: Place = (0, 0)  # the furthest that anybody was told of
    acknowledged: list[tuple[int, Move]] = field(default_factory=list)  # with the seat
    stale: int = 0

    def __str__(self) -> str:
        return f"table {self.id} ({self.game})"


class Witness(Player):
    """A player who notices when a match goes back, or leaves something out."""

    def __init__(self, url: str, at: Table, token: str) -> None:
        super().__init__(url, at.id, token)
        self.at = at
        self._known: Place = (0, 0)

    @property
    def place(self) -> Place:
        return self.number, self.version

    def calling(self) -> None:
        # What is shown to others from now on may be younger than the welcome that is on its way.
        self._known = self.at.shown

    def heard(self, message: dict[str, Any]) -> None:
        before = self.place
        super().heard(message)
        type, place = message["type"], self.place
        if type == "welcome":
            assert place >= self._known, f"{self}: welcomed to {place} after {self._known}"
        assert place >= before, f"{self}: from {before} back to {place} with {type!r}"
        if type == "update":
            assert place == (before[0], before[1] + 1), f"{self}: from {before} on to {place}"
        self.at.shown = max(self.at.shown, place)


class Storm:
    def __init__(
        self,
        server: Server,
        tables: Sequence[Table],
        rng: random.Random,
        tell: Callable[[str], None],
    ) -> None:
        self._server = server
        self._tables = tables
        self._rng = rng
        self._tell = tell
        self._calm = False
        self._players: list[Witness] = []

    async def rage(self, kills: int) -> None:
        """Kills the server so many times while everybody plays."""
        async with AsyncExitStack() as stack, asyncio.timeout(2 * QUIET + kills * ONE_LIFE):
            for table in self._tables:
                for token in table.tokens:
                    player = Witness(self._server.url, table, token)
                    self._players.append(await stack.enter_async_context(player))
            async with asyncio.TaskGroup() as group:
                playing = [group.create_task(self._play(player)) for player in self._players]
                await self._kill(kills)
                await self._see_them_go_on()
                self._calm = True
                await self._until(lambda: not any(player.unanswered for player in self._players))
                for task in playing:
                    task.cancel()

    async def _kill(self, kills: int) -> None:
        for count in range(1, kills + 1):
            await asyncio.sleep(self._rng.uniform(SOON, LATE))
            await asyncio.to_thread(self._server.kill)
            await asyncio.to_thread(self._server.start)
            if count % 10 == 0:
                moves = sum(len(table.acknowledged) for table in self._tables)
                self._tell(f"{count} kills, {moves} moves acknowledged")

    async def _see_them_go_on(self) -> None:
        before = {table.id: len(table.acknowledged) for table in self._tables}

        def standing() -> list[Table]:
            return [
                table
                for table in self._tables
                if len(table.acknowledged) < before[table.id] + AFTERWARDS
            ]

        await self._until(lambda: not standing(), lambda: ", ".join(map(str, standing())))

    async def _until(self, done: Callable[[], bool], missing: Callable[[], str] = str) -> None:
        deadline = time.monotonic() + QUIET
        while not done():
            assert time.monotonic() < deadline, f"not after {QUIET} s: {missing()}"
            await asyncio.sleep(0.02)

    async def _play(self, player: Witness) -> None:
        rng = random.Random(self._rng.getrandbits(64))
        while not self._calm:
            if legal := player.legal:
                await self._move(player, rng.choice(legal))
            elif self._wants_another(player):
                await self._rematch(player)
            else:
                await player.news()

    async def _move(self, player: Witness, action: str) -> None:
        before = player.place
        try:
            move = await player.move(action)
        except Refused as refusal:
            if refusal.code == "too_fast":
                await asyncio.sleep(0.2)
                return
            # The other one was faster; what he did, and be it the match's end, is on its way.
            late = refusal.code in ("stale", "not_now")
            assert late, f"{player}: {action!r} at {before}: {refusal}"
            player.at.stale += 1
            while player.place == before:
                await player.news()
            return
        assert player.seat is not None
        assert move.led_to > move.version, f"{player}: {move}"
        player.at.acknowledged.append((player.seat, move))
        place = (move.match, move.led_to)
        player.at.shown = max(player.at.shown, place)
        while player.place < place:
            await player.news()

    def _wants_another(self, player: Witness) -> bool:
        over = player.table["status"] == "over" and player.view["over"]
        return over and player.seat not in player.table["agreed"]

    async def _rematch(self, player: Witness) -> None:
        before = player.place
        try:
            await player.say("rematch")
        except (Lost, Refused) as error:
            # Agreed already, and the other one, too: the news of it is on its way.
            late = isinstance(error, Refused) and error.code in (
                "not_now",
                "too_fast",
                "unavailable",
            )
            assert late or isinstance(error, Lost), f"{player}: rematch: {error}"
            await asyncio.sleep(0.05)
            return
        while player.place == before and self._wants_another(player):
            await player.news()


def set_up(server: Server, count: int, rng: random.Random) -> list[Table]:
    """Tables for two, as many of every game, at short matches."""
    games: list[dict[str, Any]] = _get(server, "/api/games")["games"]
    tables = []
    for number in range(count):
        game = games[number % len(games)]
        defaults = {option["name"]: option["default"] for option in game["options"]}
        options: dict[str, Any] = {}
        if "rounds" in defaults:
            options["rounds"] = 1
        if defaults.get("target") is not None:  # where it is none, to set one makes it longer
            options["target"] = 30
        if "out_of_turn" in defaults:  # both may move at once: moves get stale
            options["out_of_turn"] = rng.random() < 0.5
        setup = {"game": game["id"], "players": 2, "options": options, "name": "A", "grace": None}
        made = _post(server, "/api/tables", setup)
        joined = _post(server, f"/api/tables/{made['table']}/join", {"name": "B"})
        tables.append(Table(made["table"], game["id"], [made["token"], joined["token"]]))
    return tables


@dataclass
class Audit:
    """What was acknowledged, beside what the server has."""

    matches: int = 0
    lost: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)

    def look(self, server: Server, table: Table) -> None:
        now = _get(server, f"/api/tables/{table.id}")
        last: int = now["number"]
        self.matches += last
        by_match: dict[int, list[tuple[int, Move]]] = defaultdict(list)
        for seat, move in table.acknowledged:
            by_match[move.match].append((seat, move))
        for number in range(1, max([last, *by_match]) + 1):
            where, told = f"{table}, match {number}", by_match[number]
            if number > last:
                self.lost += [f"{where}: {move}, and the whole match" for _, move in told]
            else:
                over = number < last or now["status"] == "over"
                path = f"/api/tables/{table.id}/matches/{number}"
                self._compare(server, path, over, where, told)

    def _compare(
        self, server: Server, path: str, over: bool, where: str, told: list[tuple[int, Move]]
    ) -> None:
        """A match. Moves are sent until they are acknowledged, so that any others that it has are
        the same ones, once more."""
        journal = steps(server, path)
        found = Counter((step["version"], step["seat"]) for step in journal if _by_player(step))
        known = Counter((move.led_to, seat) for seat, move in told)
        self.lost += [f"{where}: version and seat {one}" for one in (known - found).elements()]
        self.twice += [f"{where}: version and seat {one}" for one in (found - known).elements()]
        others = {step["by"] for step in journal[1:]} - {"player", "chance"}
        assert not others, f"{where}: moved by {others}"
        if over:
            moves = _get(server, f"{path}/file")["moves"]
            assert len(moves) == len(journal) - 1, f"{where}: {len(moves)} moves in its file"
            deal = journal[0]["version"]
            for seat, move in told:
                if moves[move.led_to - deal - 1] != [seat, move.action]:
                    self.lost.append(f"{where}: {move}, in its file")


def _by_player(step: dict[str, Any]) -> bool:
    return bool(step["by"] == "player")


def steps(server: Server, path: str) -> list[dict[str, Any]]:
    """All steps of a match, as somebody who watches sees them."""
    found: list[dict[str, Any]] = []
    while True:
        page = _get(server, f"{path}/steps?from={len(found)}&count={PAGE}")
        found += page["steps"]
        if len(found) >= page["of"]:
            break
        assert page["steps"], f"{path}: {len(found)} of {page['of']} steps, then none"
    versions = [step["version"] for step in found]
    assert versions == [*range(versions[0], versions[0] + len(found))], f"{path}: {versions}"
    return found


def storm(
    database_url: str,
    kills: int,
    tables: int,
    seed: int,
    tell: Callable[[str], None] = lambda _: None,
    port: int = 0,
) -> Report:
    """Runs the storm on a database, and says what was lost or done twice. Raises AssertionError if
    anything else is wrong."""
    begun = time.monotonic()
    rng = random.Random(seed)
    with Server(database_url, *UNLIMITED, port=port) as server:
        try:
            everybody = set_up(server, tables, rng)
            asyncio.run(Storm(server, everybody, rng, tell).rage(kills))
            audit = Audit()
            for table in everybody:
                audit.look(server, table)
        except Exception as error:
            raise AssertionError(
                f"{_first(error)}\nIts log ends:\n{server.log[-5_000:]}"
            ) from error
    acknowledged = [move for table in everybody for _, move in table.acknowledged]
    return Report(
        kills=kills,
        tables=tables,
        matches=audit.matches,
        acknowledged=len(acknowledged),
        found_applied=sum(move.was_there for move in acknowledged),
        stale=sum(table.stale for table in everybody),
        seconds=time.monotonic() - begun,
        lost=tuple(audit.lost),
        twice=tuple(audit.twice),
    )


def _first(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error) if isinstance(error, AssertionError) else repr(error)


def _get(server: Server, path: str) -> dict[str, Any]:
    return _asked(server, "GET", path, None, 200)


def _post(server: Server, path: str, body: dict[str, Any]) -> dict[str, Any]:
    return _asked(server, "POST", path, body, 201)


def _asked(server: Server, method: str, path: str, body: Any, expected: int) -> dict[str, Any]:
    """An answer, however long it takes until one may ask."""
    deadline = time.monotonic() + QUIET
    while True:
        status, answer = server.request(method, path, body)
        if status != 429 or time.monotonic() > deadline:
            break
        time.sleep(0.2)
    assert status == expected, f"{method} {path}: {status} {answer}"
    return answer


@contextmanager
def database(kind: str) -> Iterator[str]:
    """The URL of an empty database that is gone afterwards."""
    if kind == "sqlite":
        with tempfile.TemporaryDirectory(prefix="lastcard-crash-") as folder:
            yield f"sqlite:///{folder}/tables.sqlite"
    else:
        with postgres() as url:
            yield url


@dataclass(frozen=True)
class Part:
    """A storm among several."""

    database: str
    kills: int
    tables: int
    seed: int
    port: int  # not found out by itself: another storm might take it while its server is down

    def run(self) -> Report:
        with database(self.database) as url:
            return storm(url, self.kills, self.tables, self.seed, self._tell, self.port)

    def _tell(self, line: str) -> None:
        print(f"seed {self.seed}: {line}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Kills a server again and again while people play."
    )
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="storms at a time")
    chosen = parser.parse_args()
    size = min(ONE_STORM, -(-chosen.kills // chosen.workers))
    shares = [min(size, chosen.kills - done) for done in range(0, chosen.kills, size)]
    ports: set[int] = set()
    while len(ports) < len(shares):
        ports.add(free_port())
    parts = [
        Part(chosen.database, kills, chosen.tables, chosen.seed + number * ONE_STORM, port)
        for number, (kills, port) in enumerate(zip(shares, ports, strict=True))
    ]
    reports: list[Report] = []
    for part, result in spread(Part.run, parts, chosen.workers):
        if isinstance(result, BaseException):
            sys.exit(f"{format_failure(result)}\n{part}")
        reports.append(result)
        print(f"{chosen.database}, seed {part.seed}: {result}", flush=True)
    total = functools.reduce(operator.add, reports)
    print(f"{chosen.database}, {len(reports)} storms, {chosen.workers} at a time: {total}")
    for what, moves in (("lost", total.lost), ("twice", total.twice)):
        print("".join(f"{what}: {one}\n" for one in moves), end="")
    sys.exit(bool(total.lost or total.twice))


if __name__ == "__main__":
    main()
