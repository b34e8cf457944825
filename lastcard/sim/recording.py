"""Plays whole matches and writes down what happened: a template, bound to a game's rules and to how
seats decide (`kernel.bind`).

Everything about a match follows from a seed and the match's number: its key, and from the key the
generators of its seats. So it does not matter who plays it, where, or after which other one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from lastcard.kernel import (
    CHANCE,
    NOBODY,
    Log,
    Record,
    Rng,
    clear,
    copy_record,
    lowest,
    rule,
    wide,
)
from lastcard.kernel.chance import chacha8

rules: Any = None  # the game; set by `bind`
deciding: Any = None  # how seats decide; set by `bind`

SEATS = 3  # what a block of chance is for, beside shuffles, dice and positions (`kernel.chance`)
# Records: the match, what a seat sees of it, and one of zeros, which every match begins with: not a
# byte is left from the one before.
PLAYED, SEEN, BLANK = range(3)
RECORDS = 3
LOW, HALF = np.uint64(0xFFFFFFFF), np.uint64(32)

# Tables that grow row by row, and their places in `marks` and `limits`.
ROUNDS, DECISIONS, ACTIONS = range(3)
# Columns of `rounds`; the scores are followed by a count for each kind of event.
OPENER, ACTED, CHOSE, SCORES = range(4)
# Columns of `decisions`.
ROUND, SEAT, ACTION, COUNT = range(4)
# Columns of `matches`: where its rounds and decisions end, and the winners as bits.
LAST_ROUND, LAST_DECISION, WINNERS = range(3)

EXPORTS = {
    "record_matches": (
        "first:int count:int players:int options:int16[options] seed:uint32[6] dealt:int "
        "bots:int16[seats] work:Work out:Out -> int"
    ),
    "seed_seats": "s:record states:uint64[seats]",
}
STRUCTURES = {
    "Work": (
        "records:record[3] legal:int16[most_legal] log:int32[rows,log_columns] rng:uint64[1] "
        "states:uint64[seats] marks:int64[3] limits:int64[3]"
    ),
    "Out": (
        "matches:int64[played,3] rounds:int32[ended,width] decisions:int16[decided,4] "
        "actions:int16[listed] observations:float32[observing,observed] hidden:record[hiding]"
    ),
}


class Work(NamedTuple):
    """The arrays that one thread works in."""

    records: Any
    legal: Any
    log: Log
    rng: Rng  # of the seat that decides
    states: Any  # the generators of all seats
    marks: Any  # how many rows each table has
    limits: Any  # how many it may have; with no room for decisions they are not written


class Out(NamedTuple):
    """What is written."""

    matches: Any
    rounds: Any
    decisions: Any
    actions: Any  # legal ones, of all decisions in a row
    observations: Any  # of decisions; empty if they are not wanted
    hidden: Any  # records of decisions; empty if they are not wanted


@rule
def record_matches(
    first: int,
    count: int,
    players: int,
    options: Any,
    seed: Any,
    dealt: int,
    bots: Any,
    work: Work,
    out: Out,
) -> int:
    """Plays matches one after the other, from number `first` on, until there is no room for all of
    the next; returns how many have been written whole."""
    for i in range(count):
        rows, decisions, actions = work.marks[0], work.marks[1], work.marks[2]
        if not record_match(first + i, players, options, seed, dealt, bots, work, out):
            work.marks[0], work.marks[1], work.marks[2] = rows, decisions, actions
            return i
        out.matches[i, LAST_ROUND] = work.marks[ROUNDS]
        out.matches[i, LAST_DECISION] = work.marks[DECISIONS]
        out.matches[i, WINNERS] = work.records[PLAYED].winners
    return count


@rule
def record_match(
    number: int,
    players: int,
    options: Any,
    seed: Any,
    dealt: int,
    bots: Any,
    work: Work,
    out: Out,
) -> bool:
    """Plays one match to its end; whether there was room for it."""
    s, log = work.records[PLAYED], work.log
    copy_record(work.records, PLAYED, work.records[BLANK])
    set_key(s, seed, number)
    rules.new(s, players, options)
    seed_seats(s, work.states)
    round = wide(s.round_number)
    if not _open_round(s, work, out):
        return False
    while not s.over:
        seat, action = _next_action(bots, work, out)
        if action == NOBODY:
            return False
        if log.shape[0] > 0:
            log[0, 0] = 0
        rules.apply(s, seat, action, log)
        row = work.marks[ROUNDS] - 1
        events = SCORES + len(bots)
        new_deal = _count_events(log, dealt, row, events, out)
        if s.over or s.round_number != round:
            round = wide(s.round_number)
            for other in range(s.players):
                out.rounds[row, SCORES + other] = s.scores[other]
            if not s.over:
                if not _open_round(s, work, out):
                    return False
                _count_rest(log, new_deal, row + 1, events, out)
    return True


@rule
def set_key(s: Record, seed: Any, number: int) -> None:
    """The key of a match: its number, then what the seed gives."""
    s.key[0] = np.uint32(np.uint64(number) & LOW)
    s.key[1] = np.uint32(np.uint64(number) >> HALF)
    for i in range(6):
        s.key[2 + i] = seed[i]


@rule
def seed_seats(s: Record, states: Any) -> None:
    """The generators of all seats, from the key: two words of chance for each, and never zero."""
    for seat in range(len(states)):
        place = seat % 8
        if place == 0:
            chacha8(s.key, seat // 8, 0, SEATS, s.block)
        low, high = np.uint64(s.block[2 * place]), np.uint64(s.block[2 * place + 1])
        states[seat] = high << HALF | low | np.uint64(1)
    for i in range(len(s.block)):
        s.block[i] = 0


@rule
def _open_round(s: Record, work: Work, out: Out) -> bool:
    row = work.marks[ROUNDS]
    if row >= work.limits[ROUNDS]:
        return False
    work.marks[ROUNDS] += 1
    for column in range(out.rounds.shape[1]):
        out.rounds[row, column] = 0
    out.rounds[row, OPENER] = s.opener
    return True


@rule
def _next_action(bots: Any, work: Work, out: Out) -> tuple[int, int]:
    """Who acts next, and how: whoever interjects, or the first seat that is waited for. Without an
    action if there is no room to write it down."""
    s, legal = work.records[PLAYED], work.legal
    others = rules.bystanders(s)
    while others:
        seat = lowest(others)
        others &= others - 1
        n = rules.legal(s, seat, legal)
        if n > 0:
            action = _ask(bots, seat, 0, n, work)
            if not _write(seat, action, n, work, out):
                return seat, NOBODY
            if action != NOBODY:
                return seat, action
    seat = lowest(rules.waiting(s))
    n = rules.legal(s, seat, legal)
    if seat == CHANCE:
        return seat, wide(legal[rules.toss(s, n)])
    action = _ask(bots, seat, 1, n, work)
    return seat, action if _write(seat, action, n, work, out) else NOBODY


@rule
def _ask(bots: Any, seat: int, waited: int, n: int, work: Work) -> int:
    work.rng[0] = work.states[seat]
    action = deciding.decide(bots, work.records, seat, waited, work.legal, n, work.rng)
    work.states[seat] = work.rng[0]
    return action


@rule
def _write(seat: int, action: int, n: int, work: Work, out: Out) -> bool:
    """Writes a decision down; whether there was room for it."""
    marks, limits = work.marks, work.limits
    if action != NOBODY:
        row = marks[ROUNDS] - 1
        out.rounds[row, ACTED] += 1
        out.rounds[row, CHOSE] += n > 1
    if limits[DECISIONS] == 0:
        return True
    decision, place = marks[DECISIONS], marks[ACTIONS]
    if decision >= limits[DECISIONS] or place + n > limits[ACTIONS]:
        return False
    marks[DECISIONS] += 1
    marks[ACTIONS] += n
    s = work.records[PLAYED]
    out.decisions[decision, ROUND] = s.round_number
    out.decisions[decision, SEAT] = seat
    out.decisions[decision, ACTION] = action
    out.decisions[decision, COUNT] = n
    for i in range(n):
        out.actions[place + i] = work.legal[i]
    if len(out.observations) > 0:
        copy_record(work.records, SEEN, s)
        rules.hide(work.records[SEEN], seat)
        clear(out.observations[decision])
        rules.observe(work.records[SEEN], seat, out.observations[decision])
    if len(out.hidden) > 0:
        copy_record(out.hidden, decision, s)
        rules.hide(out.hidden[decision], seat)
    return True


@rule
def _count_events(log: Log, dealt: int, row: int, events: int, out: Out) -> int:
    """Counts an action's events up to the next deal; returns the row of the log where they end."""
    if log.shape[0] == 0:
        return 0
    for i in range(1, 1 + log[0, 0]):
        if log[i, 0] == dealt:
            return i
        out.rounds[row, events + log[i, 0]] += 1
    return 1 + wide(log[0, 0])


@rule
def _count_rest(log: Log, first: int, row: int, events: int, out: Out) -> None:
    """Counts events from a deal on: they belong to the new round."""
    if log.shape[0] > 0:
        for i in range(first, 1 + log[0, 0]):
            out.rounds[row, events + log[i, 0]] += 1
