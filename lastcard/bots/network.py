"""What a trained network makes of a seat's actions: a template, bound to a game's rules
(`kernel.bind`).

It works in whole numbers only, from what the seat observes to what each action is worth to it, so
that it comes to the same on every machine, in the browser and on a GPU. Weights have 8 bits, and
what passes from layer to layer has 12. Most of that is zero, and is skipped.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from lastcard.kernel import NOBODY, Record, Rng, clear, random_below, rule, wide
from lastcard.kernel.floats import exp, log

rules: Any = None  # the game; set by `bind`

ONE = 1 << 10  # what 1.0 is to the first layer
MOST = (1 << 12) - 1  # that passes from layer to layer
SHIFT = 24  # of what a unit's factor is divided by
BEHIND_ACTIONS = 2  # what comes out last: what it is worth to wait, and what the round will bring

EVEN = 1 << 20  # steps in which chances are drawn

EXPORTS = {
    "weigh": "hidden:record seat:int net:Network work:Work",
    "favour": ("hidden:record seat:int actions:int16[n] net:Network work:Work favours:float64[n]"),
}
STRUCTURES = {
    "Network": (
        "sizes:int32[layers] weights:int8[weighing] biases:int32[units] factors:int32[units]"
    ),
    "Belief": (
        "belief_sizes:int32[belief_layers] belief_weights:int8[belief_weighing] "
        "belief_biases:int32[belief_units] belief_factors:int32[belief_units]"
    ),
    "Work": ("seen:float32[observed] here:int32[widest] there:int32[widest] lit:int32[widest]"),
}


class Network(NamedTuple):
    """Layers, each connected with the whole of the one before."""

    sizes: Any  # of the layers; the first is what is observed, the last what comes out
    weights: Any  # by layer, by where they come from, by where they lead to
    biases: Any  # by layer and unit
    factors: Any  # by layer and unit: what a sum is multiplied by, and then divided by 2**SHIFT


class Belief(NamedTuple):
    """A network that tells how much likelier a world is than `guess` deals it, from what another
    player sees in it: what players have done has told something of what they hold."""

    belief_sizes: Any
    belief_weights: Any
    belief_biases: Any
    belief_factors: Any


class Work(NamedTuple):
    """The arrays that one thread works in. What comes out is the beginning of `here`."""

    seen: Any
    here: Any
    there: Any
    lit: Any  # the places of what is not zero


@rule
def weigh(hidden: Record, seat: int, net: Network, work: Work) -> None:
    """From a seat's hidden record to what comes out: the more, the better an action is."""
    weight, unit = _think(hidden, seat, net, work)
    last = len(net.sizes) - 2
    width, wider = wide(net.sizes[last]), wide(net.sizes[last + 1])
    sums = work.there[:wider]
    _add_up(work.here[:width], net.weights[weight:], net.biases[unit:], sums, work.lit)
    for k in range(wider):
        work.here[k] = wide(sums[k]) * wide(net.factors[unit + k]) >> SHIFT


@rule
def weigh_some(hidden: Record, seat: int, net: Network, work: Work, legal: Any, n: int) -> None:
    """The same for some actions only, for waiting and for what the round will bring; the rest of
    what comes out means nothing."""
    weight, unit = _think(hidden, seat, net, work)
    last = len(net.sizes) - 2
    width, wider = wide(net.sizes[last]), wide(net.sizes[last + 1])
    first = wider - BEHIND_ACTIONS
    sums, some = work.there, 0
    for i in range(width):
        work.lit[some] = i
        some += wide(work.here[i]) != 0
    for j in range(n + BEHIND_ACTIONS):
        k = wide(legal[j]) if j < n else first + j - n
        total = wide(net.biases[unit + k])
        for place in range(some):
            i = wide(work.lit[place])
            total += wide(work.here[i]) * wide(net.weights[weight + i * wider + k])
        sums[k] = total
    for j in range(n + BEHIND_ACTIONS):
        k = wide(legal[j]) if j < n else first + j - n
        work.here[k] = wide(sums[k]) * wide(net.factors[unit + k]) >> SHIFT


@rule
def _think(hidden: Record, seat: int, net: Network, work: Work) -> Any:
    """All layers but the last; returns where the weights and the units of that one begin."""
    clear(work.seen)
    rules.observe(hidden, seat, work.seen)
    for i in range(net.sizes[0]):
        work.here[i] = _passed(work.seen[i])
    weight, unit = 0, 0
    for layer in range(len(net.sizes) - 2):
        width, wider = wide(net.sizes[layer]), wide(net.sizes[layer + 1])
        sums = work.there[:wider]
        _add_up(work.here[:width], net.weights[weight:], net.biases[unit:], sums, work.lit)
        for k in range(wider):
            value = wide(sums[k]) * wide(net.factors[unit + k]) >> SHIFT
            work.here[k] = min(max(value, 0), MOST)
        weight += width * wider
        unit += wider
    return weight, unit


@rule
def _passed(number: float) -> int:
    """What is observed as a whole number. ONE is a power of two, so that nothing is rounded but
    here."""
    value = number * ONE
    whole = int(value + 0.5) if value >= 0.0 else -int(0.5 - value)
    return min(max(whole, -MOST), MOST)


@rule
def _add_up(values: Any, weights: Any, biases: Any, sums: Any, places: Any) -> None:
    """The sums of one layer's units: four values at a time that are not zero, so that sums are
    seldom fetched."""
    wider = len(sums)
    for k in range(wider):
        sums[k] = biases[k]
    some = 0
    for i in range(len(values)):
        places[some] = i
        some += wide(values[i]) != 0
    while some % 4:
        some -= 1
        value, row = _row(values, weights, places, some, wider)
        for k in range(wider):
            sums[k] += value * wide(row[k])
    for place in range(0, some, 4):
        value, row = _row(values, weights, places, place, wider)
        value_1, row_1 = _row(values, weights, places, place + 1, wider)
        value_2, row_2 = _row(values, weights, places, place + 2, wider)
        value_3, row_3 = _row(values, weights, places, place + 3, wider)
        for k in range(wider):
            total = value * wide(row[k]) + value_1 * wide(row_1[k])
            sums[k] += total + value_2 * wide(row_2[k]) + value_3 * wide(row_3[k])


@rule
def _row(values: Any, weights: Any, places: Any, place: int, wider: int) -> Any:
    """A value that is not zero, and the weights from there."""
    i = wide(places[place])
    return wide(values[i]), weights[i * wider : (i + 1) * wider]


@rule
def prefer(net: Network, work: Work, legal: Any, n: int, waited: bool) -> int:
    """The best of a seat's legal actions, the first of equal ones, after `weigh`; NOBODY if the
    seat is not waited for, and it is better to wait."""
    scores = work.here
    best = wide(legal[0])
    for k in range(1, n):
        if scores[legal[k]] > scores[best]:
            best = wide(legal[k])
    if not waited and scores[net.sizes[len(net.sizes) - 1] - BEHIND_ACTIONS] > scores[best]:
        return NOBODY
    return best


@rule
def draw(net: Network, work: Work, legal: Any, n: int, waited: bool, rng: Rng) -> int:
    """One of a seat's legal actions, or NOBODY, each as likely as the network finds it; after
    `weigh`."""
    scores, best = work.here, prefer(net, work, legal, n, waited)
    wait = wide(net.sizes[len(net.sizes) - 1]) - BEHIND_ACTIONS
    most = wide(scores[wait if best == NOBODY else best])
    total = 0.0 if waited else exp((wide(scores[wait]) - most) / ONE)
    for k in range(n):
        total += exp((wide(scores[legal[k]]) - most) / ONE)
    left = total * random_below(rng, EVEN) / EVEN
    for k in range(n):
        left -= exp((wide(scores[legal[k]]) - most) / ONE)
        if left < 0.0:
            return wide(legal[k])
    return wide(legal[n - 1]) if waited else NOBODY


@rule
def foreseen(net: Network, work: Work) -> float:
    """By how much the round will still change the seat's chance to win, after `weigh`."""
    return work.here[net.sizes[len(net.sizes) - 1] - 1] / ONE


@rule
def likelihood(hidden: Record, seat: int, belief: Belief, work: Work) -> float:
    """How much likelier it is that a seat sees this than that `guess` deals it, as a logarithm."""
    net = Network(
        belief.belief_sizes, belief.belief_weights, belief.belief_biases, belief.belief_factors
    )
    weigh(hidden, seat, net, work)
    return work.here[0] / ONE


@rule
def favour(hidden: Record, seat: int, actions: Any, net: Network, work: Work, favours: Any) -> None:
    """The logarithm of how likely the network would choose each of a seat's actions, NOBODY among
    them."""
    weigh(hidden, seat, net, work)
    scores = work.here
    wait = wide(net.sizes[len(net.sizes) - 1]) - BEHIND_ACTIONS
    most, total = -1e9, 0.0
    for a in range(len(actions)):
        favours[a] = wide(scores[wait if actions[a] == NOBODY else actions[a]]) / ONE
        most = max(most, favours[a])
    for a in range(len(actions)):
        total += exp(favours[a] - most)
    for a in range(len(actions)):
        favours[a] = favours[a] - most - log(total)
