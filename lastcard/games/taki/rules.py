"""Match colour or shape, run with TAKI, and call "last card!" in time. For 2 to 10 players.

## Cards

112 cards. In each of four colours (`r y g b`), two of each: the numbers 1, 3, 4, 5, 6, 7, 8, 9 and
the commands `2+`, stop (`s`), reverse (`r`), plus (`+`) and TAKI (`t`). A name is a colour and
a number or command: `r5` is the red 5, `ys` the yellow stop. Without a colour: four change colour
`cc`, two Super TAKI `st`, two crazy `cz`. All but the numbers are commands. *[ruling: how many of
each]*

## A round

Everybody gets eight cards. The rest is the stock; its top card is turned up as the **leading
card**. Unless it is a number it goes back into the stock at a random place, and another card is
turned up. *[ruling]* The opener begins, then clockwise.

On your turn **play** a card of the leading card's colour, or of its number or shape, or one without
a colour. If you cannot, **draw** a card; that ends your turn, and the card may be played from your
next turn on. If you can play you must, unless the option `must_play` is off: then you may draw
instead, also in the extra turn after a plus. *[ruling]*

## Commands

- **2+**: the next player plays another 2+ of any colour, or draws two cards for every 2+ of the
  chain, which ends his turn. Nothing else is possible while a 2+ is active, and the choice is free.
  After the draw the 2+ is an ordinary card of its colour and shape.
- **Stop**: the next player misses his turn. With two players you play again.
- **Reverse** turns the direction of play. With two players the turn just passes. *[ruling]*
- **Change colour**: you name the colour that must be followed.
- **Plus**: you have another turn and must use it: play again or draw. So nobody goes out on a plus:
  with no card left you draw one, and the turn passes. If there is nothing to draw you have won.
  *[ruling]*
- **TAKI** begins a **run**: lay as many cards of its colour as you like, one after the other. A
  Super TAKI may go along and takes the run's colour. Only the last card of a run has an effect;
  commands inside it do nothing. *[ruling]* End the run with **close**, or **leave** the TAKI open.
  A TAKI or Super TAKI on top cannot be closed, only left. *[ruling]* A change colour or a crazy
  ends the run, closes the TAKI and ends the turn.
- **An open TAKI**: the next player plays as usual. If his card has the TAKI's colour he is in a run
  himself; any other card closes it *[ruling]*, and a TAKI or Super TAKI opens its own. Drawing
  leaves it open. While a 2+ is active on it, a 2+ starts no run: one of the TAKI's colour leaves it
  open, another one closes it. A run that was left open on a plus goes on with a card of its colour
  in the extra turn. *[ruling]*
- **Super TAKI**: you name its colour, and it is a TAKI of that colour, also for those who match it
  by shape. *[ruling]*
- **Crazy**: all other players pass their whole hands on to the next of them, in the direction you
  name; you keep yours. *[ruling; with the option `crazy_all` you take part]* With two players
  nothing moves, unless `crazy_all` is on. Play goes on in that direction. The card is transparent:
  the leading card stays the one below it, which now lies above it.
- **Plus and 3**: a 3 on your own plus of the same colour, in the extra turn, is a **+3**: all
  others draw three cards. Before that each of them who holds a plus and a 3 of one colour is asked,
  in order from the next seat: he may **break** it by playing both at once, out of turn. Then nobody
  else draws, you draw three yourself, and his 3 is the leading card. Those who do not break it
  **accept**. Then the turn passes on from you. There is no +3 inside a run. If the 3 was your last
  card you have won only if nobody breaks it; a breaker with no card left wins. *[ruling]*

## Last card!

When your turn leaves you with exactly one card you must **call** before another player acts, or you
draw four before his action takes effect. You may call early: during your turn when you hold two
cards or are in a run. A call lapses when you end a turn with other than one card. A breaker who is
left with one card must call, too. Hands that come by a crazy card need no call. Nobody can call
while a +3 is being asked about. With `announce` set to `auto` nobody has to. *[ruling on the
details]*

## The stock

When a card must be drawn and the stock is empty, the pile under the leading card is shuffled into a
new one. If that is not enough, players draw what there is. When as many turns in a row as there are
players end with a draw that gives nothing, the round ends without a winner, and everybody scores.
So does a round of 2,000 turns. The same player opens again. *[ruling]*

## Points

The round ends when a player has no card left; other commands of his last card, or of the last card
of a run, no longer have any effect. The winner gets -100. The others add up their cards: numbers
count their value, commands 10. The winner opens the next round. After five rounds (option `rounds`)
*[ruling]* the lowest score wins; ties share the win.

## What you know

Your own hand, the pile, how many cards everybody holds, who has called. After a crazy you know the
hand that you passed on, wherever it goes, until its cards are played. Of a stock that was made from
the pile you know the cards, but not their order. A player who had to draw could not play.
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
    offer,
    pick_opener,
    put_back,
    rule,
    set_up,
    show_hand,
    shuffle,
    take,
    tell_winners,
    wide,
)

from .components import (
    ACCEPT,
    ACCEPTED,
    ANNOUNCE,
    ASKED,
    ATTACK,
    ATTACKED,
    BREAK,
    BROKE,
    CALL,
    CALLED,
    CHANGE,
    CLOSE,
    CLOSED,
    COLOURED,
    COUNTED,
    CRAZED,
    CRAZY,
    CRAZY_ALL,
    DEALT,
    DECK_SIZE,
    DRAW,
    ENDED,
    FORGOT,
    HAND_SIZE,
    KINDS,
    LAST_TURN,
    LEAVE,
    LEFT,
    LOWEST_WINS,
    MUST_PLAY,
    N_COLOURS,
    N_NUMBERS,
    N_SHAPES,
    NAMED,
    NO_SHAPE,
    OPENER,
    OUT,
    PENALTY,
    PLAY,
    PLAY_CHANGE,
    PLAY_CRAZY,
    PLAY_SUPER,
    PLAYED,
    PLUS,
    REVERSE,
    ROUNDS,
    SCORED,
    SEATS,
    SHOWED,
    SKIPPED,
    STOP,
    SUPER,
    TAKI,
    THREE,
    TURNED,
    TWO_PLUS,
    UNSHUFFLED,
    WENT_OUT,
    WINNER_POINTS,
    WON,
    colour_of,
    coloured,
    shape_of,
    worth,
)
from .hands import draw_cards, lay, leave_hand, pass_hands, put_into
from .knowledge import (
    bar,
    forget_all,
)

# --- A new match, and dealing --------------------------------------------------------------------


@rule
def new(s: Record, players: int, options: Any) -> None:
    set_up(s, players, options)
    s.opener = pick_opener(s, s.options[OPENER])
    _deal(s)


@rule
def _deal(s: Record) -> None:
    """Eight cards to each player, the rest face down as the stock."""
    next_round(s)
    s.turn = s.opener
    s.direction = 1
    s.debt = s.run = s.plus = s.called = s.idle = s.turns = 0
    s.open = s.asked = s.exposed = NOBODY
    for place in range(DECK_SIZE):
        s.stock[place] = UNSHUFFLED[place]
        s.pile[place] = 0
    s.pile_size = 0
    s.stock_size = DECK_SIZE
    shuffle(s, s.stock, DECK_SIZE)
    for seat in range(SEATS):
        s.sizes[seat] = 0
        s.holds[seat] = 0
        for card in range(KINDS):
            s.hands[seat, card] = 0
    for seat in range(s.players):
        for _ in range(HAND_SIZE):
            put_into(s, seat, take(s))
    for card in range(KINDS):
        s.outside[card] = 0
    forget_all(s)
    _turn_up(s)


@inlined
def _turn_up(s: Record) -> None:
    """The stock's top card leads. If it is not a number it goes back at a random place."""
    card = take(s)
    while shape_of(card) >= N_NUMBERS:
        put_back(s, card)
        card = take(s)
    s.top = card
    s.lead_colour = colour_of(card)
    s.lead_shape = shape_of(card)


# --- Whom the match waits for --------------------------------------------------------------------


@rule
def waiting(s: Record) -> int:
    if s.over:
        return 0
    return bit(s.turn if s.asked == NOBODY else s.asked)


@rule
def bystanders(s: Record) -> int:
    """A player who must still call may do so before the next one acts."""
    return 0 if s.over or s.exposed == NOBODY else bit(s.exposed) & ~waiting(s)


# --- What is legal -------------------------------------------------------------------------------


@rule
def legal(s: Record, seat: int, out: Any) -> int:
    if s.over:
        return 0
    if s.asked != NOBODY:
        return _answers(s, seat, out) if seat == s.asked else 0
    n = 0
    if seat == s.turn:
        n = _plays(s, seat, out)
        # If you can play you must, unless the option says otherwise; on an active 2+ you are free.
        choice = (s.debt > 0) | (s.options[MUST_PLAY] == 0)
        run = s.run != 0
        n = offer(out, n, DRAW, (not run) & ((n == 0) | choice))
        # A TAKI or Super TAKI on top cannot be closed.
        n = offer(out, n, CLOSE, run & (s.lead_shape != TAKI))
        n = offer(out, n, LEAVE, run)
    return offer(out, n, CALL, _may_call(s, seat))


@inlined
def _plays(s: Record, seat: int, out: Any) -> int:
    n = 0
    cards = s.holds[seat] & playable(s)
    coloured = cards & _OF_COLOURS
    while coloured:
        out[n] = PLAY + lowest(coloured)
        n += 1
        coloured &= coloured - 1
    if cards <= _OF_COLOURS:
        return n
    if cards >> CHANGE & 1:
        for colour in range(N_COLOURS):
            n = offer(out, n, PLAY_CHANGE + colour, True)
    if cards >> SUPER & 1:
        for colour in range(N_COLOURS):
            n = offer(out, n, PLAY_SUPER + colour, (s.run == 0) | (colour == s.open))
    if cards >> CRAZY & 1:
        n = offer(out, n, PLAY_CRAZY, True)
        n = offer(out, n, PLAY_CRAZY + 1, True)
    return n


@inlined
def playable(s: Record) -> int:
    """The kinds of cards that may be played, as bits."""
    if s.debt > 0:
        return _of_shape(TWO_PLUS)  # while a 2+ is active only another 2+
    # The leading colour, which in a run is the run's; outside a run also the leading shape.
    playable = COLOURLESS | (_OF_FIRST_COLOUR << N_SHAPES * wide(s.lead_colour))
    if not s.run:
        playable |= _of_shape(s.lead_shape)
    return playable


# Sets of kinds of cards, as bits.
_OF_COLOURS = (1 << COLOURED) - 1
_OF_FIRST_COLOUR = (1 << N_SHAPES) - 1
_OF_FIRST_SHAPE = sum(1 << colour * N_SHAPES for colour in range(N_COLOURS))
COLOURLESS = 1 << CHANGE | 1 << SUPER | 1 << CRAZY


@rule("int64(int64)")
def _of_shape(shape: int) -> int:
    return _OF_FIRST_SHAPE << shape if shape != NO_SHAPE else 0


@inlined
def _may_call(s: Record, seat: int) -> bool:
    """If you must still call; or early, in your own turn, with two cards or in a run."""
    if s.options[ANNOUNCE] or wide(s.called) & bit(seat):
        return False
    return seat == s.exposed or (seat == s.turn and (s.run != 0 or s.sizes[seat] == 2))


@inlined
def _answers(s: Record, seat: int, out: Any) -> int:
    n = 0
    for colour in range(N_COLOURS):
        n = offer(out, n, BREAK + colour, _has_pair(s, seat, colour))
    return offer(out, n, ACCEPT, True)


@rule
def _has_pair(s: Record, seat: int, colour: int) -> bool:
    """A plus and a 3 of one colour."""
    pair = 1 << PLUS | 1 << THREE
    return s.holds[seat] >> coloured(colour, 0) & pair == pair


# --- What an action does -------------------------------------------------------------------------


@rule
def apply(s: Record, seat: int, action: int, log: Log) -> None:
    if action == CALL:
        s.called |= bit(seat)
        if s.exposed == seat:
            s.exposed = NOBODY
        emit(log, CALLED, seat, PUBLIC, 0, 0, 0)
        return
    if s.exposed != NOBODY and s.exposed != seat:
        _pay(s, log)
    if action < PLAY_CRAZY:
        winner = _play(s, seat, action, log)
    elif action < DRAW:
        winner = _play_crazy(s, seat, action - PLAY_CRAZY, log)
    elif action == DRAW:
        winner = _draw(s, seat, log)
    elif action <= LEAVE:
        winner = _end_run(s, seat, action, log)
    elif action == ACCEPT:
        emit(log, ACCEPTED, seat, PUBLIC, 0, 0, 0)
        winner = _ask_after(s, seat, log)
    else:
        winner = _break(s, seat, action - BREAK, log)
    if winner != NOT_YET:
        _score(s, winner, log)


# What follows returns who has won the round: a seat, NOBODY if it ended without a winner, or
NOT_YET = -2


@inlined
def _pay(s: Record, log: Log) -> None:
    """A player who has not called draws four before the next action takes effect."""
    late = s.exposed
    s.exposed = NOBODY
    emit(log, FORGOT, late, PUBLIC, 0, 0, 0)
    draw_cards(s, late, PENALTY, log)


@inlined
def _play(s: Record, seat: int, action: int, log: Log) -> int:
    card, colour = action - PLAY, colour_of(action - PLAY)
    if action >= PLAY_SUPER:
        card, colour = SUPER, action - PLAY_SUPER
    elif action >= PLAY_CHANGE:
        card, colour = CHANGE, action - PLAY_CHANGE
    shape = shape_of(card)
    # A 3 on your own plus of the same colour, unless it continues a run.
    attack = (s.plus != 0) & (shape == THREE) & (colour == s.lead_colour) & (s.open == NOBODY)
    lay(s, seat, card, colour, shape)
    if card < COLOURED:
        emit(log, PLAYED, seat, PUBLIC, card, 0, 0)
    else:
        emit(log, NAMED, seat, PUBLIC, card, colour, 0)
    if s.sizes[seat] == 0 and shape != PLUS and not attack:
        return seat
    s.plus = 0
    if attack:
        emit(log, ATTACKED, seat, PUBLIC, 0, 0, 0)
        return _ask_after(s, seat, log)
    if shape == TAKI:
        s.open = colour
        s.run = 1
        return NOT_YET
    if s.open == colour and s.debt == 0 and card != CHANGE:
        s.run = 1  # its effect, if it has any, waits until the run ends
        return NOT_YET
    if s.open != colour or card == CHANGE:
        s.open = NOBODY
        s.run = 0
    return _take_effect(s, seat, shape, log)


@inlined
def _end_run(s: Record, seat: int, action: int, log: Log) -> int:
    """The last card of a run takes effect; a TAKI that is left stays open."""
    s.run = 0
    if action == CLOSE:
        s.open = NOBODY
        emit(log, CLOSED, seat, PUBLIC, 0, 0, 0)
    else:
        emit(log, LEFT, seat, PUBLIC, 0, 0, 0)
    return _take_effect(s, seat, s.lead_shape, log)


@rule
def _take_effect(s: Record, seat: int, shape: int, log: Log) -> int:
    if shape == PLUS:
        s.plus = 1
        return NOT_YET
    steps = 1
    if shape == STOP:
        steps = 2
        emit(log, SKIPPED, _next(s, seat), PUBLIC, 0, 0, 0)
    elif shape == REVERSE:
        s.direction = -s.direction
        emit(log, TURNED, seat, PUBLIC, s.direction < 0, 0, 0)
    elif shape == TWO_PLUS:
        s.debt += 2
    return _end_own_turn(s, seat, steps, False)


@rule
def _next(s: Record, seat: int) -> int:
    return beside(seat, s.direction, s.players)


@inlined
def _draw(s: Record, seat: int, log: Log) -> int:
    """One card, or all that an active chain of 2+ asks for; it ends the turn."""
    empty = s.sizes[seat] == 0
    if s.debt == 0 and s.options[MUST_PLAY]:
        bar(s, seat)
    before = s.sizes[seat]
    draw_cards(s, seat, max(1, s.debt), log)
    nothing = s.sizes[seat] == before
    s.debt = 0
    s.plus = 0
    if empty and nothing:
        return seat  # his last card was a plus, and there is nothing to draw
    return _end_own_turn(s, seat, 1, nothing)


@inlined
def _end_turn(s: Record, steps: int, drew_nothing: bool) -> int:
    """The turn passes, two seats on after a stop. If nobody gets any further the round ends."""
    s.turns += 1
    s.idle = s.idle + 1 if drew_nothing else 0
    if s.idle == s.players or s.turns == LAST_TURN:
        return NOBODY
    for _ in range(steps):
        s.turn = _next(s, s.turn)
    return NOT_YET


@inlined
def _end_own_turn(s: Record, seat: int, steps: int, drew_nothing: bool) -> int:
    """As almost every turn ends: with a look at the call of the player whose turn it was."""
    winner = _end_turn(s, steps, drew_nothing)
    if winner == NOT_YET:
        _look_at_call(s, seat)
    return winner


@inlined
def _look_at_call(s: Record, seat: int) -> None:
    """If your turn leaves you with one card you must have called; otherwise a call lapses."""
    if s.exposed == seat:
        s.exposed = NOBODY
    if s.sizes[seat] != 1:
        s.called &= ~bit(seat)
    elif not s.called & bit(seat):
        if s.options[ANNOUNCE]:
            s.called |= bit(seat)
        else:
            s.exposed = seat


# --- Crazy ---------------------------------------------------------------------------------------


@rule
def _play_crazy(s: Record, seat: int, counter_clockwise: int, log: Log) -> int:
    """The card is transparent: it goes under the leading card, which stays."""
    leave_hand(s, seat, CRAZY)
    s.pile[s.pile_size] = CRAZY
    s.pile_size += 1
    emit(log, CRAZED, seat, PUBLIC, counter_clockwise, 0, 0)
    if s.sizes[seat] == 0:
        return seat
    s.plus = 0
    s.run = 0
    s.open = NOBODY
    s.direction = -1 if counter_clockwise else 1
    all_pass = s.options[CRAZY_ALL] != 0
    if all_pass or s.players > 2:
        pass_hands(s, NOBODY if all_pass else seat, log)
    if not all_pass:
        return _end_own_turn(s, seat, 1, False)
    winner = _end_turn(s, 1, False)
    if winner == NOT_YET and s.sizes[seat] != 1:
        s.called &= ~bit(seat)  # with one card he needs no call: the hand came by a crazy card
    return winner


# --- Plus and 3 ----------------------------------------------------------------------------------


@rule
def _ask_after(s: Record, seat: int, log: Log) -> int:
    """Each other player with a plus and a 3 of one colour is asked, in order; then all draw."""
    attacker: int = s.turn
    here = _next(s, seat)
    while here != attacker and not has_any_pair(s, here):
        here = _next(s, here)
    if here != attacker:
        s.asked = here
        emit(log, ASKED, here, PUBLIC, 0, 0, 0)
        return NOT_YET
    s.asked = NOBODY
    here = _next(s, attacker)
    while here != attacker:
        draw_cards(s, here, ATTACK, log)
        here = _next(s, here)
    if s.sizes[attacker] == 0:
        return attacker
    return _end_own_turn(s, attacker, 1, False)


@rule
def has_any_pair(s: Record, seat: int) -> bool:
    found = False
    for colour in range(N_COLOURS):
        found |= _has_pair(s, seat, colour)
    return found


@rule
def _break(s: Record, seat: int, colour: int, log: Log) -> int:
    """He plays both, the 3 leads, and the one who played the +3 draws three himself."""
    attacker: int = s.turn
    s.asked = NOBODY
    for shape in (PLUS, THREE):
        lay(s, seat, coloured(colour, shape), colour, shape)
    emit(log, BROKE, seat, PUBLIC, coloured(colour, PLUS), coloured(colour, THREE), 0)
    draw_cards(s, attacker, ATTACK, log)
    if s.sizes[seat] == 0:
        return seat
    winner = _end_own_turn(s, attacker, 1, False)
    if winner == NOT_YET and s.sizes[seat] == 1:
        _look_at_call(s, seat)
    return winner


# --- Scoring, the next round, the end ------------------------------------------------------------


@rule
def _score(s: Record, winner: int, log: Log) -> None:
    emit(log, ENDED if winner == NOBODY else OUT, winner, PUBLIC, 0, 0, 0)
    for seat in range(s.players):
        show_hand(s, seat, KINDS, SHOWED, log)
        points = WINNER_POINTS if seat == winner else points_of(s, seat)
        s.scores[seat] += points
        _tell_counted(s, seat, winner, log)
        emit(log, SCORED, seat, PUBLIC, points, s.scores[seat], 0)
    if s.round_number >= s.options[ROUNDS]:
        finish(s, LOWEST_WINS)
        tell_winners(s, WON, log)
        return
    # The winner opens the next round; without one the same player opens again.
    if winner != NOBODY:
        s.opener = winner
    _deal(s)
    emit(log, DEALT, s.opener, PUBLIC, s.round_number, s.top, 0)


@rule
def points_of(s: Record, seat: int) -> int:
    points = 0
    for card in range(KINDS):
        points += int(s.hands[seat, card]) * worth(card)
    return points


@inlined
def _tell_counted(s: Record, seat: int, winner: int, log: Log) -> None:
    if log.shape[0] > 0:
        if seat == winner:
            emit(log, COUNTED, seat, PUBLIC, WENT_OUT, 1, WINNER_POINTS)
        for card in range(KINDS):
            count = wide(s.hands[seat, card])
            if count > 0:
                emit(log, COUNTED, seat, PUBLIC, card, count, count * worth(card))
