"""The rules' examples on the device: shown, played and judged as the server does, in every way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from lastcard.server import examples
from lastcard.server.faces import faces
from lastcard.table.refusals import Refused
from tests.device.node import node


def at_server(path: Path, moves: list[str] | None) -> Any:
    try:
        answer = examples.shown(path) if moves is None else examples.played(path, moves)
    except Refused as refused:
        return refused.code
    return json.loads(msgspec.json.encode(answer))


def every_way(path: Path) -> dict[str, Any]:
    """All that a reader can do, with answers; and some that nobody can."""
    found: dict[str, Any] = {"null": at_server(path, None), "[]": at_server(path, [])}
    open_ways: list[tuple[list[str], Any]] = [([], found["null"]["view"])]
    while open_ways:
        moves, view = open_ways.pop()
        for action in view["legal"]:
            way = [*moves, action]
            answer = found[json.dumps(way)] = at_server(path, way)
            if not answer["over"]:
                open_ways.append((way, answer["steps"][-1]["view"]))
    found['["fly"]'] = at_server(path, ["fly"])
    return found


def test_every_way_is_judged_alike() -> None:
    told, expected = [], []
    for game, face in faces().items():
        paths = examples.scenarios_of(face)
        compiled = json.loads(examples.compiled(face))
        assert list(compiled) == [path.stem for path in paths]  # all of ours can be judged
        answers = {path.stem: every_way(path) for path in paths}
        ways = {name: [json.loads(way) for way in some] for name, some in answers.items()}
        told.append({"game": game, "compiled": compiled, "ways": ways})
        expected.append({name: list(some.values()) for name, some in answers.items()})
    found = node("examples.mjs", told)
    for asked, ours, theirs in zip(told, expected, found, strict=True):
        for name, some in ours.items():
            for way, one, other in zip(asked["ways"][name], some, theirs[name], strict=True):
                assert other == one, (asked["game"], name, way)
    judged = [one for game in expected for some in game.values() for one in some if "meant" in one]
    assert any(one["meant"] for one in judged) and not all(one["meant"] for one in judged)


def test_what_an_engine_does_not_tell_is_left_to_the_server(tmp_path: Path) -> None:
    folder = tmp_path / "examples"
    folder.mkdir()
    begins = 'game: chiko\nplayers: 2\nposition: {turn: 0, top: "6", hands: ["c", "1 2"]}\n'
    (folder / "turn.yaml").write_text(f"{begins}right: {{turn: 1}}\n")
    (folder / "waiting.yaml").write_text(f"{begins}right: {{waiting: [1]}}\n")
    assert list(json.loads(examples.compiled(tmp_path))) == ["turn"]
