"""Plays everything that a study needs."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lastcard.core.game import Game
from lastcard.sim import arena
from lastcard.sim.limits import limit_of
from lastcard.sim.plans import DECISION, ROUND, key_of, plan, simulated
from lastcard.sim.simulation import simulate
from lastcard.sim.tables import EVENT

from .dealt import dealt_cards
from .estimates import Estimate
from .played import Measure, Played, measures
from .questions import Design, Options, written

RANDOM = "random"
PART = 256  # matches that a worker plays at a time
FEWER = 40  # one match in so many is kept decision by decision

Tell = Callable[[str], None]  # is told what is played next
Keep = Callable[[str, pa.Table], None]  # is given rows, and the name of the file they belong to


@dataclass
class Gathered:
    """What was found, by number of players and where it matters by options."""

    design: Design
    usual: dict[int, Played] = field(default_factory=dict)  # with the usual options
    measured: dict[tuple[int, Options, str], list[Measure]] = field(default_factory=dict)
    legal: dict[int, tuple[Any, Any]] = field(default_factory=dict)  # match and legal actions
    dealt: dict[int, Any] = field(default_factory=dict)  # cards by match, seat and kind
    beaten: dict[int, Estimate] = field(default_factory=dict)  # share of wins against random ones
    strong: dict[int, Estimate] = field(default_factory=dict)  # of one that looks ahead

    @property
    def contest(self) -> str:
        """One bot among random ones."""
        return f"{self.design.bots},{RANDOM}"

    def whole(self, players: int, options: Options) -> tuple[int, Options]:
        """All options, said or not: what makes matches the same."""
        rules = self.design.rules
        stored = rules.read_options(simulated(rules) | dict(options), players)
        known = zip(rules.options, stored, strict=True)
        return players, tuple((option.name, option.write(value)) for option, value in known)

    def measured_with(self, players: int, options: Options, ruling: str = "") -> list[Measure]:
        return self.measured[*self.whole(players, options), ruling]

    def matches_for(self, rows: str) -> int:
        """How many matches are played for rows of a kind."""
        return -(-self.design.matches // FEWER) if rows == DECISION else self.design.matches

    @cached_property
    def repeatable(self) -> bool:
        bots = (self.design.bots, self.design.strong)
        return not any(plan(self.design.rules.id, 1, bots=bot).unrepeatable() for bot in bots)


def gather(
    design: Design,
    workers: int | None = None,
    tell: Tell = lambda _: None,
    keep: Keep = lambda _, __: None,
) -> Gathered:
    """Plays all matches of a study, saying what comes next and handing over the rows."""
    found = Gathered(design)
    playing = _Playing(found, workers, keep)
    for players in design.players:
        for options in _variants(design):
            tell(", ".join((f"{players} players", *written(options))))
            playing.variant(players, options)
        for ruling in design.rulings(players):
            tell(f"{players} players, the ruling {ruling.name}")
            playing.variant(players, design.options, ruling.name)
        tell(f"{players} players, decisions and deals")
        playing.decisions(players)
        if design.questions.special:
            playing.deal(players)
        tell(f"{players} players, {design.strong} among {design.bots}")
        playing.strong(players)
    return found


def steps(design: Design) -> int:
    """How often `gather` tells something."""
    rulings = sum(len(design.rulings(players)) for players in design.players)
    return len(design.players) * (len(_variants(design)) + 2) + rulings


def _variants(design: Design) -> list[Options]:
    """All options that are played with: the usual ones first."""
    asked = [one for each in design.questions.compare for one in each.variants]
    return list(dict.fromkeys([design.options, *asked]))


@dataclass(frozen=True)
class _Playing:
    """Plays, measures and forgets: only what is asked later is kept in memory."""

    found: Gathered
    workers: int | None
    keep: Keep

    def variant(self, players: int, options: Options, ruling: str = "") -> None:
        found, rules = self.found, self.found.design.rules
        whole = found.whole(players, options)
        if (*whole, ruling) in found.measured:
            return
        limit = limit_of(rules, dict(whole[1]))
        both = []
        for bots in (found.design.bots, found.contest):
            rows = self._simulated(players, options, ROUND, bots, ruling)
            self._keep(f"rounds-{players}", rows, whole[1], bots, ruling)
            both.append(played_of(rules, players, rows))
        played, beaten = both
        endings = [*found.design.questions.endings]
        found.measured[*whole, ruling] = measures(played, beaten, endings, limit)
        if players not in found.usual:
            found.usual[players] = played
            found.beaten[players] = beaten.first_seat().estimate()

    def decisions(self, players: int) -> None:
        found, design = self.found, self.found.design
        rows = self._simulated(players, design.options, DECISION, design.bots)
        rows = rows.drop_columns(["observation"]).filter(pc.is_valid(rows["action"]))
        legal = pc.list_value_length(rows["legal"]).to_numpy()
        found.legal[players] = rows["match"].to_numpy(), legal
        options = found.whole(players, design.options)[1]
        self._keep(f"decisions-{players}", rows, options, design.bots)

    def deal(self, players: int) -> None:
        design = self.found.design
        keys = [key_of(design.seed, match) for match in range(design.matches)]
        options = simulated(design.rules) | dict(design.options)
        dealt = dealt_cards(design.rules, design.questions, players, options, keys)
        self.found.dealt[players] = dealt
        columns = {
            "match": np.repeat(np.arange(design.matches), players),
            "seat": np.tile(np.arange(players, dtype=np.int8), design.matches),
        }
        for place, kind in enumerate(design.questions.special):
            columns[kind] = dealt[:, :, place].reshape(-1).astype(np.int8)
        self.keep(f"dealt-{players}", pa.table(columns))

    def strong(self, players: int) -> None:
        """One bot that looks ahead among the usual ones, on the same deals in all seats."""
        design = self.found.design
        contest = arena.plan(
            design.rules.id,
            [design.strong, design.bots],
            design.strong_matches,
            players,
            simulated(design.rules) | dict(design.options),
            design.seed,
        )
        count = min(self.workers or os.cpu_count() or 1, contest.matches)
        results = sorted(arena.run(contest, count), key=lambda one: one.match)
        (best,) = [one for one in arena.standings(contest, results) if one.bot == design.strong]
        self.found.strong[players] = Estimate.of(best.wins)
        columns = {
            name: [getattr(one, name) for one in results]
            for name in ("match", "deal", "key", "seats", "winners", "scores", "choices")
        }
        self.keep(f"skill-{players}", pa.table(columns))

    def _simulated(
        self, players: int, options: Options, rows: str, bots: str, ruling: str = ""
    ) -> pa.Table:
        design, matches = self.found.design, self.found.matches_for(rows)
        return simulate(
            design.rules.id,
            matches,
            players=players,
            options=dict(options),
            bots=bots,
            seed=design.seed,
            rows=rows,
            ruling=ruling,
            workers=self.workers,
            part=min(PART, matches),
        )

    def _keep(
        self, file: str, rows: pa.Table, options: Options, bots: str, ruling: str = ""
    ) -> None:
        """Hands rows over with what they were played with."""
        rows = rows.replace_schema_metadata(None)
        told = {"bots": bots, "options": " ".join(written(options)), "ruling": ruling}
        for name, text in told.items():
            rows = rows.append_column(name, pa.repeat(text, len(rows)))
        self.keep(file, rows)


def played_of(rules: Game, players: int, rows: pa.Table) -> Played:
    """Rounds as arrays. Whoever has the best score in the end has won."""
    match = rows["match"].to_numpy()
    scores = rows["scores"].combine_chunks().flatten().to_numpy().reshape(-1, players)
    scores = scores.astype(np.int64)
    final = scores[np.append(match[1:] != match[:-1], True)]
    lowest = bool(rules.rules.LOWEST_WINS)
    best = final.min(axis=1) if lowest else final.max(axis=1)
    return Played(
        players=players,
        lowest_wins=lowest,
        match=match,
        opener=rows["opener"].to_numpy().astype(np.int64),
        decisions=rows["decisions"].to_numpy(),
        choices=rows["choices"].to_numpy(),
        scores=scores,
        events={event.kind: rows[EVENT + event.kind].to_numpy() for event in rules.events},
        winners=final == best[:, None],
    )
