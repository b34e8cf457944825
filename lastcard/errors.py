"""The errors that people can cause. Each says in a sentence what is wrong; nothing has changed."""

from __future__ import annotations


class LastCardError(ValueError):
    """Every error below. They can be pickled: a worker process hands them over."""

    def __str__(self) -> str:
        return ": ".join(map(str, self.args))


class IllegalAction(LastCardError):
    """An action that cannot be done now."""


class BadPosition(LastCardError):
    """A position that cannot be. The message starts with the key concerned."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(key, reason)


class BadOption(LastCardError):
    """Options, players or a seed that a game does not take. The message starts with which."""

    def __init__(self, what: str, reason: str) -> None:
        super().__init__(what, reason)


class BadFile(LastCardError):
    """A file that cannot be read as what it should be, or cannot be written."""


class UnknownGame(LastCardError):
    """There is no game of that id."""
