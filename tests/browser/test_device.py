"""Tables on the device: no server plays there, and nothing that was done is lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.device import open_here
from tests.browser.harness import GAMES, Ear, Table, Visitor

Visit = Callable[..., Visitor]


@pytest.mark.parametrize("game", GAMES)
def test_a_match_without_a_server(visitor: Visitor, game: str) -> None:
    page = visitor.open()
    [seat] = open_here(page, game)
    ear = Ear(page)
    visitor.go(seat.path)
    table = Table(visitor)
    table.play_to_end()
    table.expect_final()
    assert ear.sockets == [] and ear.answers == []
