"""The Python face: names exactly as documented."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lastcard
from lastcard.core.game import Game, read_seed


def test_the_program_of_the_documentation() -> None:
    m = lastcard.game("chiko").match(players=4, seed=7, options={"target": 20})
    while not m.over:
        seat = m.waiting[0]
        m.play(seat, m.legal(seat)[0])
    assert len(m.scores) == 4
    assert m.winners
    assert m.round >= 1


def test_a_match_says_what_it_is(chiko: Game) -> None:
    m = chiko.match(players=3, seed=7, options={"target": 20, "opener": 2})
    assert m.waiting == [2]
    assert m.round == 1
    assert m.scores == [0, 0, 0]
    assert m.winners == []
    assert not m.over
    assert m.moves == []
    assert m.seed == (7).to_bytes(32, "little")
    assert m.options == {"target": 20, "opener": 2}
    assert m.legal(2) == [chiko.actions[action] for action in m.legal_ids(2)]
    assert m.legal(0) == []
    assert "3 players" in repr(m)


def test_actions_by_name_and_by_number(chiko: Game) -> None:
    one, two = chiko.match(3, 1), chiko.match(3, 1)
    seat = one.waiting[0]
    one.play(seat, "draw")
    two.play(seat, chiko.parse_action("draw"))
    assert one.state == two.state
    assert one.moves == two.moves == [(seat, "draw")]
    one.play(np.int64(one.waiting[0]), np.int16(chiko.parse_action("quit")))  # type: ignore[arg-type]
    assert one.moves[-1][1] == "quit"


def test_refusals_are_sentences(chiko: Game) -> None:
    m = chiko.position({"turn": 0, "top": "3", "hands": ["3 e", "1", "2"]})
    refused: list[tuple[int | str, int | str, str]] = [
        (1, "play 1", "Seat 1 cannot play 1 now: the match waits for seat 0."),
        (0, "play 5", "Seat 0 cannot play 5 now. Possible: play 3, play e, draw, quit."),
        (0, "play 9", "There is no action 'play 9' in Chiko."),
        (7, "draw", "There is no seat 7: seats are 0 to 2."),
        ("chance", "roll 1 1", "The dice cannot roll 1 1 now: the match waits for seat 0."),
        (0, 400, "There is no action 400 in Chiko."),
    ]
    for seat, action, sentence in refused:
        with pytest.raises(lastcard.IllegalAction) as error:
            m.play(seat, action)
        assert str(error.value) == sentence
    with pytest.raises(lastcard.IllegalAction, match="nothing to roll"):
        m.roll()
    assert m.moves == []


def test_a_finished_match_says_so(chiko: Game) -> None:
    m = chiko.position({"top": "3", "hands": ["3", "1"], "scores": [50, 0]})
    with pytest.raises(lastcard.IllegalAction, match=r"The match is over\."):
        m.play(0, "quit")
    assert m.winners == [1]


def test_copies_and_pickles(chiko: Game) -> None:
    m = chiko.position({"turn": 0, "top": "3", "hands": ["3 e", "1", "2"]}, seed=3)
    m.play(0, "play 3")
    for other in (m.copy(), copy.copy(m), copy.deepcopy(m), pickle.loads(pickle.dumps(m))):
        assert other.state == m.state
        assert (other.moves, other.start) == (m.moves, m.start)
        assert other.game is chiko
        before = m.state
        other.play(1, "quit")
        assert m.state == before
        assert len(m.moves) == 1


def test_arrays_of_records_can_be_pickled(any_game: Game) -> None:
    array = np.zeros(2, any_game.rules.RECORD)
    array[1].scores[0] = 7
    again = pickle.loads(pickle.dumps(array))
    assert again.tobytes() == array.tobytes()
    assert again[1].scores[0] == 7


def test_a_position_is_kept_as_it_was_given(chiko: Game, tmp_path: Path) -> None:
    source = {"top": "5", "hands": ["1", "2 5", "3"]}
    m = chiko.position(source)
    source["hands"][0] = "1 1 1"  # type: ignore[index]
    lastcard.save(m, tmp_path / "m.json")
    assert lastcard.load(tmp_path / "m.json").state == m.state


def test_numpy_numbers_are_numbers(chiko: Game) -> None:
    m = chiko.match(np.int64(3), np.int64(7), {"target": np.int16(30)})  # type: ignore[arg-type]
    assert m.state == chiko.match(3, 7, {"target": 30}).state
    assert json.dumps(m.view(np.int64(0)))  # type: ignore[arg-type]
    position = {"top": "6", "hands": ["1", "2", "3"], "turn": np.int64(1), "scores": np.arange(3)}
    m = chiko.position(position)
    assert m.scores == [0, 1, 2]
    assert json.dumps(m.start)


def test_who_can_look(chiko: Game) -> None:
    m = chiko.match(3)
    nobody: list[Any] = ["chance", "x", 9, -1, 1.0]
    for seat in nobody:
        for look in (m.view, m.hidden):
            with pytest.raises(lastcard.IllegalAction):
                look(seat)


def test_numbers_too_long_to_print(chiko: Game) -> None:
    huge: Any = 10**5000
    for call in (
        lambda: chiko.match(huge),
        lambda: chiko.match(2, huge),
        lambda: chiko.match(2, 1, {"target": huge}),
        lambda: chiko.match(2).play(huge, 0),
        lambda: chiko.match(2).play(0, huge),
    ):
        with pytest.raises(lastcard.LastCardError):
            call()


def test_errors_are_value_errors() -> None:
    for error in (
        lastcard.IllegalAction,
        lastcard.BadPosition,
        lastcard.BadOption,
        lastcard.BadFile,
        lastcard.UnknownGame,
    ):
        assert issubclass(error, ValueError)


@pytest.mark.parametrize(
    ("seed", "key"),
    [
        (0, bytes(32)),
        (258, b"\x02\x01" + bytes(30)),
        ("258", b"\x02\x01" + bytes(30)),
        ("ab" * 32, b"\xab" * 32),
        (b"\x01" * 32, b"\x01" * 32),
        (2**256 - 1, b"\xff" * 32),
    ],
)
def test_seeds(seed: int | str | bytes, key: bytes) -> None:
    assert read_seed(seed) == key


@pytest.mark.parametrize(
    "seed", [-1, 2**256, "zz" * 32, "", "-5", "1.5", b"short", True, None, "ab" * 31]
)
def test_bad_seeds(seed: object) -> None:
    with pytest.raises(lastcard.BadOption, match=r"^seed: .*\.$"):
        read_seed(seed)  # type: ignore[arg-type]


def test_without_a_seed_every_match_is_another(chiko: Game) -> None:
    assert chiko.match(2).seed != chiko.match(2).seed


@pytest.mark.parametrize("players", [1, 6, 0, -1, 2.0, "3", True])
def test_wrong_numbers_of_players(chiko: Game, players: int) -> None:
    with pytest.raises(lastcard.BadOption, match=r"^players: .*\.$"):
        chiko.match(players)


@pytest.mark.parametrize(
    "options",
    [
        {"target": 0},
        {"target": "many"},
        {"target": 10**30},
        {"target": None},
        {"target": True},
        {"target": 50.5},
        {"opener": 3},
        {"opener": -1},
        {"opener": [0]},
        {"rounds": 5},
        {5: 5},
        ["target"],
        "target",
    ],
)
def test_wrong_options(chiko: Game, options: object) -> None:
    with pytest.raises(lastcard.BadOption, match=r"^options: .*\.$"):
        chiko.match(3, options=options)  # type: ignore[arg-type]


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    program = (
        "import sys, lastcard, lastcard.cli\n"
        "print({'numpy', 'numba', 'rich', 'yaml', 'msgspec'} & set(sys.modules))"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert result.stdout.strip() == "set()", result.stderr


def test_the_package_names_what_it_has() -> None:
    for name in lastcard.__all__:
        assert getattr(lastcard, name)
    assert set(lastcard.__all__) <= set(dir(lastcard))
    with pytest.raises(AttributeError):
        _ = lastcard.nothing
