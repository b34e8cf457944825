"""Computer players. A bot sees only the hidden record of its own seat."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence

from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.errors import BadOption
from lastcard.kernel.texts import show

from .bot import Bot
from .learned import LearnedBot
from .levels import BEST, LEVELS, levels_of
from .search import CAREFUL, Budget, SearchBot, read_budget
from .simple import EasyBot, NormalBot, RandomBot, read_slips

__all__ = ["LEVELS", "NAMES", "Bot", "adviser", "bot", "levels_of", "play_out"]

SEARCH, LEARNED, EASY = "search", "learned", "easy"
WITH_NUMBERS = (SEARCH, EASY)  # bots whose names go on behind a colon
Maker = Callable[[Game, int], Bot]

MAKERS: dict[str, Maker] = {
    "normal": NormalBot,
    LEARNED: lambda game, seed: LearnedBot(game),
    "random": RandomBot,
}
NAMES = tuple(dict.fromkeys((*LEVELS, *MAKERS)))
ALSO = {"greedy": "normal"}  # its name in older match files


def bot(name: str, game: Game, seed: int | None = None) -> Bot:
    """A bot by name, for one game. With the same seed it plays the same way every time.

    Besides NAMES there is search with any budget: `search:20ms`, or `search:1000` for that many
    playouts, and in any manner: `search:20ms:network:reach=2:trust=0.02:least=0.01`; and `easy:20`,
    which slips in 20 of 100 choices (docs/bots.md).
    Match files name bots, so no name may run code from elsewhere.
    """
    seed = secrets.randbits(64) if seed is None else int(seed)
    name = str(name).strip().lower()
    name = ALSO.get(name, name)
    if name not in MAKERS:
        name = levels_of(game).get(name, name)
    if name in MAKERS:
        return MAKERS[name](game, seed)
    kind, colon, rest = name.partition(":")
    if colon and kind == EASY:
        return EasyBot(game, seed, read_slips(rest))
    if colon and kind == SEARCH:
        budget, _, manner = rest.partition(":")
        return SearchBot(game, seed, read_budget(budget), manner=manner)
    names = ", ".join(NAMES)
    raise BadOption("bot", f"there is no bot {show(name)}; there are {names}, and search:50ms.")


def adviser(game: Game, seed: int, budget: Budget, threads: int = 1) -> SearchBot:
    """What gives hints: it searches as the best bot of the game does, but tries everything."""
    _, _, rest = levels_of(game)[BEST].partition(":")
    _, _, manner = rest.partition(":")
    return SearchBot(game, seed, budget, threads, manner, doubt=CAREFUL, everything=True)


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
