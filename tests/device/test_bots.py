"""Bots on the device decide what the server's decide, given the same luck."""

from __future__ import annotations

import random
from dataclasses import asdict
from typing import Any

import pytest

import lastcard
from lastcard.bots.learned import LearnedBot, packed
from lastcard.bots.search import Budget, SearchBot
from lastcard.bots.simple import EasyBot, NormalBot
from lastcard.core.game import Game
from lastcard.core.registry import games
from lastcard.core.views import legal_of
from tests.device.node import node
from tests.engine.tape import random_network
from tests.helpers import choose, random_match, shy_of

SLIPS = 40  # of an easy bot
SEED = 0xFEDC_BA98_7654_3210
# In which manner it searches, with how many playouts, in how many threads.
SEARCHES = [
    ("", 300, 1),
    ("", 300, 3),
    ("network:reach=1:trust=0.02:least=0.1", 100, 1),
    ("drawn:trust=0.001", 100, 2),
    ("guided:trust=0.02:belief=4", 100, 1),
]


def sights(game: Game, rng: random.Random, often: float) -> list[tuple[Any, int]]:
    """Hidden records of seats that have a choice, bystanders among them, with few players and
    with many."""
    found = []
    for players in range(game.fewest, game.most + 1):
        match = random_match(game, rng, players)
        shy = shy_of(rng, match)
        while not match.over and len(match.moves) < 60:
            actors = [seat for seat in match.waiting if isinstance(seat, int)] + match.bystanders
            seen = [(match.hidden(seat), seat) for seat in actors if len(match.legal(seat)) > 1]
            if rng.random() < often:
                found += seen
            match.play(*choose(rng, match, shy))
    return found


@pytest.mark.parametrize("id", games())
def test_same_decisions(id: str) -> None:
    game, rng = lastcard.game(id), random.Random(f"bots {id}")
    seen = sights(game, rng, 1 if id == "chiko" else 0.1)  # where there is little to choose
    assert len(seen) > 10
    trained = random_network(game, rng)
    assert trained.believed is not None
    shipped = LearnedBot(game)
    told = [(hidden.tobytes().hex(), seat) for hidden, seat in seen]
    asked = {
        "game": id,
        "seed": str(SEED),
        "slips": SLIPS,
        "sights": told,
        "searches": SEARCHES,
        "network": {
            "sizes": trained.net.sizes.tolist(),
            "content": packed(trained.net).hex(),
            "belief": {
                "sizes": trained.believed.sizes.tolist(),
                "content": packed(trained.believed).hex(),
            },
        },
        "shipped": {
            "sizes": shipped.trained.net.sizes.tolist(),
            "content": packed(shipped.trained.net).hex(),
        },
    }
    [answer] = node("bots.mjs", [asked])
    for name, bot in (("easy", EasyBot(game, SEED, SLIPS)), ("normal", NormalBot(game, SEED))):
        ours = [bot.decide(one, seat, legal_of(game, one[0], seat)) for one, seat in seen]
        assert answer[name] == ours
    played = [shipped.decide(one, seat, legal_of(game, one[0], seat)) for one, seat in seen]
    assert answer["played"] == played
    learned = LearnedBot(game, trained)
    decided = [learned.decide(one, seat, legal_of(game, one[0], seat)) for one, seat in seen]
    assert answer["learned"] == decided
    assert len(set(decided)) > 1
    for (one, seat), theirs in zip(seen, answer["opinions"], strict=True):
        opinions = learned.think(one, seat, legal_of(game, one[0], seat))
        assert [one["action"] for one in theirs] == [one.action for one in opinions]
        likings = [one.liking for one in opinions]
        assert [one["liking"] for one in theirs] == pytest.approx(likings)  # exp is the browser's
    for (one, seat), scores in zip(seen, answer["scores"], strict=True):
        assert learned.weigh(one, seat)[: len(scores)].tolist() == scores
    for (manner, playouts, threads), theirs in zip(SEARCHES, answer["search"], strict=True):
        budget = Budget(playouts=playouts)
        search = SearchBot(game, SEED, budget, threads, manner, trained=trained)
        for (one, seat), judged in zip(seen, theirs, strict=True):
            found = search.judge(one, seat, legal_of(game, one[0], seat))
            assert judged == [asdict(judgement) for judgement in found]
