"""Whether a move may be taken back: only if nobody has learnt anything by it."""

from __future__ import annotations

import numpy as np

from lastcard.core.events import events_for, new_log, rows_of
from lastcard.core.match import Events, Match, duplicate
from lastcard.kernel import PUBLIC

WORLDS = 32  # in which the move must have looked the same to who made it


def reveals_nothing(before: Match, after: Match, seat: int, action: int, events: Events) -> bool:
    """Whether a move told its player nothing, and the others nothing but what its player knew.

    No rule of any game is needed for that. If something came of the move that its player could not
    know, it would not be the same in other worlds that fit all that the player knew before. And
    cards that only some others may see are told by an event with secrets.
    """
    game = before.game
    for kind, _, eyes, *_ in events:
        if game.events[kind].secret and eyes != PUBLIC and eyes & ~(1 << seat):
            return False
    known = before.hidden(seat)
    outcome, told = after.hidden(seat).tobytes(), events_for(game, events, seat)
    # From what the player knows, and not by chance: every process must come to the same.
    rng = np.array([int.from_bytes(known.tobytes()[-8:], "little") | 1], np.uint64)
    deal = game.new_deal()
    for _ in range(WORLDS):
        world, log = duplicate(known), new_log()
        game.rules.guess(world[0], seat, rng, deal)
        game.rules.apply(world[0], seat, action, log)
        game.rules.hide(world[0], seat)
        if world.tobytes() != outcome or events_for(game, rows_of(log), seat) != told:
            return False
    return True
