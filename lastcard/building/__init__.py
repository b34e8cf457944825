"""Building a game's rules ahead for x86-64, AArch64 and WebAssembly, with a list of what is inside.

Needs Numba and `lld`. What is built lies in the game's folder and is what people run.
"""

from .builder import build, missing_tools

__all__ = ["build", "missing_tools"]
