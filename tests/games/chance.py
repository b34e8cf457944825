"""Slow twin of chance: ChaCha8 on plain integers, and the picks and shuffles drawn from it."""

from collections.abc import Iterator
from math import prod
from typing import TypeVar

Item = TypeVar("Item")

WORD = 2**32
KEY_BYTES = 32
CONSTANTS = b"expand 32-byte k"
DOUBLE_ROUNDS = 4

COLUMNS = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)]
DIAGONALS = [(0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)]

# The high word of the nonce keeps shuffles and dice of the same round apart.
SHUFFLES = 0
DICE = 1

# Rounds are numbered from 1, so nonce 0 is free for what is drawn once per match.
BEFORE_THE_FIRST_ROUND = 0


def key_from_number(seed: int) -> bytes:
    """The key for a seed that is a number: a little-endian 256-bit integer."""
    return seed.to_bytes(KEY_BYTES, "little")


def words_of(data: bytes) -> list[int]:
    """The bytes as little-endian 32-bit words."""
    return [int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data), 4)]


def rotate_left(word: int, bits: int) -> int:
    return (word << bits) % WORD | word >> (32 - bits)


def quarter_round(state: list[int], a: int, b: int, c: int, d: int) -> None:
    """RFC 8439, section 2.1: add, XOR and rotate, four times."""
    for x, y, z, bits in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)]:
        state[x] = (state[x] + state[y]) % WORD
        state[z] = rotate_left(state[z] ^ state[x], bits)


def block(key: bytes, counter: int, nonce: int, high: int = SHUFFLES) -> list[int]:
    """The sixteen words of one ChaCha8 block."""
    assert len(key) == KEY_BYTES
    start = words_of(CONSTANTS) + words_of(key)
    start += [counter % WORD, counter // WORD, nonce, high]
    state = list(start)
    for _ in range(DOUBLE_ROUNDS):
        for a, b, c, d in COLUMNS + DIAGONALS:
            quarter_round(state, a, b, c, d)
    return [(mixed + word) % WORD for mixed, word in zip(state, start, strict=True)]


def below(n: int, words: Iterator[int]) -> int:
    """A number from 0 to n - 1, all equally likely: words that would favour some are skipped."""
    while True:
        product = next(words) * n
        if product % WORD >= WORD % n:
            return product // WORD


class Chance:
    """The picks and shuffles of one round, and the counter of the blocks they have used."""

    def __init__(self, key: bytes, nonce: int, counter: int = 0, high: int = SHUFFLES) -> None:
        self.key = key
        self.nonce = nonce
        self.counter = counter
        self.high = high

    def fresh_words(self) -> Iterator[int]:
        """Words from the next unused block on.

        A block is counted when its first word is asked for. So a run that asks for nothing
        uses no block, and what a run leaves of its last block is lost.
        """
        while True:
            words = block(self.key, self.counter, self.nonce, self.high)
            self.counter += 1
            yield from words

    def pick(self, n: int) -> int:
        """A number from 0 to n - 1, from a fresh block."""
        return below(n, self.fresh_words())

    def shuffle(self, items: list[Item]) -> None:
        """Fisher-Yates from the end of the list, four places for each number drawn.

        Places i, i-1, i-2, i-3 take what lies at numbers below i+1, i, i-1, i-2. These four are
        the digits of one number below (i+1) * i * (i-1) * (i-2), the first the most significant.
        """
        words = self.fresh_words()
        for i in range(len(items) - 1, 0, -4):
            places = range(i, max(i - 4, -1), -1)
            number = below(prod(place + 1 for place in places), words)
            digits: list[int] = []
            for place in reversed(places):
                number, digit = divmod(number, place + 1)
                digits.insert(0, digit)
            for place, j in zip(places, digits, strict=True):
                items[place], items[j] = items[j], items[place]
