"""How bots that do not look ahead decide in compiled code: a template, bound to a game's rules and
policy (`kernel.bind`).

They decide exactly as `bots.simple` says: the same generator leads to the same choices.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lastcard.kernel import NOBODY, Rng, copy_record, random_below, rule

rules: Any = None  # the game; set by `bind`
policy: Any = None  # its rules of thumb; set by `bind`

EXPORTS: dict[str, str] = {}  # it is compiled into what it is a part of
RANDOM, POLICY = range(2)  # what a seat plays by
PLAYED, SEEN = range(2)  # records: the match, and what the seat that decides sees of it


@rule
def decide(bots: Any, records: Any, seat: int, waited: int, legal: Any, n: int, rng: Rng) -> int:
    """One of the legal actions; or NOBODY, to do nothing, if the seat is not waited for."""
    if bots[seat] == POLICY:
        copy_record(records, SEEN, records[PLAYED])
        rules.hide(records[SEEN], seat)
        return np.int64(policy.choose(records[SEEN], seat, legal, n, rng))  # type: ignore[return-value]
    if not waited and random_below(rng, 2):
        return NOBODY
    return np.int64(legal[random_below(rng, n)])  # type: ignore[return-value]
