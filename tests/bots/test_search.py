"""Search: blind to what is hidden, repeatable, within its budget, and it finds what wins."""

from __future__ import annotations

import random
import threading
import time
from typing import Any

import numpy as np
import pytest

import lastcard
from lastcard.bots import bot, search
from lastcard.bots.search import (
    WAYS,
    Budget,
    Judgement,
    Loading,
    Manner,
    SearchBot,
    loading,
    read_budget,
    read_manner,
)
from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.kernel import NOBODY
from lastcard.sim import arena
from lastcard.sim.arena import Oracle
from tests.helpers import moments, permuted


def judged(match: Match, seat: int, playouts: int = 300, seed: int = 1, threads: int = 1) -> Any:
    return SearchBot(match.game, seed, Budget(playouts=playouts), threads).advise(match, seat)


def test_its_judgement_does_not_depend_on_hidden_cards(any_game: Game) -> None:
    """Not only the choice: every number that it comes to."""
    asked = 0
    for match, rng in moments(any_game, 60, seed=8):
        for seat in [*match.waiting, *match.bystanders]:
            if isinstance(seat, int):
                other = permuted(match, seat, rng)
                assert judged(match, seat, 60) == judged(other, seat, 60)
                asked += 1
    assert asked > 40


def test_the_oracle_of_the_arena_does_depend_on_them(chiko: Game) -> None:
    """So the test above can fail."""
    rng = random.Random(2)
    match = chiko.match(3, 1, {"opener": 0})
    oracle = Oracle(chiko, 1, Budget(playouts=60))
    answers = {tuple(oracle.advise(permuted(match, 0, rng), 0)) for _ in range(5)}
    assert len(answers) > 1


@pytest.mark.parametrize("threads", [1, 2])
def test_with_playouts_it_repeats_itself(any_game: Game, threads: int) -> None:
    match = any_game.match(3, 11)
    seat = match.waiting[0]
    assert isinstance(seat, int)
    once = judged(match, seat, threads=threads)
    assert judged(match, seat, threads=threads) == once
    assert judged(match, seat, seed=2, threads=threads) != once
    if threads == 1:
        assert bot("search:300", any_game, 1).choose(match, seat) == once[0].action


def test_it_keeps_to_its_playouts(any_game: Game) -> None:
    for match, _ in moments(any_game, 30, seed=9):
        for seat in match.waiting:
            if isinstance(seat, int):
                n = len(match.legal_ids(seat))
                for playouts in (1, 50, 500):
                    done = sum(one.worlds for one in judged(match, seat, playouts))
                    assert n <= done <= max(playouts, n)


def test_it_keeps_to_its_time(chiko: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock on which every look takes a millisecond, and so does every playout."""
    loading(chiko).wait()
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += 0.001
        return now

    sample = search.Workspace.sample

    def slow(self: search.Workspace, *args: Any, **more: Any) -> int:
        nonlocal now
        count = sample(self, *args, **more)
        now += 0.001 * count
        return count

    monkeypatch.setattr(time, "perf_counter", clock)
    monkeypatch.setattr(search.Workspace, "sample", slow)
    match = chiko.match(3, 1, {"opener": 0})
    for ms in (10, 100, 1000):
        started = now
        SearchBot(chiko, 1, Budget(ms=ms)).advise(match, 0)
        assert 1000 * (now - started) <= ms + 2 * len(match.legal_ids(0)) + 5


def test_what_wins_at_once_is_certain() -> None:
    chiko = lastcard.game("chiko")
    # Whoever is out first; the other one has too many points then.
    match = chiko.position({"turn": 0, "top": "3", "hands": ["4", "c c 1"], "scores": [0, 49]})
    best, *others = judged(match, 0)
    assert (chiko.actions[best.action], best.chance, best.error) == ("play 4", 1.0, 0.0)
    assert all(one.chance < 1 for one in others)


def test_it_beats_the_policy() -> None:
    """The other games need more matches to show it: `lastcard arena`."""
    plan = arena.plan("eight_half", ["search:200", "normal"], 24, options={"rounds": 1})
    best, _ = arena.standings(plan, [*arena.run(plan, workers=1)])
    assert best.wins.mean > 0.55


def test_chances_of_all_seats_add_up(any_game: Game) -> None:
    """What a standing is worth: shares of one win, when the match is over and before."""
    loading(any_game).wait()
    kernel = loading(any_game).kernel
    over = 0
    for match, _ in moments(any_game, 200, seed=4):
        worth = [kernel.worth(match.record, seat) for seat in range(match.players)]
        assert sum(worth) == pytest.approx(1)
        if match.over:
            over += 1
            assert {seat for seat, share in enumerate(worth) if share > 0} == set(match.winners)
        else:
            ahead = min if any_game.rules.LOWEST_WINS else max
            assert worth[match.scores.index(ahead(match.scores))] == max(worth)
    assert over > 0


def test_it_can_let_it_be() -> None:
    """Out of turn: with five tiles more in the hand nobody wins; with none, at once."""
    chichiko = lastcard.game("chichiko")
    hands = ["bk-bk yn-yn", "yk-yk", "gk-gk gs-gs"]
    for bazaar, wish in (("rs-rs rp-rp rc-rc rn-rn bs-bs bp-bp", NOBODY), ("", None)):
        match = chichiko.position(
            {"hands": hands, "ends": "rk rk", "bazaar": bazaar, "rest": "out"},
            options={"out_of_turn": True, "rounds": 1},
        )
        best, *others = judged(match, 1, 600)
        assert NOBODY in [one.action for one in (best, *others)]
        player = SearchBot(chichiko, 1, Budget(playouts=600))
        if wish == NOBODY:
            assert best.action == NOBODY
            assert player.interject(match, 1) is None
        else:
            assert player.interject(match, 1) == chichiko.parse_action("put yk-yk @0")


def test_it_calls_its_last_card() -> None:
    taki = lastcard.game("taki")
    match = taki.position(
        {"turn": 1, "top": "r5", "hands": ["b4", "y1 y3 g7 g8"], "exposed": 0},
        options={"rounds": 1},
    )
    assert match.bystanders == [0]
    assert SearchBot(taki, 1, Budget(playouts=400)).interject(match, 0) == taki.parse_action("call")


def test_until_search_is_there_it_plays_by_the_policy(
    chiko: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person does not wait for the compiler; but who wants to repeat a match does."""
    compiled = threading.Event()

    class Slow(Loading):
        def _load(self) -> None:
            compiled.wait()
            super()._load()

    coming = Slow(chiko)
    monkeypatch.setattr(search, "loading", lambda game: coming)
    match = chiko.match(3, 1, {"opener": 0})
    normal = bot("normal", chiko, 1).choose(match, 0)
    monkeypatch.setattr(SearchBot, "judge", lambda *_: [Judgement(99, 1.0, 0.0, 1)])
    player = SearchBot(chiko, 1, Budget(ms=50))
    player.warm()
    assert player.choose(match, 0) == normal
    repeatable = SearchBot(chiko, 1, Budget(playouts=50))
    threading.Timer(0.2, compiled.set).start()
    assert repeatable.choose(match, 0) == 99
    assert player.choose(match, 0) == 99


def test_a_problem_in_the_background_is_told(chiko: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(Loading):
        def _load(self) -> None:
            self.problem = RuntimeError("no room on the disk")

    coming = Broken(chiko)
    monkeypatch.setattr(search, "loading", lambda game: coming)
    match = chiko.match(3, 1, {"opener": 0})
    with pytest.raises(RuntimeError, match="no room"):
        SearchBot(chiko, 1, Budget(ms=50)).choose(match, 0)


def test_what_is_given_up(chiko: Game) -> None:
    """What is surely worse, or no different; not what may be better."""
    loading(chiko).wait()
    kernel = loading(chiko).kernel
    worlds, rng = 400, np.random.default_rng(1)
    noise = rng.normal(0, 0.1, worlds)
    values = np.array([0.5 + noise, 0.5 + noise, 0.3 + noise, 0.49 + rng.normal(0, 0.3, worlds)])
    alive = np.ones(4, np.bool_)
    squares = ((values[:, None] - values) ** 2).sum(axis=2)
    best = kernel.narrow(alive, worlds, values.sum(axis=1), squares, 2.5, 0.002)
    assert best in (0, 1)
    assert alive.tolist() == [best == 0, best == 1, False, True]


@pytest.mark.parametrize("text", ["", "0", "0ms", "ms", "-5", "1e3", "5s", "50 ms 2", "9" * 12])
def test_bad_budgets(text: str, chiko: Game) -> None:
    with pytest.raises(lastcard.BadOption, match="budget: is written 50ms"):
        read_budget(text)
    with pytest.raises(lastcard.BadOption):
        bot(f"search:{text}", chiko)


def test_budgets() -> None:
    assert read_budget("20ms") == Budget(ms=20)
    assert read_budget(" 1000 ") == Budget(playouts=1000)


def test_two_ways_to_play_on(any_game: Game) -> None:
    """Each game has its own; both work with every game, and repeat themselves."""
    match = any_game.match(any_game.fewest, 5)
    while not isinstance(seat := match.waiting[0], int) or len(match.legal_ids(seat)) == 1:
        match.play(match.waiting[0], match.legal_ids(match.waiting[0])[0])
    answers = []
    for way in ("tree", "policy"):
        player = bot(f"search:600:{way}", any_game, 3)
        assert isinstance(player, SearchBot)
        assert player.manner(match.players) == Manner(WAYS[way])
        answers.append(player.advise(match, seat))
        again = bot(f"search:600:{way}", any_game, 3)
        assert isinstance(again, SearchBot)
        assert again.advise(match, seat) == answers[-1]
    assert answers[0] != answers[1]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("luck", "by tree, policy, network, drawn, guided, not by 'luck'"),
        ("network:reach=", "not 'reach='"),
        ("network:reach=-1", "not 'reach=-1'"),
        ("network:trust=1", "not 'trust=1'"),
        ("network:least=0.1:0.1", "not '0.1'"),
        ("network:doubt=1.0", "not 'doubt=1.0'"),
        ("network:belief=0.5", "not 'belief=0.5'"),
    ],
)
def test_bad_manners(text: str, says: str, chiko: Game) -> None:
    with pytest.raises(lastcard.BadOption, match=says):
        bot(f"search:600:{text}", chiko)


def test_manners() -> None:
    assert read_manner("policy") == Manner(WAYS["policy"])
    assert not read_manner("tree").by_network
    manner = Manner(WAYS["network"], reach=2, trust=0.02, least=0.01, belief=8)
    assert read_manner("network:reach=2:least=0.01:trust=0.02:belief=8") == manner
    for text in ("guided", "policy:reach=1", "tree:trust=0.1", "policy:least=0.1", "tree:belief=2"):
        assert read_manner(text).by_network


def test_a_tree_counts_right(any_game: Game) -> None:
    """Whoever visits a node was offered it, came from its parent, and knows how it ended."""
    for match, _ in moments(any_game, 12, seed=14):
        seat = match.waiting[0] if match.waiting else "nobody"
        if not isinstance(seat, int):
            continue
        player = SearchBot(any_game, 1, Budget(playouts=400), manner="tree")
        tried = sum(one.worlds for one in player.advise(match, seat))
        tree = player.spaces[0].buffers.tree
        count, roots = int(tree[0]["visits"]), len(match.legal_ids(seat))
        nodes = tree[1:count]
        assert nodes[:roots]["visits"].sum() == tried
        assert (nodes[:roots]["parent"] == 0).all()
        below = np.zeros(count, np.int64)
        np.add.at(below, nodes["parent"], nodes["visits"])
        assert (below[1:] <= nodes["visits"]).all()
        assert (nodes[roots:]["parent"] < np.arange(1 + roots, count)).all()
        assert (nodes[roots:]["visits"] <= nodes[roots:]["offered"]).all()
        assert ((nodes["total"] >= 0) & (nodes["total"] <= nodes["visits"])).all()


def test_a_full_tree_grows_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_NODES", 30)
    match = lastcard.game("sixth_sense").match(3, 1)
    player = SearchBot(match.game, 1, Budget(playouts=2_000))
    assert player.advise(match, 0)[0].worlds > 50
    assert player.spaces[0].buffers.tree[0]["visits"] == 30
