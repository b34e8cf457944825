"""Examples in the rules that readers play."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lastcard.core import scenarios
from lastcard.core.game import Game
from lastcard.server import examples
from lastcard.server.app import Application
from lastcard.server.files import WEB
from lastcard.server.limits import Limits
from tests.server.client import request
from tests.server.inside import inside

FILES = sorted(WEB.glob("games/*/examples/*.yaml"))
LAST_CARD = """
game: chiko
players: 2
options: {target: 500}
position: {turn: 0, top: "6", hands: ["c", "1 2"], scores: [30, 5]}
steps: [{seat: 0, move: play c}, {seat: 0, move: draw}]
"""


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("examples")
    limits = Limits(requests_per_second=1000)
    with inside(Application(f"sqlite:///{folder / 'tables.db'}", limits)) as url:
        yield url


@pytest.fixture
def last_card(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An example of our own: seat 0 plays its last card, and rolls."""
    folder = tmp_path / "games" / "chiko" / "examples"
    folder.mkdir(parents=True)
    (folder / "last_card.yaml").write_text(LAST_CARD)
    monkeypatch.setattr(examples, "WEB", tmp_path)
    return f"{url}/api/games/chiko/examples/last_card"


def test_every_game_has_some(any_game: Game) -> None:
    assert any(path.parts[-3] == any_game.id for path in FILES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_each_holds_and_can_be_played(url: str, path: Path) -> None:
    scenarios.check(path)
    game = path.parts[-3]
    assert scenarios.read(path)["game"] == game
    at = f"{url}/api/games/{game}/examples/{path.stem}"
    status, shown = request("GET", at)
    assert status == 200 and shown["view"]["seat"] == shown["seat"]
    assert shown["view"]["legal"] and shown["seat"] in shown["view"]["waiting"]
    for action in shown["view"]["legal"]:
        status, played = request("POST", at, {"moves": [action]})
        assert status == 200 and played["seat"] == shown["seat"]
        (step,) = played["steps"]
        assert step["events"] and step["view"]["seat"] == shown["seat"]
        steps = [one for one in scenarios.read(path)["steps"] if "move" in one]
        meant = [one["move"] for one in steps if one["seat"] == str(shown["seat"])]
        assert played["meant"] == ([action] == meant)
        one = len(meant) == 1
        assert played["over"] == (one or not step["view"]["legal"])


def test_dice_are_rolled_in_the_same_step(last_card: str) -> None:
    status, shown = request("GET", last_card)
    assert status == 200
    assert shown["seat"] == 0 and shown["view"]["hands"][1] == {"size": 2, "cards": []}
    status, played = request("POST", last_card, {"moves": ["play c"]})
    assert status == 200
    (step,) = played["steps"]
    kinds = [event["kind"] for event in step["events"]]
    assert kinds[:2] == ["played", "rolled"] and step["view"]["round"] == 2
    assert not played["over"] and step["view"]["legal"]
    moves = ["play c", step["view"]["legal"][0]]
    assert request("POST", last_card, {"moves": moves})[1]["over"]  # as many as the scenario has
    assert request("POST", last_card, {"moves": ["play c"]})[1] == played  # nothing is kept
    assert request("POST", last_card, {"moves": []}) == (
        200,
        {"seat": 0, "steps": [], "over": False, "meant": False},
    )


def test_the_reader_is_done_when_others_are_to_move(last_card: str) -> None:
    status, played = request("POST", last_card, {"moves": ["draw"]})
    assert status == 200 and played["over"] is True
    assert played["steps"][0]["view"]["legal"] == []
    status, error = request("POST", last_card, {"moves": ["draw", "draw"]})
    assert (status, error["code"]) == (409, "illegal")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"moves": ["play 1"]}, 409, "illegal"),
        ({"moves": ["roll 1 1"]}, 409, "illegal"),
        ({"moves": ["dance"]}, 409, "illegal"),
        ({"moves": ["x" * 201]}, 400, "malformed"),
        ({"moves": ["draw"] * 41}, 400, "malformed"),
        ({"moves": "draw"}, 400, "malformed"),
        ({}, 400, "malformed"),
    ],
)
def test_moves_that_are_refused(last_card: str, body: object, status: int, code: str) -> None:
    found, error = request("POST", last_card, body)
    assert (found, error["code"]) == (status, code)
    assert error["text"].endswith(".")


@pytest.mark.parametrize(
    "path", ["chiko/examples/nothing", "bridge/examples/last_card", "chiko/examples/..%2flast_card"]
)
def test_examples_that_are_not_there(last_card: str, path: str) -> None:
    at = last_card.replace("chiko/examples/last_card", path)
    assert request("GET", at)[1]["code"] == "not_found"
    assert request("POST", at, {"moves": []})[1]["code"] == "not_found"
