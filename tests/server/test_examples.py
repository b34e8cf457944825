"""examples/bot.py joins a table by its link, and plays."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.server.asking import opened
from tests.server.client import Server

BOT = Path(__file__).parents[2] / "examples" / "bot.py"


def start(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, str(BOT), *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_two_bots_play_a_match(tmp_path: Path) -> None:
    with Server(f"sqlite:///{tmp_path / 'tables.db'}") as server:
        ann = opened(server, options={"target": 1})
        bots = [start(ann["own_link"]), start(ann["link"], "--name", "Robin")]
        said = [bot.communicate(timeout=90) for bot in bots]
        assert [bot.returncode for bot in bots] == [0, 0], said
        assert all("The match is over. Won by" in out for out, _ in said)
        late = start(ann["link"])
        assert "no free seat" in late.communicate(timeout=30)[1]
    nowhere = start("not a link")
    assert "is not the link of a table" in nowhere.communicate(timeout=30)[1]
