"""Opens the page in the operator's browser, if there is one."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import time
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

PATIENCE = 60.0  # seconds for the server to answer
AGAIN = 0.1  # seconds between attempts
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")  # without one of these there is no browser


def open_soon(url: str) -> None:
    """Opens the page once the server answers. Runs in the background, and may fail silently."""
    if sys.platform == "darwin" or any(os.environ.get(name) for name in SCREENS):
        threading.Thread(target=_open, args=(url,), daemon=True).start()


def _open(url: str) -> None:
    if _answers(url):
        # In its own process: browsers write to the terminal, and may block it.
        with contextlib.suppress(OSError):
            subprocess.run(
                [sys.executable, "-m", "webbrowser", url],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                check=False,
            )


def _answers(url: str) -> bool:
    direct = build_opener(ProxyHandler({}))
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with contextlib.suppress(URLError, OSError), direct.open(f"{url}/live", timeout=PATIENCE):
            return True
        time.sleep(AGAIN)
    return False
