"""Starting and stopping."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.sync.client import connect

from lastcard.cli import main
from tests.server.asking import play_moves, two_at_a_table
from tests.server.client import READY, Player, Server, fetch
from tests.server.wire import PATIENCE, TABLE_FOR_THREE, status_of


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Somebody else writes into the database, and does not come to an end."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("BEGIN IMMEDIATE")
        yield


def an_hour_passes(path: Path) -> None:
    """While no server runs."""
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE entries SET at = at - 3600")
        database.execute("DELETE FROM starts")  # which the entries lead to again


def serve(*options: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "lastcard.cli", "serve", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stderr


def test_a_server_stops_also_when_the_database_is_locked(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    with Server(f"sqlite:///{path}") as server, contextlib.ExitStack() as stack:
        seats = [server.request("POST", "/api/tables", TABLE_FOR_THREE)[1] for _ in range(2)]
        stack.enter_context(locked(path))
        at = f"{server.url.replace('http', 'ws')}/api/tables"
        for seat in seats:  # the second entry is written after the first
            one = stack.enter_context(connect(f"{at}/{seat['table']}/live"))
            one.send(json.dumps({"type": "hello", "token": seat["token"]}))
            one.recv(timeout=PATIENCE)
            one.send('{"type": "fill", "level": "easy"}')
            one.send('{"type": "ping", "id": "0"}')
        assert server.terminate() == 1
        assert "stopped before all was written" in server.log


def test_who_is_behind_a_proxy_counts_himself(tmp_path: Path) -> None:
    limits = ("--requests-per-second", "1")
    for proxy, believed in ((("--public-url", "http://cards.example"), True), ((), False)):
        with Server(f"sqlite:///{tmp_path / 'tables.db'}", *limits, *proxy) as server:
            statuses = [
                status_of(server.url, "/api/games", "localhost", f"X-Forwarded-For: 10.0.0.{one}")
                for one in range(30)
            ]
        assert (429 not in statuses) == believed


def test_sigterm_finishes_what_is_acknowledged(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    with Server(database) as server:
        tables = [two_at_a_table(server, game="taki") for _ in range(5)]
        acknowledged: list[dict[int, str]] = [{} for _ in tables]

        async def main() -> None:
            async def one(number: int) -> None:
                id, tokens = tables[number]
                players = [Player(server.url, id, token) for token in tokens]
                async with players[0], players[1]:
                    while True:
                        acknowledged[number] |= await play_moves(players, 1)

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


def test_nobody_is_refused_during_a_restart(tmp_path: Path) -> None:
    """With a socket that somebody else keeps open. And no clock runs out."""
    path = tmp_path / "tables.db"
    with (
        socket.create_server(("127.0.0.1", 0)) as listening,
        Server(f"sqlite:///{path}", listening=listening) as server,
    ):
        id, tokens = two_at_a_table(server, clock=600)

        async def main() -> None:
            players = [Player(server.url, id, token) for token in tokens]
            async with players[0], players[1]:
                before = await play_moves(players, 4)
                assert await asyncio.to_thread(server.terminate) == 0
                an_hour_passes(path)
                early = asyncio.to_thread(fetch, "GET", f"{server.url}/live")  # before it is there
                status, _ = (await asyncio.gather(early, asyncio.to_thread(server.start)))[0]
                assert status == 200
                after = await play_moves(players, 4)
                assert min(after) > max(before)
                assert ConnectionRefusedError not in {type(player.trouble) for player in players}

        asyncio.run(main())
        steps = f"/api/tables/{id}/matches/1/steps?seat=0"
        _, found = server.request("GET", steps, token=tokens[0])
        assert {step["by"] for step in found["steps"]} == {None, "player"}


def test_no_clock_runs_while_a_server_that_was_killed_is_not_back(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    with Server(f"sqlite:///{path}") as server:
        id, tokens = two_at_a_table(server, clock=600, options={"opener": 0})
        server.kill()
        an_hour_passes(path)
        server.start()

        async def main() -> None:
            async with Player(server.url, id, tokens[1]) as ben:
                assert ben.table["seconds"] == 600  # of Ann, who could not move, and is not back
                async with Player(server.url, id, tokens[0]) as ann:
                    assert await play_moves([ann, ben], 2)

        asyncio.run(main())
        steps = f"/api/tables/{id}/matches/1/steps?seat=0"
        _, found = server.request("GET", steps, token=tokens[0])
        assert {step["by"] for step in found["steps"]} == {None, "player"}


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


def test_a_default_installation_serves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without what only large servers need."""
    for package in ("asyncpg", "uvloop"):
        missing = f"raise ModuleNotFoundError('not installed', name='{package}')"
        (tmp_path / f"{package}.py").write_text(missing)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    loop = "from lastcard.server.gate import Loop; print(Loop.__mro__)"
    shown = subprocess.run([sys.executable, "-c", loop], capture_output=True, text=True, check=True)
    assert "asyncio" in shown.stdout and "uvloop" not in shown.stdout
    with Server(f"sqlite:///{tmp_path / 'tables.db'}") as server:
        id, tokens = two_at_a_table(server)

        async def main() -> None:
            ann, ben = (Player(server.url, id, token) for token in tokens)
            async with ann, ben:
                assert len(await play_moves([ann, ben], 10)) == 10

        asyncio.run(main())
        assert server.terminate() == 0
    code, said = serve("--port", "0", "--database", "postgresql://ann@127.0.0.1/cards")
    assert code == 2 and "pip install 'lastcard[postgres]'" in " ".join(said.split())
    assert "Traceback" not in said
