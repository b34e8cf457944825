"""Requests for matches that were played."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.server.asking import ask, connected, heard, opened
from tests.server.client import Server


def test_a_match_against_bots_to_the_file_that_is_checked(server: Server, tmp_path: Path) -> None:
    seat = opened(server, bots=["normal"], options={"target": 1}, undo=False, seed="my own seed")
    path = f"/api/tables/{seat['table']}"
    with connected(server, seat["table"]) as one:
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
    status, headers, text = ask(server, "GET", f"{path}/matches/1/file")
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
    assert "all correct" in checked.stdout and "my own seed" in checked.stdout
    _, steps = server.request("GET", f"{path}/matches/1/steps?open=true&count=1")
    assert all(len(hand["cards"]) == 6 for hand in steps["steps"][0]["view"]["hands"])
    _, steps = server.request("GET", f"{path}/matches/1/steps?seat=1&count=1")
    assert steps["steps"][0]["view"]["seat"] == 1


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
