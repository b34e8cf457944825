"""Views: what a seat may see. They are made from a hidden record, so nothing else can leak."""

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
Made: TypeAlias = dict[tuple[str, Any], Any]  # a view's values by key and source bytes


def view_of(game: Game, hidden: Any, seat: int | None) -> dict[str, Any]:
    """A JSON-able mapping from an array of one record that has been through `hide`.

    A zone of cards is {"size": how many, "cards": the known ones}. If any card of an ordered zone
    is known, all are listed, with "?" for the unknown ones.
    """
    return Watch(game, seat).look(hidden)


class Watch:
    """A seat's view, updated from look to look: only what may have changed is made again."""

    __slots__ = ("_bytes", "game", "seat", "view")

    def __init__(self, game: Game, seat: int | None) -> None:
        self.game = game
        self.seat = seat
        self.view: dict[str, Any] = {}
        self._bytes = b""  # of the hidden record behind the view

    def look(self, hidden: Any, made: Made | None = None) -> dict[str, Any]:
        """The keys of the view that changed since the last look; all of them the first time.

        `made` is a cache that several seats' looks at one move may share; it starts empty.
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
    """The keys of a view that are forms, and the bytes of a record that each depends on."""
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
