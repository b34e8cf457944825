"""Matches that go on until somebody has a number of points, but not for ever."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lastcard.core.game import Game

TARGET = "target"  # the option, in the games that have it


@dataclass(frozen=True)
class Limit:
    """After so many rounds a match ends in any case (`LAST_ROUND` of a game's components)."""

    rounds: int
    target: int  # points with which it ends by itself

    @property
    def words(self) -> str:
        return f"matches ended by the limit of {self.rounds} rounds"

    def reached(self, rounds: Any, scores: Any) -> Any:
        """Which matches only the limit has ended, by their rounds and final scores."""
        return (rounds >= self.rounds) & (scores.max(axis=1) < self.target)


def limit_of(rules: Game, options: Mapping[str, Any]) -> Limit | None:
    """What ends a match with these options if nobody reaches the target; None if there is none."""
    rounds = getattr(rules.part("components"), "LAST_ROUND", None)
    target = options.get(TARGET)
    return None if rounds is None or target is None else Limit(rounds, int(target))
