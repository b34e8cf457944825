"""The rules on an NVIDIA GPU, from the same source: one match per thread.

    python bench/gpu.py [GAME] [--matches N] [--seconds S]

First plays N matches on the GPU and on the CPU and compares their final records byte by byte;
then measures decisions per second with the record in global, local and shared memory.
Needs numba-cuda and an NVIDIA GPU.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from lastcard.sim.cuda import restore_names

restore_names()
import numba  # noqa: E402
from numba import cuda  # noqa: E402

from lastcard.core.game import Game  # noqa: E402
from lastcard.core.registry import games, packages  # noqa: E402
from lastcard.engine import JIT  # noqa: E402
from lastcard.kernel import LOG_COLUMNS, rule  # noqa: E402
from lastcard.kernel.jit import adopt, allow_gpu  # noqa: E402

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("game", nargs="?", default="chiko", choices=games())
parser.add_argument("--matches", type=int, default=100_000)
parser.add_argument("--seconds", type=float, default=3.0)
parser.add_argument("--players", type=int, default=4)
arguments = parser.parse_args()

GAME = Game(arguments.game, packages()[arguments.game], JIT)
rules: Any = GAME.rules
allow_gpu(rules)
play: Any = GAME.bound("lastcard.sim.selfplay")
RECORD = numba.from_dtype(rules.RECORD)
MOST_LEGAL = rules.MOST_LEGAL
PLAYERS = arguments.players
OPTIONS = np.array(GAME.simulated_options(PLAYERS), np.int16)
SHARED_THREADS = 64


@rule
def seed(rng: Any, number: int) -> None:
    """Seeds the generator of a match or a thread."""
    rng[0] = np.uint64(number) * np.uint64(2654435761) + np.uint64(88172645463325252)


@rule
def start(s: Any, rng: Any, number: int, options: Any) -> None:
    """Starts the match with a number."""
    seed(rng, number)
    s.key[0] = number
    rules.new(s, PLAYERS, options)


@rule
def play_share(
    s: Any, thread: int, matches: int, options: Any, rng: Any, legal: Any, log: Any
) -> int:
    """Plays a thread's share of the matches; returns the number of decisions."""
    seed(rng, thread)
    return play.play_many(s, thread * matches, matches, PLAYERS, options, rng, legal, log)


@cuda.jit  # type: ignore[untyped-decorator]
def one_each(states: Any, options: Any, log: Any) -> None:
    """Plays every match to its end in global memory."""
    i = cuda.grid(1)
    if i < states.shape[0]:
        legal = cuda.local.array(MOST_LEGAL, numba.int16)
        rng = cuda.local.array(1, numba.uint64)
        start(states[i], rng, i, options)
        play.play_out(states[i], rng, legal, log)


@cuda.jit  # type: ignore[untyped-decorator]
def many_global(states: Any, options: Any, log: Any, matches: int, decisions: Any) -> None:
    i = cuda.grid(1)
    legal = cuda.local.array(MOST_LEGAL, numba.int16)
    rng = cuda.local.array(1, numba.uint64)
    decisions[i] += play_share(states[i], i, matches, options, rng, legal, log)


@cuda.jit  # type: ignore[untyped-decorator]
def many_local(states: Any, options: Any, log: Any, matches: int, decisions: Any) -> None:
    i = cuda.grid(1)
    legal = cuda.local.array(MOST_LEGAL, numba.int16)
    rng = cuda.local.array(1, numba.uint64)
    mine = cuda.local.array(1, RECORD)
    mine[0] = states[i]
    decisions[i] += play_share(mine[0], i, matches, options, rng, legal, log)
    states[i] = mine[0]


@cuda.jit  # type: ignore[untyped-decorator]
def many_shared(states: Any, options: Any, log: Any, matches: int, decisions: Any) -> None:
    i, j = cuda.grid(1), cuda.threadIdx.x
    legal = cuda.local.array(MOST_LEGAL, numba.int16)
    rng = cuda.local.array(1, numba.uint64)
    block = cuda.shared.array(SHARED_THREADS, RECORD)
    block[j] = states[i]
    decisions[i] += play_share(block[j], i, matches, options, rng, legal, log)
    states[i] = block[j]


def compare() -> None:
    count = arguments.matches
    states = cuda.to_device(np.zeros(count, rules.RECORD))
    options, log = cuda.to_device(OPTIONS), cuda.to_device(np.zeros((0, LOG_COLUMNS), np.int32))
    one_each[(count + 127) // 128, 128](states, options, log)
    on_gpu = states.copy_to_host()
    on_cpu = np.zeros(count, rules.RECORD)
    legal, rng = np.zeros(MOST_LEGAL, np.int16), np.zeros(1, np.uint64)
    no_log = np.zeros((0, LOG_COLUMNS), np.int32)
    for i in range(count):
        start(on_cpu[i], rng, i, OPTIONS)
        play.play_out(on_cpu[i], rng, legal, no_log)
    size = rules.RECORD.itemsize
    bytes_gpu = np.frombuffer(on_gpu.tobytes(), np.uint8).reshape(count, size)
    bytes_cpu = np.frombuffer(on_cpu.tobytes(), np.uint8).reshape(count, size)
    same = int((bytes_gpu == bytes_cpu).all(axis=1).sum())
    over = int(on_gpu["over"].sum())
    print(f"{same} of {count} final records are byte-identical on GPU and CPU ({over} finished)")
    assert same == over == count


def measure(name: str, kernel: Any, threads: int, block: int) -> None:
    states = cuda.to_device(np.zeros(threads, rules.RECORD))
    options, log = cuda.to_device(OPTIONS), cuda.to_device(np.zeros((0, LOG_COLUMNS), np.int32))
    decisions = cuda.to_device(np.zeros(threads, np.int64))
    matches = 20
    kernel[threads // block, block](states, options, log, matches, decisions)  # compiles
    cuda.synchronize()
    started = time.perf_counter()
    kernel[threads // block, block](states, options, log, matches, decisions)
    cuda.synchronize()
    matches = max(1, int(matches * arguments.seconds / 3 / (time.perf_counter() - started)))
    speeds = []
    for _ in range(3):
        before = int(decisions.copy_to_host().sum())
        started = time.perf_counter()
        kernel[threads // block, block](states, options, log, matches, decisions)
        cuda.synchronize()
        passed = time.perf_counter() - started
        speeds.append((int(decisions.copy_to_host().sum()) - before) / passed)
    low, middle, high = sorted(speeds)
    print(
        f"{name:7} {threads:>8} threads, {block:>4} a block: {middle / 1e9:6.2f} billion "
        f"decisions per second ({low / 1e9:.2f} to {high / 1e9:.2f})",
        flush=True,
    )


if __name__ == "__main__":
    adopt(__name__)
    print(f"{GAME.title}, {PLAYERS} players, record of {rules.RECORD.itemsize} bytes")
    print(cuda.get_current_device().name)
    compare()
    for blocks in (1, 2, 4):
        measure("global", many_global, 132 * 1024 * blocks, 128)
    for blocks in (1, 2, 4):
        measure("local", many_local, 132 * 1024 * blocks, 128)
    for blocks in (8, 12, 32):
        measure("shared", many_shared, 132 * SHARED_THREADS * blocks, SHARED_THREADS)
