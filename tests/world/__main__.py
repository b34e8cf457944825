"""Runs simulated worlds: `make simulate-faults ARGS="--seeds 100000"`. See CONTRIBUTING.md."""

from __future__ import annotations

import argparse
import math
import multiprocessing
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

import msgspec

from .mutations import MUTATIONS, seeds_to_find
from .patches import everything_loaded
from .plan import Plan
from .shrink import shrink
from .world import Report, run, run_plan

SHOWN, WIDE = 60, 200  # last lines of a trace, and how much of each
TELL = 1000  # seeds between two lines about how it goes


@dataclass
class Sum:
    """How many worlds went how."""

    worlds: int = 0
    steps: int = 0
    entries: int = 0
    seconds: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)
    failed: list[Report] = field(default_factory=list)

    def add(self, report: Report) -> None:
        self.worlds += 1
        self.steps += report.steps
        self.entries += report.entries
        self.seconds += report.seconds
        self.faults.update(name.rpartition(" ")[0] for name in report.happened)
        if report.violation is not None:
            self.failed.append(report)

    def __str__(self) -> str:
        faults = sum(self.faults.values())
        return (
            f"{self.worlds:,} worlds, {self.steps:,} steps, {self.entries:,} entries, "
            f"{faults:,} faults, {self.seconds / 3600:,.0f} hours of their time: "
            f"{len(self.failed)} failed"
        )


def _work(seeds: Iterable[int], results: Connection) -> None:
    for seed in seeds:
        results.send(run(seed))
    results.send(None)
    results.close()


def simulate(first: int, most: float, workers: int, minutes: float) -> Sum:
    """Runs worlds until there are so many, or no more time, or one has failed. Each worker has
    every so-manieth seed."""
    total, until = Sum(), time.monotonic() + 60 * minutes
    began = time.monotonic()
    everything_loaded()
    context = multiprocessing.get_context("fork")
    processes: dict[Connection, BaseProcess] = {}
    for number in range(workers):
        seeds: Iterable[int] = count(first + number, workers)
        if most < math.inf:
            seeds = range(first + number, first + int(most), workers)
        reads, writes = context.Pipe(duplex=False)
        processes[reads] = context.Process(target=_work, args=(seeds, writes), daemon=True)
        processes[reads].start()
    try:
        while processes and not total.failed and time.monotonic() < until:
            for ready in wait([*processes], timeout=1.0):
                assert isinstance(ready, Connection)
                report = ready.recv()
                if report is None:
                    processes.pop(ready).join()
                    continue
                total.add(report)
                if total.worlds % TELL == 0:
                    print(f"{total}, in {time.monotonic() - began:.0f} s", flush=True)
            for reads, process in processes.items():
                assert process.is_alive() or reads.poll(), "a worker has died"
    finally:
        for process in processes.values():
            process.kill()
    print(f"{total}, in {time.monotonic() - began:.0f} s, {workers} at a time", flush=True)
    return total


def explain(report: Report) -> None:
    """What failed, that it fails again, and a smaller world that fails, too."""
    print(report)
    again = run_plan(report.plan)
    same = "exactly" if again.digest == report.digest else "NOT the same way"
    print(f"It replays {same}: {again.digest}. Shrinking ...", flush=True)
    smaller = run_plan(shrink(report).plan, keep_trace=True)
    print(*(line[:WIDE] for line in smaller.trace[-SHOWN:]), sep="\n")
    print(smaller)
    print(f"Faults: {', '.join(smaller.happened) or 'none'}")
    plan = msgspec.json.encode(smaller.plan).decode()
    print(f"Again: python -m tests.world --plan '{plan}'")


def find_mutations() -> bool:
    """Whether the worlds find each defect that is put in by hand."""
    found_all = True
    for name in MUTATIONS:
        report, seeds = seeds_to_find(name)
        found_all &= report is not None
        how = "not found" if report is None else str(report)
        print(f"{name}: {seeds} seeds: {how[:200]}", flush=True)
    return found_all


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.world")
    parser.add_argument(
        "--seeds", type=int, default=math.inf, help="how many worlds; without end by default"
    )
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--minutes", type=float, default=math.inf, help="how long at most")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="at a time")
    parser.add_argument("--seed", type=int, help="one world, with all that happens in it")
    parser.add_argument("--plan", help="the same for a world that was shrunk")
    parser.add_argument("--mutations", action="store_true", help="finds defects put in by hand")
    chosen = parser.parse_args()
    if chosen.mutations:
        sys.exit(not find_mutations())
    if chosen.seed is not None or chosen.plan is not None:
        plan = Plan.of(chosen.seed or 0)
        if chosen.plan is not None:
            plan = msgspec.json.decode(chosen.plan, type=Plan)
        report = run_plan(plan, keep_trace=True)
        print(*report.trace, report, f"digest {report.digest}", sep="\n")
        sys.exit(report.violation is not None)
    total = simulate(chosen.first, chosen.seeds, chosen.workers, chosen.minutes)
    if total.failed:
        explain(min(total.failed, key=lambda report: report.plan.seed))
        sys.exit(1)
    print("Faults: " + ", ".join(f"{name} {many:,}" for name, many in total.faults.most_common()))


if __name__ == "__main__":
    main()
