"""Where built libraries lie, for which machines, and from which sources they were made."""

from __future__ import annotations

import json
import platform
import sys
from functools import cache
from pathlib import Path
from typing import Any

from lastcard.kernel.compiling import KERNEL, digest_of

PACKAGE = KERNEL.parent
MANIFEST = "engine.json"
WASM = "engine.wasm"
# What is compiled into a game's library besides the kernel and the game.
TEMPLATES = (
    "bots/chance.py",
    "bots/network.py",
    "bots/playouts.py",
    "core/sheets.py",
    "core/telling.py",
    "sim/deciding.py",
    "sim/recording.py",
    "sim/selfplay.py",
    "sim/stepping.py",
)
# What it is compiled by.
BUILDER = "building"
# Of a game's modules.
NOT_COMPILED = ("habits.py", "levels.py", "reduced.py", "study.py", "terminal.py")

MACHINES = {"x86_64": "x86_64", "amd64": "x86_64", "aarch64": "aarch64", "arm64": "aarch64"}
NEWER = "x86_64_v3"  # machines since about 2015
# What these have, as Linux calls it.
NEEDED_BY_NEWER = {"avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"}
CPU_FACTS = Path("/proc/cpuinfo")


def folder_of(game: Path) -> Path:
    """Where the libraries of a game lie, beside its sources."""
    return game / "engine"


def library_name(machine: str) -> str:
    return f"engine.{machine}.so"


def library_for(folder: Path) -> tuple[Path | None, str]:
    """The library for this machine, or a sentence that says why there is none."""
    machine = MACHINES.get(platform.machine().lower())
    if sys.platform != "linux" or machine is None or sys.byteorder != "little":
        return None, f"Nothing is built for {platform.system()} on {platform.machine()}."
    names = [machine] if machine != MACHINES["x86_64"] or not _is_newer() else [NEWER, machine]
    for path in (folder / library_name(name) for name in names):
        if path.is_file():
            return path, ""
    return None, f"{library_name(machine)} is missing."


@cache
def _is_newer() -> bool:
    try:
        facts = CPU_FACTS.read_text()
    except OSError:
        return False
    flags = next((line for line in facts.splitlines() if line.startswith("flags")), "")
    return set(flags.split()) >= NEEDED_BY_NEWER


def manifest_of(folder: Path) -> dict[str, Any] | None:
    try:
        return json.loads((folder / MANIFEST).read_bytes())
    except (OSError, ValueError):
        return None


def state_of(game: Path) -> str:
    """Changes whenever a source does that goes into the library of a game."""
    return digest_of(*sources_of(game))


def sources_of(game: Path) -> list[Path]:
    modules = [file for file in game.glob("*.py") if file.name not in NOT_COMPILED]
    templates = [PACKAGE / name for name in TEMPLATES]
    return [*sorted(KERNEL.glob("*.py")), *templates, *_builder(), *sorted(modules)]


def _builder() -> list[Path]:
    return sorted((PACKAGE / BUILDER).glob("*.py"))
