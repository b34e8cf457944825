"""Numbered lists: actions, options, kinds of events, features; and the list of legal actions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from .compiling import rule

T = TypeVar("T")


class Numbered(list[T]):
    """A list that returns the number of what is added, so that numbers never drift from names."""

    def add(self, one: T) -> int:
        """Adds one; returns its number."""
        return self.row([one])

    def row(self, several: Iterable[T]) -> int:
        """Adds several in a row; returns the number of the first."""
        first = len(self)
        self.extend(several)
        return first


@rule("int64(int16[::1], int64, int64, boolean)")
def offer(out: Any, n: int, action: int, can: bool) -> int:
    """Writes an action as the n-th, and counts it only if it is legal: cheaper than a branch."""
    out[n] = action
    return n + can


@rule
def clear(out: Any) -> None:
    """Zeros, before something writes down what is not."""
    for i in range(len(out)):
        out[i] = 0.0
