"""What a study asks: of any game, what the game's own `study.py` asks, and what people ask."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lastcard.bots import SEARCH
from lastcard.bots.levels import levels_of
from lastcard.core.game import Game
from lastcard.core.registry import game
from lastcard.engine import PLAIN, has_numba
from lastcard.errors import BadOption
from lastcard.kernel.texts import show, text_of
from lastcard.sim.rulings import Ruling, rulings_of

USUAL_PLAYERS = (2, 5)
MOST_VALUES = 6  # of one comparison: more would not be readable
LEVEL = "expert"  # who plays better plays as this level does, but by the number of playouts, not
PLAYOUTS = 400  # by the clock: so that the same seed gives the same page
SKILL_MATCHES = 240

Options = tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Comparison:
    """The same deals with different options. The first variant is what the others are held
    against."""

    question: str
    variants: tuple[Options, ...]


@dataclass(frozen=True)
class Questions:
    """What a game's `study.py` says.

    `special` are cards by the name of their kind, all others being `ordinary`; cards are dealt into
    the `zones`, keys of a position. `endings` are kinds of events with which a round ends
    otherwise than it should, as words.
    """

    special: Mapping[str, Sequence[str]] = field(default_factory=dict)
    ordinary: str = "another card"
    zones: tuple[str, ...] = ("hands",)
    endings: Mapping[str, str] = field(default_factory=dict)
    compare: tuple[Comparison, ...] = ()
    rulings: tuple[Ruling, ...] = ()


@dataclass(frozen=True)
class Design:
    """A whole study: what is played, and how often."""

    rules: Game
    players: tuple[int, ...]
    matches: int
    strong_matches: int
    bots: str
    strong: str
    seed: int
    options: Options
    questions: Questions
    asked: tuple[str, ...] = ()  # the comparisons as they were asked for, if they were

    def rulings(self, players: int) -> tuple[Ruling, ...]:
        """The other rulings that mean something with so many players."""
        return tuple(
            one for one in self.questions.rulings if one.players[0] <= players <= one.players[1]
        )

    @property
    def command(self) -> str:
        """What makes the same page again."""
        words = [f"lastcard study {self.rules.id} --players {span(self.players)}"]
        words += [f"--matches {self.matches} --skill-matches {self.strong_matches}"]
        words += [f"--bots {self.bots} --strong {self.strong} --seed {self.seed}"]
        words += [f"-o {word}" for word in written(self.options)]
        words += [f"--compare {word}" for word in self.asked]
        words += (
            [] if self.questions.rulings == questions_of(self.rules).rulings else ["--no-rulings"]
        )
        return " ".join(words)


def design(
    id: str,
    players: str | None = None,
    compare: Sequence[str] = (),
    matches: int = 5000,
    strong_matches: int = SKILL_MATCHES,
    bots: str = "normal",
    strong: str | None = None,
    seed: int = 1,
    options: Mapping[str, Any] | None = None,
    rulings: bool = True,
) -> Design:
    """Checks everything before anything is played."""
    from lastcard.sim.arena import contestant

    rules = game(id)
    counts = read_players(rules, players)
    strong = strong_bot(rules) if strong is None else strong
    for what, number in (("matches", matches), ("skill-matches", strong_matches)):
        if number < 1:
            raise BadOption(what, f"must be 1 or more, not {number}.")
    for name in (bots, strong):
        contestant(name, rules, 0)  # raises if there is no such bot
    chosen = _checked(rules, counts, dict(options or {}))
    questions = questions_of(rules)
    if compare:
        questions = replace(questions, compare=tuple(map(read_comparison, compare)))
    if not rulings:
        questions = replace(questions, rulings=())
    elif questions.rulings and not has_numba() and rules.engine.way != PLAIN:
        raise BadOption(
            "rulings",
            "other rulings are compiled by Numba: pip install 'lastcard[jit]'; or --no-rulings.",
        )
    questions = _fitting(rules, counts, chosen, questions)
    return Design(
        *(rules, counts, matches, strong_matches, bots, strong, seed, chosen, questions),
        tuple(compare),
    )


def strong_bot(rules: Game) -> str:
    """The bot of the level; if it searches, with playouts in the place of its milliseconds."""
    level = levels_of(rules)[LEVEL]
    kind, *manner = level.split(":")
    return ":".join((kind, str(PLAYOUTS), *manner[1:])) if kind == SEARCH else level


def read_players(rules: Game, text: str | None) -> tuple[int, ...]:
    """Numbers of players from `3` or `2-5`; by default 2 to 5, as far as the game allows."""
    if text is None:
        low, high = USUAL_PLAYERS
        return tuple(range(max(low, rules.fewest), min(high, rules.most) + 1))
    found = re.fullmatch(r"\s*(\d{1,3})\s*(?:-\s*(\d{1,3})\s*)?", text)
    if not found:
        raise BadOption("players", f"are written 3 or 2-5, not {show(text)}.")
    first, last = int(found[1]), int(found[2] or found[1])
    if first > last:
        raise BadOption("players", f"are written 2-5, the smaller number first, not {show(text)}.")
    return tuple(range(rules.read_players(first), rules.read_players(last) + 1))


def read_comparison(word: str) -> Comparison:
    """Reads `option=a,b`."""
    name, equals, rest = word.partition("=")
    values = [value.strip() for value in rest.split(",")]
    if not equals or len(values) < 2 or not all(values):
        raise BadOption("compare", f"is written option=a,b, not {show(word)}.")
    if len(values) > MOST_VALUES:
        raise BadOption("compare", f"takes {MOST_VALUES} values at most, not {len(values)}.")
    name = name.strip()
    return Comparison(f"{name}: {', '.join(values)}", tuple(((name, value),) for value in values))


def questions_of(rules: Game) -> Questions:
    """What the game's folder says is worth asking; a game need not say anything."""
    module = rules.part("study")
    if module is None:
        return Questions()
    found = Questions(
        special=module.SPECIAL,
        ordinary=module.ORDINARY,
        zones=getattr(module, "ZONES", Questions.zones),
        endings=module.ENDINGS,
        compare=tuple(
            Comparison(question, tuple(tuple(one.items()) for one in variants))
            for question, variants in module.COMPARE
        ),
        rulings=tuple(rulings_of(rules).values()),
    )
    cards = [card for some in found.special.values() for card in some]
    kinds = {event.kind for event in rules.events}
    unknown = [
        *({*cards} - {*rules.cards}),
        *({*found.endings} - kinds),
        *({*found.zones} - {*rules.keys}),
        *(card for card in cards if cards.count(card) > 1),
    ]
    if unknown:
        raise TypeError(f"{module.__name__}: what is {', '.join(sorted(set(unknown)))}?")
    return found


def _fitting(
    rules: Game, counts: Sequence[int], options: Options, questions: Questions
) -> Questions:
    """The comparisons with the options that all matches have, checked."""
    compare = []
    for one in questions.compare:
        variants = [
            _checked(rules, counts, dict(options) | dict(chosen)) for chosen in one.variants
        ]
        if len(set(variants)) < len(variants):
            raise BadOption("compare", f"{one.question} has a value twice.")
        compare.append(Comparison(one.question, tuple(variants)))
    return replace(questions, compare=tuple(compare))


def _checked(rules: Game, counts: Sequence[int], options: Mapping[str, Any]) -> Options:
    """Options as the game writes them, in its order, without those that were left as they are."""
    for players in counts:
        stored = rules.read_options(options, players)
    known = {
        option.name: option.write(value)
        for option, value in zip(rules.options, stored, strict=True)
    }
    return tuple((name, value) for name, value in known.items() if name in options)


def written(options: Options) -> list[str]:
    """Options as words of a command."""
    return [f"{name}={'none' if value is None else text_of(value)}" for name, value in options]


def span(players: Sequence[int]) -> str:
    first, last = players[0], players[-1]
    return str(first) if first == last else f"{first}-{last}"


def named(variant: Options, variants: Sequence[Options]) -> str:
    """A variant in words: only what sets it apart."""
    common = set.intersection(*(set(one) for one in variants))
    return ", ".join(written(tuple(one for one in variant if one not in common))) or "as usual"
