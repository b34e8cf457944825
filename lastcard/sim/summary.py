"""How seats did, summed up from rows by match as they come."""

from __future__ import annotations

from typing import Any

import numpy as np

from .plans import Plan


class Summary:
    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.matches = 0
        self._counts = np.zeros(2)  # rounds, decisions
        self._shares = np.zeros(plan.players)
        self._scores = np.zeros(plan.players)

    def add(self, table: Any) -> None:
        """Adds the rows of an Arrow table."""
        self.matches += table.num_rows
        for i, name in enumerate(("rounds", "decisions")):
            self._counts[i] += table[name].to_numpy().sum()
        winners = table["winners"].combine_chunks()
        each = np.diff(winners.offsets.to_numpy())
        self._shares += np.bincount(
            winners.values.to_numpy(), np.repeat(1 / each, each), self.plan.players
        )
        scores = table["scores"].combine_chunks().flatten().to_numpy()
        self._scores += scores.reshape(-1, self.plan.players).sum(axis=0)

    @property
    def rounds(self) -> float:
        return float(self._counts[0] / self.matches)

    @property
    def decisions(self) -> float:
        return float(self._counts[1] / self.matches)

    def seats(self) -> list[tuple[str, float, float]]:
        """The bot of each seat, its share of the wins, and its mean score."""
        return [
            (name, float(share), float(score))
            for name, share, score in zip(
                self.plan.bots,
                self._shares / self.matches,
                self._scores / self.matches,
                strict=True,
            )
        ]
