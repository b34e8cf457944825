"""Which address links have: one that is of use to others, if there is any."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from lastcard.server import reach
from lastcard.server.reach import Reach, own_address
from tests.server.asking import opened
from tests.server.client import Server

HERE = "192.168.7.5"
PUBLIC = "https://cards.example"


@pytest.fixture(autouse=True)
def network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        reach, "own_address", lambda wildcard: "fd00::5" if ":" in wildcard else HERE
    )


@pytest.mark.parametrize(
    ("known", "host", "base", "others"),
    [
        # Who came by an address of the network gives it on, whatever it is.
        (Reach(), "192.168.1.2:8421", "http://192.168.1.2:8421", True),
        (Reach(listening=("127.0.0.1", 8421)), "cards.lan", "http://cards.lan", True),
        # localhost is of no use to others: there is something better, or there is not.
        (Reach(listening=("0.0.0.0", 8421)), "127.0.0.1:8421", f"http://{HERE}:8421", True),
        (Reach(listening=("0.0.0.0", 80)), "localhost", f"http://{HERE}:80", True),
        (Reach(listening=("0.0.0.0", 8421)), "cards.localhost:1", f"http://{HERE}:8421", True),
        (Reach(listening=("::", 8421)), "[::1]:8421", "http://[fd00::5]:8421", True),
        (Reach(listening=("10.0.0.7", 8421)), "localhost:8421", "http://10.0.0.7:8421", True),
        (Reach(listening=("127.0.0.1", 8421)), "localhost:8421", "http://localhost:8421", False),
        (Reach(listening=("::1", 8421)), "[::1]:8421", "http://[::1]:8421", False),
        (Reach(), "127.0.0.1:8421", "http://127.0.0.1:8421", False),
        # What the operator says counts.
        (Reach(f"{PUBLIC}/", ("127.0.0.1", 8421)), "localhost:8421", PUBLIC, True),
        (Reach(PUBLIC), "192.168.1.2:8421", PUBLIC, True),
    ],
)
def test_where_links_begin(known: Reach, host: str, base: str, others: bool) -> None:
    assert known.base("http", host) == (base, others)


def test_without_a_network_nobody_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "own_address", lambda wildcard: None)
    known = Reach(listening=("0.0.0.0", 8421))
    assert known.base("http", "localhost:8421") == ("http://localhost:8421", False)


def test_the_own_address_is_one_that_others_can_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()

    class Probe(socket.socket):
        found = "127.0.0.1"

        def connect(self, address: object) -> None:
            if not self.found:
                raise OSError("there is no network")

        def getsockname(self) -> tuple[str, int]:
            return self.found, 1

    monkeypatch.setattr(socket, "socket", Probe)
    for found, expected in (("127.0.0.1", None), ("", None), (HERE, HERE)):
        Probe.found = found
        assert own_address() == expected


@pytest.mark.parametrize("public", [False, True])
def test_a_server_tells(tmp_path: Path, public: bool) -> None:
    options = ("--public-url", PUBLIC) if public else ()
    with Server(f"sqlite:///{tmp_path / 'tables.db'}", *options) as server:
        base = PUBLIC if public else server.url
        told = server.request("GET", "/api/games")[1]["invite"]
        assert told == {"base": base, "others": public}
        table = opened(server)
        assert table["link"] == f"{base}/t/{table['table']}"
        asked = Request(f"{server.url}/api/games", headers={"Host": "cards.lan:8421"})
        with urlopen(asked) as answer:
            other = json.load(answer)["invite"]
        assert other == {"base": PUBLIC if public else "http://cards.lan:8421", "others": True}
