"""Health and metrics."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import sqlite3
from pathlib import Path

import pytest

from tests.server.asking import play_moves, two_at_a_table
from tests.server.client import Player, Refused, Server, fetch
from tests.server.wire import wait_for


def test_a_server_that_cannot_write_is_not_ready(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    with Server(f"sqlite:///{path}") as server:
        with contextlib.closing(sqlite3.connect(path)) as database:
            full = "BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END"
            database.execute(f"CREATE TRIGGER full BEFORE UPDATE ON health {full}")
            database.commit()
            wait_for(lambda: fetch("GET", f"{server.url}/ready")[0] == 503)
            database.execute("DROP TRIGGER full")
            database.commit()
        wait_for(lambda: fetch("GET", f"{server.url}/ready")[0] == 200)


def test_health_metrics_and_logs_without_secrets(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    with Server(database, "--log-level", "debug") as server:
        id, tokens = two_at_a_table(server, seed="anns seed")

        async def main() -> None:
            ann, ben = (Player(server.url, id, token) for token in tokens)
            async with ann, ben:
                await play_moves([ann, ben], 5)
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
