"""What a world is like, all of it from a seed; and what may go wrong there."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

# How often each happens, in worlds where it happens at all: at each occasion.
FAULTS: Mapping[str, tuple[float, float]] = {
    "kill": (0.2, 0.9),  # a process, within its next thousands of steps
    "stop": (0.01, 0.08),  # a process is asked to stop, as by an operator
    "stall": (0.01, 0.08),  # a process does nothing for a while
    "commit fails": (0.01, 0.1),
    "commit hangs": (0.005, 0.03),
    "commit without answer": (0.01, 0.08),
    "commit after its failure": (0.005, 0.05),
    "read fails": (0.01, 0.08),
    "read hangs": (0.003, 0.02),
    "slow database": (0.02, 0.2),
    "note lost": (0.02, 0.4),
    "note late": (0.05, 0.4),
    "note doubled": (0.02, 0.3),
    "deaf": (0.01, 0.05),  # a process loses its connection for notes
    "cut": (0.02, 0.15),  # a connection, at a message
    "half cut": (0.3, 0.9),  # of those: the server learns of it late
    "answer lost": (0.05, 0.4),  # of a request
    "sent twice": (0.01, 0.1),  # a message, on the same connection
    "slow": (0.02, 0.2),  # a message
    "unread": (0.003, 0.02),  # a client stops reading for a while
    "away": (0.05, 0.4),  # who was cut off comes back much later
    "goes home": (0.02, 0.2),  # who was cut off never comes back
    "gives up": (0.2, 0.9),  # who is told that the server cannot do it now goes away
    "clock set": (0.02, 0.2),  # the system clock of a process jumps
}


USUAL_SKEW, LARGE_SKEW = 0.2, 2.0
# With these, what a process says may come late, or never.
SILENCING = frozenset(kind for kind in FAULTS if kind.startswith(("note", "commit", "read ")))
SILENCING |= {"deaf", "slow database", "stall"}


@dataclass(frozen=True)
class Plan:
    """A world. The smaller ones are made by `shrink`."""

    seed: int
    processes: int
    tables: int
    people: int  # at most, at each table
    seconds: float  # until it gets calm
    shared: bool  # a database for several processes, like PostgreSQL; or SQLite, for one
    faults: frozenset[str]  # that may happen
    skew: float = USUAL_SKEW  # seconds by which each clock is off, from when its process began
    without: frozenset[str] = frozenset()  # faults that do not: "cut 3" is the fourth cut

    @classmethod
    def of(cls, seed: int) -> Plan:
        rng = random.Random(f"plan {seed}")
        shared = rng.random() < 0.75
        boldness = rng.choice((0.2, 0.5, 0.8))  # many kinds of trouble hide each other's effects
        return cls(
            seed=seed,
            processes=rng.choice((1, 2, 2, 2, 3, 3)) if shared else 1,
            tables=rng.choice((1, 1, 1, 2)),
            people=rng.choice((1, 2, 3, 4)),
            seconds=rng.choice((6.0, 12.0, 24.0)),
            shared=shared,
            faults=frozenset(kind for kind in FAULTS if rng.random() < boldness),
            skew=rng.choice((USUAL_SKEW, USUAL_SKEW, LARGE_SKEW)),
        )


@dataclass
class Faults:
    """Decides what goes wrong, each kind by luck of its own: so a world without one fault is
    otherwise much the same."""

    plan: Plan
    calm: bool = False
    happened: list[str] = field(default_factory=list)
    _luck: dict[str, tuple[random.Random, float]] = field(default_factory=dict)
    _counts: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for kind in sorted(self.plan.faults):
            rng = random.Random(f"{self.plan.seed} {kind}")
            self._luck[kind] = rng, rng.uniform(*FAULTS[kind])

    def happens(self, kind: str) -> bool:
        """Whether this goes wrong now."""
        if self.calm or kind not in self._luck:
            return False
        rng, rate = self._luck[kind]
        if rng.random() >= rate:
            return False
        number = self._counts.get(kind, 0)
        self._counts[kind] = number + 1
        name = f"{kind} {number}"
        if name in self.plan.without:
            return False
        self.happened.append(name)
        return True

    def luck(self, kind: str) -> random.Random:
        """For how long, and the like."""
        return self._luck[kind][0]
