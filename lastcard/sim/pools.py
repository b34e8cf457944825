"""Work done by threads or by processes, a bounded number of tasks ahead, handed over as it ends."""

from __future__ import annotations

import multiprocessing
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")
AHEAD = 3  # tasks per worker that are under way or wait to be fetched


def in_threads(tasks: Iterable[Callable[[], T]], workers: int) -> Iterator[T]:
    """Results as they come. Who stops early waits for the tasks that are running."""
    with ThreadPoolExecutor(workers) as pool:
        try:
            yield from _gathered(pool, tasks, workers)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def in_processes(
    tasks: Iterable[Callable[[], T]],
    workers: int,
    prepare: Callable[..., None] | None = None,
    given: tuple[Any, ...] = (),
) -> Iterator[T]:
    """The same in processes that begin with `prepare`. Stopping early ends them at once."""
    context = multiprocessing.get_context("spawn")
    strangers = multiprocessing.active_children()
    with ProcessPoolExecutor(workers, context, prepare, given) as pool:
        try:
            yield from _gathered(pool, tasks, workers)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in multiprocessing.active_children():
                if process not in strangers:
                    process.terminate()
            raise


def _gathered(pool: Executor, tasks: Iterable[Callable[[], T]], workers: int) -> Iterator[T]:
    waiting: set[Future[T]] = set()
    coming = iter(tasks)
    while True:
        with _deaf_to_interrupts():  # submitting is what starts processes
            while len(waiting) < AHEAD * workers and (task := next(coming, None)) is not None:
                waiting.add(pool.submit(task))
        if not waiting:
            return
        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        for one in done:
            yield one.result()


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes started inside ignore Ctrl-C: their parent ends them."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread can set signals
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
