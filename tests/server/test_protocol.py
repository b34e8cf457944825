"""What docs/protocol.md shows is what a server does."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

from lastcard.server.answers import STATUS
from lastcard.server.app import ROUTES, Application
from lastcard.table import house, messages
from lastcard.table.refusals import Code
from lastcard.table.times import Times
from tests.server.client import request
from tests.server.inside import inside

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text()
BOX = re.compile(r"^```(http|ws)(?: (\w+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ANY = "*"


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A server in this process, which always deals the same cards."""
    monkeypatch.setattr(house, "new_secret", lambda: "07" * 32)
    app = Application(f"sqlite:///{tmp_path / 'tables.db'}", times=Times(pace=60))
    with inside(app) as url:
        yield url


class Reader:
    """Runs the boxes, and remembers what names stand for."""

    def __init__(self, url: str, stack: ExitStack) -> None:
        self.url = url
        self.stack = stack
        self.names: dict[str, Any] = {}
        self.sockets: dict[str, ClientConnection] = {}
        self.last: tuple[int, Any] = (0, None)

    def request(self, method: str, path: str, content: Any, token: str | None) -> tuple[int, Any]:
        return request(method, self.url + path, content, token)

    def connect(self, path: str) -> ClientConnection:
        return self.stack.enter_context(connect(self.url.replace("http", "ws") + path))

    def run(self, kind: str, who: str, box: str) -> None:
        for line in box.splitlines():
            direction, _, rest = line.partition(" ")
            assert direction in "<>", line
            if direction == ">":
                rest = re.sub(r"<(\w+)>", lambda found: str(self.names[found[1]]), rest)
            if kind == "http":
                self.http(direction, rest)
            else:
                self.ws(direction, who, rest)

    def http(self, direction: str, rest: str) -> None:
        first, _, body = rest.partition(" ")
        if direction == "<":
            assert self.last[0] == int(first), self.last
            self.compare(json.loads(body), self.last[1])
            return
        path, _, more = body.partition(" ")
        token = more.removeprefix("as ") if more.startswith("as ") else None
        content = json.loads(more) if more and token is None else None
        self.last = self.request(first, path, content, token)

    def ws(self, direction: str, who: str, rest: str) -> None:
        if rest.startswith("connect "):
            self.sockets[who] = self.connect(rest.removeprefix("connect "))
        elif direction == ">":
            self.sockets[who].send(rest)
        else:
            self.compare(json.loads(rest), json.loads(self.sockets[who].recv(timeout=20)))

    def compare(self, wanted: Any, found: Any) -> None:
        match wanted:
            case "*":
                pass
            case str() if re.fullmatch(r"<\w+>", wanted):
                assert self.names.setdefault(wanted[1:-1], found) == found
            case dict():
                assert isinstance(found, dict), found
                if ANY not in wanted:
                    assert set(wanted) == set(found)
                for key in set(wanted) - {ANY}:
                    assert key in found, (key, found)
                    self.compare(wanted[key], found[key])
            case list():
                assert isinstance(found, list), found
                if ANY in wanted:
                    wanted = wanted[:-1]
                    found = found[: len(wanted)]
                assert len(wanted) == len(found), (wanted, found)
                for one, other in zip(wanted, found, strict=True):
                    self.compare(one, other)
            case _:
                assert wanted == found, (wanted, found)


def test_the_boxes(url: str) -> None:
    boxes = BOX.findall(PAGE)
    assert len(boxes) > 10
    with ExitStack() as stack:
        reader = Reader(url, stack)
        for kind, who, box in boxes:
            reader.run(kind, who, box)


def rows(heading: str) -> list[list[str]]:
    """The cells of the first table under a heading, or after a line that begins like it."""
    text = PAGE[PAGE.index(heading) :]
    table = re.search(r"(?:^\|.*\n)+", text, re.MULTILINE)
    assert table
    lines = table[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def names(cell: str) -> set[str]:
    return set(re.findall(r"`(\w+)`", cell))


def test_the_list_of_errors_is_closed() -> None:
    listed = {row[0].strip("`"): row[1] for row in rows("## Errors")}
    assert set(listed) == {str(code) for code in Code}
    for code in Code:
        assert listed[code] == str(STATUS.get(code, "")), code


def test_every_message_is_on_the_page() -> None:
    asked = {kind.__struct_config__.tag for kind in messages.Asked.__args__}
    assert {row[0].strip("`") for row in rows("| to the server")} == asked
    told = {
        one.__struct_config__.tag
        for one in vars(messages).values()
        if isinstance(one, type) and issubclass(one, messages._Told) and one is not messages._Told
    }
    assert {row[0].strip("`") for row in rows("| from the server")} == told


def test_every_key_of_a_table_is_on_the_page() -> None:
    listed = set().union(*(names(row[0]) for row in rows("`table` has")))
    assert listed == set(messages.TableShown.__struct_fields__)
    shown = " ".join(" ".join(row) for row in rows("`table` has"))
    assert set(messages.ChairShown.__struct_fields__) <= names(shown)


def test_every_request_is_on_the_page() -> None:
    listed = set(
        re.findall(r"(GET|POST) (/[\w/.]*)", " ".join(row[0] for row in rows("| request")))
    )
    short = {"{number}": "N", "{path:path}": "PATH"}
    for how, path, _ in ROUTES:
        named = re.sub(r"\{.*?\}", lambda found: short.get(found[0], found[0][1:-1].upper()), path)
        assert (how, named) in listed
