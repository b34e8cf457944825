"""Judging actions by playing on: a template, bound to a game's rules and policy (`kernel.bind`).

A world is a guess of all that a seat cannot see. In every world each action is tried, and the round
played to its end by the policy, every seat by its own hidden record. So all actions meet the same
luck, and small differences between them show soon.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import Any

from lastcard.rules.kernel import (
    CHANCE,
    NOBODY,
    Log,
    Record,
    Rng,
    bit,
    lowest,
    random_below,
    rule,
    rule_with_scratch,
    wide,
)

rules: Any = None  # the game, and
policy: Any = None  # how seats play on; both set by `bind`

GUESSED, PLAYED, SEEN = range(3)  # the records of a `table`: a world, the same played on, and
UNSEEN = 0.04  # so much, squared, two actions may differ in one world more than was seen
RECORDS = 3  # what a seat sees of that


@rule_with_scratch
def sample(
    hidden: Record,
    seat: int,
    actions: Any,
    alive: Any,
    worlds: int,
    guessing: bool,
    smart: bool,
    table: Any,
    legal: Any,
    log: Log,
    rng: Rng,
    values: Any,
    sums: Any,
    squares: Any,
) -> int:
    """Tries all actions that are alive in so many worlds; returns how often it played on.

    What each was worth is added to `sums`; its square, and that of the difference between any two,
    to `squares`. The action NOBODY is to let it be. Seats play by the policy, or if that is not
    smart, by chance.
    """
    count = 0
    n = len(actions)
    for _ in range(worlds):
        table[GUESSED] = hidden
        if guessing:  # else there is nothing that it does not see
            rules.guess(table[GUESSED], seat, rng)
        luck = rng[0]  # the same for all actions, where the policy or dice need it
        for a in range(n):
            if alive[a]:
                rng[0] = luck
                table[PLAYED] = table[GUESSED]
                silent = 0
                if actions[a] == NOBODY:
                    silent = bit(seat)
                else:
                    rules.apply(table[PLAYED], seat, wide(actions[a]), log)
                _play_on(table, wide(hidden.round_number), silent, smart, legal, log, rng)
                values[a] = _worth(table[PLAYED], seat)
                count += 1
        for a in range(n):
            if alive[a]:
                sums[a] += values[a]
                squares[a, a] += values[a] ** 2
                for b in range(a):
                    if alive[b]:
                        squares[a, b] += (values[a] - values[b]) ** 2
                        squares[b, a] = squares[a, b]
    return count


@rule
def _play_on(
    table: Any, round: int, silent: int, smart: bool, legal: Any, log: Log, rng: Rng
) -> None:
    """To the end of the round. Seats that are silent let it be until another one has acted."""
    s = table[PLAYED]
    while s.round_number == round:
        waited = rules.waiting(s)
        if waited == 0:
            return
        seat, action = NOBODY, NOBODY
        others = rules.bystanders(s) & ~silent
        while others and action == NOBODY:
            seat = lowest(others)
            others &= others - 1
            n = rules.legal(s, seat, legal)
            if n > 0 and smart:
                action = _choose(table, seat, legal, n, rng)
        if action == NOBODY:
            seat = lowest(waited)
            n = rules.legal(s, seat, legal)
            if n == 1:
                action = wide(legal[0])
            elif smart and seat != CHANCE:
                action = _choose(table, seat, legal, n, rng)
            else:
                action = wide(legal[random_below(rng, n)])
        rules.apply(s, seat, action, log)
        silent = 0


@rule
def _choose(table: Any, seat: int, legal: Any, n: int, rng: Rng) -> int:
    table[SEEN] = table[PLAYED]
    rules.hide(table[SEEN], seat)
    return wide(policy.choose(table[SEEN], seat, legal, n, rng))


@rule
def _worth(s: Record, seat: int) -> float:
    """How likely a seat wins the match: its share of the win when the match is over, else by how
    far it is ahead, against the luck in what is to come."""
    if s.over:
        count = 0
        for other in range(s.players):
            count += s.winners >> other & 1
        return (s.winners >> seat & 1) / count
    scale = (-1.0 if rules.LOWEST_WINS else 1.0) / policy.luck(s)
    total = 0.0
    for other in range(s.players):
        total += exp(scale * (s.scores[other] - s.scores[seat]))
    return 1 / total


@rule
def narrow(alive: Any, worlds: int, sums: Any, squares: Any, doubt: float, slight: float) -> int:
    """Gives up actions that are hardly better than the best one so far, if at all; returns that.

    An action stays alive while it may, within `doubt` standard errors, be better by more than
    `slight`.
    """
    n = len(alive)
    best = NOBODY
    for a in range(n):
        if alive[a] and (best == NOBODY or sums[a] > sums[best]):
            best = a
    for a in range(n):
        if alive[a] and a != best:
            behind = (sums[best] - sums[a]) / worlds
            spread = (squares[best, a] + UNSEEN) / worlds
            alive[a] = doubt * sqrt(spread / worlds) - behind > slight
    return best
