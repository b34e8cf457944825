"""Requests: what is answered, what is refused, and what guards every answer."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from lastcard.core.registry import games
from lastcard.server.security import HEADERS
from tests.server.client import Server

OPEN = {"game": "chiko", "players": 2, "name": "Ann"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")
    limits = ("--tables-per-hour", "1000", "--requests-per-second", "1000")
    with Server(f"sqlite:///{folder / 'tables.db'}", *limits, "--log-level", "info") as one:
        yield one


def answer(
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
    status, table = server.request("POST", "/api/tables", OPEN | more)
    assert status == 201, table
    return table


def socket(server: Server, table: str, **more: Any) -> ClientConnection:
    return connect(f"{server.url.replace('http', 'ws')}/api/tables/{table}/live", **more)


def heard(one: ClientConnection) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(one.recv(timeout=20))
    return message


# --- What is there -------------------------------------------------------------------------------


def test_games_and_what_may_be_chosen(server: Server) -> None:
    status, found = server.request("GET", "/api/games")
    assert status == 200
    assert [game["id"] for game in found["games"]] == games()
    taki = next(game for game in found["games"] if game["id"] == "taki")
    kinds = {option["name"]: option["kind"] for option in taki["options"]}
    assert kinds["announce"] == "choice" and kinds["rounds"] == "number"
    assert found["levels"] == ["easy", "normal", "hard", "expert"]


def test_only_public_tables_are_listed(server: Server) -> None:
    shown, hidden = opened(server, public=True), opened(server)
    _, found = server.request("GET", "/api/tables")
    ids = [table["id"] for table in found["tables"]]
    assert shown["table"] in ids and hidden["table"] not in ids
    (listed,) = [table for table in found["tables"] if table["id"] == shown["table"]]
    assert listed["names"] == ["Ann"] and listed["free"] == 1 and listed["status"] == "open"
    assert server.request("GET", f"/api/tables/{hidden['table']}")[0] == 200


def test_everybody_is_told_how_to_speak_of_somebody(server: Server) -> None:
    table = opened(server, players=4, bots=["easy"], pronoun="she")["table"]
    path = f"/api/tables/{table}"
    assert server.request("POST", f"{path}/join", {"name": "Ben", "pronoun": "he"})[0] == 201
    assert server.request("POST", f"{path}/join", {"name": "Cid", "pronoun": None})[0] == 201
    _, shown = server.request("GET", path)
    assert [seat["pronoun"] for seat in shown["seats"]] == ["she", "he", None, None]
    assert server.request("POST", f"{path}/join", {"name": "D", "pronoun": "they"})[0] == 400


def test_a_link_as_a_qr_code(server: Server) -> None:
    table = opened(server)["table"]
    status, headers, body = answer(server, "GET", f"/api/tables/{table}/qr.svg")
    assert status == 200 and headers["content-type"] == "image/svg+xml"
    assert ET.fromstring(body).tag.endswith("svg")


def test_a_match_against_bots_to_the_file_that_is_checked(server: Server, tmp_path: Path) -> None:
    seat = opened(server, bots=["normal"], options={"target": 1}, undo=False, seed="my own seed")
    path = f"/api/tables/{seat['table']}"
    with socket(server, seat["table"]) as one:
        one.send(json.dumps({"type": "hello", "token": seat["token"]}))
        view: dict[str, Any] = {}
        version, commitment, over = 0, "", False
        while not over:
            message = heard(one)
            if message["type"] == "welcome":
                commitment = message["table"]["commitment"]
                view, version = message["match"]["view"], message["match"]["version"]
            elif message["type"] == "update":
                view, version = view | message["changes"], message["version"]
            over = message["type"] == "table" and message["table"]["status"] == "over"
            if message["type"] in ("welcome", "update") and 0 in view["waiting"]:
                move = {"type": "move", "version": version, "action": view["legal"][0]}
                one.send(json.dumps(move))
    status, headers, text = answer(server, "GET", f"{path}/matches/1/file")
    assert status == 200 and "attachment" in headers["content-disposition"]
    file = tmp_path / "match.json"
    file.write_bytes(text)
    command = [sys.executable, "-m", "lastcard.cli", "verify", str(file)]
    checked = subprocess.run(
        [*command, "--commitment", commitment, "--seed", "my own seed"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stderr
    assert "as it had to be" in checked.stdout and "my own seed" in checked.stdout
    _, steps = server.request("GET", f"{path}/matches/1/steps?open=true&count=1")
    assert all(len(hand["cards"]) == 6 for hand in steps["steps"][0]["view"]["hands"])
    _, steps = server.request("GET", f"{path}/matches/1/steps?seat=1&count=1")
    assert steps["steps"][0]["view"]["seat"] == 1


# --- What is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ("", 400, "malformed"),
        ("{", 400, "malformed"),
        ("[]", 400, "malformed"),
        ('{"game": "chiko"}', 400, "malformed"),
        ('{"game": 5, "name": "Ann"}', 400, "malformed"),
        ('{"game": "chiko", "name": "Ann", "more": 1}', 400, "malformed"),
        ('{"game": "chiko", "name": "Ann", "id": "short"}', 400, "malformed"),
        ('{"game": "chiko", "name": "Ann", "pronoun": "it"}', 400, "malformed"),
        ('{"game": "bridge", "name": "Ann"}', 400, "bad_setup"),
        ('{"game": "chiko", "name": "Ann", "options": {"target": -5}}', 400, "bad_setup"),
        ('{"game": "chiko", "name": "Ann", "options": {"target": [[]]}}', 400, "bad_setup"),
        ('{"game": "chiko", "name": "Ann", "players": 99}', 400, "bad_setup"),
        ('{"game": "chiko", "name": "\\n"}', 400, "bad_name"),
        ('{"game": "chiko", "name": "' + "x" * 20_000 + '"}', 413, "too_large"),
        ("[" * 5000, 400, "malformed"),
        ('{"game": "chiko", "name": "\\ud800"}', 400, None),
    ],
)
def test_bad_setups(server: Server, body: str, status: int, code: str | None) -> None:
    found, _, text = answer(server, "POST", "/api/tables", body, content_type="application/json")
    error = json.loads(text)
    assert (found, error["type"]) == (status, "error")
    assert code is None or error["code"] == code
    assert error["text"].endswith(".")


def test_other_requests_that_are_refused(server: Server) -> None:
    table = opened(server)["table"]
    body = json.dumps({"name": "Ben"})
    for method, path, headers, status in (
        ("GET", "/nothing", {}, 404),
        ("GET", "/api/tables/AAAAAAAAAAAAAAAA", {}, 404),
        ("GET", f"/api/tables/{table}/matches/1/steps", {}, 404),
        ("GET", f"/api/tables/{table}/matches/x/steps", {}, 400),
        ("DELETE", f"/api/tables/{table}", {}, 405),
        ("POST", f"/api/tables/{table}/join", {}, 400),
        ("POST", f"/api/tables/{table}/join", {"content_type": "text/plain"}, 400),
        (
            "POST",
            f"/api/tables/{table}/join",
            {"content_type": "application/json", "origin": "https://evil.example"},
            403,
        ),
    ):
        found, _, text = answer(server, method, path, body if method == "POST" else "", **headers)
        assert found == status, (path, text)
        assert json.loads(text)["type"] == "error"
    own = {"content_type": "application/json", "origin": server.url}
    assert answer(server, "POST", f"/api/tables/{table}/join", body, **own)[0] == 201
    assert answer(server, "POST", f"/api/tables/{table}/join", body, **own)[0] == 409


def test_tokens_of_others_open_nothing(server: Server) -> None:
    mine, other = opened(server, bots=["easy"], watch=False), opened(server)
    path = f"/api/tables/{mine['table']}/matches/1/steps"
    assert server.request("GET", f"{path}?seat=0", token=mine["token"])[0] == 200
    for token in (None, other["token"], "x", mine["token"][:-1]):
        for query in ("", "?seat=0", "?seat=1"):
            status, error = server.request("GET", path + query, token=token)
            assert (status, error["code"]) == (401, "unauthorized")
    assert server.request("GET", f"{path}?seat=1", token=mine["token"])[0] == 401
    assert server.request("GET", f"{path}?open=true", token=mine["token"])[0] == 409


def test_every_answer_has_its_headers(server: Server) -> None:
    table = opened(server)["table"]
    for path in ("/api/games", "/nothing", f"/api/tables/{table}/qr.svg", "/live", "/metrics"):
        _, headers, _ = answer(server, "GET", path)
        for name, value in HEADERS.items():
            assert headers[name] == value, (path, name)
        assert headers["cache-control"] == "no-store"
        assert "server" not in headers
    policy = HEADERS["content-security-policy"]
    assert "unsafe" not in policy and "default-src 'none'" in policy
    assert "http" not in policy.replace("https:", "")


# --- WebSockets ----------------------------------------------------------------------------------


def closed(one: ClientConnection) -> int | None:
    try:
        while True:
            one.recv(timeout=20)
    except ConnectionClosed:
        return one.close_code


def test_a_socket_begins_with_hello(server: Server) -> None:
    seat = opened(server)
    with socket(server, seat["table"]) as one:
        one.send('{"type": "ping"}')
        assert heard(one)["code"] == "hello_first"
        assert closed(one) == 1008
    with socket(server, seat["table"]) as one:
        one.send('{"type": "hello", "token": "wrong"}')
        assert heard(one)["code"] == "unauthorized"
        assert closed(one) == 1008
    with socket(server, "AAAAAAAAAAAAAAAA") as one:
        assert heard(one)["code"] == "not_found"
        assert closed(one) == 4004
    with socket(server, seat["table"], origin="https://evil.example") as one:
        assert heard(one)["code"] == "wrong_origin"
        assert closed(one) == 1008
    with socket(server, seat["table"], origin=server.url) as one:
        one.send('{"type": "hello"}')
        assert heard(one)["type"] == "welcome"


def test_malformed_messages_are_answered_and_then_enough(server: Server) -> None:
    seat = opened(server)
    with socket(server, seat["table"]) as one:
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
    with socket(server, seat["table"]) as one:
        one.send("x" * 5000)
        assert closed(one) == 1009


def test_who_is_too_fast_is_slowed_down(server: Server) -> None:
    seat = opened(server)
    with socket(server, seat["table"]) as one:
        one.send(json.dumps({"type": "hello", "token": seat["token"]}))
        heard(one)
        for n in range(75):
            one.send(json.dumps({"type": "ping", "id": str(n)}))
        answers = [heard(one) for _ in range(75)]
        assert {answer["type"] for answer in answers} == {"ok", "error"}
        assert {answer["code"] for answer in answers if "code" in answer} == {"too_fast"}
        assert [answer["id"] for answer in answers] == [str(n) for n in range(75)]
        assert answers[0]["type"] == "ok"


def test_tables_and_connections_of_one_address_are_bounded(tmp_path: Path) -> None:
    tables, connections = ("--tables-per-hour", "2"), ("--connections-per-address", "2")
    limits = (*tables, *connections, "--requests-per-second", "5")
    with Server(f"sqlite:///{tmp_path / 'tables.db'}", *limits) as server:
        seat = opened(server)
        opened(server)
        body = json.dumps(OPEN)
        status, _, text = answer(
            server, "POST", "/api/tables", body, content_type="application/json"
        )
        assert (status, json.loads(text)["code"]) == (429, "too_fast")
        with socket(server, seat["table"]) as one, socket(server, seat["table"]) as two:
            for other in (one, two):
                other.send('{"type": "hello"}')
                assert heard(other)["type"] == "welcome"
            with socket(server, seat["table"]) as three:
                assert heard(three)["code"] == "too_fast"
        statuses = [answer(server, "GET", "/api/games")[0] for _ in range(100)]
        assert statuses[0] == 200 and 429 in statuses
        assert answer(server, "GET", "/live")[0] == 200  # operators are counted apart
