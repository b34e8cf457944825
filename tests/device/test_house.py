"""The device's house: the protocol of a server, without one."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import lastcard
from lastcard.core import files, shuffle
from lastcard.core.registry import games
from lastcard.server.app import Application
from lastcard.server.limits import Limits
from tests.device.houses import House, Node, houses
from tests.helpers import choose, random_match
from tests.server.client import request
from tests.server.inside import inside
from tests.server.test_protocol import BOX, PAGE, Reader


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    with houses() as node:
        yield node


class OnDevice(Reader):
    """Reads docs/protocol.md to a house."""

    def __init__(self, house: House, stack: ExitStack) -> None:
        super().__init__("", stack)
        self.house = house

    def request(self, method: str, path: str, content: Any, token: str | None) -> tuple[int, Any]:
        return self.house.ask(method, path, content, token)

    def connect(self, path: str) -> Any:
        found = re.fullmatch(r"/api/tables/(.+)/live", path)
        assert found
        return self.house.connect(found[1])


def test_what_the_protocol_shows_is_what_a_device_does() -> None:
    with houses() as node, ExitStack() as stack:
        house = node.house(times={"pace": 60}, fixed=7)  # the cards of the server's test
        reader = OnDevice(house, stack)
        for kind, who, box in BOX.findall(PAGE):
            reader.run(kind, who, box)


def verified(text: str, folder: Path) -> files.MatchFile:
    """A file as `lastcard verify` checks it."""
    path = folder / "match.json"
    path.write_text(text)
    file = files.read(path)
    match = files.replay(file, path)
    assert match.over and file.shuffle is not None
    shuffle.check(file.shuffle, match.players, match.seed, path)
    return file


@pytest.mark.parametrize("game", games())
def test_matches_with_undo_rematch_and_files(node: Node, game: str, tmp_path: Path) -> None:
    house = node.house(game)
    seated = house.open(game, undo=True, seed="red boots")
    ann = house.sit(seated)
    undone = 0
    while ann.turn():
        if ann.move()["type"] == "ok" and undone < 3:
            undone += ann.say("undo", version=ann.version)["type"] == "ok"
    while ann.table["status"] != "over":
        ann.hear()
    at = f"/api/tables/{seated['table']}/matches"
    status, text = house.text("GET", f"{at}/1/file", token=seated["token"])
    assert status == 200
    file = verified(text, tmp_path)
    assert file.seats == ["human", "normal", "normal"]
    assert file.shuffle is not None and file.shuffle.seeds == ["red boots", None, None]
    # With an undo the journal has more steps than the file.
    _, journal = house.ask("GET", f"{at}/1/steps?open=true&count=200", token=seated["token"])
    _, replayed = house.ask("POST", "/api/replays", {"file": text, "open": True, "count": 200})
    assert journal["of"] == replayed["of"] + 2 * undone
    assert replayed["steps"][0] == journal["steps"][0]
    assert replayed["of"] == 1 + len(file.moves)
    commitment = ann.table["next_commitment"]
    assert ann.say("rematch", seed="green hat")["type"] == "ok"
    assert ann.table["commitment"] == commitment and ann.table["number"] == 2
    assert ann.table["seats"][0]["seed"] == "green hat"
    assert house.ask("GET", f"{at}/2/file")[1]["code"] == "not_now"
    ann.play_to_end()
    verified(house.text("GET", f"{at}/2/file")[1], tmp_path)
    # Where it was played, a file leads back to its table; elsewhere it becomes one, but once.
    assert house.ask("POST", "/api/tables", {"file": text})[1]["table"] == seated["table"]
    other = node.house(f"{game} elsewhere")
    made = [other.ask("POST", "/api/tables", {"file": text, "names": ["Zoe"]}) for _ in range(2)]
    assert made[0] == made[1] and made[0][0] == 201 and made[0][1]["table"] != seated["table"]
    again = f"/api/tables/{made[0][1]['table']}"
    _, shown = other.ask("GET", again)
    assert (shown["status"], shown["commitment"]) == ("over", file.shuffle.commitment)
    assert [one["name"] for one in shown["seats"]] == ["Zoe", "", ""]
    assert other.text("GET", f"{again}/matches/1/file")[1] == text
    [listed] = other.ask("GET", "/api/tables")[1]["tables"]
    assert listed["imported"] and listed["tokens"] == {"0": made[0][1]["token"]}
    ann.line.close()


def test_somebody_elses_match_is_played_on(node: Node, tmp_path: Path) -> None:
    house, rng = node.house("on"), random.Random(7)
    for game in games():
        match = random_match(lastcard.game(game), rng, 3)
        while len(match.moves) < 5 and not match.over:
            match.play(*choose(rng, match))
        text = files.dumps(match, ["stranger", "human", "hard"])
        status, seated = house.ask("POST", "/api/tables", {"file": text, "names": ["", "Ben"]})
        assert (status, seated["seat"]) == (201, 1), seated
        ben = house.sit(seated)
        assert [one["level"] for one in ben.table["seats"]] == ["normal", None, "hard"]
        assert ben.table["commitment"] == "" and ben.table["secret"] is None
        ben.play_to_end()
        path = tmp_path / "match.json"
        path.write_text(house.text("GET", f"/api/tables/{seated['table']}/matches/1/file")[1])
        file = files.read(path)
        assert files.replay(file, path).over and file.shuffle is None
        assert file.key == match.seed.hex() and file.moves[:5] == match.moves[:5]
        # Whoever comes with the old file finds the table as it is now.
        assert house.ask("POST", "/api/tables", {"file": text})[1]["table"] == seated["table"]
        assert house.ask("GET", f"/api/tables/{seated['table']}")[1]["status"] == "over"
        ben.line.close()


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (lambda file: file[:-20], "file.damaged"),
        (lambda file: '{"a": 1}', "file.foreign"),
        (lambda file: file.replace('"chiko"', '"poker"', 1), "file.game"),
        (lambda file: re.sub(r'"state": ".', '"state": "x', file), "file.altered"),
        (lambda file: re.sub(r'\[0, "play \w"\]', '[0, "fly"]', file, count=1), "file.move"),
    ],
)
def test_files_that_cannot_be_used(node: Node, spoil: Any, code: str) -> None:
    house, match = node.house("files"), lastcard.game("chiko").match(3, bytes(32), {"target": 1})
    rng = random.Random(3)
    while not match.over:
        match.play(*choose(rng, match))
    text = files.dumps(match)
    for path in ("/api/tables", "/api/replays"):
        status, answer = house.ask("POST", path, {"file": spoil(text)})
        assert (status, answer["code"]) == (400, code), answer
    assert house.ask("GET", "/api/tables")[1] == {"tables": []}


def test_two_tabs_play_one_match(node: Node) -> None:
    """Each has a seat; whatever one does, the other sees, and bots move once."""
    one, other = node.house("left", disk="both"), node.house("right", disk="both")
    seated = one.open("taki", 4, people=2, options={"rounds": 1})
    joined = one.ask("POST", f"/api/tables/{seated['table']}/join", {"name": "Ben"})[1]
    ann, ben = one.sit(seated), other.sit(joined)
    while not ann.view["over"]:
        for player in (ann, ben):
            if player.view["seat"] in player.view["waiting"]:
                player.move()
        for player, behind in ((ann, ben), (ben, ann)):
            while player.version < behind.version:
                player.hear()
        if not {0, 1} & set(ann.view["waiting"]) and not ann.view["over"]:
            ann.hear()
    while ben.version < ann.version:
        ben.hear()
    assert (one.sit(seated).view, other.sit(joined).view) == (ann.view, ben.view)
    assert ann.view["scores"] == ben.view["scores"]
    at = f"/api/tables/{seated['table']}/matches/1/file"
    assert one.text("GET", at) == other.text("GET", at)


def test_the_slower_of_two_tabs_is_stale(node: Node) -> None:
    first, second = node.house("quick", disk="race"), node.house("slow", disk="race")
    seated = first.open("chiko", options={"opener": 0})
    ann, again = first.sit(seated), second.sit(seated)
    assert ann.turn() and again.turn()
    version, action = ann.version, ann.view["legal"][0]
    move = {"type": "move", "version": version, "action": action}
    ann.line.send(json.dumps({**move, "id": "one"}))
    again.line.send(json.dumps({**move, "id": "other"}))
    answers = {}
    for player in (ann, again):
        while (message := player.hear()).get("id") not in ("one", "other"):
            pass
        answers[message["id"]] = message
    won = [one for one in answers.values() if one["type"] == "ok"]
    lost = [one for one in answers.values() if one["type"] == "error"]
    assert len(won) == 1 and [one["code"] for one in lost] == ["stale"]


def test_a_damaged_journal_is_kept_and_said(node: Node) -> None:
    house = node.house("whole", disk="spoilt", times={"pace": 60})
    bad, good = house.open("chiko"), house.open("taki")
    node.spoil("spoilt", bad["table"], 0, entry={"is": "moved", "seat": 0, "action": "fly"})
    later = node.house("later", disk="spoilt")
    for _ in range(2):
        status, answer = later.ask("GET", f"/api/tables/{bad['table']}")
        assert (status, answer["code"]) == (409, "damaged") and "entry 1 " in answer["text"]
    line = later.connect(bad["table"])
    assert json.loads(line.recv())["code"] == "damaged" and line.closed() == 1008
    assert later.ask("GET", f"/api/tables/{good['table']}")[0] == 200
    listed = {one["id"] for one in later.ask("GET", "/api/tables")[1]["tables"]}
    assert listed == {bad["table"], good["table"]}


def test_a_journal_that_goes_on_in_another_way(node: Node) -> None:
    """As if a tab of a newer version had written there."""
    house = node.house("old")
    seated = house.open("chiko", options={"opener": 0})
    ann = house.sit(seated)
    node.spoil("old", seated["table"], 1, at=0, entry={"is": "moved", "seat": 0, "action": "fly"})
    move = {"type": "move", "version": ann.version, "action": ann.view["legal"][0]}
    ann.line.send(json.dumps(move))
    assert ann.until("error")["code"] == "damaged"
    assert ann.line.closed() == 1008
    assert house.ask("GET", f"/api/tables/{seated['table']}")[1]["code"] == "damaged"


def test_a_full_disk_ends_no_match(node: Node) -> None:
    house = node.house("full", room=3)
    seated = house.open("chiko", options={"target": 1})
    ann = house.sit(seated)
    ann.play_to_end()
    assert node.hear(house="full", unkept="full")
    assert not node.waiting(house="full", unkept="full")  # once
    at = f"/api/tables/{seated['table']}"
    assert house.ask("GET", f"{at}/matches/1/steps")[1]["of"] == ann.version
    later = node.house("later", disk="full")  # as after a reload: what was kept is there
    assert later.ask("GET", at)[1]["status"] == "playing"
    assert later.sit(seated).version == 4


def test_forbidden_storage(node: Node) -> None:
    house = node.house("forbidden", forbidden=True)
    seated = house.open("sixth_sense")
    assert node.hear(house="forbidden", unkept="forbidden")
    ann = house.sit(seated)
    assert ann.turn() and ann.move()["type"] == "ok"
    assert [one["id"] for one in house.ask("GET", "/api/tables")[1]["tables"]] == [seated["table"]]


def test_a_clock_that_was_wrong(node: Node) -> None:
    """Entries of the future, or of long ago, hold nothing up."""
    for name, at in (("ahead", 4e9), ("behind", 0.0)):
        house = node.house(name, times={"pace": 60})
        seated = house.open("chiko", options={"opener": 1}, clock=60)
        node.spoil(name, seated["table"], 0, at=at)
        later = node.house(f"{name} later", disk=name)
        ann = later.sit(seated)
        assert ann.turn()  # the bots have moved
        assert 0 <= ann.table["seconds"] <= 60
        assert ann.move()["type"] == "ok"
        ann.line.close()


def test_who_does_not_move_in_time() -> None:
    """The clock moves for somebody who is here, a bot for somebody who is gone; who is gone for
    long need not agree."""
    with houses(speed=50) as node:
        house = node.house()
        ann = house.sit(house.open("chiko", options={"opener": 0}, clock=5))
        assert 0 < ann.table["seconds"] <= 5
        assert ann.until("update", seat=0)["by"] == "clock"
        ann.line.close()
        seated = house.open("chiko", 2, people=2, options={"opener": 1}, grace=5)
        joined = house.ask("POST", f"/api/tables/{seated['table']}/join", {"name": "Ben"})[1]
        ann, ben = house.sit(seated), house.sit(joined)
        assert ann.say("pause")["type"] == "ok" and ann.table["agreed"] == [0]
        ben.line.close()
        assert ann.until("update", seat=1)["by"] == "bot"
        while ann.table["status"] != "paused":
            ann.hear()
        assert house.sit(joined).say("resume")["type"] == "ok"


def test_bots_wait_until_everybody_is_in_a_hurry(node: Node) -> None:
    house = node.house("hurry", times={"pace": 600, "patience": 600, "hurry": 0})
    ann = house.sit(house.open("chiko", options={"opener": 1}))
    assert ann.view["waiting"] == [1]
    assert ann.say("hurry")["type"] == "ok"
    assert ann.until("update")["by"] == "bot"


FINE = {"game": "chiko", "name": "Ann"}
OPTIONS: list[Any] = [{}, {"target": 1}, {"target": 0}, {"x": 1}, [], 1]
SETUPS: list[Any] = [
    [],
    {},
    {"game": "chiko"},
    {"game": 7, "name": "Ann"},
    *({**FINE, "name": name} for name in (None, 7, "", "x" * 25, "a\u202eb")),
    *({**FINE, "pronoun": pronoun} for pronoun in ("she", None, "it", 1)),
    *({**FINE, "seed": seed} for seed in ("blue", None, "-", "", "x" * 65, 7)),
    *({**FINE, "players": players} for players in (None, 3, 1, 99, "3", 2.5, True)),
    *({**FINE, "options": options} for options in OPTIONS),
    *({**FINE, "bots": bots} for bots in (["easy"], ["silly"], ["easy"] * 2, "easy", [1], None)),
    *({**FINE, "clock": clock} for clock in (5, None, 4, 604801, "5", 5.5)),
    *({**FINE, "grace": grace} for grace in (5, None, 0)),
    *({**FINE, "undo": undo} for undo in (True, "yes", None, 1)),
    *({**FINE, "watch": watch} for watch in (False, 0)),
    {**FINE, "colour": "red"},
]


def test_what_a_server_refuses_a_device_refuses(node: Node, tmp_path: Path) -> None:
    house = node.house("setups")
    limits = Limits(requests_per_second=1000)
    with inside(Application(f"sqlite:///{tmp_path / 'tables.db'}", limits)) as url:
        for setup in SETUPS:
            here, there = (
                house.ask("POST", "/api/tables", setup),
                request("POST", f"{url}/api/tables", setup),
            )
            assert (here[0], here[1].get("code")) == (there[0], there[1].get("code")), setup
            if there[0] == 201:
                shown = house.ask("GET", f"/api/tables/{here[1]['table']}")[1]
                same = request("GET", f"{url}/api/tables/{there[1]['table']}")[1]
                for key in ("id", "commitment"):
                    assert shown.pop(key) != same.pop(key)
                assert shown == same
    listed = {**FINE, "public": True}
    assert house.ask("POST", "/api/tables", listed)[1]["code"] == "bad_setup"


def test_deleting_a_table(node: Node) -> None:
    one, other = node.house("here", disk="shared"), node.house("there", disk="shared")
    seated = one.open("chiko")
    ann = other.sit(seated)
    assert one.ask("DELETE", f"/api/tables/{seated['table']}") == (200, {})
    assert ann.line.closed() == 4004
    for house in (one, other):
        assert house.ask("GET", f"/api/tables/{seated['table']}")[0] == 404
        assert house.ask("GET", "/api/tables")[1] == {"tables": []}


def test_only_so_many_are_kept(node: Node) -> None:
    """The oldest go, but not one that somebody is looking at."""
    house = node.house("many")
    first = house.open("chiko")
    for _ in range(65):
        last = house.open("chiko")
    listed = [one["id"] for one in house.ask("GET", "/api/tables")[1]["tables"]]
    assert last["table"] in listed and first["table"] not in listed and len(listed) == 60
