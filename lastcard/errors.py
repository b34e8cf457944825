"""Errors that users can cause. Each says what is wrong in a sentence, and changes nothing."""

from __future__ import annotations


class LastCardError(ValueError):
    """Base class of the errors below. They can be pickled, for worker processes."""

    def __str__(self) -> str:
        return ": ".join(map(str, self.args))


class IllegalAction(LastCardError):
    """An action that is not legal now."""


class BadPosition(LastCardError):
    """An impossible position. The message starts with the key concerned."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(key, reason)


class BadOption(LastCardError):
    """An option, a number of players or a seed that a game does not take. The message names it."""

    def __init__(self, what: str, reason: str) -> None:
        super().__init__(what, reason)


class BadFile(LastCardError):
    """A file that cannot be read, understood or written."""


class CannotBuild(LastCardError):
    """A game that cannot be compiled ahead, or not on this machine."""


class UnknownGame(LastCardError):
    """There is no game with that id."""
