"""What several tests need: random matches of any game, and whether the rules are compiled."""

from __future__ import annotations

import importlib
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numba

from lastcard.core.game import Game
from lastcard.core.match import Events, Match, Seat
from lastcard.core.registry import game
from lastcard.rules.forms import Hands, Stack

INTERPRETED = bool(numba.config.DISABLE_JIT)


def times(compiled: int, interpreted: int) -> int:
    """How often to try: plain Python is a thousand times slower."""
    return interpreted if INTERPRETED else compiled


def choose(rng: random.Random, match: Match, shy: tuple[str, ...] = ()) -> tuple[Seat, str]:
    """A random waited seat and one of its legal actions; those in `shy` only now and then."""
    seat = rng.choice(match.waiting)
    legal = match.legal(seat)
    bold = [action for action in legal if action not in shy]
    return seat, rng.choice(bold if bold and rng.random() < 0.9 else legal)


def random_options(rng: random.Random, game: Game, players: int) -> dict[str, Any]:
    """Some options as they are, some at random."""
    options: dict[str, Any] = {}
    for option in game.options:
        if rng.random() < 0.5:
            continue
        if option.name == "opener":
            options["opener"] = rng.randrange(players)
        else:
            options[option.name] = option.write(rng.randint(option.low, min(option.high, 100)))
    return options


def random_match(game: Game, rng: random.Random, players: int | None = None) -> Match:
    count = players or rng.randint(game.fewest, game.most)
    seed = rng.getrandbits(256).to_bytes(32, "little")
    return game.match(count, seed, random_options(rng, game, count))


def play_on(
    match: Match, rng: random.Random, shy: tuple[str, ...] = ()
) -> Iterator[tuple[Seat, str, Events]]:
    """Plays to the end with random actions, telling each."""
    while not match.over:
        seat, action = choose(rng, match, shy)
        yield seat, action, match.play(seat, action)


def shy_of(rng: random.Random, game: Game) -> tuple[str, ...]:
    """Half of the matches rarely quit or draw, so that rounds last and piles grow."""
    return tuple(name for name in ("quit", "draw") if name in game.actions and rng.random() < 0.6)


def moments(game: Game, count: int, seed: int = 0) -> Iterator[tuple[Match, random.Random]]:
    """Random moments of random matches, of all numbers of players."""
    rng = random.Random(f"{game.id} {seed}")
    found = 0
    while found < count:
        match = random_match(game, rng)
        for _ in play_on(match, rng, shy_of(rng, game)):
            if rng.random() < 0.1 or match.over:
                found += 1
                yield match.copy(), rng
                if found == count:
                    return


def played(moves: int, seed: int = 1) -> Match:
    """A match of Chiko after so many moves, or at its end."""
    match = game("chiko").match(3, seed, {"target": 60})
    rng = random.Random(seed)
    for _ in play_on(match, rng, ("quit",)):
        if len(match.moves) == moves:
            break
    return match


def permuted(match: Match, seat: int | None, rng: random.Random) -> Match:
    """The same match with all cards that the seat cannot see dealt out among themselves anew."""
    rules, position = match.game, match.position()
    hidden = match.hidden(seat)[0]
    places: list[tuple[str, int | None, int]] = []  # key, entry, how many
    cards: list[str] = []
    for key, form in rules.keys.items():
        if isinstance(form, Hands):
            for entry in range(match.players):
                unseen = Counter(position[key][entry].split()) - Counter(form.known(hidden, entry))
                places.append((key, entry, unseen.total()))
                cards += list(unseen.elements())
        elif isinstance(form, Stack) and form.write(hidden) != position[key]:
            assert set(form.write(hidden).split()) == {"?"}
            places.append((key, None, len(position[key].split())))
            cards += position[key].split()
    rng.shuffle(cards)
    for key, place, count in places:
        dealt, cards = cards[:count], cards[count:]
        if place is None:
            position[key] = " ".join(dealt)
        else:
            known = rules.keys[key].known(hidden, place)  # type: ignore[attr-defined]
            position[key][place] = " ".join([*known, *dealt])
    key_bytes = rng.randbytes(32)  # the key is hidden, too
    return rules.position(position, match.players, match.options, key_bytes)


def twin_of(id: str) -> Any:
    """The slow twin of a game."""
    return importlib.import_module(f"tests.naive.{id}").Twin
