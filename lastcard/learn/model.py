"""Networks as PyTorch trains them, and as bots play by them: in whole numbers."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn.functional import linear, pad

from lastcard.bots.network import MOST, ONE, SHIFT, Network

LARGEST = 127  # a weight
MOST_SCALED = 10.0  # what an input is multiplied by, at the most
WHOLE = 16  # GPUs multiply matrices several times as fast whose sizes are multiples of it
HEADROOM = 1.25  # between what a layer has passed on in a sample, and the most it can


class Model(nn.Module):
    """From what a seat observes to a score for each action, and to what the round will bring it.

    A stack of layers; the last one has the scores, and behind them the value. What it is given may
    have further columns of zeros.
    """

    def __init__(self, inputs: int, width: int, depth: int, outputs: int) -> None:
        super().__init__()
        sizes = [inputs, *[width] * depth]
        self.layers = nn.ModuleList(nn.Linear(one, next) for one, next in itertools.pairwise(sizes))
        self.last = nn.Linear(width, outputs)
        self.register_buffer("scales", torch.ones(inputs))
        for layer in self.layers:
            nn.init.orthogonal_(layer.weight, math.sqrt(2))
            nn.init.zeros_(layer.bias)
        nn.init.orthogonal_(self.last.weight, 0.01)
        nn.init.zeros_(self.last.bias)

    @property
    def inputs(self) -> int:
        return len(self.scales)

    def forward(self, seen: Any) -> tuple[Any, Any]:
        first, last = self.layers[0], self.last
        weight = pad(first.weight * self.scales, (0, seen.shape[1] - self.inputs))
        here = torch.relu(linear(seen, weight, first.bias))
        for layer in itertools.islice(self.layers, 1, None):
            here = torch.relu(layer(here))
        outputs = last.out_features
        more = rounded_up(outputs) - outputs
        out = linear(here, pad(last.weight, (0, 0, 0, more)), pad(last.bias, (0, more)))
        return out[:, : outputs - 1], out[:, outputs - 1].float()

    @torch.no_grad()
    def adjust(self, sample: Any) -> None:
        """Makes up for numbers that differ little: all inputs are to matter alike in the beginning.
        A sample of observations tells how much they differ."""
        spread = sample[:, : self.inputs].float().std(0)
        self.scales.copy_((1 / spread.clamp(min=1 / MOST_SCALED)).to(self.scales.device))

    @torch.no_grad()
    def take_over(self, net: Network) -> None:
        """Has what a network of the same size has learned so far, as far as whole numbers tell."""
        for layer, (weights, biases, factors) in zip(
            (*self.layers, self.last), layers_of(net), strict=True
        ):
            # What 1.0 is between layers may be anything that is positive: so it is ONE everywhere.
            weight = torch.from_numpy(weights * factors[:, None])
            if layer is self.layers[0]:
                weight = weight / self.scales.double().cpu()
            layer.weight.copy_(weight)
            layer.bias.copy_(torch.from_numpy(biases * factors / ONE))

    @torch.no_grad()
    def in_whole_numbers(self, sample: Any) -> Network:
        """The same for bots. A sample of observations tells how much each layer passes on."""
        here = sample[:, : self.inputs].float()
        one = float(ONE)  # what 1.0 is in the numbers that a layer is given
        sizes, weights, biases, factors = [here.shape[1]], [], [], []
        for layer in (*self.layers, self.last):
            weight, bias = layer.weight.float().cpu(), layer.bias.float().cpu()
            if layer is self.layers[0]:
                weight = weight * self.scales.cpu()
            here = here.cpu() @ weight.T + bias
            final = layer is self.last
            if not final:
                here = torch.relu(here)
            # Each unit has a scale of its own, so that its largest weight is LARGEST.
            step = weight.abs().amax(1).clamp(min=1e-6) / LARGEST
            next = float(ONE) if final else MOST / (HEADROOM * float(here.max().clamp(min=1e-3)))
            sizes.append(len(bias))
            weights.append((weight / step[:, None]).round().T.numpy().astype(np.int8))
            biases.append((bias.double() / step * one).round().numpy().astype(np.int32))
            factors.append((step.double() * next / one * 2**SHIFT).round().numpy().astype(np.int32))
            one = next
        return Network(
            sizes=np.array(sizes, np.int32),
            weights=np.concatenate([part.reshape(-1) for part in weights]),
            biases=np.concatenate(biases),
            factors=np.concatenate(factors),
        )


def rounded_up(size: int) -> int:
    return -(-size // WHOLE) * WHOLE


def layers_of(net: Network) -> Iterator[tuple[Any, Any, Any]]:
    """By layer of a network in whole numbers: weights by unit and by what it is given, biases, and
    factors; in double precision, in which they are exact."""
    weight = unit = 0
    for width, wider in itertools.pairwise(map(int, net.sizes)):
        rows = net.weights[weight : weight + width * wider].reshape(width, wider)
        units = slice(unit, unit + wider)
        biases, factors = net.biases[units], net.factors[units]
        yield rows.T.astype(np.float64), biases.astype(np.float64), factors / 2.0**SHIFT
        weight += width * wider
        unit += wider
