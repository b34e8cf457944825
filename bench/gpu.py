"""Everything that runs on an NVIDIA GPU, measured and compared with the CPU, in one run.

usage: bench/gpu.py [GAME...] [--quick] [--limit 600] [--players 4] [--matches 100000]
                    [--seconds 0.15] [--out FILE.json]
       bench/gpu.py --profile GAME [--kind random|batch]

For each game: random play, in decisions per second, with records in local and in shared memory,
whole and without what only seats remember, and with deals that wait for more or fewer others; its
final records, compared with the CPU's; `lastcard.Batch`, in steps per second with observations and
masks, in a CUDA graph; and what `lastcard simulate --on cuda` records, compared with the CPU's.

All kernels are compiled at the same time, in processes of their own; only one of them measures at
a time. What is not done after `--limit` seconds is stopped. With `--quick` there are only the
fastest ways, large batches, and what is compared. With `--profile` there is one short launch, for
`ncu --clock-control none --set full`. Needs numba-cuda, PyTorch and an NVIDIA GPU.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import json
import os
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("LASTCARD_ENGINE", "jit")
os.environ.setdefault("NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS", "0")

import numpy as np  # noqa: E402

from lastcard.sim.cuda import clear, for_gpu, restore_names  # noqa: E402

restore_names()
from numba import config, cuda  # noqa: E402

from lastcard import Batch, kernel  # noqa: E402
from lastcard.core.game import Game  # noqa: E402
from lastcard.core.registry import game as find_game  # noqa: E402
from lastcard.core.registry import games, packages  # noqa: E402
from lastcard.engine import JIT, PLAIN  # noqa: E402
from lastcard.kernel import LOG_COLUMNS, bind  # noqa: E402
from lastcard.kernel.jit import adopt  # noqa: E402
from lastcard.sim.lean import kept, lean_rules, loaded  # noqa: E402

SIMULATED = bool(config.ENABLE_CUDASIM)
# Records, where they lie, threads in a block, registers (0: as the compiler likes).
WAYS = {
    "whole local": (False, "in_local", 64, 0),
    "lean local": (True, "in_local", 64, 0),
    "lean local 32": (True, "in_local", 32, 0),
    "lean shared": (True, "in_shared", 32, 0),
    "lean shared 64": (True, "in_shared", 64, 0),
}
KINDS = (*WAYS, "batch", "look", "simulate")
QUICK = ("lean local", "lean local 32", "lean shared 64", "batch", "simulate")
GATHER = (1, 8, 14, 20, 26, 29, 31)  # of 32 threads
QUICK_GATHER = (20, 26, 29, 31)
QUICK_COUNTS = (1 << 18, 1 << 20)
COUNTS = (1 << 16, 1 << 18, 1 << 20)  # of matches in a batch
MEMORY = 24 << 30  # bytes of a batch
SAME = "rows compared"


def measured(run: Callable[[int], int], seconds: float, repeats: int = 3) -> list[float]:
    """What `run` counts per second, told how much to do: the median and the range."""
    many = 1
    while True:
        started = time.perf_counter()
        run(many)
        passed = time.perf_counter() - started
        if passed > seconds / 8 or many > 1 << 20:
            break
        many *= 4
    many = max(1, round(many * seconds / passed))
    speeds = []
    for _ in range(repeats):
        started = time.perf_counter()
        count = run(many)
        speeds.append(count / (time.perf_counter() - started))
    low, middle, high = np.percentile(speeds, (0, 50, 100))
    return [float(middle), float(low), float(high)]


def facts_of(compiled: Any) -> dict[str, Any]:
    one = next(iter(compiled.overloads.values()))
    return {
        "registers": one.regs_per_thread,
        "local bytes": one.local_mem_per_thread,
        "shared bytes": one.shared_mem_per_block,
    }


# --- Random play ------------------------------------------------------------------------------


class Crowd:
    """Random play of one game in one way."""

    def __init__(self, id: str, players: int, way: str) -> None:
        forgetful, place, self.block, registers = WAYS[way]
        self.game = Game(id, packages()[id], PLAIN if SIMULATED else JIT)
        self.players = players
        rules: Any = lean_rules(self.game, players, forgetful)
        bound: Any = bind("lastcard.sim.crowd", "lean" if forgetful else "waiting", rules=rules)
        bound.record = rules.RECORD if SIMULATED else for_gpu(self.game, bound)
        bound.most_legal, bound.room = self.game.rules.MOST_LEGAL, self.block
        how = {"max_registers": registers} if registers else {}
        self.kernel: Any = cuda.jit(getattr(bound, place), **how)
        self.layout = rules.RECORD
        self.options = cuda.to_device(np.array(self.game.simulated_options(players), np.int16))
        self.log = cuda.to_device(np.zeros((0, LOG_COLUMNS), np.int32))

    def play(self, threads: int, matches: int, gather: int) -> tuple[Any, Any]:
        """Final records and numbers of decisions."""
        blocks = -(-threads // self.block)
        states = cuda.to_device(np.zeros(blocks * self.block, self.layout))
        decisions = cuda.to_device(np.zeros(blocks * self.block, np.int64))
        self.launch(blocks, states, matches, gather, decisions)
        return states.copy_to_host()[:threads], decisions.copy_to_host()[:threads]

    def launch(self, blocks: int, states: Any, matches: int, gather: int, decisions: Any) -> None:
        given = (matches, self.players, self.options, gather, self.log, decisions)
        self.kernel[blocks, self.block](states, *given)
        cuda.synchronize()

    def compiled(self) -> dict[str, Any]:
        if SIMULATED:
            return {}
        return facts_of(self.kernel)

    def resident(self) -> int:
        """Threads that run at the same time: as many as multiprocessors have room for."""
        device: Any = cuda.get_current_device()
        facts = self.compiled()
        warps = -(-self.block // 32)
        blocks = min(
            device.MAX_BLOCKS_PER_MULTIPROCESSOR if facts["shared bytes"] else 32,
            64 // warps,
            (227 << 10) // (facts["shared bytes"] + 1024) if facts["shared bytes"] else 32,
            65536 // (32 * warps * -(-facts["registers"] // 8) * 8),
        )
        return int(device.MULTIPROCESSOR_COUNT * blocks * self.block)


def on_cpu(game: Game, players: int, count: int) -> tuple[Any, int]:
    """The matches of `Crowd.play`, one for each thread, in this one."""
    play: Any = game.bound("lastcard.sim.selfplay")
    records, decisions = np.zeros(count, game.rules.RECORD), 0
    options = np.array(game.simulated_options(players), np.int16)
    legal, rng = np.zeros(game.rules.MOST_LEGAL, np.int16), np.zeros(1, np.uint64)
    log = np.zeros((0, LOG_COLUMNS), np.int32)
    for i in range(count):
        rng[0] = (i * 2654435761 + 88172645463325252) % (1 << 64)
        decisions += play.play_many(records[i], i, 1, players, options, rng, legal, log)
    return records, decisions


def cpu_speed(game: Game, players: int, seconds: float) -> list[float]:
    play: Any = game.bound("lastcard.sim.selfplay")
    record = np.zeros(1, game.rules.RECORD)[0]
    options = np.array(game.simulated_options(players), np.int16)
    legal, rng = np.zeros(game.rules.MOST_LEGAL, np.int16), np.ones(1, np.uint64)
    log = np.zeros((0, LOG_COLUMNS), np.int32)
    return measured(
        lambda many: play.play_many(record, 1, many, players, options, rng, legal, log), seconds
    )


def compare(crowd: Crowd, count: int) -> str:
    """Final records of the GPU and of the CPU; all bytes, or all fields of lean ones."""
    there, decided = crowd.play(count, 1, 12)
    here, decisions = on_cpu(crowd.game, crowd.players, count)
    assert here["over"].all() and decisions == decided.sum(), (decisions, int(decided.sum()))
    if crowd.layout == crowd.game.rules.RECORD:
        size = crowd.layout.itemsize
        rows = (
            np.frombuffer(one.tobytes(), np.uint8).reshape(count, size) for one in (there, here)
        )
        same = int((next(rows) == next(rows)).all(axis=1).sum())
        said = f"{same} of {count} final records have the CPU's bytes, {decisions} decisions"
    else:
        fields = list(kept(crowd.game, here, there))
        equal = [(a == b).reshape(count, -1).all(axis=1) for _, a, b in fields]
        same = int(np.logical_and.reduce(equal).sum())
        said = f"{same} of {count} final records are the CPU's in all {len(fields)} fields"
    assert same == count, said
    return said


def random_play(id: str, way: str, arguments: Any, exclusive: Any) -> Iterator[dict[str, Any]]:
    started = time.perf_counter()
    crowd = Crowd(id, arguments.players, way)
    crowd.play(64, 1, 12)
    on_cpu(crowd.game, crowd.players, 1)
    facts = {"compiled in": round(time.perf_counter() - started, 1), **crowd.compiled()}
    yield {**facts, "bytes": crowd.layout.itemsize}
    with exclusive():
        yield {"compared": compare(crowd, arguments.matches)}
        if way == "whole local":
            yield {"cpu": cpu_speed(crowd.game, crowd.players, arguments.seconds)}
        if SIMULATED:
            return
        threads = crowd.resident()
        yield {"threads": threads}
        several = QUICK_GATHER if arguments.quick else GATHER
        for gather in several if way != "whole local" else (1, 14):
            yield {f"gather {gather}": speed(crowd, threads, gather, arguments.seconds)}


def speed(crowd: Crowd, threads: int, gather: int, seconds: float) -> list[float]:
    """In whole matches of as many threads as run at the same time. Blocks gather in proportion."""
    blocks = threads // crowd.block
    states = cuda.to_device(np.zeros(threads, crowd.layout))
    decisions = cuda.to_device(np.zeros(threads, np.int64))
    total = 0

    def run(many: int) -> int:
        nonlocal total
        before = total
        crowd.launch(blocks, states, 4 * many, gather * crowd.block // 32, decisions)
        total = int(decisions.copy_to_host().sum())
        return total - before

    return measured(run, seconds)


# --- Batches ----------------------------------------------------------------------------------


class Driver:
    """A batch and random legal actions, drawn by PyTorch on the GPU."""

    def __init__(self, id: str, players: int, count: int) -> None:
        import torch

        self.torch = torch
        self.batch = Batch(id, count, players, seed=1, on="cuda")
        self.counts = torch.as_tensor(self.batch.counts, device="cuda")
        self.choices = torch.as_tensor(self.batch.choices, device="cuda")
        self.actions = torch.zeros(count, dtype=torch.int64, device="cuda")

    def step(self) -> None:
        torch, batch = self.torch, self.batch
        batch.stream = torch.cuda.current_stream()
        drawn = (torch.rand(batch.count, device="cuda") * self.counts).long()
        self.actions.copy_(self.choices.gather(1, drawn[:, None])[:, 0])
        batch.step(self.actions, check=False)

    def captured(self) -> Any:
        """A step as a CUDA graph."""
        graph = self.torch.cuda.CUDAGraph()
        with self.torch.cuda.graph(graph):
            self.step()
        return graph


def batches(id: str, arguments: Any, exclusive: Any) -> Iterator[dict[str, Any]]:
    started = time.perf_counter()
    first = Driver(id, arguments.players, 64)
    first.step()
    first.batch.observe(0)
    first.torch.cuda.synchronize()
    yield {"compiled in": round(time.perf_counter() - started, 1)}
    device: Any = first.batch._device
    for name in ("play", "look"):
        yield {name: str(facts_of(getattr(device.kernels, name)))}
    step_here(Batch(id, 2, arguments.players, out_of_turn=True))  # compiles
    with exclusive():
        yield {"compared": compare_batches(id, arguments.players)}
        for count in QUICK_COUNTS if arguments.quick else COUNTS:
            try:
                yield from batch_speeds(id, arguments, count)
            except Exception:
                yield {f"error {count}": traceback.format_exc()}


def step_here(batch: Any) -> None:
    batch.step(batch.choices[:, 0], check=False)


def compare_batches(id: str, players: int) -> str:
    """Steps with random actions, on the GPU and here: the same arrays."""
    count, steps = 1000, 200
    there = Batch(id, count, players, seed=3, on="cuda", out_of_turn=True)
    here = Batch(id, count, players, seed=3, out_of_turn=True)
    rng, rows = np.random.default_rng(1), np.arange(count)
    for _ in range(steps):
        actions = here.choices[rows, (rng.random(count) * here.counts).astype(int)]
        for batch in (there, here):
            batch.step(actions.astype(np.int64), check=False)
    names = ("records", "seats", "legal", "observations", "done", "played", "final_observations")
    different = [
        name
        for name in (*names, "rewards", "final_scores")
        if getattr(there, name).copy_to_host().tobytes() != getattr(here, name).tobytes()
    ]
    assert not different, f"{different} differ"
    return f"{count} matches: the same bytes after {steps} steps ({int(here.played.sum())} ended)"


def batch_speeds(id: str, arguments: Any, count: int) -> Iterator[dict[str, Any]]:
    rules = find_game(id).rules
    if count * (rules.RECORD.itemsize + 8 * len(rules.OBSERVED)) > MEMORY:
        return
    driver = Driver(id, arguments.players, count)
    torch = driver.torch
    device: Any = driver.batch._device
    for _ in range(30):  # into the middle of matches
        driver.step()
    graph = driver.captured()

    def replay(many: int) -> int:
        for _ in range(many):
            graph.replay()
        torch.cuda.synchronize()
        return many * count

    yield {f"graph {count}": measured(replay, arguments.seconds)}

    def look(many: int) -> int:
        for _ in range(many):
            clear(driver.batch.observations, device.queue)
            device.look(0, count, device.arrays.seats, driver.batch.observations)
        torch.cuda.synchronize()
        return many * count

    yield {f"observe alone {count}": measured(look, arguments.seconds)}


# --- What a look costs

LOOKS = ("clear", "copy", "hide", "observe", "straight", "straight, cleared before")


def looks(id: str, arguments: Any, exclusive: Any) -> Iterator[dict[str, Any]]:
    """Each with what comes before it; the last two without hiding, to measure it, not for eyes."""
    started = time.perf_counter()
    game = Game(id, packages()[id], JIT)
    rules: Any = game.rules
    features: Any = loaded(f"{game.package}.features", "cleared")
    features.N_OBSERVED = 0
    adopt(features.__name__)
    record, numbers = for_gpu(game), len(rules.OBSERVED)

    @cuda.jit  # type: ignore[untyped-decorator]
    def look(records: Any, seats: Any, out: Any, spare: Any) -> None:
        i = cuda.grid(1)
        mine = cuda.local.array(1, record)
        kernel.copy_record(mine, 0, records[i])
        rules.hide(mine[0], seats[i])
        rules.observe(mine[0], seats[i], out[i])

    @cuda.jit  # type: ignore[untyped-decorator]
    def hide(records: Any, seats: Any, out: Any, spare: Any) -> None:
        i = cuda.grid(1)
        mine = cuda.local.array(1, record)
        kernel.copy_record(mine, 0, records[i])
        rules.hide(mine[0], seats[i])
        kernel.copy_record(spare, i, mine[0])

    @cuda.jit  # type: ignore[untyped-decorator]
    def copy(records: Any, seats: Any, out: Any, spare: Any) -> None:
        i = cuda.grid(1)
        kernel.copy_record(spare, i, records[i])

    @cuda.jit  # type: ignore[untyped-decorator]
    def clear(records: Any, seats: Any, out: Any, spare: Any) -> None:
        i = cuda.grid(1)
        for j in range(numbers):
            out[i, j] = 0.0

    @cuda.jit  # type: ignore[untyped-decorator]
    def straight(records: Any, seats: Any, out: Any, spare: Any) -> None:
        i = cuda.grid(1)
        rules.observe(records[i], seats[i], out[i])

    @cuda.jit  # type: ignore[untyped-decorator]
    def sparse(records: Any, seats: Any, out: Any, spare: Any) -> None:
        i = cuda.grid(1)
        features.observe(records[i], seats[i], out[i])

    driver = Driver(id, arguments.players, 1 << 16)
    for _ in range(60):
        driver.step()
    told: Any = driver.batch
    count = told.count
    spare = cuda.to_device(np.zeros(count, rules.RECORD))
    seats = cuda.to_device(np.array(told.seats.copy_to_host(), np.int64))
    given = told.records, seats, told.observations, spare
    every = dict(zip(LOOKS, (clear, copy, hide, look, straight, sparse), strict=True))
    for one in every.values():
        one[count // 64, 64](*given)
    cuda.synchronize()
    yield {"compiled in": round(time.perf_counter() - started, 1)}
    with exclusive():
        for name, one in every.items():
            for block in (32, 64, 256):

                def run(many: int, one: Any = one, block: int = block) -> int:
                    for _ in range(many):
                        one[count // block, block](*given)
                    cuda.synchronize()
                    return many * count

                yield {f"{name}, {block} a block": measured(run, arguments.seconds)}


# --- Simulations ------------------------------------------------------------------------------


def simulations(id: str, arguments: Any, exclusive: Any) -> Iterator[dict[str, Any]]:
    """What becomes rows, of 2,000 matches of random and policy."""
    from lastcard.sim.gpu import GpuRecorder
    from lastcard.sim.plans import plan
    from lastcard.sim.recorded import Recorder

    count = 2000
    for rows in ("match", "decision"):
        found = plan(id, count, arguments.players, bots="random,policy,random", seed=5, rows=rows)
        started = time.perf_counter()
        there, here = GpuRecorder(found), Recorder(found)
        for recorder in (there, here):
            list(recorder.play(range(8)))
        if rows == "match":
            yield {"compiled in": round(time.perf_counter() - started, 1)}
        with exclusive():
            times, recorded = [], []
            for recorder in (there, here):
                started = time.perf_counter()
                recorded.append(list(recorder.play(range(count))))
                times.append(round(time.perf_counter() - started, 3))
            names = [name for name in vars(recorded[0][0]) if name != "first"]
            for name in names:
                ours, theirs = (
                    np.concatenate([getattr(one, name) for one in some]) for some in recorded
                )
                if name == "matches":  # where a part's rounds begin
                    ours, theirs = ours[:, 2:], theirs[:, 2:]
                assert ours.tobytes() == theirs.tobytes(), f"{rows}: {name} differ"
            yield {
                f"{rows} {SAME}": f"the same {len(names)} tables of {count} matches; "
                f"GPU {times[0]} s, CPU {times[1]} s"
            }


# --- All of it --------------------------------------------------------------------------------


def job(id: str, kind: str, arguments: Any) -> None:
    """One kind of measuring for one game; what is found goes to standard output as JSON."""

    @contextlib.contextmanager
    def exclusive() -> Iterator[None]:
        with open(arguments.lock, "w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    if kind in WAYS:
        found = random_play(id, kind, arguments, exclusive)
    else:
        found = {"batch": batches, "look": looks, "simulate": simulations}[kind](
            id, arguments, exclusive
        )
    try:
        for one in found:
            print(json.dumps(one), flush=True)
    except Exception:
        print(json.dumps({"error": traceback.format_exc()}), flush=True)


def profile(id: str, kind: str, players: int) -> None:
    if kind == "batch":
        driver = Driver(id, players, 1 << 16)
        for _ in range(40):
            driver.step()
        driver.torch.cuda.synchronize()
        return
    crowd = Crowd(id, players, "lean shared")
    crowd.play(64, 1, 12)
    crowd.play(crowd.resident(), 4, 16)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=0.15)
    parser.add_argument("--kinds", help="separated by commas")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--limit", type=float, default=600, help="seconds in all")
    parser.add_argument("--out", type=Path, help="what was found, as JSON; written again and again")
    parser.add_argument("--profile", metavar="GAME")
    parser.add_argument("--kind", default="random", choices=("random", "batch"))
    parser.add_argument("--job", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--lock", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.job:
        id, kind = arguments.job
        job(id, kind, arguments)
        return
    if arguments.profile:
        profile(arguments.profile, arguments.kind, arguments.players)
        return
    started = time.perf_counter()
    print(cuda.get_current_device().name if not SIMULATED else "Numba's simulator", flush=True)
    kinds = arguments.kinds.split(",") if arguments.kinds else QUICK if arguments.quick else KINDS
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        jobs = []
        for id in arguments.games or games():
            for kind in kinds:
                command = [sys.executable, __file__, *sys.argv[1:], "--job", id, kind]
                command += ["--lock", f"{folder}/lock"]
                output = Path(folder, f"{id} {kind}")
                with output.open("w") as file:
                    jobs.append((id, kind, output, subprocess.Popen(command, stdout=file)))
        told: dict[Path, int] = {}
        while True:
            running = [process for *_, process in jobs if process.poll() is None]
            for id, kind, output, _ in jobs:
                lines = output.read_text().split("\n")[:-1]
                for line in lines[told.get(output, 0) :]:
                    news = json.loads(line)
                    found.setdefault(id, {}).setdefault(kind, {}).update(news)
                    for name, value in news.items():
                        passed = time.perf_counter() - started
                        print(
                            f"{passed:5.0f} s  {id:11} {kind:14} {name}: {shown(value)}", flush=True
                        )
                told[output] = len(lines)
            if arguments.out:
                arguments.out.write_text(json.dumps(found, indent=1))
            if not running:
                break
            if time.perf_counter() - started > arguments.limit:
                for process in running:
                    process.kill()
            time.sleep(0.5)
    for id, kind, _, process in jobs:
        if process.returncode:
            print(f"{id} {kind}: ended with {process.returncode}")
    print(f"all in {time.perf_counter() - started:.0f} s")


def shown(value: Any) -> str:
    if isinstance(value, list):
        middle, low, high = (one / 1e6 for one in value)
        return f"{middle:,.1f} million per second ({low:,.1f} to {high:,.1f})"
    return str(value)


if __name__ == "__main__":
    main()
