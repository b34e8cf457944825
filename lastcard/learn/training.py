"""A whole training: from nothing, or from where one was stopped, to a network that bots play by."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch

from lastcard import __version__
from lastcard.bots.learned import outputs_of, told_to, write
from lastcard.core.game import Game
from lastcard.core.registry import game as find_game
from lastcard.engine.places import state_of
from lastcard.errors import BadOption

from .curve import curve
from .model import Model
from .others import NORMAL, Others, by_policy, network_named, others_of
from .playing import Table, Tables
from .ppo import Learned, Learner, Rates
from .revision import revision
from .strength import Strength, strength

CHECKPOINT, LOG, CURVE = "checkpoint.pt", "log.jsonl", "curve.svg"
FIRST = 3  # rounds of learning after which it is known how long all of them take
CHECKS = 5  # how often its strength is measured on the way
SAVES = 40  # how often everything is saved
FORM = 2  # of the file that it is saved in
TOLD = (  # to the command
    *("decisions", "minutes", "start", "players", "against", "part", "seed", "width", "depth"),
    *("matches", "threads", "on"),
)
SAMPLE = 16_384  # observations that tell how much layers pass on
GENTLE = 0.1  # of the rates with which others begin: a network that is begun from forgets less
WARMING = 0.02  # the part of the decisions in which its rate grows from nothing
DAY = 24 * 3600


@dataclass(frozen=True)
class Plan:
    """What is trained, and how. The same plan leads to the same network on the same machine."""

    game: str
    decisions: int = 200_000_000  # to learn from
    minutes: float = 0.0  # to learn for, instead of so many decisions
    seed: int = 1
    width: int = 256
    depth: int = 3
    matches: int = 2_048  # side by side
    steps: int = 64  # of all matches, then they are learned from
    batch: int = 8_192  # decisions that the network is changed for at once, or one of each match
    imitating: float = 0.02  # the part of the decisions in which it learns what the policy does
    rate: float = 1e-3
    last_rate: float = 1e-5
    entropy: float = 0.03
    last_entropy: float = 0.001
    vague: float = 0.2  # the entropy in the beginning, so that there is something to find out
    measuring: int = 2_000  # matches that tell its strength
    start: str = ""  # which network to begin from, if not from nothing
    players: int = 0  # if only so many
    options: tuple[tuple[str, Any], ...] = ()  # then those of all matches, if not the usual ones
    against: str = ""  # whom it is to beat, if not itself
    part: float = (
        1.0  # of the matches in which it plays against them; in the others, against itself
    )
    threads: int = 1
    on: str = "cpu"

    def longer_than(self, other: Plan) -> bool:
        if bool(self.minutes) != bool(other.minutes):
            return True
        return (self.minutes, self.decisions) > (other.minutes, other.decisions)

    def part_of(self, decisions: int, seconds: float) -> float:
        """How much of it is done."""
        done = seconds / (60 * self.minutes) if self.minutes else decisions / self.decisions
        return min(done, 1.0)

    def rates(self, part: float) -> Rates:
        """How to learn when so much of it is done."""
        if part < self.imitating and not self.start and (not self.against or self.part < 1):
            return Rates(self.rate, self.vague, imitating=True)
        # Adam does not know yet how large gradients are, and would undo much in its first steps.
        ready = min(part / WARMING, 1.0) if self.start else 1.0
        part = max(part - self.imitating, 0.0) / (1 - self.imitating)
        gentle = GENTLE if self.start else 1.0
        rate, entropy = gentle * self.rate, gentle * self.entropy
        learning = rate + (self.last_rate - rate) * part
        return Rates(ready * learning, entropy * (self.last_entropy / entropy) ** part)


@dataclass(frozen=True)
class Progress:
    """Where a training is."""

    decisions: int
    seconds: float
    part: float  # of the whole
    learned: Learned
    strengths: tuple[Strength, ...] = ()  # if they have just been measured
    against: str = NORMAL  # whom

    @property
    def rate(self) -> float:
        return self.decisions / max(self.seconds, 1e-9)

    @property
    def left(self) -> float:
        """Seconds."""
        return self.seconds * (1 - self.part) / max(self.part, 1e-9)


class Training:
    """One plan, carried out in a folder."""

    def __init__(self, plan: Plan, out: Path, resume: bool = False) -> None:
        self.out = out
        self.game = find_game(plan.game)
        begun = network_named(plan.start, self.game).net if plan.start else None
        if begun is not None:
            plan = replace(plan, width=int(begun.sizes[1]), depth=len(begun.sizes) - 2)
        self.plan = plan
        self.only = only_of(plan, self.game)
        self._find_device()
        self.others = others_of(plan.against, self.game, plan.on) if plan.against else None
        self._prepare(resume)
        self.learner = learner_of(plan, self.game, self.only, self.others)
        self.tables, self.model = self.learner.tables, self.learner.model
        self.done = 0  # decisions
        self.kept = 0  # how many of them are saved
        self.seconds = 0.0
        self.stopping = False
        self.measured: list[tuple[int, Strength]] = []
        self.commands = [command_of(plan)]  # more than one if it went on for longer than planned
        self.revisions = [revision()]
        if resume:
            self._load()
        else:
            self.learner.play(imitating=True)
            self.model.adjust(self.learner.seen.flatten(0, 1))
            if begun is not None:
                self.model.take_over(begun)

    @property
    def part(self) -> float:
        """How much of it is done."""
        return self.plan.part_of(self.done, self.seconds)

    @property
    def numbers(self) -> list[int]:
        """With how many players it is measured."""
        usual = [one for one in (2, 4) if self.game.fewest <= one <= self.game.most]
        return usual if self.only is None else [self.only.players]

    def stop(self) -> None:
        """At the end of this round of learning."""
        self.stopping = True

    def run(self, tell: Callable[[Progress], None], patient: bool = False) -> None:
        """Trains to the end. Stopped between two rounds it keeps everything, so that resuming leads
        to the same network as never stopping; within one, what was saved last."""
        rounds, between = 0, True
        try:
            while self.part < 1:
                before, between = self.part, False
                started = time.perf_counter()
                learned = self.learner.learn(self.plan.rates(before))
                self.seconds += time.perf_counter() - started
                self.done += self.learner.decisions
                rounds, between = rounds + 1, True
                progress = Progress(self.done, self.seconds, self.part, learned)
                if rounds == FIRST and not patient:
                    self._check_patience(progress)
                if int(CHECKS * before) < int(CHECKS * self.part):
                    against = self.plan.against or NORMAL
                    progress = replace(progress, strengths=self._measure(), against=against)
                self._log(progress)
                tell(progress)
                if int(SAVES * before) < int(SAVES * self.part):
                    self.save()
                if self.stopping:
                    raise KeyboardInterrupt
        finally:
            if between:
                self.save()

    def _check_patience(self, progress: Progress) -> None:
        if progress.left > DAY:
            raise BadOption(
                "decisions",
                f"this would take {lasting(progress.left)} here, at {progress.rate:,.0f} "
                "decisions per second. Take fewer, a GPU (--on cuda), or say --patient.",
            )

    def _measure(self) -> tuple[Strength, ...]:
        plan = self.plan
        found = tuple(
            strength(
                *(self.model, self.game, number, plan.measuring, plan.on, plan.threads),
                others=self.others or by_policy,
                options=self.only and self.only.options,
            )
            for number in self.numbers
        )
        self.measured += [(self.done, one) for one in found]
        return found

    # --- Files ---

    def _find_device(self) -> None:
        if self.plan.on == "cpu" or torch.cuda.is_available():
            return
        told = "cuda finds no NVIDIA GPU here, or no driver for it."
        if not self.plan.minutes:
            told += f" With --on cpu this would take {lasting(self._seconds_on_cpu())}."
        raise BadOption("on", told)

    def _seconds_on_cpu(self) -> float:
        """By how long some rounds of it take."""
        plan = replace(self.plan, on="cpu", matches=min(self.plan.matches, Plan.matches))
        others = others_of(plan.against, self.game, "cpu") if plan.against else None
        learner = learner_of(plan, self.game, self.only, others)
        learner.learn(plan.rates(1))  # the first one is not like the others
        started = time.perf_counter()
        for _ in range(FIRST):
            learner.learn(plan.rates(1))
        each = (time.perf_counter() - started) / (FIRST * learner.decisions)
        return each * plan.decisions

    def _prepare(self, resume: bool) -> None:
        """Whatever cannot work is said before anything is learned."""
        there = (self.out / CHECKPOINT).exists()
        if resume and not there:
            raise BadOption("resume", f"there is nothing to go on from in {self.out}.")
        if there and not resume:
            raise BadOption("out", f"{self.out} has a training in it: --resume goes on with it.")
        try:
            self.out.mkdir(parents=True, exist_ok=True)
            (self.out / LOG).open("a").close()
        except OSError as problem:
            raise BadOption(
                "out", f"{self.out} cannot be written: {problem.strerror}."
            ) from problem

    def save(self) -> None:
        """The network as bots play by it, how it got there, and all that is needed to go on."""
        if self.done == self.kept:
            return
        state = {
            "form": FORM,
            "plan": asdict(self.plan),
            "told": told_to(self.game),
            "model": self.model.state_dict(),
            "optimiser": self.learner.optimiser.state_dict(),
            "tables": self.tables.state(),
            "chance": chance_of(self.model.last.weight.device),
            "done": self.done,
            "seconds": self.seconds,
            "measured": [(done, asdict(one)) for done, one in self.measured],
            "commands": self.commands,
            "revisions": self.revisions,
        }
        new = self.out / f"{CHECKPOINT}.new"
        torch.save(state, new)
        new.replace(self.out / CHECKPOINT)
        write(self.out, self.network(), self.facts())
        picture = curve(self.game, self.measured, self.plan.against or NORMAL)
        (self.out / CURVE).write_text(picture, encoding="utf-8")
        self.kept = self.done

    def _load(self) -> None:
        state = torch.load(self.out / CHECKPOINT, map_location=self.plan.on, weights_only=True)
        if state.get("form") != FORM:
            raise BadOption("resume", f"{self.out} was begun by another version of this program.")
        theirs = Plan(**state["plan"])
        if state["told"] != told_to(self.game):
            raise BadOption("resume", f"{self.game.title} has changed since: train it anew.")
        longer = self.plan.longer_than(theirs)
        same = ["game", "seed", "width", "depth", "matches", "start", "players", "options"]
        if not longer:
            same += ["decisions", "minutes", "against", "part"]
        for name in same:
            if getattr(theirs, name) != getattr(self.plan, name):
                raise BadOption(
                    "resume",
                    f"{self.out} was begun with {name} {getattr(theirs, name)}, not "
                    f"{getattr(self.plan, name)}.",
                )
        self.commands = state["commands"] + [f"{self.commands[0]} --resume"] * longer
        self.model.load_state_dict(state["model"])
        self.learner.optimiser.load_state_dict(state["optimiser"])
        self.tables.restore(state["tables"])
        set_chance(state["chance"])
        self.done = self.kept = state["done"]
        self.seconds = state["seconds"]
        self.revisions = list(dict.fromkeys([*state["revisions"], *self.revisions]))
        self._forget_later_rows()
        self.measured = [(done, Strength(**one)) for done, one in state["measured"]]

    def network(self) -> Any:
        seen = self.learner.seen.flatten(0, 1)
        return self.model.in_whole_numbers(seen[:: max(len(seen) // SAMPLE, 1)])

    def facts(self) -> dict[str, Any]:
        plan = self.plan
        strengths = {one.players: str(one) for _, one in self.measured}
        return {
            "game": plan.game,
            "told": told_to(self.game),
            "command": " && ".join(self.commands),
            "seed": plan.seed,
            "decisions": self.done,
            "seconds": round(self.seconds),
            "on": torch.cuda.get_device_name() if plan.on == "cuda" else f"cpu ({plan.threads})",
            "version": __version__,
            "revision": ", ".join(self.revisions),
            "rules": state_of(self.game.folder),
            "torch": torch.__version__,
            f"against {plan.against or NORMAL}": list(strengths.values()),
        }

    def _forget_later_rows(self) -> None:
        """Those of rounds after what was saved last are written again."""
        rows = (self.out / LOG).read_text(encoding="utf-8").splitlines(keepends=True)
        whole = [row for row in rows if row.endswith("\n")]
        kept = [row for row in whole if json.loads(row)["decisions"] <= self.done]
        (self.out / LOG).write_text("".join(kept), encoding="utf-8")

    def _log(self, progress: Progress) -> None:
        row = {
            "decisions": progress.decisions,
            "seconds": round(progress.seconds, 1),
            **asdict(progress.learned),
            "strengths": [asdict(one) for one in progress.strengths],
        }
        with (self.out / LOG).open("a", encoding="utf-8") as log:
            log.write(json.dumps(row) + "\n")


def learner_of(plan: Plan, game: Game, only: Table | None, others: Others | None) -> Learner:
    """As a training begins."""
    torch.manual_seed(plan.seed)
    torch.set_num_threads(plan.threads)
    model = Model(len(game.rules.OBSERVED), plan.width, plan.depth, outputs_of(game)).to(plan.on)
    rng = random.Random(plan.seed)
    tables = Tables(game, plan.matches, rng, plan.on, plan.threads, only)
    return Learner(model, tables, plan.steps, plan.batch, others=others, part=plan.part)


def only_of(plan: Plan, game: Game) -> Table | None:
    """The only kind of match that is learned, if it is not to be all."""
    if plan.players:
        options = game.match(plan.players, 0, dict(plan.options)).options
        return Table(plan.players, options)
    if plan.options:
        raise BadOption("options", "go with --players: without, all kinds of them are learned.")
    return None


def command_of(plan: Plan) -> str:
    """What trains it again."""
    words = ["lastcard", "train", plan.game]
    given = {"decisions"} if plan.minutes else set()
    given |= {"width", "depth"} if plan.start else set()
    for name in TOLD:
        value = getattr(plan, name)
        if value != getattr(Plan, name) and name not in given:
            words += [f"--{name}", f"{value:g}" if isinstance(value, float) else str(value)]
    words += [f"--option {name}={value}" for name, value in plan.options]
    return " ".join(words)


def chance_of(device: Any) -> dict[str, Any]:
    """Where the generators of chance are: PyTorch has one for each device."""
    on_gpu = device.type == "cuda"
    return {
        "cpu": torch.get_rng_state(),
        "cuda": torch.cuda.get_rng_state(device) if on_gpu else None,
    }


def set_chance(state: dict[str, Any]) -> None:
    torch.set_rng_state(state["cpu"].cpu())
    if state["cuda"] is not None and torch.cuda.is_available():
        torch.cuda.set_rng_state(state["cuda"].cpu())


def lasting(seconds: float) -> str:
    """How long something takes, in words."""
    for unit, long in (("days", DAY), ("h", 3600), ("min", 60)):
        if seconds >= 1.5 * long:
            count = seconds / long
            return f"{count:.1f} {unit}" if count < 10 else f"{count:,.0f} {unit}"
    return f"{max(seconds, 0):.0f} s"
