"""Makes a world that fails smaller, as long as it still fails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .plan import Plan
from .world import Report, run_plan

MOST_RUNS = 300


def shrink(report: Report, most_runs: int = MOST_RUNS) -> Report:
    """Fewer processes, tables, people, seconds and faults. What fails may change on the way; that
    something does is enough."""
    runs = 0
    while runs < most_runs:
        for smaller in _smaller(report):
            runs += 1
            tried = run_plan(smaller)
            if tried.violation is not None:
                report = tried
                break
            if runs >= most_runs:
                break
        else:
            break
    return report


def _smaller(report: Report) -> Iterator[Plan]:
    """What may be left out, most at a time first."""
    plan, happened = report.plan, report.happened
    if plan.tables > 1:
        yield replace(plan, tables=1)
    if plan.processes > 1:
        yield replace(plan, processes=plan.processes - 1)
    if plan.people > 1:
        yield replace(plan, people=plan.people - 1)
    if plan.seconds > 1:
        yield replace(plan, seconds=plan.seconds / 2)
    for kind in sorted({name.rpartition(" ")[0] for name in happened}):
        yield replace(plan, faults=plan.faults - {kind})
    if unused := plan.faults - {name.rpartition(" ")[0] for name in happened}:
        yield replace(plan, faults=plan.faults - unused)
    size = len(happened) // 2
    while size:
        for first in range(0, len(happened), size):
            yield replace(plan, without=plan.without | {*happened[first : first + size]})
        size //= 2
