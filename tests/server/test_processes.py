"""Several processes share one PostgreSQL database, and any of them serves any table."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg
import pytest

from tests.postgres import postgres
from tests.server.asking import play_moves, two_at_a_table
from tests.server.client import Player, Refused, Server, fetch
from tests.server.wire import wait_for


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with postgres() as url:
        yield url


async def until(players: list[Player], condition: object) -> None:
    assert callable(condition)
    async with asyncio.timeout(30):
        while not condition():
            await players[0].news(30)


def test_two_servers_one_table_and_one_of_them_dies(database: str) -> None:
    with Server(database) as one, Server(database) as two:
        id, tokens = two_at_a_table(one, game="taki", grace=None)

        async def main() -> None:
            ann = Player(one.url, id, tokens[0])
            ben = Player(two.url, id, tokens[1])
            async with ann, ben:
                # Everybody is here, wherever they are connected.
                for player in (ann, ben):
                    await until(
                        [player],
                        lambda player=player: all(s["here"] for s in player.table["seats"]),
                    )
                done = await play_moves([ann, ben], 12)
                assert len(done) == 12
                for player in (ann, ben):
                    await until([player], lambda p=player: p.version == max(done))
                # Agreement across processes.
                await ann.say("pause")
                await until([ben], lambda: ben.table["agreed"] == [0])
                await ben.say("pause")
                await until([ann], lambda: ann.table["status"] == "paused")
                await ann.say("resume")
                await until([ben], lambda: ben.table["status"] == "playing")
                two.kill()
                # Ben comes back by the other server; nothing acknowledged is lost.
                async with Player(one.url, id, tokens[1]) as again:
                    assert again.version == max(done)
                    more = await play_moves([ann, again], 6)
                    assert min(more) > max(done)

        asyncio.run(main())


@contextmanager
def no_more_files(server: Server) -> Iterator[None]:
    """A process may open nothing more, neither files nor connections."""
    assert server._process is not None
    pid = server._process.pid
    limits = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (0, limits[1]))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_NOFILE, limits)


async def end_connections(database: str) -> None:
    """All that servers have."""
    operator = await asyncpg.connect(database)
    try:
        await operator.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND datname = current_database()"
        )
    finally:
        await operator.close()


async def is_said(server: Server, what: str) -> None:
    """In the log, with the cause."""

    def said() -> bool:
        lines = [line for line in server.log.splitlines() if what in line]
        return any("Too many open files" in line for line in lines)

    await asyncio.to_thread(wait_for, said)


def test_a_process_without_descriptors(database: str) -> None:
    """What it has it uses. What it needs anew it goes without, says so, and gets it by itself."""
    with Server(database) as server:
        id, tokens = two_at_a_table(server, game="taki", grace=None)

        async def main() -> None:
            ann, ben = players = [Player(server.url, id, token) for token in tokens]
            async with ann, ben:
                done = await play_moves(players, 4)
                with no_more_files(server):
                    done |= await play_moves(players, 4)
                    asked = asyncio.to_thread(fetch, "GET", f"{server.url}/ready")
                    newcomer = asyncio.create_task(asked)
                    await is_said(server, "no connection can be accepted")
                    await end_connections(database)
                    with pytest.raises(Refused, match=r"^unavailable"):
                        await ann.say("pause")
                    await is_said(server, "the database does not answer")
                    assert not newcomer.done()
                status, _ = await newcomer
                assert status in (200, 503)  # as it was when the request came in
                more = await play_moves(players, 4)
                assert min(more) > max(done)
                _, steps = await asyncio.to_thread(
                    server.request, "GET", f"/api/tables/{id}/matches/1/steps?count=1"
                )
                assert steps["of"] == max(more)

        asyncio.run(main())
        wait_for(lambda: fetch("GET", f"{server.url}/ready")[0] == 200)


def test_a_race_for_one_move_has_one_winner(database: str) -> None:
    """The same seat, on two devices, at two servers, moves at the same time."""
    with Server(database) as one, Server(database) as two:
        id, tokens = two_at_a_table(one, game="taki", grace=None)

        async def main() -> None:
            near, far = ([Player(at.url, id, token) for token in tokens] for at in (one, two))
            async with near[0], near[1], far[0], far[1]:
                for _ in range(10):
                    version = max(player.version for player in (*near, *far))
                    for player in (*near, *far):
                        await until([player], lambda p=player, v=version: p.version >= v)
                    seat = near[0].view["waiting"][0]
                    action = near[seat].legal[0]
                    answers = await asyncio.gather(
                        *[player.move(action) for player in (near[seat], far[seat])],
                        return_exceptions=True,
                    )
                    assert sum(not isinstance(one, BaseException) for one in answers) == 1

        asyncio.run(main())


def test_a_server_of_several_processes(database: str) -> None:
    with Server(database, "--workers", "2") as server:
        id, tokens = two_at_a_table(server, game="chiko")

        async def main() -> None:
            ann, ben = (Player(server.url, id, token) for token in tokens)
            async with ann, ben:
                assert len(await play_moves([ann, ben], 6)) == 6

        asyncio.run(main())
