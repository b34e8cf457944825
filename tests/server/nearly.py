"""Messages that are nearly right."""

from __future__ import annotations

import json
import random
from typing import Any

VALID: list[dict[str, Any]] = [
    {"type": "move", "version": 1, "action": "draw", "id": "a"},
    {"type": "undo", "version": 1},
    {"type": "pause"},
    {"type": "resume"},
    {"type": "fill", "level": "hard"},
    {"type": "rematch", "seed": "x"},
    {"type": "react", "reaction": "wow"},
    {"type": "leave"},
    {"type": "hello", "token": "x"},
]
ODD: list[Any] = [
    *(None, True, -1, 0, 1.5, 1e308, 2**31, 2**63, 2**64, 10**30, "", "x" * 300, "\ud800"),
    *([], {}, [[[]]], {"a": {"b": {}}}, "move", "0", "NaN", ["draw"], {"type": "move"}),
]


def mutation(rng: random.Random) -> str:
    """Something that is nearly a message, or nothing like one."""
    kind = rng.randrange(8)
    if kind == 0:
        return "".join(chr(rng.randrange(rng.choice((128, 0xD7FF)))) for _ in range(20))
    if kind == 1:
        depth = rng.randrange(1, 2000)
        return rng.choice(("[" * depth, '{"a":' * depth, "[" * depth + "]" * depth))
    message = dict(rng.choice(VALID))
    if kind in (2, 3):
        message[rng.choice(list(message))] = rng.choice(ODD)
    elif kind == 4:
        message[rng.choice(("seat", "token ", "x", "Type", "__proto__", ""))] = rng.choice(ODD)
    elif kind == 5:
        del message[rng.choice(list(message))]
    text = json.dumps(message)
    if kind == 6:
        at = rng.randrange(len(text))
        text = (
            text[:at]
            + rng.choice(('"', "}", "\\", "\x00", "é", ""))
            + text[at + rng.randrange(3) :]
        )
    if kind == 7:
        text = text[: rng.randrange(len(text))] + rng.choice(("", text, "\n", "[]"))
    return text


def is_valid(text: str) -> bool:
    """Whether a mutation has come to something that a player may well ask for."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return False
    if not isinstance(message, dict) or message.get("type") not in ("pause", "react", "leave"):
        return False
    fine = {"type": str, "id": (str, type(None)), "reaction": str}
    return all(isinstance(value, fine.get(key, ())) for key, value in message.items())  # type: ignore[arg-type]
