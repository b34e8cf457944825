"""The list of games."""

from __future__ import annotations

from lastcard.core.registry import games
from lastcard.server.catalogue import catalogue
from tests.server.client import Server


def test_games_and_what_may_be_chosen(server: Server) -> None:
    status, found = server.request("GET", "/api/games")
    assert status == 200
    assert sorted(game["id"] for game in found["games"]) == games()
    assert all(game["face"] and game["engine"] for game in found["games"])
    taki = next(game for game in found["games"] if game["id"] == "taki")
    kinds = {option["name"]: option["kind"] for option in taki["options"]}
    assert kinds["announce"] == "choice" and kinds["rounds"] == "number"
    assert found["levels"] == ["easy", "normal", "hard", "expert", "master"]


def test_what_is_learnt_soon_comes_first() -> None:
    """As the lobby has always shown them."""
    ids = [game["id"] for game in catalogue()]
    assert ids == ["chiko", "eight_half", "sixth_sense", "taki", "chichiko"]
