"""What stands between the server and the real world, replaced: clocks, luck, threads, the disk."""

from __future__ import annotations

import contextlib
import gc
import random
import time
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any
from unittest import mock

from lastcard.bots import bot
from lastcard.bots.search import CAREFUL, Budget, SearchBot, loading
from lastcard.bots.simple import EasyBot, NormalBot
from lastcard.core.game import Game
from lastcard.core.registry import game as find
from lastcard.core.registry import games
from lastcard.server import app, limits, socket
from lastcard.server.files import Files
from lastcard.table import clock, house, load, sqlite, store, thinking, warmup
from tests.deals import deciding_alike

from . import storage
from .loop import OWNER
from .process import Process

if TYPE_CHECKING:
    from .world import World

PLAYOUTS = 10  # of a hint
LOOKS_AT_LOAD = 0.25  # seconds between two; at the usual twentieth they were a third of all steps


class Slow(NormalBot):
    """In place of bots that search, whose choices depend on the clock: thinks in a thread, too."""

    thinks = True


class Luck:
    """In place of `secrets` and `os`, where they give random numbers."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def token_urlsafe(self, size: int) -> str:
        text = f"{self._rng.getrandbits(8 * size):0{2 * size}x}"
        return text[: -(-size * 4 // 3)]

    def urandom(self, size: int) -> bytes:
        return self._rng.randbytes(size)

    def new_secret(self) -> str:
        return f"{self._rng.getrandbits(256):064x}"


@cache
def everything_loaded() -> Files:
    """What the server loads in threads is loaded now, once."""
    for id in games():
        warmup._warm(find(id))
        loading(find(id)).thread.join()
    files = Files()
    gc.collect()
    gc.freeze()  # or each world would look through all of it
    return files


def _process() -> Process | None:
    owner = OWNER.get()
    return owner if isinstance(owner, Process) else None


@contextlib.contextmanager
def installed(world: World) -> Iterator[None]:
    files, luck = everything_loaded(), Luck(random.Random(f"{world.plan.seed} luck"))

    def monotonic() -> float:
        process = _process()
        return world.loop.now + (process.began if process else world.epoch)

    def wall() -> float:
        process = _process()
        return world.loop.now + (process.wall if process else world.epoch)

    def lend(level: str, game: Game) -> Any:
        return Slow(game, 1) if level == "master" else bot(level, game, 1)

    def adviser(game: Game) -> SearchBot:
        return SearchBot(game, 1, Budget(playouts=PLAYOUTS), doubt=CAREFUL)

    async def open_database(address: str) -> Any:
        process = _process()
        assert process is not None
        return world.database_of(process)

    def connect(path: Any) -> Any:
        process = _process()
        assert process is not None
        return storage.connect(world, process, path)

    numbers = iter(range(1 << 30))

    def number_of(one: socket.Socket) -> int:
        if "_number" not in one.__dict__:
            one.__dict__["_number"] = next(numbers)
        return int(one.__dict__["_number"])

    replaced: list[tuple[Any, str, Any]] = [
        (time, "time", wall),
        (time, "monotonic", monotonic),
        (time, "perf_counter", monotonic),
        (clock, "_BEGAN", 0.0),
        (load, "EVERY", LOOKS_AT_LOAD),
        (limits.Buckets.__init__, "__defaults__", (monotonic,)),
        (limits.Spacing.__init__, "__defaults__", (monotonic,)),
        (app, "Files", lambda: files),
        (house, "secrets", luck),
        (house, "new_secret", luck.new_secret),
        (store, "os", luck),
        (store, "open_database", open_database),
        (sqlite, "connect", connect),
        (warmup, "_warm", lambda game: None),
        (thinking, "bot", lend),
        (thinking, "adviser", adviser),
        (socket.Socket, "__hash__", number_of),
        *((kind, "decide", deciding_alike(kind.decide)) for kind in (EasyBot, NormalBot)),
    ]
    with contextlib.ExitStack() as stack:
        for where, name, new in replaced:
            stack.enter_context(mock.patch.object(where, name, new))
        yield
