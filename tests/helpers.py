"""Shared by many tests: random matches of any game, and whether the rules are compiled."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import product
from typing import Any

from lastcard.core.game import Game
from lastcard.core.match import Events, Match, Seat
from lastcard.core.positions import write_position
from lastcard.core.registry import game, games
from lastcard.engine import AHEAD, PLAIN
from lastcard.errors import BadOption, BadPosition
from lastcard.kernel.forms import Hands, OnePerSeat, Outside, Slots, Stack, Stacks
from lastcard.kernel.options import Choice, Flag, Option
from tests.games.plans import nothing, plan_of

WAY = game(games()[0]).engine.way
INTERPRETED = WAY == PLAIN


def times(often: int, seldom: int) -> int:
    """How often to try: `often` as the rules are shipped. Plain Python is a thousand times slower,
    and the JIT has to show the same only."""
    return often if WAY == AHEAD else seldom


def choose(rng: random.Random, match: Match, shy: tuple[str, ...] = ()) -> tuple[Seat, str]:
    """A random seat whose move it is, and one of its legal actions; rarely one in `shy`.

    If there are bystanders, half of the time one of them acts instead.
    """
    bystanders = match.bystanders
    seat: Seat = rng.choice(match.waiting)
    if bystanders and rng.random() < 0.5:
        seat = rng.choice(bystanders)
    legal = match.legal(seat)
    bold = [action for action in legal if action not in shy]
    return seat, rng.choice(bold if bold and rng.random() < 0.9 else legal)


def random_options(
    rng: random.Random, game: Game, players: int, flags: dict[str, bool] | None = None
) -> dict[str, Any]:
    """Options that go together: some left out, some random; flags can be given."""
    while True:
        options = {
            option.name: value_for(rng, option, players)
            for option in game.options
            if rng.random() < 0.5
        }
        options.update(flags or {})
        if plan := plan_of(game.id):
            name, values = plan.short(options)
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
    """All combinations that the game allows."""
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
    """Plays to the end with random actions and yields each."""
    while not match.over:
        seat, action = choose(rng, match, shy)
        yield seat, action, match.play(seat, action)


def shy_of(rng: random.Random, match: Match) -> tuple[str, ...]:
    """Actions to avoid in a match: often quitting or drawing, so that rounds last and piles grow.

    If players may draw instead of playing, nearly always drawing: rounds would not end otherwise.
    """
    often = 0.6 if match.options.get("must_play", True) else 0.97
    return tuple(
        name for name in ("quit", "draw") if name in match.game.actions and rng.random() < often
    )


def moments(game: Game, count: int, seed: int = 0) -> Iterator[tuple[Match, random.Random]]:
    """Random moments of random matches, with any number of players."""
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
    """A match of Chiko after this many moves, or at its end."""
    match = game("chiko").match(3, seed, {"target": 60})
    rng = random.Random(seed)
    for _ in play_on(match, rng, ("quit",)):
        if len(match.moves) == moves:
            break
    return match


def counted(events: list[dict[str, Any]]) -> dict[int, list[tuple[str, int, int]]]:
    """What the told events count for each seat: what, how many, points."""
    parts = defaultdict(list)
    for event in events:
        if event["kind"] == "counted":
            parts[event["seat"]].append((event["what"], event["count"], event["points"]))
    return dict(parts)


def counted_after(
    game: Game, position: dict[str, Any], moves: list[tuple[Seat, str]], **options: Any
) -> dict[int, list[tuple[str, int, int]]]:
    """What the last of these moves counts for each seat."""
    match = game.position(position, len(position["hands"]), options)
    for seat, move in moves:
        events = match.play(seat, move)
    return counted(match.tell(events, None))


def held(match: Match) -> Counter[int]:
    """How often each card lies somewhere."""
    cards: Counter[int] = Counter()
    for form in match.game.keys.values():
        cards.update(form.held(match.record))
    return cards


class NoOtherDeal(AssertionError):
    """A seat knows so much that luck has found no other cards for what it does not see."""


def permuted(match: Match, seat: int | None, rng: random.Random) -> Match:
    """The same match with all cards that the seat cannot see shuffled and dealt again.

    Made from the seat's hidden record alone. A deal that the rules exclude, such as a player who
    is asked about a pair without holding one, is dealt again.
    """
    rules, true = match.game, match.position()
    hidden = match.hidden(seat)[0]
    position = write_position(rules, hidden)
    places: list[tuple[str, int | None, str]] = []  # key, entry, cards with ? if unseen
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
        # Cards out of the game are unseen, too.
        lying = held(match)
        cards += [name for card, name in enumerate(rules.cards) if not lying[card]]
    for _ in range(1000):
        rng.shuffle(cards)
        try:
            dealt = deal(rules, position, places, list(cards), rng)
            key_bytes = rng.randbytes(32)  # the key is hidden as well
            return rules.position(dealt, match.players, match.options, key_bytes)
        except (BadPosition, LookupError):
            continue
    raise NoOtherDeal(f"no other deal fits: {position}")


def deal(
    game: Game,
    position: dict[str, Any],
    places: list[tuple[str, int | None, str]],
    cards: list[str],
    rng: random.Random,
) -> dict[str, Any]:
    """A position with its blanks filled; in hands, first with cards that fit what is remembered."""
    plan = plan_of(game.id)
    excluded = plan.excluded if plan else nothing
    dealt = {key: value[:] if isinstance(value, list) else value for key, value in position.items()}
    for key, entry, shown in places:
        names = shown.split()
        memory = excluded(position, entry, rng) if key == "hands" and entry is not None else []
        for impossible in memory:
            if "?" in names:
                fits = [card for card in cards if card not in impossible]
                names[names.index("?")] = fits[0]
                cards.remove(fits[0])
        filled = " ".join(cards.pop() if name == "?" else name for name in names)
        if entry is None:
            dealt[key] = filled
        else:
            dealt[key][entry] = filled
    return dealt
