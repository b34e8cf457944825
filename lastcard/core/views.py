"""What a seat may see: made from a hidden record, so that there is nothing else to see."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from lastcard.rules.forms import Form
from lastcard.rules.kernel import CHANCE, Record

from .positions import COMMON

if TYPE_CHECKING:
    from .game import Game

CHANCE_NAME = "chance"


def view_of(game: Game, hidden: Any, seat: int | None) -> dict[str, Any]:
    """A JSON-able mapping from an array of one record that `hide` has been through.

    Zones of cards are told as {"size": how many, "cards": the known ones}; cards of a zone with
    an order are all listed, with "?" for the unknown, if any of them is known.
    """
    return Watch(game, seat).look(hidden)


class Watch:
    """A seat's view from one look to the next: only what may have changed is made anew."""

    __slots__ = ("_bytes", "game", "seat", "view")

    def __init__(self, game: Game, seat: int | None) -> None:
        self.game = game
        self.seat = seat
        self.view: dict[str, Any] = {}
        self._bytes = b""  # of the hidden record that the view is made from

    def look(self, hidden: Any) -> dict[str, Any]:
        """The keys of the view that have changed since the last look; at first all of them."""
        game, seat, view, before = self.game, self.seat, self.view, self._bytes
        s, now = hidden[0], hidden.tobytes()
        new = {} if view else {"game": game.id, "players": int(s.players)}
        new |= {} if view else {"options": game.write_options(s), "seat": seat}
        new["waiting"] = waiting_of(game, s)
        new["legal"] = [] if seat is None else [game.actions[a] for a in legal_of(game, s, seat)]
        new["over"] = bool(s.over)
        new["winners"] = seats_of(int(s.winners))
        for key, form, parts in _plan(game):
            for part in parts:
                if now[part] != before[part]:
                    new[key] = form.view(s)
                    break
        self._bytes = now
        changes = {
            key: value for key, value in new.items() if key not in view or view[key] != value
        }
        view |= changes
        return changes


@cache
def _plan(game: Game) -> list[tuple[str, Form, list[slice]]]:
    """The keys of a view that are forms, and the parts of a record's bytes that they depend on."""
    layout = game.rules.RECORD.fields
    plan = []
    for key, form in {**game.keys, **COMMON}.items():
        if key == "chance":
            continue
        names = form.reads
        parts = [
            slice(layout[name][1], layout[name][1] + layout[name][0].itemsize) for name in names
        ]
        plan.append((key, form, parts or [slice(None)]))
    return plan


def seats_of(bits: int) -> list[int]:
    return [seat for seat in range(CHANCE) if bits >> seat & 1]


def waiting_of(game: Game, s: Record) -> list[int | str]:
    bits = int(game.rules.waiting(s))
    return [*seats_of(bits), *([CHANCE_NAME] if bits >> CHANCE & 1 else [])]


def legal_of(game: Game, s: Record, seat: int) -> list[int]:
    out = np.empty(game.rules.MOST_LEGAL, np.int16)
    return out[: game.rules.legal(s, seat, out)].tolist()
