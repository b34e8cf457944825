"""What every game is made of.

A match is one NumPy record, the same bytes in the interpreter, in compiled code and on a GPU.
Rules are plain loops over that record; they allocate nothing and never fail.
"""

from .chance import (
    guess_chance,
    hide_chance,
    next_round,
    pick,
    pick_opener,
    random,
    random_below,
    random_shuffle,
    shuffle,
    shuffle_rest,
    toss,
)
from .compiling import Log, Record, Rng, bind, inlined, rule
from .dealing import (
    Deal,
    bury,
    deal_out,
    deal_record,
    list_card,
    list_place,
    places_of,
    put_back,
    shuffle_order,
    take,
)
from .events import LOG_COLUMNS, LOG_VALUES, PUBLIC, emit, show_hand, tell_winners
from .lists import Numbered, clear, offer
from .records import MOST_CARDS, UNKNOWN, copy_record, finish, record, set_up, wide
from .seats import CHANCE, NOBODY, beside, bit, everybody, lowest, nobody, popcount

__all__ = [
    "CHANCE",
    "LOG_COLUMNS",
    "LOG_VALUES",
    "MOST_CARDS",
    "NOBODY",
    "PUBLIC",
    "UNKNOWN",
    "Deal",
    "Log",
    "Numbered",
    "Record",
    "Rng",
    "beside",
    "bind",
    "bit",
    "bury",
    "clear",
    "copy_record",
    "deal_out",
    "deal_record",
    "emit",
    "everybody",
    "finish",
    "guess_chance",
    "hide_chance",
    "inlined",
    "list_card",
    "list_place",
    "lowest",
    "next_round",
    "nobody",
    "offer",
    "pick",
    "pick_opener",
    "places_of",
    "popcount",
    "put_back",
    "random",
    "random_below",
    "random_shuffle",
    "record",
    "rule",
    "set_up",
    "show_hand",
    "shuffle",
    "shuffle_order",
    "shuffle_rest",
    "take",
    "tell_winners",
    "toss",
    "wide",
]
