"""What was recorded as Arrow tables, made of the arrays' own memory where that is possible."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa

from .limits import Limit, limit_of
from .plans import DECISION, MATCH, Plan
from .recorded import Recorded, Recorder
from .recording import (
    ACTED,
    ACTION,
    CHOSE,
    COUNT,
    LAST_DECISION,
    LAST_ROUND,
    OPENER,
    ROUND,
    SCORES,
    SEAT,
    WINNERS,
)

METADATA = b"lastcard"  # the plan, in the metadata of tables and files
PART = b"lastcard-part"  # which matches a file holds, and how many the limit of rounds has ended
EVENT = "event_"  # before the kind of event that a column counts


@lru_cache
def schema_of(plan: Plan) -> pa.Schema:
    """The columns, with the plan in the metadata. Every part needs them, and to make them reads all
    sources, for their fingerprint."""
    seats = plan.players
    scores = pa.list_(pa.int16(), seats)
    match = [("match", pa.int64())]
    counts = [("decisions", pa.int32()), ("choices", pa.int32())]
    names = [("seats", pa.list_(pa.string(), seats))]
    events = [(EVENT + event.kind, pa.int32()) for event in plan.rules.events]
    winners = [("winners", pa.list_(pa.int8()))]
    opener = [("opener", pa.int8())]
    if plan.rows == MATCH:
        lengths = [("rounds", pa.int16()), *counts]
        columns = [*match, *names, *opener, *lengths, ("scores", scores), *winners, *events]
    elif plan.rows == DECISION:
        columns = [*match, *_decision_columns(plan)]
    else:
        points = [("points", scores), ("scores", scores)]
        columns = [*match, ("round", pa.int16()), *names, *opener, *counts, *points, *winners]
        columns += events
    return pa.schema(columns, {METADATA: plan.text().encode()})


def _decision_columns(plan: Plan) -> list[tuple[str, pa.DataType]]:
    rules = plan.rules.rules
    if plan.hidden:
        seen = ("hidden", pa.binary(rules.RECORD.itemsize))
    else:
        seen = ("observation", pa.list_(pa.float32(), len(rules.OBSERVED)))
    return [
        ("decision", pa.int32()),
        ("round", pa.int16()),
        ("seat", pa.int8()),
        seen,
        ("legal", pa.list_(pa.int16())),
        ("action", pa.int16()),
        ("share", pa.float32()),
        ("score", pa.int16()),
        ("points", pa.int16()),
    ]


def table_of(plan: Plan, recorder: Recorder, part: int) -> pa.Table:
    """Plays a part of a plan."""
    schema = schema_of(plan)
    make = _match_rows if plan.rows == MATCH else _round_rows
    make = _decision_rows if plan.rows == DECISION else make
    limit = limit_of(plan.rules, dict(plan.options))
    batches, capped = [], 0
    for one in recorder.play(plan.numbers(part)):
        columns = zip(schema, make(plan, one), strict=True)
        arrays = [_column(field.type, column) for field, column in columns]
        batches.append(pa.RecordBatch.from_arrays(arrays, schema=schema))
        capped += _capped(plan, one, limit) if limit else 0
    table = pa.Table.from_batches(batches, schema).combine_chunks()
    numbers = plan.numbers(part)
    facts = {"first": numbers.start, "last": numbers.stop - 1, "capped": capped}
    return table.replace_schema_metadata(
        {METADATA: schema.metadata[METADATA], PART: json.dumps(facts).encode()}
    )


def _capped(plan: Plan, one: Recorded, limit: Limit) -> int:
    """How many matches only the limit of rounds has ended."""
    ends = one.matches[:, LAST_ROUND]
    final = one.rounds[ends - 1, SCORES : SCORES + plan.players]
    return int(limit.reached(np.diff(ends, prepend=0), final).sum())


def _column(type: pa.DataType, values: Any) -> pa.Array:
    """Values as an Arrow array: fixed lists are given as rows of a table."""
    if isinstance(values, pa.Array):
        return values
    if pa.types.is_fixed_size_list(type):
        flat = np.ascontiguousarray(values, type.value_type.to_pandas_dtype()).reshape(-1)
        return pa.FixedSizeListArray.from_arrays(pa.array(flat), type=type)
    return pa.array(np.ascontiguousarray(values, type.to_pandas_dtype()))


def _match_rows(plan: Plan, one: Recorded) -> list[Any]:
    players, ends = plan.players, one.matches[:, LAST_ROUND]
    starts = np.r_[0, ends[:-1]]
    sums = _sums(one.rounds, ends)
    last = one.rounds[ends - 1]
    return [
        one.first + np.arange(len(ends)),
        _names(plan, len(ends)),
        one.rounds[starts, OPENER],
        ends - starts,
        sums[:, ACTED],
        sums[:, CHOSE],
        last[:, SCORES : SCORES + players],
        _seats(one.matches[:, WINNERS, None] >> np.arange(players) & 1 == 1),
        *sums[:, SCORES + players :].T,
    ]


def _sums(rounds: Any, ends: Any) -> Any:
    """Of each match's rounds. NumPy's `reduceat` takes twice as long, and keeps other threads from
    running meanwhile."""
    so_far = np.cumsum(np.ascontiguousarray(rounds.T), axis=1, dtype=np.int64)
    return np.diff(so_far[:, ends - 1], axis=1, prepend=0).T


def _round_rows(plan: Plan, one: Recorded) -> list[Any]:
    players, rounds = plan.players, one.rounds
    match, number = _places(one)
    points = _points(plan, one)
    best = points.min(axis=1) if plan.rules.rules.LOWEST_WINS else points.max(axis=1)
    return [
        one.first + match,
        number + 1,
        _names(plan, len(rounds)),
        rounds[:, OPENER],
        rounds[:, ACTED],
        rounds[:, CHOSE],
        points,
        rounds[:, SCORES : SCORES + players],
        _seats(points == best[:, None]),
        *rounds[:, SCORES + players :].T,
    ]


def _decision_rows(plan: Plan, one: Recorded) -> list[Any]:
    decisions, matches = one.decisions, one.matches
    each = np.diff(matches[:, LAST_DECISION], prepend=0)
    match = np.repeat(np.arange(len(matches)), each)
    number = np.arange(len(decisions)) - np.repeat(matches[:, LAST_DECISION] - each, each)
    seat, action = decisions[:, SEAT].astype(np.int64), decisions[:, ACTION]
    scores = one.rounds[:, SCORES : SCORES + plan.players]
    starts = np.r_[0, matches[:-1, LAST_ROUND]]
    won = matches[:, WINNERS, None] >> np.arange(plan.players) & 1
    share = won / won.sum(axis=1, keepdims=True)
    return [
        one.first + match,
        number,
        decisions[:, ROUND],
        seat,
        _seen(one),
        _lists(decisions[:, COUNT], one.actions),
        pa.array(action.copy(), mask=action < 0),
        share[match, seat],
        scores[matches[match, LAST_ROUND] - 1, seat],
        _points(plan, one)[starts[match] + decisions[:, ROUND] - 1, seat],
    ]


def _seen(one: Recorded) -> Any:
    """Observations, or hidden records as bytes."""
    if not len(one.hidden):
        return one.observations
    data = pa.py_buffer(one.hidden.view(np.uint8))
    kind = pa.binary(one.hidden.dtype.itemsize)
    return pa.Array.from_buffers(kind, len(one.hidden), [None, data])


def _places(one: Recorded) -> tuple[Any, Any]:
    """The match that each round belongs to, and its number there."""
    each = np.diff(one.matches[:, LAST_ROUND], prepend=0)
    match = np.repeat(np.arange(len(each)), each)
    starts = one.matches[:, LAST_ROUND] - each
    return match, np.arange(len(one.rounds)) - starts[match]


def _points(plan: Plan, one: Recorded) -> Any:
    """What each round added to the scores."""
    scores = one.rounds[:, SCORES : SCORES + plan.players]
    points = np.diff(scores, axis=0, prepend=0)
    starts = np.r_[0, one.matches[:-1, LAST_ROUND]]
    points[starts] = scores[starts]
    return points


def _names(plan: Plan, rows: int) -> pa.Array:
    """The bots by seat, in every row."""
    numbers = np.tile(np.arange(plan.players, dtype=np.int8), rows)
    names = pa.DictionaryArray.from_arrays(numbers, list(plan.bots)).cast(pa.string())
    return pa.FixedSizeListArray.from_arrays(names, plan.players)


def _seats(chosen: Any) -> pa.Array:
    """Lists of the seats that are chosen in each row."""
    return _lists(chosen.sum(axis=1), np.nonzero(chosen)[1].astype(np.int8))


def _lists(counts: Any, values: Any) -> pa.Array:
    ends = np.cumsum(counts, dtype=np.int32)
    return pa.ListArray.from_arrays(np.r_[np.int32(0), ends], pa.array(values))
