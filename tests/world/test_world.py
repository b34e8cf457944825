"""Simulated worlds keep all promises, replay exactly, and find what is wrong."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Set

import pytest

from tests.helpers import INTERPRETED
from tests.world.mutations import FOUND_BY, MUTATIONS, mutated, seeds_to_find
from tests.world.plan import FAULTS, USUAL_SKEW, Plan
from tests.world.shrink import shrink
from tests.world.world import run, run_plan

pytestmark = pytest.mark.skipif(INTERPRETED, reason="a thousand times slower")

PARTS, SEEDS = 4, 200
AGAIN = "from tests.world.world import run; print(*(run(seed).digest for seed in (2, 3)))"


@pytest.mark.parametrize("part", range(PARTS))
def test_every_world_keeps_its_promises(part: int) -> None:
    for seed in range(1 + part, 1 + SEEDS, PARTS):
        report = run(seed)
        assert report.violation is None, f"{report}: python -m tests.world --seed {seed}"


def test_a_seed_is_always_the_same_world() -> None:
    here = [run(seed).digest for seed in (2, 3)]
    command = [sys.executable, "-c", AGAIN]
    there = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert here == there  # where texts have other hashes


def test_all_that_can_go_wrong_does() -> None:
    missing = {*FAULTS, "SQLite: commit hangs", "clocks apart"}
    for plan in map(Plan.of, range(1, 400)):
        if not named(plan.faults, plan) & missing:
            continue  # nothing new could happen
        happened = {name.rpartition(" ")[0] for name in run_plan(plan).happened}
        missing -= named(happened, plan)
        if not missing:
            return
    assert not missing


def named(kinds: Set[str], plan: Plan) -> set[str]:
    if not plan.shared:
        return {f"SQLite: {kind}" for kind in kinds}
    apart = plan.processes > 1 and plan.skew > USUAL_SKEW
    return {*kinds, "clocks apart"} if apart else {*kinds}


def test_a_bot_moves_though_somebody_came_while_bystanders_were_asked() -> None:
    """Found in this world: the timer set meanwhile was taken for that of its turn."""
    assert run(274769).violation is None


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_defect_is_found(name: str) -> None:
    report, _ = seeds_to_find(name, first=FOUND_BY.get(name, 1), most=300)
    assert report is not None


def test_a_world_that_fails_is_shrunk() -> None:
    with mutated("stale view"):
        first = FOUND_BY["stale view"]
        seeds = range(first, first + 100)
        failed = next(one for one in map(run, seeds) if one.violation and one.happened)
        smaller = shrink(failed, most_runs=40)
        assert smaller.violation is not None and len(smaller.happened) < len(failed.happened)
        assert smaller.plan.faults < failed.plan.faults
        assert run_plan(smaller.plan).digest == smaller.digest
    assert run_plan(smaller.plan).violation is None
