"""The tests. They share the cores already: NumPy's threads for small matrices wait for each other
most of the time, and a notebook took nine times as long."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when NumPy is imported
