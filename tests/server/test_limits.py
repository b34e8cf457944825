"""How much one address may ask for."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from lastcard.server.doors import Doors
from lastcard.server.limits import Buckets, Limits, Queue, Spacing
from lastcard.table.refusals import Code, Refused
from tests.server.asking import TABLE_FOR_TWO, ask, connected, heard, opened
from tests.server.client import Server, fetch
from tests.server.wire import served


def test_much_of_one_address_begins_one_after_another() -> None:
    now = 10.0
    spacing = Spacing(0.5, 2, lambda: now)
    assert [spacing.wait("a") for _ in range(3)] == [0.0, 0.5, 1.0]
    assert spacing.wait("b") == 0.0  # whatever others do
    now = 11.25
    assert [spacing.wait("a") for _ in range(2)] == [0.25, 0.75]
    now = 20.0
    assert [spacing.wait("a") for _ in range(2)] == [0.0, 0.5]
    assert spacing.wait("c") == 0.0  # "b" is forgotten
    assert list(spacing._due) == ["a", "c"]


def test_connections_and_requests_are_spaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def wait(self: Spacing, address: str) -> float:
        asked.append(address)
        return 0.01

    monkeypatch.setattr(Spacing, "wait", wait)
    with served(tmp_path) as url:
        before = len(asked)  # of whoever looks whether the server is there
        assert fetch("GET", f"{url}/live")[0] == 200
    assert asked[before:] == ["127.0.0.1"] * 2
    assert Doors(Limits(), proxies={"p"}).wait("p", "p") == 0.0


def test_work_of_one_address_waits_for_its_own() -> None:
    async def main() -> None:
        queue, running, go_on = Queue(2, 3), [], asyncio.Event()

        async def work(address: str) -> None:
            async with queue.turn(address):
                running.append(address)
                await go_on.wait()

        tasks = [asyncio.create_task(work(address)) for address in "aaaab"]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert running == ["a", "b"]
        with pytest.raises(Refused) as refused:
            async with queue.turn("a"):
                pass
        assert refused.value.code == Code.TOO_FAST
        go_on.set()
        await asyncio.gather(*tasks)
        assert sorted(running) == list("aaaab")
        while queue._here or queue._one:  # after a rest nothing is left of it
            await asyncio.sleep(0.001)
        async with queue.turn("a"):
            pass

    asyncio.run(main())


def test_addresses_are_bounded_one_by_one() -> None:
    now = 0.0
    buckets = Buckets(1.0, 1, 2, lambda: now)
    assert buckets.take("a") and not buckets.take("a") and buckets.take("b")
    assert buckets.take("c")  # "a" is forgotten
    assert not buckets.take("b") and buckets.take("a")
    assert not buckets.of("a").take(now) and buckets.of("a") is buckets.of("a")


def test_tables_and_connections_of_one_address_are_bounded(tmp_path: Path) -> None:
    tables, connections = ("--tables-per-hour", "2"), ("--connections-per-address", "2")
    limits = (*tables, *connections, "--requests-per-second", "5")
    with Server(f"sqlite:///{tmp_path / 'tables.db'}", *limits) as server:
        seat = opened(server)
        opened(server)
        body = json.dumps(TABLE_FOR_TWO)
        status, _, text = ask(server, "POST", "/api/tables", body, content_type="application/json")
        assert (status, json.loads(text)["code"]) == (429, "too_fast")
        with connected(server, seat["table"]) as one, connected(server, seat["table"]) as two:
            for other in (one, two):
                other.send('{"type": "hello"}')
                assert heard(other)["type"] == "welcome"
            with connected(server, seat["table"]) as three:
                assert heard(three)["code"] == "too_fast"
        statuses = [ask(server, "GET", "/api/games")[0] for _ in range(100)]
        assert statuses[0] == 200 and 429 in statuses
        assert ask(server, "GET", "/live")[0] == 200  # operators are counted apart
