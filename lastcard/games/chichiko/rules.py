"""Dominoes with rock, paper, scissors, a snake and a crook: be the first to get rid of your tiles.
For 2 to 8 players.

## Tiles

Each half of a tile has a colour (`r y g b`: red, yellow, green, blue) and a picture: rock `k`,
scissors `s`, paper `p`, snake `n`, crook `c`, or one of the **special** ones: take two `+2`, take
four `+4`, reverse `v`, skip `x`. A **double** has the same picture in the same colour on both
halves. A **super tile** has a special and an ordinary picture of one colour. *[ruling]*

There are 80. *[ruling: the rulebook does not list them]* With colours, pictures and special
pictures numbered from 0 in the order above these are

- 20 doubles, one for each picture and colour;
- 40 mixed tiles: for pictures P < Q and each colour C one with P in C and Q in (C + P + Q) mod 4;
- 20 super tiles: for each picture P and colour C one with the special picture (P + C) mod 4.

So every ordinary picture is on seven halves of each colour.

What beats what:

- scissors beat paper and snake;
- paper beats crook and rock;
- rock beats scissors and snake;
- snake beats crook and paper;
- crook beats rock and scissors.

## A round

Seven tiles each (six with seven or eight players *[ruling]*; option `hand`), the rest is the
**bazaar**. The opener starts the chain with any double; if he has none the next player does. If
nobody has one all tiles are shuffled and dealt again. *[ruling]* The next round is opened by the
seat clockwise after this round's opener, whoever started. *[ruling]*

A turn is one tile, put with one of its halves against one of the two ends of the chain; its other
half becomes that end. An **ordinary** picture takes

- the same picture in another colour (in the same colour it does not fit);
- a picture that beats it, in the same colour;
- a super tile of the same colour, with either half, even with the end's own picture. *[ruling]*

A **special** picture, as long as the end shows it *[ruling]*, takes any half of its colour, or the
same special picture in another colour. The ordinary half of a super tile fits wherever that of an
ordinary tile would. *[ruling]*

If the special picture of a super tile becomes the end, its event happens: with +2 and +4 the next
player takes that many tiles (or what is left) and misses his turn; with skip he only misses it;
reverse turns the direction of play (also with two players, and that is all). If the ordinary
picture becomes the end nothing happens. A tile that ends the round has no event. Turns to be missed
add up. *[ruling]*

If you can put a tile you must. If you cannot, draw from the bazaar, one by one, until you can, and
then you must. If the bazaar is empty you pass. As soon as it is empty and nobody can put a tile,
that is a **fish**, and the round ends.

## Points

A round ends when a player has no tile left, or with a fish. Every ordinary tile left in a hand,
doubles too, counts 1, every super tile 5. After a fish the fewest points win the round. The match
has five rounds (option `rounds`) *[ruling]*; the lowest total wins, ties share the win.

## Other ways to play

They can be combined, except `phone` with `sausage`; `faces` needs `open`.

- **`blitz`**: put as many tiles as you like in a turn, one after the other. It ends with `end`
  (after at least one tile), when nothing more fits, and always with a super tile. You draw only if
  you cannot put a first tile. Starting the chain does not end your turn. *[ruling]*
- **`phone`**: the first double has four sides, so there are four ends. In a turn you may put up to
  four doubles, one at each end, instead of one tile; your turn ends with `end`, or when no further
  double fits. The start is a whole turn. You may **close** a double that you put, other than the
  first *[ruling]*: it lies face down, and nothing can be put there again. When all ends are closed,
  that is a fish. *[ruling]* With `blitz` any tiles can follow, also after the start, and ends can
  be used again. *[ruling]*
- **`sausage`**: the first double stands upright, and from it two lines, upper and lower, go to the
  left and two to the right. On each side they never differ in length by more than one tile. When
  they are equally long, also at the very start *[ruling]*, a tile can be put **across**: its upper
  half must fit the upper line and its lower half the lower one. It lengthens both, and the next
  player takes two tiles and misses his turn. A super tile across has no other event. *[ruling]*
  With `blitz` a tile across ends the turn. *[ruling]*
- **`open`**: everybody sees all hands. With **`faces`** as well: when a player who has put a tile
  is left with exactly three at the end of his turn, the next player (if it is another one) must
  make a `face` before he puts a tile. Forgetting it costs three tiles, taken before it is decided
  whether he is out. Drawing and passing need no face. *[ruling]*
- **`apocalypse`**: before each deal two thirds of the tiles (2 or 3 players), half (4 or 5) or a
  third (6 to 8), rounded down, are taken out of the game, unseen. *[ruling: the rulebook leaves the
  numbers open]*
- **`out_of_turn`**: after the start you may put a tile out of turn, but not across, and not closed.
  It stays, without its event *[ruling]*, and you take five tiles for it. If there are fewer you
  take them all and miss your next two turns. The turn stays where it was. If it was your last tile
  you now have the new ones, or, if the bazaar was empty, you are out. If the player on turn has
  begun and nothing he has fits any more, his turn ends. *[ruling]* In the rulebook all this always
  applies.

## What you know

Your tiles, the chain, how many tiles everybody and the bazaar have; with `open` all hands. A player
who drew or passed had nothing that fitted then, and neither has one whose turn ended by itself; one
who was passed over at the start has no double. Nobody knows the tiles that were taken out.

## Names

A half is its colour and picture: `rk`, `g+2`, `bv`. A tile is two halves, `rk-ys`. With `put ys-rk
@1` the first half goes against the end and the second is the new end. The ends are `@0`, left, and
`@1`, right; with `phone` `@0` to `@3`; with `sausage` `@0` left upper, `@1` left lower, `@2` right
upper, `@3` right lower. `put gk-gk @2 closed` closes the double. With `across ys-rk left` the first
half is above.
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
    pick_opener,
    rule,
    set_up,
    shuffle,
    take,
    tell_winners,
    wide,
)

from .chain import (
    all_closed,
    can_go_on,
    ends_of,
    give,
    holds,
    is_fish,
    is_super_tile,
    lay,
    open_end,
    remove,
    started,
)
from .components import (
    ACROSS,
    APOCALYPSE,
    BELOW,
    BLITZ,
    CLOSE,
    CLOSED_ALL,
    COUNTED,
    CROSSED,
    DEALT,
    DOUBLES,
    DRAW,
    DREW,
    EFFECT_OF,
    END,
    END_OF,
    ENDED,
    ENDS,
    FACE,
    FACE_AT,
    FACE_PENALTY,
    FACES,
    FEWEST,
    FISH,
    FITS,
    FORGOT,
    HAND,
    HAND_SIZES,
    INTERRUPTED,
    KINDS_REMEMBERED,
    LACKED,
    LEFT_OUT,
    LOWEST_WINS,
    MADE_FACE,
    MISSED,
    MISSES,
    N_DOUBLES,
    N_SIDES,
    N_TILES,
    N_WAYS,
    NO_EFFECT,
    NO_END,
    OF_ORDINARY,
    OF_SUPER,
    OPEN,
    OPENER,
    OUT,
    OUT_OF_TURN,
    OWES,
    PASS,
    PASSED,
    PENALTY,
    PENALTY_TURNS,
    PER_WORD,
    PHONE,
    POINTS,
    PUT,
    REVERSE,
    ROUNDS,
    SAUSAGE,
    SCORED,
    SEATS,
    SET_WORDS,
    SHOWED,
    SHOWS,
    START,
    STARTED,
    STOPPED,
    STUCK,
    SUPER_POINTS,
    SUPERS,
    TAKES,
    TILE_OF,
    TOOK,
    TURNED,
    UNSHUFFLED,
    WAS_ACROSS,
    WAS_CLOSED,
    WAS_PUT,
    WAY_OF,
    WON,
)
from .knowledge import ALL_DOUBLES, doubles_at_open_ends, forget, open_ends, remember

# --- A new match, and dealing --------------------------------------------------------------------


@rule
def new(s: Record, players: int, options: Any) -> None:
    set_up(s, players, options)
    s.laid_size = N_TILES
    for seat in range(SEATS):
        _clear(s, seat)
    s.opener = pick_opener(s, s.options[OPENER])
    _deal(s)


@inlined
def _clear(s: Record, seat: int) -> None:
    s.sizes[seat] = 0
    s.missing[seat] = 0
    for word in range(SET_WORDS):
        s.hands[seat, word] = 0
    for i in range(KINDS_REMEMBERED):
        s.memory[seat, i] = 0


@rule
def _deal(s: Record) -> None:
    """Deals until a player has a double."""
    next_round(s)
    for i in range(s.laid_size):
        s.laid[i] = 0
    s.laid_size = 0
    for end in range(ENDS):
        s.ends[end] = NO_END
        s.lengths[end] = 0
    s.direction = 1
    s.begun = s.used = 0
    s.owes = NOBODY
    s.turn = NOBODY
    while s.turn == NOBODY:
        _deal_once(s)
        s.turn = first_with_double(s)
    seat = wide(s.opener)
    while seat != s.turn:
        remember(s, seat, ALL_DOUBLES)
        seat = beside(seat, 1, s.players)


@inlined
def _deal_once(s: Record) -> None:
    for tile in range(N_TILES):
        s.stock[tile] = UNSHUFFLED[tile]
    shuffle(s, s.stock, N_TILES)
    s.stock_size = N_TILES
    if s.options[APOCALYPSE]:
        for _ in range(LEFT_OUT[s.players]):
            take(s)
    each = s.options[HAND] if s.options[HAND] else HAND_SIZES[s.players]
    for seat in range(s.players):
        _clear(s, seat)
        for _ in range(each):
            give(s, seat, take(s))
        s.sizes[seat] = each


@rule
def first_with_double(s: Record) -> int:
    """Who starts: the first from the opener on, or NOBODY."""
    seat = wide(s.opener)
    for _ in range(s.players):
        for word in range(SET_WORDS):
            if s.hands[seat, word] & DOUBLES[word]:
                return seat
        seat = beside(seat, 1, s.players)
    return NOBODY


# --- Whom the match waits for, and what is legal -------------------------------------------------


@rule
def waiting(s: Record) -> int:
    return 0 if s.over else bit(s.turn)


@rule
def bystanders(s: Record) -> int:
    """Tiles may be put out of turn."""
    out_of_turn = s.options[OUT_OF_TURN] and started(s) and not s.over
    return everybody(s.players) & ~bit(s.turn) if out_of_turn else 0


@rule
def legal(s: Record, seat: int, out: Any) -> int:
    mine = seat == s.turn
    if s.over or not (mine or (s.options[OUT_OF_TURN] and seat < s.players)):
        return 0
    n = 0
    if s.owes == seat:
        out[n] = FACE
        n += 1
    nothing_to_put = n
    if not started(s):
        if mine:
            for word in range(SET_WORDS):
                n = _list(out, n, START + PER_WORD * word, s.hands[seat, word] & DOUBLES[word])
        return n
    ends = ends_of(s)
    used = 0
    doubles_only = mine and s.begun and not s.options[BLITZ]
    if doubles_only:  # further ones in the same turn, one at each end
        used = wide(s.used)
    for end in range(ends):
        if not used >> end & 1:
            shown = open_end(s, end)
            first = PUT + N_WAYS * end
            for word in range(SET_WORDS):
                ways = s.hands[seat, word] & FITS[shown, word]
                if doubles_only:
                    ways &= DOUBLES[word]
                n = _list(out, n, first + PER_WORD * word, ways)
    if not mine:
        return n
    if s.options[PHONE]:
        for end in range(ends):
            if not used >> end & 1:
                shown = wide(s.ends[end])
                first = CLOSE + N_DOUBLES * end
                for word in range(SET_WORDS):
                    ways = s.hands[seat, word] & FITS[shown, word] & DOUBLES[word]
                    n = _list(out, n, first + PER_WORD * word, ways)
    elif s.options[SAUSAGE]:
        for side in range(N_SIDES):
            upper, lower = 2 * side, 2 * side + 1
            if s.lengths[upper] == s.lengths[lower]:
                first = ACROSS + N_WAYS * side
                for word in range(SET_WORDS):
                    ways = s.hands[seat, word] & FITS[s.ends[upper], word]
                    ways &= BELOW[s.ends[lower], word]
                    n = _list(out, n, first + PER_WORD * word, ways)
    if s.begun:
        out[n] = END
        n += 1
    elif n == nothing_to_put:
        out[n] = DRAW if s.stock_size > 0 else PASS
        n += 1
    return n


@inlined
def _list(out: Any, n: int, action: int, ways: int) -> int:
    """An action for each way of a word."""
    while ways:
        out[n] = action + lowest(ways)
        n += 1
        ways &= ways - 1
    return n


# --- What an action does -------------------------------------------------------------------------


@rule
def apply(s: Record, seat: int, action: int, log: Log) -> None:
    if action == FACE:
        s.owes = NOBODY
        emit(log, MADE_FACE, seat, PUBLIC, 0, 0, 0)
    elif action < DRAW:
        _leave_hand(s, seat, TILE_OF[WAY_OF[action]])
        _tell_put(s, seat, action, log)
        lay(s, action)
        if seat == s.turn:
            _put(s, seat, action, log)
        else:
            _interrupt(s, seat, log)
    elif action == DRAW:
        remember(s, seat, open_ends(s))
        _take_tiles(s, seat, 1, DREW, log)
        if is_fish(s):
            _end_round(s, seat, log)
    elif action == END:
        emit(log, ENDED, seat, PUBLIC, 0, 0, 0)
        _end_turn(s, True, log)
    else:
        remember(s, seat, open_ends(s))
        emit(log, PASSED, seat, PUBLIC, 0, 0, 0)
        if is_fish(s):  # never in a match; but a wrong guess must end, too
            _end_round(s, seat, log)
        else:
            _end_turn(s, False, log)


@inlined
def _leave_hand(s: Record, seat: int, tile: int) -> None:
    remove(s, seat, tile)
    s.sizes[seat] -= 1
    if s.memory[seat, 0]:
        forget(s, seat, tile)


@inlined
def _tell_put(s: Record, seat: int, action: int, log: Log) -> None:
    event = WAS_ACROSS
    if action < PUT:
        event = STARTED
    elif action < CLOSE:
        event = WAS_PUT if seat == s.turn else INTERRUPTED
    elif action < ACROSS:
        event = WAS_CLOSED
    emit(log, event, seat, PUBLIC, WAY_OF[action], END_OF[action], 0)


@inlined
def _put(s: Record, seat: int, action: int, log: Log) -> None:
    """What follows when the player on turn has put a tile."""
    if s.owes == seat:
        s.owes = NOBODY
        emit(log, FORGOT, seat, PUBLIC, 0, 0, 0)
        _take_tiles(s, seat, FACE_PENALTY, TOOK, log)
    if s.sizes[seat] == 0 or is_fish(s):
        _end_round(s, seat, log)
        return
    effect = effect_of(action)
    if effect != NO_EFFECT:
        _happen(s, effect, log)
        if is_fish(s):
            _end_round(s, seat, log)
            return
    if may_go_on(s, action):
        s.begun = 1
        if not s.options[BLITZ]:
            s.used |= bit(END_OF[action])
        _go_on(s, log)
    else:
        if s.options[BLITZ]:
            emit(log, STOPPED, seat, PUBLIC, 0, 0, 0)
        _end_turn(s, True, log)


@inlined
def effect_of(action: int) -> int:
    """What a tile does when it is put: by what its new end shows, or because it lies across."""
    return CROSSED if action >= ACROSS else wide(EFFECT_OF[SHOWS[WAY_OF[action]]])


@inlined
def may_go_on(s: Record, action: int) -> bool:
    """Whether a turn goes on after a tile, if another one fits."""
    tile = TILE_OF[WAY_OF[action]]
    if s.options[BLITZ]:
        return action < ACROSS and not is_super_tile(tile)
    return s.options[PHONE] != 0 and action >= PUT and tile < N_DOUBLES


@inlined
def _happen(s: Record, effect: int, log: Log) -> None:
    if effect == REVERSE:
        s.direction = -s.direction
        emit(log, TURNED, s.turn, PUBLIC, s.direction < 0, 0, 0)
        return
    following = beside(s.turn, s.direction, s.players)
    _take_tiles(s, following, TAKES[effect], TOOK, log)
    s.missing[following] += 1


@rule
def _take_tiles(s: Record, seat: int, count: int, event: int, log: Log) -> None:
    """From the bazaar, or what is left of it."""
    eyes = PUBLIC if s.options[OPEN] else bit(seat)
    for _ in range(min(count, s.stock_size)):
        tile = take(s)
        give(s, seat, tile)
        s.sizes[seat] += 1
        emit(log, event, seat, eyes, tile, 0, 0)


@inlined
def _interrupt(s: Record, seat: int, log: Log) -> None:
    """What follows when a tile was put out of turn."""
    short = s.stock_size < PENALTY
    _take_tiles(s, seat, PENALTY, TOOK, log)
    if short:
        s.missing[seat] += PENALTY_TURNS
        if s.sizes[seat] > 0:
            emit(log, MISSES, seat, PUBLIC, PENALTY_TURNS, 0, 0)
    if s.sizes[seat] == 0 or is_fish(s):
        _end_round(s, seat, log)
    elif s.begun:
        _go_on(s, log)


@rule
def _go_on(s: Record, log: Log) -> None:
    """A turn that has begun ends by itself when nothing more fits."""
    if not can_go_on(s, s.turn):
        remember(s, s.turn, open_ends(s) if s.options[BLITZ] else doubles_at_open_ends(s))
        emit(log, STUCK, s.turn, PUBLIC, 0, 0, 0)
        _end_turn(s, True, log)


@inlined
def _end_turn(s: Record, has_put: bool, log: Log) -> None:
    """Players who must miss turns are passed over, and have one less to miss."""
    s.begun = s.used = 0
    ended = wide(s.turn)
    seat = beside(ended, s.direction, s.players)
    while s.missing[seat] > 0:
        s.missing[seat] -= 1
        emit(log, MISSED, seat, PUBLIC, 0, 0, 0)
        seat = beside(seat, s.direction, s.players)
    s.turn = seat
    s.owes = NOBODY
    if s.options[FACES] and has_put and s.sizes[ended] == FACE_AT and seat != ended:
        s.owes = seat
        emit(log, OWES, seat, PUBLIC, 0, 0, 0)


@rule
def _end_round(s: Record, seat: int, log: Log) -> None:
    """A player is out, or it is a fish. Then comes the next round, or the end."""
    out = s.sizes[seat] == 0
    emit(log, OUT if out else CLOSED_ALL if all_closed(s) else FISH, seat, PUBLIC, 0, 0, 0)
    for other in range(s.players):
        _show_tiles(s, other, log)
    fewest = points_of(s, seat)
    for other in range(s.players):
        points = points_of(s, other)
        fewest = min(fewest, points)
        s.scores[other] += points
        _tell_counted(s, other, points, log)
        emit(log, SCORED, other, PUBLIC, points, s.scores[other], 0)
    for other in range(s.players):
        if not out and points_of(s, other) == fewest:
            emit(log, FEWEST, other, PUBLIC, 0, 0, 0)
    if s.round_number >= s.options[ROUNDS]:
        finish(s, LOWEST_WINS)
        tell_winners(s, WON, log)
        return
    s.opener = beside(s.opener, 1, s.players)
    _deal(s)
    emit(log, DEALT, s.opener, PUBLIC, s.round_number, 0, 0)
    without = wide(s.opener)
    while without != s.turn:
        emit(log, LACKED, without, PUBLIC, 0, 0, 0)
        without = beside(without, 1, s.players)


@inlined
def _show_tiles(s: Record, seat: int, log: Log) -> None:
    if log.shape[0] > 0:
        for tile in range(N_TILES):
            if holds(s, seat, tile):
                emit(log, SHOWED, seat, PUBLIC, tile, 0, 0)


@inlined
def _tell_counted(s: Record, seat: int, points: int, log: Log) -> None:
    """Ordinary tiles, and super tiles, if there are any."""
    tiles = wide(s.sizes[seat])
    supers = (points - POINTS * tiles) // (SUPER_POINTS - POINTS)
    if tiles > supers:
        emit(log, COUNTED, seat, PUBLIC, OF_ORDINARY, tiles - supers, POINTS * (tiles - supers))
    if supers > 0:
        emit(log, COUNTED, seat, PUBLIC, OF_SUPER, supers, SUPER_POINTS * supers)


@rule
def points_of(s: Record, seat: int) -> int:
    """What the tiles of a hand count."""
    points = POINTS * wide(s.sizes[seat])
    for word in range(SET_WORDS):
        supers = s.hands[seat, word] & SUPERS[word]
        while supers:
            points += SUPER_POINTS - POINTS
            supers &= supers - 1
    return points
