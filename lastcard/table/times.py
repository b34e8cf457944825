"""How long things take at a table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Times:
    """All in seconds."""

    pace: float = 0.8  # before a bot moves, so that people can follow
    patience: float = 2.0  # the same, where people may want to act out of turn or to undo
    hurry: float = 0.2  # the same, when every person is just waiting
    linger: float = 60.0  # before an idle table leaves memory
    sweep: float = 10.0  # between checks for idle tables
    others: float = 3.0  # before a process takes over another one's turn
    heartbeat: float = 5.0  # between messages to other processes about who is connected here
    silence: float = 16.0  # without a heartbeat before a process counts as dead
    look: float = 5.0  # between checks of the journal for entries that were not announced
