"""Headers, hosts, origins and addresses."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from lastcard.server.reach import Reach
from lastcard.server.security import HEADERS, client_address
from tests.server.asking import ask, opened
from tests.server.client import Server, request
from tests.server.wire import TABLE_FOR_THREE, Raw, served, status_of


def test_other_names_of_this_machine_are_not_ours(tmp_path: Path) -> None:
    with served(tmp_path, Reach("https://cards.example")) as url:
        port = urlsplit(url).port
        _, seat = request("POST", f"{url}/api/tables", TABLE_FOR_THREE)
        ours = ["cards.example", "localhost", f"127.0.0.1:{port}", "192.168.1.7:80", "[::1]:80"]
        ours += ["nas", "nas.local", "my.home.arpa:8000", "CARDS.example.:443"]
        for host in ours:
            assert status_of(url, "/api/games", host) == 200, host
        for host in (
            "evil.example",
            "cards.example.evil.example",
            "a" * 4000,
            "",
            "[::1",
            "b.com:1",
        ):
            for path in ("/api/games", "/", f"/api/tables/{seat['table']}/qr.svg"):
                assert status_of(url, path, host) in (400, 403), host
            assert status_of(url, "/live", host) in (200, 400)
        socket_ = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"]
        socket_ += ["Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==", "Origin: http://evil.example"]
        with Raw(url) as raw:
            at = f"/api/tables/{seat['table']}/live"
            lines = (f"GET {at} HTTP/1.1", "Host: evil.example", *socket_)
            raw.send("\r\n".join((*lines, "", "")).encode())
            answer = b""
            while b"wrong_origin" not in answer:
                part = raw.socket.recv(4096)
                assert part, answer
                answer += part


def test_an_address_of_version_6_counts_with_its_network() -> None:
    def address(text: str) -> str:
        return client_address({"client": (text, 1)})

    assert address("2001:db8::1") == address("2001:db8::ffff:2") != address("2001:db8:0:1::1")
    assert address("10.0.0.1") != address("10.0.0.2")
    assert client_address({}) == ""


def test_every_answer_has_its_headers(server: Server) -> None:
    table = opened(server)["table"]
    for path in ("/api/games", "/nothing", f"/api/tables/{table}/qr.svg", "/live", "/metrics"):
        _, headers, _ = ask(server, "GET", path)
        for name, value in HEADERS.items():
            assert headers[name] == value, (path, name)
        assert headers["cache-control"] == "no-store"
        assert "server" not in headers
    policy = HEADERS["content-security-policy"].replace("'wasm-unsafe-eval'", "", 1)
    assert "unsafe" not in policy and "default-src 'none'" in policy
    assert "http" not in policy.replace("https:", "")
