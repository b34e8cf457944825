"""Connections are counted before anything is said on them."""

from __future__ import annotations

import contextlib
import socket
import struct
from pathlib import Path
from urllib.parse import urlsplit

from websockets.sync.client import connect

from lastcard.server.gate import Gate
from tests.server.client import Server, request
from tests.server.wire import PATIENCE, TABLE_FOR_THREE, Raw, is_let_in, served, wait_for


def test_connections_of_one_address_are_counted_before_they_say_anything(tmp_path: Path) -> None:
    with served(tmp_path, raw_per_address=4, arrivals_per_second=1000) as url:
        with contextlib.ExitStack() as stack:
            many = [stack.enter_context(Raw(url)) for _ in range(4)]
            assert all(is_let_in(raw) for raw in many)
            assert not is_let_in(stack.enter_context(Raw(url)))
        while True:  # they have gone, and soon that is known
            with Raw(url) as raw:
                if is_let_in(raw):
                    break


def test_a_socket_counts_until_it_is_closed(tmp_path: Path) -> None:
    with served(tmp_path, raw_per_address=2, arrivals_per_second=1000) as url:
        _, seat = request("POST", f"{url}/api/tables", TABLE_FOR_THREE)
        at = f"{url.replace('http', 'ws')}/api/tables/{seat['table']}/live"
        with connect(at) as one, connect(at) as two:
            for socket_ in (one, two):
                socket_.send('{"type": "hello"}')
                socket_.recv(timeout=PATIENCE)
            with Raw(url) as raw:
                assert not is_let_in(raw)
        while True:
            with Raw(url) as raw:
                if is_let_in(raw):
                    break


def test_who_goes_before_he_is_let_in_is_not_counted_for_good(tmp_path: Path) -> None:
    with served(tmp_path) as url:
        address = urlsplit(url)
        for _ in range(40):  # they are let in one after another, and all are gone by then
            with socket.create_connection((address.hostname, address.port)) as one:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        with Raw(url) as raw:
            assert is_let_in(raw)
        doors = Gate.doors
        wait_for(lambda: not doors._inside)
        assert doors._all == 0


def test_running_out_of_files_is_told(tmp_path: Path) -> None:
    with Server(f"sqlite:///{tmp_path / 'tables.db'}", files=300) as server:
        with contextlib.ExitStack() as stack:
            many = [stack.enter_context(Raw(server.url)) for _ in range(200)]
            assert not all(is_let_in(raw) for raw in many)
        wait_for(lambda: "no room for more connections" in server.log)
