"""Whether a move may be taken back: only if nobody has learnt anything from it."""

from __future__ import annotations

from typing import Any

import numpy as np

from lastcard.core.events import new_log, rows_of, told_of
from lastcard.core.match import Match, duplicate
from lastcard.kernel import PUBLIC

WORLDS = 32  # sampled worlds in which the move must look the same to its player


def reveals_nothing(before: Match, after: Match, seat: int, action: int, happened: Any) -> bool:
    """Whether a move told its player nothing new, and the others nothing its player did not know.

    This needs no game's rules. If the move revealed something its player could not know, the
    outcome would differ in other worlds that fit all the player knew before. And cards that only
    some of the others may see always come in an event with secrets.
    """
    game = before.game
    for kind, _, eyes, *_ in rows_of(happened):
        if game.events[kind].secret and eyes != PUBLIC and eyes & ~(1 << seat):
            return False
    known = before.hidden(seat)
    outcome, told = after.hidden(seat).tobytes(), told_of(game, happened, seat)
    # Seeded by what the player knows, so that every process comes to the same answer.
    rng = np.array([int.from_bytes(known.tobytes()[-8:], "little") | 1], np.uint64)
    deal = game.new_deal()
    for _ in range(WORLDS):
        world, log = duplicate(known), new_log()
        game.rules.guess(world[0], seat, rng, deal)
        game.rules.apply(world[0], seat, action, log)
        game.rules.hide(world[0], seat)
        if world.tobytes() != outcome or told_of(game, log, seat) != told:
            return False
    return True
