"""Counts of action sequences: a small number that changes when any rule does."""

import copy
from collections.abc import Sequence
from typing import Protocol


class Match(Protocol):
    """What counting asks of a game's twin."""

    def waiting(self) -> Sequence[int | str]: ...

    def legal(self, seat: int | str) -> Sequence[str]: ...

    def play(self, seat: int | str, action: str) -> None: ...


def perft(twin: Match, depth: int) -> list[int]:
    """How many sequences of 1, 2, ... depth actions there are, over all waited seats and chance.

    When the match is over nobody is waited for, and the sequence grows no longer.
    """
    counts = [0] * depth
    if depth == 0:
        return counts
    for seat in twin.waiting():
        for action in twin.legal(seat):
            counts[0] += 1
            if depth == 1:
                continue
            after = copy.deepcopy(twin)
            after.play(seat, action)
            for length, count in enumerate(perft(after, depth - 1), start=1):
                counts[length] += count
    return counts
