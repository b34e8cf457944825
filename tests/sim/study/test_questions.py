"""What a study asks: read from the game's folder and from flags, and checked."""

from __future__ import annotations

from typing import Any

import pytest

import lastcard
from lastcard.bots.levels import levels_of
from lastcard.engine.places import sources_of
from lastcard.errors import BadOption
from lastcard.sim.study.gathering import gather
from lastcard.sim.study.questions import (
    LEVEL,
    PLAYOUTS,
    Questions,
    design,
    named,
    questions_of,
    read_comparison,
    read_players,
    span,
    strong_bot,
    written,
)
from lastcard.sim.study.report import Report


@pytest.mark.parametrize("id", lastcard.games())
def test_what_a_games_folder_asks(id: str) -> None:
    """Cards, events and options are the game's own, for any number of players."""
    rules = lastcard.game(id)
    asked = questions_of(rules)
    everybody = f"{rules.fewest}-{rules.most}"
    assert design(id, everybody).players[-1] == rules.most
    for comparison in asked.compare:
        usual = {option.name: option.default for option in rules.options}
        first = dict(comparison.variants[0])
        assert first.items() <= usual.items(), "the first variant is what the rules say"


def test_what_is_asked_of_a_game_is_no_part_of_its_library() -> None:
    names = {file.name for file in sources_of(lastcard.game("chiko").folder)}
    assert "rules.py" in names and "study.py" not in names


def test_a_game_that_asks_nothing_is_studied_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    chiko = lastcard.game("chiko")
    part = chiko.part
    monkeypatch.setattr(chiko, "part", lambda name: None if name == "study" else part(name))
    assert questions_of(chiko) == Questions()
    found = gather(
        design("chiko", "2", matches=5, strong_matches=2, strong="search:2", rulings=False), 1
    )
    page = Report(found).page()
    assert 'id="opening"' in page and 'id="cards"' not in page and 'id="variants"' not in page


def test_numbers_of_players() -> None:
    taki = lastcard.game("taki")
    assert read_players(taki, None) == (2, 3, 4, 5)
    assert read_players(taki, "3") == (3,)
    assert read_players(taki, " 9 - 10 ") == (9, 10)
    assert span((3,)) == "3" and span((2, 3, 4)) == "2-4"


def test_comparisons() -> None:
    found = read_comparison("rounds = 1, 5")
    assert found.variants == ((("rounds", "1"),), (("rounds", "5"),))
    whole = design("chichiko", "2", ["hand=none,5"], options={"blitz": "yes"})
    (comparison,) = whole.questions.compare
    assert comparison.variants == (
        (("hand", None), ("blitz", True)),
        (("hand", 5), ("blitz", True)),
    )
    assert [named(one, comparison.variants) for one in comparison.variants] == [
        "hand=none",
        "hand=5",
    ]
    assert written(comparison.variants[0]) == ["hand=none", "blitz=true"]


def test_the_command_that_repeats_a_study() -> None:
    rules = {"must_play": "no"}
    made = design("taki", "2-3", ["rounds=1,2"], 50, 4, options=rules, rulings=False)
    assert made.command == (
        "lastcard study taki --players 2-3 --matches 50 --skill-matches 4 --bots normal "
        "--strong learned --seed 1 -o must_play=false "
        "--compare rounds=1,2 --no-rulings"
    )


def test_who_plays_better_is_the_level_by_playouts() -> None:
    """Its milliseconds aside it is the bot of the level."""
    kinds = set()
    for id in lastcard.games():
        rules = lastcard.game(id)
        level, ours = levels_of(rules)[LEVEL].split(":"), strong_bot(rules).split(":")
        kinds.add(level[0])
        if level[0] == "search":
            assert level[1].endswith("ms") and ours[1] == str(PLAYOUTS)
            level[1] = ours[1]
        assert ours == level
    assert kinds == {"search", "learned"}


def test_rulings_are_asked_where_they_mean_something() -> None:
    made = design("eight_half", "4-5")
    assert [one.name for one in made.rulings(5)] == [
        *(one.name for one in made.rulings(4)),
        "extra-cards-last",
    ]
    assert "--no-rulings" not in made.command


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"players": "2-9"}, "Chiko is for 2 to 5, not 9"),
        ({"players": "5-2"}, "the smaller number first"),
        ({"players": "some"}, "are written 3 or 2-5, not 'some'"),
        ({"compare": ["target"]}, "is written option=a,b, not 'target'"),
        ({"compare": ["target=3"]}, "is written option=a,b"),
        ({"compare": ["target=3,"]}, "is written option=a,b"),
        ({"compare": ["target=1,2,3,4,5,6,7"]}, "6 values at most, not 7"),
        ({"compare": ["target=20,20"]}, "has a value twice"),
        ({"compare": ["target=20,many"]}, "target must be a whole number from 1 to 30000"),
        ({"compare": ["rounds=1,2"]}, "'rounds' is none of target, opener"),
        ({"options": {"target": 0}}, "target must be a whole number"),
        ({"matches": 0}, "must be 1 or more, not 0"),
        ({"bots": "genius"}, "there is no bot 'genius'"),
        ({"strong": "search:much"}, "is written 50ms, or 1000"),
    ],
)
def test_what_cannot_be(given: dict[str, Any], says: str) -> None:
    with pytest.raises(BadOption, match=says):
        design("chiko", **given)


def test_values_that_clash_are_refused() -> None:
    with pytest.raises(BadOption, match="faces needs open"):
        design("chichiko", compare=["faces=no,yes"])
