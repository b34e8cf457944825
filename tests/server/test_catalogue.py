"""The list of games."""

from __future__ import annotations

from lastcard.core.registry import games
from tests.server.client import Server


def test_games_and_what_may_be_chosen(server: Server) -> None:
    status, found = server.request("GET", "/api/games")
    assert status == 200
    assert [game["id"] for game in found["games"]] == games()
    taki = next(game for game in found["games"] if game["id"] == "taki")
    kinds = {option["name"]: option["kind"] for option in taki["options"]}
    assert kinds["announce"] == "choice" and kinds["rounds"] == "number"
    assert found["levels"] == ["easy", "normal", "hard", "expert"]
