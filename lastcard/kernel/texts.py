"""Values as people write them, and the names of cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

NONE = "-"
HIDDEN = "?"
DIRECTIONS = ("cw", "ccw")
CHANCE_NAME = "chance"  # the seat that rolls dice
TOO_LARGE = 10**17  # numbers from here on fit nowhere


def text_of(value: object) -> str | None:
    """A value as the text a person would write for it; None if it is not a single value."""
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, int | np.integer) and abs(int(value)) < TOO_LARGE:
        return str(value)
    return value.strip() if isinstance(value, str) else None


def number_of(value: object) -> int | None:
    text = text_of(value)
    if text is None or not (text.removeprefix("-").isascii() and text.removeprefix("-").isdigit()):
        return None
    number = int(text) if len(text) <= 18 else TOO_LARGE
    return number if abs(number) < TOO_LARGE else None


def flag_of(value: object) -> bool | None:
    words = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
    return words.get((text_of(value) or "").lower())


def is_nothing(value: object) -> bool:
    return value is None or text_of(value) in (NONE, "none", "null")


def show(value: object) -> str:
    """A value that was not understood, short enough for a sentence."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        text = f"such a {type(value).__name__}"
    return text if len(text) <= 40 else text[:37] + "..."


class Names(tuple[str, ...]):
    """Names of cards, some of which people may also write another way."""

    other: Mapping[str, str]

    def __new__(cls, names: Iterable[str], other: Mapping[str, str]) -> Names:
        self = super().__new__(cls, names)
        self.other = {way: name for way, name in other.items() if way != name}
        return self

    def known_as(self, word: str) -> str:
        """The name that is meant by a word; the word itself if it is none of these."""
        return self.other.get(word, word)


def known_as(word: str, names: Sequence[str]) -> str:
    return names.known_as(word) if isinstance(names, Names) else word
