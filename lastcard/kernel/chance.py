"""Chance: shuffles and dice from the match's key, and a small generator for rollouts."""

from __future__ import annotations

from typing import Any

import numpy as np

from .compiling import Record, Rng, rule
from .records import BLOCK_WORDS
from .seats import NOBODY

# --- ChaCha8, keyed by the match -----------------------------------------------------------------
#
# Block: RFC 8439's quarter round, 8 rounds, 256-bit key, 64-bit counter, 64-bit nonce. The nonce
# is the round's number (low word) and what the block is for (high word). Every shuffle and every
# pick begins with a fresh block and discards the rest of its last one, so that between actions
# the counter is all the state there is.

SHUFFLES = 0
DICE = 1
POSITIONS = 2
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_TWO_32 = np.uint64(1 << 32)


@rule("uint32(uint32, uint32)")
def _add(a: Any, b: Any) -> Any:
    return np.uint32((np.uint64(a) + np.uint64(b)) & _LOW)


@rule("uint32(uint32, int64)")
def _rotate(a: Any, left: int) -> Any:
    wide = np.uint64(a)
    return np.uint32(((wide << np.uint64(left)) | (wide >> np.uint64(32 - left))) & _LOW)


@rule
def _quarter(a: Any, b: Any, c: Any, d: Any) -> tuple[Any, Any, Any, Any]:
    a = _add(a, b)
    d = _rotate(d ^ a, 16)
    c = _add(c, d)
    b = _rotate(b ^ c, 12)
    a = _add(a, b)
    d = _rotate(d ^ a, 8)
    c = _add(c, d)
    b = _rotate(b ^ c, 7)
    return a, b, c, d


@rule
def chacha8(key: Any, counter: int, nonce: int, purpose: int, out: Any) -> None:
    """Writes one block of 16 words to `out`."""
    i0, i1, i2, i3 = (
        np.uint32(0x61707865),
        np.uint32(0x3320646E),
        np.uint32(0x79622D32),
        np.uint32(0x6B206574),
    )
    i12 = np.uint32(np.uint64(counter) & _LOW)
    i13 = np.uint32(np.uint64(counter) >> np.uint64(32))
    i14, i15 = np.uint32(nonce), np.uint32(purpose)
    x0, x1, x2, x3 = i0, i1, i2, i3
    x4, x5, x6, x7 = key[0], key[1], key[2], key[3]
    x8, x9, x10, x11 = key[4], key[5], key[6], key[7]
    x12, x13, x14, x15 = i12, i13, i14, i15
    for _ in range(4):
        x0, x4, x8, x12 = _quarter(x0, x4, x8, x12)
        x1, x5, x9, x13 = _quarter(x1, x5, x9, x13)
        x2, x6, x10, x14 = _quarter(x2, x6, x10, x14)
        x3, x7, x11, x15 = _quarter(x3, x7, x11, x15)
        x0, x5, x10, x15 = _quarter(x0, x5, x10, x15)
        x1, x6, x11, x12 = _quarter(x1, x6, x11, x12)
        x2, x7, x8, x13 = _quarter(x2, x7, x8, x13)
        x3, x4, x9, x14 = _quarter(x3, x4, x9, x14)
    out[0], out[1], out[2], out[3] = _add(x0, i0), _add(x1, i1), _add(x2, i2), _add(x3, i3)
    out[4], out[5] = _add(x4, key[0]), _add(x5, key[1])
    out[6], out[7] = _add(x6, key[2]), _add(x7, key[3])
    out[8], out[9] = _add(x8, key[4]), _add(x9, key[5])
    out[10], out[11] = _add(x10, key[6]), _add(x11, key[7])
    out[12], out[13] = _add(x12, i12), _add(x13, i13)
    out[14], out[15] = _add(x14, i14), _add(x15, i15)


@rule
def _next_block(s: Record, purpose: int) -> None:
    chacha8(s.key, s.counter, s.round_number, purpose, s.block)
    s.counter += 1


@rule
def _wipe_block(s: Record) -> None:
    for i in range(BLOCK_WORDS):
        s.block[i] = 0


@rule("boolean(uint64, uint64)")
def _fair(low: Any, n: Any) -> bool:
    """Whether a word may be used: the few that would favour small numbers are passed over.

    For a word w, `low` is w * n mod 2**32. The second test is the exact one; the first spares
    its division nearly always.
    """
    return low >= n or low >= _TWO_32 % n


@rule
def _below(s: Record, n: int, purpose: int) -> int:
    """A number below n: the upper half of word * n, from the first word that is fair."""
    while True:
        _next_block(s, purpose)
        for i in range(BLOCK_WORDS):
            product = np.uint64(s.block[i]) * np.uint64(n)
            if _fair(product & _LOW, np.uint64(n)):
                _wipe_block(s)
                return np.int64(product >> _HALF)  # type: ignore[return-value]


@rule
def shuffle(s: Record, cards: Any, n: int) -> None:
    """Shuffles the first n cards of an array with this round's chance."""
    _shuffle(s, cards, n, SHUFFLES)


@rule
def shuffle_rest(s: Record, cards: Any, n: int) -> None:
    """Shuffles cards that a position leaves open, without touching the round's chance."""
    counter = s.counter
    _shuffle(s, cards, n, POSITIONS)
    s.counter = counter


@rule
def _shuffle(s: Record, cards: Any, n: int, purpose: int) -> None:
    """From the last place to the first (Fisher-Yates).

    One word is fair for four places at once: the number below a * b * c * d that it gives has
    four digits, one below each. (With MOST_CARDS that product is far below 2**32, as it must be.)
    """
    left = n - 1  # the place to be filled next; place 0 fills itself
    while left > 0:
        _next_block(s, purpose)
        word = 0
        while word < BLOCK_WORDS and left > 0:
            a = np.uint64(left + 1)
            b = np.uint64(max(left, 1))
            c = np.uint64(max(left - 1, 1))
            d = np.uint64(max(left - 2, 1))
            first = np.uint64(s.block[word]) * a
            second = (first & _LOW) * b
            third = (second & _LOW) * c
            fourth = (third & _LOW) * d
            word += 1
            if _fair(fourth & _LOW, a * b * c * d):
                _swap(cards, left, first >> _HALF)
                _swap(cards, max(left - 1, 0), second >> _HALF)
                _swap(cards, max(left - 2, 0), third >> _HALF)
                _swap(cards, max(left - 3, 0), fourth >> _HALF)
                left -= 4
    _wipe_block(s)


@rule
def _swap(cards: Any, i: int, j: Any) -> None:
    kept = cards[i]
    cards[i] = cards[j]
    cards[j] = kept


@rule
def pick(s: Record, n: int) -> int:
    """A number below n from this round's chance."""
    return _below(s, n, SHUFFLES)


@rule
def toss(s: Record, n: int) -> int:
    """A number below n for the seat `chance`, from the key; leaves the record unchanged.

    Dice are actions like any other: only carrying one out may change the record.
    """
    counter = s.counter
    number = _below(s, n, DICE)
    s.counter = counter
    return number


@rule
def pick_opener(s: Record, wish: int) -> int:
    """Who opens the first round: the seat the option says, or one drawn from the key as round 0."""
    if wish != NOBODY:
        return wish
    return pick(s, np.int64(s.players))  # type: ignore[arg-type]


@rule
def next_round(s: Record) -> None:
    """Each round has its own chance."""
    s.round_number += 1
    s.counter = 0


@rule
def hide_chance(s: Record) -> None:
    for i in range(8):
        s.key[i] = 0
    s.counter = 0


@rule
def guess_chance(s: Record, rng: Rng) -> None:
    """Gives a hidden record a key of its own, so that a guessed match can go on."""
    for i in range(8):
        s.key[i] = np.uint32(random(rng))


# --- The small generator for rollouts and guesses, outside the record ----------------------------


@rule("uint64(uint64[::1])")
def random(rng: Rng) -> int:
    """The next 32 bits (xorshift64, upper half)."""
    x = rng[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    rng[0] = x
    return x >> np.uint64(32)


@rule("int64(uint64[::1], int64)")
def random_below(rng: Rng, n: int) -> int:
    """A number below n; the bias of less than n / 2**32 does not matter to a rollout."""
    return np.int64((random(rng) * np.uint64(n)) >> np.uint64(32))  # type: ignore[return-value]


@rule
def random_shuffle(rng: Rng, cards: Any, n: int) -> None:
    for i in range(n - 1, 0, -1):
        j = random_below(rng, i + 1)
        cards[i], cards[j] = cards[j], cards[i]
