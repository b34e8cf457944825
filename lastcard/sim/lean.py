"""A game's own rules once more, made for random play on a GPU: nobody remembers anything there, and
deals wait.

- What the table remembers is for `hide`, `guess` and bots that think. Without it, and without room
  for seats that nobody sits in, a record is a fraction of its size.
- A round's deal takes as long as many moves, and threads that run together wait for the slowest. So
  a deal is put off (`s.over` is DEALING) until several of them need one.

Nothing is written twice: the modules of a game's rules are loaded again, and some of their names
mean something else.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from lastcard.core.game import CONTRACT, Game, adopt
from lastcard.engine import JIT
from lastcard.kernel import Record, rule
from lastcard.kernel.compiling import BOUND, digest_of
from lastcard.kernel.records import with_fields

DEALING = 2  # in `over`: the next round is still to be dealt
DEAL = "_deal"  # what every game's rules call their deal
NEVER_BY_SEAT = ("key", "block", "options", "filling")  # fields of the record


@dataclass(frozen=True)
class Memory:
    """What a game remembers: the rules that do so; and fields that mean nothing without, with the
    shape that is left of them, if it is another. Sizes that its modules know by name are others,
    too."""

    calls: tuple[str, ...] = ()
    fields: Mapping[str, tuple[int, ...] | None] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    by_seat: bool = True  # whether its rules do with a record for the players that there are


MEMORY = {
    "chichiko": Memory(("remember", "forget"), {"memory": None}, {"KINDS_REMEMBERED": 1}),
    "chiko": Memory(),
    "eight_half": Memory(("remember_opening", "remember_eating", "forget"), {"barred": None}),
    "sixth_sense": Memory(by_seat=False),  # it numbers actions by seats
    "taki": Memory(
        ("forget_all", "forget", "bar", "remember_stock", "know_own_hand", "follow_hands"),
        {"seen_by": (1,), "seen_at": (1,), "anew": None, "remade": (1,), "drawn": (1, 1)}
        | {"old": None, "young": None, "barred": None},
    ),
}


@rule
def put_off(s: Record) -> None:
    """Instead of a deal."""
    s.over = DEALING


# Instead of remembering something.


@rule
def nothing_1(a: Any) -> None:
    pass


@rule
def nothing_2(a: Any, b: Any) -> None:
    pass


@rule
def nothing_3(a: Any, b: Any, c: Any) -> None:
    pass


@rule
def nothing_4(a: Any, b: Any, c: Any, d: Any) -> None:
    pass


NOTHING = {1: nothing_1, 2: nothing_2, 3: nothing_3, 4: nothing_4}


def lean_rules(game: Game, players: int, forgetful: bool = True) -> ModuleType:
    """The rules of a game in which deals wait (`deal` carries them out); if they are forgetful,
    with a RECORD of their own, for this number of players. They run as the game does."""
    way = f"lean{players}" if forgetful else "waiting"
    memory = MEMORY[game.id]
    copies = {name: loaded(name, way) for name in _family(f"{game.package}.rules")}
    for copy in copies.values():
        for name, value in list(vars(copy).items()):
            home = copies.get(getattr(value, "__module__", ""))
            if home is not None and callable(value):
                setattr(copy, name, vars(home)[value.__name__])
    main = copies[f"{game.package}.rules"]
    if not hasattr(main, "deal"):
        main.__dict__["deal"] = vars(main)[DEAL]
        setattr(main, DEAL, put_off)
    if forgetful:
        sizes = {**memory.sizes, **({"SEATS": players} if memory.by_seat else {})}
        for copy in copies.values():
            _forget(copy, memory.calls, sizes)
    if game.engine.way == JIT:
        for copy in copies.values():
            adopt(copy.__name__)
    lean = ModuleType(main.__name__, main.__doc__)
    lean.__dict__.update(vars(game.rules))
    lean.__dict__.update((name, vars(main)[name]) for name in (*CONTRACT["rules"], "deal"))
    lean.__file__ = main.__file__
    if forgetful:
        lean.__dict__["RECORD"] = _record(game, players)
    return lean


def _family(rules: str) -> list[str]:
    """The modules of a game's package from which its rules have rules, directly or not."""
    found, left = [], [rules]
    while left:
        name = left.pop()
        found.append(name)
        for value in vars(sys.modules[name]).values():
            home = getattr(value, "__module__", None)
            mine = isinstance(home, str) and home.rpartition(".")[0] == rules.rpartition(".")[0]
            if mine and callable(value) and home not in (*found, *left):
                left.append(str(home))
    return found


def loaded(name: str, way: str) -> ModuleType:
    """A module of a game once more, under a name of its own in the same package."""
    twin = f"{name}_{way}"
    if twin not in sys.modules:
        source = str(sys.modules[name].__file__)
        spec = spec_from_file_location(twin, source)
        assert spec and spec.loader
        module = module_from_spec(spec)
        module.__dict__[BOUND] = f"{way}_{digest_of(Path(source).parent, Path(__file__))}"
        sys.modules[twin] = module
        spec.loader.exec_module(module)
    return sys.modules[twin]


def _forget(copy: ModuleType, calls: tuple[str, ...], sizes: Mapping[str, int]) -> None:
    for name in calls:
        if name in vars(copy):
            rule = vars(copy)[name]
            arguments = len(inspect.signature(getattr(rule, "py_func", rule)).parameters)
            setattr(copy, name, NOTHING[arguments])
    for name, size in sizes.items():
        if name in vars(copy):
            setattr(copy, name, size)


def _record(game: Game, players: int) -> np.dtype[Any]:
    """A game's record with nothing that it does not need. As many rows lie in shared memory, their
    size is an odd number of words: then threads that read the same field of their records do so in
    different banks."""
    memory, whole = MEMORY[game.id], game.rules.RECORD
    layout: list[tuple[Any, ...]] = []
    for name in whole.names[:-1]:  # but for what fills the end
        kind, shape = whole[name].base, whole[name].shape
        if memory.by_seat and shape[:1] == (game.most,) and name not in NEVER_BY_SEAT:
            shape = (players, *shape[1:])
        if name in memory.fields:
            shape = memory.fields[name] or shape
        if name == "memory":
            shape = (players, memory.sizes["KINDS_REMEMBERED"])
        if name == "counter":
            kind = np.dtype(np.int32)  # of blocks in a round
        layout.append((name, kind, shape) if shape else (name, kind))
    layout.sort(key=lambda one: -np.dtype(one[1]).itemsize)
    word = max(4, np.dtype(layout[0][1]).itemsize)
    size = np.dtype(layout).itemsize
    words = -(-(size + 1) // word) | 1
    layout.append(("filling", np.int8, (words * word - size,)))
    return with_fields(np.dtype(layout, align=True), __name__, f"Lean{game.id}{players}")


def kept(game: Game, whole: Any, lean: Any) -> Iterator[tuple[str, Any, Any]]:
    """The fields that records of both kinds have, as far as both have room for them."""
    for name in whole.dtype.names[:-1]:
        if name not in MEMORY[game.id].fields:
            ours, theirs = lean[name], whole[name]
            yield name, ours, theirs[tuple(map(slice, ours.shape))]
