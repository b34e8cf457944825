"""An event loop in which nothing waits: time jumps to whatever comes next.

Everything that runs belongs to a simulated process, or to the world outside. Which one is in the
context of each callback, so a process can be killed between any two steps: what is left of it is
never called again.
"""

from __future__ import annotations

import asyncio
import heapq
from asyncio import Handle, TimerHandle
from collections import deque
from collections.abc import Callable, Coroutine
from contextvars import Context, ContextVar
from itertools import count
from typing import Any, TypeVar

T = TypeVar("T")

MOST_STEPS = 400_000  # of one world; many times what any takes


class Owner:
    """Whoever runs: a process, as far as the loop is concerned."""

    dead = False
    stalled_until = 0.0  # nothing of it runs before

    def step(self) -> bool:
        """Called before each of its steps; returns whether it still lives."""
        return not self.dead


OWNER: ContextVar[Owner | None] = ContextVar("owner", default=None)


class NumberedTask(asyncio.Task[Any]):
    """Sets of tasks are in the same order in every run."""

    numbers = count()

    def __init__(self, *args: Any, **more: Any) -> None:
        self._number = next(NumberedTask.numbers)
        super().__init__(*args, **more)

    def __hash__(self) -> int:
        return self._number


class Stuck(Exception):
    """Nothing is left to do, or far too much."""


class VirtualLoop(asyncio.AbstractEventLoop):
    def __init__(self, after_step: Callable[[Owner | None], None]) -> None:
        self.now = 0.0
        self.steps = 0
        self.problems: list[dict[str, Any]] = []  # reported by asyncio itself
        self._tasks: list[asyncio.Task[Any]] = []  # what is killed stays, so that it never ends
        self.work_takes: Callable[[], tuple[float, float]] = lambda: (0.0, 0.0)
        self._after_step = after_step
        self._ready: deque[Handle] = deque()
        self._later: list[tuple[float, int, Handle]] = []
        self._order = count()
        NumberedTask.numbers = count()

    # --- Running ---------------------------------------------------------------------------------

    def run_until(self, done: Callable[[], bool]) -> None:
        """Runs callbacks in order, each at its time, until `done`."""
        asyncio._set_running_loop(self)
        try:
            while not done():
                self._run_next()
        finally:
            asyncio._set_running_loop(None)

    def _run_next(self) -> None:
        if self._ready:
            handle = self._ready.popleft()
        elif self._later:
            when, _, handle = heapq.heappop(self._later)
            self.now = max(self.now, when)
        else:
            raise Stuck("nothing is left to do")
        if handle._cancelled:  # type: ignore[attr-defined]
            return
        owner = handle._context.get(OWNER)  # type: ignore[attr-defined]
        if owner is not None:
            if owner.stalled_until > self.now:
                heapq.heappush(self._later, (owner.stalled_until, next(self._order), handle))
                return
            if not owner.step():
                return
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise Stuck(f"{MOST_STEPS} steps, and no end")
        handle._run()
        self._after_step(owner)

    # --- What asyncio needs ----------------------------------------------------------------------

    def time(self) -> float:
        return self.now

    def call_soon(
        self, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> Handle:
        handle = Handle(callback, args, self, context)
        self._ready.append(handle)
        return handle

    call_soon_threadsafe = call_soon

    def call_later(
        self, delay: float, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> TimerHandle:
        return self.call_at(self.now + delay, callback, *args, context=context)

    def call_at(
        self, when: float, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> TimerHandle:
        handle = TimerHandle(when, callback, args, self, context)
        heapq.heappush(self._later, (when, next(self._order), handle))
        return handle

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    def create_task(
        self,
        work: Coroutine[Any, Any, T] | Any,
        *,
        name: object = None,
        context: Context | None = None,
    ) -> asyncio.Task[T]:
        task = NumberedTask(work, loop=self, context=context)
        self._tasks.append(task)
        return task

    def run_in_executor(  # type: ignore[override]
        self, executor: object, work: Callable[..., T], *args: Any
    ) -> asyncio.Future[T]:
        """What a thread does takes some time, and is done at one moment of it."""
        there, back = self.work_takes()
        answer: asyncio.Future[T] = self.create_future()

        def do() -> None:
            try:
                result = work(*args)
            except Exception as error:
                self.call_later(back, settle, answer, None, error)
            else:
                self.call_later(back, settle, answer, result, None)

        self.call_later(there, do)
        return answer

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return True

    def is_closed(self) -> bool:
        return False

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        self.problems.append(context)

    def _timer_handle_cancelled(self, handle: TimerHandle) -> None:
        """It is skipped when its time comes."""


def settle(future: asyncio.Future[T], result: Any, error: Exception | None) -> None:
    """An answer, unless nobody waits for it any more."""
    if future.done():
        return
    if error is not None:
        future.set_exception(error)
    else:
        future.set_result(result)
