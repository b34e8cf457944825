"""A player for live tables in one file: joins by the link that people send each other, and plays.

    python examples/bot.py http://localhost:8421/t/TABLE --name Robin

With an own link, which ends in `#` and a token, it comes back to that seat instead of joining.
Replace `choose` by something cleverer. All messages are in docs/protocol.md.
"""

import argparse
import json
import random
import secrets
import sys
import time
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import ClientConnection, connect

PAUSE = 0.2  # seconds before a move, so that people can follow and the server does not mind
WAITS = (1, 2, 4, 8, 15, 30, 60)  # seconds between attempts to come back
NO_SUCH_TABLE = 4004


def choose(view: dict[str, Any]) -> str | None:
    """One of `view["legal"]`, or None to do nothing. Here: any, when waited for."""
    return random.choice(view["legal"]) if view["seat"] in view["waiting"] else None


class Player:
    """A seat at a table, and what its player knows."""

    def __init__(self, token: str) -> None:
        self.token = token
        self.table: dict[str, Any] = {}
        self.view: dict[str, Any] = {}
        self.version = 0
        self.needed = 0  # the version that the view must have come to before the next move
        self.unanswered: dict[str, Any] | None = None  # the move that was sent last

    def play(self, socket: ClientConnection) -> None:
        """Plays until the match is over, or the connection is lost."""
        socket.send(json.dumps({"type": "hello", "token": self.token}))
        while not self.view.get("over"):
            message = json.loads(socket.recv())
            self.hear(message)
            if self.unanswered and message["type"] == "welcome":
                socket.send(json.dumps(self.unanswered))  # the same id: it counts only once
            begun = self.view and self.table["status"] == "playing"
            if not begun or self.unanswered or self.version < self.needed:
                continue
            if action := choose(self.view):
                time.sleep(PAUSE)
                move = {"type": "move", "version": self.version, "action": action}
                self.unanswered = move | {"id": secrets.token_hex(8)}
                socket.send(json.dumps(self.unanswered))

    def hear(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind in ("welcome", "table"):
            self.table = message["table"]
        if kind in ("welcome", "match") and message["match"]:
            self.view, self.version = message["match"]["view"], message["match"]["version"]
            self.needed = 0
        elif kind == "update":
            self.view, self.version = self.view | message["changes"], message["version"]
        elif kind == "ok" and self.unanswered:
            self.unanswered, self.needed = None, message["version"]
        elif kind == "error" and self.unanswered:
            self.needed = self.unanswered["version"] + (message["code"] == "stale")
            if message["code"] != "stale":
                print(f"{self.unanswered['action']}: {message['text']}", flush=True)
                time.sleep(1)
            self.unanswered = None
        elif kind == "error":
            sys.exit(f"The server says: {message['text']}")


def join(server: str, table: str, name: str) -> str:
    """Takes a free seat; its token."""
    body = json.dumps({"name": name, "id": secrets.token_urlsafe(24)}).encode()
    url, headers = f"{server}/api/tables/{table}/join", {"Content-Type": "application/json"}
    try:
        with urlopen(Request(url, body, headers), timeout=30) as answer:
            seat = json.load(answer)
    except HTTPError as error:
        sys.exit(f"The server says: {json.load(error)['text']}")
    except OSError as error:
        sys.exit(f"There is no answer from {server}: {getattr(error, 'reason', error)}.")
    print(f"{name} has seat {seat['seat']}. To come back: {seat['own_link']}", flush=True)
    return str(seat["token"])


def stay(player: Player, url: str) -> None:
    """Plays to the end of the match, through lost connections."""
    attempts = 0
    while not player.view.get("over"):
        try:
            with connect(url) as socket:
                attempts = 0
                player.play(socket)
        except (OSError, WebSocketException) as error:
            if isinstance(error, ConnectionClosed) and socket.close_code == NO_SUCH_TABLE:
                sys.exit("There is no such table.")
            if attempts == len(WAITS):
                sys.exit(f"The connection is lost: {error}.")
            print(f"No connection; again in {WAITS[attempts]} s.", flush=True)
            time.sleep(WAITS[attempts])
            attempts += 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("link", help="http://HOST/t/TABLE, or an own link with #TOKEN at its end")
    parser.add_argument("--name", default="Robin", help="what the others see (Robin)")
    arguments = parser.parse_args()
    link = urlsplit(arguments.link)
    before, _, table = link.path.rstrip("/").rpartition("/t/")
    if link.scheme not in ("http", "https") or not link.netloc or not table or "/" in table:
        sys.exit(f"{arguments.link} is not the link of a table: http://HOST/t/TABLE.")

    server = f"{link.scheme}://{link.netloc}{before}"
    player = Player(link.fragment or join(server, table, arguments.name))
    stay(player, f"ws{server[4:]}/api/tables/{table}/live")
    seats = [player.table["seats"][seat] for seat in player.view["winners"]]
    names = " and ".join(seat["name"] or f"the {seat['level']} bot" for seat in seats)
    print(f"The match is over. Won by {names}. Points: {player.view['scores']}.")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("Bye. The own link brings one back.")
