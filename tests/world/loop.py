"""An event loop in which nothing waits: time jumps to whatever comes next.

Everything that runs belongs to a simulated process, or to the world outside. Which one is in the
context of each callback, so a process can be killed between any two steps: what is left of it is
never called again.
"""

from __future__ import annotations

import asyncio
import heapq
from collections import deque
from collections.abc import Callable, Coroutine
from contextvars import Context, ContextVar, copy_context
from itertools import count
from typing import Any, TypeVar, cast

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


class Call:
    """What asyncio calls a handle, and no more than is needed of it."""

    __slots__ = ("_when", "args", "callback", "context", "dropped")

    def __init__(
        self,
        callback: Callable[..., Any],
        args: tuple[Any, ...],
        context: Context | None,
        when: float = 0.0,
    ) -> None:
        self.callback = callback
        self.args = args
        self.context = copy_context() if context is None else context
        self.dropped = False
        self._when = when

    def cancel(self) -> None:
        self.dropped = True
        self.callback, self.args = _nothing, ()

    def cancelled(self) -> bool:
        return self.dropped

    def when(self) -> float:
        return self._when


def _nothing() -> None: ...


class Stuck(Exception):
    """Nothing is left to do, or far too much."""


class VirtualLoop:
    """Has what asyncio needs of a loop without files, sockets and threads."""

    def __init__(
        self, after_step: Callable[[Any], None], problem: Callable[[dict[str, Any]], None]
    ) -> None:
        self.now = 0.0
        self.steps = 0
        self.stopped = False
        self.call_exception_handler = problem  # asyncio reports what nobody else can
        self._tasks: list[asyncio.Task[Any]] = []  # what is killed stays, so that it never ends
        self.work_takes: Callable[[object], tuple[float, float]] = lambda _: (0.0, 0.0)
        self._free: dict[object, float] = {}  # when an executor of one thread has time
        self._after_step = after_step
        self._ready: deque[Call] = deque()
        self._later: list[tuple[float, int, Call]] = []
        self._order = count()
        NumberedTask.numbers = count()

    # --- Running ---------------------------------------------------------------------------------

    def run(self) -> None:
        """Runs callbacks in order, each at its time, until it is stopped."""
        asyncio._set_running_loop(cast(Any, self))
        ready, later, after_step = self._ready, self._later, self._after_step
        try:
            while not self.stopped:
                if ready:
                    call = ready.popleft()
                elif later:
                    when, _, call = heapq.heappop(later)
                    self.now = max(self.now, when)
                else:
                    raise Stuck("nothing is left to do")
                if call.dropped:
                    continue
                owner = call.context.get(OWNER)
                if owner is not None and not self._may_run(owner, call):
                    continue
                self.steps += 1
                try:
                    call.context.run(call.callback, *call.args)
                except Exception as error:
                    self.call_exception_handler({"message": "a callback", "exception": error})
                if owner is not None:
                    after_step(owner)
                if self.steps > MOST_STEPS:
                    raise Stuck(f"{MOST_STEPS} steps, and no end")
        finally:
            asyncio._set_running_loop(None)

    def _may_run(self, owner: Owner, call: Call) -> bool:
        if owner.stalled_until > self.now:
            heapq.heappush(self._later, (owner.stalled_until, next(self._order), call))
            return False
        return owner.step()

    # --- What asyncio needs ----------------------------------------------------------------------

    def time(self) -> float:
        return self.now

    def call_soon(
        self, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> Any:
        call = Call(callback, args, context)
        self._ready.append(call)
        return call

    call_soon_threadsafe = call_soon

    def call_later(
        self, delay: float, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> Any:
        return self.call_at(self.now + delay, callback, *args, context=context)

    def call_at(
        self, when: float, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> Any:
        call = Call(callback, args, context, when)
        heapq.heappush(self._later, (when, next(self._order), call))
        return call

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=cast(Any, self))

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

    def run_in_executor(
        self, executor: object, work: Callable[..., T], *args: Any
    ) -> asyncio.Future[T]:
        """What a thread does takes some time, and is done at one moment of it."""
        there, back = self.work_takes(executor)
        if getattr(executor, "_max_workers", 0) == 1:  # one thing after the other
            there += max(self._free.get(executor, 0.0) - self.now, 0.0)
            self._free[executor] = self.now + there + back
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


def settle(future: asyncio.Future[T], result: Any, error: Exception | None) -> None:
    """An answer, unless nobody waits for it any more."""
    if future.done():
        return
    if error is not None:
        future.set_exception(error)
    else:
        future.set_result(result)
