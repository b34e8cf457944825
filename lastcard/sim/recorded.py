"""Plays the matches of a plan, and hands over what was recorded as arrays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from lastcard.bots.simple import policy_of
from lastcard.core.game import Game
from lastcard.core.scratch import LOG_ROWS
from lastcard.kernel import LOG_COLUMNS, bind

from . import asking
from .plans import COMPILED, DECISION, Plan, key_of, new_bot, seed_words
from .recording import ACTIONS, LAST_DECISION, LAST_ROUND, RECORDS, SCORES, Out, Work

TEMPLATE = "lastcard.sim.recording"
ROUNDS_EACH = 8  # room for so many rounds of a match: what is too little doubles by itself
DECISIONS_EACH = 512
ACTIONS_EACH = 8  # legal ones of a decision
DEAL = "dealt"  # the event that begins a round


@dataclass(frozen=True)
class Recorded:
    """Matches in a row: arrays as `recording.Out` describes them, cut to what was written."""

    first: int  # the number of the first match
    matches: Any
    rounds: Any
    decisions: Any
    actions: Any
    observations: Any
    hidden: Any


@cache
def compiled_recording(rules: Game) -> Any:
    """What records matches of bots that do not look ahead."""
    deciding = rules.bound("lastcard.sim.deciding", policy=policy_of(rules))
    return rules.bound(TEMPLATE, deciding=deciding)


@cache
def asked_recording(rules: Game) -> ModuleType:
    """The same for bots in Python: the template as it is written, over the game's rules."""
    return bind(TEMPLATE, "asking", rules=rules.rules, deciding=asking)


class Recorder:
    """Plays matches of one plan. It belongs to one thread."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.game = rules = plan.rules
        self.options = np.array(plan.stored_options(), np.int16)
        self.seed = seed_words(plan.seed)
        kinds = [event.kind for event in rules.events]
        self.dealt = kinds.index(DEAL) if DEAL in kinds else -1
        self.width = SCORES + plan.players + len(kinds)
        self.deciding = plan.rows == DECISION
        self.recording = compiled_recording(rules) if plan.compiled else asked_recording(rules)
        self.work = Work(
            records=np.zeros(RECORDS, rules.rules.RECORD),
            legal=np.zeros(rules.rules.MOST_LEGAL, np.int16),
            log=np.zeros((0 if self.deciding else LOG_ROWS, LOG_COLUMNS), np.int32),
            rng=np.zeros(1, np.uint64),
            states=np.zeros(plan.players, np.uint64),
            marks=np.zeros(3, np.int64),
            limits=np.zeros(3, np.int64),
        )

    def play(self, numbers: range) -> Iterator[Recorded]:
        """Plays matches in order, as many at a time as there is room for."""
        first, room = numbers.start, 1
        while first < numbers.stop:
            count = numbers.stop - first
            out = self._room(count, room)
            self.work.marks[:] = 0
            self.work.limits[:] = len(out.rounds), len(out.decisions), len(out.actions)
            played = self._record(first, count, out)
            if played:
                yield self._cut(first, played, out)
            else:
                room *= 2  # not even one match fits
            first += played

    def _record(self, first: int, count: int, out: Out) -> int:
        given = (self.plan.players, self.options, self.seed, self.dealt)
        if self.plan.compiled:
            bots = np.array([COMPILED[name] for name in self.plan.bots], np.int16)
            return int(self.recording.record_matches(first, count, *given, bots, self.work, out))
        return int(
            self.recording.record_matches(first, 1, *given, self._bots(first), self.work, out)
        )

    def _bots(self, match: int) -> list[Any]:
        """Bots for one match in Python, with generators as compiled code has them."""
        states = np.zeros(self.plan.players, np.uint64)
        record = self.game.blank(key_of(self.plan.seed, match))[0]
        self.recording.seed_seats(record, states)
        return [
            new_bot(name, self.game, int(state), int(state))
            for name, state in zip(self.plan.bots, states, strict=True)
        ]

    def _room(self, count: int, room: int) -> Out:
        decisions = room * count * DECISIONS_EACH if self.deciding else 0
        rules = self.game.rules
        observed = 0 if self.plan.hidden else decisions
        return Out(
            matches=np.zeros((count, 3), np.int64),
            rounds=np.zeros((room * count * ROUNDS_EACH, self.width), np.int32),
            decisions=np.zeros((decisions, 4), np.int16),
            actions=np.zeros(decisions * ACTIONS_EACH, np.int16),
            observations=np.zeros((observed, len(rules.OBSERVED)), np.float32),
            hidden=np.zeros(decisions - observed, rules.RECORD),
        )

    def _cut(self, first: int, played: int, out: Out) -> Recorded:
        rounds = int(out.matches[played - 1, LAST_ROUND])
        decisions = int(out.matches[played - 1, LAST_DECISION])
        actions = int(self.work.marks[ACTIONS])
        return Recorded(
            first,
            out.matches[:played],
            out.rounds[:rounds],
            out.decisions[:decisions],
            out.actions[:actions],
            out.observations[:decisions],
            out.hidden[:decisions],
        )
