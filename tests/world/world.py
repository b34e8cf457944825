"""A world: processes, a database, a network and people, in one loop, all from a seed."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import hashlib
import logging
import math
import random
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec.json import decode

from lastcard.table.entries import Left
from lastcard.table.hosted import BACK_WITHIN, HostedTable
from lastcard.table.sqlite import Sqlite
from lastcard.table.table import hash_of
from lastcard.table.times import Times

from . import patches
from .answers import Reader
from .loop import OWNER, Stuck, VirtualLoop
from .network import Check, Lines, Lost, Wire
from .people import Asked, Device, Party
from .plan import SILENCING, USUAL_SKEW, Faults, Plan
from .process import RESTARTED_WITHIN, Process
from .storage import OUTSIDE, Shared, SharedServer, new_file
from .truth import SKEW, Break, TrueTable, Truth, Violation, state_of

EPOCH = 1_800_000_000.0
LOOK = 1.0  # seconds between checks of what should have happened by now
ANSWERED = HEARD = 7.0  # seconds; what nobody announces is looked for every five
MOVED = 14.0  # seconds: a bot's patience, and until another process steps in
GONE = 45.0  # seconds until all processes know that somebody is gone
CALM = 15.0  # seconds that people play on when nothing goes wrong any more
LAST_TROUBLE = HANGS = 8.0  # seconds after which a process still stalls, or a commit is late
FORGOTTEN = Times.silence + Times.heartbeat  # since news of a process that was killed
SETTLED = LAST_TROUBLE + FORGOTTEN + 1.0 - CALM  # seconds in which everybody knows everything
TAKEN_OVER = 9.0  # seconds since a process was gone; others know what it said ten seconds ago
ON_ITS_WAY = 1.0  # seconds since which bots may have made moves that are not known yet
REPLAYED = 0.3  # of all worlds have their matches replayed in the end
PAGE = 200  # steps
MATCHES = f"/api/tables/{{}}/matches/{{}}/steps?count={PAGE}"


@dataclass(frozen=True)
class Report:
    """How a world went."""

    plan: Plan
    violation: str | None
    digest: str  # of all that was sent, heard and written
    steps: int
    entries: int
    seconds: float  # of the world's own time
    happened: tuple[str, ...]  # faults
    trace: tuple[str, ...]

    def __str__(self) -> str:
        how = self.violation or "fine"
        return f"seed {self.plan.seed}: {how} ({self.steps} steps, {self.entries} entries)"


class World:
    def __init__(self, plan: Plan, keep_trace: bool = False) -> None:
        self.plan = plan
        self.rng = random.Random(f"{plan.seed} world")
        self.faults = Faults(plan)
        self.epoch = EPOCH
        self.loop = VirtualLoop(self._after_step, self._problem)
        self.loop.work_takes = self._work_takes
        fair = "clock set" not in plan.faults and plan.skew <= USUAL_SKEW
        self.truth = Truth(self.loop.time, EPOCH, fair, self.note)
        self.processes: list[Process] = []
        self.wires: dict[Wire, Device] = {}
        self.parties: list[Party] = []
        self.asked: dict[str, Asked] = {}
        self.reactions: set[tuple[int | None, str]] = set()
        self.changed = 0.0  # when a process came up or went down last
        self.ending = False
        self.trace: list[str] = []
        self.file: Path | None = None
        self._keep_trace = keep_trace
        self._digest = hashlib.blake2b(digest_size=8)
        self._violation: str | None = None
        self._wires = 0
        self._seen: dict[HostedTable, int] = {}
        self._tasks: list[asyncio.Task[Any]] = []
        self._server: SharedServer | None = None

    # --- Running ---------------------------------------------------------------------------------

    def run(self) -> Report:
        with contextlib.ExitStack() as stack:
            if self.plan.shared:
                self._server = SharedServer(self)
            else:
                folder = stack.enter_context(tempfile.TemporaryDirectory(dir=_memory()))
                self.file = Path(folder) / "world.db"
                new_file(self.file)
            stack.enter_context(patches.installed(self))
            stack.enter_context(_no_collection())
            stack.enter_context(_errors_noticed(self.fail))
            stack.callback(self._end)
            main: asyncio.Task[None] = self.loop.create_task(self._main())
            main.add_done_callback(self._done)
            try:
                self.loop.run()
            except Stuck as stuck:
                self.fail(str(stuck))
        return Report(
            self.plan,
            self._violation,
            self._digest.hexdigest(),
            self.loop.steps,
            sum(one.seq for one in self.truth.tables.values()),
            self.loop.now,
            tuple(self.faults.happened),
            tuple(self.trace),
        )

    def _end(self) -> None:
        for process in self.processes:
            if not process.dead:
                process.die()
        if self._server is not None:
            self._server.raw.close()

    async def _main(self) -> None:
        for number in range(self.plan.processes):
            self._start(number)
        self.parties = [Party(self, number) for number in range(self.plan.tables)]
        for party in self.parties:
            self.spawn(party.meet())
            self.spawn(Reader(party).read())
        self.spawn(self._look())
        self.spawn(self._disturb())
        await asyncio.sleep(self.plan.seconds)
        self.note("calm")
        self.faults.calm = True
        await asyncio.sleep(CALM)
        self.ending = True
        await asyncio.sleep(SETTLED)
        self._check_settled()
        if self.rng.random() < REPLAYED:
            await self._check_replays()
        self.loop.stopped = True

    def spawn(self, work: Any) -> None:
        task = self.loop.create_task(work)
        self._tasks.append(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self.fail(f"{type(error).__name__}: {error}")

    def fail(self, why: str) -> None:
        if self._violation is None:
            self._violation = why
            self.loop.stopped = True
            self.note("violation", why)

    def note(self, *facts: object) -> None:
        line = f"{self.loop.now:9.4f} {' '.join(map(str, facts))}"
        self._digest.update(line.encode())
        if self._keep_trace:
            self.trace.append(line)

    def next_wire(self) -> int:
        self._wires += 1
        return self._wires

    # --- Processes -------------------------------------------------------------------------------

    def _start(self, number: int) -> None:
        self.processes.append(Process(self, number))

    def goes_up(self, process: Process) -> None:
        self.changed = self.loop.now
        if all(math.isinf(other.served_since) for other in self.processes):
            for true in self.truth.tables.values():
                true.outage = Break(self.loop.now)

    def goes_down(self, process: Process) -> None:
        """It serves nobody from now on. Others can know at which tables it has just served people,
        if all that was said has arrived at once."""
        self.changed = self.loop.now
        if self.plan.faults.isdisjoint(SILENCING):
            for hosted in process.tables.values():
                self.truth.tables[hosted.table.id].takeover = None
                others = (other for other in self.processes if other is not process)
                alone = not any(hosted.table.id in other.tables for other in others)
                if alone and any(client.seat is not None for client in hosted.clients):
                    self.truth.tables[hosted.table.id].left_at = self.loop.now

    def died(self, process: Process) -> None:
        if process not in self.processes:
            return
        if process.up:
            self.goes_down(process)
        self.changed = self.loop.now
        self.processes.remove(process)
        if self._server is not None:
            self._server.listening.pop(process, None)
        for hosted in process.tables.values():
            self._seen.pop(hosted, None)
        if self._violation is None:
            after = self.rng.uniform(0, RESTARTED_WITHIN)
            self.loop.call_later(after, self._start, process.number, context=OUTSIDE)

    def any_process(self, rng: random.Random) -> Process | None:
        up = [process for process in self.processes if process.up]
        return rng.choice(up) if up else None

    def database_of(self, process: Process) -> Any:
        if self._server is not None:
            return Shared(self._server, process)
        assert self.file is not None
        opened = Sqlite(self.file)
        assert opened._lock is not None
        process.locks.append(opened._lock)
        process.threads = {opened._writer: "commit hangs", opened._readers: "read hangs"}
        return opened

    def database_takes(self, process: Process) -> tuple[float, float]:
        there, back = self.rng.uniform(0.0, 0.01), self.rng.uniform(0.0, 0.01)
        if self.faults.happens("slow database"):
            luck = self.faults.luck("slow database")
            there, back = luck.uniform(0, 1.5), luck.uniform(0, 1.5)
            process.in_trouble(there + back)
        return there, back

    def _work_takes(self, executor: object) -> tuple[float, float]:
        """Of a thread: SQLite's, or a bot's. A disk that hangs may do so before it has written what
        it should, or after that."""
        process = OWNER.get()
        assert isinstance(process, Process)
        there, back = self.database_takes(process)
        kind = process.threads.get(executor, "")
        if self.faults.happens(kind):
            luck = self.faults.luck(kind)
            hangs = luck.uniform(0, HANGS)
            there, back = (there + hangs, back) if luck.random() < 0.5 else (there, back + hangs)
            process.in_trouble(there + back)
        return there, back

    async def _disturb(self) -> None:
        """What befalls processes apart from what they do."""
        while not self.faults.calm:
            await asyncio.sleep(0.5)
            for process in list(self.processes):
                if self.faults.happens("stall"):
                    process.stall(self.faults.luck("stall").uniform(0, 8))
                    self.note("stalled", process)
                if self.faults.happens("clock set"):
                    process.wall += self.faults.luck("clock set").uniform(-7200, 7200)
            if self.processes and self.faults.happens("stop"):
                process = self.faults.luck("stop").choice(self.processes)
                self.note("stop", process)
                process.stop()

    # --- Checks ----------------------------------------------------------------------------------

    def arrived(self, wire: Wire, text: str) -> None:
        """A process reads a message."""
        device = self.wires.get(wire)
        if device is None or not text.startswith('{"type": "'):
            return
        id = text.partition('"id": "')[2].partition('"')[0]
        if id and device.told is not None and device.told.welcomed:
            wire.unanswered.append((id, self.loop.now))

    def sent(self, wire: Wire, text: str) -> None:
        """A process sends a message."""
        self.note("sends", wire, text)
        if text.startswith('{"type":"welcome"'):  # even to somebody who is gone again
            told = decode(text)
            if told["seat"] is not None:
                true = self.truth.tables[told["table"]["id"]]
                true.note_back(told["seat"], self.loop.now)
        device = self.wires.get(wire)
        try:
            for true in self.truth.tables.values():
                true.check_silent(text)
            if device is None or device.told is None or device.wire is not wire:
                return
            device.told.hear(text)
        except Violation as violation:
            self.fail(f"{device}: {violation}")
        if text.startswith(('{"type":"ok"', '{"type":"error"', '{"type":"hint"')):
            id = text.partition('"id":"')[2].partition('"')[0]
            for one in wire.unanswered:
                if one[0] == id:
                    wire.unanswered.remove(one)
                    break

    def closed(self, wire: Wire, code: int) -> None:
        """A process closes a connection."""
        self.note("closes", wire, code)
        device = self.wires.get(wire)
        if device is not None and device.told is not None and device.wire is wire:
            try:
                device.told.closed(code)
            except Violation as violation:
                self.fail(f"{device}: {violation}")

    def answered(self, scope: Any, status: int, text: str, check: Check | None) -> None:
        """A process answers a request."""
        self.note("answers", scope["path"], scope["query_string"].decode(), status, text)
        try:
            for one in self.truth.tables.values():
                one.check_silent(text)
            if check is not None:
                check(status, text)
        except Violation as violation:
            self.fail(str(violation))
        if status == 201:
            made = decode(text)
            true, token = self.truth.tables.get(made["table"]), hash_of(made["token"])
            if true is not None:
                true.tokens.add(made["token"])
            seats = [
                n for n, one in enumerate(true.table.chairs if true else []) if one.token == token
            ]
            if seats != [made["seat"]] and not self._has_left(true, made["seat"]):
                self.fail(f"seated: {text}, but by the journal in {seats}")

    def _has_left(self, true: TrueTable | None, seat: int) -> bool:
        return true is not None and any(
            isinstance(e, Left) and e.seat == seat for e in true.entries
        )

    def _problem(self, problem: dict[str, Any]) -> None:
        self.fail(f"asyncio: {problem['message']} {problem.get('exception')!r}")

    def _after_step(self, process: Process) -> None:
        """Whatever a process holds of a table is what was committed."""
        for hosted in process.tables.values():
            if self._seen.get(hosted) != hosted.table.seq:
                self._check_state(process, hosted)

    def _check_state(self, process: Process, hosted: HostedTable) -> None:
        table = hosted.table
        true = self.truth.tables.get(table.id)
        if true is not None and hosted not in self._seen and not process.dead:
            true.read_at = self.loop.now
            if process.served_since < true.left_at and self.loop.now < true.left_at + TAKEN_OVER:
                true.takeover = Break(self.loop.now)
            true.left_at = -math.inf
        before, self._seen[hosted] = self._seen.get(hosted, 0), table.seq
        if true is None or table.seq > true.seq:
            self.fail(f"{process} is at entry {table.seq}, which is not committed")
        elif table.seq < before:
            self.fail(f"{process} went back from entry {before} to {table.seq}")
        elif table.seq and state_of(table) != true.states[table.seq]:
            self.fail(f"{process} has another state at entry {table.seq} than the journal")

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOK)
            now = self.loop.now
            for wire, device in list(self.wires.items()):
                if wire.open and not wire.process.dead and device.wire is wire:
                    self._check_heard(wire, device, now)
            for party in self.parties:
                if party.id:
                    self._check_moved(party, now)
                    self._check_agreed(party, now)

    def _check_heard(self, wire: Wire, device: Device, now: float) -> None:
        """Whoever asks is answered, and whoever is at a table hears of it, before long."""
        told = device.told
        assert told is not None
        calm = max(wire.process.trouble_until, wire.unread_until)
        if now < calm + HEARD:
            return
        for id, since in wire.unanswered:
            if now > since + ANSWERED:
                self.fail(f"{device} gets no answer to {id}, asked at {since:.3f}")
        if not told.welcomed:
            if now > device.connected_since + 2 * ANSWERED:
                self.fail(f"{device} gets no welcome, connected at {device.connected_since:.3f}")
            return
        true = told.true
        later = true.moments.get(told.version + 1)
        if later is not None and now > max(later.at, device.connected_since) + HEARD:
            self.fail(f"{device} is not told of version {told.version + 1} of {later.at:.3f}")
        behind = told.public != true.publics[-1]
        if behind and now > max(true.public_since, device.connected_since) + HEARD:
            self.fail(f"{device} is not told of the table's state of {true.public_since:.3f}")

    def _check_moved(self, party: Party, now: float) -> None:
        """Bots, dice and clocks do their part, as long as somebody is there."""
        here = [one for one in party.devices if one.welcomed and one.wire is not None]
        calm = max([one.connected_since for one in here], default=now)
        calm = max([calm, *(process.trouble_until for process in self.processes)])
        true = self.truth.tables[party.id]
        table = true.table
        if not here or table.status != "playing" or table.match is None:
            return
        since = max(calm, true.times[-1])
        seated = any(one.seat is not None and not one.left for one in here)
        for seat in table.waiting:
            chair = None if isinstance(seat, str) else table.chairs[seat]
            due = since
            if isinstance(seat, int) and chair is not None and chair.kind == "person":
                if not seated:  # nobody has to hurry for those who only watch
                    continue
                if not chair.left:
                    due = self._patience_with(party, seat, since)
            if now > due + MOVED:
                self.fail(f"nobody moves for seat {seat} of {table.game.id} since {since:.3f}")

    def _check_agreed(self, party: Party, now: float) -> None:
        """A pause or a rematch comes about once everybody agrees, but for those who are gone."""
        true = self.truth.tables[party.id]
        table, grace = true.table, party.setup["grace"]
        here = [one for one in party.devices if one.welcomed and one.wire is not None]
        if not table.agreed or table.status not in ("playing", "over"):
            return
        since = [true.times[-1], *(one.connected_since for one in here)]
        since += [process.trouble_until for process in self.processes]
        for seat in set(table.people) - table.agreed:
            own = [one for one in party.devices if one.seat == seat]
            if table.chairs[seat].left:
                continue
            if grace is None or any(one.wire is not None for one in own):
                return
            since += [one.gone_since + grace + GONE for one in own]
        if any(one.seat is not None for one in here) and now > max(since) + MOVED:
            self.fail(
                f"all have agreed: {table.agreed}, but nothing happens since {max(since):.3f}"
            )

    def _patience_with(self, party: Party, seat: int, since: float) -> float:
        """Until when somebody may take his time."""
        true, clock, grace = self.truth.tables[party.id], party.setup["clock"], party.setup["grace"]
        own = [one for one in party.devices if one.seat == seat]
        ends = []
        if clock is not None:
            asked = true.table.asked_at.get(seat, since)
            away = not any(one.wire is not None and one.welcomed for one in own)
            if away and asked < min(self.changed, true.read_at) + SKEW:
                asked = true.read_at + BACK_WITHIN  # for all that a process knows
            ends.append(max(since, asked) + clock)
        if grace is not None and all(one.wire is None for one in own):
            ends.append(max([since, *(one.gone_since for one in own)]) + grace + GONE)
        return min(ends, default=float("inf"))

    def _check_settled(self) -> None:
        """In the end all processes and all clients know the same."""
        for process in self.processes:
            for hosted in process.tables.values():
                true = self.truth.tables[hosted.table.id]
                if hosted.clients and hosted.table.seq < true.seq_at(self.loop.now - ON_ITS_WAY):
                    self.fail(f"{process} stays at entry {hosted.table.seq} of {true.seq}")
        for party in self.parties:
            if not party.id:
                self.fail(f"table {party.number} was never opened")
            for device in party.devices:
                self._check_client(device, self.truth.tables[party.id])
            self._check_presence(party)
        for id, asked in self.asked.items():
            if asked.kind == "move" and asked.refused and asked.sent == 1:
                if any((asked.seat, id) in one.moves for one in self.truth.tables.values()):
                    self.fail(f"refused, but carried out: {asked}")

    def _check_presence(self, party: Party) -> None:
        """Everybody knows who is here."""
        here = [one for one in party.devices if one.wire is not None and one.welcomed]
        seats = {one.seat for one in here if one.seat is not None and not one.left}
        for device in here:
            told = {n for n, seat in enumerate(device.table_now["seats"]) if seat["here"]}
            if told != seats:
                self.fail(f"{device} believes that {told} are here, but {seats} are")

    def _check_client(self, device: Device, true: TrueTable) -> None:
        if device.evicted or device.home:
            return
        if device.wire is None or not device.welcomed:
            self.fail(f"{device} is not connected in the end")
        elif device.waiting:
            self.fail(f"{device} still waits for {device.waiting}")
        elif true.table.match is not None:
            version = true.version_at(self.loop.now - ON_ITS_WAY)
            seat = None if device.left else device.seat
            if device.version < version or device.view != true.moments[device.version].view(seat):
                self.fail(f"{device} knows version {device.version} of {version}")

    async def _check_replays(self) -> None:
        """A replay has every step of a match, whichever process is asked."""
        for party in self.parties:
            true = self.truth.tables[party.id]
            process = self.any_process(self.rng)
            if true.table.match is None or not party.setup["watch"] or process is None:
                continue
            path = MATCHES.format(party.id, number := true.table.number)
            try:
                status, answer = await Lines(self, process).ask("GET", path, "10.2.0.1")
            except Lost:
                continue
            played = [
                (version, moment.happened.seat if moment.happened.log is not None else None)
                for version, moment in sorted(true.moments.items())
                if moment.number == number
            ]
            known = true.version_at(self.loop.now - HEARD)
            steps = [(step["version"], step["seat"]) for step in answer.get("steps", [])]
            late = steps and len(steps) < PAGE and steps[-1][0] < known
            if not steps or steps != played[: len(steps)] or late:
                self.fail(f"the replay of match {number} is not what was played: {status} {steps}")


def _memory() -> str | None:
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


@contextlib.contextmanager
def _no_collection() -> Iterator[None]:
    """What was killed must not run on because its remains are collected."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


class _Errors(logging.Handler):
    """What the server logs as an error is one, but for a database that does not answer."""

    def __init__(self, fail: Callable[[str], None]) -> None:
        super().__init__(logging.ERROR)
        self._fail = fail

    def emit(self, record: logging.LogRecord) -> None:
        if record.getMessage() != "the database does not answer":
            error = record.exc_info[1] if record.exc_info else None
            self._fail(f"logged: {record.getMessage()}: {error!r}")


@contextlib.contextmanager
def _errors_noticed(fail: Callable[[str], None]) -> Iterator[None]:
    log, handler = logging.getLogger("lastcard"), _Errors(fail)
    before = log.propagate
    log.addHandler(handler)
    log.propagate = False
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.propagate = before


def run(seed: int, keep_trace: bool = False) -> Report:
    return run_plan(Plan.of(seed), keep_trace)


def run_plan(plan: Plan, keep_trace: bool = False) -> Report:
    hook, sys.unraisablehook = sys.unraisablehook, lambda _: None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            world = World(plan, keep_trace)
            report = world.run()
            del world
            gc.collect()  # what is left of killed processes ends here, and complains
    finally:
        sys.unraisablehook = hook
    return report
