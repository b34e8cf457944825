"""How a table is set up: everything chosen when it is opened."""

from __future__ import annotations

import unicodedata
from typing import Any

import msgspec

from lastcard.bots import levels_of
from lastcard.core.game import Game
from lastcard.core.registry import game as find
from lastcard.core.shuffle import NO_SEED
from lastcard.errors import BadOption, UnknownGame
from lastcard.kernel.texts import show

from .refusals import Code, Refused

NAME_LENGTH = 24
SEED_LENGTH = 64
SHORTEST_ID, LONGEST_ID = 22, 64  # of a request that may be repeated; 22 hold 128 bits in base64
MOST_MARKS = 4  # on one letter, as in pointed Hebrew
JOINERS = "\u200c\u200d"  # needed by emoji and by some languages
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
SHORTEST_WAIT, LONGEST_WAIT = 5, 7 * 24 * 3600  # seconds


class Setup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What stays the same as long as the table exists."""

    game: str
    players: int | None = None
    options: dict[str, Any] = {}
    bots: list[str] = []
    public: bool = False
    watch: bool = True
    clock: int | None = None
    grace: int | None = 60
    undo: bool = False


def checked(setup: Setup) -> tuple[Game, Setup]:
    """The game of a new table, and its setup with all defaults filled in."""
    game, setup = completed(setup)
    for level in setup.bots:
        check_level(level, game)
    return game, setup


def completed(setup: Setup) -> tuple[Game, Setup]:
    """The same for any table: at an older one bots may play at a level of then, which now is just
    the name of a bot."""
    try:
        game = find(setup.game)
        players = game.read_players(game.fewest if setup.players is None else setup.players)
        stored = game.read_options(setup.options, players)
    except (UnknownGame, BadOption) as error:
        raise Refused(Code.BAD_SETUP, str(error)) from None
    if len(setup.bots) >= players:
        raise Refused(Code.BAD_SETUP, f"{len(setup.bots)} bots leave no free seat of {players}.")
    for name, seconds in (("clock", setup.clock), ("grace", setup.grace)):
        if seconds is not None and not SHORTEST_WAIT <= seconds <= LONGEST_WAIT:
            why = f"must be from {SHORTEST_WAIT} to {LONGEST_WAIT} seconds, not {show(seconds)}."
            raise Refused(Code.BAD_SETUP, f"{name} {why}")
    options = {
        option.name: option.write(value) for option, value in zip(game.options, stored, strict=True)
    }
    return game, msgspec.structs.replace(setup, players=players, options=options)


def check_level(level: str, game: Game) -> None:
    levels = levels_of(game)
    if level not in levels:
        only = ", ".join(levels)
        raise Refused(Code.BAD_SETUP, f"{game.title} has no bot level {show(level)}, only {only}.")


def read_name(name: str) -> str:
    """A name as it is displayed; raises Refused if it cannot be."""
    text = " ".join(unicodedata.normalize("NFC", name).split())
    if not 1 <= len(text) <= NAME_LENGTH:
        raise Refused(Code.BAD_NAME, f"A name has 1 to {NAME_LENGTH} characters.")
    if not can_be_shown(text):
        raise Refused(Code.BAD_NAME, "A name has visible characters only.")
    return text


def read_seed(seed: str | None) -> str | None:
    if seed is None:
        return None
    if not 1 <= len(seed) <= SEED_LENGTH or not can_be_shown(seed) or seed == NO_SEED:
        why = f"A seed has 1 to {SEED_LENGTH} visible characters, and is not {NO_SEED}."
        raise Refused(Code.BAD_SETUP, why)
    return seed


def can_be_shown(text: str) -> bool:
    """Whether a text has only visible characters, with no more marks than any language puts on
    a letter: no line feeds, no direction overrides, no blanks that pass for letters."""
    marks = MOST_MARKS  # none may come before the first letter
    joined = False  # whether the last character is a joiner
    for one in text:
        kind = unicodedata.category(one)
        if one in JOINERS or kind[0] == "M":
            marks += 1
            if marks > MOST_MARKS or one in BLANK:
                return False
        elif kind[0] == "C" or one in BLANK:
            return False
        else:
            marks = MOST_MARKS if kind[0] == "Z" else 0
        joined = one in JOINERS
    return not joined
