"""Events: what happened in a move, for animations, logs and narration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from lastcard.kernel import CHANCE, LOG_COLUMNS, NOBODY
from lastcard.kernel.events import Event
from lastcard.kernel.telling import told
from lastcard.kernel.texts import HIDDEN

from .scratch import LOG_ROWS, scratch

if TYPE_CHECKING:
    from .game import Game


def new_log() -> Any:
    return np.zeros((LOG_ROWS, LOG_COLUMNS), np.int32)


def rows_of(log: Any) -> list[list[int]]:
    return log[1 : 1 + log[0, 0]].tolist()


def log_of(rows: Sequence[Sequence[int]]) -> Any:
    """A log of events that are given as rows."""
    log = np.zeros((1 + len(rows), LOG_COLUMNS), np.int32)
    log[0, 0] = len(rows)
    if rows:
        log[1:] = rows
    return log


def told_of(game: Game, log: Any, seat: int | None, *, all_open: bool = False) -> bytes:
    """The events of a log as JSON, with the secrets of others redacted ("?").

    For a spectator, seat None, all secrets are redacted; with `all_open`, for finished matches,
    none are.
    """
    viewer, memory = NOBODY if seat is None else seat, scratch()
    return told(memory.written, game.telling.events(log, viewer, int(all_open), memory.text))


def events_for(
    game: Game, rows: Sequence[Sequence[int]], seat: int | None, *, all_open: bool = False
) -> list[dict[str, Any]]:
    """Events as JSON-able mappings, redacted in the same way."""
    return msgspec.json.decode(told_of(game, log_of(rows), seat, all_open=all_open))


def lines_for(
    game: Game,
    rows: Sequence[Sequence[int]],
    seat: int | None,
    names: Sequence[str] | None = None,
    *,
    all_open: bool = False,
) -> list[str]:
    """Events as sentences for a reader in a seat. `names` are the names of the seats."""
    kinds = {event.kind: event for event in game.events}
    lines = []
    for entry in _gathered(kinds, events_for(game, rows, seat, all_open=all_open)):
        event = kinds[entry["kind"]]
        veiled = any(str(entry[name]).startswith(HIDDEN) for name in event.secret)
        says = event.veiled if veiled else event.says
        if entry["seat"] == seat and event.you:
            says = event.you
        told = {k: game.say(v) if isinstance(v, str) else v for k, v in entry.items()}
        if event.joins:
            count = len(entry[event.joins].split())
            told["count"] = game.say("a card" if count == 1 else f"{count} cards")
        if event.part:
            told["parts"] = ", ".join(_part(game, event, one) for one in entry["parts"])
        called = [f"Seat {n}" for n in range(CHANCE)] if names is None else names
        if "whom" in entry:
            told["whom"] = "you" if entry["whom"] == seat else called[entry["whom"]]
        if says:
            lines.append(says.format_map({**told, "seat": called[entry["seat"]]}))
    return lines


def _gathered(kinds: Mapping[str, Event], entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Merges events that are told in one sentence, such as the cards of a hand that is shown."""
    told: list[dict[str, Any]] = []
    for entry in entries:
        event = kinds[entry["kind"]]
        before = told[-1] if told else {}
        follows = (before.get("kind"), before.get("seat")) == (entry["kind"], entry["seat"])
        if follows and event.joins:
            before[event.joins] += f" {entry[event.joins]}"
        elif follows and event.part:
            before["parts"].append(entry)
        else:
            told.append({**entry, "parts": [entry]})
    return told


def _part(game: Game, event: Event, entry: Mapping[str, Any]) -> str:
    """One of several events in a sentence; `{times}` is empty for a count of 1."""
    told = {k: game.say(v) if isinstance(v, str) else v for k, v in entry.items()}
    return event.part.format_map({**told, "times": f"{n} x " if (n := entry["count"]) > 1 else ""})
