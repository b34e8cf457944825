"""Several processes share one PostgreSQL database, and any of them serves any table."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from tests.postgres import postgres
from tests.server.asking import play_moves, two_at_a_table
from tests.server.client import Player, Server


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
