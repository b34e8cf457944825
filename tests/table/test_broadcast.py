"""What clients are told keeps them up to date, and no more."""

from __future__ import annotations

import random
from pathlib import Path

from lastcard.core.game import Game
from tests.helpers import random_options
from tests.table.rooms import Room, run


def test_a_whole_match_between_people(any_game: Game, tmp_path: Path) -> None:
    """What friends keep from messages is at all times what they may see."""
    rng = random.Random(any_game.id)
    players = max(any_game.fewest, 3)

    async def play(one: Room) -> None:
        friends = [
            await one.open(
                game=any_game.id, players=players, options=random_options(rng, any_game, players)
            )
        ]
        watcher = await one.enter(None)
        friends += [await one.join(name) for name in "BCDE"[: players - 1]]
        table = one.hosted.table
        while table.status == "playing":
            assert table.match is not None
            for friend in (*friends, watcher):
                assert friend.view == table.match.view(friend.seat)
                assert friend.version == table.version
            waiting = [friend for friend in friends if friend.seat in table.waiting]
            if waiting:
                friend = rng.choice(waiting)
                answer = await one.move(friend, rng.choice(friend.view["legal"]))
                assert answer.version == table.version
            else:
                version = table.version
                await one.until(lambda: table.version > version)  # noqa: B023
        await one.until(lambda: watcher.table["status"] == "over")
        assert watcher.table["secret"] and watcher.table["key"] == table.key.hex()

    run(tmp_path, play)
