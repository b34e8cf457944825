from __future__ import annotations

from typing import Any

from lastcard.games.chichiko.chain import holds, tile_laid
from lastcard.games.chichiko.components import HAND, HAND_SIZES, N_TILES, ROUNDS
from lastcard.kernel import Record
from tests.games.known import Known


def meaning(s: Record) -> dict[str, Any]:
    return {
        "stock": None,  # unknown
        # The chain goes on at its ends; of the rest it matters which tiles are in it.
        "laid": {tile_laid(s, i) for i in range(s.laid_size)},
        "laid_size": None,
        "hands": [[bool(holds(s, seat, n)) for n in range(N_TILES)] for seat in range(s.players)],
        "hand": int(s.options[HAND] or HAND_SIZES[s.players]),  # the usual size can be given, too
    }


KNOWN = Known(
    by_seat=("hands", "sizes", "missing", "memory"),
    seat=("turn", "owes"),
    rounds=lambda s: int(s.options[ROUNDS]),
    meaning=meaning,
    options=("hand",),
    rows=("hands", "memory"),
)
