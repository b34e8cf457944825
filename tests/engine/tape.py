"""Tapes: calls of a game's compiled functions, with what went in and what came out, byte by byte.

A tape is recorded while random matches are played, and run again by other engines: in this process
(`run`), by Node.js (tape.mjs), or by a program in C (tape.c), for machines that are not at hand. It
is little-endian: of every call the function's number; the arguments in order, an address as the
number of bytes there and the bytes; the result in eight bytes; then the bytes at every address as
they were afterwards.
"""

from __future__ import annotations

import operator
import random
import struct
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from lastcard.bots.learned import Trained, outputs_of
from lastcard.bots.network import SHIFT, Belief, Network, Work
from lastcard.bots.playouts import NODE, RECORDS, Buffers, Tally
from lastcard.bots.search import FAR, WAYS
from lastcard.bots.simple import new_rng
from lastcard.building.manifest import dimensions_of, layouts_of
from lastcard.building.parts import parts_of
from lastcard.core.game import Game
from lastcard.kernel import CHANCE, LOG_COLUMNS, NOBODY
from lastcard.kernel.exports import Argument, Signature, dtype_of
from lastcard.kernel.telling import TEXT

NODES = 200  # of a search tree: few, so that it gets full
TOLD = 12  # one move in so many is told: texts take much room


class Functions:
    """What a game's library gives, as it runs here."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.layouts = layouts_of(game)
        self.known = dimensions_of(game)
        self.signatures: dict[str, Signature] = {}
        self.calls: dict[str, Callable[..., Any]] = {}
        self.structures = {"Buffers": Buffers, "Tally": Tally, "Network": Network, "Work": Work}
        self.structures["Belief"] = Belief
        for _, module, found in parts_of(game):
            for signature in found:
                self.signatures[signature.name] = signature
                self.calls[signature.name] = getattr(module, signature.name)

    @property
    def names(self) -> list[str]:
        return list(self.signatures)


class Recorder:
    """Calls functions and writes a tape of it."""

    def __init__(self, functions: Functions) -> None:
        self.functions = functions
        self.tape = bytearray()
        self.count = 0

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return lambda *args: self.call(name, *args)

    def call(self, name: str, *args: Any) -> Any:
        signature = self.functions.signatures[name]
        self.tape += struct.pack("<I", self.functions.names.index(name))
        memory = []
        told: set[str] = set()
        for argument, value in _flat(signature, args):
            if argument.scalar:
                self.tape += _scalar(argument.kind, value)
                continue
            memory.append(value)
            self._remember(value.tobytes())
            for axis, dimension in enumerate(argument.shape):
                if not (
                    dimension.isdigit() or dimension in self.functions.known or dimension in told
                ):
                    told.add(dimension)
                    self.tape += struct.pack("<q", value.shape[axis])
        result = self.functions.calls[name](*args)
        kind = signature.returns
        self.tape += _scalar(kind, result) if kind else bytes(8)
        for value in memory:
            self._remember(value.tobytes())
        self.count += 1
        return result

    def _remember(self, content: bytes) -> None:
        self.tape += struct.pack("<I", len(content)) + content


def _scalar(kind: str, value: Any) -> bytes:
    return struct.pack("<d", value) if kind == "float" else struct.pack("<q", int(value))


def _flat(signature: Signature, args: tuple[Any, ...]) -> Iterator[tuple[Argument, Any]]:
    for argument, value in zip(signature.arguments, args, strict=True):
        if argument.fields:
            yield from zip(argument.fields, value, strict=True)
        else:
            yield argument, value


def record(game: Game, matches: list[tuple[int, dict[str, Any]]], steps: int) -> Recorder:
    """A tape of random matches, each with a number of players and options."""
    tape = Recorder(Functions(game))
    rng = random.Random(f"tape {game.id}")
    for players, options in matches:
        _play(tape, rng, players, options, steps)
    return tape


def _play(
    tape: Recorder, rng: random.Random, players: int, options: dict[str, Any], steps: int
) -> None:
    game = tape.functions.game
    s = game.blank(rng.randbytes(32))[0]
    small = np.array([rng.getrandbits(63) | 1], np.uint64)
    legal = np.zeros(game.rules.MOST_LEGAL, np.int16)
    log = np.zeros((200, LOG_COLUMNS), np.int32)
    tape.new(s, players, np.array(game.read_options(options, players), np.int16))
    for step in range(steps):
        waited = tape.waiting(s)
        if waited == 0:
            return
        tape.bystanders(s)
        for seat in range(players):
            tape.legal(s, seat, legal)
        seats = [seat for seat in (*range(players), CHANCE) if waited >> seat & 1]
        seat = rng.choice(seats)
        count = tape.legal(s, seat, legal)
        action = int(legal[rng.randrange(count)])
        if seat == CHANCE:
            tape.toss(s, count)
        elif step % 5 == 0:
            action = _think(tape, rng, s, seat, small, step)
        before = _copy(game, s)
        log[:] = 0
        tape.apply(s, seat, action, log)
        if step % TOLD == 0:
            for reader in (NOBODY, rng.randrange(players)):
                _tell(tape, before, s, reader, log)


def _tell(tape: Recorder, before: Any, now: Any, seat: int, log: Any) -> None:
    """What a seat, or a spectator, sees and is told of a move."""
    game = tape.functions.game
    hidden = [_copy(game, before), _copy(game, now)]
    for one in hidden:
        tape.hide(one, seat)
    text, scratch = np.zeros(1, TEXT)[0], np.zeros(1, TEXT)[0]
    first, second = hidden
    tape.view(first, first.data, seat, text)
    tape.changes(first, first.data, second, second.data, seat, scratch, text)
    for all_open in (0, 1):
        tape.events(log, seat, all_open, text)
    tape.key(now, now.data, game.sheet.KEYS.index("hands"), text)


def _think(tape: Recorder, rng: random.Random, s: Any, seat: int, small: Any, step: int) -> int:
    """What a seat sees, what it would do by the policy, and now and then by search."""
    game = tape.functions.game
    hidden = _copy(game, s)
    tape.hide(hidden, seat)
    tape.observe(hidden, seat, np.zeros(len(game.rules.OBSERVED), np.float32))
    tape.luck(hidden)
    legal = np.zeros(game.rules.MOST_LEGAL, np.int16)
    count = tape.legal(hidden, seat, legal)
    guessed = _copy(game, hidden)
    tape.guess(guessed, seat, small, game.new_deal())
    action = int(tape.choose(_copy(game, hidden), seat, legal, count, small))
    if step % 20 == 0 and count > 1:
        _search(tape, hidden, seat, legal[: min(count, 4)].copy(), rng)
    return action if action in legal[:count] else int(legal[0])


def _search(tape: Recorder, hidden: Any, seat: int, actions: Any, rng: random.Random) -> None:
    game, n = tape.functions.game, len(actions)
    buffers = Buffers(
        records=np.zeros(RECORDS, game.rules.RECORD),
        legal=np.zeros(game.rules.MOST_LEGAL, np.int16),
        log=np.zeros((0, LOG_COLUMNS), np.int32),
        rng=new_rng(rng.getrandbits(32)),
        deal=game.new_deal(),
        tree=np.zeros(NODES, NODE),
        places=np.zeros(len(game.actions), np.int32),
    )
    alive = np.ones(n, np.bool_)
    trained = random_network(game, rng)
    work = trained.new_work()
    tape.weigh(hidden, seat, trained.net, work)
    favours = np.zeros(n)
    tape.favour(hidden, seat, actions, trained.net, work, favours)
    for way in WAYS.values():
        tally = Tally(np.zeros(n), np.zeros(n), np.zeros((n, n)))
        tape.plant(buffers.tree, seat, n)
        reach = rng.choice((0, 1, 2, FAR))
        how = (True, rng.choice((0, 3)), way, reach, buffers, trained.net, trained.belief, work)
        tape.sample(hidden, seat, actions, alive, 3, *how, tally)
        tape.narrow(alive, 3, tally.sums, tally.squares, 0.5, 0.002)
        alive[:] = True


def random_network(game: Game, rng: random.Random) -> Trained:
    """One that has learned nothing, and is small: plain Python has to run it, too."""
    belief = _random(rng, [len(game.rules.OBSERVED), 3, 1])
    belief.factors[-1] = 1 << 10  # so that no guess is out of the question
    return Trained(_random(rng, [len(game.rules.OBSERVED), 5, 4, outputs_of(game)]), {}, belief)


def _random(rng: random.Random, sizes: list[int]) -> Network:
    numbers = np.random.default_rng(rng.getrandbits(32))
    units, weights = sum(sizes[1:]), sum(map(operator.mul, sizes, sizes[1:]))
    return Network(
        sizes=np.array(sizes, np.int32),
        weights=numbers.integers(-127, 128, weights).astype(np.int8),
        biases=numbers.integers(-5000, 5000, units).astype(np.int32),
        factors=numbers.integers(0, 1 << SHIFT - 6, units).astype(np.int32),
    )


def _copy(game: Game, s: Any) -> Any:
    return np.frombuffer(bytearray(s.tobytes()), game.rules.RECORD)[0]


# --- Running a tape again ------------------------------------------------------------------------


def run(functions: Functions, tape: bytes) -> int:
    """Makes all calls again; returns how many, or says which one came out differently."""
    at = count = 0

    def taken(size: int) -> bytes:
        nonlocal at
        at += size
        return tape[at - size : at]

    def block() -> bytes:
        return taken(struct.unpack("<I", taken(4))[0])

    while at < len(tape):
        name = functions.names[struct.unpack("<I", taken(4))[0]]
        signature = functions.signatures[name]
        args, memory = _arguments(functions, signature, taken, block)
        result = functions.calls[name](*args)
        expected = taken(8)
        if signature.returns:
            assert _scalar(signature.returns, result) == expected, f"call {count}: {name}"
        for value in memory:
            assert value.tobytes() == block(), f"call {count}: what {name} wrote"
        count += 1
    return count


def _arguments(
    functions: Functions,
    signature: Signature,
    taken: Callable[[int], bytes],
    block: Callable[[], bytes],
) -> tuple[list[Any], list[Any]]:
    """The arguments of a call, and those of them that are memory."""
    memory: list[Any] = []
    sizes = dict(functions.known)

    def one(argument: Argument) -> Any:
        if argument.fields:
            kind = functions.structures[argument.kind]
            return kind(*map(one, argument.fields))
        if argument.scalar:
            (value,) = struct.unpack("<d" if argument.kind == "float" else "<q", taken(8))
            return bool(value) if argument.kind == "flag" else value
        array = np.frombuffer(bytearray(block()), dtype_of(argument.kind, functions.layouts))
        for dimension in argument.shape:
            if not dimension.isdigit() and dimension not in sizes:
                (sizes[dimension],) = struct.unpack("<q", taken(8))
        shape = [int(one) if one.isdigit() else sizes[one] for one in argument.shape]
        memory.append(array.reshape(shape) if shape else array[0])
        return memory[-1]

    return [one(argument) for argument in signature.arguments], memory
