"""All the ways in which a short deck can be dealt, with the probability of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import Any

from lastcard.core.game import Game
from lastcard.errors import BadOption
from lastcard.kernel.texts import show

Cards = tuple[str, ...]
MOST_DEALS = 100_000


@dataclass(frozen=True)
class Deal:
    """What everybody gets, and what is left over, in order."""

    hands: tuple[Cards, ...]
    rest: Cards
    ways: int  # in which a shuffle leads to it
    position: Mapping[str, Any]

    def __str__(self) -> str:
        return " | ".join(" ".join(cards) for cards in (*self.hands, self.rest))


class Deals:
    """The deals of a game with a short deck: one round, whose deal is one node of chance."""

    def __init__(
        self, game: Game, players: int, options: Mapping[str, Any], deck: str, hand: int
    ) -> None:
        self.game, self.players, self.options = game, players, options
        self.reduced = game.part("reduced")
        if self.reduced is None:
            raise BadOption("deck", f"{game.title} has no form with a short deck.")
        self.deck = tuple(sorted(game.cards[self._card(name)] for name in deck.split()))
        self.hand = hand
        for card, count in Counter(self.deck).items():
            if count > (most := game.rules.DECK[game.parse_card(card)]):
                raise BadOption("deck", f"{count} of the card {card}, but there are only {most}.")
        stored = game.read_options(options, players), game.simulated_options(players)
        for option, wish, usual in zip(game.options, *stored, strict=True):
            if option.name in self.reduced.POINTLESS and wish != usual:
                why = "says nothing with a deck, as a match is one round then."
                raise BadOption(option.name, why)
        if hand < 1:
            raise BadOption("hand", f"must be 1 or more, not {hand}.")
        if len(self.deck) <= players * hand:
            least = players * hand + 1
            raise BadOption("deck", f"must have {least} cards or more, not {len(self.deck)}.")
        self._starts: dict[int, bytes] = {}

    def _card(self, name: str) -> int:
        try:
            return self.game.parse_card(name)
        except ValueError:
            raise BadOption(
                "deck", f"there is no card {show(name)} in {self.game.title}."
            ) from None

    @cached_property
    def all(self) -> list[Deal]:
        found = []
        for deal in self._dealt():
            found.append(deal)
            if len(found) > MOST_DEALS:
                raise BadOption("deck", f"has more than {MOST_DEALS} deals: take a shorter one.")
        return found

    @cached_property
    def outcomes(self) -> list[tuple[int, float]]:
        """As OpenSpiel wants them."""
        total = sum(deal.ways for deal in self.all)
        return [(number, deal.ways / total) for number, deal in enumerate(self.all)]

    def start(self, number: int) -> bytes:
        """The record after a deal."""
        if number not in self._starts:
            position = self.all[number].position
            match = self.game.position(position, self.players, self.options)
            self._starts[number] = match.state
        return self._starts[number]

    def _dealt(self) -> Iterator[Deal]:
        assert self.reduced is not None
        whole = Counter(self.deck)
        ordered = self.reduced.ORDERED
        for hands, left, ways in _hands(whole, self.players, self.hand):
            size = left.total()
            for rest, orders in _orders(left, size if ordered is None else ordered):
                texts = [" ".join(cards) for cards in hands]
                position = self.reduced.start(texts, rest, self.options)
                if position is not None:
                    yield Deal(hands, rest, ways * orders, position)


def _hands(
    cards: Counter[str], players: int, size: int
) -> Iterator[tuple[tuple[Cards, ...], Counter[str], int]]:
    """Hands for so many players, what is left, and in how many ways that comes about."""
    if players == 0:
        yield (), cards, 1
        return
    for hand, ways in _choices(sorted(cards.items()), size):
        for others, left, more in _hands(cards - Counter(hand), players - 1, size):
            yield (hand, *others), left, ways * more


def _choices(cards: list[tuple[str, int]], size: int) -> Iterator[tuple[Cards, int]]:
    """So many of these cards, as a set."""
    if not cards:
        if size == 0:
            yield (), 1
        return
    (card, count), *others = cards
    for taken in range(min(count, size), -1, -1):
        for rest, ways in _choices(others, size - taken):
            yield (card,) * taken + rest, comb(count, taken) * ways


def _orders(cards: Counter[str], length: int) -> Iterator[tuple[Cards, int]]:
    """These cards with every order of the first ones; the others in the order of their names."""
    if length == 0 or not cards:
        yield tuple(sorted(cards.elements())), 1
        return
    for card, count in sorted(cards.items()):
        for rest, ways in _orders(cards - Counter([card]), length - 1):
            yield (card, *rest), count * ways
