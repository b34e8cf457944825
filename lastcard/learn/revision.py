"""From which sources a network was made."""

from __future__ import annotations

import subprocess
from pathlib import Path

import lastcard

UNKNOWN = "unknown"  # the revision of what was installed without its history


def revision() -> str:
    """The revision that these sources are of, with `-dirty` behind it if they have been changed
    since."""
    folder = Path(lastcard.__file__).parent
    # Installed below a folder of somebody else's history it has no revision.
    if _git(folder, "ls-files", "--error-unmatch", "__init__.py") is None:
        return UNKNOWN
    return _git(folder, "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*") or UNKNOWN


def _git(folder: Path, *words: str) -> str | None:
    """What Git says; None if it fails, or is not there."""
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *words], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()
