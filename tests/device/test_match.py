"""A match on the device is the same match, byte by byte: states, views, changes and events."""

from __future__ import annotations

import hashlib
import json
import random
from typing import Any

import pytest

import lastcard
from lastcard.core.events import log_of, told_of
from lastcard.core.match import Events, Match
from lastcard.core.registry import games
from lastcard.core.views import Watch, shown
from lastcard.errors import IllegalAction
from lastcard.kernel.texts import CHANCE_NAME
from tests.device.node import node
from tests.helpers import choose, random_match, shy_of

MOST_MOVES = 120


def digest(*parts: bytes | str) -> str:
    mixed = hashlib.sha256()
    for part in parts:
        mixed.update(part.encode() if isinstance(part, str) else part)
        mixed.update(b"\n")
    return mixed.hexdigest()[:12]


def compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def refusal(match: Match, seat: int, action: int) -> str:
    """Why a seat cannot do something now."""
    try:
        match.check(seat, action)
    except IllegalAction as error:
        return str(error)
    return ""


class Witness:
    """Takes down a match as it is played."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.viewers = [None, *range(match.players)]
        self.watches = [Watch(match.game, seat) for seat in self.viewers]
        self.steps = [self.step(None)]

    def step(self, events: Events | None) -> dict[str, str]:
        match, viewers = self.match, self.viewers
        game = match.game
        hidden = [match.hidden(seat) for seat in viewers]
        views = [shown(game, one[0], seat) for one, seat in zip(hidden, viewers, strict=True)]
        changes = [watch.look(one) for watch, one in zip(self.watches, hidden, strict=True)]
        actors = [] if match.over else [*match.waiting, *match.bystanders]
        facts = [match.waiting, match.bystanders, match.over, match.round]
        facts += [match.scores, match.winners, match.options, *map(match.legal, actors)]
        log = None if events is None else log_of(events)
        told = [] if log is None else [told_of(game, log, seat) for seat in viewers]
        all_open = (
            [] if log is None else [told_of(game, log, seat, all_open=True) for seat in viewers]
        )
        odd = len(match.moves) % len(game.actions)
        return {
            "refused": digest(*(refusal(match, seat, odd) for seat in range(match.players))),
            "state": digest(match.state),
            "facts": digest(compact(facts)),
            "hidden": digest(*(one.tobytes() for one in hidden)),
            "views": digest(*views, shown(game, match.revealed()[0], None)),
            "changes": digest(*([] if events is None else changes)),
            "events": digest(*told),
            "open": digest(*all_open),
        }


def play(match: Match, rng: random.Random) -> list[dict[str, str]]:
    """Plays a match at random, but dice as they fall."""
    witness, shy = Witness(match), shy_of(rng, match)
    while not match.over and len(match.moves) < MOST_MOVES:
        seat, action = choose(rng, match, shy)
        events = match.roll() if seat == CHANCE_NAME else match.play(seat, action)
        witness.steps.append(witness.step(events))
    return witness.steps


def setup_of(match: Match) -> dict[str, Any]:
    return {
        "game": match.game.id,
        "players": match.players,
        "options": match.options,
        "key": match.seed.hex(),
        "moves": match.moves,
    }


@pytest.mark.parametrize("id", games())
def test_same_bytes_after_every_move(id: str) -> None:
    game, rng = lastcard.game(id), random.Random(f"device {id}")
    matches = [
        random_match(game, rng, players)
        for players in range(game.fewest, game.most + 1)
        for _ in range(3)
    ]
    expected = [play(match, rng) for match in matches]
    found = node("match.mjs", [setup_of(match) for match in matches])
    assert sum(map(len, expected)) > 300
    for match, steps, answer in zip(matches, expected, found, strict=True):
        assert answer["moves"] == [list(move) for move in match.moves]
        for number, (ours, theirs) in enumerate(zip(steps, answer["steps"], strict=True)):
            assert theirs == ours, (match.players, match.options, number)
