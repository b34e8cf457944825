"""Positions: a match's whole state as a mapping that people can write by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from lastcard.errors import BadPosition
from lastcard.kernel import NOBODY, Record, set_up
from lastcard.kernel.forms import Form
from lastcard.kernel.telling import new_text, told
from lastcard.kernel.texts import flag_of, show, text_of

from .sheets import COMMON

if TYPE_CHECKING:
    from .game import Game

OVER, REST, OUT = "over", "rest", "out"


def read_position(
    game: Game, s: Record, position: Mapping[str, Any], players: int, options: list[int]
) -> None:
    """Fills an empty record that has its key, or raises BadPosition."""
    set_up(s, players, np.array(options, np.int16))
    forms = forms_of(game)
    known = [*forms, OVER, REST]
    for key in position:
        if key not in known:
            raise BadPosition(str(key), f"no such key; the keys are {', '.join(known)}.")
    for key in game.rules.REQUIRED:
        if key not in position:
            raise BadPosition(key, "must be given.")
    named = [option.name for option in game.options]
    wish = options[named.index("opener")] if "opener" in named else NOBODY
    s.opener = 0 if wish == NOBODY else wish
    s.round_number = 1

    deck = Counter(dict(enumerate(game.rules.DECK)))
    held: Counter[int] = Counter()
    for key, form in forms.items():
        if key not in position:
            continue
        form.read(key, s, position[key])
        held.update(form.held(s))
        for card, count in held.items():
            if count > deck[card]:
                only = "is only 1" if deck[card] == 1 else f"are only {deck[card]}"
                raise BadPosition(key, f"there {only} of the card {game.cards[card]}.")
    if OVER in position:
        over = flag_of(position[OVER])
        if over is None:
            raise BadPosition(OVER, f"must be true or false, not {show(position[OVER])}.")
        s.over = over
    if REST in position and text_of(position[REST]) != OUT:
        raise BadPosition(REST, f"can only be {OUT}, not {show(position[REST])}.")
    game.rules.settle(s, frozenset(position), deck - held, REST in position)


def plain(value: Any) -> Any:
    """A copy of a value for JSON: NumPy's numbers and arrays become numbers and lists."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return value


def write_position(game: Game, s: Record) -> dict[str, Any]:
    """A position with every key, so that the record can be rebuilt from it."""
    return {**values_of(game, s, forms_of(game)), OVER: bool(s.over), REST: OUT}


def values_of(game: Game, s: Record, forms: Mapping[str, Form]) -> dict[str, Any]:
    """What some keys are in a position."""
    out, values = new_text(), {}
    for key, form in forms.items():
        size = game.telling.key(s, s.data, game.sheet.KEYS.index(key), out)
        values[key] = form.write(msgspec.json.decode(told(out.bytes, size)))
    return values


def forms_of(game: Game) -> dict[str, Form]:
    """The keys of a position: all but derived ones."""
    return {key: form for key, form in {**game.keys, **COMMON}.items() if not form.derived}
