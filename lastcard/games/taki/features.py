"""What a learner sees: a seat's view as numbers, each with a name.

Seats come in playing order from the observer on, so that all seats learn the same game.

What is known of another hand are cards that the observer once passed on, and what it lacks: cards
that fitted what led when its player had to draw.
"""

from __future__ import annotations

from typing import Any

from lastcard.kernel import NOBODY, Numbered, Record, beside, inlined, lowest, rule, wide

from .components import (
    ANNOUNCE,
    CARDS,
    CHANGE,
    COLOURED,
    COLOURS,
    CRAZY_ALL,
    DECK_SIZE,
    KINDS,
    LAST_TURN,
    MUST_PLAY,
    NO_SHAPE,
    ROUNDS,
    SEATS,
    SHAPES,
    first_place,
)
from .knowledge import barred_cards, barred_colour, barred_shape

observed: Numbered[str] = Numbered()
OWN = observed.row(f"own {card}" for card in CARDS)
PILE = observed.row(f"pile {card}" for card in CARDS)
UNSEEN = observed.row(f"unseen {card}" for card in CARDS)
TOP = observed.row(f"top {card}" for card in CARDS[COLOURED:])
COLOUR = observed.row(f"colour {colour}" for colour in COLOURS)
SHAPE = observed.row(f"shape {shape}" for shape in SHAPES)
OPEN = observed.row(f"open {colour}" for colour in COLOURS)
DIRECTION = observed.add("direction")
DEBT = observed.add("debt")
RUN = observed.add("run")
PLUS = observed.add("plus")
STOCK = observed.add("stock")
ANEW = observed.add("anew")
REMADE = observed.row(f"remade {card}" for card in CARDS)
DRAWN = observed.row(f"drawn {card}" for card in CARDS)
IDLE = observed.add("idle")
TURNS = observed.add("turns")
ROUNDS_LEFT = observed.add("rounds left")
OVER = observed.add("over")
MUST = observed.add("must play")
ALL_PASS = observed.add("crazy all")
AUTO = observed.add("announce auto")

of_seat: Numbered[str] = Numbered()
HERE = of_seat.add("here")
TURN = of_seat.add("turn")
HELD = of_seat.add("cards")
CALLED = of_seat.add("called")
EXPOSED = of_seat.add("exposed")
ASKED = of_seat.add("asked")
SCORE = of_seat.add("score")
OPENER = of_seat.add("opener")
OLD = of_seat.add("old")
YOUNG = of_seat.add("young")
PER_SEAT = len(of_seat)
OF_SEATS = observed.row(f"{what} {place}" for place in range(SEATS) for what in of_seat)
KNOWN = observed.row(f"known {place} {card}" for place in range(1, SEATS) for card in CARDS)

of_lacks: Numbered[str] = Numbered()
LACKS_COLOUR = of_lacks.row(COLOURS)
LACKS_SHAPE = of_lacks.row(f"shape {shape}" for shape in SHAPES)
N_LACKS = len(of_lacks)
LACKS = observed.row(f"lacks {place} {what}" for place in range(SEATS) for what in of_lacks)

OBSERVED = tuple(observed)
BIG_HAND = 20  # cards that are 1 to a learner
BIG_DEBT = 10
BIG_SCORE = 200


@rule
def observe(s: Record, seat: int, out: Any) -> None:
    """Cards in halves (there are two of most), sizes in big hands, scores in big ones, turns in
    those of the longest round; of the rounds that are left, with this one, this one's share."""
    once, twice, changes = _observe_pile(s, out)
    out[COLOUR + wide(s.lead_colour)] = 1.0
    if s.lead_shape != NO_SHAPE:
        out[SHAPE + wide(s.lead_shape)] = 1.0
    if s.open != NOBODY:
        out[OPEN + wide(s.open)] = 1.0
    out[DIRECTION] = s.direction
    out[DEBT] = s.debt / BIG_DEBT
    out[RUN] = s.run
    out[PLUS] = s.plus
    out[STOCK] = s.stock_size / DECK_SIZE
    out[IDLE] = s.idle / SEATS
    out[TURNS] = s.turns / LAST_TURN
    out[ROUNDS_LEFT] = 1 / (wide(s.options[ROUNDS]) + 1 - wide(s.round_number))
    out[OVER] = s.over
    out[MUST] = s.options[MUST_PLAY]
    out[ALL_PASS] = s.options[CRAZY_ALL]
    out[AUTO] = s.options[ANNOUNCE]
    if s.anew:
        _observe_remade(s, seat, out)
    there = max(seat, 0)
    for place in range(s.players):
        _observe_seat(s, there, out, OF_SEATS + PER_SEAT * place)
        _observe_lacks(s, there, out, LACKS + N_LACKS * place)
        if place > 0 or seat != NOBODY:
            hand = OWN if place == 0 else KNOWN + KINDS * (place - 1)
            cards = s.holds[there]
            while cards:
                card = lowest(cards)
                cards &= cards - 1
                count = wide(s.hands[there, card])
                out[hand + card] = count / 2
                twice |= (once | wide(count > 1) << card) & 1 << card
                once |= 1 << card
                changes += count * (card == CHANGE)
        there = beside(there, 1, s.players)
    _observe_unseen(s, once, twice, changes, out)


# Which kinds of cards are seen at least once, and which twice, as bits: but for the change colour,
# there are two of each. Sums in `out` would be slow, above all on a GPU.


@inlined
def _seen(card: int, once: int, twice: int, changes: int) -> int:
    return changes if card == CHANGE else (once >> card & 1) + (twice >> card & 1)


@inlined
def _observe_pile(s: Record, out: Any) -> Any:
    """The pile and the leading card. Returns what is seen there once, and twice, and how many
    change colours."""
    once = twice = changes = 0
    for i in range(s.pile_size):
        card = wide(s.pile[i])
        twice |= once & 1 << card
        once |= 1 << card
        changes += card == CHANGE
    for card in range(KINDS):
        out[PILE + card] = _seen(card, once, twice, changes) / 2
    top = wide(s.top)
    if top >= COLOURED:
        out[TOP + top - COLOURED] = 1.0
    twice |= once & 1 << top
    return once | 1 << top, twice, changes + (top == CHANGE)


@inlined
def _observe_unseen(s: Record, once: int, twice: int, changes: int, out: Any) -> None:
    for card in range(KINDS):
        seen = _seen(card, once, twice, changes) + wide(s.outside[card])
        out[UNSEEN + card] = (first_place(card + 1) - first_place(card) - seen) / 2


@inlined
def _observe_remade(s: Record, seat: int, out: Any) -> None:
    """What the stock was made of, and what the observer has drawn of that."""
    out[ANEW] = 1.0
    for card in range(KINDS):
        out[REMADE + card] = s.remade[card] / 2
        if seat != NOBODY:
            out[DRAWN + card] = s.drawn[seat, card] / 2


@rule
def _observe_seat(s: Record, seat: int, out: Any, n: int) -> None:
    out[n + HERE] = 1.0
    out[n + TURN] = s.turn == seat
    out[n + HELD] = s.sizes[seat] / BIG_HAND
    out[n + CALLED] = s.called >> seat & 1
    out[n + EXPOSED] = s.exposed == seat
    out[n + ASKED] = s.asked == seat
    out[n + SCORE] = s.scores[seat] / BIG_SCORE
    out[n + OPENER] = s.opener == seat
    out[n + OLD] = s.old[seat] / BIG_HAND
    out[n + YOUNG] = s.young[seat] / BIG_HAND


@rule
def _observe_lacks(s: Record, seat: int, out: Any, n: int) -> None:
    """How many cards of a hand have neither this colour nor this shape."""
    barred = wide(s.barred[seat])
    if barred:
        cards = barred_cards(barred) / BIG_HAND
        out[n + LACKS_COLOUR + barred_colour(barred)] = cards
        if barred_shape(barred) != NO_SHAPE:
            out[n + LACKS_SHAPE + barred_shape(barred)] = cards
