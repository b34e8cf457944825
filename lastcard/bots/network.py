"""What a trained network makes of a seat's actions: a template, bound to a game's rules
(`kernel.bind`).

It works in whole numbers only, from what the seat observes to what each action is worth to it, so
that it comes to the same on every machine, in the browser and on a GPU. Weights have 8 bits, and
what passes from layer to layer has 12. Most of that is zero, and is skipped.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from lastcard.kernel import NOBODY, Record, rule, wide

rules: Any = None  # the game; set by `bind`

ONE = 1 << 10  # what 1.0 is to the first layer
MOST = (1 << 12) - 1  # that passes from layer to layer
SHIFT = 24  # of what a unit's factor is divided by
BEHIND_ACTIONS = 2  # what comes out last: what it is worth to wait, and what the round will bring

EXPORTS = {"weigh": "hidden:record seat:int net:Network work:Work"}
STRUCTURES = {
    "Network": (
        "sizes:int32[layers] weights:int8[weighing] biases:int32[units] factors:int32[units]"
    ),
    "Work": "seen:float32[observed] here:int32[widest] there:int32[widest]",
}


class Network(NamedTuple):
    """Layers, each connected with the whole of the one before."""

    sizes: Any  # of the layers; the first is what is observed, the last what comes out
    weights: Any  # by layer, by where they come from, by where they lead to
    biases: Any  # by layer and unit
    factors: Any  # by layer and unit: what a sum is multiplied by, and then divided by 2**SHIFT


class Work(NamedTuple):
    """The arrays that one thread works in. What comes out is the beginning of `here`."""

    seen: Any
    here: Any
    there: Any


@rule
def weigh(hidden: Record, seat: int, net: Network, work: Work) -> None:
    """From a seat's hidden record to what comes out: the more, the better an action is."""
    rules.observe(hidden, seat, work.seen)
    for i in range(net.sizes[0]):
        work.here[i] = _passed(work.seen[i])
    weight, unit = 0, 0
    last = len(net.sizes) - 2
    for layer in range(last + 1):
        width, wider = wide(net.sizes[layer]), wide(net.sizes[layer + 1])
        sums = work.there[:wider]
        _add_up(work.here[:width], net.weights[weight:], net.biases[unit:], sums)
        for k in range(wider):
            value = wide(sums[k]) * wide(net.factors[unit + k]) >> SHIFT
            work.here[k] = value if layer == last else min(max(value, 0), MOST)
        weight += width * wider
        unit += wider


@rule
def _passed(number: float) -> int:
    """What is observed as a whole number. ONE is a power of two, so that nothing is rounded but
    here."""
    value = number * ONE
    whole = int(value + 0.5) if value >= 0.0 else -int(0.5 - value)
    return min(max(whole, -MOST), MOST)


@rule
def _add_up(values: Any, weights: Any, biases: Any, sums: Any) -> None:
    """The sums of one layer's units."""
    wider = len(sums)
    for k in range(wider):
        sums[k] = biases[k]
    for i in range(len(values)):
        value = wide(values[i])
        if value != 0:
            row = weights[i * wider : (i + 1) * wider]
            for k in range(wider):
                sums[k] += value * wide(row[k])


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
