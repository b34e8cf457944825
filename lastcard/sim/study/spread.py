"""How numbers are spread: legal actions at a decision, and histograms."""

from __future__ import annotations

from typing import Any

import numpy as np

from .estimates import Sample, ratio, share
from .svg import Bin

MOST_BINS = 30


def branching(match: Any, legal: Any) -> dict[str, Sample]:
    """By what it is called: legal actions, those where there are several, and where not."""
    matches = int(match.max()) + 1
    each = np.bincount(match, minlength=matches)
    real = np.bincount(match, legal > 1, matches)
    return {
        "legal actions at a decision": ratio(np.bincount(match, legal, matches), each),
        "legal actions where there is a choice": ratio(
            np.bincount(match, np.where(legal > 1, legal, 0), matches), real
        ),
        "decisions without a choice": share(each - real, each),
    }


def bins_of(match: Any, values: Any) -> list[Bin]:
    """Whole numbers in bins of equal width; the highest hundredth is gathered in the last."""
    values = np.asarray(values).astype(int)
    matches = int(np.max(match)) + 1
    low = int(values.min())
    high = max(int(np.quantile(values, 0.99)), low)
    width = -(-(high - low + 1) // MOST_BINS)
    count = -(-(high - low + 1) // width)
    places = np.minimum((values - low) // width, count - 1)
    each = np.bincount(match, minlength=matches)
    return [
        Bin(
            low + place * width,
            low + (place + 1) * width,
            share(np.bincount(match, places == place, matches), each).estimate(),
        )
        for place in range(count)
    ]
