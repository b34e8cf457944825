"""Powers, exponential and logarithm from sums and products alone.

Those of the system differ in their last bits from one machine to the next. These give the same bits
wherever rules run, so that search makes the same choices, and need no library.
"""

from __future__ import annotations

from math import factorial

from .compiling import rule

_LN2 = 0.6931471805599453
_LN2_HIGH = 0.6931471803691238  # with so few bits that a whole number of these is exact
_LN2_LOW = 1.9082149292705877e-10
_SQRT_2 = 1.4142135623730951
_MOST = 700.0  # beyond that an exponential no longer fits a float
_TERMS = 14
_TAYLOR = tuple(1.0 / factorial(n) for n in range(_TERMS))


@rule("float64(float64, int64)")
def power(x: float, times: int) -> float:
    """x to a whole power, which is 0 or more."""
    product = 1.0
    while times:
        if times & 1:
            product *= x
        x *= x
        times >>= 1
    return product


@rule("float64(float64)")
def exp(x: float) -> float:
    """e to the power of x; x is cut off at 700 either way."""
    x = min(max(x, -_MOST), _MOST)
    whole = int(x / _LN2 + (0.5 if x >= 0 else -0.5))
    rest = (x - whole * _LN2_HIGH) - whole * _LN2_LOW  # at most half of ln 2
    total = 0.0
    for n in range(_TERMS - 1, -1, -1):  # the small terms first
        total = total * rest + _TAYLOR[n]
    return total * power(2.0 if whole >= 0 else 0.5, abs(whole))


@rule("float64(float64)")
def log(x: float) -> float:
    """The natural logarithm of a number above 0, and of no more than 2**63."""
    twos = 0
    step = 32
    while step:
        scale = 1 << step
        if x * _SQRT_2 >= 2.0 * scale:
            x /= scale
            twos += step
        elif x * scale < _SQRT_2:
            x *= scale
            twos -= step
        step >>= 1
    if x > _SQRT_2:
        x /= 2.0
        twos += 1
    ratio = (x - 1.0) / (x + 1.0)
    square = ratio * ratio
    total = 0.0
    for n in range(21, 0, -2):  # the series of its inverse hyperbolic tangent
        total = total * square + 1.0 / n
    return twos * _LN2_HIGH + (twos * _LN2_LOW + 2.0 * ratio * total)
