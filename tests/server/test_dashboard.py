"""The dashboard in docs/ asks for metrics that there are."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.server.client import fetch
from tests.server.inside import inside
from tests.server.wire import application

DASHBOARD = Path(__file__).parents[2] / "docs" / "grafana.json"


def test_every_panel_shows_something(tmp_path: Path) -> None:
    asked = set(re.findall(r"lastcard_\w+", DASHBOARD.read_text()))
    panels = json.loads(DASHBOARD.read_text())["panels"]
    assert len(asked) >= len(panels) > 5
    with inside(application(tmp_path)) as url:
        fetch("GET", f"{url}/api/tables/none")  # refused, so that there is a code
        offered = set(
            re.findall(r"^(lastcard_\w+)", fetch("GET", f"{url}/metrics")[1].decode(), re.M)
        )
    assert asked <= offered, asked - offered
