"""Judges actions by playouts: a template, bound to a game's rules and policy (`kernel.bind`).

A world is a guess at everything a seat cannot see. In every world each action is tried, and the
round played to its end: all actions meet the same luck, so that small differences show early. In
playouts seats choose

- by the game's policy, where it can be trusted, each from its own hidden record;
- in the same way by a network that was trained for the game (network.py);
- otherwise by a tree (information-set Monte Carlo tree search), which records for every sequence of
  choices how well it went for whoever chose. Beyond the tree they play at random.
"""

from __future__ import annotations

from math import sqrt
from typing import Any, NamedTuple

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
from lastcard.kernel.floats import exp, log
from lastcard.kernel.records import with_fields

from .network import ONE, Belief, Network, Work
from .network import STRUCTURES as THINKING

rules: Any = None  # the game; set by `bind`
policy: Any = None  # how seats choose in playouts; set by `bind`
network: Any = None  # or how else they do; set by `bind`

# How seats choose in playouts.
TREE, POLICY, NETWORK, DRAWN, GUIDED = range(5)
# A thread's records: a world, the playout in it, and what a seat sees of the playout.
GUESSED, PLAYED, SEEN = range(3)
RECORDS = 3
UNSEEN = 0.04  # prior on the squared difference, so that a few equal samples do not look certain
CURIOSITY = 0.5  # weight of what has seldom been tried
MOST_DOUBT = 20.0  # logarithm of how much less likely than another a guess can be
EVEN = 1 << 20  # steps in which worlds are drawn
TRUST = 0.3  # the same where the network says what is worth trying

# A choice that a seat made. Node 0 is none; its `visits` count the nodes in use. Then come the
# actions to judge.
NODE = with_fields(
    np.dtype(
        [
            ("parent", np.int32),
            ("child", np.int32),  # the youngest; its siblings follow
            ("sibling", np.int32),  # the next older one
            ("action", np.int16),
            ("seat", np.int16),
            ("offered", np.int32),  # how often it could be chosen
            ("visits", np.int32),  # how often it was chosen
            ("total", np.float64),  # its worth to the seat, summed over visits
            ("prior", np.float64),  # how likely the network would choose it
        ],
        align=True,
    ),
    __name__,
    "NODE",
)


EXPORTS = {
    "sample": (
        "hidden:record seat:int actions:int16[n] alive:bool[n] worlds:int guessing:flag "
        "tries:int way:int reach:int buffers:Buffers net:Network belief:Belief work:Work "
        "tally:Tally -> int"
    ),
    "plant": "tree:node[nodes] seat:int count:int",
    "narrow": (
        "alive:bool[n] worlds:int sums:float64[n] squares:float64[n,n] doubt:float slight:float "
        "-> int"
    ),
}
STRUCTURES = {
    "Buffers": (
        "records:record[3] legal:int16[most_legal] log:int32[rows,log_columns] rng:uint64[1] "
        "deal:deal tree:node[nodes] places:int32[actions]"
    ),
    **THINKING,
    "Tally": "values:float64[n] sums:float64[n] squares:float64[n,n]",
}


class Buffers(NamedTuple):
    """The arrays that one thread works in: nothing is allocated while it samples."""

    records: Any
    legal: Any
    log: Log
    rng: Rng
    deal: Deal
    tree: Any
    places: Any  # nodes by action


class Tally(NamedTuple):
    """What the actions were worth."""

    values: Any  # in the last world
    sums: Any  # over all worlds
    squares: Any  # sums of squares; off the diagonal, of the difference between two actions


@rule
def sample(
    hidden: Record,
    seat: int,
    actions: Any,
    alive: Any,
    worlds: int,
    guessing: bool,
    tries: int,
    way: int,
    reach: int,
    buffers: Buffers,
    net: Network,
    belief: Belief,
    work: Work,
    tally: Tally,
) -> int:
    """Tries all actions that are alive in a number of worlds; returns the number of playouts.

    The action NOBODY is to do nothing. `way` says how seats choose in playouts, and `reach` how
    many choices the seat makes before the network foresees how the round will end. Each world is
    drawn from so many guesses as `tries` says, by the belief how likely they are.
    """
    records, rng, values = buffers.records, buffers.rng, tally.values
    count = 0
    for _ in range(worlds):
        records[GUESSED] = hidden
        if guessing:  # otherwise the seat sees everything
            rules.guess(records[GUESSED], seat, rng, buffers.deal)
            if tries > 1:
                _draw_world(hidden, seat, tries, buffers, belief, work)
        luck = rng[0]  # the same for all actions, where the policy or dice need it
        for a in range(len(actions)):
            if alive[a]:
                rng[0] = luck
                values[a] = _try(seat, wide(actions[a]), 1 + a, way, reach, buffers, net, work)
                count += 1
        _add(alive, values, tally.sums, tally.squares)
    return count


@rule
def _draw_world(
    hidden: Record, seat: int, tries: int, buffers: Buffers, belief: Belief, work: Work
) -> None:
    """One of several guesses, the first of which is there, in proportion to how likely they are."""
    records, rng = buffers.records, buffers.rng
    total = _likelihood(records, GUESSED, seat, belief, work)
    for _ in range(tries - 1):
        records[PLAYED] = hidden
        rules.guess(records[PLAYED], seat, rng, buffers.deal)
        likely = _likelihood(records, PLAYED, seat, belief, work)
        total += likely
        if random_below(rng, EVEN) * total < likely * EVEN:
            records[GUESSED] = records[PLAYED]


@rule
def _likelihood(records: Any, world: int, seat: int, belief: Belief, work: Work) -> float:
    """Of a guess, from what all others see in it."""
    total = 0.0
    for other in range(records[world].players):
        if other != seat:
            records[SEEN] = records[world]
            rules.hide(records[SEEN], other)
            total += network.likelihood(records[SEEN], other, belief, work)
    return exp(min(max(total, -MOST_DOUBT), MOST_DOUBT))


@rule
def _try(
    seat: int,
    action: int,
    node: int,
    way: int,
    reach: int,
    buffers: Buffers,
    net: Network,
    work: Work,
) -> float:
    """An action's worth to a seat, by one playout in the world that was guessed."""
    records, tree = buffers.records, buffers.tree
    records[PLAYED] = records[GUESSED]
    round = wide(records[GUESSED].round_number)
    silent = 0
    if action == NOBODY:
        silent = bit(seat)
    else:
        rules.apply(records[PLAYED], seat, action, buffers.log)
    if way == GUIDED:
        return _search_on(seat, node, round, silent, buffers, net, work)
    if way != TREE:
        return _play_on(seat, round, silent, way, reach, buffers, net, work)
    last = _explore(
        records, node, round, buffers.legal, buffers.log, buffers.rng, tree, buffers.places
    )
    value = _play_on(seat, round, silent, way, reach, buffers, net, work)
    _learn(tree, last, records[PLAYED])
    return value


@rule
def _add(alive: Any, values: Any, sums: Any, squares: Any) -> None:
    """Adds what the actions were worth in one world to the tally."""
    for a in range(len(alive)):
        if alive[a]:
            sums[a] += values[a]
            squares[a, a] += values[a] * values[a]
            for b in range(a):
                if alive[b]:
                    apart = values[a] - values[b]
                    squares[a, b] += apart * apart
                    squares[b, a] = squares[a, b]


@rule
def _play_on(
    me: int,
    round: int,
    silent: int,
    way: int,
    reach: int,
    buffers: Buffers,
    net: Network,
    work: Work,
) -> float:
    """Plays to the end of the round, and returns what a seat's chance to win is then. After so many
    choices of the seat as `reach` says, the network foresees it instead.

    Silent seats do nothing until another one has acted.
    """
    records, legal, rng = buffers.records, buffers.legal, buffers.rng
    s = records[PLAYED]
    while s.round_number == round:
        waited = rules.waiting(s)
        if waited == 0:
            break
        seat, action = NOBODY, NOBODY
        others = 0 if way == TREE else rules.bystanders(s) & ~silent  # at random nobody interjects
        while others and action == NOBODY:
            seat = lowest(others)
            others &= others - 1
            n = rules.legal(s, seat, legal)
            if n > 0 and seat == me and reach == 0:
                return _foreseen(records, me, net, work, legal)
            if n > 0:
                reach -= seat == me
                action = _choose(records, seat, False, way, legal, n, rng, net, work)
        if action == NOBODY:
            seat = lowest(waited)
            n = rules.legal(s, seat, legal)
            if n == 1:
                action = wide(legal[0])
            elif way == TREE or seat == CHANCE:
                action = wide(legal[random_below(rng, n)])
            elif seat == me and reach == 0:
                return _foreseen(records, me, net, work, legal)
            else:
                reach -= seat == me
                action = _choose(records, seat, True, way, legal, n, rng, net, work)
        rules.apply(s, seat, action, buffers.log)
        silent = 0
    return worth(s, me)


@rule
def _foreseen(records: Any, seat: int, net: Network, work: Work, legal: Any) -> float:
    """A seat's chance to win as the network foresees it at a choice of that seat."""
    records[SEEN] = records[PLAYED]
    rules.hide(records[SEEN], seat)
    network.weigh_some(records[SEEN], seat, net, work, legal, 0)
    return _hoped(records, seat, net, work)


@rule
def _hoped(records: Any, seat: int, net: Network, work: Work) -> float:
    """Nothing but the end of a round changes what a match is worth."""
    return min(max(worth(records[GUESSED], seat) + network.foreseen(net, work), 0.0), 1.0)


@rule
def _choose(
    records: Any,
    seat: int,
    waited: bool,
    way: int,
    legal: Any,
    n: int,
    rng: Rng,
    net: Network,
    work: Work,
) -> int:
    records[SEEN] = records[PLAYED]
    rules.hide(records[SEEN], seat)
    if way == POLICY:
        return wide(policy.choose(records[SEEN], seat, legal, n, rng))
    network.weigh_some(records[SEEN], seat, net, work, legal, n)
    if way == NETWORK:
        return wide(network.prefer(net, work, legal, n, waited))
    return wide(network.draw(net, work, legal, n, waited, rng))


@rule
def _search_on(
    me: int, node: int, round: int, silent: int, buffers: Buffers, net: Network, work: Work
) -> float:
    """Plays on from a node of a tree in which a seat looks for what is best for it, and the others
    choose as the network does; returns what that comes to.

    Out of turn the network chooses for all.
    """
    records, legal, rng = buffers.records, buffers.legal, buffers.rng
    tree, places = buffers.tree, buffers.places
    s = records[PLAYED]
    value = -1.0
    while value < 0.0:
        waited = rules.waiting(s)
        if s.round_number != round or waited == 0:
            value = worth(s, me)
            break
        seat, action = NOBODY, NOBODY
        others = rules.bystanders(s) & ~silent
        while others and action == NOBODY:
            seat = lowest(others)
            others &= others - 1
            n = rules.legal(s, seat, legal)
            if n > 0:
                action = _choose(records, seat, False, GUIDED, legal, n, rng, net, work)
        if action == NOBODY:
            seat = lowest(waited)
            n = rules.legal(s, seat, legal)
            if n == 1 or seat == CHANCE:
                rules.apply(s, seat, wide(legal[random_below(rng, n)]), buffers.log)
                silent = 0
                continue
            if seat == me:
                value = _hope(seat, node, n, buffers, net, work)
                if value < 0.0:
                    node = _most_hopeful(tree, node, legal, n, places)
                    rules.apply(s, me, wide(tree[node].action), buffers.log)
                    silent = 0
                continue
            action = _choose(records, seat, True, GUIDED, legal, n, rng, net, work)
        rules.apply(s, seat, action, buffers.log)
        silent = 0
        node = _child_of(tree, node, seat, action)
        if node == 0:
            return _play_on(me, round, 0, NETWORK, 0, buffers, net, work)
    while node:
        tree[node].visits += 1
        tree[node].total += value
        node = wide(tree[node].parent)
    return value


@rule
def _hope(seat: int, node: int, n: int, buffers: Buffers, net: Network, work: Work) -> float:
    """Where the tree ends at a choice of the searching seat: what the network foresees there for
    it; -1 if the tree goes on. Adds nodes that are missing, if there is room."""
    records, legal, tree = buffers.records, buffers.legal, buffers.tree
    known = _find_children(tree, node, seat, legal, n, buffers.places)
    if known == n:
        return -1.0
    records[SEEN] = records[PLAYED]
    rules.hide(records[SEEN], seat)
    network.weigh_some(records[SEEN], seat, net, work, legal, n)
    full = wide(tree[0].visits) + n - known > len(tree)
    if not full:
        _expect(tree, node, seat, legal, n, buffers.places, net, work)
    return _hoped(records, seat, net, work) if full or known == 0 else -1.0


@rule
def _child_of(tree: Any, parent: int, seat: int, action: int) -> int:
    """The node of a choice, which is added if need be; 0 if there is no room."""
    child = wide(tree[parent].child)
    while child and (tree[child].seat != seat or tree[child].action != action):
        child = wide(tree[child].sibling)
    if child == 0 and tree[0].visits < len(tree):
        child = _add_child(tree, parent, seat, action)
    return child


@rule
def _expect(
    tree: Any, parent: int, seat: int, legal: Any, n: int, places: Any, net: Network, work: Work
) -> None:
    """Adds nodes for actions that have none, each with how likely the network would choose it."""
    most, total = -1e9, 0.0
    for i in range(n):
        most = max(most, wide(work.here[legal[i]]) / ONE)
    for i in range(n):
        total += exp(wide(work.here[legal[i]]) / ONE - most)
    for i in range(n):
        if places[legal[i]] == 0:
            node = _add_child(tree, parent, seat, wide(legal[i]))
            tree[node].prior = exp(wide(work.here[legal[i]]) / ONE - most) / total
            places[legal[i]] = node


@rule
def _most_hopeful(tree: Any, parent: int, legal: Any, n: int, places: Any) -> int:
    """The best so far, with a bonus for what the network likes and has seldom been tried (PUCT)."""
    best, most = wide(places[legal[0]]), -1.0
    tries = tree[parent].visits
    usual = tree[parent].total / max(tries, 1)
    for i in range(n):
        node = wide(places[legal[i]])
        visits = tree[node].visits
        promise = usual if visits == 0 else tree[node].total / visits
        promise += TRUST * tree[node].prior * sqrt(tries) / (1 + visits)
        if promise > most:
            best, most = node, promise
    return best


@rule
def plant(tree: Any, seat: int, count: int) -> None:
    """Resets a tree to the actions of a seat."""
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
    tree[node].prior = 0.0


@rule
def _explore(
    records: Any, node: int, round: int, legal: Any, log: Log, rng: Rng, tree: Any, places: Any
) -> int:
    """Plays on from a node to the end of the tree and adds a node there; returns the last node.

    Stops where a seat may act out of turn: the tree knows no such choices.
    """
    s = records[PLAYED]
    while s.round_number == round and rules.bystanders(s) == 0:
        waited = rules.waiting(s)
        if waited == 0:
            break
        seat = lowest(waited)
        n = rules.legal(s, seat, legal)
        if n == 1 or seat == CHANCE:
            rules.apply(s, seat, wide(legal[random_below(rng, n)]), log)
            continue
        known = _find_children(tree, node, seat, legal, n, places)
        if known < n and tree[0].visits < len(tree):
            node = _grow(tree, node, seat, legal, n, random_below(rng, n - known), places)
            rules.apply(s, seat, wide(tree[node].action), log)
            break
        if known == 0:
            break
        node = _most_promising(tree, legal, n, places)
        rules.apply(s, seat, wide(tree[node].action), log)
    return node


@rule
def _find_children(tree: Any, node: int, seat: int, legal: Any, n: int, places: Any) -> int:
    """Writes the nodes of the legal actions to `places`, 0 for none; returns how many there are."""
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
    """Adds a node for one of the actions that have none, after skipping some of them."""
    action = NOBODY
    for i in range(n):
        if places[legal[i]] == 0:
            if skip == 0:
                action = wide(legal[i])
            skip -= 1
    return _add_child(tree, parent, seat, action)


@rule
def _add_child(tree: Any, parent: int, seat: int, action: int) -> int:
    node = wide(tree[0].visits)
    tree[0].visits += 1
    _set_up(tree, node, parent, action, seat)
    tree[parent].child = node
    return node


@rule
def _most_promising(tree: Any, legal: Any, n: int, places: Any) -> int:
    """The best so far, with a bonus for what has seldom been tried (UCB1)."""
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
    """Credits every choice on the way to a node with how it ended."""
    while node:
        tree[node].visits += 1
        tree[node].total += worth(s, wide(tree[node].seat))
        node = wide(tree[node].parent)


@rule
def worth(s: Record, seat: int) -> float:
    """A seat's chance to win the match: its share of the win if the match is over, otherwise an
    estimate from its lead and the luck still to come."""
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
    """Drops actions that cannot be much better than the best so far; returns the best.

    An action stays alive while, within `doubt` standard errors, it may be better by more than
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
