"""What is to be simulated: a plan, checked, and divided into parts."""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from lastcard import __version__
from lastcard.bots import WITH_NUMBERS, Bot, bot
from lastcard.bots.others import OtherBot, other_bot
from lastcard.bots.search import SearchBot
from lastcard.bots.simple import NormalBot, RandomBot
from lastcard.core.game import Game
from lastcard.core.registry import folder_of, game
from lastcard.engine.places import state_of
from lastcard.errors import BadOption
from lastcard.kernel.texts import show

from .deciding import POLICY, RANDOM
from .rulings import ruled
from .rulings import ruling as find_ruling

MATCH, ROUND, DECISION = ROWS = ("match", "round", "decision")
COMPILED = {"random": RANDOM, "normal": POLICY}  # bots whose matches run compiled
POLICY_BOT = "policy"  # what simulations also call the normal bot
PART = {MATCH: 1 << 14, ROUND: 1 << 13}  # matches in a part: a fraction of a second's work
PARTS = 64  # that many at least, so that workers end at about the same time,
LEAST_PART = 1 << 9  # unless parts would be as small as that
SLOW_PART = 8  # where a bot takes its time
PART_BYTES = 1 << 26  # of what is seen, in a part of decisions
LONG = 300  # decisions in a long match
Parts: TypeAlias = Generator[tuple[int, Any], None, None]  # numbers of parts, and their rows
MOST_MATCHES = 1 << 53  # what every reader of JSON can count


@dataclass(frozen=True)
class Plan:
    """Everything that the rows follow from. Parts have fixed numbers of matches, so that files are
    the same bytes whoever writes them."""

    game: str
    players: int
    options: tuple[tuple[str, Any], ...]
    bots: tuple[str, ...]
    seed: int
    matches: int
    rows: str
    hidden: bool  # decisions come with hidden records instead of observations
    part: int  # matches in a part
    ruling: str = ""  # one of the game's other rulings (rulings.py), instead of ours
    version: str = __version__

    @property
    def parts(self) -> int:
        return -(-self.matches // self.part)

    @property
    def compiled(self) -> bool:
        """Whether matches run in compiled code from beginning to end."""
        return all(name in COMPILED for name in self.bots)

    @property
    def rules(self) -> Game:
        return ruled(self.game, self.ruling)

    @property
    def sources(self) -> str:
        """The fingerprint of the rules, the policies and all that is compiled with them: rows with
        another one were made by other code."""
        other = f" {find_ruling(game(self.game), self.ruling).digest}" if self.ruling else ""
        return f"{state_of(folder_of(self.game))}{other}"

    def numbers(self, part: int) -> range:
        """The matches of a part."""
        return range(part * self.part, min((part + 1) * self.part, self.matches))

    def stored_options(self) -> list[int]:
        return self.rules.read_options(dict(self.options), self.players)

    def facts(self) -> dict[str, Any]:
        """What it takes to make the rows again."""
        facts = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return facts | {
            "options": dict(self.options),
            "bots": list(self.bots),
            "sources": self.sources,
        }

    def text(self) -> str:
        return json.dumps(self.facts(), ensure_ascii=False)

    def unrepeatable(self) -> list[str]:
        """The bots that may choose differently next time: by the clock, or by their own will."""
        return [name for name in dict.fromkeys(self.bots) if not _repeatable(name, self.rules)]


def plan(
    id: str,
    matches: int,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    bots: str | Sequence[str] = "random",
    seed: int = 1,
    rows: str = MATCH,
    hidden: bool = False,
    part: int | None = None,
    ruling: str = "",
) -> Plan:
    """Checks what is asked for. The last bot takes all remaining seats."""
    rules = ruled(game(id).id, ruling)
    names = read_bots(bots)
    count = rules.read_players(max(len(names), rules.fewest) if players is None else players)
    if len(names) > count:
        raise BadOption("bots", f"{len(names)} named, but there are {count} seats.")
    names = [*names, *[names[-1]] * (count - len(names))]
    for name in sorted(set(names)):
        new_bot(name, rules, 0)  # raises if there is no such bot
    check_number("matches", matches, 1, MOST_MATCHES)
    check_number("seed", seed, 0, None)
    if rows not in ROWS:
        raise BadOption("rows", f"are {MATCH}, {ROUND} or {DECISION}, not {show(rows)}.")
    if hidden and rows != DECISION:
        raise BadOption("hidden", f"records belong to decisions, not to rows by {rows}.")
    if part is None:
        part = usual_part(rules, names, rows, hidden, int(matches))
    check_number("part", part, 1, MOST_MATCHES)
    chosen = rules.match(count, 0, {**simulated(rules), **_given(options)}).options
    stored = tuple(chosen.items())
    return Plan(
        *(rules.id, count, stored, tuple(names), int(seed), int(matches), rows, bool(hidden)),
        *(part, ruling),
    )


def usual_part(rules: Game, names: Sequence[str], rows: str, hidden: bool, matches: int) -> int:
    """How many matches go together: not more than a moment's work, or than memory takes. It does
    not depend on the workers, so that all write the same files."""
    if not all(name in COMPILED for name in names):
        return SLOW_PART
    if rows != DECISION:
        even = 1 << max((matches // PARTS).bit_length() - 1, 0)
        return min(PART[rows], max(even, LEAST_PART))
    seen = rules.rules.RECORD.itemsize if hidden else 4 * len(rules.rules.OBSERVED)
    return 1 << (PART_BYTES // (LONG * seen)).bit_length() - 1


def simulated(rules: Game) -> dict[str, Any]:
    """The options that simulations take unless they say otherwise."""
    return {one.name: one.simulated for one in rules.options if one.simulated is not None}


def _given(options: object) -> Mapping[str, Any]:
    given = {} if options is None else options
    if not isinstance(given, Mapping):
        raise BadOption("options", f"must be a mapping, not {show(given)}.")
    return given


def check_number(name: str, value: object, least: int, most: int | None) -> None:
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not whole or value < least or (most is not None and value > most):  # type: ignore[operator]
        raise BadOption(name, f"must be a whole number from {least} on, not {show(value)}.")


def read_bots(bots: object) -> list[str]:
    """Names of bots, in a list or separated by commas."""
    if isinstance(bots, str):
        bots = bots.split(",")
    if not isinstance(bots, Sequence) or not all(isinstance(name, str) for name in bots):
        raise BadOption("bots", f"are names such as policy or random, not {show(bots)}.")
    names = [name.strip() for name in bots]
    if not any(names):
        raise BadOption("bots", "which ones? Such as policy, or search:200,random.")
    return ["normal" if name.lower() == POLICY_BOT else name for name in names]


def new_bot(name: str, rules: Game, seed: int, state: int = 0) -> Bot:
    """A bot by name, or a user's. Those that do not look ahead go on from a generator's state, so
    that they choose as they do in compiled matches."""
    kind, colon, _ = name.partition(":")
    theirs = colon and kind not in WITH_NUMBERS
    made = other_bot(name, rules) if theirs else bot(name, rules, seed)
    if isinstance(made, RandomBot | NormalBot):
        made.rng[0] = state
    return made


def _repeatable(name: str, rules: Game) -> bool:
    made = new_bot(name, rules, 0)
    if isinstance(made, SearchBot):
        return made.budget.playouts is not None
    return not isinstance(made, OtherBot)


def seed_words(seed: int) -> Any:
    """What a seed gives to the key of each of its matches."""
    digest = hashlib.sha256(f"simulate {seed}".encode()).digest()
    return np.frombuffer(digest[:24], "<u4").astype(np.uint32)


def key_of(seed: int, match: int) -> bytes:
    """The key of a match: `game.match(players, key_of(seed, match), options)` deals it again."""
    return int(match).to_bytes(8, "little") + seed_words(seed).astype("<u4").tobytes()


def need(module: str, extra: str) -> None:
    """Says what to install if something is missing that a part of this needs."""
    if importlib.util.find_spec(module) is None:
        raise BadOption(extra, f"{module} is not installed: pip install 'lastcard[{extra}]'.")
