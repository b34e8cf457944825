"""A game: its rules, its names, its options, and new matches of it."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import secrets
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from lastcard import engine
from lastcard.errors import BadOption, BadPosition
from lastcard.kernel import LOG_COLUMNS, MOST_CARDS, NOBODY, Record, bind, chance
from lastcard.kernel.events import Event
from lastcard.kernel.exports import signatures
from lastcard.kernel.forms import Form
from lastcard.kernel.options import Clash, Option
from lastcard.kernel.telling import new_text
from lastcard.kernel.texts import Names, show, text_of

from .desk import Desks
from .sheets import sheet_of

if TYPE_CHECKING:
    from .match import Match

Seed: TypeAlias = int | str | bytes
KEY_BYTES = 32

# What each module of a game's package gives: see CONTRIBUTING.md.
CONTRACT = {
    "components": (
        *("TITLE", "TAGLINE", "PLAYERS", "LOWEST_WINS", "CARDS", "DECK", "WORDS"),
        *("ACTIONS", "MOST_LEGAL", "OPTIONS", "EVENTS", "RECORD"),
    ),
    "rules": ("new", "waiting", "bystanders", "legal", "apply"),
    "knowledge": ("hide", "guess", "DEAL"),
    "positions": ("KEYS", "REQUIRED", "settle"),
    "features": ("OBSERVED", "observe"),
}
# The functions that run compiled; `kernel.exports` says how to read this.
EXPORTS = {
    "new": "s:record players:int options:int16[options]",
    "waiting": "s:record -> int",
    "bystanders": "s:record -> int",
    "legal": "s:record seat:int out:int16[most_legal] -> int",
    "apply": "s:record seat:int action:int log:int32[rows,log_columns]",
    "hide": "s:record seat:int",
    "guess": "s:record seat:int rng:uint64[1] deal:deal",
    "observe": "s:record seat:int out:float32[observed]",
    "toss": "s:record n:int -> int",  # of the kernel: the dice of all games
}
NONE: Mapping[str, str] = {}
OPTIONAL = {"MINUTES": None, "DIFFICULTY": 5, "CLASHES": ()}  # of the components


def contract_of(package: str, jit: bool = False) -> ModuleType:
    """The whole contract of a game as one module, which is what templates are bound to."""
    modules = {part: importlib.import_module(f"{package}.{part}") for part in CONTRACT}
    missing = [
        f"{part}.{name}"
        for part, names in CONTRACT.items()
        for name in names
        if not hasattr(modules[part], name)
    ]
    if missing:
        raise TypeError(f"{package} is not a game: it lacks {', '.join(missing)}.")
    if jit:
        adopt(package)
    contract = ModuleType(package, modules["rules"].__doc__)
    contract.__file__ = modules["rules"].__file__
    for part, names in CONTRACT.items():
        contract.__dict__.update((name, getattr(modules[part], name)) for name in names)
    contract.__dict__["toss"] = chance.toss
    for name, default in OPTIONAL.items():
        contract.__dict__[name] = getattr(modules["components"], name, default)
    return contract


def adopt(package: str) -> None:
    """Has Numba compile a package's rules, or a module's."""
    from lastcard.kernel import jit

    jit.adopt(package)


class Game:
    """One game: what its package gives, and the names and options of it."""

    def __init__(self, id: str, package: str, way: str = "") -> None:
        self.package = package
        self.id = id
        self.engine = engine.choose(Path(importlib.import_module(package).__path__[0]), way)
        rules = contract_of(package, self.engine.way == engine.JIT)
        if sum(rules.DECK) > MOST_CARDS:
            raise TypeError(f"{package} has more than {MOST_CARDS} cards.")
        self.rules: Any = self.running(rules, EXPORTS)
        self.title: str = rules.TITLE
        self.tagline: str = rules.TAGLINE
        self.fewest: int = rules.PLAYERS[0]
        self.most: int = rules.PLAYERS[1]
        self.minutes: int | None = rules.MINUTES
        self.difficulty: int = rules.DIFFICULTY
        self.cards: tuple[str, ...] = rules.CARDS
        self.actions: tuple[str, ...] = rules.ACTIONS
        self.options: tuple[Option, ...] = rules.OPTIONS
        self.events: tuple[Event, ...] = rules.EVENTS
        self.keys: Mapping[str, Form] = rules.KEYS
        self.words: Mapping[str, str] = rules.WORDS
        self.clashes: tuple[Clash, ...] = rules.CLASHES
        self.sheet = sheet_of(self)

    def __repr__(self) -> str:
        return f"<Game {self.id}>"

    def part(self, name: str) -> ModuleType | None:
        """A module of its package that a game need not have, such as `policy` or `terminal`."""
        found = importlib.util.find_spec(f"{self.package}.{name}")
        if found is None:
            return None
        module = importlib.import_module(found.name)
        if self.engine.way == engine.JIT:
            adopt(self.package)
        return module

    def running(
        self, module: ModuleType, exports: Mapping[str, str], structures: Mapping[str, str] = NONE
    ) -> Any:
        """A module with the functions that it exports as they run here: from the game's library
        if there is one, otherwise as they are."""
        library = self.engine.library
        if library is None:
            return module
        ours = ModuleType(module.__name__, module.__doc__)
        ours.__dict__.update(vars(module))
        for signature in signatures(exports, structures):
            if library.has(signature.name):
                ours.__dict__[signature.name] = library.function(signature)
        return ours

    def bound(self, template: str, **parts: ModuleType) -> Any:
        """A template bound to this game's rules (`kernel.bind`), as it runs here."""
        module = bind(template, self.engine.way, rules=self.rules, **parts)
        if self.engine.way == engine.JIT:
            adopt(module.__name__)
        return self.running(module, module.EXPORTS, getattr(module, "STRUCTURES", NONE))

    @cached_property
    def telling(self) -> Any:
        """What writes its views and events (telling.py)."""
        return self.bound("lastcard.core.telling", sheet=self.sheet)

    @cached_property
    def desks(self) -> Desks:
        """Where its moves are told."""
        return Desks(self)

    @property
    def folder(self) -> Path:
        """Where its files lie."""
        return Path(self.rules.__file__).parent

    def __reduce__(self) -> tuple[Callable[[str], Game], tuple[str]]:
        """A pickle holds the id: the game is found again where it is opened."""
        from .registry import game

        return game, (self.id,)

    def __deepcopy__(self, memo: object) -> Game:
        return self

    # --- Names -----------------------------------------------------------------------------------

    @cached_property
    def _action_ids(self) -> dict[str, int]:
        return {name: action for action, name in enumerate(self.actions)}

    @cached_property
    def _card_ids(self) -> dict[str, int]:
        ids = {name: card for card, name in enumerate(self.cards)}
        others = self.cards.other if isinstance(self.cards, Names) else {}
        return ids | {way: ids[name] for way, name in others.items()}

    def action_name(self, action: int) -> str:
        return self.actions[action]

    def parse_action(self, name: str) -> int:
        """The number of an action; ValueError if there is no such action."""
        known = self._action_ids.get(name)
        if known is None:
            known = self._action_ids.get(" ".join(name.split()))
        if known is None:
            raise ValueError(f"There is no action {show(name)} in {self.title}.")
        return known

    def card_name(self, card: int) -> str:
        return self.cards[card]

    def parse_card(self, name: str) -> int:
        """The number of a card; ValueError if there is no such card."""
        try:
            return self._card_ids[name.strip()]
        except KeyError:
            raise ValueError(f"There is no card {show(name)} in {self.title}.") from None

    def say(self, names: str) -> str:
        """Names, separated by blanks, in the words that people read: chick for c."""
        return " ".join(self.words.get(name, name) for name in names.split())

    def unsay(self, words: str) -> str:
        """The names that are meant by words: c for chick."""
        names = {word: name for name, word in self.words.items()}
        return " ".join(names.get(word, word) for word in words.split())

    @property
    def page(self) -> str:
        """The rules in words, as Markdown, and the options."""
        options = "\n".join(
            f"- `{option.name}` ({text_of(option.default) or 'none'}): {option.help}"
            for option in self.options
        )
        text = inspect.cleandoc(self.rules.__doc__ or "")
        return f"# {self.title}\n\n{text}\n\n## Options\n\n{options}\n"

    # --- Options ---------------------------------------------------------------------------------

    def read_players(self, players: object) -> int:
        if isinstance(players, bool) or not isinstance(players, int | np.integer):
            raise BadOption("players", f"must be a whole number, not {show(players)}.")
        if not self.fewest <= players <= self.most:
            raise BadOption(
                "players", f"{self.title} is for {self.fewest} to {self.most}, not {show(players)}."
            )
        return int(players)

    def read_options(self, options: object, players: int) -> list[int]:
        """The options as the record keeps them: defaults where nothing is said."""
        given = {} if options is None else options
        if not isinstance(given, Mapping):
            raise BadOption("options", f"must be a mapping, not {show(given)}.")
        names = [option.name for option in self.options]
        for name in given:
            if name not in names:
                raise BadOption("options", f"{show(name)} is none of {', '.join(names)}.")
        stored = [
            option.read(given.get(option.name, option.default), players) for option in self.options
        ]
        chosen = {
            option.name: option.write(value)
            for option, value in zip(self.options, stored, strict=True)
        }
        if why := self.objection(players, chosen):
            raise BadOption("options", why)
        return stored

    def objection(self, players: int, options: Mapping[str, Any]) -> str:
        """Why options exclude each other for a number of players; empty if they do not."""
        for clash in self.clashes:
            if clash.holds(players, options):
                return clash.why.format(players=players, **options)
        return ""

    def simulated_options(self, players: int) -> list[int]:
        """The options that simulations and learners take unless they say otherwise."""
        return [
            option.read(option.default if option.simulated is None else option.simulated, players)
            for option in self.options
        ]

    def write_options(self, s: Record) -> dict[str, Any]:
        return {
            option.name: option.write(int(stored))
            for option, stored in zip(self.options, s.options, strict=True)
        }

    # --- Matches ---------------------------------------------------------------------------------

    def match(
        self,
        players: int | None = None,
        seed: Seed | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> Match:
        """A new match, dealt from the seed's key; without a seed from a key nobody knows yet."""
        count = self.read_players(self.fewest if players is None else players)
        stored = np.array(self.read_options(options, count), np.int16)
        return self.dealt(
            count, stored, read_seed(secrets.token_bytes(KEY_BYTES) if seed is None else seed)
        )

    def dealt(self, players: int, stored: Any, key: bytes) -> Match:
        """The same with all that was read, for whoever deals over and over."""
        from .match import Match

        array = self.blank(key)
        self.rules.new(array[0], players, stored)
        return Match(self, array)

    def position(
        self,
        position: Mapping[str, Any],
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        seed: Seed = 0,
    ) -> Match:
        """A match that starts from a position; players left out are counted by the hands."""
        from .match import Match
        from .positions import plain, read_position

        if not isinstance(position, Mapping):
            raise BadPosition("position", f"must be a mapping, not {show(position)}.")
        position = {key: plain(value) for key, value in position.items()}
        hands = position.get("hands")
        if players is None and isinstance(hands, list):
            players = len(hands)
        count = self.read_players(self.fewest if players is None else players)
        stored = self.read_options(options, count)
        array = self.blank(read_seed(seed))
        read_position(self, array[0], position, count, stored)
        return Match(self, array, start=position)

    def blank(self, key: bytes = bytes(KEY_BYTES)) -> Any:
        """An array of one empty record with a key."""
        array = np.zeros(1, self.rules.RECORD)
        array[0].key[:] = np.frombuffer(key, "<u4")
        return array

    def new_deal(self) -> Any:
        """What `guess` works in."""
        return np.zeros(1, self.rules.DEAL)[0]

    def warm(self, *functions: str) -> None:
        """Compiles functions of the contract, all or those named; or loads what is compiled."""
        for _ in self.warming(*functions):
            pass

    def warming(self, *functions: str) -> Iterator[str]:
        """The same step by step, with the name of each function that is ready."""
        rules, array = self.rules, self.blank()
        s, seat = array[0], 0
        steps: dict[str, Callable[[], object]] = {
            "new": lambda: rules.new(s, self.fewest, self._defaults()),
            "waiting": lambda: rules.waiting(s),
            "bystanders": lambda: rules.bystanders(s),
            "legal": lambda: rules.legal(s, seat, np.zeros(rules.MOST_LEGAL, np.int16)),
            "hide": lambda: rules.hide(s, seat),
            "guess": lambda: rules.guess(s, seat, np.ones(1, np.uint64), self.new_deal()),
            "observe": lambda: rules.observe(s, seat, np.zeros(len(rules.OBSERVED), np.float32)),
            "apply": lambda: self._apply_any(s),
            "telling": lambda: self._tell_any(s),
        }
        for name, step in steps.items():
            if not functions or name in functions:
                step()
                yield name

    def _defaults(self) -> Any:
        return np.array(self.read_options({}, self.fewest), np.int16)

    def _apply_any(self, s: Record) -> None:
        out = np.zeros(self.rules.MOST_LEGAL, np.int16)
        waited = int(self.rules.waiting(s))
        seat = (waited & -waited).bit_length() - 1
        self.rules.legal(s, seat, out)
        self.rules.toss(s, 2)  # compiled too: nobody should wait for it at the first roll
        self.rules.apply(s, seat, int(out[0]), np.zeros((0, LOG_COLUMNS), np.int32))

    def _tell_any(self, s: Record) -> None:
        out, scratch = new_text(), new_text()
        self.telling.view(s, s.data, NOBODY, out)
        self.telling.changes(s, s.data, s, s.data, NOBODY, scratch, out)
        again, log = np.zeros(1, self.rules.RECORD)[0], np.zeros((1, LOG_COLUMNS), np.int32)
        self.telling.update(s.data, s, s.data, again, again.data, NOBODY, log, scratch, out)
        self.telling.events(np.zeros((1, LOG_COLUMNS), np.int32), NOBODY, 0, out)
        self.telling.key(s, s.data, 0, out)


def read_seed(seed: Seed) -> bytes:
    """The 32-byte key of a seed: bytes, 64 hex digits, or a number (little-endian)."""
    if isinstance(seed, bytes) and len(seed) == KEY_BYTES:
        return seed
    if isinstance(seed, str):
        text = seed.strip()
        if len(text) == 2 * KEY_BYTES:
            try:
                return bytes.fromhex(text)
            except ValueError:
                pass
        elif text.isascii() and text.isdigit() and len(text) < 2 * KEY_BYTES:
            return int(text).to_bytes(KEY_BYTES, "little")
    elif isinstance(seed, int | np.integer) and not isinstance(seed, bool):
        if 0 <= int(seed) < 1 << (8 * KEY_BYTES):
            return int(seed).to_bytes(KEY_BYTES, "little")
    raise BadOption("seed", f"must be a number or 64 hex digits, not {show(seed)}.")
