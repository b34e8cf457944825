"""Chance, records and the compiler's cache: what all games stand on."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from lastcard.engine import JIT
from lastcard.games.chiko import components as chiko
from lastcard.kernel import (
    beside,
    bit,
    chance,
    deal_out,
    deal_record,
    everybody,
    list_card,
    list_place,
    lowest,
    pick,
    random_below,
    record,
    rule,
    shuffle,
    shuffle_order,
    toss,
)
from lastcard.kernel.chance import chacha8
from lastcard.kernel.dealing import MOST_PLACES
from tests.games import chance as naive
from tests.helpers import WAY


def times(often: int, seldom: int) -> int:
    """How often to try: the kernel's own functions are compiled by the JIT only."""
    return often if WAY == JIT else seldom


# ChaCha8 with a 256-bit key, from draft-strombergson-chacha-test-vectors: TC1, TC2, TC3 (64-bit
# IV, counter 0), the key stream's first two blocks where they are given.
VECTORS = [
    (
        "00" * 32,
        "00" * 8,
        "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e"
        "984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42",
    ),
    (
        "01" + "00" * 31,
        "00" * 8,
        "cf5ee9a0494aa9613e05d5ed725b804b12f4a465ee635acc3a311de8740489ea"
        "289d04f43c7518db56eb4433e498a1238cd8464d3763ddbb9222ee3bd8fae3c8",
    ),
    (
        "00" * 32,
        "01" + "00" * 7,
        "2b8f4bb3798306ca5130d47c4f8d4ed13aa0edccc1be6942090faeeca0d7599b"
        "7ff0fe616bb25aa0153ad6fdc88b954903c22426d478b97b22b8f9b1db00cf06",
    ),
]


def blank(key: bytes = bytes(32)) -> Any:
    array = np.zeros(1, chiko.RECORD)
    array[0].key[:] = np.frombuffer(key, "<u4")
    return array[0]


@pytest.mark.parametrize(("key", "nonce", "stream"), VECTORS)
def test_published_vectors(key: str, nonce: str, stream: str) -> None:
    out = np.zeros(16, np.uint32)
    low, high = (int(word) for word in np.frombuffer(bytes.fromhex(nonce), "<u4"))
    chacha8(np.frombuffer(bytes.fromhex(key), "<u4").copy(), 0, low, high, out)
    assert out.astype("<u4").tobytes().hex() == stream


def test_blocks_are_those_of_the_slow_twin() -> None:
    rng = np.random.default_rng(0)
    for counter in (0, 1, 2**32 - 1, 2**32, 2**40 + 5):
        key = rng.bytes(32)
        out = np.zeros(16, np.uint32)
        chacha8(np.frombuffer(key, "<u4").copy(), counter, 7, 1, out)
        assert out.tolist() == naive.block(key, counter, 7, 1)


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 5, 6, 17, 50, 64, 65, 66, 112, 128])
def test_shuffles_are_those_of_the_slow_twin(size: int) -> None:
    for seed in range(times(50, 5)):
        key = naive.key_from_number(seed)
        s = blank(key)
        s.round_number = 3
        cards = np.arange(size, dtype=np.int16)
        shuffle(s, cards, size)
        slow, expected = naive.Chance(key, 3), list(range(size))
        slow.shuffle(expected)
        assert cards.tolist() == expected
        assert s.counter == slow.counter
        assert not s.block.any()


def test_picks_are_those_of_the_slow_twin() -> None:
    s = blank()
    slow = naive.Chance(bytes(32), 0)
    for n in [1, 2, 3, 5, 50, 2**31, 2**32 - 1] * 20:
        assert pick(s, n) == slow.pick(n)
        assert s.counter == slow.counter


def test_unfair_words_are_passed_over() -> None:
    """For 3 places words 0 is unfair: 2**32 = 3 * 1431655765 + 1. The slow twin knows, too."""
    assert naive.below(3, iter([0, 5])) == 0
    low = np.uint64(0)
    assert not chance._fair(low, np.uint64(3))
    assert chance._fair(np.uint64(1), np.uint64(3))
    assert chance._fair(low, np.uint64(4))
    n = 3 * 2**30  # a quarter of all words are unfair
    s = blank()
    slow = naive.Chance(bytes(32), 0)
    drawn = [int(pick(s, n)) for _ in range(200)]
    assert drawn == [slow.pick(n) for _ in range(200)]


def test_all_orders_are_equally_likely() -> None:
    """Chi-squared over all 120 orders of five cards: one word for four places is fair."""
    s = blank(b"\x05" * 32)
    counts: Counter[tuple[int, ...]] = Counter()
    rounds = times(60_000, 2_400)
    for _ in range(rounds):
        cards = np.arange(5, dtype=np.int16)
        shuffle(s, cards, 5)
        counts[tuple(cards.tolist())] += 1
    expected = rounds / 120
    chi = sum((counts[order] - expected) ** 2 / expected for order in permutations(range(5)))
    assert 70 < chi < 185  # 119 degrees of freedom: outside once in 10,000 keys; this key is fixed


def test_dice_leave_the_record_as_it_was() -> None:
    s = blank()
    before = s.tobytes()
    assert len({int(toss(s, 36)) for _ in range(5)}) == 1
    assert s.tobytes() == before
    seen = set()
    for number in range(1, 60):
        s.round_number = number
        seen.add(int(toss(s, 6)))
    assert seen == set(range(6))


def test_the_small_generator_reaches_everything() -> None:
    rng = np.array([1], np.uint64)
    counts = Counter(int(random_below(rng, 7)) for _ in range(7000))
    assert set(counts) == set(range(7))
    assert min(counts.values()) > 800


def test_seats() -> None:
    assert [beside(seat, 1, 3) for seat in range(3)] == [1, 2, 0]
    assert [beside(seat, -1, 3) for seat in range(3)] == [2, 0, 1]
    assert [bit(seat) for seat in range(4)] == [1, 2, 4, 8]
    assert everybody(3) == 0b111
    assert [lowest(seats) for seats in (1, 0b110, 0b1000)] == [0, 1, 3]


def test_no_byte_of_a_record_is_without_a_name() -> None:
    for fields in ([], [("a", np.int8)], [("b", np.int64), ("c", np.int8, (3,)), ("d", np.int16)]):
        layout = record(3, 1, fields)
        assert layout.fields is not None
        named = sum(np.dtype(layout.fields[name][0]).itemsize for name in layout.names or ())
        assert named == layout.itemsize


# --- Dealing so that it fits ---------------------------------------------------------------------


def test_the_first_of_a_set() -> None:
    for place in range(63):
        assert lowest(1 << place) == place
        assert lowest(1 << place | 1 << 62) == place
    assert lowest(0b101000) == 3


DEAL = deal_record(40, 8)  # one layout, since rules are compiled for each


def fit(fits: list[int], room: list[int], rng: random.Random) -> list[int] | None:
    """Where `deal_out` puts each card, or None."""
    deal = np.zeros(1, DEAL)[0]
    for card, places in enumerate(fits):
        deal.fits[list_card(deal, card)] = places
    for owner, size in enumerate(room):
        list_place(deal, owner, size)
    generator = np.array([rng.getrandbits(63) | 1], np.uint64)
    shuffle_order(deal, generator)
    return deal.where[: len(fits)].tolist() if deal_out(deal, generator) else None


def test_a_deal_is_found_whenever_there_is_one() -> None:
    rng = random.Random(8)
    for _ in range(times(2000, 200)):
        places = rng.randint(1, 8)
        true = [rng.randrange(places) for _ in range(rng.randint(0, 40))]
        room = [true.count(place) for place in range(places)]
        few = rng.random() < 0.5  # places beside the right one
        fits = [
            1 << place | (rng.getrandbits(places) & (rng.getrandbits(places) if few else -1))
            for place in true
        ]
        where = fit(fits, room, rng)
        assert where is not None
        assert all(fits[card] >> place & 1 for card, place in enumerate(where))
        assert [where.count(place) for place in range(places)] == room


def test_a_deal_that_cannot_be() -> None:
    rng = random.Random(9)
    assert fit([0b01, 0b01], [1, 1], rng) is None
    assert fit([0b011, 0b011, 0b011, 0b100], [1, 1, 2], rng) is None
    assert fit([0], [1], rng) is None
    assert fit([], [0], rng) == []


def test_a_deal_has_a_bit_for_every_place() -> None:
    deal_record(1, MOST_PLACES)
    with pytest.raises(ValueError, match="at most 63 places, not 64"):
        deal_record(1, MOST_PLACES + 1)


def test_deals_differ() -> None:
    rng = random.Random(10)
    seen = Counter(tuple(fit([0b11] * 4, [2, 2], rng) or ()) for _ in range(times(3000, 600)))
    assert len(seen) == 6
    assert min(seen.values()) > times(300, 40)


def test_a_field_may_not_be_called_like_a_method() -> None:
    with pytest.raises(AssertionError, match="method called round"):
        record(2, 1, [("round", np.int8)])


def test_a_rule_is_a_function_with_its_own_name() -> None:
    @rule
    def three() -> int:
        return 3

    assert three() == 3
    assert three.__name__ == "three"
