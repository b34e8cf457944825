"""How long people wait before they can play, with nothing cached, and how much is installed.

usage: .venv/bin/python bench/start.py [--repeats 3] [--clone] [--before REVISION]

Every process gets an empty folder for caches and data. Times are from the start of the process: of
`lastcard serve` until the lobby is answered, and until the first card can be played at a table that
was just made; of `lastcard play` until its prompt. A hint is timed from asking. With --clone also
from `make play` in a fresh clone until the lobby is answered, and what that installs; with --before
the same of an earlier revision.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
import pexpect
from websockets.asyncio.client import connect

sys.path.insert(0, str(Path(__file__).parent.parent))

from lastcard.core.registry import game, games
from tests.postgres import free_port

ROOT = Path(__file__).parent.parent
LASTCARD = [sys.executable, "-m", "lastcard.cli"]
LOOK = 0.005  # seconds
PATIENCE = 300.0
TOOLS = ("pip", "setuptools", "pkg_resources", "_distutils_hack")  # of the environment itself


def alone(folder: str) -> dict[str, str]:
    """An environment in which nothing has been cached."""
    return {
        **os.environ,
        "XDG_CACHE_HOME": f"{folder}/cache",
        "XDG_DATA_HOME": f"{folder}/data",
        "BROWSER": "true",
        "PYTHONPATH": "",
    }


@contextmanager
def serving(command: list[str], folder: str, cwd: Path = ROOT) -> Iterator[float]:
    """Runs a server; gives the moment of its start."""
    started = time.perf_counter()
    process = subprocess.Popen(
        command,
        cwd=cwd,
        env=alone(folder),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield started
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def answered(url: str) -> bytes:
    """Asks again and again until there is an answer."""
    deadline = time.perf_counter() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
                return bytes(answer.read())
        except (OSError, urllib.error.URLError):
            if time.perf_counter() > deadline:
                raise
            time.sleep(LOOK)


async def first_card(port: int, id: str) -> tuple[float, float]:
    """Makes a table and waits for one's turn, then asks for a hint: when the first card could be
    played, and how long the hint took."""
    first = {"opener": 0} if any(one.name == "opener" for one in game(id).options) else {}
    body = {"game": id, "players": 2, "options": first, "bots": ["normal"], "name": "Ada"}
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/tables",
        msgspec.json.encode(body),
        {"content-type": "application/json"},
    )
    made = msgspec.json.decode(urllib.request.urlopen(request).read())
    async with connect(f"ws://127.0.0.1:{port}/api/tables/{made['table']}/live") as socket:
        await socket.send(msgspec.json.encode({"type": "hello", "token": made["token"]}).decode())
        view: dict[str, object] = {}
        while not view.get("legal"):
            message = msgspec.json.decode(await socket.recv())
            match = message.get("match") or {}
            view |= match.get("view") or message.get("changes") or {}
        playable = time.perf_counter()
        await socket.send(msgspec.json.encode({"type": "hint", "id": "1"}).decode())
        while message.get("type") != "hint":
            message = msgspec.json.decode(await socket.recv())
            if message.get("type") == "error":
                raise SystemExit(f"no hint: {message}")
        return playable, time.perf_counter() - playable


def live_table(id: str) -> tuple[float, float, float]:
    """Seconds to the lobby, to the first card, and for the first hint."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        command = [*LASTCARD, "serve", "--port", str(port)]
        with serving(command, folder) as started:
            answered(f"http://127.0.0.1:{port}/")
            lobby = time.perf_counter() - started
            playable, hint = asyncio.run(first_card(port, id))
            return lobby, playable - started, hint


def prompt(id: str) -> float:
    """Seconds from `lastcard play` to its prompt."""
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        command = [*LASTCARD, "play", id, "--seed", "1"]
        child = pexpect.spawn(command[0], command[1:], env=alone(folder), timeout=PATIENCE)
        child.expect("You >")
        passed = time.perf_counter() - started
        child.close(force=True)
        return passed


def clone(revision: str) -> tuple[float, float]:
    """Seconds from `make play` in a fresh clone to the lobby, and megabytes installed."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder) / "lastcard"
        subprocess.run(["git", "clone", "-q", ROOT, fresh], check=True)
        subprocess.run(["git", "checkout", "-q", revision], cwd=fresh, check=True)
        with serving(["make", "play", f"ARGS=--port {port}"], folder, fresh) as started:
            answered(f"http://127.0.0.1:{port}/")
            passed = time.perf_counter() - started
        (installed,) = (fresh / ".venv" / "lib").glob("python*/site-packages")
        files = (file for file in installed.rglob("*") if file.is_file())
        size = sum(
            file.stat().st_size
            for file in files
            if not file.relative_to(installed).parts[0].startswith(TOOLS)
            and "__pycache__" not in file.parts
        )
        return passed, size / 1e6


def report(what: str, seconds: list[float]) -> None:
    print(f"{what:44} {statistics.median(seconds):6.2f} s  (worst {max(seconds):.2f})", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--clone", action="store_true", help="also measure make play")
    parser.add_argument("--before", default="", help="and that of an earlier revision")
    arguments = parser.parse_args()
    lobbies: list[float] = []
    for id in games():
        rows = [live_table(id) for _ in range(arguments.repeats)]
        lobbies += [row[0] for row in rows]
        report(f"{game(id).title}: first card at a live table", [row[1] for row in rows])
        report(f"{game(id).title}: first hint", [row[2] for row in rows])
    report("lobby", lobbies)
    for id in games():
        report(f"lastcard play {id}, to its prompt", [prompt(id) for _ in range(arguments.repeats)])
    for revision in (arguments.before, "HEAD" if arguments.clone else ""):
        if revision:
            passed, size = clone(revision)
            print(f"{revision}: make play, from a fresh clone to the lobby: {passed:.1f} s")
            print(f"{revision}: installed besides pip: {size:.0f} MB")


if __name__ == "__main__":
    main()
