"""What a seat may see: made from a hidden record, so that there is nothing else to see."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from lastcard.kernel import CHANCE, Record
from lastcard.kernel.forms import Form, Seats, Truth, places_in

from .positions import COMMON

if TYPE_CHECKING:
    from .game import Game

CHANCE_NAME = "chance"
Made: TypeAlias = dict[tuple[str, Any], Any]  # values of a view by key and what they are made from


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

    def look(self, hidden: Any, made: Made | None = None) -> dict[str, Any]:
        """The keys of the view that have changed since the last look; at first all of them.

        What is the same for several seats is made once if `made`, at first empty, is given to all.
        """
        made = {} if made is None else made
        game, seat, view, before = self.game, self.seat, self.view, self._bytes
        s, now = hidden[0], hidden.tobytes()
        changes: dict[str, Any] = {}
        if not view:
            changes |= {"game": game.id, "players": int(s.players), "seat": seat}
            changes["options"] = game.write_options(s)
        waited = int(game.rules.waiting(s))
        waiting = seats_or_chance(waited)
        if waiting != view.get("waiting"):
            changes["waiting"] = waiting
        legal: list[str] = []
        if seat is not None and (waited | int(game.rules.bystanders(s))) >> seat & 1:
            legal = [game.actions[action] for action in legal_of(game, s, seat)]
        if legal != view.get("legal"):
            changes["legal"] = legal
        for key, form, bytes_of in _plan(game):
            source = bytes_of(now)
            if source != bytes_of(before):
                if (key, source) not in made:
                    made[key, source] = form.view(s)
                value = made[key, source]
                if key not in view or value != view[key]:
                    changes[key] = value
        self._bytes = now
        view |= changes
        return changes


@cache
def _plan(game: Game) -> list[tuple[str, Form, Callable[[bytes], Any]]]:
    """The keys of a view that are forms, and what of a record's bytes they depend on."""
    layout = game.rules.RECORD.fields
    plan: list[tuple[str, Form, Callable[[bytes], Any]]] = []
    end: dict[str, Form] = {"over": Truth("over"), "winners": Seats("winners")}
    for key, form in {**end, **game.keys, **COMMON}.items():
        if key == "chance":
            continue
        names = form.reads
        parts = [
            slice(layout[name][1], layout[name][1] + layout[name][0].itemsize) for name in names
        ]
        plan.append((key, form, itemgetter(*parts or [slice(None)])))
    return plan


def seats_of(bits: int) -> list[int]:
    return places_in(bits) if bits else []


def waiting_of(game: Game, s: Record) -> list[int | str]:
    return seats_or_chance(int(game.rules.waiting(s)))


def seats_or_chance(bits: int) -> list[int | str]:
    return [CHANCE_NAME] if bits == 1 << CHANCE else list(seats_of(bits))


def legal_of(game: Game, s: Record, seat: int) -> list[int]:
    out = np.empty(game.rules.MOST_LEGAL, np.int16)
    return out[: game.rules.legal(s, seat, out)].tolist()
