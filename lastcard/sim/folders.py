"""A folder of Parquet files, in Hive's way: `game=taki/players=3/part-00000.parquet`.

A part is written under another name first and then renamed, so a file that is there is whole, and
whoever goes on later plays only what is missing.
"""

from __future__ import annotations

import errno
import json
import os
import platform
import re
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from lastcard.errors import BadFile

from .cards import card_of
from .limits import limit_of
from .plans import Plan
from .tables import PART

# Names that begin with "_" are no data: readers of Hive's folders pass over them.
PLAN = "_plan.json"
CARD = "_card.md"
UNFINISHED = "_unfinished"
PARTS = re.compile(r"part-(\d+)\.parquet")
FULL = (errno.ENOSPC, errno.EDQUOT)  # the disk, or one's share of it
UNITS = ("bytes", "KB", "MB", "GB", "TB")
SPARE = 1 << 20  # bytes that are left on the disk


class Folder:
    """Where the parts of one plan are kept."""

    def __init__(self, out: str | Path, plan: Plan) -> None:
        self.out = Path(out)
        self.plan = plan
        self.path = self.out / f"game={plan.game}" / f"players={plan.players}"

    def open(self, resume: bool) -> set[int]:
        """Makes sure that it can be written and holds no other plan; the parts that are there."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            for left in self.path.glob(f"{UNFINISHED}.*"):
                if not _under_way(left.name):
                    left.unlink(missing_ok=True)
            with tempfile.TemporaryFile(dir=self.path):
                pass
        except OSError as error:
            raise BadFile(f"{self.path} cannot be written: {error.strerror}.") from None
        done = self._done()
        before = self._plan()
        if before is None and done:
            raise BadFile(f"{self.path} holds files that belong to no plan; choose another folder.")
        if before is not None:
            self._check(before, resume, len(done))
        self._write(PLAN, (json.dumps(self.plan.facts(), indent=1) + "\n").encode())
        self._tell(done)
        return done

    def _check(self, before: dict[str, Any], resume: bool, parts: int) -> None:
        ours = self.plan.facts()
        other = [name for name in ours if before.get(name) != ours[name]]
        if other:
            told = ", ".join(f"{name} {before.get(name)}" for name in other)
            raise BadFile(f"{self.path} holds another plan ({told}); choose another folder.")
        if not resume:
            raise BadFile(
                f"{self.path} already holds {parts} of {self.plan.parts} parts of this plan; "
                "--resume goes on from there."
            )

    def add(self, part: int, content: bytes, done: int) -> None:
        """Writes a part; or says, while there still is room, that the rest will not fit."""
        self._write(self._file(part).name, content)
        left = (self.plan.parts - done) * len(content)
        free = shutil.disk_usage(self.path).free
        if left > free - SPARE:
            raise BadFile(
                f"{self.path}: the rest needs about {size(left)}, and {size(free)} are free. "
                f"{done} of {self.plan.parts} parts are kept; --resume goes on from there."
            )

    def close(self) -> None:
        """Says in the data card how far it came."""
        self._tell(self._done())

    def _tell(self, done: set[int]) -> None:
        self._write(CARD, card_of(self.plan, self._written(done), self._capped(done)).encode())

    def _capped(self, done: set[int]) -> int | None:
        """How many of the matches that are there only the limit of rounds has ended; None if there
        is no limit."""
        if limit_of(self.plan.rules, dict(self.plan.options)) is None:
            return None
        heads = [pq.read_metadata(self._file(part)).metadata or {} for part in sorted(done)]
        return sum(json.loads(head[PART])["capped"] for head in heads)

    def _file(self, part: int) -> Path:
        return self.path / f"part-{part:05}.parquet"

    def _written(self, done: set[int]) -> int:
        return sum(len(self.plan.numbers(part)) for part in done)

    def _done(self) -> set[int]:
        try:
            found = [PARTS.fullmatch(name) for name in os.listdir(self.path)]
        except OSError as error:
            raise BadFile(f"{self.path} cannot be read: {error.strerror}.") from None
        return {int(one[1]) for one in found if one}

    def _plan(self) -> dict[str, Any] | None:
        try:
            return json.loads((self.path / PLAN).read_bytes())
        except FileNotFoundError:
            return None
        except ValueError:
            raise BadFile(f"{self.path / PLAN} cannot be read; choose another folder.") from None

    def _write(self, name: str, content: bytes) -> None:
        beginning = self.path / _unfinished()
        try:
            with beginning.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            beginning.replace(self.path / name)
        except OSError as error:
            with suppress(OSError):
                beginning.unlink(missing_ok=True)
            if error.errno in FULL:
                raise BadFile(
                    f"{self.path}: the disk is full. Whole parts are kept; with more room, "
                    "--resume goes on from there."
                ) from None
            raise BadFile(
                f"{self.path / name} cannot be written: {error.strerror}. Parts that are there "
                "are whole, and --resume goes on from them."
            ) from None


def _unfinished() -> str:
    """What a file is called while this process writes it."""
    return f"{UNFINISHED}.{os.getpid()}.{platform.node()}"


def _under_way(name: str) -> bool:
    """Whether somebody may still be writing a file: a process that runs here, or one elsewhere."""
    _, process, machine = [*name.split(".", 2), "", ""][:3]
    if machine != platform.node() or not process.isdecimal():
        return bool(machine)
    try:
        os.kill(int(process), 0)
    except PermissionError:  # somebody else's process
        return True
    except (ProcessLookupError, OverflowError):
        return False
    return True


def size(count: float) -> str:
    """A number of bytes for people."""
    power = 0
    while count >= 1000 and power < len(UNITS) - 1:
        count, power = count / 1000, power + 1
    return f"{count:.3g} {UNITS[power]}"
