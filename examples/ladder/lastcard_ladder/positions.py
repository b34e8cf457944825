"""Positions in words: the keys of Ladder, and what completes a position."""

from __future__ import annotations

from collections import Counter

from lastcard.errors import BadPosition
from lastcard.kernel import Record, bury, finish, rule
from lastcard.kernel.forms import Card, Derived, Form, Hands, Number, Numbers, Outside, Seat, Stack
from lastcard.kernel.telling import QUOTE, Text, put, put_word, spelled

from .components import CARDS, KINDS, LOWEST_WINS, ROUNDS, SEATS
from .rules import above, below

CARD_NAMES = spelled(CARDS)


@rule
def tell_fitting(s: Record, out: Text) -> None:
    """The cards that may be played on the ladder."""
    low, high = below(s.top), above(s.top)
    put(out, QUOTE)
    put_word(out, CARD_NAMES, min(low, high))
    put_word(out, CARD_NAMES, max(low, high))
    put(out, QUOTE)


KEYS: dict[str, Form] = {
    "turn": Seat("turn"),
    "top": Card("top", CARDS),
    "fits": Derived(tell_fitting, ("top",)),
    "hands": Hands("hands", "sizes", CARDS),
    "stock": Stack("stock", "stock_size", CARDS),
    "passed": Number("passed", high=SEATS),
    "scores": Numbers("scores"),
    "gone": Outside("gone", CARDS),
}
REQUIRED = ("hands", "top")


def settle(s: Record, given: frozenset[str], rest: Counter[int], out: bool) -> None:
    """Completes a record whose keys have been read, or says why there is no such position.

    `rest` are the cards that no key mentions; with `out` they are out of the round.
    """
    top = int(s.top)
    if not rest[top]:
        raise BadPosition("top", f"all cards {CARDS[top]} are elsewhere.")
    if not out:
        rest[top] -= 1
        bury(s, list(rest.elements()))
        rest = Counter({top: 1})
    for card in range(KINDS):
        s.gone[card] = rest[card]
    if "turn" not in given:
        s.turn = s.opener
    if int(s.round_number) > s.options[ROUNDS]:
        raise BadPosition("round", f"the match has {s.options[ROUNDS]} rounds.")
    if s.over:
        finish(s, LOWEST_WINS)
        return
    for seat in range(s.players):
        if s.sizes[seat] == 0:
            raise BadPosition("hands", f"seat {seat} has no card left, so the round is over.")
    if s.passed >= s.players:
        raise BadPosition("passed", "when all have passed the round is over.")
