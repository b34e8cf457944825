"""Positions in words: the keys of Chiko, and what completes a position."""

from __future__ import annotations

from collections import Counter

from lastcard.errors import BadPosition
from lastcard.kernel import NOBODY, Record, bit, bury, finish, rule, wide
from lastcard.kernel.forms import Card, Derived, Form, Hands, Numbers, Outside, Seat, Seats, Stack
from lastcard.kernel.telling import (
    LIST,
    LIST_END,
    QUOTE,
    Text,
    next_item,
    put,
    put_hidden,
    put_number,
    put_word,
    spelled,
)

from .components import CARDS, EGG, LAST_ROUND, LOWEST_WINS, RANKS, TARGET
from .rules import after, points_of

# --- Positions -----------------------------------------------------------------------------------


CARD_NAMES = spelled(CARDS)


@rule
def tell_fitting(s: Record, out: Text) -> None:
    """The cards that may be put on the pile now."""
    next = after(s.top)
    put(out, QUOTE)
    put_word(out, CARD_NAMES, min(wide(s.top), next))
    put_word(out, CARD_NAMES, max(wide(s.top), next))
    put_word(out, CARD_NAMES, EGG)
    put(out, QUOTE)


@rule
def tell_points(s: Record, out: Text) -> None:
    """What every visible hand would count now."""
    put(out, LIST)
    for seat in range(s.players):
        seen = 0
        for card in range(len(CARDS)):
            seen += s.hands[seat, card]
        next_item(out)
        if seen == s.sizes[seat]:
            put_number(out, points_of(s, seat))
        else:
            put_hidden(out)
    put(out, LIST_END)


KEYS: dict[str, Form] = {
    "turn": Seat("turn"),
    "top": Card("top", CARDS[:RANKS]),
    "fits": Derived(tell_fitting, ("top",)),
    "hands": Hands("hands", "sizes", CARDS),
    "points": Derived(tell_points, ("hands", "sizes", "top")),
    "stock": Stack("stock", "stock_size", CARDS),
    "quit": Seats("quit"),
    "last": Seat("last", none=True),
    "scores": Numbers("scores"),
    "gone": Outside("gone", CARDS),
}
REQUIRED = ("hands", "top")


def settle(s: Record, given: frozenset[str], rest: Counter[int], out: bool) -> None:
    """Completes a record whose keys have been read, or says why there is no such position.

    `rest` are the cards that no key mentions; with `out` they are out of the round.
    """
    top = int(s.top) if rest[int(s.top)] else EGG
    if not rest[top]:
        raise BadPosition("top", f"all cards that could show {CARDS[int(s.top)]} are elsewhere.")
    if not out:
        rest[top] -= 1
        bury(s, list(rest.elements()))
        rest = Counter({top: 1})
    for card in range(len(CARDS)):
        s.gone[card] = rest[card]

    players = range(s.players)
    if int(s.round_number) > LAST_ROUND:
        raise BadPosition("round", f"a match has at most {LAST_ROUND} rounds.")
    empty = [seat for seat in players if s.sizes[seat] == 0]
    if len(empty) > 1:
        raise BadPosition("hands", "only one player can have no cards: the round ends there.")
    quit = [seat for seat in players if s.quit & bit(seat)]
    if set(empty) & set(quit):
        raise BadPosition("hands", f"seat {empty[0]} has quit, and cannot be without cards.")
    # A player without cards has just played the last one, and rolls.
    if "last" not in given:
        s.last = empty[0] if empty else NOBODY
    if empty and s.last != empty[0]:
        raise BadPosition("last", f"seat {empty[0]} has no cards left, so it played the last one.")
    if "turn" not in given:
        order = [(s.opener + step) % s.players for step in players]
        s.turn = next((seat for seat in empty or order if seat not in quit), s.opener)
    if empty and s.turn != empty[0]:
        raise BadPosition("turn", f"seat {empty[0]} has no cards left and rolls the dice.")

    if any(s.scores[seat] >= s.options[TARGET] for seat in players):
        if "over" in given and not s.over:
            raise BadPosition("over", "a player has reached the target, so the match is over.")
        s.over = 1
    if s.over:
        finish(s, LOWEST_WINS)
        return
    if len(quit) == s.players:
        raise BadPosition("quit", "when all have quit the round is over.")
    if s.turn in quit:
        raise BadPosition("turn", f"seat {s.turn} has quit this round.")
    if empty and s.scores[empty[0]] == 0:
        raise BadPosition("hands", f"seat {empty[0]} has no cards and no points to roll for.")
