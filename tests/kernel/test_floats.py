"""Powers, exponential and logarithm: as good as the system's, and the same bits everywhere."""

from __future__ import annotations

import math
import random

import pytest

from lastcard.kernel.floats import exp, log, power


def close(found: float, wanted: float) -> bool:
    """To about the last two bits."""
    return math.isclose(found, wanted, rel_tol=6e-16, abs_tol=6e-16)


def test_exp() -> None:
    rng = random.Random(1)
    for x in (0.0, 1.0, -1.0, 0.35, -0.35, *(rng.uniform(-60, 60) for _ in range(2_000))):
        assert close(exp(x), math.exp(x)), x
    assert exp(0.0) == 1.0


def test_exp_is_cut_off() -> None:
    assert exp(1e9) == exp(700.0) < math.inf
    assert exp(-1e9) == exp(-700.0) > 0


def test_log() -> None:
    rng = random.Random(2)
    numbers = [math.exp(rng.uniform(-40, 40)) for _ in range(2_000)]
    for x in (*map(float, range(1, 2_000)), 2.0**63, 2.0**-40, *numbers):
        assert close(log(x), math.log(x)), x
    assert log(1.0) == 0.0


@pytest.mark.parametrize("times", range(20))
def test_power(times: int) -> None:
    for x in (0.0, 0.5, 0.999, 1.0, 1.7):
        assert close(power(x, times), x**times)


def test_known_bits() -> None:
    """The very same on every machine and by every engine."""
    assert [exp(x).hex() for x in (0.1, -3.7, 25.0)] == EXPECTED["exp"]
    assert [log(x).hex() for x in (0.1, 3.7, 1e6)] == EXPECTED["log"]
    assert power(0.937, 13).hex() == EXPECTED["power"]


EXPECTED = {
    "exp": ["0x1.1aec7b35a00d4p+0", "0x1.9511fc6871044p-6", "0x1.0c3d3920962c9p+36"],
    "log": ["-0x1.26bb1bbb55515p+1", "0x1.4eeee650ae550p+0", "0x1.ba18a998fffa0p+3"],
    "power": "0x1.b7748a00f3569p-2",
}
