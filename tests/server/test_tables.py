"""Requests about tables."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

import pytest

from tests.server.asking import ask, opened
from tests.server.client import Server


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
    status, headers, body = ask(server, "GET", f"/api/tables/{table}/qr.svg")
    assert status == 200 and headers["content-type"] == "image/svg+xml"
    assert ET.fromstring(body).tag.endswith("svg")


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
    found, _, text = ask(server, "POST", "/api/tables", body, content_type="application/json")
    error = json.loads(text)
    assert (found, error["type"]) == (status, "error")
    assert code is None or error["code"] == code
    assert error["text"].endswith(".")
