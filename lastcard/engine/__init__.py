"""How a game's rules run on this machine: from a library built ahead, by Numba, or as Python."""

from .choosing import AHEAD, ENGINE, JIT, PLAIN, Choice, choose, has_numba
from .library import fixed

__all__ = ["AHEAD", "ENGINE", "JIT", "PLAIN", "Choice", "choose", "fixed", "has_numba"]
