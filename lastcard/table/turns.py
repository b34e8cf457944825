"""What comes next at a table without anybody asking for it: bots, clocks, dice and agreements."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

from lastcard.core.match import Seat
from lastcard.core.views import CHANCE_NAME, seats_of
from lastcard.kernel import CHANCE

from .clock import now
from .entries import Agreed, By, Entry, Moved
from .live import Live, Times
from .refusals import Refused
from .thinking import HURRIED, Thinkers

log = logging.getLogger("lastcard.table")
T = TypeVar("T")

DICE = 1 << CHANCE  # who is waited for then
AGAIN = 1.0  # seconds, after something went wrong


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing to be done."""

    when: float
    seat: Seat | None  # None: bots are asked whether they act out of turn
    by: By | Literal["agreement"]
    level: str = HURRIED
    ready: float = 0.0  # a bot that has decided waits until then


class Desk(Protocol):
    """Where entries are written."""

    async def in_turn(self, live: Live, work: Callable[[], Awaitable[T]]) -> T: ...

    async def write(self, live: Live, entry: Entry) -> None: ...

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None: ...


class Turns:
    """Does at each table what is due, when it is."""

    def __init__(self, desk: Desk, times: Times) -> None:
        self.thinkers = Thinkers()
        self._desk = desk
        self._times = times
        self._closed = False

    def close(self, tables: Iterable[Live]) -> None:
        self._closed = True
        for live in tables:
            self._cancel(live)
        self.thinkers.close()

    def _next_turn(self, live: Live) -> Turn | None:
        """What is to be done, and when, if nobody acts before."""
        table = live.table
        waiting = table.waiting
        if not waiting or table.match is None:
            return None
        if waiting == [CHANCE_NAME]:
            return Turn(table.since, CHANCE_NAME, "chance")
        chairs = table.chairs
        # Everybody may know who may act out of turn; who has something to do, not: bots wait
        # for all of them alike.
        bystanders = seats_of(int(table.game.rules.bystanders(table.match.record)))
        slow = table.person_moved or any(chairs[seat].kind == "person" for seat in bystanders)
        ready = table.since + live.pace(self._times, slow)
        turns = []
        if live.asked != table.version and any(chairs[seat].kind == "bot" for seat in bystanders):
            turns.append(Turn(table.since, None, "bot", ready=ready))
        for seat in waiting:
            assert isinstance(seat, int)
            if chairs[seat].kind == "bot":
                turns.append(Turn(table.since, seat, "bot", chairs[seat].level, ready))
            elif live.here:  # where nobody waits, nobody has to hurry
                turns += self._stand_ins(live, seat, ready)
        if not turns:
            return None
        return min(turns, key=lambda turn: turn.when)

    def _agreement(self, live: Live) -> Turn | None:
        """All may agree because those who do not are gone, or have left."""
        table = live.table
        if not table.agreed or table.status not in ("playing", "over"):
            return None
        missing, grace = live.electorate - table.agreed, table.setup.grace
        if any(seat not in live.gone or grace is None for seat in missing):
            return None
        ends = [live.gone[seat] + (grace or 0) for seat in missing]
        return Turn(max(ends, default=0.0), min(table.agreed), "agreement")

    def _stand_ins(self, live: Live, seat: int, ready: float) -> list[Turn]:
        """Who moves for a person: a bot if he has left or is gone too long, or the clock."""
        setup, turns = live.table.setup, []
        if live.table.chairs[seat].left:
            turns.append(Turn(ready, seat, "bot"))
        elif setup.grace is not None and seat in live.gone:
            turns.append(Turn(max(ready, live.gone[seat] + setup.grace), seat, "bot"))
        if setup.clock is not None:
            turns.append(Turn(live.clock_of(seat), seat, "clock"))
        return turns

    def schedule(self, live: Live, wait: float = 0.0) -> None:
        self._cancel(live)
        table = live.table
        if live.hurried and not live.hurried.isdisjoint(table.waiting):
            live.hurried.clear()  # somebody has something to do again
        idle = not (live.gone or table.agreed) and table.setup.clock is None
        if self._closed or (idle and not table.served and table.waited != DICE):
            return  # all are people, here, and have time
        turns = [self._next_turn(live), self._agreement(live)]
        if live.thinking == live.table.version:
            turns = turns[1:]  # that is under way
        turn = min(filter(None, turns), key=lambda turn: turn.when, default=None)
        if turn is None:
            return
        # Another process that wrote the last entry is at it: step in only if it does not go on.
        late = 0.0 if live.mine else self._times.others
        delay = max(turn.when + late - now(), wait)
        loop = asyncio.get_running_loop()

        def fire() -> None:
            live.timer = None
            self._desk.spawn(self._take(live, turn))

        live.timer = loop.call_later(delay, fire)

    def _cancel(self, live: Live) -> None:
        if live.timer is not None:
            live.timer.cancel()
            live.timer = None

    async def _take(self, live: Live, turn: Turn) -> None:
        """Does what was due, if it still is."""
        if turn not in (self._next_turn(live), self._agreement(live)):
            self.schedule(live)
            return
        version = live.thinking = live.table.version
        try:
            if turn.by == "agreement":
                await self._desk.in_turn(live, lambda: self._agree(live))
            elif turn.seat is None:
                await self._ask_bystanders(live, turn.ready)
            else:
                await self._stand_in(live, turn)
        except Refused:
            wait = AGAIN  # the database does not answer
        except Exception:
            log.exception("a turn could not be taken")
            wait = AGAIN
        else:
            wait = 0.0
        if live.thinking == version:  # and not a later turn, which is taken elsewhere
            live.thinking = -1
        if wait or live.timer is None:
            self.schedule(live, wait)

    async def _agree(self, live: Live) -> None:
        table = live.table
        if table.agreed and live.electorate <= table.agreed:
            seat = min(table.agreed)
            await self._desk.write(live, Agreed(seat, True, table.chairs[seat].seed))

    async def _ask_bystanders(self, live: Live, ready: float) -> None:
        table = live.table
        match, version = table.match, table.version
        live.asked = version
        if match is None:
            return
        for seat in seats_of(int(table.game.rules.bystanders(match.record))):
            if table.chairs[seat].kind != "bot" or table.version != version:
                continue
            action = await self.thinkers.decide(match, seat, table.chairs[seat].level)
            await _wait_until(live, ready)  # how long it thinks is nobody's business
            if action is not None:
                await self._move(live, seat, action, version, "bot")

    async def _stand_in(self, live: Live, turn: Turn) -> None:
        match, version, seat = live.table.match, live.table.version, turn.seat
        assert match is not None and seat is not None and turn.by != "agreement"
        if isinstance(seat, str):
            await self._move(live, seat, match.tossed(), version, turn.by)
            return
        action = await self.thinkers.decide(match, seat, turn.level)
        await _wait_until(live, turn.ready)
        if action is not None:
            await self._move(live, seat, action, version, turn.by)

    async def _move(self, live: Live, seat: Seat, action: int, version: int, by: By) -> None:
        async def move() -> None:
            table = live.table
            if table.version == version and table.status == "playing":
                await self._desk.write(live, Moved(seat, table.game.actions[action], by=by))

        await self._desk.in_turn(live, move)


async def _wait_until(live: Live, when: float) -> None:
    if (left := when - now()) > 0:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(left):
                await live.woken.wait()
