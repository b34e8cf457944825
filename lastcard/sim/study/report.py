"""Puts into words, plots and tables what was found: the sections of a study's page."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any

import numpy as np

from lastcard import __version__
from lastcard.bots.levels import levels_of
from lastcard.engine.places import state_of
from lastcard.sim.limits import Limit, limit_of
from lastcard.sim.plans import DECISION, MATCH, ROUND, simulated
from lastcard.sim.rulings import Ruling

from .dealt import Worth, worths
from .estimates import Estimate, Sample, quantile
from .gathering import RANDOM, Gathered
from .page import PERCENT, RARE, SHARE, SHARE_OVER, Section, Table, Unit, page
from .played import Measure, Played, in_all
from .questions import LEVEL, Options, named, span, written
from .spread import bins_of, branching
from .svg import Line, Row, dots, histogram, lines

MEAN, WHOLE, DIFFERENCE = Unit(2), Unit(0), Unit(2, signed=True)
Measuring = Callable[[Played], Sample | Estimate]


@dataclass(frozen=True)
class Number:
    """A number of the page, as its table has it."""

    section: str
    measure: str
    players: int
    options: str
    ruling: str  # empty: ours
    value: float
    low: float | None
    high: float | None
    command: str  # or several, one in a line


@dataclass(frozen=True)
class Variant:
    """How matches are played, and what that is called."""

    name: str
    options: Options
    ruling: str = ""


@dataclass
class Report:
    """Writes the page section by section, and keeps all its numbers."""

    found: Gathered
    numbers: list[Number] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.design = self.found.design
        self.rules = self.design.rules
        self.counts = self.design.players
        self.middle = min(self.counts, key=lambda players: abs(players - 3))

    def page(self) -> str:
        sections = [
            self.glance(),
            self.opening(),
            self.length(),
            self.branching(),
            self.skill(),
            *([self.cards()] if self.found.dealt else []),
            self.ties(),
            self.lead(),
            *([self.variants()] if self.design.questions.compare else []),
            *([self.rulings()] if any(map(self.design.rulings, self.counts)) else []),
            self.events(),
            self.method(),
        ]
        design = self.design
        lead = [
            f"{self.rules.tagline} This page measures what the game is like when bots play it: "
            f"{design.matches:,} matches of {design.bots} bots for each number of players "
            f"({span(self.counts)}) and each variant. Brackets hold 95 % intervals.",
        ]
        return page(f"{self.rules.title}: a study", lead, sections)

    # --- Helpers ---------------------------------------------------------------------------------

    def usual(self, players: int) -> Played:
        return self.found.usual[players]

    def keep(
        self,
        section: Section,
        measure: str,
        players: int,
        found: Estimate | Sample,
        *commands: str,
        variant: Variant | None = None,
    ) -> Estimate:
        """Notes a number down for the table of all numbers, with what plays the same again: the
        rounds of the usual matches, if nothing else is said."""
        found = _estimated(found)
        variant = variant or Variant("", self.design.options)
        options = " ".join(written(variant.options))
        self.numbers.append(
            Number(
                *(section.id, measure, players, options, variant.ruling),
                *(found.value, found.low, found.high),
                "\n".join(commands or [self.simulating(players)]),
            )
        )
        return found

    def simulating(
        self,
        players: int,
        options: Options | None = None,
        rows: str = ROUND,
        bots: str = "",
        ruling: str = "",
    ) -> str:
        """The command that plays the same matches."""
        design = self.design
        words = [f"lastcard simulate {self.rules.id} --players {players}"]
        words += [f"--matches {self.found.matches_for(rows)} --bots {bots or design.bots}"]
        words += [f"--seed {design.seed} --rows {rows}"]
        chosen = design.options if options is None else options
        words += [f"-o {word}" for word in written(chosen)]
        words += [f"--ruling {ruling}"] if ruling else []
        return " ".join(words if rows == MATCH else [*words, "--out FOLDER"])

    def all_simulating(self, rows: str = ROUND) -> list[str]:
        return [self.simulating(players, rows=rows) for players in self.counts]

    def studying(self, players: int) -> str:
        """The command that makes this page for one number of players: for what no rows tell."""
        return replace(self.design, players=(players,)).command

    def by_players(self, section: Section, rows: Sequence[tuple[str, Unit, Measuring]]) -> Table:
        """A table of measures, a column per number of players."""
        head = ["", *(f"{players} players" for players in self.counts)]
        cells = []
        for name, unit, measure in rows:
            found = [
                self.keep(section, name, players, measure(self.usual(players)))
                for players in self.counts
            ]
            cells.append([escape(name), *map(unit.html, found)])
        return Table(section.title, head, cells)

    # --- Sections --------------------------------------------------------------------------------

    def glance(self) -> Section:
        """The numbers that tell most, before each has its section."""
        section = Section("glance", "At a glance")
        design = self.design
        found = [
            (
                Estimate(1 / players, None, None),
                self.usual(players).seated(0),
                self.usual(players).first_opener(),
                self.usual(players).decisions_per_match(),
                *branching(*self.found.legal[players]).values(),
                self.found.beaten[players],
                self.found.strong[players],
                self.usual(players).tied_matches(),
                self.usual(players).lead_changes(),
                self.usual(players).leader_wins(),
            )
            for players in self.counts
        ]
        names = (
            ("an even share", SHARE),
            ("rounds in which the opener is best", SHARE),
            ("matches that the first opener wins", SHARE),
            ("decisions in a match", Unit(1)),
            ("legal actions at a decision", MEAN),
            ("where there is a choice", MEAN),
            ("decisions without a choice", SHARE),
            (f"won by one {design.bots} among {RANDOM}", SHARE),
            (f"won by one {design.strong} among {design.bots}", SHARE),
            ("matches with several winners", SHARE),
            ("lead changes in a match", MEAN),
            ("matches that the leader before the last round wins", SHARE),
        )
        rows = [
            [escape(name), *(unit.html(_estimated(one)) for one in values)]
            for (name, unit), values in zip(names, zip(*found, strict=True), strict=True)
        ]
        head = ["", *(f"{players} players" for players in self.counts)]
        section.parts.append(Table("By number of players", head, rows).html())
        section.note("Each has its section below, with plots and the commands that repeat it.")
        return section

    def opening(self) -> Section:
        section = Section("opening", "Who opens: is it an advantage?")
        rows, table = [], []
        for players in self.counts:
            played, even = self.usual(players), 1 / players
            first = self.keep(
                section, "matches that the first opener wins", players, played.first_opener()
            )
            cells = [f"{players} players", f"{SHARE.number(even)}{PERCENT}"]
            for after in range(players):
                held = self.keep(
                    section,
                    f"rounds in which this seat is best: {_place(after)}",
                    players,
                    played.seated(after),
                )
                label = f"{players} players, {_place(after)}" if after == 0 else _place(after)
                rows.append(Row(label, _percent(held.moved(-even)), min(after, 1)))
                cells.append(SHARE.html(held))
            blank = [""] * (self.counts[-1] - players)
            table.append([*cells, *blank, SHARE.html(first)])
            if players == self.middle:
                best = played.seated(0).estimate()
                section.say(
                    f"With {players} players an even share is {SHARE.number(even)}{PERCENT}. "
                    f"Whoever opens a round is best in it in {SHARE.text(best)} of the rounds: "
                    f"{_verdict(best.moved(-even))}. Whoever opens the first round wins "
                    f"{SHARE.text(first)} of the matches: {_verdict(first.moved(-even))}.",
                )
        says = "Share of rounds in which seats are best, by their place after the opener."
        section.plot(
            dots(rows, "percentage points above an even share", says, 0.0),
            "Being best in a round, by the place after its opener, with 95 % intervals. Several "
            "that are best share the round.",
            ("the opener", "others"),
        )
        places = [f"{_place(after)}, rounds" for after in range(self.counts[-1])]
        head = ["", "even share", *places, "first opener, matches"]
        section.details([Table("Shares of rounds and matches", head, table)], self.all_simulating())
        return section

    def length(self) -> Section:
        section = Section("length", "How long are rounds and matches?")
        played = self.usual(self.middle)
        section.say(
            f"With {self.middle} players a round takes "
            f"{MEAN.text(played.decisions_per_round().estimate())} decisions and a match "
            f"{MEAN.text(played.decisions_per_match().estimate())}, in "
            f"{MEAN.text(played.rounds_per_match().estimate())} rounds.",
        )
        tables = [
            self.by_players(
                section,
                (
                    ("decisions per round", MEAN, Played.decisions_per_round),
                    ("rounds per match", MEAN, Played.rounds_per_match),
                    ("decisions per match", MEAN, Played.decisions_per_match),
                    ("a match, shortest 5 %: up to", WHOLE, _quantile_of(0.05)),
                    ("a match, median", WHOLE, _quantile_of(0.5)),
                    ("a match, longest 5 %: from", WHOLE, _quantile_of(0.95)),
                ),
            )
        ]
        total = played.per_match(played.decisions)
        for what, match, values in (
            ("decisions in a round", played.match, played.decisions),
            ("decisions in a match", np.arange(played.matches), total),
        ):
            tables.append(self._spread(section, what, match, values, ROUND))
        section.details(tables, self.all_simulating())
        return section

    def _spread(self, section: Section, what: str, match: Any, values: Any, rows_by: str) -> Table:
        """Draws a histogram, and returns it as a table."""
        bins = bins_of(match, values)
        says = f"Histogram of {what} with {self.middle} players; its table follows below."
        section.plot(histogram(bins, what, says), f"{what.capitalize()}, {self.middle} players.")
        rows = []
        for one in bins:
            last = one.end - 1
            label = f"{one.start}" if last == one.start else f"{one.start} to {last}"
            label = f"{one.start} or more" if one is bins[-1] else label
            command = self.simulating(self.middle, rows=rows_by)
            self.keep(section, f"{what}: {label}", self.middle, one.share, command)
            rows.append([label, SHARE.html(one.share)])
        return Table(f"{what.capitalize()}, {self.middle} players", ["", "share"], rows)

    def branching(self) -> Section:
        section = Section("branching", "How many actions are there to choose from?")
        table = []
        for players in self.counts:
            match, legal = self.found.legal[players]
            row = [f"{players} players"]
            found = branching(match, legal)
            for (name, sample), unit in zip(found.items(), (MEAN, MEAN, SHARE), strict=True):
                command = self.simulating(players, rows=DECISION)
                row.append(unit.html(self.keep(section, name, players, sample, command)))
            table.append([*row, str(int(legal.max()))])
            if players == self.middle:
                mean, choosing, forced = (one.estimate() for one in found.values())
                section.say(
                    f"With {players} players there are {MEAN.text(mean)} legal actions at a "
                    f"decision; {SHARE.text(forced)} of the decisions leave no choice, and the "
                    f"others have {MEAN.text(choosing)}.",
                )
                spread = self._spread(
                    section, "legal actions at a decision", match, legal, DECISION
                )
        head = ["", "legal actions", "where there is a choice", "no choice", "most seen"]
        tables = [Table("Legal actions at a decision", head, table), spread]
        section.details(tables, self.all_simulating(DECISION))
        return section

    def skill(self) -> Section:
        section = Section("skill", "How much is skill?")
        design = self.design
        series = [f"{design.bots} among {RANDOM}", f"{design.strong} among {design.bots}"]
        drawn: list[list[Estimate]] = [[], []]
        table = []
        for players in self.counts:
            even = 1 / players
            shares = (self.found.beaten[players], self.found.strong[players])
            for name, held, line, command in zip(
                series, shares, drawn, self._contests(players), strict=True
            ):
                self.keep(section, f"matches won by one {name}", players, held, command)
                line.append(_percent(held.moved(-even)))
            cells = [SHARE.html(held) for held in shares]
            table.append([f"{players} players", f"{SHARE.number(even)}{PERCENT}", *cells])
            if players == self.middle:
                section.say(
                    f"With {players} players an even share is {SHARE.number(even)}{PERCENT}. One "
                    f"{design.bots} bot among {RANDOM} ones wins {SHARE.text(shares[0])} of the "
                    f"matches, and one {design.strong} bot among {design.bots} ones "
                    f"{SHARE.text(shares[1])}.",
                )
        section.plot(
            lines(
                self.counts,
                [Line(name, found) for name, found in zip(series, drawn, strict=True)],
                "players",
                "percentage points above an even share",
                "Share of matches won above an even share, by number of players.",
            ),
            "Share of the matches that the better bot wins, above an even share.",
            series,
        )
        expert = levels_of(self.rules)[LEVEL]
        section.note(
            f"{design.strong} looks ahead by a number of playouts for each move, so that the same "
            f"numbers come out again. (The level {LEVEL} is {expert}, which thinks by the clock.) "
            "Bots with more time play better. At 0 the better bot gains nothing."
        )
        head = ["", "even share", *map(escape, series)]
        commands = [one for players in self.counts for one in self._contests(players)]
        section.details([Table("Share of matches won", head, table)], commands)
        return section

    def _contests(self, players: int) -> tuple[str, str]:
        """The commands that play one bot among random ones, and the one that looks ahead."""
        design = self.design
        chosen = simulated(self.rules) | dict(design.options)  # arenas play as people do
        options = "".join(f" -o {word}" for word in written(tuple(chosen.items())))
        return (
            self.simulating(players, bots=self.found.contest),
            f"lastcard arena {self.rules.id} --bots {design.strong},{design.bots} --players "
            f"{players} --matches {design.strong_matches} --seed {design.seed}{options}",
        )

    def cards(self) -> Section:
        section = Section("cards", "What is each special card worth?")
        asked = self.design.questions
        tables = []
        for players in self.counts:
            found = worths(asked, self.usual(players), self.found.dealt[players])
            for one in found:
                for what, slope in (("share", one.share), ("points", one.points)):
                    name = f"{what} of the round, {one.kind}"
                    self.keep(section, name, players, slope, self.studying(players))
            rows = [
                [
                    escape(one.kind),
                    MEAN.number(one.dealt),
                    SHARE_OVER.html(one.share),
                    DIFFERENCE.html(one.points),
                ]
                for one in found
            ]
            head = ["", "dealt to a seat", "share of the round", "points of the round"]
            tables.append(Table(f"{players} players", head, rows))
            if players == self.middle:
                self._draw_worths(section, found)
        best = "the fewest" if self.rules.rules.LOWEST_WINS else "the most"
        section.note(
            "What is estimated: the change in the first round's result for each further card of "
            f"the kind that is dealt instead of {asked.ordinary}, by least squares over all seats "
            "of all matches, with the place after the opener held equal. Who is dealt what is "
            "drawn by lot, so this is an effect of the card with these bots, not of who plays it "
            f"well. It includes that the others do not have it. Whoever has {best} points is best."
        )
        section.details(tables, list(map(self.studying, self.counts)))
        return section

    def _draw_worths(self, section: Section, found: Sequence[Worth]) -> None:
        ranked = sorted(found, key=lambda one: -one.share.value)
        rows = [Row(one.kind, _percent(one.share)) for one in ranked]
        known = [one for one in ranked if one.share.differs]
        if known:
            best, worst = known[0], known[-1]
            text = (
                f"With {self.middle} players, of those that surely matter the {best.kind} is "
                f"worth most: {SHARE_OVER.text(best.share)} of the round for each one dealt"
            )
            more = f"; the {worst.kind} least: {SHARE_OVER.text(worst.share)}."
            section.say(text + (more if worst is not best else "."))
        else:
            section.say("No kind of card surely matters: all intervals include 0.")
        section.plot(
            dots(rows, "percentage points of the round", "Worth of each kind of card.", 0.0),
            f"One more of these instead of {self.design.questions.ordinary}: how much more often "
            f"the seat is best in the round, {self.middle} players.",
        )

    def ties(self) -> Section:
        section = Section("ties", "Ties, and rounds that end otherwise")
        played = self.usual(self.middle)
        endings = self.design.questions.endings
        section.say(
            f"With {self.middle} players {RARE.text(played.tied_matches().estimate())} of the "
            "matches have several winners, and in "
            f"{RARE.text(played.tied_rounds().estimate())} of the rounds several seats are best.",
            *(
                f"{RARE.text(played.rounds_with(kind).estimate())} of the rounds {words}."
                for kind, words in endings.items()
            ),
        )
        limit = limit_of(self.rules, dict(self.found.whole(self.middle, self.design.options)[1]))
        table = self.by_players(
            section,
            (
                *([(limit.words, RARE, _capped_by(limit))] if limit else []),
                ("matches with several winners", RARE, Played.tied_matches),
                ("rounds with several best", RARE, Played.tied_rounds),
                *((f"rounds: {kind}", RARE, _rounds_with(kind)) for kind in endings),
            ),
        )
        section.details([table], self.all_simulating())
        return section

    def lead(self) -> Section:
        section = Section("lead", "How often does the lead change?")
        played = self.usual(self.middle)
        section.say(
            "With",
            f"{self.middle} players another one takes the lead",
            f"{MEAN.text(played.lead_changes().estimate())} times a match.",
        )
        if math.isfinite(played.leader_wins().value):
            section.say(
                "Whoever leads alone before the last round wins in "
                f"{SHARE.text(played.leader_wins().estimate())} of the matches."
            )
        found = [self.usual(players).lead_changes().estimate() for players in self.counts]
        section.plot(
            dots(
                [Row(f"{n} players", one) for n, one in zip(self.counts, found, strict=True)],
                "lead changes per match",
                "Lead changes per match by number of players.",
                0.0,
            ),
            "The lead changes when another player leads alone than the one who last did.",
        )
        table = self.by_players(
            section,
            (
                ("lead changes per match", MEAN, Played.lead_changes),
                ("matches that the leader before the last round wins", SHARE, Played.leader_wins),
            ),
        )
        section.details([table], self.all_simulating())
        return section

    def variants(self) -> Section:
        section = Section("variants", "Variants side by side")
        section.say(
            "The same deals are played with each value, and differences are between matches from "
            "the same deal. In the tables, bold differences have intervals without 0. Bots play "
            "by the same rules of thumb in all variants: people may adapt more.",
        )
        for comparison in self.design.questions.compare:
            names = [named(one, comparison.variants) for one in comparison.variants]
            variants = [
                Variant(name, options)
                for name, options in zip(names, comparison.variants, strict=True)
            ]
            self._compare(section, comparison.question, variants)
        return section

    def rulings(self) -> Section:
        section = Section("rulings", "What if we had ruled otherwise?")
        marked = (self.rules.rules.__doc__ or "").count("[ruling")
        section.say(
            f"The rules (lastcard rules {self.rules.id}) mark {marked} rulings, where we decided "
            "what the rulebook leaves open. Here some of them are turned round, one at a time, "
            "and the same seeds are played again; tables have the differences. Those that are "
            "options are among the variants. Bots play by the same rules of thumb all the time.",
        )
        for ruling in self.design.questions.rulings:
            counts = [one for one in self.counts if ruling in self.design.rulings(one)]
            if counts:
                self._turn_round(section, ruling, counts)
        return section

    def _turn_round(self, section: Section, ruling: Ruling, counts: Sequence[int]) -> None:
        """What another ruling changes: one table, since what it is held against is on the page."""
        section.head(ruling.question)
        options = self.design.options
        variants = [Variant("ours", options), Variant(ruling.name, options, ruling.name)]
        middle = min(counts, key=lambda players: abs(players - self.middle))
        changes: dict[str, list[str]] = {}
        for players in counts:
            found = [self.found.measured_with(players, options, one.ruling) for one in variants]
            side_by_side = [*in_all(found)]
            for line in side_by_side:
                *_, change = self._compared(section, players, variants, line)
                changes.setdefault(line[0].name, []).append(change)
            if players == middle:
                names = [one.name for one in variants]
                section.list(_changes(side_by_side, names, players))
                self._draw_changes(section, side_by_side, names, players)
        head = ["", *(f"{players} players" for players in counts)]
        rows = [[escape(name), *cells] for name, cells in changes.items()]
        table = Table(f"What {ruling.name} changes", head, rows)
        section.details([table], self._played(middle, variants))

    def _compare(self, section: Section, question: str, variants: Sequence[Variant]) -> None:
        """The first variant is what the others are held against."""
        section.head(question)
        names = [one.name for one in variants]
        tables = []
        for players in self.counts:
            found = [self.found.measured_with(players, one.options) for one in variants]
            side_by_side = [*in_all(found)]
            head = ["", *(f"<code>{escape(name)}</code>" for name in names)]
            head += [f"<code>{escape(name)}</code>, difference" for name in names[1:]]
            table = [self._compared(section, players, variants, one) for one in side_by_side]
            tables.append(Table(f"{players} players", head, table))
            if players == self.middle:
                section.list(_changes(side_by_side, names, players))
                self._draw_changes(section, side_by_side, names, players)
        section.details(tables, self._played(self.middle, variants))

    def _played(self, players: int, variants: Sequence[Variant]) -> list[str]:
        """The commands that play variants, and their matches against random players."""
        return [
            self._playing(players, one, contest) for one in variants for contest in (False, True)
        ]

    def _playing(self, players: int, variant: Variant, contest: bool) -> str:
        """The command that plays a variant, or its matches against random players."""
        bots = self.found.contest if contest else self.design.bots
        return self.simulating(players, variant.options, bots=bots, ruling=variant.ruling)

    def _draw_changes(
        self,
        section: Section,
        lines: Sequence[Sequence[Measure]],
        names: Sequence[str],
        players: int,
    ) -> None:
        """The shares: by how much each variant changes them."""
        rows = [
            Row(one.short if place == 0 else "", _percent(one.sample.minus(line[0].sample)), place)
            for line in lines
            if line[0].percent
            for place, one in enumerate(line[1:])
        ]
        section.plot(
            dots(rows, "percentage points", f"What {', '.join(names[1:])} changes.", 0.0),
            f"What changes against {names[0]}, with 95 % intervals, {players} players. At 0 "
            "nothing does.",
            names[1:],
        )

    def _compared(
        self, section: Section, players: int, variants: Sequence[Variant], line: Sequence[Measure]
    ) -> list[str]:
        """A row: a measure in every variant, and its differences to the first."""
        unit, over = (SHARE, SHARE_OVER) if line[0].percent else (MEAN, DIFFERENCE)
        cells = [escape(line[0].name)]
        played = [self._playing(players, one, line[0].contest) for one in variants]
        for one, variant, command in zip(line, variants, played, strict=True):
            held = self.keep(section, one.name, players, one.sample, command, variant=variant)
            cells.append(unit.html(held))
        for one, variant, command in zip(line[1:], variants[1:], played[1:], strict=True):
            change = one.sample.minus(line[0].sample)
            name = f"{one.name}, difference"
            self.keep(section, name, players, change, played[0], command, variant=variant)
            text = over.html(change)
            cells.append(f"<strong>{text}</strong>" if change.differs else text)
        return cells

    def events(self) -> Section:
        section = Section("events", "What happens in a round?")
        kinds = [
            event.kind
            for event in self.rules.events
            if any(self.usual(players).events[event.kind].any() for players in self.counts)
        ]
        section.say(
            "How often each kind of event happens in a round, as the match's log has it. (The log "
            "begins after the first deal.)"
        )
        rows = [(kind, MEAN, _events_per_round(kind)) for kind in kinds]
        section.details([self.by_players(section, rows)], self.all_simulating())
        return section

    def method(self) -> Section:
        section = Section("method", "How this page was made")
        design = self.design
        section.parts.append(f'<pre tabindex="0"><code>{escape(design.command)}</code></pre>')
        section.say(
            "The same command with the same version makes the same page"
            + ("." if self.found.repeatable else ", but for bots that think by the clock."),
            "The rows behind it, and all its numbers as a table (numbers.parquet), are written "
            "into a folder beside it.",
        )
        section.say(
            "Intervals are 95 % intervals. A match is the unit of chance: everything is computed "
            "from one contribution per match, by Student's t; rare shares by Wilson's interval. "
            "Differences between variants are between matches from the same deals. There are "
            "many numbers here: one interval in twenty misses the truth.",
        )
        section.say(
            f"Made with lastcard {__version__}, from the sources {state_of(self.rules.folder)}: a "
            "page that names others was made by another version of the rules or the bots. "
            "(lastcard simulate writes the same into each data card.)",
        )
        rest = "The other rulings" if self.design.questions.rulings else "Our rulings"
        section.say(
            f"{rest} that the rules mark were not turned round: nothing here says what they change."
        )
        return section


def _place(after: int) -> str:
    return "opener" if after == 0 else "next" if after == 1 else f"{after} after"


def _verdict(over: Estimate) -> str:
    if not over.differs:
        return "the difference may be chance"
    return "an advantage" if over.value > 0 else "a disadvantage"


def _estimated(found: Estimate | Sample) -> Estimate:
    return found.estimate() if isinstance(found, Sample) else found


def _percent(found: Estimate) -> Estimate:
    ends = [None if end is None else 100 * end for end in (found.low, found.high)]
    return Estimate(100 * found.value, *ends)


def _quantile_of(q: float) -> Measuring:
    return lambda one: quantile(one.per_match(one.decisions), q)


def _capped_by(limit: Limit) -> Measuring:
    return lambda one: one.capped(limit)


def _rounds_with(kind: str) -> Measuring:
    return lambda one: one.rounds_with(kind)


def _events_per_round(kind: str) -> Measuring:
    return lambda one: one.events_per_round(kind)


def _changes(
    lines: Sequence[Sequence[Measure]], names: Sequence[str], players: int
) -> Iterator[str]:
    """What surely changes with each variant, in words."""
    for place, name in enumerate(names[1:], 1):
        changed = []
        for line in lines:
            change = line[place].sample.minus(line[0].sample)
            unit = SHARE_OVER if line[0].percent else DIFFERENCE
            if change.differs:
                changed.append(f"{line[0].name} {unit.text(change)}")
        found = "; ".join(changed) or "nothing that is measured surely changes"
        yield f"{name}, {players} players: {found}."
