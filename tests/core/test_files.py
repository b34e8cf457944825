"""Match files: readable, whole, and never believed when they have been tampered with."""

from __future__ import annotations

import json
import random
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lastcard
from lastcard.core import files
from lastcard.core.game import Game
from tests.helpers import play_on, played


def test_a_match_file_is_readable(tmp_path: Path) -> None:
    match = played(5)
    lastcard.save(match, tmp_path / "m.json", ["human", "greedy", "greedy"])
    text = (tmp_path / "m.json").read_text()
    content = json.loads(text)
    assert content["lastcard"] == 1
    assert content["game"] == "chiko"
    assert content["players"] == 3
    assert content["options"] == {"target": 60, "opener": None}
    assert content["key"] == match.seed.hex()
    assert [tuple(move) for move in content["moves"]] == match.moves
    assert content["seats"] == ["human", "greedy", "greedy"]
    assert text.count("\n") > 5 + 6  # a line for every move


def test_saving_and_loading_any_moment(tmp_path: Path, any_game: Game) -> None:
    rng = random.Random(1)
    match = any_game.match(any_game.most, 5)
    path = tmp_path / "m.json"
    for _ in play_on(match, rng):
        lastcard.save(match, path)
        again = lastcard.load(path)
        assert (again.state, again.moves) == (match.state, match.moves)
        if len(match.moves) > 60:
            break


def test_dice_are_in_the_file(tmp_path: Path) -> None:
    match = lastcard.game("chiko").position({"top": "4", "hands": ["5", "1 1"], "scores": [9, 0]})
    match.play(0, "play 5")
    match.roll()
    lastcard.save(match, tmp_path / "m.json")
    content = json.loads((tmp_path / "m.json").read_text())
    assert content["moves"][1][0] == "chance"
    assert content["moves"][1][1].startswith("roll ")
    assert content["position"]["hands"] == ["5", "1 1"]
    assert lastcard.load(tmp_path / "m.json").state == match.state


def altered(path: Path, change: dict[str, Any]) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"lastcard": 2}, "format 2"),
        ({"game": "poker"}, "no game 'poker'"),
        ({"players": 9}, "players"),
        ({"players": "three"}, "not a match file"),
        ({"options": {"target": -1}}, "options"),
        ({"key": "00" * 31}, "64 hex digits"),
        ({"key": "zz" * 32}, "seed"),
        ({"key": "11" * 32}, "altered"),
        ({"moves": [[0, "draw"]] * 4}, "altered: move"),
        ({"moves": [[0, "fly"]]}, "altered: move 1, 'fly', is not possible."),
        ({"moves": [[7, "draw"]]}, "altered: move 1"),
        ({"moves": ["draw"]}, "not a match file"),
        ({"moves": []}, "altered"),
        ({"seats": ["human"]}, "1 seats"),
        ({"position": {"top": "e", "hands": ["1", "1", "1"]}}, "top"),
        ({"state": "0" * 16}, "altered"),
        ({"extra": 1}, "not a match file"),
    ],
)
def test_altered_files(tmp_path: Path, change: dict[str, Any], says: str) -> None:
    path = tmp_path / "m.json"
    lastcard.save(played(8), path)
    altered(path, change)
    before = path.read_bytes()
    with pytest.raises(lastcard.BadFile) as error:
        lastcard.load(path)
    assert str(error.value).startswith(f"{path}: ")
    assert says in str(error.value)
    assert "\n" not in str(error.value)
    assert path.read_bytes() == before


def test_a_file_without_a_digest_is_believed_if_its_moves_are_possible(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    match = played(8)
    lastcard.save(match, path)
    altered(path, {"state": None, "seats": None})
    assert lastcard.load(path).state == match.state


def test_missing_and_unwritable_files(tmp_path: Path) -> None:
    with pytest.raises(lastcard.BadFile, match="No such file"):
        lastcard.load(tmp_path / "none.json")
    with pytest.raises(lastcard.BadFile, match="Is a directory"):
        lastcard.load(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(lastcard.BadFile, match="cannot be written"):
        lastcard.save(played(1), tmp_path / "file" / "m.json")


def test_names_and_nesting_that_cannot_be(tmp_path: Path) -> None:
    for call in (
        lambda: lastcard.load("a\0b"),
        lambda: lastcard.save(played(1), "a\0b"),
        lambda: lastcard.save(played(1), tmp_path / "m.json", ["human"]),
    ):
        with pytest.raises(lastcard.BadFile):
            call()
    path = tmp_path / "deep.json"
    path.write_text('{"position":' * 100_000)
    with pytest.raises(lastcard.BadFile):
        lastcard.load(path)
    assert not (tmp_path / "m.json").exists()


def test_an_altered_file_tells_nothing_of_the_hands(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    lastcard.save(played(8), path)
    for action in ("play 1", "play 6", "play e", "roll 1 1"):
        altered(path, {"moves": [[0, action], [1, action]]})
        with pytest.raises(lastcard.BadFile) as error:
            lastcard.load(path)
        assert "Possible" not in str(error.value)


def test_a_failed_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m.json"
    lastcard.save(played(3), path)
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(lastcard.BadFile, match="No space left"):
        lastcard.save(played(4), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


WHOLE = files.dumps(played(12, seed=3))


@settings(max_examples=300)
@given(st.integers(0, len(WHOLE) - 3))
def test_truncated_files(length: int) -> None:
    refuse(WHOLE[:length].encode())


@settings(max_examples=300)
@given(st.integers(0, len(WHOLE) - 1), st.binary(min_size=1, max_size=3))
def test_damaged_files(at: int, junk: bytes) -> None:
    damaged = WHOLE.encode()[:at] + junk + WHOLE.encode()[at + len(junk) :]
    refuse(damaged)


@settings(max_examples=100)
@given(st.binary(max_size=200))
def test_any_bytes(content: bytes) -> None:
    refuse(content)


def refuse(content: bytes) -> None:
    """Either a sentence, or exactly the match that was saved."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        file.write(content)
        file.flush()
        try:
            match = lastcard.load(file.name)
        except lastcard.BadFile as error:
            assert "\n" not in str(error)
        else:
            assert files.digest(match) == json.loads(WHOLE)["state"]
