"""Other rulings: the game's own rules, but for what is ruled otherwise."""

from __future__ import annotations

import pickle
import random
from typing import Any

import pytest

import lastcard
from lastcard.core.game import Game
from lastcard.errors import BadOption
from lastcard.sim.rulings import ruled, rulings_of
from tests.sim.rulings import plainly

pytestmark = pytest.mark.usefixtures(plainly.__name__)
IDS = lastcard.games()
ALL = [(id, name) for id in IDS for name in rulings_of(lastcard.game(id))]
MOST_MATCHES = 20  # until one differs
# What random matches seldom come to is looked at where it is written.
SEEN: dict[str, tuple[str, Any]] = {
    "250-turns": ("LAST_TURN", 250),
    "1000-turns": ("LAST_TURN", 1000),
    "higher-dice": ("FACES", (2, 3, 4, 5, 6, 10)),
}
IN_A_POSITION = ("next-asks",)  # below


def played(rules: Game, players: int, number: int) -> list[str]:
    """A random match: what was legal, and what was done."""
    rng, match = random.Random(number), rules.match(players, number)
    told: list[str] = []
    while not match.over:
        (seat, *_) = match.waiting
        if isinstance(seat, str):
            told.append(str(match.roll()))
            continue
        legal = match.legal(seat)
        told += [" ".join(legal), rng.choice(legal)]
        match.play(seat, told[-1])
    return [*told, str(match.scores)]


@pytest.mark.parametrize(("id", "name"), [one for one in ALL if one[1] not in IN_A_POSITION])
def test_each_changes_something_for_those_it_is_asked_of(id: str, name: str) -> None:
    other, ours = ruled(id, name), lastcard.game(id)
    assert (other.id, len(other.events)) == (ours.id, len(ours.events))
    if name in SEEN:
        constant, value = SEEN[name]
        assert getattr(other.part("components"), constant) == value
        return
    players = max(rulings_of(ours)[name].players[0], min(3, rulings_of(ours)[name].players[1]))
    numbers = range(MOST_MATCHES)
    assert any(played(other, players, one) != played(ours, players, one) for one in numbers)


def test_the_game_itself_stays_as_it_is() -> None:
    """Whatever was loaded first."""
    other = ruled("chiko", "four-chicks")
    chiko = lastcard.game("chiko")
    assert chiko.rules.DECK == (7, 7, 7, 7, 7, 7, 7, 1)
    assert other.rules.DECK == (8, 8, 8, 7, 7, 7, 4, 1)
    assert ruled("chiko", "") is chiko
    assert pickle.loads(pickle.dumps(other)) is other


def test_who_can_play_must_by_that_ruling() -> None:
    position = {"turn": 0, "top": "6", "hands": ["6 3", "1"]}
    usual = lastcard.game("chiko").position(position)
    other = ruled("chiko", "must-play").position(position)
    assert usual.legal(0) == ["play 6", "draw", "quit"] and other.legal(0) == ["play 6", "quit"]
    other.play(0, "play 6")
    assert other.legal(1) == ["draw", "quit"]


def test_who_asks_for_a_colour_after_a_block() -> None:
    """The red 5 is blocked when the red 7 lies already."""
    hands = ["r5 b1", "r7 b3", "r0 b4", "r1 b2"]
    position = {"hands": hands, "predictions": ["g1", "g2", "g3", "g4"], "rest": "out"}
    allowed = []
    for name in ("", "next-asks"):
        match = ruled("sixth_sense", name).position(position)
        for seat, action in enumerate(("play r5", "play r7", "block r0 0")):
            match.play(seat, action)
        allowed.append(match.legal(3))
    assert allowed == [["play r1"], ["play r1", "play b2"]]


def test_rows_by_another_ruling_say_so() -> None:
    given: dict[str, Any] = {"players": 3, "bots": "policy,random", "seed": 2}
    rows = lastcard.simulate("chiko", 3, ruling="must-play", **given)
    facts = rows.schema.metadata[b"lastcard"].decode()
    assert '"ruling": "must-play"' in facts
    ours = lastcard.simulate("chiko", 3, **given)
    assert '"ruling": ""' in ours.schema.metadata[b"lastcard"].decode()
    assert ours["scores"] != rows["scores"]


def test_what_cannot_be() -> None:
    with pytest.raises(BadOption, match="Chiko has no ruling 'nothing'; there are must-play"):
        lastcard.simulate("chiko", 1, ruling="nothing")
    with pytest.raises(BadOption, match="ruling: others than ours are for cpu and ray"):
        lastcard.simulate("chiko", 1, ruling="must-play", on="cuda")
