"""Positions in words: the keys of Sixth Sense, and what completes a position."""

from __future__ import annotations

from collections import Counter

from lastcard.errors import BadPosition
from lastcard.kernel import NOBODY, UNKNOWN, Record, bit, bury
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
    entries,
    listed,
    seat_of,
    settle_end,
)
from lastcard.kernel.texts import HIDDEN, NONE, show, text_of

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


class Trick(Form):
    """`"0 r5"`, a six as nine `"2 b6=9"`, a block on seat 2's card `"3 g0>2"`: in playing order."""

    reads = TRICK

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

    def write(self, s: Record) -> list[str]:
        return [f"{seat_at(s, place)} {self.one(s, place)}" for place in range(s.trick_size)]

    def one(self, s: Record, place: int) -> str:
        name = LAID[s.trick[place]]
        return f"{name}>{seat_at(s, s.blocked)}" if place == s.blocker else name

    def held(self, s: Record) -> Counter[int]:
        return Counter(int(CARD_OF[laid]) for laid in s.trick[: s.trick_size])


class Leader(Seat):
    """Who leads; if the trick has cards it has said so already."""

    def read(self, key: str, s: Record, value: object) -> None:
        first = int(s.leader)
        super().read(key, s, value)
        if s.trick_size and s.leader != first:
            raise BadPosition(key, f"seat {first} laid the first card of the trick.")


class Seen(Form):
    """`"2 0"`: seat 2 has seen the prediction of seat 0."""

    reads = ("seen",)

    def read(self, key: str, s: Record, value: object) -> None:
        for one in listed(key, value, "pairs of seats such as '2 0'"):
            words = (text_of(one) or "").split()
            if len(words) != 2 or words[0] == words[1]:
                raise BadPosition(key, f"must have two different seats each, not {show(one)}.")
            who, whom = (seat_of(key, word, s.players) for word in words)
            s.seen[who] |= bit(whom)

    def write(self, s: Record) -> list[str]:
        seen = s.seen[: s.players].tolist()
        return [
            f"{who} {whom}"
            for who, seats in enumerate(seen)
            for whom in range(len(seen))
            if seats >> whom & 1
        ]

    def same(self, key: str, expected: object, found: object) -> bool:
        wanted = [] if text_of(expected) == NONE else expected
        if not isinstance(wanted, list) or not isinstance(found, list):
            return False
        return sorted(" ".join(str(one).split()) for one in wanted) == found


class Void(Form):
    """The colours that every seat is known to have none of in hand: `"r b"`."""

    ordered = False

    reads = ("void",)

    def read(self, key: str, s: Record, value: object) -> None:
        for seat, one in enumerate(entries(key, value, s.players)):
            for name in (text_of(one) or "").replace(NONE, "").split():
                if name not in COLOURS:
                    raise BadPosition(key, f"{show(name)} is none of {' '.join(COLOURS)}.")
                s.void[seat] |= 1 << COLOURS.index(name)

    def write(self, s: Record) -> list[str]:
        return [
            " ".join(name for colour, name in enumerate(COLOURS) if void >> colour & 1)
            for void in s.void[: s.players].tolist()
        ]


def aims(s: Record) -> list[str]:
    """What everybody has predicted: `4`, `6/9`, `-` for nothing yet, `?` where it is hidden."""

    def aim(card: int) -> str:
        if card in (NO_CARD, UNKNOWN):
            return NONE if card == NO_CARD else HIDDEN
        number = NUMBER_OF[card]
        return f"{SIX}/{NINE}" if number == SIX else str(number)

    return [aim(card) for card in s.predictions[: s.players].tolist()]


def blockable(s: Record) -> list[int]:
    """The seats whose cards the next player may block."""
    if not may_block(s) or s.trick_size == s.players:
        return []
    return sorted(int(seat_at(s, place)) for place in range(s.trick_size))


def _seat_name(seat: int) -> int | str:
    return NONE if seat == NOBODY else int(seat)


def rounds_of(s: Record) -> int:
    """How many rounds the match has; with a target, at most."""
    return LAST_ROUND if s.options[TARGET] else int(ROUNDS[s.players])


KEYS: dict[str, Form] = {
    "turn": Seat("turn"),
    "trump": Named("trump", COLOURS, none=True),
    "asked": Derived(lambda s: NONE if s.asked == NOBODY else COLOURS[s.asked], ("asked",)),
    "hands": HandsOfBits("hands", "sizes", CARDS),
    "predictions": OnePerSeat("predictions", CARDS, NO_CARD),
    "aims": Derived(aims, ("predictions",)),
    "trick": Trick(),
    "winning": Derived(lambda s: _seat_name(winning(s)), (*TRICK, "trump", "asked")),
    "reversed": Derived(lambda s: bool(powers_of(s) & 1), TRICK),
    "blockable": Derived(blockable, TRICK),
    "double": Derived(lambda s: bool(powers_of(s) >= DOUBLES), TRICK),
    "leader": Leader("leader"),
    "tricks": Numbers("tricks", high=30),
    "stock": Stack("stock", "stock_size", CARDS),
    "seen": Seen(),
    "void": Void(),
    "scores": Numbers("scores", -30_000, 30_000),
    "rounds": Derived(rounds_of, ("options",)),
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
