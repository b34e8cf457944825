"""Nobody can hold a connection, or a table, by doing nothing."""

from __future__ import annotations

import asyncio
import json
import socket
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from websockets.sync.client import connect

from lastcard.server.app import Application
from lastcard.server.app import Server as App
from lastcard.server.limits import Buckets, Limits
from lastcard.server.protocols import BoundedHttp
from lastcard.server.reach import Reach
from lastcard.server.security import client_address
from lastcard.server.socket import Socket
from lastcard.table import broadcast
from lastcard.table.bucket import Bucket
from lastcard.table.house import House
from lastcard.table.setup import Setup
from lastcard.table.store import Store
from lastcard.table.times import Times
from tests.server.client import request
from tests.server.inside import inside
from tests.server.test_http import closed

LOOP = "lastcard.server.gate:Loop"
OPEN = {"game": "chiko", "players": 3, "name": "Ann"}


class Hasty(BoundedHttp):
    headers_within = 0.3
    longest_headers = 1000


def app(tmp_path: Path, **limits: Any) -> Any:
    return Application(f"sqlite:///{tmp_path / 'tables.db'}", Limits(**limits), Times(pace=60))


def test_requests_must_come_to_their_end(tmp_path: Path) -> None:
    with inside(app(tmp_path), http=Hasty, loop=LOOP) as url:
        for text in (
            "",
            "GET /live HTTP/1.1\r\nHost",
            "GET /live HTTP/1.1\r\nHost: x\r\n" + "a: b\r\n" * 500,
        ):
            assert answered(url, text) == b""
    head = "POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    with inside(app(tmp_path, body_within=0.3)) as url:
        answer = answered(url, head + "Content-Length: 100\r\n\r\n{")
        assert answer.startswith(b"HTTP/1.1 400")
        assert request("GET", f"{url}/api/games")[0] == 200


def answered(url: str, text: str) -> bytes:
    address = urlsplit(url)
    assert address.hostname and address.port
    with socket.create_connection((address.hostname, address.port), 20) as one:
        one.sendall(text.encode())
        return one.recv(100)


def test_connections_that_say_nothing_are_closed(tmp_path: Path) -> None:
    with inside(app(tmp_path, hello=0.2, idle=0.3)) as url:
        status, seat = request("POST", f"{url}/api/tables", OPEN)
        assert status == 201
        at = f"{url.replace('http', 'ws')}/api/tables/{seat['table']}/live"
        with connect(at) as one:
            assert closed(one) == 4000
        with connect(at) as one:
            one.send(json.dumps({"type": "hello", "token": seat["token"]}))
            assert closed(one) == 4000


def test_reactions_are_bounded(tmp_path: Path) -> None:
    with inside(app(tmp_path, reactions_at_once=2, watchers=1)) as url:
        _, seat = request("POST", f"{url}/api/tables", OPEN)
        at = f"{url.replace('http', 'ws')}/api/tables/{seat['table']}/live"
        with connect(at) as one, connect(at) as two, connect(at) as three:
            one.send(json.dumps({"type": "hello", "token": seat["token"]}))
            assert json.loads(one.recv(timeout=20))["type"] == "welcome"
            codes = []
            for _ in range(4):
                one.send('{"type": "react", "reaction": "wow"}')
                answer: dict[str, Any] = {"type": "reaction"}
                while answer["type"] == "reaction":
                    answer = json.loads(one.recv(timeout=20))
                codes.append(answer.get("code"))
            assert codes == [None, None, "too_fast", "too_fast"]
            two.send('{"type": "hello"}')
            assert json.loads(two.recv(timeout=20))["type"] == "welcome"
            three.send('{"type": "hello"}')
            assert json.loads(three.recv(timeout=20))["code"] == "full"


def test_all_messages_of_an_address_count(tmp_path: Path) -> None:
    bounds = {"address_messages_at_once": 4, "address_messages_per_second": 0.001}
    with inside(app(tmp_path, **bounds)) as url:
        _, seat = request("POST", f"{url}/api/tables", OPEN)
        at = f"{url.replace('http', 'ws')}/api/tables/{seat['table']}/live"
        with connect(at) as one, connect(at) as two:
            codes: list[str | None] = []
            for socket_ in (one, two) * 3:
                first = len(codes) < 2
                socket_.send('{"type": "hello"}' if first else '{"type": "ping", "id": "a"}')
                answer = {"type": "table"}
                while answer["type"] == "table":
                    answer = json.loads(socket_.recv(timeout=20))
                codes.append(answer.get("code"))
    assert codes == [None] * 4 + ["too_fast"] * 2


def test_who_does_not_read_holds_up_nobody(tmp_path: Path) -> None:
    async def main() -> None:
        store = await Store.open(f"sqlite:///{tmp_path / 'tables.db'}")
        house = House(store, Times(pace=60))
        try:
            seated = await house.open(Setup(game="chiko", players=3), "Ann", None)
            hosted = await house.shelf.find(seated.table)
            said = [{"type": "hello", "token": seated.token}]
            stuck = asyncio.Event()

            async def receive() -> dict[str, Any]:
                if said:
                    return {"type": "websocket.receive", "text": json.dumps(said.pop())}
                await asyncio.Event().wait()
                raise AssertionError

            async def send(message: dict[str, Any]) -> None:
                stuck.set()
                await asyncio.Event().wait()

            slow = Socket(App(house, Limits(unsent=10), Reach()), receive, send)  # type: ignore[arg-type]
            running = asyncio.create_task(slow.run(hosted))
            await asyncio.wait_for(stuck.wait(), 20)
            for _ in range(12):
                broadcast.tell_reaction(hosted, 0, "wow")
            await asyncio.wait_for(running, 20)
            assert slow not in hosted.clients
        finally:
            await house.close()
            await store.close()

    asyncio.run(main())


def test_a_bucket_has_room_again_after_a_while() -> None:
    bucket = Bucket(2.0, 3, 0.0)
    assert [bucket.take(0.0) for _ in range(5)] == [True, True, True, False, False]
    assert [bucket.take(0.6) for _ in range(2)] == [True, False]
    assert [bucket.take(100.0) for _ in range(4)] == [True, True, True, False]


def test_addresses_are_bounded_one_by_one() -> None:
    now = 0.0
    buckets = Buckets(1.0, 1, 2, lambda: now)
    assert buckets.take("a") and not buckets.take("a") and buckets.take("b")
    assert buckets.take("c")  # "a" is forgotten
    assert not buckets.take("b") and buckets.take("a")


def test_an_address_of_version_6_counts_with_its_network() -> None:
    def address(text: str) -> str:
        return client_address({"client": (text, 1)})

    assert address("2001:db8::1") == address("2001:db8::ffff:2") != address("2001:db8:0:1::1")
    assert address("10.0.0.1") != address("10.0.0.2")
    assert client_address({}) == ""
