"""Computer players. A bot sees only the hidden record of its own seat."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Sequence

from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.errors import BadOption
from lastcard.kernel.texts import show

from .bot import Bot
from .learned import LearnedBot, has_learned
from .search import SearchBot, read_budget, read_reach
from .simple import EasyBot, NormalBot, RandomBot

__all__ = ["LEVELS", "NAMES", "Bot", "bot", "levels_of", "play_out"]

SEARCH, LEARNED = "search", "learned"
Maker = Callable[[Game, int], Bot]

MAKERS: dict[str, Maker] = {
    "easy": EasyBot,
    "normal": NormalBot,
    "hard": lambda game, seed: SearchBot(game, seed, read_budget("50ms")),
    "expert": lambda game, seed: SearchBot(
        game, seed, read_budget("500ms"), threads=os.cpu_count() or 1
    ),
    LEARNED: lambda game, seed: LearnedBot(game),
    "random": RandomBot,
}
LEVELS = ("easy", "normal", "learned", "hard", "expert")  # offered to people
NAMES = tuple(MAKERS)
ALSO = {"greedy": "normal"}  # its name in older match files


def bot(name: str, game: Game, seed: int | None = None) -> Bot:
    """A bot by name, for one game. With the same seed it plays the same way every time.

    Besides NAMES there is search with any budget: `search:20ms`, or `search:1000` for that many
    playouts; `search:20ms:tree`, `search:20ms:policy` and `search:20ms:network` choose how playouts
    are played; `search:20ms:network:8` has a network make the first 8 choices of each. Match files
    name bots, so no name may run code from elsewhere.
    """
    seed = secrets.randbits(64) if seed is None else int(seed)
    name = str(name).strip().lower()
    name = ALSO.get(name, name)
    if name in MAKERS:
        return MAKERS[name](game, seed)
    kind, colon, rest = name.partition(":")
    if colon and kind == SEARCH:
        budget, _, how = rest.partition(":")
        way, _, reach = how.partition(":")
        return SearchBot(game, seed, read_budget(budget), way=way, reach=read_reach(reach))
    names = ", ".join(NAMES)
    raise BadOption("bot", f"there is no bot {show(name)}; there are {names}, and search:50ms.")


def levels_of(game: Game) -> tuple[str, ...]:
    """The levels at which bots play a game: without a trained network, one less."""
    return LEVELS if has_learned(game) else tuple(one for one in LEVELS if one != LEARNED)


def play_out(match: Match, bots: Sequence[Bot]) -> None:
    """Lets bots, one for each seat, play a match to its end."""
    while not match.over:
        for seat in match.bystanders:
            action = bots[seat].interject(match, seat)
            if action is not None:
                match.play(seat, action)
                break
        else:
            seats = match.waiting
            if isinstance(seats[0], int):
                match.play(seats[0], bots[seats[0]].choose(match, seats[0]))
            else:
                match.roll()
