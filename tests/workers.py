"""Work that is shared among processes."""

from __future__ import annotations

import multiprocessing
import traceback
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import TypeVar

P = TypeVar("P")
R = TypeVar("R")


def spread(
    work: Callable[[P], R], parts: Iterable[P], workers: int
) -> Iterator[tuple[P, R | BaseException]]:
    """Each part with what came of it, in the order in which they are done."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        parts_of = {pool.submit(work, part): part for part in parts}
        for future in as_completed(parts_of):
            yield parts_of[future], future.exception() or future.result()


def format_failure(error: BaseException) -> str:
    return "".join(traceback.format_exception(error))
