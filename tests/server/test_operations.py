"""What operators rely on: health, metrics, logs, stopping, starting."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from lastcard.cli import main
from lastcard.server import browser
from tests.server.client import READY, Lost, Player, Refused, Server, fetch
from tests.server.test_http import opened


def table(server: Server, **more: object) -> tuple[str, list[str]]:
    """A table for two, and the tokens."""
    first = opened(server, **more)
    status, second = server.request(
        "POST", f"/api/tables/{first['table']}/join", {"name": "Ben", "seed": "bens seed"}
    )
    assert status == 201
    return first["table"], [first["token"], second["token"]]


async def play(players: list[Player], moves: int) -> dict[int, str]:
    """Plays until so many moves are acknowledged, or the server is gone; version and id of each."""
    done: dict[int, str] = {}
    async with asyncio.timeout(60):
        while len(done) < moves:
            await asyncio.sleep(0.005)
            latest = max(player.version for player in players)
            for player in players:
                able = player.version == latest and player.seat in player.view["waiting"]
                if able and player.legal:
                    with suppress(Refused, Lost):
                        move = await player.move(player.legal[0])
                        assert move.led_to is not None
                        done[move.led_to] = move.id
                    break
    return done


def test_health_metrics_and_logs_without_secrets(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    with Server(database, "--log-level", "debug") as server:
        id, tokens = table(server, seed="anns seed")

        async def main() -> None:
            ann, ben = (Player(server.url, id, token) for token in tokens)
            async with ann, ben:
                await play([ann, ben], 5)
                with pytest.raises(Refused):
                    await ann.say("undo", version=1)

        asyncio.run(main())
        for path in ("/live", "/ready"):
            assert fetch("GET", server.url + path) == (200, b"ok")
        text = fetch("GET", f"{server.url}/metrics")[1].decode()
        counts = dict(re.findall(r"^(lastcard_\w+(?:\{[^}]*\})?) ([\d.e+-]+)$", text, re.MULTILINE))
        assert float(counts["lastcard_move_seconds_count"]) == 5
        assert float(counts["lastcard_moves_made"]) >= 5
        assert float(counts["lastcard_tables_opened"]) == 1
        assert float(counts['lastcard_refused_total{code="not_now"}']) == 1
        _, _ = server.request("GET", f"/api/tables/{id}/matches/1/steps?seat=0", token=tokens[0])
        assert server.terminate() == 0
        log = server.log
        lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
        routes = {line.get("route") for line in lines}
        assert "/api/tables/{table}/matches/{number}/steps" in routes
        for secret in (*tokens, "anns seed", "bens seed", "play ", '"hands"', id):
            assert secret not in log, secret
            assert secret not in text


def test_sigterm_finishes_what_is_acknowledged(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    with Server(database) as server:
        tables = [table(server, game="taki") for _ in range(5)]
        acknowledged: list[dict[int, str]] = [{} for _ in tables]

        async def main() -> None:
            async def one(number: int) -> None:
                id, tokens = tables[number]
                players = [Player(server.url, id, token) for token in tokens]
                async with players[0], players[1]:
                    while True:
                        acknowledged[number] |= await play(players, 1)

            tasks = [asyncio.create_task(one(number)) for number in range(len(tables))]
            async with asyncio.timeout(READY):
                while min(map(len, acknowledged)) < 3:
                    await asyncio.sleep(0.01)
            assert await asyncio.to_thread(server.terminate) == 0
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

        asyncio.run(main())
        server.start()
        for (id, _), moves in zip(tables, acknowledged, strict=True):
            _, steps = server.request("GET", f"/api/tables/{id}/matches/1/steps?count=1")
            assert max(moves) <= steps["of"]  # the first match: its versions begin with 1


def test_the_page_is_opened_once_the_server_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, program = tmp_path / "asked", tmp_path / "program"
    program.write_text(f'#!/bin/sh\necho "$1" > {asked}.part && mv {asked}.part {asked}\n')
    program.chmod(0o755)
    monkeypatch.setenv("BROWSER", str(program))
    with Server(f"sqlite:///{tmp_path / 'tables.db'}", "--open") as server:
        until = time.monotonic() + READY
        while not asked.exists() and time.monotonic() < until:
            time.sleep(0.05)
        assert asked.read_text().strip() == server.url
        first, second = server.log.splitlines()[:2]
        assert first == f"Last Card is at {server.url}"
        assert second.endswith("lastcard serve --host 0.0.0.0")


def test_without_a_browser_nothing_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in browser.SCREENS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    before = threading.active_count()
    browser.open_soon("http://127.0.0.1:1")
    assert threading.active_count() == before
    # One that is not there fails for itself.
    monkeypatch.setenv("BROWSER", "/no/such/browser")
    monkeypatch.setattr(browser, "_answers", lambda url: True)
    browser._open("http://127.0.0.1:1")


def serve(*options: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "lastcard.cli", "serve", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stderr


def test_a_server_that_cannot_start_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    with Server(database) as server:
        code, said = serve("--port", str(server.port), "--database", f"sqlite:///{tmp_path}/2.db")
        assert code == 2 and "cannot listen" in said
        code, said = serve("--port", "0", "--database", database)
        assert code == 2 and "in use by another server" in said
    for options, words in (
        (("--workers", "2", "--database", database), "several need PostgreSQL"),
        (("--database", "mysql://x/y"), "must be sqlite or postgresql"),
        (("--database", "postgresql://x@127.0.0.1:1/y"), "does not answer"),
        (("--log-level", "loud"), "debug, info, warning or error"),
    ):
        with pytest.raises(SystemExit) as ended:
            main(["serve", *options])
        said = " ".join(capsys.readouterr().err.split())
        assert ended.value.code == 2 and words in said and "Traceback" not in said, said
