"""Names and their parsers, for any text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

import lastcard
from lastcard.core.game import Game
from lastcard.core.registry import games


@given(st.sampled_from(games()), st.text(max_size=12))
def test_any_text_is_a_name_or_refused(id: str, text: str) -> None:
    game = lastcard.game(id)
    for parse, names in ((game.parse_action, game.actions), (game.parse_card, game.cards)):
        try:
            assert names[parse(text)] == " ".join(text.split())
        except ValueError as error:
            assert str(error).startswith("There is no ")


@given(st.sampled_from(games()), st.data())
def test_names_are_read_with_any_blanks(id: str, data: st.DataObject) -> None:
    game = lastcard.game(id)
    action = data.draw(st.integers(0, len(game.actions) - 1))
    blanks = data.draw(st.text(alphabet=" \t", min_size=1, max_size=3))
    name = blanks + game.actions[action].replace(" ", blanks) + blanks
    assert game.parse_action(name) == action


def test_chikos_names(chiko: Game) -> None:
    assert chiko.cards == ("1", "2", "3", "4", "5", "6", "c", "e")
    assert chiko.actions[:10] == (
        *(f"play {card}" for card in chiko.cards),
        "draw",
        "quit",
    )
    assert chiko.actions[10:12] == ("roll 1 1", "roll 1 2")
    assert chiko.actions[-1] == "roll 10 10"
    assert len(chiko.actions) == 46
