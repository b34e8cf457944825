"""Entries of a journal."""

from __future__ import annotations

from lastcard.table import entries
from lastcard.table.entries import Agreed, Entry, Filled, Left, Moved, Resumed, Seeded, Undone


def test_entries_are_read_as_they_were_written() -> None:
    for entry in (
        entries.Joined(0, "Ann", "ff", "x"),
        entries.Joined(0, "Ann", "ff", None, "she"),
        entries.Left(1),
        entries.Returned(1),
        Filled("easy"),
        entries.Seeded(0, "x"),
        Moved("chance", "roll 1", by="chance"),
        Moved(1, "draw", "id"),
        entries.Undone(1),
        entries.Agreed(1, True, "x"),
        entries.Resumed(0),
    ):
        assert entries.decode(entries.encode(entry)) == entry


def test_a_journal_from_before_pronouns_is_read() -> None:
    line = b'{"is":"joined","seat":0,"name":"Ann","token":"ff","seed":"x"}'
    entry = entries.decode(line)
    assert entry == entries.Joined(0, "Ann", "ff", "x", None)
    assert entries.encode(entry) == line


def test_steps_are_known_by_how_they_begin() -> None:
    steps: list[Entry] = [Moved(0, "draw"), Moved("chance", "roll", by="chance"), Undone(1)]
    others: list[Entry] = [Agreed(0, True), Resumed(0), Left(0), Seeded(0, '{"is":"moved"')]
    assert all(entries.encode(entry).startswith(entries.STEP_STARTS) for entry in steps)
    assert not any(entries.encode(entry).startswith(entries.STEP_STARTS) for entry in others)
