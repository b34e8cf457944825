"""What is nearly right: messages, values, texts, frames and requests."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from typing import Any

from lastcard.errors import IllegalAction
from lastcard.table.messages import REACTIONS
from lastcard.table.setup import SEED_LENGTH
from lastcard.table.table import Table

VALID: list[dict[str, Any]] = [
    {"type": "move", "version": 1, "action": "draw", "id": "a"},
    {"type": "undo", "version": 1},
    {"type": "pause"},
    {"type": "resume"},
    {"type": "fill", "level": "hard"},
    {"type": "seed", "seed": "x"},
    {"type": "rematch", "seed": "x"},
    {"type": "react", "reaction": "wow"},
    {"type": "hurry"},
    {"type": "hint", "id": "a"},
    {"type": "leave"},
    {"type": "ping", "id": "a"},
    {"type": "hello", "token": "x"},
]
ODD: list[Any] = [
    *(None, True, -1, 0, 1.5, 1e308, 2**31, 2**63, 2**64, 10**30, "", "x" * 300, "\ud800"),
    *([], {}, [[[]]], {"a": {"b": {}}}, "move", "0", "NaN", ["draw"], {"type": "move"}),
]

# --- Messages ------------------------------------------------------------------------------------


def mutation(rng: random.Random, version: int = 1) -> str:
    """Something that is nearly a message, about a version of a match, or nothing like one."""
    kind = rng.randrange(8)
    if kind == 0:
        return "".join(chr(rng.randrange(rng.choice((128, 0xD7FF)))) for _ in range(20))
    if kind == 1:
        depth = rng.randrange(1, 2000)
        return rng.choice(("[" * depth, '{"a":' * depth, "[" * depth + "]" * depth))
    message = dict(rng.choice(VALID))
    if "version" in message:
        message["version"] = version
    if kind in (2, 3):
        message[rng.choice(list(message))] = rng.choice(ODD)
    elif kind == 4:
        message[rng.choice(("seat", "token ", "x", "Type", "__proto__", ""))] = rng.choice(ODD)
    elif kind == 5:
        del message[rng.choice(list(message))]
    text = json.dumps(message)
    if kind == 6:
        text = mangled(rng, text)
    if kind == 7:
        text = text[: rng.randrange(len(text))] + rng.choice(("", text, "\n", "[]"))
    return text


def mangled(rng: random.Random, text: str) -> str:
    """The same text, but for a few characters."""
    at = rng.randrange(len(text) + 1)
    put = rng.choice(('"', "}", "[", "\\", "\x00", "é", "", "?", "e", " ", "5", "/"))
    return text[:at] + put + text[at + rng.randrange(3) :]


# What a message has besides `type` and `id`, and what of it makes sense.
FIELDS: Mapping[str, Mapping[str, Callable[[Any], bool]]] = {
    "move": {"version": lambda one: type(one) is int, "action": lambda one: isinstance(one, str)},
    "undo": {"version": lambda one: type(one) is int},
    "fill": {"level": lambda one: isinstance(one, str)},
    "seed": {"seed": lambda one: isinstance(one, str) and 1 <= len(one) <= SEED_LENGTH},
    "rematch": {
        "seed": lambda one: one is None or (isinstance(one, str) and 1 <= len(one) <= SEED_LENGTH)
    },
    "react": {"reaction": lambda one: one in REACTIONS},
    **{kind: {} for kind in ("pause", "resume", "leave", "hint", "hurry", "ping")},
}
ALWAYS = ("react", "hurry", "ping", "leave")
WHILE: Mapping[str, tuple[str, ...]] = {
    "open": ("fill", "seed"),
    "playing": ("pause", "hint", "move", "undo"),
    "paused": ("resume",),
    "over": ("rematch",),
}


def is_valid(text: str, table: Table, seat: int) -> bool:
    """Whether a mutation has come to something that a player may well ask for at this table."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return False
    kind = message.get("type") if isinstance(message, dict) else None
    if not isinstance(kind, str) or kind not in (*ALWAYS, *WHILE[table.status]):
        return False
    fields = FIELDS[kind]
    wanted = {key for key in fields if (kind, key) != ("rematch", "seed")}
    if not wanted <= message.keys() - {"type", "id"} <= fields.keys():
        return False
    if not isinstance(message.get("id"), str | None):
        return False
    if not all(fine(message.get(key)) for key, fine in fields.items()):
        return False
    if kind == "undo":
        return message["version"] == table.version and table.may_undo(seat)
    return kind != "move" or _is_legal(table, seat, message["action"])


def _is_legal(table: Table, seat: int, action: str) -> bool:
    assert table.match is not None
    try:
        table.match.check(seat, action)
    except IllegalAction:
        return False
    return True


# --- Values --------------------------------------------------------------------------------------


def odd(rng: random.Random, value: Any) -> Any:
    """Nearly the same value."""
    kind = rng.randrange(6)
    if isinstance(value, dict) and value and kind < 4:
        key = rng.choice(list(value))
        return {**value, key: odd(rng, value[key])}
    if isinstance(value, list) and value and kind < 4:
        at = rng.randrange(len(value))
        return [*value[:at], odd(rng, value[at]), *value[at + 1 :]]
    if isinstance(value, str) and value and kind < 3:
        return mangled(rng, value)
    if isinstance(value, dict) and kind == 4:
        return {key: one for key, one in value.items() if rng.random() < 0.9}
    if isinstance(value, int) and kind < 3:
        return value + rng.choice((-1, 1, 100, -(10**6)))
    return rng.choice(ODD)


# --- Bytes ---------------------------------------------------------------------------------------


def frame(rng: random.Random) -> bytes:
    """Something like a frame: any bits, any way to say its length, true or not."""
    content = rng.choice(
        (b"", rng.randbytes(rng.randrange(200)), mutation(rng).encode("utf-8", "replace"))
    )
    content = content[: rng.choice((10, 200, 5000, 70_000))]
    first = rng.choice(
        (0x81, 0x81, 0x81, 0x01, 0x80, 0x00, 0x82, 0x88, 0x89, 0x8A, rng.randrange(256))
    )
    masked = 0x80 if rng.random() < 0.97 else 0
    size = len(content) if rng.random() < 0.95 else rng.randrange(1 << rng.choice((6, 16, 40)))
    way = rng.random()
    if size < 126 and way < 0.9:
        head = bytes((first, masked | size))
    elif size < 1 << 16 and way < 0.97:
        head = bytes((first, masked | 126)) + size.to_bytes(2, "big")
    else:
        head = bytes((first, masked | 127)) + size.to_bytes(8, "big")
    return head + (bytes(4) if masked else b"") + content


HEADERS: list[bytes] = [
    *(b"Content-Type: application/json", b"Content-Length: 5", b"Content-Length: -1"),
    *(
        b"Content-Length: 99999999999999999999",
        b"Transfer-Encoding: chunked",
        b"Expect: 100-continue",
    ),
    *(
        b"Upgrade: websocket",
        b"Connection: Upgrade",
        b"Connection: close",
        b"Connection: keep-alive",
    ),
    *(b"Sec-WebSocket-Version: 13", b"Sec-WebSocket-Key: bGFzdGNhcmQgYmVuY2hhYg=="),
    *(b"Origin: http://elsewhere", b"Authorization: Bearer x", b"Accept: text/html", b" folded"),
    *(b"Cookie: " + b"x" * 9000, b"X", b":", b"X-\xff\xfe: \x80", b"Accept-Encoding: br, gzip;q=x"),
    *(b"If-None-Match: *", b"Range: bytes=-1", b"Host: elsewhere", b"Transfer-Encoding: x"),
]


def request(rng: random.Random, path: str) -> bytes:
    """Something like a request, or the beginning of several."""
    method = rng.choice((b"GET", b"GET", b"POST", b"HEAD", b"PUT", b"get", b"PRI", b"\x16\x03"))
    version = rng.choice((b"HTTP/1.1",) * 6 + (b"HTTP/1.0", b"HTTP/2.0", b"HTTP/9", b""))
    body = mutation(rng).encode("utf-8", "replace")[:2000]
    headers = [b"Host: localhost", *rng.sample(HEADERS, rng.randrange(5))]
    if rng.random() < 0.3:
        headers.append(b"Content-Length: %d" % len(body))
    if rng.random() < 0.2:
        body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body) + rng.choice((0, 0, 1, 1 << 40)), body)
    line = b" ".join((method, path.encode("utf-8", "replace"), version))
    data = b"\r\n".join((line, *headers, b"", body))
    if rng.random() < 0.4:
        at = rng.randrange(len(data))
        put = rng.choice((b"", b"\r\n", b"\n", b"\r", b"\x00", b" ", b"\xff", b":"))
        data = data[:at] + put + data[at + rng.randrange(4) :]
    return data * rng.choice((1, 1, 1, 2, 20))
