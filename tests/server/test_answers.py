"""Errors come as JSON, with the right status."""

from __future__ import annotations

import json

from tests.server.asking import ask, opened
from tests.server.client import Server


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
        found, _, text = ask(server, method, path, body if method == "POST" else "", **headers)
        assert found == status, (path, text)
        assert json.loads(text)["type"] == "error"
    own = {"content_type": "application/json", "origin": server.url}
    assert ask(server, "POST", f"/api/tables/{table}/join", body, **own)[0] == 201
    assert ask(server, "POST", f"/api/tables/{table}/join", body, **own)[0] == 409
