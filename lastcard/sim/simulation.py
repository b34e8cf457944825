"""`lastcard.simulate`: any number of matches, as an Arrow table or as Parquet files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from lastcard.errors import BadOption
from lastcard.kernel.texts import show

from .plans import MATCH, Parts, Plan, check_number, need, plan

CPU, RAY, CUDA = MACHINES = ("cpu", "ray", "cuda")


@dataclass(frozen=True)
class Progress:
    """How far a simulation is."""

    done: int  # matches
    matches: int


Told: TypeAlias = Callable[[Progress], None]


def simulate(
    game: str,
    matches: int,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    bots: str | Sequence[str] = "random",
    seed: int = 1,
    on: str = CPU,
    rows: str = MATCH,
    *,
    hidden: bool = False,
    ruling: str = "",
    workers: int | None = None,
    part: int | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    progress: Told | None = None,
) -> Any:
    """Plays matches; a row for each match, round or decision, in an Arrow table.

    The same arguments give the same rows, whatever the workers and the machine. `bots` are names,
    by seat, and the last one takes all remaining seats. With `hidden` decisions come with the
    seat's hidden record instead of its observation. A `ruling` is one of the game's other rulings,
    to be played instead of ours. A part is that many matches.

    With `out` rows go to Parquet files in that folder, and the path of these is returned. Whoever
    stops it keeps the parts that are whole, and `resume` goes on from there.
    """
    need("pyarrow", "sim")
    found = plan(game, matches, players, options, bots, seed, rows, hidden, part, ruling)
    if out is not None:
        return write(found, out, on, workers, resume, progress)
    if resume:
        raise BadOption("resume", "goes on in a folder: say which one it is by `out`.")
    import pyarrow as pa

    from .tables import schema_of

    with closing(run(found, range(found.parts), on, workers, False, progress)) as parts:
        made = dict(parts)
    head = schema_of(found).metadata
    return pa.concat_tables([made[i].replace_schema_metadata(head) for i in sorted(made)])


def write(
    plan: Plan,
    out: str | Path,
    on: str = CPU,
    workers: int | None = None,
    resume: bool = False,
    progress: Told | None = None,
) -> Path:
    """Writes the files of a plan that are missing; returns the path of the folder they are in."""
    need("pyarrow", "sim")
    from .folders import Folder

    parts_of(plan, on, workers)  # raises if that cannot be done here
    folder = Folder(out, plan)
    done = folder.open(resume)
    missing = [part for part in range(plan.parts) if part not in done]
    try:
        with closing(run(plan, missing, on, workers, True, progress)) as parts:
            for part, content in parts:
                done.add(part)
                folder.add(part, content, len(done))
    finally:
        folder.close()
    return folder.path


def run(
    plan: Plan,
    parts: Sequence[int],
    on: str,
    workers: int | None,
    as_file: bool,
    progress: Told | None = None,
) -> Parts:
    """The parts of a plan as they are made, in any order: tables, or the bytes of files. Whoever
    closes it early stops the work."""
    left = sum(len(plan.numbers(part)) for part in parts)
    done = plan.matches - left
    with closing(parts_of(plan, on, workers)(plan, parts, as_file)) as coming:
        for part, made in coming:
            yield part, made
            done += len(plan.numbers(part))
            if progress:
                progress(Progress(done, plan.matches))


def parts_of(plan: Plan, on: str, workers: int | None) -> Callable[..., Parts]:
    """What plays the parts of a plan on a kind of machine, or a sentence about what is missing."""
    if on not in MACHINES:
        raise BadOption("on", f"is {CPU}, {RAY} or {CUDA}, not {show(on)}.")
    if workers is not None:
        check_number("workers", workers, 1, None)
    if on == RAY:
        need("ray", "ray")
        from .cluster import on_ray

        return partial(on_ray, workers=workers)
    if on == CUDA:
        if workers is not None:
            raise BadOption("workers", "are for cpu and ray; a GPU plays a whole part at a time.")
        from .gpu import check, on_cuda

        check(plan)
        return on_cuda
    from .running import on_cpu

    return partial(on_cpu, workers=workers)
