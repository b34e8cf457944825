"""Get rid of all your cards first, and do not eat the pot. For 2 to 5 players.

## Cards

72 cards: `1 2` four of each, `0 3 4 5 6 7 8 9` six of each, half (`h`) and ghost (`g`) eight of
each. Zero, half and ghost are the **jokers**. The cards 1 to 8 are yellow, the 9 is red. *[ruling:
the rulebook does not list the yellow ones]*

## A round

All cards are dealt as evenly as possible (with five players two get 15, the others 14; the
longer piles go to the seats from the opener on *[ruling]*). Your pile is your **bank**. From it
come three **blind** cards, face down, three **open** ones on top of them, face up, and your
**hand** of three. The rest stays face down.

Before each later round the winner of the last one, if there was one, may exchange one of his open
cards for one of the big loser's (see Points).

The first pot of a round *[ruling: of every round]* is opened by whoever has the lowest yellow card
in hand; ties go to the first from the opener on. He opens with that card, and may add others like
it, but not as 8 and half together. If nobody has a yellow card the opener begins, with any card.
*[ruling]* Later pots are opened with any card. The opener of the first round is drawn; then the
seat after him opens, and so on. *[ruling]*

## Your turn

The pot has a **value**, whole or with a half. Put a legal card on it if you have one; from
your hand also several identical ones, each legal on the one before *[ruling]*.

- A **number** 1 to 9 is legal if it is the value or higher; the value becomes the number.
- A **ghost** is always legal, and transparent: the pot keeps its value and what it asks for. On an
  empty pot the value is 0. *[ruling]*
- A **half** is legal on anything but 8½; the value rises by ½. On an empty pot it is ½. *[ruling]*
  Above nine it goes on: 9½, 10, 10½ ...
- A **zero** is legal on a whole value; the value becomes 0, and anything may follow.
- **8 and half together** (`8h`), both from your hand, are one card of 8½, legal on 8½ and on what
  is lower, except on five: they are no joker, no policeman, and not put down twice in a turn.
  *[ruling]*

So on 8½ only a ghost, `8h` or a 9 is legal; on nine 9, 0, half and ghost; above it halves and
ghosts, and a zero if the value is whole.

**Five.** When the value is five, however it got there, the next player must go down: a number of
5 or lower, or any joker. A ghost passes that on *[ruling]*; any other card ends it, unless it makes
the value five again. The 5 itself is a number like others: legal on five and below.

**Police.** Whoever leaves the pot on a half number, or passes such a pot on with a ghost, can be
caught by the next player, and only by him, with the **policeman**: the next whole number (4 on 3½,
9 on 8½, 1 on ½; from 9½ on there is none), one or several *[ruling]*. That card always catches: the
offender eats the whole pot, policeman included, and the one who caught him opens the next. Any
other legal card lets him go. If the policeman was its player's very last card the offender eats
first, then the round ends. *[ruling]*

**Eating.** With no legal card you **eat** the pot, and the next player opens a new one. What you
eat is **burned**: out of play, and counted against you. But once you have played from the table,
open or blind, it goes into your hand.

**Hand and table.** After your turn your hand is filled up to three from your bank. When the bank is
empty the hand is played out; then you play the open cards, one at a time (of two identical ones the
left one goes), and when these are gone the blind ones: **flip** one onto the pot, unseen. If it is
legal the turn passes (a policeman catches *[ruling]*); if not you eat the pot and that card.
Flipping counts as playing from the table, also when the card does not fit. *[ruling]* A turn never
mixes hand, open and blind cards. *[ruling]* What you eat into your hand must be played out before
the table is used again.

**The end.** A round ends at once when a player has no card left in bank, hand, open and blind. He
wins it and can no longer be caught. *[ruling]* After 500 turns it ends without a winner, and
nobody scores. *[ruling]*

## Points

Your **count** is all the cards you have left, and your burned ones. The winner gets 2 points, and
everybody with the lowest count 1, the winner too if he is among them. The **big loser** has the
highest count apart from the winner; in a tie, the first of them after the winner. *[ruling]* After
five rounds (option `rounds`) *[ruling]* the most points win; ties share the win.

## What you know

Your hand, the pot, all open and burned cards, and how many of everything there are. Nobody sees
banks and blind cards, not even his own. A pot that was eaten into a hand was seen by all, so the
hand of a player who has played from the table is known to all. A player who ate had nothing legal;
the one who opened the first pot had the lowest yellow card.
"""

from __future__ import annotations

from typing import Any

from lastcard.kernel import (
    NOBODY,
    PUBLIC,
    Log,
    Record,
    beside,
    bit,
    emit,
    finish,
    inlined,
    lowest,
    next_round,
    nobody,
    offer,
    pick_opener,
    rule,
    set_up,
    shuffle,
    tell_winners,
    wide,
)

from .components import (
    BURNED,
    CAUGHT,
    COUNT_BANK,
    COUNT_BLIND,
    COUNT_BURNED,
    COUNT_HAND,
    COUNT_LOWEST,
    COUNT_OPEN,
    COUNT_OUT,
    COUNTED,
    DEALT,
    DECK_SIZE,
    DREW,
    EAT,
    EIGHT,
    EIGHT_AND_A_HALF,
    EIGHT_WITH_HALF,
    EMPTY,
    ENDED,
    FIRST_PLACE,
    FLIP,
    FLIPPED,
    HALF,
    HAND_SIZE,
    KEEP,
    KEPT,
    KINDS,
    LAST_TURN,
    LOST,
    LOWEST,
    LOWEST_POINTS,
    LOWEST_WINS,
    MISSED,
    MOST_BANK,
    NO_POT,
    OPENER,
    OPENS,
    OUT,
    PAIRED,
    PLAY,
    PLAY_BOTH,
    PLAYED,
    ROUNDS,
    SCORED,
    SEATS,
    SLOTS,
    SWAP,
    SWAPPED,
    TOOK,
    TRAILED,
    UNSHUFFLED,
    WAYS,
    WINNER_POINTS,
    WON,
    YELLOW,
)
from .knowledge import forget, remember_eating, remember_opening
from .pot import (
    after_opener,
    both_fit,
    first_pot,
    first_to_open,
    fitting,
    lowest_yellow,
    policeman,
    value_with,
)

# --- A new match, and dealing --------------------------------------------------------------------


@rule
def new(s: Record, players: int, options: Any) -> None:
    set_up(s, players, options)
    s.opener = pick_opener(s, s.options[OPENER])
    s.winner = s.loser = NOBODY
    _deal(s)


@rule
def _deal(s: Record) -> None:
    """All cards, as piles from which each player lays his blind and open cards and takes a hand.
    Who may exchange a card begins."""
    next_round(s)
    s.table = s.turns = 0
    for card in range(KINDS):
        s.outside[card] = 0
    for seat in range(SEATS):
        _clear(s, seat)
    for place in range(DECK_SIZE):
        s.pot[place] = UNSHUFFLED[place]  # shuffled where the pot will lie
    shuffle(s, s.pot, DECK_SIZE)
    start = 0
    for seat in range(s.players):
        size = DECK_SIZE // s.players
        if after_opener(s, seat) < DECK_SIZE % s.players:
            size += 1
        top = start + size - 1
        for slot in range(SLOTS):
            s.blind[seat, slot] = s.pot[top - slot]
            s.open[seat, slot] = s.pot[top - SLOTS - slot]
        for i in range(HAND_SIZE):
            _put_into(s, seat, s.pot[top - 2 * SLOTS - i])
        s.bank_sizes[seat] = size - HAND_SIZE - 2 * SLOTS
        for i in range(s.bank_sizes[seat]):
            s.banks[seat, i] = s.pot[start + i]
        start += size
    for place in range(DECK_SIZE):
        s.pot[place] = 0
    _empty_pot(s)
    s.turn = first_to_open(s) if s.winner == NOBODY else wide(s.winner)


@inlined
def _clear(s: Record, seat: int) -> None:
    s.sizes[seat] = 0
    s.holds[seat] = 0
    s.bank_sizes[seat] = 0
    s.burned_sizes[seat] = 0
    for card in range(KINDS):
        s.hands[seat, card] = 0
        s.burned[seat, card] = 0
    for i in range(MOST_BANK):
        s.banks[seat, i] = 0
    for slot in range(SLOTS):
        s.open[seat, slot] = 0
        s.blind[seat, slot] = 0
    for way in range(WAYS):
        for i in range(HAND_SIZE):
            s.barred[seat, way, i] = 0


@inlined
def _empty_pot(s: Record) -> None:
    s.pot_size = 0
    s.value = NO_POT
    s.last = NOBODY


@rule
def _put_into(s: Record, seat: int, card: int) -> None:
    s.hands[seat, card] += 1
    s.holds[seat] |= 1 << card
    s.sizes[seat] += 1


# --- Whom the match waits for --------------------------------------------------------------------


@rule
def waiting(s: Record) -> int:
    return 0 if s.over else bit(s.turn)


bystanders = nobody


# --- What is legal -------------------------------------------------------------------------------


@rule
def legal(s: Record, seat: int, out: Any) -> int:
    if s.over or seat != s.turn:
        return 0
    if s.winner != NOBODY:
        return _exchanges(s, seat, out)
    n = _from_hand(s, seat, out) if s.sizes[seat] > 0 else _from_table(s, seat, out)
    # A player with no legal card eats.
    return offer(out, n, EAT, n == 0)


@inlined
def _from_hand(s: Record, seat: int, out: Any) -> int:
    fits = fitting(s.value)
    first = first_pot(s)
    if first and s.holds[seat] & YELLOW:
        fits = 1 << lowest_yellow(s, seat)
    n = 0
    cards = wide(s.holds[seat]) & fits
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        # Each identical card is legal on the one before; only halves come to an end, at 8½.
        count = wide(s.hands[seat, card])
        if card == HALF and s.value < EIGHT_AND_A_HALF:
            count = min(count, EIGHT_AND_A_HALF - wide(s.value))
        for more in range(count):
            out[n] = PLAY + FIRST_PLACE[card] + more
            n += 1
    both = s.holds[seat] & EIGHT_WITH_HALF == EIGHT_WITH_HALF
    return offer(out, n, PLAY_BOTH, both & both_fit(s.value) & (not first))


@inlined
def _from_table(s: Record, seat: int, out: Any) -> int:
    """First the open cards, one at a time; when they are gone the blind ones."""
    there = 0
    for slot in range(SLOTS):
        there |= 1 << wide(s.open[seat, slot])
    n = 0
    if there == 1 << EMPTY:
        for slot in range(SLOTS):
            n = offer(out, n, FLIP + slot, s.blind[seat, slot] != EMPTY)
        return n
    cards = there & fitting(s.value)
    while cards:
        out[n] = PLAY + FIRST_PLACE[lowest(cards)]
        cards &= cards - 1
        n += 1
    return n


@inlined
def _exchanges(s: Record, seat: int, out: Any) -> int:
    n = 0
    for mine in range(SLOTS):
        for theirs in range(SLOTS):
            there = (s.open[seat, mine] != EMPTY) & (s.open[s.loser, theirs] != EMPTY)
            n = offer(out, n, SWAP + SLOTS * mine + theirs, there)
    return offer(out, n, KEEP, True)


# --- What an action does -------------------------------------------------------------------------


@rule
def apply(s: Record, seat: int, action: int, log: Log) -> None:
    if action >= SWAP:
        _exchange(s, seat, action, log)
        return
    s.turns += 1
    following = beside(seat, 1, s.players)
    offender, value = wide(s.last), wide(s.value)
    eater = NOBODY
    if action == EAT:
        remember_eating(s, seat)
        eater = seat
    else:
        if action < PLAY_BOTH:
            card = _play(s, seat, action - PLAY, log)
        elif action == PLAY_BOTH:
            card = _play_both(s, seat, log)
        else:
            card = _flip(s, seat, action - FLIP, log)
        if card == policeman(value):
            emit(log, CAUGHT, offender, PUBLIC, 0, 0, 0)
            eater = offender
            following = seat
        elif action >= FLIP and not fitting(value) >> card & 1:
            eater = seat
    if eater != NOBODY:
        _eat(s, eater, log)
    _fill_up(s, seat, log)
    if s.sizes[seat] == 0 and cards_left(s, seat) == 0:
        emit(log, OUT, seat, PUBLIC, 0, 0, 0)
        _score(s, seat, log)
    elif s.turns == LAST_TURN:
        emit(log, ENDED, seat, PUBLIC, 0, 0, 0)
        _start_next(s, NOBODY, NOBODY, log)
    else:
        s.turn = following


@inlined
def _play(s: Record, seat: int, place: int, log: Log) -> int:
    """One card or several identical ones from the hand, or an open card."""
    card = wide(UNSHUFFLED[place])
    count = place - FIRST_PLACE[card] + 1
    if s.turns == 1 and s.value == NO_POT:
        remember_opening(s, seat, card)
    if s.sizes[seat] > 0:
        _leave_hand(s, seat, card, count)
    else:
        slot = 0
        while s.open[seat, slot] != card:
            slot += 1
        s.open[seat, slot] = EMPTY
        s.table |= bit(seat)
    _put_on(s, seat, card, count)
    for _ in range(count):
        emit(log, PLAYED, seat, PUBLIC, card, s.value, 0)
    return card


@rule
def _play_both(s: Record, seat: int, log: Log) -> int:
    """8 and half as one card: returned as none that catches."""
    for card in (EIGHT, HALF):
        _leave_hand(s, seat, card, 1)
        _put_on(s, seat, card, 1)
    emit(log, PAIRED, seat, PUBLIC, 0, 0, 0)
    return EMPTY


@inlined
def _flip(s: Record, seat: int, slot: int, log: Log) -> int:
    """It lies on the pot in any case: if it is not legal both are eaten."""
    card = wide(s.blind[seat, slot])
    fits = fitting(s.value) >> card & 1
    s.blind[seat, slot] = EMPTY
    s.table |= bit(seat)
    _put_on(s, seat, card, 1)
    emit(log, FLIPPED if fits else MISSED, seat, PUBLIC, card, s.value, 0)
    return card


@inlined
def _leave_hand(s: Record, seat: int, card: int, count: int) -> None:
    if s.barred[seat, 0, 0]:
        forget(s, seat, card, count)
    s.hands[seat, card] -= count
    s.holds[seat] ^= wide(s.hands[seat, card] == 0) << card
    s.sizes[seat] -= count


@inlined
def _put_on(s: Record, seat: int, card: int, count: int) -> None:
    for i in range(s.pot_size, s.pot_size + count):
        s.pot[i] = card
    s.pot_size += count
    s.last = seat
    s.value = value_with(s.value, card, count)


@inlined
def _eat(s: Record, eater: int, log: Log) -> None:
    """The pot is burned, or goes into the hand of a player who has played from the table."""
    into_hand = wide(s.table) >> eater & 1
    for i in range(s.pot_size):
        card = s.pot[i]
        s.pot[i] = 0
        if into_hand:
            _put_into(s, eater, card)
        else:
            s.burned[eater, card] += 1
            s.burned_sizes[eater] += 1
        emit(log, TOOK if into_hand else BURNED, eater, PUBLIC, card, 0, 0)
    _empty_pot(s)


@inlined
def _fill_up(s: Record, seat: int, log: Log) -> None:
    while s.sizes[seat] < HAND_SIZE and s.bank_sizes[seat] > 0:
        s.bank_sizes[seat] -= 1
        top = s.bank_sizes[seat]
        card = wide(s.banks[seat, top])
        s.banks[seat, top] = 0
        _put_into(s, seat, card)
        emit(log, DREW, seat, bit(seat), card, 0, 0)


@rule
def _exchange(s: Record, seat: int, action: int, log: Log) -> None:
    """An open card for one of the big loser's; then the first pot is opened."""
    if action == KEEP:
        emit(log, KEPT, seat, PUBLIC, 0, 0, 0)
    else:
        mine, theirs = (action - SWAP) // SLOTS, (action - SWAP) % SLOTS
        given, taken = s.open[seat, mine], s.open[s.loser, theirs]
        s.open[seat, mine], s.open[s.loser, theirs] = taken, given
        emit(log, SWAPPED, seat, PUBLIC, given, taken, 0)
        emit(log, LOST, s.loser, PUBLIC, given, taken, 0)
    s.winner = s.loser = NOBODY
    s.turn = first_to_open(s)
    emit(log, OPENS, s.turn, PUBLIC, 0, 0, 0)


# --- Scoring, the next round, the end ------------------------------------------------------------


@rule
def cards_left(s: Record, seat: int) -> int:
    """In bank, hand, open and blind."""
    left = wide(s.bank_sizes[seat]) + s.sizes[seat]
    for slot in range(SLOTS):
        left += s.open[seat, slot] != EMPTY
        left += s.blind[seat, slot] != EMPTY
    return left


@rule
def count_of(s: Record, seat: int) -> int:
    """All cards that he has left, and his burned ones."""
    return cards_left(s, seat) + s.burned_sizes[seat]


@inlined
def _score(s: Record, winner: int, log: Log) -> None:
    fewest = count_of(s, winner)
    loser, most = NOBODY, -1
    seat = beside(winner, 1, s.players)
    while seat != winner:  # from the winner on: in a tie the first is the big loser
        count = count_of(s, seat)
        fewest = min(fewest, count)
        if count > most:
            loser, most = seat, count
        seat = beside(seat, 1, s.players)
    emit(log, LOWEST, winner, PUBLIC, fewest, 0, 0)
    for seat in range(s.players):
        count = count_of(s, seat)
        points = WINNER_POINTS * (seat == winner) + LOWEST_POINTS * (count == fewest)
        s.scores[seat] += points
        _tell_counted(s, seat, seat == winner, count == fewest, log)
        emit(log, SCORED, seat, PUBLIC, count, points, s.scores[seat])
    emit(log, TRAILED, loser, PUBLIC, 0, 0, 0)
    _start_next(s, winner, loser, log)


@inlined
def _tell_counted(s: Record, seat: int, won: bool, lowest: bool, log: Log) -> None:
    """Where the cards of a count are, and what the count and the win bring."""
    if log.shape[0] > 0:
        opened, blind = 0, 0
        for slot in range(SLOTS):
            opened += s.open[seat, slot] != EMPTY
            blind += s.blind[seat, slot] != EMPTY
        _tell_cards(seat, COUNT_HAND, s.sizes[seat], log)
        _tell_cards(seat, COUNT_BANK, s.bank_sizes[seat], log)
        _tell_cards(seat, COUNT_OPEN, opened, log)
        _tell_cards(seat, COUNT_BLIND, blind, log)
        _tell_cards(seat, COUNT_BURNED, s.burned_sizes[seat], log)
        if won:
            emit(log, COUNTED, seat, PUBLIC, COUNT_OUT, 1, WINNER_POINTS)
        if lowest:
            emit(log, COUNTED, seat, PUBLIC, COUNT_LOWEST, count_of(s, seat), LOWEST_POINTS)


@rule
def _tell_cards(seat: int, place: int, count: int, log: Log) -> None:
    if count > 0:
        emit(log, COUNTED, seat, PUBLIC, place, count, 0)


@rule
def _start_next(s: Record, winner: int, loser: int, log: Log) -> None:
    """The next round, if there is one; its predecessor's winner may exchange a card first."""
    if s.round_number >= s.options[ROUNDS]:
        finish(s, LOWEST_WINS)
        tell_winners(s, WON, log)
        return
    s.opener = beside(s.opener, 1, s.players)
    s.winner, s.loser = winner, loser
    _deal(s)
    emit(log, DEALT, s.opener, PUBLIC, s.round_number, 0, 0)
    if winner == NOBODY:
        emit(log, OPENS, s.turn, PUBLIC, 0, 0, 0)
