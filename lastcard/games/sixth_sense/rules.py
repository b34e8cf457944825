"""Say with a card from your own hand how many tricks you will win. For 2 to 6 players.

## Cards

70 cards in five colours (`r y g b p`: red, yellow, green, blue, purple), fourteen each: 0, 1, 2, 3,
4, 5, 6, 7, 8, 10, 11, 12, 13, 14. There is no 9: the 6 is also the 9. *[ruling]* A name is colour
and number: `r0` to `p14`. With two players there is no purple.

| players | 2 | 3 | 4 | 5 | 6 |
|---|---|---|---|---|---|
| rounds | 6 | 6 | 4 | 5 | 6 |
| cards each | 15 | 14 | 14 | 13 | 11 |

## A round

**The deal.** The top card of what is left after dealing is turned up: its colour is **trump**.

**Predictions.** All players lay one card from the hand face down, at the same time. Its number is
how many tricks they mean to win; 6 means 6 or 9, 0 none. The card is out of play until the
round ends, and cannot be changed.

**Tricks**, until the hands are empty. The opener leads the first one, the winner of each leads the
next. The leader plays any card. The **asked colour** is that of the first card in playing order
that is not blocked. *[ruling on cards that lie between]* The others follow in turn with one card
each: of the asked colour if they have any, otherwise any card. This holds for the cards below, too,
also when blocking. As long as there is no asked colour (the only card so far was blocked) any card
may be played. The highest trump wins the trick, otherwise the highest card of the asked colour.

## Cards with a power

- **0, block**: a plain 0, or a **block**, but not by the leader. It is laid face down on a card
  that another player has laid in this trick. Both cards leave the trick, and the blocked one loses
  its power (`block g0 2`: the green 0 on seat 2's card). There is one block in a trick. With two
  players nobody wins a blocked trick; its cards are out, and the same player leads again.
- **4, reversal**: while the number of 4s in the trick that are not blocked is odd *[ruling for
  three and more]*, the *lowest* card wins, and colours count the other way round. First come those
  that are neither trump nor asked: the lowest number wins, the later one of equals. If there is no
  such card it is the lowest of the asked colour, and if there is none, the lowest trump.
- **6**: when played, a 6 or a 9, as its player says (`play b6`, `play b6=9`).
- **8, peek**: whoever *leads* with an 8 that is not blocked sees the prediction of the trick's
  winner as soon as the trick is complete. Nobody else sees it. *[ruling]* There is nothing to see
  if he wins it himself, or nobody does.
- **12, double**: if a 12 that is not blocked is in the trick, its winner chooses: one trick
  (**whole**), or two (**split**). Several 12s change nothing more. *[ruling]*

## Points

A prediction that comes true earns its number of points (a 6 earns 6 or 9, whichever was met).
Otherwise you lose the difference; with a 6 the difference to the nearer of 6 and 9. With 4
predicted, 6 or 2 tricks cost 2 points. With 6 or 9 predicted, 7 tricks cost 1.

The player to the left of this round's opener opens the next one. After the last round most points
win; ties share the win.

## Variants

- `beginner`: there is no trump, and the points of a round go by the difference (with a 6, to the
  nearer of 6 and 9): 6 points for none, 4 for one, 3 for two, 2 for three, 1 for four, else 0.
- `target`: the match ends after a round in which a player has that many points, such as 20, instead
  of after a fixed number of rounds; and after 30 rounds in any case. *[ruling]*
- `late_trump`: the trump is turned up when all predictions are laid. Not together with `beginner`.
  *[ruling]*

## What you know

Your own hand and prediction, the cards that were played, blocks and what they covered, the card
turned up, how many tricks everybody has, and the predictions that you have peeked at. A player who
did not follow a colour has none of it in hand. Predictions are hidden until the round is scored;
then all are shown.
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
    everybody,
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
    take,
    tell_winners,
    wide,
)

from .components import (
    BEGINNER,
    BEGINNER_POINTS,
    BLOCK,
    BLOCKED,
    COLOUR_OF,
    COUNTED,
    DEALT,
    DOUBLED,
    DOUBLES,
    EXACT,
    HAND_SIZES,
    KEPT,
    KINDS,
    LAST_ROUND,
    LATE_TRUMP,
    LOWEST_WINS,
    N_COLOURS,
    NINE,
    NO_CARD,
    NUMBER_OF,
    NUMBERS,
    OPENER,
    OVER,
    PEEK,
    PEEKED,
    PER_COLOUR,
    PLACE_OF,
    PLACES_UP_TO,
    PLAY,
    PLAY_NINE,
    PLAYED,
    POWERS,
    PREDICT,
    PREDICTED,
    PURPLE,
    REVEALED,
    REVERSED,
    ROUNDS,
    SCORED,
    SEATS,
    SIX,
    SIX_PLACE,
    SPLIT,
    TARGET,
    TOOK,
    TURNED,
    UNDER,
    VOID,
    WHOLE,
    WHOLE_COLOUR,
    WITHOUT_PURPLE,
    WON,
    give,
)

# --- A new match, and dealing --------------------------------------------------------------------


@rule
def new(s: Record, players: int, options: Any) -> None:
    set_up(s, players, options)
    for seat in range(SEATS):
        s.sizes[seat] = 0
        s.predictions[seat] = 0
        s.trick[seat] = 0
        for colour in range(N_COLOURS):
            s.hands[seat, colour] = 0
        _forget(s, seat)
    for i in range(KINDS):
        s.stock[i] = 0
    s.opener = pick_opener(s, s.options[OPENER])
    _deal(s)


@inlined
def _forget(s: Record, seat: int) -> None:
    """What is kept of a seat for a round."""
    s.tricks[seat] = 0
    s.seen[seat] = 0
    s.void[seat] = 0


@rule
def _deal(s: Record) -> None:
    """The rest is the stock. With two players purple stays in the box."""
    next_round(s)
    count = WITHOUT_PURPLE if s.players == 2 else KINDS
    for card in range(count):
        s.stock[card] = card
    s.stock_size = count
    shuffle(s, s.stock, count)
    for colour in range(N_COLOURS):
        s.outside[colour] = 0
    if s.players == 2:
        s.outside[PURPLE] = WHOLE_COLOUR
    each = HAND_SIZES[s.players]
    for seat in range(s.players):
        for _ in range(each):
            give(s, seat, take(s))
        s.sizes[seat] = each
        s.predictions[seat] = NO_CARD
        _forget(s, seat)
    s.predicting = everybody(s.players)
    s.trump = NOBODY
    if not (s.options[BEGINNER] or s.options[LATE_TRUMP]):
        turn_up(s)
    _begin_trick(s, s.opener)


@inlined
def turn_up(s: Record) -> None:
    """The colour of the stock's top card is trump. (A position may be without a stock.)"""
    if s.stock_size > 0:
        s.trump = COLOUR_OF[s.stock[s.stock_size - 1]]


@inlined
def _begin_trick(s: Record, leader: int) -> None:
    clear_trick(s)
    s.leader = leader
    s.turn = leader


@inlined
def clear_trick(s: Record) -> None:
    s.trick_size = 0
    s.blocker = NOBODY
    s.blocked = NOBODY
    s.asked = NOBODY


# --- Whom the match waits for --------------------------------------------------------------------


@rule
def waiting(s: Record) -> int:
    """All who have not predicted yet; then one after the other."""
    if s.over:
        return 0
    return wide(s.predicting) if s.predicting else bit(s.turn)


bystanders = nobody


# --- What is legal -------------------------------------------------------------------------------


@rule
def legal(s: Record, seat: int, out: Any) -> int:
    if s.over:
        return 0
    if s.predicting:
        return _any_card(s, seat, PREDICT, out) if s.predicting >> seat & 1 else 0
    if seat != s.turn:
        return 0
    if s.trick_size == s.players:
        out[0], out[1] = SPLIT, WHOLE
        return 2
    asked = s.asked
    if asked != NOBODY and s.hands[seat, asked]:
        # A player with the asked colour must follow it, also with a six or a block.
        n = _cards_of(s, seat, asked, PLAY, out, 0)
        sixes = (wide(s.hands[seat, asked]) >> SIX_PLACE & 1) << asked
        zeros = (wide(s.hands[seat, asked]) & 1) << asked
    else:
        n = _any_card(s, seat, PLAY, out)
        sixes = zeros = 0
        for colour in range(N_COLOURS):
            sixes |= (wide(s.hands[seat, colour]) >> SIX_PLACE & 1) << colour
            zeros |= (wide(s.hands[seat, colour]) & 1) << colour
    while sixes:
        out[n] = PLAY_NINE + lowest(sixes)
        n += 1
        sixes &= sixes - 1
    if zeros and may_block(s):
        n = _blocks(s, zeros, out, n)
    return n


@inlined
def may_block(s: Record) -> bool:
    """One block in a trick, and not by the leader."""
    return s.trick_size > 0 and s.blocker == NOBODY


@inlined
def _any_card(s: Record, seat: int, action: int, out: Any) -> int:
    """Four colours in one row of bits: one loop takes less time than four short ones."""
    cards = 0
    for colour in range(PURPLE):
        cards |= wide(s.hands[seat, colour]) << PER_COLOUR * colour
    n = 0
    while cards:
        out[n] = action + lowest(cards)
        n += 1
        cards &= cards - 1
    return _cards_of(s, seat, PURPLE, action, out, n)


@inlined
def _cards_of(s: Record, seat: int, colour: int, action: int, out: Any, n: int) -> int:
    cards = wide(s.hands[seat, colour])
    first = action + PER_COLOUR * colour
    while cards:
        out[n] = first + lowest(cards)
        n += 1
        cards &= cards - 1
    return n


@rule
def _blocks(s: Record, zeros: int, out: Any, n: int) -> int:
    """Each of these zeros on every card that lies in the trick."""
    while zeros:
        first = BLOCK + SEATS * lowest(zeros)
        zeros &= zeros - 1
        for other in range(s.players):
            n = offer(out, n, first + other, place_in_trick(s, other) < s.trick_size)
    return n


@rule
def place_in_trick(s: Record, seat: int) -> int:
    """Where the card of a seat lies, or will lie, in playing order."""
    place = seat - s.leader
    return place if place >= 0 else place + s.players


@rule
def seat_at(s: Record, place: int) -> int:
    """Whose card is the first, second, ... in this trick."""
    seat = s.leader + place
    return seat if seat < s.players else seat - s.players


# --- What an action does -------------------------------------------------------------------------


@rule
def apply(s: Record, seat: int, action: int, log: Log) -> None:
    if action < PLAY:
        _predict(s, seat, action - PREDICT, log)
    elif action < SPLIT:
        if action < BLOCK:
            emit(log, PLAYED, seat, PUBLIC, laid_by(action), 0, 0)
        else:
            covered = s.trick[_blocked_by(s, action)]
            emit(log, BLOCKED, seat, PUBLIC, laid_by(action), covered, 0)
        _leave_hand(s, seat, laid_by(action))
        lay(s, action)
        _go_on(s, log)
    else:
        emit(log, DOUBLED if action == SPLIT else KEPT, seat, PUBLIC, 0, 0, 0)
        _win(s, seat, 2 if action == SPLIT else 1, log)


@inlined
def _predict(s: Record, seat: int, card: int, log: Log) -> None:
    """Face down, and out of play. Once all have laid one the tricks begin."""
    s.hands[seat, COLOUR_OF[card]] &= ~(1 << PLACE_OF[card])
    s.sizes[seat] -= 1
    s.predictions[seat] = card
    s.predicting &= ~bit(seat)
    emit(log, PREDICTED, seat, bit(seat), card, 0, 0)
    if s.predicting:
        return
    if s.options[LATE_TRUMP]:
        turn_up(s)
        _tell_trump(s, log)
    if s.sizes[s.leader] == 0:  # only if a position began with one card each
        _score(s, log)


@inlined
def _tell_trump(s: Record, log: Log) -> None:
    if s.trump != NOBODY:
        emit(log, TURNED, s.leader, PUBLIC, s.stock[s.stock_size - 1], s.trump, 0)


@rule
def _leave_hand(s: Record, seat: int, laid: int) -> None:
    """A card leaves the hand for the trick. Not following shows that it has no such colour."""
    colour = COLOUR_OF[laid]
    s.hands[seat, colour] &= ~(1 << PLACE_OF[laid])
    s.sizes[seat] -= 1
    if s.asked != NOBODY and colour != s.asked:
        s.void[seat] |= 1 << wide(s.asked)


@rule
def laid_by(action: int) -> int:
    """What lies in the trick when a card was played, or a zero that blocks."""
    return action - PLAY if action < BLOCK else PER_COLOUR * ((action - BLOCK) // SEATS)


@inlined
def _blocked_by(s: Record, action: int) -> int:
    """The place of the card that is blocked."""
    return place_in_trick(s, (action - BLOCK) % SEATS)


@rule
def lay(s: Record, action: int) -> None:
    """The next card of the trick. The first that is not blocked asks for its colour; with a block
    both cards leave the trick, and if that was the first one the next one asks for its colour."""
    s.trick[s.trick_size] = laid_by(action)
    s.trick_size += 1
    if action >= BLOCK:
        s.blocker = s.trick_size - 1
        s.blocked = _blocked_by(s, action)
        if s.blocked == 0:
            s.asked = NOBODY if s.blocker == 1 else COLOUR_OF[s.trick[1]]
    elif s.asked == NOBODY:
        s.asked = COLOUR_OF[laid_by(action)]


@rule
def _go_on(s: Record, log: Log) -> None:
    """The next player; or the trick is complete."""
    if s.trick_size < s.players:
        s.turn = beside(s.turn, 1, s.players)
        return
    powers = powers_of(s)
    winner = _winner(s, powers & 1)
    if winner == NOBODY:
        emit(log, VOID, s.leader, PUBLIC, 0, 0, 0)
        _end_trick(s, wide(s.leader), log)
        return
    card = s.trick[place_in_trick(s, winner)]
    emit(log, REVERSED if powers & 1 else TOOK, winner, PUBLIC, card, 0, 0)
    if peeks(s, winner):
        s.seen[s.leader] |= bit(winner)
        emit(log, PEEKED, s.leader, bit(s.leader), s.predictions[winner], winner, 0)
    if powers >= DOUBLES:
        s.turn = winner  # he chooses
    else:
        _win(s, winner, 1, log)


# --- Who wins a trick ----------------------------------------------------------------------------


@rule
def winning(s: Record) -> int:
    """The seat that wins the trick as it lies; NOBODY if nothing counts."""
    return _winner(s, powers_of(s) & 1)


@rule
def _winner(s: Record, reversed: int) -> int:
    best, winner = -1, NOBODY
    for place in range(s.trick_size):
        if in_play(s, place):
            rank = rank_of(s.trick[place], s.trump, s.asked, reversed)
            if rank >= best:  # of equals the later one; there are none unless it is reversed
                best, winner = rank, place
    return winner if winner == NOBODY else seat_at(s, winner)


@rule
def rank_of(laid: int, trump: int, asked: int, reversed: int) -> int:
    """Trump above the asked colour above others, then by number; with a reversal upside down."""
    colour = COLOUR_OF[laid]
    group = 2 if colour == trump else 1 if colour == asked else 0
    rank = 16 * group + NUMBER_OF[laid]
    return 16 * 3 - rank if reversed else rank


@rule
def beating(rank: int, colour: int, trump: int, asked: int, reversed: int) -> int:
    """The cards of a colour that rank at least so high, as bits."""
    group = 2 if colour == trump else 1 if colour == asked else 0
    if reversed:
        return PLACES_UP_TO[min(max(16 * (3 - group) - rank, -1), NUMBERS[-1])]
    return WHOLE_COLOUR & ~PLACES_UP_TO[min(max(rank - 16 * group - 1, -1), NUMBERS[-1])]


@inlined
def in_play(s: Record, place: int) -> bool:
    """Whether a card in the trick is neither blocked nor a block."""
    return (place != s.blocker) & (place != s.blocked)


@rule
def powers_of(s: Record) -> int:
    """How many 4s count in the trick, and DOUBLES for every 12."""
    powers = 0
    for place in range(s.trick_size):
        if in_play(s, place):
            powers += POWERS[s.trick[place]]
    return powers


@inlined
def peeks(s: Record, winner: int) -> bool:
    """Whether the leader may look at the winner's prediction."""
    led_eight = NUMBER_OF[s.trick[0]] == PEEK
    return led_eight and s.blocked != 0 and winner != s.leader


# --- The end of a trick, of a round, of the match ------------------------------------------------


@rule
def _win(s: Record, winner: int, tricks: int, log: Log) -> None:
    s.tricks[winner] += tricks
    _end_trick(s, winner, log)


@rule
def _end_trick(s: Record, leader: int, log: Log) -> None:
    for place in range(s.players):
        laid = s.trick[place]
        s.outside[COLOUR_OF[laid]] |= 1 << PLACE_OF[laid]
        s.trick[place] = 0
    _begin_trick(s, leader)
    if s.sizes[leader] == 0:
        _score(s, log)


@rule
def _score(s: Record, log: Log) -> None:
    most = -(1 << 15)
    for seat in range(s.players):
        points = points_of(s, seat)
        s.scores[seat] += points
        most = max(most, s.scores[seat])
        card = wide(s.predictions[seat])
        emit(log, REVEALED, seat, PUBLIC, card, NUMBER_OF[card], s.tricks[seat])
        _tell_counted(s, seat, points, log)
        emit(log, SCORED, seat, PUBLIC, points, s.scores[seat], 0)
    if last_round(s, most):
        finish(s, LOWEST_WINS)
        tell_winners(s, WON, log)
        return
    s.opener = beside(s.opener, 1, s.players)
    _deal(s)
    emit(log, DEALT, s.opener, PUBLIC, s.round_number, 0, 0)
    _tell_trump(s, log)


@inlined
def _tell_counted(s: Record, seat: int, points: int, log: Log) -> None:
    """How far the tricks are from the prediction, and on which side of it."""
    if log.shape[0] > 0:
        number = NUMBER_OF[s.predictions[seat]]
        tricks = wide(s.tricks[seat])
        difference = difference_of(s, seat)
        # Of a 6, which is also a 9, the nearer number counts.
        over = tricks - number == difference or (number == SIX and tricks - NINE == difference)
        how = EXACT if difference == 0 else OVER if over else UNDER
        emit(log, COUNTED, seat, PUBLIC, how, difference, points)


@rule
def points_of(s: Record, seat: int) -> int:
    return points_for(s, wide(s.tricks[seat]), difference_of(s, seat))


@rule
def points_for(s: Record, tricks: int, difference: int) -> int:
    """For a number of tricks, and how far the prediction was off."""
    if s.options[BEGINNER]:
        return BEGINNER_POINTS[min(difference, len(BEGINNER_POINTS) - 1)]
    return -difference if difference else tricks


@rule
def difference_of(s: Record, seat: int) -> int:
    """Between prediction and tricks; a 6 is a 6 or a 9, whichever is nearer."""
    number = NUMBER_OF[s.predictions[seat]]
    tricks = wide(s.tricks[seat])
    difference = abs(number - tricks)
    return min(difference, abs(NINE - tricks)) if number == SIX else difference


@rule
def last_round(s: Record, most: int) -> bool:
    """Whether the match ends with this round, given the best score after it."""
    target = s.options[TARGET]
    if target:
        return most >= target or s.round_number >= LAST_ROUND
    return s.round_number >= ROUNDS[s.players]
