"""Judging actions by playing on: a template, bound to a game's rules and policy (`kernel.bind`).

A world is a guess of all that a seat cannot see. In every world each action is tried, and the round
played to its end, so that all actions meet the same luck, and small differences between them show
soon. How seats play on:

- where the game's policy can be trusted, by that, every seat by its own hidden record;
- else as a tree shows (information-set Monte Carlo tree search): it keeps for every sequence of
  choices how well it went for whoever chose. Where the tree ends, seats play by chance.
"""

from __future__ import annotations

from math import exp, log, sqrt
from typing import Any

import numpy as np

from lastcard.kernel import (
    CHANCE,
    NOBODY,
    Deal,
    Log,
    Record,
    Rng,
    bit,
    lowest,
    random_below,
    rule,
    wide,
)

rules: Any = None  # the game, and
policy: Any = None  # how seats play on; both set by `bind`

# The records of a `table`: a world, the same played on, and what a seat sees of that.
GUESSED, PLAYED, SEEN = range(3)
RECORDS = 3
UNSEEN = 0.04  # so much, squared, two actions may differ in one world more than was seen

# A node of the tree: a choice that a seat made. Node 0 stands for no node, and counts them; then
# come the actions that are tried.
NODE = np.dtype(
    [
        ("parent", np.int32),
        ("child", np.int32),  # the youngest; the others follow
        ("sibling", np.int32),  # the next older one
        ("action", np.int16),
        ("seat", np.int16),
        ("offered", np.int32),  # how often it could be chosen,
        ("visits", np.int32),  # and was
        ("total", np.float64),  # what that was worth to the seat
    ],
    align=True,
)
CURIOSITY = 0.5  # the weight of what has seldom been tried


@rule
def sample(
    hidden: Record,
    seat: int,
    actions: Any,
    alive: Any,
    worlds: int,
    guessing: bool,
    trusting: bool,
    table: Any,
    legal: Any,
    events: Log,
    rng: Rng,
    deal: Deal,
    tree: Any,
    places: Any,
    values: Any,
    sums: Any,
    squares: Any,
) -> int:
    """Tries all actions that are alive in so many worlds; returns how often it played on.

    What each was worth is added to `sums`; its square, and that of the difference between any two,
    to `squares`. The action NOBODY is to let it be.
    """
    count = 0
    n = len(actions)
    for _ in range(worlds):
        table[GUESSED] = hidden
        if guessing:  # else there is nothing that it does not see
            rules.guess(table[GUESSED], seat, rng, deal)
        luck = rng[0]  # the same for all actions, where the policy or dice need it
        for a in range(n):
            if alive[a]:
                rng[0] = luck
                table[PLAYED] = table[GUESSED]
                silent = 0
                if actions[a] == NOBODY:
                    silent = bit(seat)
                else:
                    rules.apply(table[PLAYED], seat, wide(actions[a]), events)
                round = wide(hidden.round_number)
                if trusting:
                    _play_on(table, round, silent, True, legal, events, rng)
                else:
                    node = _explore(table, 1 + a, round, legal, events, rng, tree, places)
                    _play_on(table, round, silent, False, legal, events, rng)
                    _learn(tree, node, table[PLAYED])
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
    table: Any, round: int, silent: int, trusting: bool, legal: Any, events: Log, rng: Rng
) -> None:
    """To the end of the round. Seats that are silent let it be until another one has acted."""
    s = table[PLAYED]
    while s.round_number == round:
        waited = rules.waiting(s)
        if waited == 0:
            return
        seat, action = NOBODY, NOBODY
        others = rules.bystanders(s) & ~silent if trusting else 0  # by chance all let it be
        while others and action == NOBODY:
            seat = lowest(others)
            others &= others - 1
            n = rules.legal(s, seat, legal)
            if n > 0:
                action = _choose(table, seat, legal, n, rng)
        if action == NOBODY:
            seat = lowest(waited)
            n = rules.legal(s, seat, legal)
            if n == 1:
                action = wide(legal[0])
            elif trusting and seat != CHANCE:
                action = _choose(table, seat, legal, n, rng)
            else:
                action = wide(legal[random_below(rng, n)])
        rules.apply(s, seat, action, events)
        silent = 0


@rule
def _choose(table: Any, seat: int, legal: Any, n: int, rng: Rng) -> int:
    table[SEEN] = table[PLAYED]
    rules.hide(table[SEEN], seat)
    return wide(policy.choose(table[SEEN], seat, legal, n, rng))


@rule
def plant(tree: Any, seat: int, count: int) -> None:
    """A tree with nothing but the actions of a seat."""
    tree[0].visits = 1 + count
    for node in range(1, 1 + count):
        _set_up(tree, node, 0, NOBODY, seat)


@rule
def _set_up(tree: Any, node: int, parent: int, action: int, seat: int) -> None:
    tree[node].parent = parent
    tree[node].child = 0
    tree[node].sibling = tree[parent].child
    tree[node].action = action
    tree[node].seat = seat
    tree[node].offered = 1
    tree[node].visits = 0
    tree[node].total = 0.0


@rule
def _explore(
    table: Any, node: int, round: int, legal: Any, events: Log, rng: Rng, tree: Any, places: Any
) -> int:
    """Plays on from a node as far as the tree goes, and one choice further, which becomes a node;
    returns the last one. (Who acts without being waited for is left to playing on.)"""
    s = table[PLAYED]
    while s.round_number == round and rules.bystanders(s) == 0:
        waited = rules.waiting(s)
        if waited == 0:
            break
        seat = lowest(waited)
        n = rules.legal(s, seat, legal)
        if n == 1 or seat == CHANCE:
            rules.apply(s, seat, wide(legal[random_below(rng, n)]), events)
            continue
        known = _find_children(tree, node, seat, legal, n, places)
        if known < n and tree[0].visits < len(tree):
            node = _grow(tree, node, seat, legal, n, random_below(rng, n - known), places)
            rules.apply(s, seat, wide(tree[node].action), events)
            break
        if known == 0:
            break
        node = _most_promising(tree, legal, n, places)
        rules.apply(s, seat, wide(tree[node].action), events)
    return node


@rule
def _find_children(tree: Any, node: int, seat: int, legal: Any, n: int, places: Any) -> int:
    """Where the nodes of legal actions are, by action: 0 if there is none; returns how many are."""
    for i in range(n):
        places[legal[i]] = -1
    known = 0
    child = wide(tree[node].child)
    while child:
        if tree[child].seat == seat and places[tree[child].action] == -1:
            places[tree[child].action] = child
            tree[child].offered += 1
            known += 1
        child = wide(tree[child].sibling)
    for i in range(n):
        places[legal[i]] = max(places[legal[i]], 0)
    return known


@rule
def _grow(tree: Any, parent: int, seat: int, legal: Any, n: int, skip: int, places: Any) -> int:
    """A node for one of the actions that have none, passing over some of these."""
    action = NOBODY
    for i in range(n):
        if places[legal[i]] == 0:
            if skip == 0:
                action = wide(legal[i])
            skip -= 1
    node = wide(tree[0].visits)
    tree[0].visits += 1
    _set_up(tree, node, parent, action, seat)
    tree[parent].child = node
    return node


@rule
def _most_promising(tree: Any, legal: Any, n: int, places: Any) -> int:
    """The best so far, but also what has seldom been tried (UCB1)."""
    best, most = 0, -1.0
    for i in range(n):
        node = wide(places[legal[i]])
        if node:
            visits = tree[node].visits
            promise = tree[node].total / visits
            promise += CURIOSITY * sqrt(log(tree[node].offered) / visits)
            if promise > most:
                best, most = node, promise
    return best


@rule
def _learn(tree: Any, node: int, s: Record) -> None:
    """Tells all who chose how it ended."""
    while node:
        tree[node].visits += 1
        tree[node].total += _worth(s, wide(tree[node].seat))
        node = wide(tree[node].parent)


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
