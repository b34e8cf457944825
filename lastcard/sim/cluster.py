"""The parts of a plan on a Ray cluster. What a lost machine was playing is played again."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable
from typing import Any

from lastcard import __version__
from lastcard.errors import BadOption, LastCardError

from .plans import Parts, Plan
from .pools import AHEAD
from .running import Made, make_part, prepare

FOR_EVER = -1  # how often a task is tried again when its machine is lost


def on_ray(plan: Plan, parts: Iterable[int], as_file: bool, workers: int | None) -> Parts:
    """In tasks of a cluster: the one that this program or `RAY_ADDRESS` is connected to, or else
    one on this machine. With `workers` there are only so many tasks at a time."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is told to strangers
    import ray

    alone = not ray.is_initialized()
    if alone:
        ray.init(include_dashboard=False, log_to_driver=False, logging_level="error")
    try:
        most = workers or AHEAD * max(int(ray.cluster_resources().get("CPU", 1)), 1)
        task = ray.remote(max_retries=FOR_EVER)(_task)
        shared, ours = ray.put(plan), plan.sources
        coming, waiting = iter(parts), set[Any]()
        while True:
            while len(waiting) < most and (part := next(coming, None)) is not None:
                waiting.add(task.remote(shared, part, as_file, ours))
            if not waiting:
                return
            done, rest = ray.wait(list(waiting), num_returns=1)
            waiting = set(rest)
            try:
                made = ray.get(done[0])
            except ray.exceptions.RayTaskError as error:
                if isinstance(error.cause, LastCardError):
                    raise error.cause from None  # a sentence; the rest is where it was said
                raise
            yield made
    finally:
        if alone:
            ray.shutdown()


def _task(plan: Plan, part: int, as_file: bool, sources: str) -> tuple[int, Made]:
    if (__version__, plan.sources) != (plan.version, sources):
        raise BadOption(
            "on",
            f"a machine of the cluster, {platform.node()}, has lastcard {__version__} with sources "
            f"{plan.sources}, and this one {plan.version} with {sources}. Install the same one on "
            "all machines.",
        )
    if not plan.compiled:
        prepare(plan)
    return make_part(plan, part, as_file)
