"""`lastcard serve`, with the same luck each time: usage: python -m tests.server.served serve ..."""

from __future__ import annotations

import pytest

from lastcard.cli import main
from tests.deals import deal_alike

# Here, not below: processes that share a port are started anew, and read this file again.
deal_alike("a server of its own", pytest.MonkeyPatch())

if __name__ == "__main__":
    main()
