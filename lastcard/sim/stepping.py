"""Many matches, stepped from outside: a template, bound to one game's rules (see `kernel.bind`).

A step carries out one decision in every match and goes on to the next one, so that nobody outside
has to look into records. Every function works on one match, or on those from `first` to `end`:
threads share the arrays and no match, and a GPU has one thread for each.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from lastcard.kernel import (
    CHANCE,
    NOBODY,
    Log,
    Record,
    beside,
    bit,
    clear,
    copy_record,
    lowest,
    rule,
    wide,
)

rules: Any = None  # the game; set by `bind`
playouts: Any = None  # search, which knows what a match is worth between rounds; set by `bind`
policy: Any = None  # its rules of thumb; set by `bind`

MATCH, ROUND, SCORE = range(3)  # what rewards are for
STOOD = -2  # instead of the seat that has acted: nothing has happened
FOUND = -2  # instead of a seat that acts: it is known who decides
SEED_WORDS = 4  # of the key. Then come the numbers of the slot and of the match, two words each
_WORD = 0xFFFFFFFF

EXPORTS = {
    "start_matches": "first:int end:int how:Settings batch:Arrays space:Space",
    "step_matches": "first:int end:int how:Settings batch:Arrays space:Space",
    "take_up": "i:int how:Settings batch:Arrays space:Space",
    "find_illegal": (
        "deciding:int8[n] counts:int16[n] choices:int16[n,most_choices] chosen:int64[n] -> int"
    ),
    "observe_matches": (
        "first:int end:int records:record[n] viewers:int64[n] out:float32[n,observed] "
        "spare:record[1]"
    ),
    "advise_matches": (
        "first:int end:int wait:int batch:Arrays rngs:uint64[n] advice:int64[n] space:Space"
    ),
}
STRUCTURES = {
    "Settings": (
        "seed:uint32[4] options:int16[options] players:int rewarding:int through:flag wait:int "
        "restarting:flag"
    ),
    "Arrays": (
        "records:record[n] deciding:int8[n] counts:int16[n] choices:int16[n,most_choices] "
        "chosen:int64[n] waived:int16[n] rounds:int16[n] worth:float64[n,players] seats:int8[n] "
        "legal:bool[n,width] observations:float32[n,observed] rewards:float32[n,players] "
        "done:bool[n] played:int64[n] final_scores:int16[n,players] final_winners:bool[n,players] "
        "final_observations:float32[n,observed]"
    ),
    "Space": "spare:record[1] log:int32[rows,log_columns]",
}


class Settings(NamedTuple):
    """How a batch is played."""

    seed: Any
    options: Any
    players: int
    rewarding: int  # MATCH, ROUND or SCORE
    through: bool  # forced moves are played without asking
    wait: int  # the number of the action to wait, out of turn; NOBODY if only turns are asked for
    restarting: bool  # a match that is over makes way for the next one


class Arrays(NamedTuple):
    """All that is known of the matches, each in its slot. The first ones are what steps rely on,
    the others, from `seats` on, what they tell."""

    records: Any
    deciding: Any  # the seat; NOBODY if the match is over
    counts: Any  # how many actions it may choose from
    choices: Any  # their numbers
    chosen: Any  # what it does in the next step
    waived: Any  # bits of seats that were asked out of turn, and wait
    rounds: Any  # in which rewards were given last
    worth: Any  # what each seat has been rewarded for in this match
    seats: Any
    legal: Any
    observations: Any
    rewards: Any
    done: Any
    played: Any  # how many matches have come to their end
    final_scores: Any
    final_winners: Any
    final_observations: Any  # of the seats that acted last


class Space(NamedTuple):
    """What one thread works in."""

    spare: Any  # a record that is hidden, to be observed
    log: Log


@rule
def start_matches(first: int, end: int, how: Settings, batch: Arrays, space: Space) -> None:
    """Begins with the first match of each slot."""
    for i in range(first, end):
        s = batch.records[i]
        forget_results(i, how, batch)
        deal(s, i, how, batch)
        begin(s, i, how, batch)
        find_decision(s, i, NOBODY, 0, how, batch, space.log)
        tell(i, batch)
        look_again(i, batch, space)


@rule
def take_up(i: int, how: Settings, batch: Arrays, space: Space) -> None:
    """Begins with a match as its record has it."""
    s = batch.records[i]
    take_in(s, i, how, batch)
    find_decision(s, i, NOBODY, 0, how, batch, space.log)
    tell(i, batch)
    look_again(i, batch, space)


@rule
def take_in(s: Record, i: int, how: Settings, batch: Arrays) -> None:
    stand_still(i, how, batch)
    clear_choices(i, batch)
    begin(s, i, how, batch)


@rule
def forget_results(i: int, how: Settings, batch: Arrays) -> None:
    """Of the matches that this slot has had; and what was legal in the last of them."""
    stand_still(i, how, batch)
    clear_choices(i, batch)
    batch.played[i] = 0
    for seat in range(how.players):
        batch.final_scores[i, seat] = 0
        batch.final_winners[i, seat] = False


@rule
def find_illegal(deciding: Any, counts: Any, choices: Any, chosen: Any) -> int:
    """The first match whose choice is none of what its seat may choose from; NOBODY if there is
    none."""
    for i in range(len(deciding)):
        if not is_legal(i, deciding, counts, choices, chosen):
            return i
    return NOBODY


@rule
def is_legal(i: int, deciding: Any, counts: Any, choices: Any, chosen: Any) -> bool:
    """In a match that is over nobody decides, and any number will do."""
    fine = deciding[i] == NOBODY
    for k in range(counts[i]):
        if choices[i, k] == chosen[i]:
            fine = True
    return fine


@rule
def step_matches(first: int, end: int, how: Settings, batch: Arrays, space: Space) -> None:
    for i in range(first, end):
        step(i, how, batch, space)


@rule
def step(i: int, how: Settings, batch: Arrays, space: Space) -> None:
    """Carries out what was chosen in one match, and goes on to the next decision."""
    s = batch.records[i]
    acted, seat, action = chosen_action(i, how, batch)
    if acted == STOOD:
        return
    find_decision(s, i, seat, action, how, batch, space.log)
    settle(s, i, how, batch)
    if batch.done[i]:
        look(s, acted, batch.final_observations[i], space.spare)
        if how.restarting:
            deal(s, i, how, batch)
            begin(s, i, how, batch)
            find_decision(s, i, NOBODY, 0, how, batch, space.log)
    tell(i, batch)
    look_again(i, batch, space)


@rule
def chosen_action(i: int, how: Settings, batch: Arrays) -> Any:
    """Who acts, or STOOD; then what there is to carry out: whose action, NOBODY's if he waits, and
    which. With an action that is not legal a match stands still, whoever has checked that before,
    or not."""
    if not is_legal(i, batch.deciding, batch.counts, batch.choices, batch.chosen):
        stand_still(i, how, batch)
        return STOOD, NOBODY, 0
    acted, action = wide(batch.deciding[i]), wide(batch.chosen[i])
    if acted == NOBODY and not how.restarting and batch.done[i]:
        stand_still(i, how, batch)
        batch.done[i] = True
        return STOOD, NOBODY, 0
    clear_choices(i, batch)
    if acted != NOBODY and action == how.wait:
        batch.waived[i] |= bit(acted)
        return acted, NOBODY, 0
    return acted, acted, action


@rule
def settle(s: Record, i: int, how: Settings, batch: Arrays) -> None:
    """What the step has brought, when it is known who decides next."""
    _reward(s, i, how, batch)
    over = batch.deciding[i] == NOBODY
    batch.done[i] = over
    if over:
        _keep_end(s, i, batch)


@rule
def stand_still(i: int, how: Settings, batch: Arrays) -> None:
    """Nothing has happened in this step."""
    for seat in range(how.players):
        batch.rewards[i, seat] = 0.0
    batch.done[i] = False


@rule
def deal(s: Record, i: int, how: Settings, batch: Arrays) -> None:
    """The slot's next match."""
    played = wide(batch.played[i])
    for k in range(SEED_WORDS):
        s.key[k] = how.seed[k]
    s.key[SEED_WORDS] = i & _WORD
    s.key[SEED_WORDS + 1] = i >> 32
    s.key[SEED_WORDS + 2] = played & _WORD
    s.key[SEED_WORDS + 3] = played >> 32
    rules.new(s, how.players, how.options)


@rule
def begin(s: Record, i: int, how: Settings, batch: Arrays) -> None:
    """What rewards are reckoned from."""
    batch.waived[i] = 0
    batch.rounds[i] = s.round_number
    for seat in range(how.players):
        batch.worth[i, seat] = _worth(s, seat, how.rewarding)


@rule
def find_decision(
    s: Record, i: int, seat: int, action: int, how: Settings, batch: Arrays, log: Log
) -> None:
    """Carries out an action, then dice and what is forced, until somebody has to decide or the
    match is over."""
    while seat != FOUND:
        seat, action = go_on(s, i, seat, action, how, batch, log)


@rule
def go_on(s: Record, i: int, seat: int, action: int, how: Settings, batch: Arrays, log: Log) -> Any:
    """Carries out one action, unless it is NOBODY's; returns whose comes next without a choice, and
    which. It is FOUND's if somebody has to decide, or the match is over."""
    if seat != NOBODY:
        rules.apply(s, seat, action, log)
        batch.waived[i] = 0  # everybody may think again
    batch.deciding[i] = NOBODY
    batch.counts[i] = 0
    waited = rules.waiting(s)
    if waited == 0:
        return FOUND, 0
    next = lowest(waited)
    if how.wait != NOBODY:
        _ask_bystanders(s, i, next, how.wait, batch)
        if batch.counts[i] > 0:
            return FOUND, 0
    out = batch.choices[i]
    n = rules.legal(s, next, out)
    if next == CHANCE:
        return next, wide(out[rules.toss(s, n)])
    if n == 1 and how.through:
        return next, wide(out[0])
    batch.deciding[i] = next
    batch.counts[i] = n
    return FOUND, 0


@rule
def _ask_bystanders(s: Record, i: int, waited: int, wait: int, batch: Arrays) -> None:
    """Whoever may act out of turn is asked before the seat that is waited for, in playing order
    from there on: so nobody is always the first. The last choice is to wait."""
    out = batch.choices[i]
    others = rules.bystanders(s) & ~wide(batch.waived[i])
    seat = 0 if waited == CHANCE else waited
    for _ in range(s.players if others else 0):
        seat = beside(seat, 1, s.players)
        n = rules.legal(s, seat, out) if others >> seat & 1 else 0
        if n > 0:
            out[n] = wait
            batch.deciding[i] = seat
            batch.counts[i] = n + 1
            return


@rule
def _reward(s: Record, i: int, how: Settings, batch: Arrays) -> None:
    """What has changed for each seat since it was rewarded last. Nothing does within a round, but
    for scores."""
    same = batch.rounds[i] == s.round_number and not s.over
    for seat in range(how.players):
        batch.rewards[i, seat] = 0.0
        if how.rewarding == SCORE or not same:
            worth = _worth(s, seat, how.rewarding)
            batch.rewards[i, seat] = worth - batch.worth[i, seat]
            batch.worth[i, seat] = worth
    batch.rounds[i] = s.round_number


@rule
def _worth(s: Record, seat: int, rewarding: int) -> float:
    """What rewards add up to: the more the better, also where the fewest points win."""
    if rewarding == SCORE:
        points = wide(s.scores[seat])
        return float(-points if rules.LOWEST_WINS else points)
    if rewarding == MATCH and not s.over:
        return 0.0
    return playouts.worth(s, seat)


@rule
def _keep_end(s: Record, i: int, batch: Arrays) -> None:
    batch.played[i] += 1
    for seat in range(s.players):
        batch.final_scores[i, seat] = s.scores[seat]
        batch.final_winners[i, seat] = s.winners >> seat & 1 != 0


@rule
def clear_choices(i: int, batch: Arrays) -> None:
    """Takes back what was legal: quicker than to clear a whole row."""
    for k in range(batch.counts[i]):
        batch.legal[i, batch.choices[i, k]] = False


@rule
def tell(i: int, batch: Arrays) -> None:
    """Who decides, and what is legal."""
    batch.seats[i] = batch.deciding[i]
    for k in range(batch.counts[i]):
        batch.legal[i, batch.choices[i, k]] = True


@rule
def look_again(i: int, batch: Arrays, space: Space) -> None:
    """What the seat sees that decides."""
    look(batch.records[i], wide(batch.seats[i]), batch.observations[i], space.spare)


@rule
def observe_matches(first: int, end: int, records: Any, viewers: Any, out: Any, spare: Any) -> None:
    for i in range(first, end):
        look(records[i], wide(viewers[i]), out[i], spare)


@rule
def advise_matches(
    first: int, end: int, wait: int, batch: Arrays, rngs: Any, advice: Any, space: Space
) -> None:
    """What the game's policy would do, for those who decide; 0 in a match that is over."""
    for i in range(first, end):
        seat, n = wide(batch.deciding[i]), wide(batch.counts[i])
        advice[i] = 0
        if seat != NOBODY:
            copy_record(space.spare, 0, batch.records[i])
            s = space.spare[0]
            rules.hide(s, seat)
            if batch.choices[i, n - 1] == wait:
                n -= 1
            action = wide(policy.choose(s, seat, batch.choices[i], n, rngs[i : i + 1]))
            advice[i] = wait if action == NOBODY else action


@rule
def look(s: Record, seat: int, out: Any, spare: Any) -> None:
    """What a seat, or a spectator, may see as numbers."""
    copy_record(spare, 0, s)
    rules.hide(spare[0], seat)
    clear(out)
    rules.observe(spare[0], seat, out)
