"""A whole training: from nothing, or from where one was stopped, to a network that bots play by."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from lastcard import __version__
from lastcard.bots.learned import outputs_of, told_to, write
from lastcard.core.registry import game as find_game
from lastcard.engine.places import state_of
from lastcard.errors import BadOption

from .curve import curve
from .model import Model
from .others import NORMAL, by_policy, others_of
from .playing import Tables
from .ppo import Learned, Learner, Rates
from .strength import Strength, strength

CHECKPOINT, LOG, CURVE = "checkpoint.pt", "log.jsonl", "curve.svg"
FIRST = 3  # rounds of learning after which it is known how long all of them take
CHECKS = 5  # how often its strength is measured on the way
SAVES = 40  # how often everything is saved
TOLD = (  # to the command
    *("decisions", "against", "part", "seed", "width", "depth", "matches", "threads", "on"),
)
SAMPLE = 16_384  # observations that tell how much layers pass on
DAY = 24 * 3600


@dataclass(frozen=True)
class Plan:
    """What is trained, and how. The same plan leads to the same network on the same machine."""

    game: str
    decisions: int = 200_000_000  # to learn from
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
    against: str = ""  # whom it is to beat, if not itself
    part: float = (
        1.0  # of the matches in which it plays against them; in the others, against itself
    )
    threads: int = 1
    on: str = "cpu"

    def rates(self, done: int) -> Rates:
        """How to learn after so many decisions."""
        part = done / self.decisions
        if part < self.imitating and (not self.against or self.part < 1):
            return Rates(self.rate, self.vague, imitating=True)
        part = max(part - self.imitating, 0.0) / (1 - self.imitating)
        learning = self.rate + (self.last_rate - self.rate) * part
        return Rates(learning, self.entropy * (self.last_entropy / self.entropy) ** part)


@dataclass(frozen=True)
class Progress:
    """Where a training is."""

    decisions: int
    of: int
    seconds: float
    learned: Learned
    strengths: tuple[Strength, ...] = ()  # if they have just been measured
    against: str = NORMAL  # whom

    @property
    def rate(self) -> float:
        return self.decisions / max(self.seconds, 1e-9)

    @property
    def left(self) -> float:
        """Seconds."""
        return (self.of - self.decisions) / max(self.rate, 1e-9)


class Training:
    """One plan, carried out in a folder."""

    def __init__(self, plan: Plan, out: Path, resume: bool = False) -> None:
        self.plan = plan
        self.out = out
        self.game = find_game(plan.game)
        self.others = others_of(plan.against, self.game, plan.on) if plan.against else None
        self._prepare(resume)
        torch.manual_seed(plan.seed)
        torch.set_num_threads(plan.threads)
        rng = random.Random(plan.seed)
        self.model = Model(
            len(self.game.rules.OBSERVED), plan.width, plan.depth, outputs_of(self.game)
        ).to(plan.on)
        self.tables = Tables(self.game, plan.matches, rng, plan.on, plan.threads)
        self.learner = Learner(
            *(self.model, self.tables, plan.steps, plan.batch), others=self.others, part=plan.part
        )
        self.done = 0  # decisions
        self.seconds = 0.0
        self.measured: list[tuple[int, Strength]] = []
        self.commands = [command_of(plan)]  # more than one if it went on for longer than planned
        if resume:
            self._load()
        else:
            self.learner.play(imitating=True)
            self.model.adjust(self.learner.seen.flatten(0, 1))

    def run(self, tell: Callable[[Progress], None], patient: bool = False) -> None:
        """Trains to the end. Whatever stops it, it can be resumed."""
        plan, each = self.plan, self.learner.decisions
        saved = checked = self.done
        rounds = 0
        try:
            while self.done < plan.decisions:
                started = time.perf_counter()
                learned = self.learner.learn(plan.rates(self.done))
                self.seconds += time.perf_counter() - started
                self.done += each
                rounds += 1
                progress = Progress(self.done, plan.decisions, self.seconds, learned)
                if rounds == FIRST and not patient:
                    self._check_patience(progress)
                if self.done - checked >= plan.decisions / CHECKS or self.done >= plan.decisions:
                    checked = self.done
                    found = tuple(self._measure())
                    progress = Progress(
                        *(self.done, plan.decisions, self.seconds, learned),
                        strengths=found,
                        against=plan.against or NORMAL,
                    )
                tell(progress)
                self._log(progress)
                if self.done - saved >= plan.decisions / SAVES:
                    saved = self.done
                    self.save()
        finally:
            self.save()

    def _check_patience(self, progress: Progress) -> None:
        if progress.left > DAY:
            raise BadOption(
                "decisions",
                f"this would take {progress.left / DAY:.1f} days here, at {progress.rate:,.0f} "
                "decisions per second. Take fewer, a GPU (--on cuda), or say --patient.",
            )

    def _measure(self) -> list[Strength]:
        plan, game, opponents = self.plan, self.game, self.others or by_policy
        numbers = [number for number in (2, 4) if game.fewest <= number <= game.most]
        found = [
            strength(self.model, game, number, plan.measuring, plan.on, plan.threads, opponents)
            for number in numbers
        ]
        self.measured += [(self.done, one) for one in found]
        return found

    # --- Files ---

    def _prepare(self, resume: bool) -> None:
        """Whatever cannot work is said before anything is learned."""
        if self.plan.on == "cuda" and not torch.cuda.is_available():
            raise BadOption("on", "cuda finds no NVIDIA GPU here, or no driver for it.")
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
        if not self.done:
            return
        state = {
            "plan": asdict(self.plan),
            "told": told_to(self.game),
            "model": self.model.state_dict(),
            "optimiser": self.learner.optimiser.state_dict(),
            "done": self.done,
            "seconds": self.seconds,
            "measured": [(done, asdict(one)) for done, one in self.measured],
            "commands": self.commands,
        }
        new = self.out / f"{CHECKPOINT}.new"
        torch.save(state, new)
        new.replace(self.out / CHECKPOINT)
        write(self.out, self.network(), self.facts())
        picture = curve(self.game, self.measured, self.plan.against or NORMAL)
        (self.out / CURVE).write_text(picture, encoding="utf-8")

    def _load(self) -> None:
        state = torch.load(self.out / CHECKPOINT, map_location=self.plan.on, weights_only=True)
        theirs = Plan(**state["plan"])
        if state["told"] != told_to(self.game):
            raise BadOption("resume", f"{self.game.title} has changed since: train it anew.")
        longer = self.plan.decisions > theirs.decisions
        same = ["game", "seed", "width", "depth", "matches"]
        if not longer:
            same += ["decisions", "against", "part"]
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
        self.done, self.seconds = state["done"], state["seconds"]
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
            "rules": state_of(self.game.folder),
            "torch": torch.__version__,
            f"against {plan.against or NORMAL}": list(strengths.values()),
        }

    def _log(self, progress: Progress) -> None:
        row = {
            "decisions": progress.decisions,
            "seconds": round(progress.seconds, 1),
            **asdict(progress.learned),
            "strengths": [asdict(one) for one in progress.strengths],
        }
        with (self.out / LOG).open("a", encoding="utf-8") as log:
            log.write(json.dumps(row) + "\n")


def command_of(plan: Plan) -> str:
    """What trains it again."""
    words = ["lastcard", "train", plan.game]
    for name in TOLD:
        value = getattr(plan, name)
        if value != getattr(Plan, name):
            words += [f"--{name}", str(value)]
    return " ".join(words)
