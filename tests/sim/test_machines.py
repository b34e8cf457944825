"""The same rows from a cluster that loses a machine, and from a GPU, as from a CPU."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import lastcard
from lastcard.errors import BadOption
from lastcard.sim.cluster import _task as cluster_task
from lastcard.sim.plans import plan
from tests.sim import cluster

ROOT = Path(__file__).parents[2]


def run(*command: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5_000:] + done.stderr[-5_000:]
    return done.stdout


def files_in(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


ON_RAY = """
import sys, lastcard
lastcard.simulate("chiko", 50, 3, bots="policy,random", part=20, on="ray", out=sys.argv[1])
"""


@pytest.mark.thorough
def test_ray_writes_the_same_bytes(tmp_path: Path) -> None:
    run("-c", ON_RAY, str(tmp_path / "ray"))
    lastcard.simulate("chiko", 50, 3, bots="policy,random", part=20, out=tmp_path / "cpu")
    assert files_in(tmp_path / "ray") == files_in(tmp_path / "cpu")
    assert len(files_in(tmp_path / "ray")) == 3 + 2


@pytest.mark.thorough
def test_a_cluster_writes_the_same_bytes_even_if_a_machine_is_lost(tmp_path: Path) -> None:
    told = run("-m", "tests.sim.cluster", str(tmp_path / "ray"))
    assert "1 machine is left" in told, told[-2_000:]
    lastcard.simulate("chiko", cluster.MATCHES, **cluster.PLAN, out=tmp_path / "cpu")
    assert files_in(tmp_path / "ray") == files_in(tmp_path / "cpu")


ON_BOTH = """
import lastcard
for rows, hidden in (("match", False), ("round", False), ("decision", False), ("decision", True)):
    for bots in ("random", "random,policy"):
        given = dict(matches=5, players=2, bots=bots, rows=rows, hidden=hidden, seed=3, part=3)
        cpu, gpu = (lastcard.simulate("chiko", **given, on=on) for on in ("cpu", "cuda"))
        assert cpu == gpu and cpu.num_rows >= 5, rows
for game in ("taki", "chichiko"):
    given = dict(matches=2, players=2, bots="random,policy", rows="decision", seed=3)
    cpu, gpu = (lastcard.simulate(game, **given, on=on) for on in ("cpu", "cuda"))
    assert cpu == gpu and cpu.num_rows > 100, game
"""


def test_a_gpu_writes_the_same_rows() -> None:
    """On Numba's simulator of a GPU, which runs the same functions thread by thread."""
    run("-c", ON_BOTH, NUMBA_ENABLE_CUDASIM="1")


def test_what_a_gpu_cannot_do_is_said() -> None:
    with pytest.raises(BadOption, match="bots: on cuda are random or policy"):
        lastcard.simulate("chiko", 1, bots="search:10", on="cuda")
    with pytest.raises(BadOption, match="workers: are for cpu and ray"):
        lastcard.simulate("chiko", 1, on="cuda", workers=2)


@pytest.mark.skipif(Path("/dev/nvidiactl").exists(), reason="needs a machine without a GPU")
def test_without_a_gpu_people_are_told_what_is_missing() -> None:
    with pytest.raises(BadOption, match=r"on: cuda (needs|finds no)"):
        lastcard.simulate("chiko", 1, on="cuda")


def test_a_machine_with_another_lastcard_is_named() -> None:
    mine = plan("chiko", 2)
    assert cluster_task(mine, 0, False, mine.sources)[0] == 0
    for theirs, sources in ((replace(mine, version="0.0"), mine.sources), (mine, "others")):
        with pytest.raises(BadOption, match=r"a machine of the cluster, .* Install the same one"):
            cluster_task(theirs, 0, False, sources)


def test_without_ray_people_are_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(BadOption, match=r"pip install 'lastcard\[ray\]'"):
        lastcard.simulate("chiko", 1, on="ray")
