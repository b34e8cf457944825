"""A server in this process, for tests that change what a real one is made of."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from lastcard.server.websocket import WebSocket


@contextmanager
def inside(app: Any, **config: Any) -> Iterator[str]:
    """Serves an application from a thread; its address."""
    config = {"ws": WebSocket, **config}
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_config=None, **config))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        until = time.monotonic() + 60
        while not server.started:
            assert thread.is_alive() and time.monotonic() < until
            time.sleep(0.02)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()
