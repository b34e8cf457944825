"""What a seat is shown and told, as JSON: a template, bound to one game (see `kernel.bind`).

Views are made from records that have been through `hide`; `raw` are the bytes of such a record.
Every text is written from its start. Its size is returned, FAILED if it went wrong.
"""

from __future__ import annotations

from typing import Any

from lastcard.kernel import CHANCE, NOBODY, Log, Record, rule, wide
from lastcard.kernel import telling as kernel
from lastcard.kernel.telling import (
    FAILED,
    LIST,
    LIST_END,
    MAPPING,
    MAPPING_END,
    OWN,
    Bytes,
    Text,
    differ,
    next_item,
    put,
    put_key,
    put_null,
    put_number,
    put_quoted,
    put_seats,
    same_from,
    tell_events,
)

SPLIT = 1 << 32

rules: Any = None  # the game; set by `bind`
sheet: Any = None  # its tables

EXPORTS = {
    "view": "s:record raw:uint8[record_bytes] seat:int out:text -> int",
    "changes": (
        "before:record before_raw:uint8[record_bytes] now:record now_raw:uint8[record_bytes] "
        "seat:int scratch:text out:text -> int"
    ),
    "update": (
        "raw:uint8[record_bytes] before:record before_raw:uint8[record_bytes] "
        "now:record now_raw:uint8[record_bytes] seat:int log:int32[rows,log_columns] "
        "scratch:text out:text -> int"
    ),
    "key": "s:record raw:uint8[record_bytes] number:int out:text -> int",
    "events": "log:int32[rows,log_columns] seat:int all_open:int out:text -> int",
}


@rule
def view(s: Record, raw: Bytes, seat: int, out: Text) -> int:
    """All that a seat, or a spectator (NOBODY), sees."""
    out.size = 0
    put(out, MAPPING)
    put_key(out, sheet.NAMES, sheet.GAME)
    put_quoted(out, sheet.NAMES, sheet.GAME_NAME)
    put_key(out, sheet.NAMES, sheet.PLAYERS)
    put_number(out, s.players)
    put_key(out, sheet.NAMES, sheet.SEAT)
    if seat == NOBODY:
        put_null(out)
    else:
        put_number(out, seat)
    put_key(out, sheet.NAMES, sheet.OPTIONS)
    put(out, MAPPING)
    for option in range(sheet.N_OPTIONS):
        put_key(out, sheet.NAMES, sheet.OPTION_NAMES + option)
        kernel.tell(sheet.OPTION_ROWS, option, sheet.NAMES, raw, s.players, out)
    put(out, MAPPING_END)
    put_key(out, sheet.NAMES, sheet.WAITING)
    _tell_waiting(s, out)
    put_key(out, sheet.NAMES, sheet.LEGAL)
    _tell_legal(s, seat, out)
    for number in range(sheet.N_SHOWN):
        put_key(out, sheet.NAMES, sheet.KEY_NAMES + number)
        _tell_key(s, raw, number, out)
    put(out, MAPPING_END)
    return out.size


@rule
def changes(
    before: Record,
    before_raw: Bytes,
    now: Record,
    now_raw: Bytes,
    seat: int,
    scratch: Text,
    out: Text,
) -> int:
    """What of a seat's view is other than it was before, as a mapping."""
    out.size = 0
    _put_changes(before, before_raw, now, now_raw, seat, scratch, out)
    return out.size


@rule
def _put_changes(
    before: Record,
    before_raw: Bytes,
    now: Record,
    now_raw: Bytes,
    seat: int,
    scratch: Text,
    out: Text,
) -> None:
    put(out, MAPPING)
    if rules.waiting(before) != rules.waiting(now):
        put_key(out, sheet.NAMES, sheet.WAITING)
        _tell_waiting(now, out)
    mark = out.size
    put_key(out, sheet.NAMES, sheet.LEGAL)
    start = out.size
    _tell_legal(now, seat, out)
    scratch.size = 0
    _tell_legal(before, seat, scratch)
    _keep_if_changed(out, mark, start, scratch)
    for number in range(sheet.N_SHOWN):
        first, last = sheet.PARTS[number, 0], sheet.PARTS[number, 1]
        if differ(sheet.SPANS, first, last, before_raw, now_raw):
            mark = out.size
            put_key(out, sheet.NAMES, sheet.KEY_NAMES + number)
            start = out.size
            _tell_key(now, now_raw, number, out)
            scratch.size = 0
            _tell_key(before, before_raw, number, scratch)
            _keep_if_changed(out, mark, start, scratch)
    put(out, MAPPING_END)


@rule
def update(
    raw: Bytes,
    before: Record,
    before_raw: Bytes,
    now: Record,
    now_raw: Bytes,
    seat: int,
    log: Log,
    scratch: Text,
    out: Text,
) -> int:
    """All that a seat is told of a move, in one call: its events, and right after them what has
    changed since `before`. `raw` is the true record; `now` becomes what the seat may know of it.

    Returns the size of the events, times SPLIT, plus the size of both."""
    for place in range(raw.shape[0]):
        now_raw[place] = raw[place]
    rules.hide(now, seat)
    out.size = 0
    tell_events(sheet.EVENTS, sheet.NAMES, log, seat, 0, out)
    size = wide(out.size)
    _put_changes(before, before_raw, now, now_raw, seat, scratch, out)
    if size == FAILED or out.size == FAILED:
        return FAILED
    return size * SPLIT + out.size


@rule
def _keep_if_changed(out: Text, mark: int, start: int, before: Text) -> None:
    """Takes a key back from its mark on if its value, from the start on, is what it was before."""
    if out.size == FAILED or before.size == FAILED:
        out.size = FAILED
    elif same_from(out, start, before):
        out.size = mark


@rule
def key(s: Record, raw: Bytes, number: int, out: Text) -> int:
    """The value of one key, by its number."""
    out.size = 0
    _tell_key(s, raw, number, out)
    return out.size


@rule
def events(log: Log, seat: int, all_open: int, out: Text) -> int:
    """Events as a seat, or a spectator (NOBODY), is told them; with `all_open`, without secrets."""
    out.size = 0
    tell_events(sheet.EVENTS, sheet.NAMES, log, seat, all_open, out)
    return out.size


@rule
def _tell_waiting(s: Record, out: Text) -> None:
    waited = rules.waiting(s)
    if waited == 1 << CHANCE:
        put(out, LIST)
        put_quoted(out, sheet.NAMES, sheet.CHANCE)
        put(out, LIST_END)
    else:
        put_seats(out, waited)


@rule
def _tell_legal(s: Record, seat: int, out: Text) -> None:
    """What the seat may do, if it is waited for or may act without being waited for."""
    put(out, LIST)
    if seat != NOBODY and (rules.waiting(s) | rules.bystanders(s)) >> seat & 1:
        legal = out.actions[:]  # a plain array, as others give it
        for i in range(rules.legal(s, seat, legal)):
            next_item(out)
            put_quoted(out, sheet.NAMES, sheet.ACTIONS + legal[i])
    put(out, LIST_END)


@rule
def _tell_key(s: Record, raw: Bytes, number: int, out: Text) -> None:
    if sheet.KEY_ROWS[number, kernel.OP] == OWN:
        _tell_own(s, sheet.KEY_ROWS[number, kernel.MORE], out)
    else:
        kernel.tell(sheet.KEY_ROWS, number, sheet.NAMES, raw, s.players, out)


@rule
def _tell_own(s: Record, number: int, out: Text) -> None:
    """Calls the game's own rules by number: compiled code has no other way to choose one."""
    if number == 0:
        sheet.own_0(s, out)
    elif number == 1:
        sheet.own_1(s, out)
    elif number == 2:
        sheet.own_2(s, out)
    elif number == 3:
        sheet.own_3(s, out)
    elif number == 4:
        sheet.own_4(s, out)
    elif number == 5:
        sheet.own_5(s, out)
    elif number == 6:
        sheet.own_6(s, out)
    elif number == 7:
        sheet.own_7(s, out)
    elif number == 8:
        sheet.own_8(s, out)
    elif number == 9:
        sheet.own_9(s, out)
    elif number == 10:
        sheet.own_10(s, out)
    elif number == 11:
        sheet.own_11(s, out)
    elif number == 12:
        sheet.own_12(s, out)
    elif number == 13:
        sheet.own_13(s, out)
    elif number == 14:
        sheet.own_14(s, out)
    elif number == 15:
        sheet.own_15(s, out)
