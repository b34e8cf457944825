"""Anything malformed is refused without touching the table."""

from __future__ import annotations

import asyncio
import json
import random
import socket
from pathlib import Path
from typing import Any

from lastcard.server.app import Server as App
from lastcard.server.limits import Limits
from lastcard.server.reach import Reach
from lastcard.server.socket import Socket
from lastcard.server.websocket import Closed
from lastcard.table.house import House
from lastcard.table.refusals import Code
from lastcard.table.setup import Setup
from lastcard.table.store import Store
from lastcard.table.times import Times
from tests.server.client import Server, fetch

MALFORMED = 100_000
CODES = {str(code) for code in Code}
UNBOUNDED = Limits(
    messages_per_second=1e9,
    messages_at_once=10**9,
    address_messages_per_second=1e9,
    address_messages_at_once=10**9,
    offences=10**9,
    unsent=10**9,
    unsent_bytes=10**12,
)
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


def test_a_hundred_thousand_messages(tmp_path: Path) -> None:
    rng = random.Random(8)
    sent = refused = 0
    kinds: set[str] = set()
    codes: set[str] = {""}

    async def main() -> None:
        store = await Store.open(f"sqlite:///{tmp_path / 'tables.db'}")
        house = House(store, Times(pace=3600.0))
        try:
            setup = Setup(game="taki", players=2, bots=["easy"], options={"opener": 1})
            seated = await house.open(setup, "Ann", None)
            hosted = await house.shelf.find(seated.table)
            before = _state(hosted.table)

            class Mad:
                unsent = unsent_bytes = 0

                async def receive(self) -> str | bytes:
                    nonlocal sent
                    sent += 1
                    if sent == 1:
                        return json.dumps({"type": "hello", "token": seated.token})
                    if sent % 1000 == 0:
                        await asyncio.sleep(0)
                    if refused > MALFORMED:
                        raise Closed
                    text = mutation(rng)
                    while _is_valid(text):
                        text = mutation(rng)
                    return text.encode(errors="replace") if rng.random() < 0.02 else text

                def write(self, message: bytes) -> None:
                    nonlocal refused
                    answer = json.loads(message)
                    refused += answer["type"] == "error"
                    kinds.add(answer["type"])
                    codes.add(answer.get("code", ""))

                def close(self, code: int = 1000) -> None:
                    pass

            client = Socket(App(house, UNBOUNDED, Reach()), Mad())
            await client.run(hosted)
            assert _state(hosted.table) == before
            assert len(await store.lines(seated.table)) == hosted.table.seq == 1
        finally:
            await house.close()
            await store.close()

    asyncio.run(main())
    assert kinds == {"welcome", "error", "match"}  # the whole view comes with what is stale
    assert refused >= MALFORMED
    assert {"malformed", "illegal", "not_now", "stale", "bad_setup"} < codes <= CODES | {""}


def _is_valid(text: str) -> bool:
    """Whether a mutation has come to something that a player may well ask for."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return False
    if not isinstance(message, dict) or message.get("type") not in ("pause", "react", "leave"):
        return False
    fine = {"type": str, "id": (str, type(None)), "reaction": str}
    return all(isinstance(value, fine.get(key, ())) for key, value in message.items())  # type: ignore[arg-type]


def _state(table: Any) -> tuple[object, ...]:
    return table.seq, table.version, table.match.state, str(table.chairs), set(table.agreed)


LIMITS = ("--requests-per-second", "10000", "--connections-per-address", "10000")


def test_garbage_on_the_wire(tmp_path: Path) -> None:
    """Broken handshakes, frames and requests: the server answers others as before."""
    rng = random.Random(9)
    with Server(f"sqlite:///{tmp_path / 'tables.db'}", *LIMITS) as server:
        handshake = (
            b"GET /api/tables/AAAAAAAAAAAAAAAA/live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
            b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            b"Sec-WebSocket-Key: bGFzdGNhcmQgYmVuY2hhYg==\r\n\r\n"
        )
        for number in range(300):
            junk = rng.randbytes(rng.randrange(1, 400))
            start = (b"", handshake, b"POST /api/tables HTTP/1.1\r\nHost: x\r\n")[number % 3]
            with socket.create_connection(("127.0.0.1", server.port), timeout=10) as one:
                one.sendall(start + junk)
        assert fetch("GET", f"{server.url}/ready") == (200, b"ok")
        assert "Traceback" not in server.log, server.log
