"""What a card is worth: how much better those do who are dealt one.

Hands are dealt at random, so that nothing but chance decides who has the card. That is not so for
cards that are drawn or played: whoever is about to win plays more of everything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from lastcard.core.game import Game
from lastcard.kernel.texts import NONE

from .estimates import Estimate, slopes
from .played import Played
from .questions import Questions


@dataclass(frozen=True)
class Worth:
    """What one more card of a kind, instead of an ordinary one, changes in the first round."""

    kind: str
    dealt: float  # so many to a seat, on average
    share: Estimate  # of being best in the round
    points: Estimate


def dealt_cards(
    rules: Game,
    questions: Questions,
    players: int,
    options: Mapping[str, Any],
    keys: Sequence[bytes],
) -> Any:
    """How many of each special kind each seat is dealt in the first round of each match."""
    kind_of = {
        rules.parse_card(card): place
        for place, cards in enumerate(questions.special.values())
        for card in cards
    }
    found = np.zeros((len(keys), players, len(questions.special)))
    for number, key in enumerate(keys):
        position = rules.match(players, key, options).position()
        for zone, seat in product(questions.zones, range(players)):
            cards = [name for name in str(position[zone][seat]).split() if name != NONE]
            for place in map(kind_of.get, map(rules.parse_card, cards)):
                if place is not None:
                    found[number, seat, place] += 1
    return found


def worths(questions: Questions, played: Played, dealt: Any) -> list[Worth]:
    """By least squares over all seats of all first rounds. The places after the opener are among
    the factors, so that the opener's advantage is no part of it."""
    matches, players, kinds = dealt.shape
    first = played.first[:matches]
    after = (np.arange(players)[None, :] - played.opener[first][:, None]) % players
    places = (after[:, :, None] == np.arange(1, players)).reshape(matches * players, -1)
    factors = np.hstack([dealt.reshape(matches * players, kinds), places])
    match = np.repeat(np.arange(matches), players)
    found = [
        slopes(outcome[first].reshape(-1), factors, match)[:kinds]
        for outcome in (played.round_share, played.points)
    ]
    return [
        Worth(kind, float(dealt[:, :, place].mean()), found[0][place], found[1][place])
        for place, kind in enumerate(questions.special)
    ]
