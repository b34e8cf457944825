"""A shuffle that can be checked: nobody who is at the table, nor who runs it, chooses the cards.

Before the first card the hash of a secret is shown. Everybody may then add a seed of their own. The
match's key follows from the secret and the seeds; after the last card the secret is shown.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Sequence

import msgspec

from lastcard.errors import BadFile

NO_SEED = "-"


class Shuffle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a match's key was made from."""

    commitment: str  # shown before the first card
    secret: str  # hex digits, shown after the last
    seeds: list[str | None]  # of every seat


def new_secret() -> str:
    return secrets.token_hex(32)


def commitment_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def key_of(secret: str, seeds: Sequence[str | None]) -> bytes:
    lines = ["lastcard 1", secret, *(NO_SEED if seed is None else seed for seed in seeds)]
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).digest()


def check(shuffle: Shuffle, players: int, key: bytes, path: str | os.PathLike[str]) -> None:
    """BadFile with a sentence if the key was not made as it should be."""
    if len(shuffle.seeds) != players:
        raise BadFile(f"{path}: has seeds for {len(shuffle.seeds)} seats of {players}.")
    if commitment_of(shuffle.secret) != shuffle.commitment:
        raise BadFile(f"{path}: the secret is not the one whose hash it says was shown.")
    if key_of(shuffle.secret, shuffle.seeds) != key:
        raise BadFile(f"{path}: the key does not follow from the secret and the seeds.")
