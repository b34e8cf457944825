"""What happens at a table without anybody asking: bots, clocks, dice and agreements."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from lastcard.core.match import Seat
from lastcard.core.views import seats_of
from lastcard.kernel import CHANCE
from lastcard.kernel.texts import CHANCE_NAME

from .clock import now
from .entries import Agreed, By, Moved
from .hosted import HostedTable
from .refusals import Refused
from .tasks import Tasks
from .thinking import HURRIED, Thinkers
from .times import Times
from .writer import Writer

log = logging.getLogger("lastcard.table")

ROLLING = 1 << CHANCE  # the bits of `waited` while dice are to be rolled
AGAIN = 1.0  # seconds, after something went wrong


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing to do."""

    when: float
    seat: Seat | None  # None: bots are asked whether they act out of turn
    by: By | Literal["agreement"]
    level: str = HURRIED
    ready: float = 0.0  # a bot that has decided waits until then


class Turns:
    """Does what is due at each table, when it is due."""

    def __init__(self, writer: Writer, thinkers: Thinkers, tasks: Tasks, times: Times) -> None:
        self._writer = writer
        self._thinkers = thinkers
        self._tasks = tasks
        self._times = times
        self._closed = False

    def close(self, tables: Iterable[HostedTable]) -> None:
        self._closed = True
        for hosted in tables:
            self._cancel(hosted)

    def _next_turn(self, hosted: HostedTable) -> Turn | None:
        """What to do, and when, unless a player acts first."""
        table = hosted.table
        waiting = table.waiting
        if not waiting or table.match is None:
            return None
        if waiting == [CHANCE_NAME]:
            return Turn(table.since, CHANCE_NAME, "chance")
        chairs = table.chairs
        # Who may act out of turn is public, but not who has something to play: bots wait for all
        # of them alike.
        bystanders = seats_of(int(table.game.rules.bystanders(table.match.record)))
        slow = table.person_moved or any(chairs[seat].kind == "person" for seat in bystanders)
        ready = table.since + hosted.pace(self._times, slow)
        turns = []
        if hosted.asked != table.version and any(chairs[seat].kind == "bot" for seat in bystanders):
            turns.append(Turn(table.since, None, "bot", ready=ready))
        for seat in waiting:
            assert isinstance(seat, int)
            if chairs[seat].kind == "bot":
                turns.append(Turn(table.since, seat, "bot", chairs[seat].level, ready))
            elif hosted.here:  # with nobody here, nobody has to hurry
                turns += self._stand_ins(hosted, seat, ready)
        if not turns:
            return None
        return min(turns, key=lambda turn: turn.when)

    def _agreement(self, hosted: HostedTable) -> Turn | None:
        """Everybody may have agreed, now that the others have disconnected or left."""
        table = hosted.table
        if not table.agreed or table.status not in ("playing", "over"):
            return None
        missing, grace = hosted.electorate - table.agreed, table.setup.grace
        if any(seat not in hosted.gone or grace is None for seat in missing):
            return None
        ends = [hosted.gone[seat] + (grace or 0) for seat in missing]
        return Turn(max(ends, default=0.0), min(table.agreed), "agreement")

    def _stand_ins(self, hosted: HostedTable, seat: int, ready: float) -> list[Turn]:
        """Who moves for a person: a bot once they have left or are gone too long, or the clock."""
        setup, turns = hosted.table.setup, []
        if hosted.table.chairs[seat].left:
            turns.append(Turn(ready, seat, "bot"))
        elif setup.grace is not None and seat in hosted.gone:
            turns.append(Turn(max(ready, hosted.gone[seat] + setup.grace), seat, "bot"))
        if setup.clock is not None:
            turns.append(Turn(hosted.clock_of(seat), seat, "clock"))
        return turns

    def schedule(self, hosted: HostedTable, wait: float = 0.0) -> None:
        if hosted.timer is not None:
            self._cancel(hosted)
        table = hosted.table
        if hosted.hurried and not hosted.hurried.isdisjoint(table.waiting):
            hosted.hurried.clear()  # one of them is to move again
        idle = not (hosted.gone or table.agreed) and table.setup.clock is None
        if self._closed or (idle and not table.served and table.waited != ROLLING):
            return  # only people, all here and without a clock
        turns = [self._next_turn(hosted), self._agreement(hosted)]
        if hosted.thinking == hosted.table.version:
            turns = turns[1:]  # the next turn is under way
        turn = min(filter(None, turns), key=lambda turn: turn.when, default=None)
        if turn is None:
            return
        # The process that wrote the last entry takes the next turn: step in only if it fails to.
        late = 0.0 if hosted.mine else self._times.others
        delay = max(turn.when + late - now(), wait)
        loop = asyncio.get_running_loop()

        def fire() -> None:
            hosted.timer = None
            self._tasks.spawn(self._take_turn(hosted, turn))

        hosted.timer = loop.call_later(delay, fire)

    def _cancel(self, hosted: HostedTable) -> None:
        if hosted.timer is not None:
            hosted.timer.cancel()
            hosted.timer = None

    async def _take_turn(self, hosted: HostedTable, turn: Turn) -> None:
        """Does what was due, if it still is."""
        if turn not in (self._next_turn(hosted), self._agreement(hosted)):
            self.schedule(hosted)
            return
        version = hosted.thinking = hosted.table.version
        try:
            if turn.by == "agreement":
                await self._writer.in_turn(hosted, lambda: _agreement_of_all(hosted), _nothing)
            elif turn.seat is None:
                await self._ask_bystanders(hosted, turn.ready)
            else:
                await self._stand_in(hosted, turn)
        except Refused:
            wait = AGAIN  # the database does not answer
        except Exception:
            log.exception("a turn could not be taken")
            wait = AGAIN
        else:
            wait = 0.0
        if hosted.thinking == version:  # not a later turn, taken by another task
            hosted.thinking = -1
        # Where nobody has moved, a timer that was set meanwhile leaves out what was under way.
        if wait or hosted.timer is None or hosted.table.version == version:
            self.schedule(hosted, wait)

    async def _ask_bystanders(self, hosted: HostedTable, ready: float) -> None:
        table = hosted.table
        match, version = table.match, table.version
        hosted.asked = version
        if match is None:
            return
        for seat in seats_of(int(table.game.rules.bystanders(match.record))):
            if table.chairs[seat].kind != "bot" or table.version != version:
                continue
            action = await self._thinkers.decide(match, seat, table.chairs[seat].level)
            await _wait_until(hosted, ready)  # thinking time must not give anything away
            if action is not None:
                await self._move(hosted, seat, action, version, "bot")

    async def _stand_in(self, hosted: HostedTable, turn: Turn) -> None:
        match, version, seat = hosted.table.match, hosted.table.version, turn.seat
        assert match is not None and seat is not None and turn.by != "agreement"
        if isinstance(seat, str):
            await self._move(hosted, seat, match.tossed(), version, turn.by)
            return
        action = await self._thinkers.decide(match, seat, turn.level)
        await _wait_until(hosted, turn.ready)
        if action is not None:
            await self._move(hosted, seat, action, version, turn.by)

    async def _move(
        self, hosted: HostedTable, seat: Seat, action: int, version: int, by: By
    ) -> None:
        def decide() -> Moved | None:
            table = hosted.table
            if table.version != version or table.status != "playing":
                return None
            return Moved(seat, table.game.actions[action], by=by)

        await self._writer.in_turn(hosted, decide, _nothing)


def _nothing() -> None: ...


def _agreement_of_all(hosted: HostedTable) -> Agreed | None:
    table = hosted.table
    if not table.agreed or not hosted.electorate <= table.agreed:
        return None
    seat = min(table.agreed)
    return Agreed(seat, True, table.chairs[seat].seed)


async def _wait_until(hosted: HostedTable, when: float) -> None:
    if (left := when - now()) > 0:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(left):
                await hosted.woken.wait()
