"""What several tests need: random matches of any game, and whether the rules are compiled."""

from __future__ import annotations

import importlib
import random
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from functools import cache
from itertools import product
from typing import Any

import numba

from lastcard.core.game import Game
from lastcard.core.match import Events, Match, Seat
from lastcard.core.positions import write_position
from lastcard.core.registry import game
from lastcard.errors import BadOption, BadPosition
from lastcard.kernel.forms import Hands, OnePerSeat, Outside, Slots, Stack, Stacks
from lastcard.kernel.options import Choice, Flag, Option
from tests.naive import chichiko

INTERPRETED = bool(numba.config.DISABLE_JIT)


def times(compiled: int, interpreted: int) -> int:
    """How often to try: plain Python is a thousand times slower."""
    return interpreted if INTERPRETED else compiled


def choose(rng: random.Random, match: Match, shy: tuple[str, ...] = ()) -> tuple[Seat, str]:
    """A random waited seat and one of its legal actions; those in `shy` only now and then.

    Half of the time somebody who may act without being waited for does.
    """
    bystanders = match.bystanders
    seat: Seat = rng.choice(match.waiting)
    if bystanders and rng.random() < 0.5:
        seat = rng.choice(bystanders)
    legal = match.legal(seat)
    bold = [action for action in legal if action not in shy]
    return seat, rng.choice(bold if bold and rng.random() < 0.9 else legal)


# What keeps a match short enough to be played thousands of times.
SHORT: dict[str, Callable[[dict[str, Any]], tuple[str, tuple[Any, ...]]]] = {
    "chiko": lambda _: ("target", (1, 1, 1, 10, 20, 40)),
    "eight_half": lambda _: ("rounds", (1, 1, 1, 2)),
    # Beginners soon have some points, others lose them when they play at random.
    "sixth_sense": lambda options: (
        "target",
        (1, 6, 6, 20) if options.get("beginner") else (None,) * 40 + (1, 20),
    ),
    "taki": lambda _: ("rounds", (1, 1, 1, 2)),
    "chichiko": lambda _: ("rounds", (1, 1, 1, 2)),
}


def random_options(
    rng: random.Random, game: Game, players: int, flags: dict[str, bool] | None = None
) -> dict[str, Any]:
    """Some options as they are, some at random, such that they go together; flags can be given."""
    while True:
        options = {
            option.name: value_for(rng, option, players)
            for option in game.options
            if rng.random() < 0.5
        }
        options.update(flags or {})
        if game.id in SHORT:
            name, values = SHORT[game.id](options)
            options[name] = rng.choice(values)
        try:
            game.read_options(options, players)
        except BadOption:
            continue
        return options


def value_for(rng: random.Random, option: Option, players: int) -> Any:
    if option.name == "opener":
        return rng.randrange(players)
    if isinstance(option, Flag):
        return rng.random() < 0.5
    if isinstance(option, Choice):
        return rng.choice(option.choices)
    return rng.randint(option.low, min(option.high, 100))


def combinations_of_flags(game: Game, players: int) -> list[dict[str, bool]]:
    """All that go together."""
    names = [option.name for option in game.options if isinstance(option, Flag)]
    fine = []
    for values in product((False, True), repeat=len(names)):
        flags = dict(zip(names, values, strict=True))
        try:
            game.read_options(flags, players)
        except BadOption:
            continue
        fine.append(flags)
    return fine


def random_match(
    game: Game,
    rng: random.Random,
    players: int | None = None,
    flags: dict[str, bool] | None = None,
) -> Match:
    count = players or rng.randint(game.fewest, game.most)
    seed = rng.getrandbits(256).to_bytes(32, "little")
    return game.match(count, seed, random_options(rng, game, count, flags))


def play_on(
    match: Match, rng: random.Random, shy: tuple[str, ...] = ()
) -> Iterator[tuple[Seat, str, Events]]:
    """Plays to the end with random actions, telling each."""
    while not match.over:
        seat, action = choose(rng, match, shy)
        yield seat, action, match.play(seat, action)


def shy_of(rng: random.Random, match: Match) -> tuple[str, ...]:
    """Half of the matches rarely quit or draw, so that rounds last and piles grow.

    Where nobody must play nearly all rarely draw: otherwise rounds would last for ever.
    """
    often = 0.6 if match.options.get("must_play", True) else 0.97
    return tuple(
        name for name in ("quit", "draw") if name in match.game.actions and rng.random() < often
    )


def moments(game: Game, count: int, seed: int = 0) -> Iterator[tuple[Match, random.Random]]:
    """Random moments of random matches, of all numbers of players."""
    rng = random.Random(f"{game.id} {seed}")
    found = 0
    while found < count:
        match = random_match(game, rng)
        for _ in play_on(match, rng, shy_of(rng, match)):
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


def held(match: Match) -> Counter[int]:
    """All cards that lie somewhere."""
    cards: Counter[int] = Counter()
    for form in match.game.keys.values():
        cards.update(form.held(match.record))
    return cards


def permuted(match: Match, seat: int | None, rng: random.Random) -> Match:
    """The same match with all cards that the seat cannot see dealt out among themselves anew.

    It is made from what the seat's hidden record holds, so nothing else is carried over. A deal
    that the rules exclude (somebody is asked about a pair, and has none) is dealt again.
    """
    rules, true = match.game, match.position()
    hidden = match.hidden(seat)[0]
    position = write_position(rules, hidden)
    places: list[tuple[str, int | None, str]] = []  # key, entry, what is known with ? for the rest
    cards: list[str] = []
    for key, form in rules.keys.items():
        if not isinstance(form, Hands | Stack | Stacks | Slots | OnePerSeat):
            continue
        entries = range(match.players) if isinstance(position[key], list) else [None]
        for entry in entries:
            shown, there = (
                text if entry is None else text[entry] for text in (position[key], true[key])
            )
            if isinstance(form, Hands):
                unseen = list((Counter(there.split()) - Counter(shown.split())).elements())
                shown = " ".join([*shown.split(), *["?"] * len(unseen)])
            elif isinstance(shown, str) and "?" in shown:
                pairs = zip(shown.split(), there.split(), strict=True)
                unseen = [card for blank, card in pairs if blank == "?"]
            else:
                continue
            places.append((key, entry, shown))
            cards += unseen
    if not any(isinstance(form, Outside) for form in rules.keys.values()):
        # Cards may be out of the game, and nobody has seen them.
        lying = held(match)
        cards += [name for card, name in enumerate(rules.cards) if not lying[card]]
    for _ in range(1000):
        rng.shuffle(cards)
        try:
            dealt = deal(position, places, list(cards), rng)
            key_bytes = rng.randbytes(32)  # the key is hidden, too
            return rules.position(dealt, match.players, match.options, key_bytes)
        except (BadPosition, LookupError):
            continue
    raise AssertionError(f"no other deal fits: {position}")


def deal(
    position: dict[str, Any],
    places: list[tuple[str, int | None, str]],
    cards: list[str],
    rng: random.Random,
) -> dict[str, Any]:
    """A position with cards in its blanks; in hands first those that their memory asks for."""
    dealt = {key: value[:] if isinstance(value, list) else value for key, value in position.items()}
    for key, entry, shown in places:
        names = shown.split()
        for barred in words_of(position, key, entry, rng):
            if "?" in names:
                fits = [card for card in cards if card not in barred]
                names[names.index("?")] = fits[0]
                cards.remove(fits[0])
        filled = " ".join(cards.pop() if name == "?" else name for name in names)
        if entry is None:
            dealt[key] = filled
        else:
            dealt[key][entry] = filled
    return dealt


def words_of(
    position: dict[str, Any], key: str, entry: int | None, rng: random.Random
) -> list[Collection[str]]:
    """What the table remembers of a hand: of each card, the oldest first, what it is not."""
    if key == "hands" and "burned" in position:  # Eight and a Half
        return list(rng.choice(str(position["memory"][entry]).split("|")).split())
    if key == "hands" and "void" in position:  # Sixth Sense
        void = position["void"][entry].split()
        cards = game("sixth_sense").cards
        return [[card for card in cards if card[0] in void]] * 15
    if key == "hands" and "bazaar" in position:  # Chi-Chi-Ko
        kinds = [word.split(":") for word in position["memory"][entry].split()]
        return [barred_tiles(what) for count, what in kinds for _ in range(int(count))]
    return []


@cache
def barred_tiles(what: str) -> frozenset[str]:
    """The tiles that fit an end, or are doubles, as the memory of Chi-Chi-Ko says it."""
    names = what.replace("doubles", ",".join(chichiko.DOUBLES)).split(",")
    return frozenset(
        tile
        for tile in chichiko.DECK
        if tile in names or any("-" not in end and chichiko.ways_to_fit(tile, end) for end in names)
    )


def twin_of(id: str) -> Any:
    """The slow twin of a game."""
    return importlib.import_module(f"tests.naive.{id}").Twin
