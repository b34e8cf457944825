"""Memory that many calls need and none keeps."""

from __future__ import annotations

import threading

import numpy as np

from lastcard.kernel import LOG_COLUMNS
from lastcard.kernel.telling import new_text

LOG_ROWS = 512  # more events than any one action causes


class Scratch:
    __slots__ = ("before", "log", "text", "written")

    def __init__(self) -> None:
        self.log = np.zeros((LOG_ROWS, LOG_COLUMNS), np.int32)
        self.text = new_text()
        self.before = new_text()  # what is compared with the text
        self.written = memoryview(self.text.bytes)


class _Scratches(threading.local):
    def __init__(self) -> None:
        self.mine = Scratch()


_scratches = _Scratches()


def scratch() -> Scratch:
    """This thread's."""
    return _scratches.mine
