"""Positions in words: the keys of Eight and a Half, and what completes a position."""

from __future__ import annotations

from collections import Counter

from lastcard.errors import BadPosition
from lastcard.kernel import NOBODY, Record, beside, bit, rule, wide
from lastcard.kernel.forms import (
    Derived,
    Form,
    Hands,
    Number,
    Numbers,
    Outside,
    Seat,
    Seats,
    Slots,
    Stack,
    Stacks,
    Told,
    entries,
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
    put_name,
    put_none,
    put_number,
    put_quoted,
    put_truth,
    put_word,
    spelled,
)
from lastcard.kernel.texts import NONE, show, text_of

from .components import (
    CARDS,
    EMPTY,
    FIVE,
    HAND_SIZE,
    KINDS,
    LAST_TURN,
    LOWEST_WINS,
    NO_POT,
    ROUNDS,
    SLOTS,
    WAYS,
)
from .knowledge import compare_ways, ways_of
from .pot import both_fit, first_pot, first_to_open, fitting, policeman, value_with
from .rules import cards_left, count_of

# --- Positions -----------------------------------------------------------------------------------


class Exchange(Told):
    """`[winner, big loser]` while the exchange is open; `turn` is then the winner. Else `-`."""

    def read(self, key: str, s: Record, value: object) -> None:
        s.winner = s.loser = NOBODY
        if text_of(value) == NONE:
            return
        if not isinstance(value, list | tuple) or len(value) != 2:
            raise BadPosition(key, f"must be the winner and the big loser, not {show(value)}.")
        winner, loser = (seat_of(key, one, s.players) for one in value)
        if winner == loser:
            raise BadPosition(key, "the winner and the big loser are two players.")
        s.winner, s.loser = winner, loser


@rule
def tell_exchange(s: Record, out: Text) -> None:
    if s.winner == NOBODY:
        put_none(out)
        return
    put(out, LIST)
    put_number(out, s.winner)
    next_item(out)
    put_number(out, s.loser)
    put(out, LIST_END)


CARD_NAMES = spelled(CARDS)
_OWN = (".5", "8h", "hand", "open", "blind", " | ")
_WORDS = spelled(_OWN)
_HALF, _EIGHT_HALF, _HAND, _OPEN, _BLIND, _OR = range(len(_OWN))


@rule
def tell_value(s: Record, out: Text) -> None:
    """The pot's value: 3.5, or `-` for an empty pot."""
    if s.value == NO_POT:
        put_none(out)
        return
    put(out, QUOTE)
    put_number(out, s.value // 2)
    if s.value % 2:
        put_name(out, _WORDS, _HALF)
    put(out, QUOTE)


@rule
def tell_fitting(s: Record, out: Text) -> None:
    """The cards that are legal on the pot; also `8h`, which must be in the hand."""
    fits = fitting(s.value)
    put(out, QUOTE)
    for card in range(KINDS):
        if fits >> card & 1:
            put_word(out, CARD_NAMES, card)
    if both_fit(s.value) and s.sizes[s.turn]:
        put_word(out, _WORDS, _EIGHT_HALF)
    put(out, QUOTE)


@rule
def tell_first(s: Record, out: Text) -> None:
    """Whether the first pot of the round is to be opened."""
    put_truth(out, first_pot(s))


@rule
def tell_down(s: Record, out: Text) -> None:
    """Whether only cards up to the value may follow."""
    put_truth(out, s.value == FIVE)


@rule
def tell_policeman(s: Record, out: Text) -> None:
    """The card that catches the last player, or `-`."""
    card = policeman(s.value)
    if card == NOBODY:
        put_none(out)
    else:
        put_quoted(out, CARD_NAMES, card)


@rule
def tell_places(s: Record, out: Text) -> None:
    """Where every player plays from."""
    put(out, LIST)
    for seat in range(s.players):
        place = _BLIND
        for slot in range(SLOTS):
            if s.open[seat, slot] != EMPTY:
                place = _OPEN
        next_item(out)
        put_quoted(out, _WORDS, _HAND if s.sizes[seat] else place)
    put(out, LIST_END)


@rule
def tell_counts(s: Record, out: Text) -> None:
    """What would be counted for every player if the round ended now."""
    put(out, LIST)
    for seat in range(s.players):
        next_item(out)
        put_number(out, count_of(s, seat))
    put(out, LIST_END)


class Memory(Told):
    """What the table remembers of every hand.

    A word stands for a card, the one that has been there longest first, and names what it is not:
    `"0789hg 0789hg"`. Two ways that it may be are separated by `|`.
    """

    def read(self, key: str, s: Record, value: object) -> None:
        for seat, one in enumerate(entries(key, value, s.players)):
            text = text_of(one)
            ways = [way.split() for way in (text or "").split("|")]
            if text is None or len(ways) > WAYS:
                raise BadPosition(key, f"must be words for seat {seat}, not {show(one)}.")
            for way, listed in enumerate(ways):
                words = [word for word in listed if word != NONE]
                if len(words) > min(HAND_SIZE, s.sizes[seat]):
                    raise BadPosition(key, f"seat {seat} has fewer cards than that.")
                for i, word in enumerate(words):
                    if set(word) - set(CARDS):
                        raise BadPosition(key, f"{word!r} are not all names of cards.")
                    s.barred[seat, way, i] = sum(1 << CARDS.index(name) for name in set(word))
                    if i and s.barred[seat, way, i] & ~s.barred[seat, way, i - 1]:
                        raise BadPosition(key, f"{word!r} excludes more than the word before it.")


@rule
def tell_memory(s: Record, out: Text) -> None:
    put(out, LIST)
    for seat in range(s.players):
        next_item(out)
        put(out, QUOTE)
        for way in range(ways_of(s, seat)):
            if way:
                put_name(out, _WORDS, _OR)
            _put_words(s, seat, way, out)
        put(out, QUOTE)
    put(out, LIST_END)


@rule
def _put_words(s: Record, seat: int, way: int, out: Text) -> None:
    """A word for each card that the table remembers something about."""
    words = 0
    for i in range(HAND_SIZE):
        kinds = wide(s.barred[seat, way, i])
        if kinds and words:
            put(out, BLANK)
        words += kinds != 0
        for card in range(KINDS):
            if kinds >> card & 1:
                put_name(out, CARD_NAMES, card)


KEYS: dict[str, Form] = {
    "turn": Seat("turn"),
    "pot": Stack("pot", "pot_size", CARDS, upward=True),
    "value": Derived(tell_value, ("value",)),
    "fits": Derived(tell_fitting, ("value", "sizes", "turn")),
    "first": Derived(tell_first, ("turns", "pot_size", "winner")),
    "down": Derived(tell_down, ("value",)),
    "policeman": Derived(tell_policeman, ("value",)),
    "places": Derived(tell_places, ("open", "sizes")),
    "last": Seat("last", none=True),
    "hands": Hands("hands", "sizes", CARDS),
    "open": Slots("open", CARDS, EMPTY),
    "blind": Slots("blind", CARDS, EMPTY),
    "banks": Stacks("banks", "bank_sizes", CARDS),
    "burned": Hands("burned", "burned_sizes", CARDS),
    "counts": Derived(tell_counts, ("bank_sizes", "sizes", "open", "blind", "burned_sizes")),
    "table": Seats("table"),
    "turns": Number("turns", high=LAST_TURN),
    "swap": Exchange(tell_exchange, ("winner", "loser")),
    "scores": Numbers("scores", high=30_000),
    "memory": Memory(tell_memory, ("barred",)),
    "outside": Outside("outside", CARDS),
}
REQUIRED = ("hands",)


def settle(s: Record, given: frozenset[str], rest: Counter[int], out: bool) -> None:
    """Completes a record whose keys have been read, or says why there is no such position.

    `rest` are the cards that no key mentions: they are out of the round.
    """
    for seat in range(s.players):
        s.holds[seat] = sum(1 << card for card in range(KINDS) if s.hands[seat, card])
        for key in ("open", "blind"):
            if key not in given:
                s[key][seat] = EMPTY
    for card in range(KINDS):
        s.outside[card] = rest[card]
    if "swap" not in given:
        s.winner = s.loser = NOBODY
    s.value = _value_of(s)
    _settle_end(s, given)
    _settle_turn(s, given)
    _settle_hands(s)
    _settle_memory(s)


def _settle_end(s: Record, given: frozenset[str]) -> None:
    if int(s.round_number) > s.options[ROUNDS]:
        raise BadPosition("round", f"the match has {s.options[ROUNDS]} rounds.")
    ended = [
        ("hands", f"seat {seat} has no card: the round is over.")
        for seat in range(s.players)
        if cards_left(s, seat) == 0
    ]
    if s.turns == LAST_TURN:
        ended.append(("turns", f"a round ends after {LAST_TURN} turns."))
    settle_end(s, given, ended, s.round_number >= s.options[ROUNDS], lowest_wins=LOWEST_WINS)


def _value_of(s: Record) -> int:
    """The pot was laid card by card: what a card does depends on nothing else."""
    value = NO_POT
    for card in s.pot[: s.pot_size].tolist():
        value = value_with(value, card, 1)
    return value


def _settle_turn(s: Record, given: frozenset[str]) -> None:
    if s.winner != NOBODY:
        if s.pot_size or s.turns:
            raise BadPosition("swap", "cards are exchanged before the first pot.")
        if "turn" in given and s.turn != s.winner:
            raise BadPosition("turn", f"seat {s.winner} may exchange a card first.")
        s.turn = s.winner
    elif "turn" not in given:
        s.turn = s.opener
        if s.pot_size == 0 and s.turns == 0:
            s.turn = first_to_open(s)
        elif s.pot_size and "last" in given and s.last != NOBODY:
            s.turn = beside(s.last, 1, s.players)
    if "last" not in given:
        s.last = beside(s.turn, -1, s.players) if s.pot_size else NOBODY
    if s.pot_size and s.last == NOBODY:
        raise BadPosition("last", "there are cards in the pot, so someone has played on it.")
    if s.pot_size == 0 and s.last != NOBODY:
        raise BadPosition("last", "nobody has played on an empty pot.")
    if s.last == s.turn and not s.over:
        raise BadPosition("last", f"it is seat {s.turn}'s turn, after another one.")


def _settle_hands(s: Record) -> None:
    for seat in range(s.players):
        if s.bank_sizes[seat] and s.table & bit(seat):
            raise BadPosition("banks", f"seat {seat} plays from the table, so it has no bank.")
        if s.bank_sizes[seat] and s.sizes[seat] == 0:
            raise BadPosition("hands", f"seat {seat} has a bank, so its hand is not empty.")


def _settle_memory(s: Record) -> None:
    """Refuses memories of what cannot have happened."""
    for seat in range(s.players):
        if ways_of(s, seat) == WAYS:
            compare_ways(s, seat)
        if not any(_hand_fits(s, seat, way) for way in range(ways_of(s, seat))):
            raise BadPosition("memory", f"the hand of seat {seat} is another one.")


def _hand_fits(s: Record, seat: int, way: int) -> bool:
    """Each set contains the next: a card that fits the oldest place fits all others, too."""
    hand = [card for card in range(KINDS) for _ in range(s.hands[seat, card])]
    for kinds in s.barred[seat, way, : s.sizes[seat]].tolist():
        fits = [card for card in hand if not kinds >> card & 1]
        if not fits:
            return False
        hand.remove(fits[0])
    return True
