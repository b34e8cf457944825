"""Positions in words: the keys of TAKI, and what completes a position."""

from __future__ import annotations

from collections import Counter

from lastcard.errors import BadPosition
from lastcard.kernel import NOBODY, Record, bit, bury, finish, rule
from lastcard.kernel.forms import (
    Card,
    Cards,
    Derived,
    Direction,
    Form,
    Hands,
    Named,
    Number,
    Numbers,
    Outside,
    Seat,
    Seats,
    Stack,
    Told,
    Truth,
    entries,
)
from lastcard.kernel.sheets import Sheet
from lastcard.kernel.telling import (
    COLON,
    LIST,
    LIST_END,
    QUOTE,
    Row,
    Text,
    next_item,
    put,
    put_name,
    put_none,
    put_number,
    put_quoted,
    put_word,
    spelled,
)
from lastcard.kernel.texts import NONE, number_of, text_of

from .components import (
    ANNOUNCE,
    CARDS,
    CHANGE,
    COLOURS,
    CRAZY,
    DECK,
    DECK_SIZE,
    KINDS,
    LAST_TURN,
    LOWEST_WINS,
    MOST_SCORE,
    NO_SHAPE,
    PLUS,
    ROUNDS,
    SEATS,
    SHAPES,
    SUPER,
    THREE,
    TWO_PLUS,
    UNSHUFFLED,
    colour_of,
    first_place,
    shape_of,
)
from .knowledge import barred, barred_cards, barred_colour, barred_shape, order_places
from .rules import has_any_pair, playable

# --- Positions -----------------------------------------------------------------------------------


class NamedColour(Named):
    """The colour that was named for a leading change colour or Super TAKI, else `-`."""

    @property
    def reads(self) -> tuple[str, ...]:
        return (self.field, "top")

    def row(self, sheet: Sheet) -> Row:
        return sheet.told_by(tell_colour)


CARD_NAMES = spelled(CARDS)
_WORDS = spelled((*COLOURS, *SHAPES, "drew:", "old:", "young:", "barred:"))
_SHAPE = len(COLOURS)
_DREW, _OLD, _YOUNG, _BARRED = range(len(_WORDS) - 4, len(_WORDS))
_AT = ord("@")


@rule
def tell_colour(s: Record, out: Text) -> None:
    if s.lead_colour != NOBODY and (s.top == CHANGE or s.top == SUPER):
        put_quoted(out, _WORDS, s.lead_colour)
    else:
        put_none(out)


class Memory(Told):
    """What the table remembers, in words for every hand.

    `r5@02`: seats 0 and 2 know that it holds a red 5. `drew:r5`: its player drew that from the
    remade stock. `old:3`, `young:2`: three of its cards surely were in hands before, two were drawn
    since. `barred:4:r5`: four of its cards do not fit a red 5, or with
    `barred:4:r` the colour red.
    """

    def read(self, key: str, s: Record, value: object) -> None:
        s.seen_at[:] = NOBODY
        for seat, one in enumerate(entries(key, value, s.players)):
            for word in (text_of(one) or "").split():
                if word != NONE and not self.word(s, seat, word):
                    raise BadPosition(key, f"seat {seat} cannot have {word!r}.")
        for card in range(KINDS):
            order_places(s, card)

    def word(self, s: Record, seat: int, word: str) -> bool:
        """Reads one word; says whether it is one."""
        name, at, seats = word.partition("@")
        if at:
            return name in CARDS and self.seen(s, seat, CARDS.index(name), seats)
        name, _, rest = word.partition(":")
        if name == "drew":
            if rest in CARDS:
                s.drawn[seat, CARDS.index(rest)] += 1
            return rest in CARDS
        count, _, led = rest.partition(":")
        number = number_of(count)
        if number is None or not 0 < number <= s.sizes[seat]:
            return False
        if name in ("old", "young") and not led:
            s[name][seat] = number
            return True
        if name == "barred" and led[:1] in COLOURS and led[:1] and led[1:] in ("", *SHAPES):
            shape = SHAPES.index(led[1:]) if led[1:] else NO_SHAPE
            s.barred[seat] = barred(number, COLOURS.index(led[0]), shape)
            return True
        return False

    def seen(self, s: Record, seat: int, card: int, seats: str) -> bool:
        who = [number_of(one) for one in seats]
        if not who or any(one is None or one == seat or one >= s.players for one in who):
            return False
        places = range(first_place(card), first_place(card + 1))
        mine = [place for place in places if s.seen_at[place] == seat]
        free = [place for place in places if s.seen_at[place] == NOBODY]
        if not free or len(mine) >= s.hands[seat, card]:
            return False
        s.seen_at[free[0]] = seat
        s.seen_by[free[0]] = sum(bit(one) for one in set(who) if one is not None)
        return True


@rule
def tell_memory(s: Record, out: Text) -> None:
    put(out, LIST)
    for seat in range(s.players):
        next_item(out)
        put(out, QUOTE)
        _put_seen(s, seat, out)
        if s.anew:
            for card in range(KINDS):
                for _ in range(s.drawn[seat, card]):
                    put_word(out, _WORDS, _DREW)
                    put_name(out, CARD_NAMES, card)
        if s.old[seat]:
            put_word(out, _WORDS, _OLD)
            put_number(out, s.old[seat])
        if s.young[seat]:
            put_word(out, _WORDS, _YOUNG)
            put_number(out, s.young[seat])
        if s.barred[seat]:
            _put_barred(s, seat, out)
        put(out, QUOTE)
    put(out, LIST_END)


@rule
def _put_seen(s: Record, seat: int, out: Text) -> None:
    """The cards of a hand that others know of, each with those who do."""
    for place in range(DECK_SIZE):
        if s.seen_at[place] == seat:
            put_word(out, CARD_NAMES, UNSHUFFLED[place])
            put(out, _AT)
            for one in range(SEATS):
                if s.seen_by[place] >> one & 1:
                    put_number(out, one)


@rule
def _put_barred(s: Record, seat: int, out: Text) -> None:
    """How many cards of a hand surely could not be played on what."""
    shape = barred_shape(s.barred[seat])
    put_word(out, _WORDS, _BARRED)
    put_number(out, barred_cards(s.barred[seat]))
    put(out, COLON)
    put_name(out, _WORDS, barred_colour(s.barred[seat]))
    if shape != NO_SHAPE:
        put_name(out, _WORDS, _SHAPE + shape)


@rule
def tell_fitting(s: Record, out: Text) -> None:
    """The cards that may be played on the pile as it is."""
    kinds = playable(s)
    put(out, QUOTE)
    for card in range(KINDS):
        if kinds >> card & 1:
            put_word(out, CARD_NAMES, card)
    put(out, QUOTE)


KEYS: dict[str, Form] = {
    "turn": Seat("turn"),
    "top": Card("top", CARDS, counted=True),
    "colour": NamedColour("lead_colour", COLOURS, none=True),
    "fits": Derived(tell_fitting, ("lead_colour", "lead_shape", "debt", "run")),
    "direction": Direction("direction"),
    "debt": Number("debt", high=16),
    "open": Named("open", COLOURS, none=True),
    "run": Truth("run"),
    "plus": Truth("plus"),
    "asked": Seat("asked", none=True),
    "hands": Hands("hands", "sizes", CARDS),
    "stock": Stack("stock", "stock_size", CARDS),
    "pile": Stack("pile", "pile_size", CARDS, upward=True),
    "called": Seats("called"),
    "exposed": Seat("exposed", none=True),
    "idle": Number("idle", high=SEATS),
    "turns": Number("turns", high=LAST_TURN),
    "scores": Numbers("scores", -MOST_SCORE, MOST_SCORE),
    "remade": Cards("remade", CARDS),
    "memory": Memory(
        tell_memory, ("seen_at", "seen_by", "drawn", "anew", "old", "young", "barred")
    ),
    "outside": Outside("outside", CARDS),
}
REQUIRED = ("hands", "top")


def settle(s: Record, given: frozenset[str], rest: Counter[int], out: bool) -> None:
    """Completes a record whose keys have been read, or says why there is no such position.

    `rest` are the cards that no key mentions; with `out` they are out of the round.
    """
    for key in ("open", "asked", "exposed"):
        if key not in given:
            s[key] = NOBODY
    if "direction" not in given:
        s.direction = 1
    if "turn" not in given:
        s.turn = s.opener
    if "memory" not in given:
        s.seen_at[:] = NOBODY
    for seat in range(s.players):
        s.holds[seat] = sum(1 << card for card in range(KINDS) if s.hands[seat, card])
    _settle_colour(s, given)
    if out:
        for card in range(KINDS):
            s.outside[card] = rest[card]
    else:
        bury(s, list(rest.elements()))
    if int(s.round_number) > s.options[ROUNDS]:
        raise BadPosition("round", f"the match has {s.options[ROUNDS]} rounds.")
    _settle_memory(s)
    if s.over:
        finish(s, LOWEST_WINS)  # the table stays as the last card left it
        return
    _settle_turn(s)
    _settle_calls(s)
    for seat in range(s.players):
        last_was_plus = s.lead_shape == PLUS and (s.plus or s.run)
        if s.sizes[seat] == 0 and not (seat == s.turn and (last_was_plus or s.asked != NOBODY)):
            raise BadPosition("hands", f"seat {seat} has no card left, so the round is over.")


def _settle_colour(s: Record, given: frozenset[str]) -> None:
    if s.top == CRAZY:
        raise BadPosition("top", "a crazy card never leads: it lies under the leading card.")
    named = "colour" in given and s.lead_colour != NOBODY
    if int(s.top) in (CHANGE, SUPER):
        if not named:
            raise BadPosition("colour", f"a leading {CARDS[s.top]} needs the colour named for it.")
    elif named:
        raise BadPosition("colour", f"a leading {CARDS[s.top]} has its own colour.")
    else:
        s.lead_colour = colour_of(s.top)
    s.lead_shape = shape_of(s.top)


def _settle_turn(s: Record) -> None:
    led = s.lead_shape
    if s.debt and (s.debt % 2 or led != TWO_PLUS):
        raise BadPosition("debt", "two cards for every 2+, and one must be the leading card.")
    if s.open not in (NOBODY, s.lead_colour):
        raise BadPosition("open", "an open TAKI has the leading card's colour.")
    if s.run and (s.open == NOBODY or s.debt):
        raise BadPosition("run", "needs an open TAKI, and no active 2+.")
    if s.plus and (led != PLUS or s.run):
        raise BadPosition("plus", "needs a plus as the leading card, and no run.")
    if s.asked != NOBODY:
        if s.asked == s.turn:
            raise BadPosition("asked", "nobody is asked about his own +3.")
        if led != THREE or s.open != NOBODY:
            raise BadPosition("asked", "needs a 3 as the leading card, and no open TAKI.")
        if not has_any_pair(s, s.asked):
            raise BadPosition("asked", f"seat {s.asked} has no plus and 3 of one colour.")
    if s.turns >= LAST_TURN:
        raise BadPosition("turns", f"a round ends after {LAST_TURN} turns.")
    if s.idle >= s.players:
        raise BadPosition("idle", "when all in a row have drawn nothing the round is over.")


def _settle_calls(s: Record) -> None:
    if s.exposed == NOBODY:
        return
    seat = int(s.exposed)
    if s.options[ANNOUNCE]:
        raise BadPosition("exposed", "nobody has to call when it is done for everybody.")
    if s.asked != NOBODY:
        raise BadPosition("exposed", "nobody has to call while a player is asked about a +3.")
    few = s.sizes[seat] == 1 or (s.sizes[seat] == 0 and seat == s.turn)
    if not few or s.called & bit(seat):
        raise BadPosition("exposed", f"seat {seat} has called, or has other than one card.")


def _settle_memory(s: Record) -> None:
    """Refuses memories of what cannot have happened."""
    s.anew = s.remade.any()
    if (s.drawn.sum(axis=0) > s.remade).any():
        raise BadPosition("memory", "a player drew what was not in the remade stock.")
    for card, count in enumerate(DECK):
        if s.remade[card] > count:
            raise BadPosition("remade", f"there are only {count} of the card {CARDS[card]}.")
    for seat in range(s.players):
        if s.old[seat] + s.young[seat] > (s.sizes[seat] if s.anew else 0):
            raise BadPosition("memory", f"seat {seat} has fewer cards than that, old and young.")
