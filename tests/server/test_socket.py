"""WebSockets: messages in and out, and clients that misbehave."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from lastcard.server.app import Server as App
from lastcard.server.limits import Limits
from lastcard.server.reach import Reach
from lastcard.server.socket import Socket
from lastcard.server.websocket import Closed
from lastcard.table import broadcast
from lastcard.table.database import Database, DatabaseError, Work
from lastcard.table.house import House
from lastcard.table.setup import Setup
from lastcard.table.store import Store
from lastcard.table.times import Times
from tests.server.asking import closed, connected, heard, opened
from tests.server.client import Server, request
from tests.server.inside import inside
from tests.server.wire import PATIENCE, TABLE_FOR_THREE, application, served

T = TypeVar("T")


class FailingDatabase(Database):
    shared = False

    async def read(self, work: Work[T]) -> T:
        raise DatabaseError("disk I/O error")

    write = read

    async def close(self) -> None: ...

    def listen(self, hear: object, again: object) -> None: ...


def test_a_first_message_that_is_none_is_the_last(tmp_path: Path) -> None:
    with served(tmp_path) as url:
        _, seat = request("POST", f"{url}/api/tables", TABLE_FOR_THREE)
        for first in ("{", '{"type": "dance"}', '{"type": "hello", "token": 5}'):
            with connect(f"{url.replace('http', 'ws')}/api/tables/{seat['table']}/live") as one:
                one.send(first)
                assert '"malformed"' in str(one.recv(timeout=PATIENCE))
                assert closed(one) == 1008


def test_connections_that_say_nothing_are_closed(tmp_path: Path) -> None:
    with inside(application(tmp_path, hello=0.2, idle=0.3)) as url:
        status, seat = request("POST", f"{url}/api/tables", TABLE_FOR_THREE)
        assert status == 201
        at = f"{url.replace('http', 'ws')}/api/tables/{seat['table']}/live"
        with connect(at) as one:
            assert closed(one) == 4000
        with connect(at) as one:
            one.send(json.dumps({"type": "hello", "token": seat["token"]}))
            assert closed(one) == 4000


def test_reactions_are_bounded(tmp_path: Path) -> None:
    with inside(application(tmp_path, reactions_at_once=2, watchers=1)) as url:
        _, seat = request("POST", f"{url}/api/tables", TABLE_FOR_THREE)
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
    with inside(application(tmp_path, **bounds)) as url:
        _, seat = request("POST", f"{url}/api/tables", TABLE_FOR_THREE)
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
            stuck, closed = asyncio.Event(), asyncio.Event()

            class Stuck:
                """Nothing that is written leaves."""

                unsent = unsent_bytes = 0

                def listen(self, hear: Callable[[], None]) -> None:
                    self.hear = hear
                    hear()

                def take(self) -> str | None:
                    if said:
                        return json.dumps(said.pop())
                    if closed.is_set():
                        raise Closed(1008)
                    return None

                def write(self, message: bytes) -> None:
                    stuck.set()
                    self.unsent += 1

                def close(self, code: int = 1000) -> None:
                    closed.set()
                    self.hear()

            slow = Socket(App(house, Limits(unsent=10), Reach()), Stuck())
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


def test_a_socket_begins_with_hello(server: Server) -> None:
    seat = opened(server)
    with connected(server, seat["table"]) as one:
        one.send('{"type": "ping"}')
        assert heard(one)["code"] == "hello_first"
        assert closed(one) == 1008
    with connected(server, seat["table"]) as one:
        one.send('{"type": "hello", "token": "wrong"}')
        assert heard(one)["code"] == "unauthorized"
        assert closed(one) == 1008
    with connected(server, "AAAAAAAAAAAAAAAA") as one:
        assert heard(one)["code"] == "not_found"
        assert closed(one) == 4004
    with connected(server, seat["table"], origin="https://evil.example") as one:
        assert heard(one)["code"] == "wrong_origin"
        assert closed(one) == 1008
    with connected(server, seat["table"], origin=server.url) as one:
        one.send('{"type": "hello"}')
        assert heard(one)["type"] == "welcome"


def test_who_comes_while_the_database_fails_is_to_come_again(tmp_path: Path) -> None:
    app = application(tmp_path)
    with inside(app) as url:
        _, seat = request("POST", f"{url}/api/tables", TABLE_FOR_THREE)
        at = f"{url.replace('http', 'ws')}/api/tables/{seat['table']}/live"
        house = app.server().house
        house.tables.clear()  # so that it has to be read
        database, house.store.database = house.store.database, FailingDatabase()
        with connect(at) as one:
            assert heard(one)["code"] == "unavailable"
            assert closed(one) == 1013
        house.store.database = database
        with connect(at) as one:
            one.send(json.dumps({"type": "hello", "token": seat["token"]}))
            assert heard(one)["type"] == "welcome"


def test_malformed_messages_are_answered_and_then_enough(server: Server) -> None:
    seat = opened(server)
    with connected(server, seat["table"]) as one:
        one.send(json.dumps({"type": "hello", "token": seat["token"]}))
        assert heard(one)["type"] == "welcome"
        for text in ("{", "null", '{"type": "cheat"}', '{"type": "move"}', b"{}"):
            one.send(text)
            assert heard(one)["code"] == "malformed"
        one.send('{"type": "ping", "id": "x"}')
        assert heard(one) == {"type": "ok", "id": "x", "version": None}
        with suppress(ConnectionClosed):
            for _ in range(20):
                one.send("{")
        assert closed(one) == 1008
    with connected(server, seat["table"]) as one:
        one.send("x" * 5000)
        assert closed(one) == 1009


def test_who_is_too_fast_is_slowed_down(server: Server) -> None:
    seat = opened(server)
    with connected(server, seat["table"]) as one:
        one.send(json.dumps({"type": "hello", "token": seat["token"]}))
        heard(one)
        for n in range(75):
            one.send(json.dumps({"type": "ping", "id": str(n)}))
        answers = [heard(one) for _ in range(75)]
        assert {answer["type"] for answer in answers} == {"ok", "error"}
        assert {answer["code"] for answer in answers if "code" in answer} == {"too_fast"}
        assert [answer["id"] for answer in answers] == [str(n) for n in range(75)]
        assert answers[0]["type"] == "ok"
