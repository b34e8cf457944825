"""Anything malformed is refused without touching anything."""

from __future__ import annotations

import random
import socket
from pathlib import Path

from tests.server.client import Server, fetch
from tests.server.fuzz import SHARES, one_share

MALFORMED = 50_000


def test_fifty_thousand_malformed_things() -> None:
    """`make fuzz` does the same with ten million."""
    outcome = one_share(MALFORMED, 8)
    assert outcome.done.keys() == SHARES.keys()
    assert outcome.done.total() >= 0.99 * MALFORMED
    for seen in ("positions read again", "files read again", "messages answered malformed"):
        assert outcome.seen[seen] > 0


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
