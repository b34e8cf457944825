"""Networks, and the bots that play by them."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lastcard
from lastcard.bots import LEVELS, adviser, bot, levels_of, play_out
from lastcard.bots.learned import (
    FACTS,
    FOLDER,
    WEIGHTS,
    LearnedBot,
    has_learned,
    opinions_of,
    outputs_of,
    packed,
    read,
    told_to,
    trained_for,
    unpacked,
    write,
)
from lastcard.bots.network import MOST, ONE, SHIFT, Network
from lastcard.bots.search import Budget, Judgement, SearchBot, Workspace, loading, read_manner
from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.core.registry import games
from lastcard.core.views import legal_of
from lastcard.engine import PLAIN
from lastcard.errors import BadOption
from lastcard.kernel import CHANCE, LOG_COLUMNS, NOBODY, bit
from lastcard.table.window import advice_of
from tests.engine.tape import random_network
from tests.helpers import moments, permuted

LADDER = Path(__file__).parents[2] / "examples" / "ladder"


def decisions(game: Game, count: int) -> Iterator[tuple[Match, int]]:
    """Moments in which a seat has a choice, bystanders among them."""
    found = 0
    for match, rng in moments(game, 10_000):
        seats = [seat for seat in match.waiting if isinstance(seat, int)] + match.bystanders
        seats = [seat for seat in seats if len(match.legal(seat)) > 1]
        if seats:
            found += 1
            yield match, rng.choice(seats)
        if found == count:
            return


def seen_by(game: Game, hidden: Any, seat: int) -> Any:
    seen = np.zeros(len(game.rules.OBSERVED), np.float32)
    game.rules.observe(hidden[0], seat, seen)
    return seen


def worked_out(net: Network, seen: Any) -> list[int]:
    """The same by NumPy, layer by layer."""
    scaled = seen.astype(np.float64) * ONE
    here = np.where(scaled >= 0, np.floor(scaled + 0.5), -np.floor(0.5 - scaled)).astype(np.int64)
    here = np.clip(here, -MOST, MOST)
    weight = unit = 0
    sizes = net.sizes.tolist()
    for layer, (width, wider) in enumerate(itertools.pairwise(sizes)):
        matrix = net.weights[weight : weight + width * wider].reshape(width, wider)
        sums = here @ matrix.astype(np.int64) + net.biases[unit : unit + wider]
        here = sums * net.factors[unit : unit + wider] >> SHIFT
        if layer < len(sizes) - 2:
            here = np.clip(here, 0, MOST)
        weight += width * wider
        unit += wider
    return here.tolist()


def test_what_comes_out(any_game: Game) -> None:
    """In whole numbers, as the definition says; and it depends on what is seen."""
    rng = random.Random(f"network {any_game.id}")
    player = LearnedBot(any_game, random_network(any_game, rng))
    found = set()
    for match, seat in decisions(any_game, 12):
        hidden = match.hidden(seat)
        out = worked_out(player.trained.net, seen_by(any_game, hidden, seat))
        assert player.weigh(hidden, seat)[: len(out)].tolist() == out
        assert len(out) == outputs_of(any_game)
        found.add(tuple(out))
    assert len(found) > 1


def test_it_prefers_the_best_legal_action(any_game: Game) -> None:
    rng = random.Random(f"prefers {any_game.id}")
    player = LearnedBot(any_game, random_network(any_game, rng))
    wait = len(any_game.actions)
    waiting = 0
    for match, seat in decisions(any_game, 40):
        hidden = match.hidden(seat)
        legal = legal_of(any_game, hidden[0], seat)
        scores = player.weigh(hidden, seat).tolist()
        waited = any_game.rules.waiting(hidden[0]) & bit(seat)
        choices = legal if waited else [*legal, wait]
        action = player.decide(hidden, seat, legal)
        assert scores[wait if action == NOBODY else action] == max(scores[one] for one in choices)
        waiting += not waited
        opinions = player.think(hidden, seat, legal)
        assert opinions[0].action == action
        assert {one.action for one in opinions} == {
            NOBODY if one == wait else one for one in choices
        }
        assert sum(one.liking for one in opinions) == pytest.approx(1)


def test_it_sees_no_hidden_card(any_game: Game) -> None:
    """Whatever others hold, it comes to the same, to the last bit."""
    rng = random.Random(f"blind {any_game.id}")
    player = LearnedBot(any_game, random_network(any_game, rng))
    for match, seat in decisions(any_game, 12):
        before = player.weigh(match.hidden(seat), seat).copy()
        other = permuted(match, seat, rng)
        assert np.array_equal(player.weigh(other.hidden(seat), seat), before)
        sights = [(one.hidden(seat), seat, one.legal_ids(seat)) for one in (match, other)]
        one, two = (player.think(*sight) for sight in sights)
        assert one == two
        judged = [Judgement(found.action, 0.5, 0.1, 1) for found in one]
        assert None not in [advice.liking for advice in advice_of(any_game, judged, one)]
        assert opinions_of(any_game, match, seat) == opinions_of(any_game, other, seat)


MANNERS = ("network", "drawn:reach=1", "network:reach=0:trust=0.1", "guided:trust=0.02:belief=3")


@pytest.mark.parametrize("manner", MANNERS)
def test_search_by_a_network(any_game: Game, manner: str) -> None:
    """Exactly repeatable; and all actions are judged."""
    trained = random_network(any_game, random.Random(3))
    for match, seat in decisions(any_game, 3):
        judged = [
            SearchBot(any_game, 1, Budget(playouts=60), manner=manner, trained=trained).advise(
                match, seat
            )
            for manner in (manner, manner, "policy")
        ]
        assert judged[0] == judged[1]
        assert {one.action for one in judged[0]} == {one.action for one in judged[2]}
        assert all(0 <= one.chance <= 1 for one in judged[0])


@pytest.mark.parametrize("manner", MANNERS)
def test_search_by_a_network_does_not_see_hidden_cards(any_game: Game, manner: str) -> None:
    """Every number that it comes to is the same, whatever the others hold."""
    rng = random.Random(f"search {any_game.id}")
    trained = random_network(any_game, rng)
    for match, seat in decisions(any_game, 4):
        other = permuted(match, seat, rng)
        first, second = (
            SearchBot(any_game, 1, Budget(playouts=60), manner=manner, trained=trained).advise(
                one, seat
            )
            for one in (match, other)
        )
        assert first == second


def test_what_a_network_would_hardly_choose_is_left_out(any_game: Game) -> None:
    """But two actions are tried at least; and with trust enough, what it likes best is chosen."""
    trained = random_network(any_game, random.Random(3))
    player = LearnedBot(any_game, trained)
    fewer = 0
    for match, seat in decisions(any_game, 40):
        hidden = match.hidden(seat)
        legal = legal_of(any_game, hidden[0], seat)
        opinions = player.think(hidden, seat, legal)
        manner = "policy:trust=9.0:least=0.2"
        search = SearchBot(any_game, 1, Budget(playouts=200), manner=manner, trained=trained)
        judged = search.judge(hidden, seat, legal)
        likely = [one.action for one in opinions if one.liking > 0.2]
        liked = {one.action for one in opinions[:2]} if len(likely) < 2 else set(likely)
        assert {one.action for one in judged} == liked
        fewer += len(judged) < len(opinions)
        if opinions[0].liking > 2 * opinions[1].liking:
            assert judged[0].action == opinions[0].action
        assert all(0 <= one.chance <= 1 for one in judged)
    assert fewer > 2


@pytest.mark.parametrize("reach", [0, 1])
def test_a_playout_by_a_network(any_game: Game, reach: int) -> None:
    """By hand: everybody does what the network prefers, until the seat has chosen so often; then it
    is worth what the match is now, and what the network foresees."""
    trained = random_network(any_game, random.Random(f"playout {any_game.id}"))
    trained.net.factors[-1] = 100  # so that it foresees no more than a match is worth
    player = LearnedBot(any_game, trained)
    loading(any_game).wait()
    kernel = loading(any_game).kernel
    manner, foreseen = read_manner(f"network:reach={reach}"), 0
    for match, seat in decisions(any_game, 15):
        record = any_game.blank()
        record[0] = match.record
        if match.record.over or not any_game.rules.waiting(record[0]) & bit(seat):
            continue
        action = int(match.legal_ids(seat)[0])
        space = Workspace(any_game, 1, trained)
        actions, alive = np.array([action], np.int16), np.ones(1, np.bool_)
        space.sample(kernel, record, seat, actions, alive, 1, False, manner)
        worth = by_hand(player, kernel, record, seat, action, reach)
        if worth is not None:
            assert space.tally.sums[0] == worth
            foreseen += worth not in (0.0, 1.0)
    assert foreseen > 3


def by_hand(
    player: LearnedBot, kernel: Any, before: Any, me: int, action: int, reach: int
) -> float | None:
    """None where dice are rolled, which are others' each time."""
    game = player.game
    rules, log = game.rules, np.zeros((0, LOG_COLUMNS), np.int32)
    s = before.copy()
    rules.apply(s[0], me, action, log)
    while s[0].round_number == before[0].round_number and (waited := rules.waiting(s[0])):
        others = [seat for seat in range(s[0].players) if rules.bystanders(s[0]) & bit(seat)]
        for seat in [*others, (waited & -waited).bit_length() - 1]:
            if seat == CHANCE:
                return None
            hidden = s.copy()
            rules.hide(hidden[0], seat)
            legal = legal_of(game, hidden[0], seat)
            decides = bool(legal) if seat in others else len(legal) > 1
            if seat == me and decides:
                reach -= 1
                if reach < 0:
                    value = player.weigh(hidden, seat)[len(game.actions) + 1] / ONE
                    return float(min(max(kernel.worth(before[0], me) + value, 0.0), 1.0))
            choice = player.decide(hidden, seat, legal) if legal else NOBODY
            if choice != NOBODY:
                rules.apply(s[0], seat, choice, log)
                break
    return float(kernel.worth(s[0], me))


def test_files(any_game: Game, tmp_path: Path) -> None:
    net = random_network(any_game, random.Random(5)).net
    facts = {"game": any_game.id, "told": told_to(any_game)}
    write(tmp_path, net, facts)
    again = read(any_game, tmp_path)
    assert all(map(np.array_equal, again.net, net))
    assert again.facts["game"] == any_game.id
    assert packed(again.net) == (tmp_path / WEIGHTS).read_bytes()


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda folder: (folder / FACTS).unlink(), "lastcard train chiko"),
        (lambda folder: (folder / WEIGHTS).unlink(), "lastcard train chiko"),
        (lambda folder: (folder / FACTS).write_text("{"), "cannot be read"),
        (lambda folder: (folder / FACTS).write_text("[]"), "another form"),
        (lambda folder: (folder / WEIGHTS).write_bytes(b"short"), "other files"),
        (lambda folder: change(folder, game="taki"), "another game"),
        (lambda folder: change(folder, told="?"), "as it was"),
    ],
)
def test_files_that_are_wrong(chiko: Game, tmp_path: Path, spoil: Any, says: str) -> None:
    net = random_network(chiko, random.Random(5)).net
    write(tmp_path, net, {"game": "chiko", "told": told_to(chiko)})
    spoil(tmp_path)
    with pytest.raises(BadOption, match=says):
        read(chiko, tmp_path)


def change(folder: Path, **facts: str) -> None:
    path = folder / FACTS
    path.write_text(json.dumps(json.loads(path.read_text()) | facts))


def test_sizes_that_do_not_fit() -> None:
    with pytest.raises(BadOption, match="other files"):
        unpacked([3, 2], bytes(3))


def test_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    """All games have all of them; where nobody has trained a network, bots search instead."""
    monkeypatch.syspath_prepend(LADDER)
    ladder = Game("ladder", "lastcard_ladder", PLAIN)
    assert tuple(levels_of(ladder)) == LEVELS
    assert not any("learned" in one or "trust" in one for one in levels_of(ladder).values())
    with pytest.raises(BadOption, match="lastcard train ladder"):
        bot("learned", ladder)
    for id in games():
        game = lastcard.game(id)
        assert tuple(levels_of(game)) == LEVELS
        for level, name in levels_of(game).items():
            assert type(bot(level, game)) is type(bot(name, game))
            assert level in ("easy", "normal") or name != level
        best = bot("master", game)
        assert isinstance(best, SearchBot) and best.budget == Budget(ms=50)
        hint = adviser(game, 1, Budget(playouts=100))
        manner, own = hint.manner(2), best.manner(2)
        assert (manner.way, manner.reach, manner.least) == (own.way, own.reach, 0.0)


def test_they_are_small() -> None:
    """All that come with the games."""
    files = [file for id in games() for file in (lastcard.game(id).folder / FOLDER).glob("*")]
    assert len(files) >= 2 * len(games())
    assert sum(file.stat().st_size for file in files) < 4_000_000


@pytest.mark.parametrize("id", [id for id in games() if has_learned(lastcard.game(id))])
def test_those_that_come_with_a_game(id: str) -> None:
    """They say how they were made, and beat chance by far."""
    game = lastcard.game(id)
    facts = trained_for(game).facts
    assert {"command", "seed", "seconds", "decisions", "version", "rules"} <= facts.keys()
    assert facts["command"].startswith(f"lastcard train {id}")
    won = 0.0
    for number in range(20):
        match = game.match(players=2, seed=number, options=short(game))
        seat = number % 2
        others = bot("random", game, seed=number)
        play_out(match, [LearnedBot(game) if one == seat else others for one in range(2)])
        won += (seat in match.winners) / len(match.winners)
    assert won >= 15


def short(game: Game) -> dict[str, Any]:
    return {"rounds": 3} if any(one.name == "rounds" for one in game.options) else {}


def test_the_bot_by_its_name(chiko: Game) -> None:
    assert isinstance(bot("learned", chiko), LearnedBot)
