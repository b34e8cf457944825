"""Numbers come from the lists that name things."""

from __future__ import annotations

from lastcard.core.game import Game
from lastcard.kernel import Numbered


def test_what_is_added_says_its_number() -> None:
    names: Numbered[str] = Numbered()
    assert names.add("draw") == 0
    assert names.row(f"play {card}" for card in "abc") == 1
    assert names.add("pass") == 4
    assert names == ["draw", "play a", "play b", "play c", "pass"]


def test_every_name_is_there_once(any_game: Game) -> None:
    for names in (
        any_game.actions,
        any_game.cards,
        any_game.rules.OBSERVED,
        [option.name for option in any_game.options],
        [event.kind for event in any_game.events],
    ):
        assert len(set(names)) == len(names)
