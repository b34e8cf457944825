"""What tests ask of a server, as clients do."""

from __future__ import annotations

import asyncio
import http.client
import json
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.server.client import Lost, Player, Refused, Server

TABLE_FOR_TWO = {"game": "chiko", "players": 2, "name": "Ann"}


def ask(
    server: Server, method: str, path: str, body: str = "", **headers: str
) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=20)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        connection.request(method, path, body or None, named)
        found = connection.getresponse()
        return found.status, {k.lower(): v for k, v in found.getheaders()}, found.read()
    finally:
        connection.close()


def opened(server: Server, **more: Any) -> dict[str, Any]:
    status, table = server.request("POST", "/api/tables", TABLE_FOR_TWO | more)
    assert status == 201, table
    return table


def connected(server: Server, table: str, **more: Any) -> ClientConnection:
    return connect(f"{server.url.replace('http', 'ws')}/api/tables/{table}/live", **more)


def heard(one: ClientConnection) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(one.recv(timeout=20))
    return message


def closed(one: ClientConnection) -> int | None:
    try:
        while True:
            one.recv(timeout=20)
    except ConnectionClosed:
        return one.close_code


def two_at_a_table(server: Server, **more: object) -> tuple[str, list[str]]:
    """A table for two, and the tokens."""
    first = opened(server, **more)
    status, second = server.request(
        "POST", f"/api/tables/{first['table']}/join", {"name": "Ben", "seed": "bens seed"}
    )
    assert status == 201
    return first["table"], [first["token"], second["token"]]


async def play_moves(players: list[Player], moves: int) -> dict[int, str]:
    """Plays until so many moves are acknowledged, or the server is gone; version and id of each."""
    done: dict[int, str] = {}
    async with asyncio.timeout(60):
        while len(done) < moves:
            await asyncio.sleep(0.005)
            latest = max(player.version for player in players)
            for player in players:
                able = player.version == latest and player.seat in player.view["waiting"]
                if able and player.legal:
                    with suppress(Refused, Lost):
                        move = await player.move(player.legal[0])
                        assert move.led_to is not None
                        done[move.led_to] = move.id
                    break
    return done
