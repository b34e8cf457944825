"""A batch on a GPU gives the bytes of the one on the CPU. Numba's simulator stands in for a GPU:
the kernels are the real ones, run as plain Python."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from lastcard.core.game import Game
from lastcard.engine import ENGINE, PLAIN

PROGRAM = """
import random, sys
import numpy as np
import lastcard
from tests.helpers import random_options
from tests.sim.test_batch import ARRAYS, pick

def compare(gpu, cpu):
    for name in ARRAYS:
        there, here = getattr(gpu, name).copy_to_host(), getattr(cpu, name)
        if name == "choices":
            for row, (a, b) in enumerate(zip(there, here)):
                assert a[:cpu.counts[row]].tolist() == b[:cpu.counts[row]].tolist(), name
        else:
            assert there.tobytes() == here.tobytes(), name

id, rng = sys.argv[1], random.Random(1)
settings = {"seed": 5, "rewards": "round", "out_of_turn": True}
gpu = lastcard.Batch(id, 2, on="cuda", **settings)
cpu = lastcard.Batch(id, 2, threads=1, **settings)
for _ in range(10):
    compare(gpu, cpu)
    assert gpu.advise().copy_to_host().tolist() == cpu.advise().tolist()
    actions = pick(cpu, rng)
    for batch in (gpu, cpu):
        batch.step(actions)
for wrong in (np.array([actions[0], 9999]), np.zeros(2), np.zeros(3, int)):
    said = []
    for batch in (gpu, cpu):
        try:
            batch.step(wrong)
        except lastcard.LastCardError as error:
            said.append(str(error))
    assert len(said) == 2 and said[0] == said[1], said
    compare(gpu, cpu)
mixed = np.array([actions[0], cpu.choices[1, 0]])  # the first one is of the step before
for batch in (gpu, cpu):
    batch.step(mixed, check=False)
compare(gpu, cpu)
seen = np.from_dlpack(gpu.observations)
assert seen.tobytes() == cpu.observations.tobytes()
assert seen.ctypes.data == gpu.observations._ary.ctypes.data, "a copy"
for name in ("seats", "legal", "counts", "rewards", "done", "played"):
    assert np.from_dlpack(getattr(gpu, name)).tobytes() == getattr(cpu, name).tobytes(), name
twin, match = gpu.copy(), cpu.match(1)
assert gpu.match(1).state == match.state
assert gpu.observe(1).copy_to_host().tobytes() == cpu.observe(1).tobytes()
compare(twin, cpu)
twin.reset(3)
twin.restore(cpu.state())
compare(twin, cpu)
gpu.put(0, match)
twin.reset(6)
cpu.put(0, match)
compare(gpu, cpu)
cpu.reset(6)
compare(twin, cpu)
options = random_options(rng, cpu.game, cpu.players)
for batch in (twin, cpu):
    batch.advise()
    batch.reset(7, options=options)
compare(twin, cpu)
new = lastcard.Batch(id, 2, threads=1, options=options, **(settings | {"seed": 7}))
for batch in (twin, cpu):
    advice = batch.advise()
    assert [*map(int, getattr(advice, "copy_to_host", lambda: advice)())] == new.advise().tolist()
    new.reset()
if id == "chiko":  # a match that is over stays, and is seen as it is
    settings |= {"options": {"target": 10}, "restart": False}
    gpu = lastcard.Batch(id, 3, on="cuda", **settings)
    cpu = lastcard.Batch(id, 3, threads=1, **settings)
    while not cpu.done.all():
        actions = pick(cpu, rng)
        for batch in (gpu, cpu):
            batch.step(actions)
        compare(gpu, cpu)
for one in (0, gpu.stream, type("Stream", (), {"cuda_stream": 0})):
    twin.stream = one
try:
    twin.stream = "fast"
except lastcard.LastCardError as error:
    print(error)
print("the same")
"""


def test_a_simulated_gpu_gives_the_same_bytes(any_game: Game) -> None:
    pytest.importorskip("numba")
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", ENGINE: PLAIN}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, any_game.id],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    refused = "stream: is one of PyTorch or CuPy, or its address, not 'fast'."
    assert done.stdout == f"{refused}\nthe same\n", done.stdout + done.stderr
