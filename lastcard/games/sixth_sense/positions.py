"""Positions in words: the keys of Sixth Sense, and what completes a position."""

from __future__ import annotations

from collections import Counter

from lastcard.errors import BadPosition
from lastcard.kernel import NOBODY, UNKNOWN, Record, bit, bury, rule, wide
from lastcard.kernel.forms import (
    Derived,
    Form,
    HandsOfBits,
    Named,
    Numbers,
    OnePerSeat,
    OutsideBits,
    Seat,
    Stack,
    Told,
    entries,
    listed,
    seat_of,
    settle_end,
)
from lastcard.kernel.telling import (
    BLANK,
    LIST,
    LIST_END,
    QUOTE,
    Text,
    next_item,
    put,
    put_hidden,
    put_none,
    put_number,
    put_seat,
    put_seats,
    put_truth,
    put_word,
    spelled,
)
from lastcard.kernel.texts import NONE, show, text_of

from .components import (
    BEGINNER,
    BLOCK,
    CARD_OF,
    CARDS,
    COLOUR_OF,
    COLOURS,
    DOUBLES,
    HAND_SIZES,
    LAID,
    LAST_ROUND,
    LATE_TRUMP,
    LOWEST_WINS,
    N_COLOURS,
    NINE,
    NO_CARD,
    NUMBER_OF,
    PLACE_OF,
    PLAY,
    PURPLE,
    ROUNDS,
    SEATS,
    SIX,
    TARGET,
    WHOLE_COLOUR,
    WITHOUT_PURPLE,
    ZERO,
)
from .rules import (
    clear_trick,
    last_round,
    lay,
    may_block,
    peeks,
    place_in_trick,
    powers_of,
    seat_at,
    turn_up,
    winning,
)

# --- Positions -----------------------------------------------------------------------------------


TRICK = ("trick", "trick_size", "leader", "blocker", "blocked")  # fields
LAID_NAMES, COLOUR_NAMES = spelled(LAID), spelled(COLOURS)
BLOCKS, OR = ord(">"), ord("/")


class Trick(Told):
    """`"0 r5"`, a six as nine `"2 b6=9"`, a block on seat 2's card `"3 g0>2"`: in playing order."""

    def read(self, key: str, s: Record, value: object) -> None:
        cards = listed(key, value, "cards such as '0 r5', '1 r6=9'")
        if len(cards) > s.players:
            raise BadPosition(key, f"has {len(cards)} cards of {s.players} players.")
        clear_trick(s)
        for place, one in enumerate(cards):
            words = (text_of(one) or "").split()
            if len(words) != 2:
                raise BadPosition(key, f"must have a seat and a card each, not {show(one)}.")
            seat = seat_of(key, words[0], s.players)
            if place == 0:
                s.leader = seat
            if seat != seat_at(s, place):
                raise BadPosition(key, f"seat {seat_at(s, place)} plays before seat {seat}.")
            lay(s, self.action(key, s, words[1]))

    def action(self, key: str, s: Record, text: str) -> int:
        """The action that laid this."""
        name, block, whom = text.partition(">")
        if name not in LAID:
            raise BadPosition(key, f"there is no card {show(name)}.")
        laid = LAID.index(name)
        if not block:
            return PLAY + laid
        seat = seat_of(key, whom, s.players)
        if NUMBER_OF[laid] != ZERO:
            raise BadPosition(key, f"only a 0 blocks, not {name}.")
        if s.blocker != NOBODY:
            raise BadPosition(key, "there is one block in a trick.")
        if place_in_trick(s, seat) >= s.trick_size:
            raise BadPosition(key, f"no card of seat {seat} lies there to be blocked.")
        return BLOCK + SEATS * int(COLOUR_OF[laid]) + seat

    def held(self, s: Record) -> Counter[int]:
        return Counter(int(CARD_OF[laid]) for laid in s.trick[: s.trick_size])


@rule
def tell_trick(s: Record, out: Text) -> None:
    put(out, LIST)
    for place in range(s.trick_size):
        next_item(out)
        put(out, QUOTE)
        put_number(out, seat_at(s, place))
        put_word(out, LAID_NAMES, s.trick[place])
        if place == s.blocker:
            put(out, BLOCKS)
            put_number(out, seat_at(s, s.blocked))
        put(out, QUOTE)
    put(out, LIST_END)


class Leader(Seat):
    """Who leads; if the trick has cards it has said so already."""

    def read(self, key: str, s: Record, value: object) -> None:
        first = int(s.leader)
        super().read(key, s, value)
        if s.trick_size and s.leader != first:
            raise BadPosition(key, f"seat {first} laid the first card of the trick.")


class Seen(Told):
    """`"2 0"`: seat 2 has seen the prediction of seat 0."""

    def read(self, key: str, s: Record, value: object) -> None:
        for one in listed(key, value, "pairs of seats such as '2 0'"):
            words = (text_of(one) or "").split()
            if len(words) != 2 or words[0] == words[1]:
                raise BadPosition(key, f"must have two different seats each, not {show(one)}.")
            who, whom = (seat_of(key, word, s.players) for word in words)
            s.seen[who] |= bit(whom)

    def same(self, key: str, expected: object, found: object) -> bool:
        wanted = [] if text_of(expected) == NONE else expected
        if not isinstance(wanted, list) or not isinstance(found, list):
            return False
        return sorted(" ".join(str(one).split()) for one in wanted) == found


@rule
def tell_seen(s: Record, out: Text) -> None:
    put(out, LIST)
    for who in range(s.players):
        for whom in range(s.players):
            if s.seen[who] >> whom & 1:
                next_item(out)
                put(out, QUOTE)
                put_number(out, who)
                put(out, BLANK)
                put_number(out, whom)
                put(out, QUOTE)
    put(out, LIST_END)


class Void(Told):
    """The colours that every seat is known to have none of in hand: `"r b"`."""

    ordered = False

    def read(self, key: str, s: Record, value: object) -> None:
        for seat, one in enumerate(entries(key, value, s.players)):
            for name in (text_of(one) or "").replace(NONE, "").split():
                if name not in COLOURS:
                    raise BadPosition(key, f"{show(name)} is none of {' '.join(COLOURS)}.")
                s.void[seat] |= 1 << COLOURS.index(name)


@rule
def tell_void(s: Record, out: Text) -> None:
    put(out, LIST)
    for seat in range(s.players):
        next_item(out)
        put(out, QUOTE)
        for colour in range(N_COLOURS):
            if s.void[seat] >> colour & 1:
                put_word(out, COLOUR_NAMES, colour)
        put(out, QUOTE)
    put(out, LIST_END)


class Asked(Named):
    """The colour that is asked for: it follows from the trick."""

    derived = True


@rule
def tell_aims(s: Record, out: Text) -> None:
    """What everybody has predicted: `4`, `6/9`, `-` for nothing yet, `?` where it is hidden."""
    put(out, LIST)
    for seat in range(s.players):
        card = wide(s.predictions[seat])
        next_item(out)
        if card == NO_CARD:
            put_none(out)
        elif card == UNKNOWN:
            put_hidden(out)
        else:
            put(out, QUOTE)
            put_number(out, NUMBER_OF[card])
            if NUMBER_OF[card] == SIX:
                put(out, OR)
                put_number(out, NINE)
            put(out, QUOTE)
    put(out, LIST_END)


@rule
def tell_winning(s: Record, out: Text) -> None:
    """Who wins the trick as it lies, or `-`."""
    put_seat(out, winning(s))


@rule
def tell_reversed(s: Record, out: Text) -> None:
    """Whether low cards win the trick."""
    put_truth(out, powers_of(s) & 1 != 0)


@rule
def tell_double(s: Record, out: Text) -> None:
    """Whether the trick counts twice."""
    put_truth(out, powers_of(s) >= DOUBLES)


@rule
def tell_blockable(s: Record, out: Text) -> None:
    """The seats whose cards the next player may block."""
    seats = 0
    if may_block(s) and s.trick_size < s.players:
        for place in range(s.trick_size):
            seats |= bit(seat_at(s, place))
    put_seats(out, seats)


@rule
def rounds_of(s: Record) -> int:
    """How many rounds the match has; with a target, at most."""
    return LAST_ROUND if s.options[TARGET] else wide(ROUNDS[s.players])


@rule
def tell_rounds(s: Record, out: Text) -> None:
    put_number(out, rounds_of(s))


KEYS: dict[str, Form] = {
    "turn": Seat("turn"),
    "trump": Named("trump", COLOURS, none=True),
    "asked": Asked("asked", COLOURS, none=True),
    "hands": HandsOfBits("hands", "sizes", CARDS),
    "predictions": OnePerSeat("predictions", CARDS, NO_CARD),
    "aims": Derived(tell_aims, ("predictions",)),
    "trick": Trick(tell_trick, TRICK),
    "winning": Derived(tell_winning, (*TRICK, "trump", "asked")),
    "reversed": Derived(tell_reversed, TRICK),
    "blockable": Derived(tell_blockable, TRICK),
    "double": Derived(tell_double, TRICK),
    "leader": Leader("leader"),
    "tricks": Numbers("tricks", high=30),
    "stock": Stack("stock", "stock_size", CARDS),
    "seen": Seen(tell_seen, ("seen",)),
    "void": Void(tell_void, ("void",)),
    "scores": Numbers("scores", -30_000, 30_000),
    "rounds": Derived(tell_rounds, ("options",)),
    "outside": OutsideBits("outside", CARDS),
}
REQUIRED = ("hands",)


def settle(s: Record, given: frozenset[str], rest: Counter[int], out: bool) -> None:
    """Completes a record whose keys have been read, or says why there is no such position.

    `rest` are the cards that no key mentions; with `out` they are out of the round.
    """
    players = range(s.players)
    if "predictions" not in given:
        s.predictions[: s.players] = NO_CARD
    s.predicting = sum(bit(seat) for seat in players if s.predictions[seat] == NO_CARD)
    if "trick" not in given:
        clear_trick(s)
    unmentioned = list(rest.elements())
    if s.players == 2:
        for key, form in KEYS.items():
            if any(card >= WITHOUT_PURPLE for card in form.held(s)):
                raise BadPosition(key, "with two players there is no purple.")
        s.outside[PURPLE] = WHOLE_COLOUR
        unmentioned = [card for card in unmentioned if card < WITHOUT_PURPLE]
    if out:
        for card in unmentioned:
            s.outside[COLOUR_OF[card]] |= 1 << PLACE_OF[card]
    else:
        bury(s, unmentioned)
    _settle_trump(s, given)
    if s.predicting and not s.over:
        _settle_predicting(s)
    _settle_sizes(s)
    _settle_leader(s, given)
    _settle_end(s, given)
    _settle_turn(s, given)
    for seat in players:
        for colour in range(N_COLOURS):
            if s.void[seat] >> colour & 1 and s.hands[seat, colour]:
                raise BadPosition("void", f"seat {seat} has {COLOURS[colour]} in hand.")


def _settle_trump(s: Record, given: frozenset[str]) -> None:
    late = s.options[LATE_TRUMP] and s.predicting
    if "trump" not in given:
        s.trump = NOBODY
        if not (s.options[BEGINNER] or late):
            turn_up(s)
    elif s.trump != NOBODY:
        if s.options[BEGINNER]:
            raise BadPosition("trump", "beginners play without a trump.")
        if late:
            raise BadPosition("trump", "it is turned up when all predictions are laid.")
        if s.players == 2 and s.trump == PURPLE:
            raise BadPosition("trump", "with two players there is no purple.")


def _settle_predicting(s: Record) -> None:
    if s.trick_size:
        raise BadPosition("predictions", "all must be laid before the first card is played.")
    for key in ("tricks", "seen", "void"):
        if s[key].any():
            raise BadPosition(key, "there is none before all predictions are laid.")
    if any(s.predicting >> seat & 1 and s.sizes[seat] == 0 for seat in range(s.players)):
        raise BadPosition("hands", "without a card nobody can predict.")


def _settle_sizes(s: Record) -> None:
    cards = [
        int(s.sizes[seat])
        + int(s.predictions[seat] != NO_CARD)
        + int(place_in_trick(s, seat) < s.trick_size)
        for seat in range(s.players)
    ]
    if len(set(cards)) > 1:
        raise BadPosition(
            "hands",
            f"with prediction and card in the trick all must have equally many, not {cards}.",
        )
    most = HAND_SIZES[s.players]
    if cards[0] > most:
        raise BadPosition("hands", f"with {s.players} players they have {most} cards at most.")


def _settle_end(s: Record, given: frozenset[str]) -> None:
    if int(s.round_number) > rounds_of(s):
        raise BadPosition("round", f"the match has at most {rounds_of(s)} rounds.")
    played_out = not (s.predicting or s.trick_size or s.sizes.any())
    ended = [("hands", "nobody has a card: the round is over.")] if played_out else []
    last = last_round(s, s.scores[: s.players].max())
    settle_end(s, given, ended, last, lowest_wins=LOWEST_WINS)


def _settle_leader(s: Record, given: frozenset[str]) -> None:
    if s.trick_size == 0 and "leader" not in given:
        known = "turn" in given and not s.predicting
        s.leader = s.turn if known else s.opener
    if "turn" not in given:
        s.turn = s.leader
    if s.trick_size == s.players and not s.over:
        if winning(s) == NOBODY or powers_of(s) < DOUBLES:
            raise BadPosition("trick", "is complete, and nobody has to choose: it is taken.")
        if peeks(s, winning(s)):
            s.seen[s.leader] |= bit(winning(s))


def _settle_turn(s: Record, given: frozenset[str]) -> None:
    """Who leads and whose turn it is follows from the rest; what is given must be just that."""
    if s.over:
        return
    if s.predicting:
        leader, turn = s.opener, s.opener
    elif s.trick_size == s.players:
        leader, turn = s.leader, winning(s)
    else:
        leader, turn = s.leader, seat_at(s, s.trick_size)
    if s.leader != leader:
        raise BadPosition("leader", f"seat {leader} will lead when all predictions are laid.")
    if "turn" in given and s.turn != turn:
        why = "while predictions are laid it is the opener" if s.predicting else "it is"
        raise BadPosition("turn", f"{why} seat {turn}, not {s.turn}.")
    s.turn = turn
