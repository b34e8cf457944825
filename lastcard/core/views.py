"""What a seat may see: made from a hidden record, so that there is nothing else to see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from lastcard.rules.kernel import CHANCE, Record

from .positions import COMMON

if TYPE_CHECKING:
    from .game import Game

CHANCE_NAME = "chance"


def view_of(game: Game, hidden: Record, seat: int | None) -> dict[str, Any]:
    """A JSON-able mapping from a record that `hide` has been through.

    Zones of cards are told as {"size": how many, "cards": the known ones}; cards of a zone with
    an order are all listed, with "?" for the unknown, if any of them is known.
    """
    forms = {**game.keys, **{key: form for key, form in COMMON.items() if key != "chance"}}
    return {
        "game": game.id,
        "players": int(hidden.players),
        "options": game.write_options(hidden),
        "seat": seat,
        "waiting": waiting_of(game, hidden),
        "legal": [] if seat is None else [game.actions[a] for a in legal_of(game, hidden, seat)],
        "over": bool(hidden.over),
        "winners": seats_of(int(hidden.winners)),
        **{key: form.view(hidden) for key, form in forms.items()},
    }


def seats_of(bits: int) -> list[int]:
    return [seat for seat in range(CHANCE) if bits >> seat & 1]


def waiting_of(game: Game, s: Record) -> list[int | str]:
    bits = int(game.rules.waiting(s))
    return [*seats_of(bits), *([CHANCE_NAME] if bits >> CHANCE & 1 else [])]


def legal_of(game: Game, s: Record, seat: int) -> list[int]:
    out = np.empty(game.rules.MOST_LEGAL, np.int16)
    return out[: game.rules.legal(s, seat, out)].tolist()
