"""Builds games, each in a process of its own: the compiler is set up before it is imported."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from lastcard.engine import ENGINE, JIT, has_numba
from lastcard.engine.places import folder_of
from lastcard.errors import CannotBuild

LINKERS = ("ld.lld", "wasm-ld")
# Numba's code is wanted as it comes, for any machine: LLVM optimises all of a game as a whole.
UNOPTIMISED = {
    "NUMBA_OPT": "0",
    "NUMBA_LOOP_VECTORIZE": "0",
    "NUMBA_SLP_VECTORIZE": "0",
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "",
}


def missing_tools() -> str:
    """What has to be installed before anything can be built, as a sentence, or nothing."""
    if not has_numba():
        return "Building needs Numba: pip install 'lastcard[jit]'."
    if not all(map(shutil.which, LINKERS)):
        return "Building needs LLVM's linker: apt-get install lld."
    return ""


def build(id: str, game: Path, out: Path | None = None) -> Path:
    """Builds a game into its folder, or another one; returns where."""
    folder = out or folder_of(game)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="lastcard-build-") as scratch:
        environment = {
            **os.environ,
            **UNOPTIMISED,
            ENGINE: JIT,
            "NUMBA_CACHE_DIR": scratch,  # code compiled this way must not be found by others
            "PYTHONHASHSEED": "0",  # the same bytes every time
        }
        done = subprocess.run(
            [sys.executable, "-m", "lastcard.building.process", id, scratch],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode:
            raise CannotBuild(f"{id} cannot be built:\n{done.stdout}")
        for file in sorted(Path(scratch, "built").iterdir()):
            shutil.copyfile(file, folder / file.name)
    return folder
