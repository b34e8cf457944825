"""A verifiable shuffle: neither the players nor the server can choose the cards.

Before the first card the server shows the hash of a secret. Every player may then add a seed. The
match's key follows from the secret and the seeds; after the last card the server shows the secret.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from lastcard.errors import BadFile

NO_SEED = "-"


class Shuffle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a match's key was made from."""

    commitment: str  # hash of the secret, shown before the first card
    secret: str  # hex digits, shown after the last card
    seeds: list[str | None]  # by seat


def new_secret() -> str:
    return secrets.token_hex(32)


@lru_cache(1024)  # everybody at a table is shown it again and again
def commitment_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def key_of(secret: str, seeds: Sequence[str | None]) -> bytes:
    lines = ["lastcard 1", secret, *(NO_SEED if seed is None else seed for seed in seeds)]
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).digest()


def check(shuffle: Shuffle, players: int, key: bytes, path: str | os.PathLike[str]) -> None:
    """Raises BadFile if the key does not follow from the secret and the seeds."""
    if len(shuffle.seeds) != players:
        raise BadFile(f"{path}: has seeds for {len(shuffle.seeds)} seats, not {players}.")
    if commitment_of(shuffle.secret) != shuffle.commitment:
        raise BadFile(f"{path}: the secret does not match the hash that was shown.")
    if key_of(shuffle.secret, shuffle.seeds) != key:
        raise BadFile(f"{path}: the key does not follow from the secret and the seeds.")
