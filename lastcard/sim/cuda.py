"""Where a batch lives on an NVIDIA GPU: the same rules, one match for each thread.

Needs numba-cuda (`lastcard[cuda]`). With Numba's simulator (NUMBA_ENABLE_CUDASIM=1) it runs
anywhere, slowly, for tests.
"""

from __future__ import annotations

import importlib.util
import os
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from lastcard.bots.search import playouts_of
from lastcard.bots.simple import policy_of
from lastcard.core.game import Game
from lastcard.core.registry import packages
from lastcard.engine import JIT, PLAIN, has_numba
from lastcard.errors import BadOption
from lastcard.kernel import LOG_COLUMNS, NOBODY, Record, bind

from .dlpack import CPU, CUDA, lending
from .host import check_actions, generators
from .lean import lean_rules
from .stepping import Arrays, Settings

NEAR = 900  # bytes of the largest record of which threads have copies: see kernels.py
BLOCK = 64  # threads
GATHER = 40  # of them: see kernels.py
BLOCKS = 3  # for each multiprocessor, at the most; then threads take one match after the other
RENAMED = {"row_stack": "vstack", "in1d": "isin", "trapz": "trapezoid"}


@cache
def tools() -> SimpleNamespace:
    """What GPUs are driven by; or a sentence that says what is missing."""
    if not has_numba():
        raise BadOption("on", "cuda needs Numba: pip install 'lastcard[cuda]'.")
    restore_names()
    # A warning for each small batch helps nobody.
    os.environ.setdefault("NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS", "0")
    import numba
    from numba import cuda

    simulated = bool(numba.config.ENABLE_CUDASIM)
    if not simulated and importlib.util.find_spec("numba_cuda") is None:
        raise BadOption("on", "cuda needs numba-cuda: pip install 'lastcard[cuda]'.")
    if not simulated and not cuda.is_available():
        raise BadOption("on", "cuda finds no NVIDIA GPU here, or no driver for it.")
    multiprocessors = 1
    if not simulated:
        device: Any = cuda.get_current_device()
        multiprocessors = device.MULTIPROCESSOR_COUNT
    return SimpleNamespace(
        numba=numba, cuda=cuda, simulated=simulated, multiprocessors=multiprocessors
    )


def clear(array: Any, queue: Any) -> None:
    """Zeros, as quickly as memory takes them."""
    if tools().simulated:
        array.copy_to_device(np.zeros(array.shape, array.dtype))
        return
    from numba.cuda.cudadrv.driver import device_memset

    device_memset(array, 0, array.nbytes, queue)


def shared(array: Any) -> Any:
    """An array of the GPU, which other frameworks take by DLPack, too. The simulator has its arrays
    in this machine's memory."""
    cuda = tools().cuda
    if tools().simulated:
        return lending(array, _address_here, (CPU, 0), cuda.synchronize)
    device = CUDA, cuda.get_current_device().id
    return lending(array, _address_there, device, cuda.synchronize)


def _address_here(array: Any) -> int:
    return int(array._ary.ctypes.data)


def _address_there(array: Any) -> int:
    return int(array.device_ctypes_pointer.value)


def restore_names() -> None:
    """numba-cuda 0.30 uses names that NumPy 2.5 has dropped."""
    for old, new in RENAMED.items():
        if not hasattr(np, old):
            setattr(np, old, getattr(np, new))


@cache
def kernels_of(id: str) -> SimpleNamespace:
    """What runs on the GPU for one game, compiled when it is first called."""
    bound = bound_kernels(id, tools().simulated)
    kernels = {one.__name__: tools().cuda.jit(one) for one in bound.KERNELS}
    numbers = {name: getattr(bound, name) for name in ("STEP", "START", "TAKE_UP", "GO_ON")}
    return SimpleNamespace(**kernels, **numbers)


def is_near(game: Game) -> bool:
    return game.rules.RECORD.itemsize <= NEAR


def bound_kernels(id: str, simulated: bool) -> Any:
    """The kernels of one game before they are compiled. The simulator runs plain Python."""
    game = Game(id, packages()[id], PLAIN if simulated else JIT)
    rules = lean_rules(game, game.most, forgetful=False)
    stepping = bind(
        "lastcard.sim.stepping",
        "waiting",
        rules=rules,
        playouts=playouts_of(game),
        policy=policy_of(game),
    )
    bound: Any = bind("lastcard.sim.kernels", rules=rules, stepping=stepping)
    bound.block, bound.gather, bound.near = BLOCK, GATHER, is_near(game)
    bound.record = game.rules.RECORD
    if not simulated:
        bound.record = for_gpu(game, bound, stepping)
    return bound


def for_gpu(game: Game, *templates: Any) -> Any:
    """Lets kernels be compiled with a game's rules, and templates bound to them; the layout of its
    records, or those of a template's, as the compiler knows it."""
    import numba

    from lastcard.kernel.jit import adopt, allow_gpu

    from .tables_on_gpu import share_tables

    adopt(*(one.__name__ for one in templates))
    allow_gpu(game.rules)
    share_tables()
    rules = templates[0].rules if templates else game.rules
    return numba.from_dtype(rules.RECORD)


class Gpu:
    """A batch in the memory of a GPU. All its work is on one stream, in the order it is asked
    for; steps and resets return before it is done."""

    def __init__(self, game: Game, settings: Settings, arrays: Arrays) -> None:
        self.game = game
        self.cuda = tools().cuda
        self.kernels = kernels_of(game.id)
        self.count = len(arrays.seats)
        self.most_blocks = BLOCKS * tools().multiprocessors
        there = self.cuda.to_device
        self.arrays = Arrays(*(shared(there(one)) for one in arrays))
        self.settings = settings._replace(
            seed=there(settings.seed), options=there(settings.options)
        )
        self.log = there(np.zeros((0, LOG_COLUMNS), np.int32))
        self.rngs = there(generators(self.count))
        self.advice = shared(there(np.zeros(self.count, np.int64)))
        self.illegal = there(np.full(1, self.count, np.int64))  # the first match that is
        # How many matches are to be dealt, and which.
        self.undealt = there(np.zeros(1 + self.count, np.int64))
        self.use(None)

    def use(self, stream: Any) -> None:
        """PyTorch says what its streams are by `cuda_stream`, CuPy by `ptr`. The default stream is
        number 0."""
        self.stream = stream
        number = getattr(stream, "cuda_stream", getattr(stream, "ptr", stream)) or 0
        if not isinstance(number, int):
            raise BadOption("stream", f"is one of PyTorch or CuPy, or its address, not {stream!r}.")
        self.queue: Any = self.cuda.external_stream(number) if number else 0

    def _run(self, kernel: Any, *arguments: Any) -> None:
        """With a thread for each match."""
        kernel[(self.count + BLOCK - 1) // BLOCK, BLOCK, self.queue](*arguments)

    def _play(self, first: int, end: int, beginning: int) -> None:
        mine = self.arrays
        blocks = min((end - first + BLOCK - 1) // BLOCK, self.most_blocks)
        play = self.kernels.play[blocks, BLOCK, self.queue]
        clear(mine.observations[first:end], self.queue)
        clear(self.undealt[:1], self.queue)
        for which in ((first, end, beginning), (0, 0, self.kernels.GO_ON)):
            play(*which, self.undealt, self.settings, mine, self.log)
        if not is_near(self.game):
            self.look(first, end, mine.seats, mine.observations)

    def look(self, first: int, end: int, viewers: Any, out: Any) -> None:
        """What some seats see, in rows that are cleared."""
        blocks = (end - first + BLOCK - 1) // BLOCK
        self.kernels.look[blocks, BLOCK, self.queue](first, end, self.arrays.records, viewers, out)

    def _fetched(self, array: Any) -> Any:
        """A copy on this machine, when all work so far is done."""
        here = array.copy_to_host(stream=self.queue)
        if self.queue:
            self.queue.synchronize()
        return here

    def start(self) -> None:
        self._play(0, self.count, self.kernels.START)

    def advance(self) -> None:
        self._play(0, self.count, self.kernels.STEP)

    def take(self, actions: Any, check: bool) -> None:
        """Writes down what is chosen, if it is whole numbers, one for each match. They may be in
        the memory of the GPU, or of this machine. Who does not want to wait (no `check`) has them
        ready on this stream."""
        there = hasattr(actions, "__cuda_array_interface__")
        actions = self.cuda.as_cuda_array(actions, check) if there else np.asarray(actions)
        check_actions(actions, self.arrays.chosen)
        if not there:
            actions = self.cuda.to_device(np.ascontiguousarray(actions), self.queue)
        self._run(self.kernels.choose, actions, self.arrays.chosen)

    def find_illegal(self) -> int:
        mine = self.arrays
        which = (mine.deciding, mine.counts, mine.choices, mine.chosen, self.illegal)
        self._run(self.kernels.find_illegal, *which)
        first = int(self._fetched(self.illegal)[0])
        if first == self.count:
            return NOBODY
        self.illegal.copy_to_device(np.full(1, self.count, np.int64), self.queue)
        return first

    def observe(self, viewers: Any) -> Any:
        out = shared(self.cuda.device_array_like(self.arrays.observations))
        viewers = self.cuda.to_device(viewers.astype(np.int8), self.queue)
        clear(out, self.queue)
        self.look(0, self.count, viewers, out)
        return out

    def advise(self) -> Any:
        """Always in the same array: what is allocated while a CUDA graph is captured is lost."""
        which = (self.settings, self.arrays, self.rngs, self.advice, self.log)
        self._run(self.kernels.advise, *which)
        return self.advice

    def rewind(self) -> None:
        self.rngs.copy_to_device(generators(self.count), self.queue)

    def put(self, number: int, record: Record) -> None:
        array = np.zeros(1, self.game.rules.RECORD)
        array[0] = record
        self.arrays.records[number : number + 1].copy_to_device(array, self.queue)
        self._play(number, number + 1, self.kernels.TAKE_UP)

    def _parts(self) -> dict[str, Any]:
        """Everything that steps depend on."""
        settings = {"seed": self.settings.seed, "options": self.settings.options}
        return {**self.arrays._asdict(), **settings, "rngs": self.rngs}

    def state(self) -> dict[str, Any]:
        """On this machine."""
        return {name: self._fetched(part) for name, part in self._parts().items()}

    def write(self, name: str, content: Any) -> None:
        self._parts()[name].copy_to_device(content, self.queue)

    def record(self, number: int) -> Any:
        """A copy of a record, as an array of one."""
        there = self._fetched(self.arrays.records[number : number + 1])
        return np.frombuffer(bytearray(there.tobytes()), self.game.rules.RECORD)

    def row(self, name: str, number: int) -> Any:
        """What an array has of one match."""
        return self._fetched(getattr(self.arrays, name)[number : number + 1])[0]

    def told(self) -> Arrays:
        return self.arrays

    def copy(self) -> Gpu:
        here = Arrays(*map(self._fetched, self.arrays))
        seed, options = map(self._fetched, (self.settings.seed, self.settings.options))
        twin = Gpu(self.game, self.settings._replace(seed=seed, options=options), here)
        twin.use(self.stream)
        return twin
