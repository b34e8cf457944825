"""Match files: the device writes Python's text, and takes and refuses what Python does."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import lastcard
from lastcard.core import files
from lastcard.core.match import Match
from lastcard.core.registry import games
from lastcard.core.shuffle import Shuffle, check, commitment_of, key_of
from lastcard.errors import BadFile
from tests.device.node import node
from tests.device.test_match import setup_of
from tests.helpers import choose, random_options

SECRET = "5ec2e7" * 10 + "abcd"
SEEDS = ["plain", None, "é\u05d0\U0001f0a1\x7f", '"\\\n\t\x01', "-", "six", "seven", None]


def shuffled(id: str, rng: random.Random, moves: int) -> tuple[Match, Shuffle]:
    """A match as tables deal it, played for a while."""
    game = lastcard.game(id)
    players = rng.randint(game.fewest, game.most)
    seeds = SEEDS[:players]
    options = random_options(rng, game, players)
    match = game.match(players, key_of(SECRET, seeds), options)
    while not match.over and len(match.moves) < moves:
        match.play(*choose(rng, match))
    return match, Shuffle(commitment_of(SECRET), SECRET, seeds)


def test_what_the_device_writes_is_what_python_writes() -> None:
    rng = random.Random("files")
    asked, texts = [], []
    for id in games():
        for moves in (0, 30, 60):
            match, shuffle = shuffled(id, rng, moves)
            seats = ["human", *["expert"] * (match.players - 1)] if moves else None
            made = shuffle if moves else None
            texts.append(files.dumps(match, seats, made))
            facts = {"seats": seats, "shuffle": vars_of(made)}
            asked.append({**setup_of(match), **facts})
    assert node("files.mjs", {"write": asked, "read": []})["written"] == texts


def vars_of(shuffle: Shuffle | None) -> dict[str, Any] | None:
    if shuffle is None:
        return None
    return {"commitment": shuffle.commitment, "secret": shuffle.secret, "seeds": shuffle.seeds}


def verdict(path: Path, text: str) -> str | None:
    """The state that a file leads to in Python; None if it is refused."""
    path.write_text(text)
    try:
        content = files.read(path)
        match = files.replay(content, path)
        if content.shuffle is not None:
            check(content.shuffle, match.players, match.seed, path)
    except BadFile:
        return None
    return match.state.hex()


def changed(text: str) -> dict[str, str]:
    """A file of chiko with one thing wrong, by the code that the device refuses it with."""
    content: dict[str, Any] = json.loads(text)
    moves, shuffle = content["moves"], content["shuffle"]
    dealt = [name for name in content if name not in ("seats", "state", "shuffle")]
    return {
        **{f"file.foreign {name}": json.dumps(without(content, name)) for name in dealt},
        "file.foreign more": json.dumps({**content, "more": 1}),
        "file.foreign toString": json.dumps({**content, "toString": 1}),
        "file.foreign players": json.dumps({**content, "players": "3"}),
        "file.foreign moves": json.dumps({**content, "moves": [[0, "draw", 1]]}),
        "file.foreign seats": json.dumps({**content, "seats": [1]}),
        "file.foreign shuffle": json.dumps({**content, "shuffle": without(shuffle, "seeds")}),
        "file.foreign ": "[]",
        "file.damaged": text[:-20],
        "file.damaged empty": "",
        "file.format": json.dumps({**content, "lastcard": 2}),
        "file.key": json.dumps({**content, "key": "z" * 64}),
        "file.key short": json.dumps({**content, "key": content["key"][1:]}),
        "file.altered": json.dumps({**content, "state": "0" * 16}),
        "file.altered cut": json.dumps({**content, "moves": moves[:-1]}),
        "file.altered empty": json.dumps({**content, "state": ""}),
        "file.move": json.dumps({**content, "moves": [[0, "fly"], *moves]}),
        "file.move seat": json.dumps({**content, "moves": [[9, "draw"], *moves]}),
        "file.move twice": json.dumps({**content, "moves": [*moves, ["chance", "roll 1 1"]]}),
        "file.players": json.dumps({**content, "players": 6, "seats": None}),
        "file.option": json.dumps({**content, "options": {"target": 0}}),
        "file.option name": json.dumps({**content, "options": {"goal": 3}}),
        "file.seats": json.dumps({**content, "seats": ["human"]}),
        "file.seeds": json.dumps(with_shuffle(content, seeds=["a"])),
        "file.secret": json.dumps(with_shuffle(content, secret="0" * 64)),
        "file.secret hash": json.dumps(with_shuffle(content, commitment="0" * 64)),
        "file.secret_key": json.dumps(with_shuffle(content, seeds=["x"] * content["players"])),
    }


def without(content: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in content.items() if key != name}


def with_shuffle(content: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {**content, "shuffle": {**content["shuffle"], **more}}


def test_what_is_wrong_is_named(tmp_path: Path) -> None:
    match, shuffle = shuffled("chiko", random.Random("wrong"), 30)
    text = files.dumps(match, ["human"] * match.players, shuffle)
    wrong = changed(text)
    [fine, *found] = node("files.mjs", {"write": [], "read": [text, *wrong.values()]})["found"]
    assert fine == {"state": match.state.hex(), "again": text}
    for (code, one), answer in zip(wrong.items(), found, strict=True):
        assert verdict(tmp_path / "match", one) is None, code
        assert answer["code"] == code.split()[0], code
        if answer["code"] == "file.foreign":
            assert answer["values"] == {"key": code.split(" ", 1)[1]}


def test_any_damage_is_found_where_python_finds_it(tmp_path: Path) -> None:
    rng = random.Random("damage")
    match, shuffle = shuffled("chiko", rng, 40)
    text = files.dumps(match, ["human"] * match.players, shuffle)
    texts = [text]
    for _ in range(400):
        at = rng.randrange(len(text))
        texts.append(
            text[:at] + rng.choice(["", *'0a"[]{},: \n-']) + text[at + rng.randint(0, 2) :]
        )
    expected = [verdict(tmp_path / "match", one) for one in texts]
    answers = node("files.mjs", {"write": [], "read": texts})["found"]
    assert 0 < sum(one is not None for one in expected) < 200
    for one, ours, theirs in zip(texts, expected, answers, strict=True):
        assert theirs.get("state") == ours, one


def test_what_the_device_cannot_replay() -> None:
    position = lastcard.game("chiko").position({"hands": ["1", "2"], "turn": 0, "top": "3"})
    taki = files.dumps(lastcard.game("taki").match(2, 1))
    texts = [files.dumps(position), taki, "0" * 8_000_001]
    found = node("files.mjs", {"write": [], "read": texts})["found"]
    assert [one["code"] for one in found] == ["file.position", "file.game", "file.large"]
