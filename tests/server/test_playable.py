"""Examples in the rules that readers play."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from lastcard.core import scenarios
from lastcard.core.game import Game
from lastcard.server import examples
from lastcard.server.app import Application
from lastcard.server.faces import faces
from lastcard.server.limits import Limits
from tests.games.faces import face_plan
from tests.server.client import request
from tests.server.inside import inside

decode = msgspec.json.decode
FILES = [path for face in faces().values() for path in sorted(face.glob("examples/*.yaml"))]
LAST_CARD = """
game: chiko
players: 2
options: {target: 500}
position: {turn: 0, top: "6", hands: ["c", "1 2"], scores: [30, 5]}
right: {round: 3}
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
    folder = tmp_path / "examples"
    folder.mkdir()
    (folder / "last_card.yaml").write_text(LAST_CARD)
    monkeypatch.setattr(examples, "face_of", {"chiko": tmp_path}.get)
    return f"{url}/api/games/chiko/examples/last_card"


def test_every_game_has_some(any_game: Game) -> None:
    assert any(path.parts[-4] == any_game.id for path in FILES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parts[-4]}-{path.stem}")
def test_each_holds_and_can_be_played(url: str, path: Path) -> None:
    scenarios.check(path)
    game = path.parts[-4]
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


def test_their_own_moves_are_right() -> None:
    for path in FILES:
        seat = str(examples.shown(path).seat)
        steps = [one for one in scenarios.read(path)["steps"] if "move" in one]
        meant = [one["move"] for one in steps if one["seat"] == seat]
        played = examples.played(path, meant)
        assert played.over and played.meant, path


def every_way(path: Path) -> Iterator[tuple[tuple[str, ...], examples.Played]]:
    """All that a reader can do, to the end, and what is made of it."""
    shown = examples.shown(path)
    open_ways: list[tuple[tuple[str, ...], msgspec.Raw]] = [((), shown.view)]
    while open_ways:
        moves, view = open_ways[-1][0], decode(open_ways.pop()[1])
        assert view["legal"] and view["round"] == decode(shown.view)["round"]
        for action in view["legal"]:
            played = examples.played(path, [*moves, action])
            if played.over:
                yield (*moves, action), played
            else:
                assert not played.meant
                open_ways.append(((*moves, action), played.steps[-1].view))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parts[-4]}-{path.stem}")
def test_what_is_asked_is_right_and_nothing_else(path: Path) -> None:
    ways = dict(every_way(path))
    right = face_plan(path.parts[-4]).right[path.stem]
    assert {moves for moves, played in ways.items() if played.meant} == right
    for played in ways.values():  # no example goes on into another round
        then, first = decode(played.steps[-1].view), decode(examples.shown(path).view)
        assert then["round"] == first["round"]


def test_dice_are_rolled_in_the_same_step(last_card: str) -> None:
    status, shown = request("GET", last_card)
    assert status == 200
    assert shown["seat"] == 0 and shown["view"]["hands"][1] == {"size": 2, "cards": []}
    status, played = request("POST", last_card, {"moves": ["play c"]})
    assert status == 200
    (step,) = played["steps"]
    kinds = [event["kind"] for event in step["events"]]
    assert kinds[:2] == ["played", "rolled"] and step["view"]["round"] == 2
    assert played["over"] and not played["meant"]  # the round that it is about has ended
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
