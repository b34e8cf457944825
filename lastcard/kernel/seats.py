"""Seats, and sets of seats or cards as bits."""

from __future__ import annotations

from .compiling import Record, instruction, rule

NOBODY = -1  # no seat; as an observer: a spectator
CHANCE = 15  # the pseudo-seat that rolls dice; seats are 0 to 14


@rule("int64(int64)")
def bit(seat: int) -> int:
    """One seat as a set of seats."""
    return 1 << seat


@rule("int64(int64)")
def everybody(players: int) -> int:
    """All seats as a set."""
    return bit(players) - 1


@instruction("cttz")
def lowest(set: int) -> int:
    """The first of a set that is not empty: the place of its lowest bit."""
    return (int(set) & -int(set)).bit_length() - 1


@rule
def nobody(s: Record) -> int:
    """The `bystanders` of a game in which nobody acts out of turn."""
    return 0


@instruction("ctpop")
def popcount(set: int) -> int:
    """How many bits of a set are 1."""
    return (int(set) & 0xFFFFFFFFFFFFFFFF).bit_count()


@rule("int64(int64, int64, int64)")
def beside(seat: int, direction: int, players: int) -> int:
    """The next seat: clockwise with direction 1, counter-clockwise with -1."""
    seat += direction
    if seat == players:
        return 0
    return seat if seat >= 0 else players - 1
