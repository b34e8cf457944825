"""The page for people, and its files."""

from __future__ import annotations

import gzip
import http.client
import json
import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from lastcard.server.app import Application
from lastcard.server.files import MEDIA, PAGE, WEB, Files
from lastcard.server.limits import Limits
from lastcard.server.security import HEADERS
from lastcard.table.refusals import Refused
from tests.server.inside import inside

PAGES = ("/", "/new/chiko", "/t/AAAAAAAAAAAAAAAA", "/t/x/matches/1", "/rules", "/rules/taki")
NAMES = sorted(path.relative_to(WEB).as_posix() for path in WEB.rglob("*") if path.suffix in MEDIA)


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with inside(Application(f"sqlite:///{tmp_path_factory.mktemp('files') / 'tables.db'}")) as url:
        yield url


def get(
    url: str, path: str, method: str = "GET", **headers: str
) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=20)
    try:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, headers=named)
        found = connection.getresponse()
        return found.status, {k.lower(): v for k, v in found.getheaders()}, found.read()
    finally:
        connection.close()


@pytest.mark.parametrize("path", [*PAGES, "/settings"])
def test_every_address_of_the_page(url: str, path: str) -> None:
    status, headers, body = get(url, path)
    assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert body == (WEB / PAGE).read_bytes()
    for name, value in HEADERS.items():
        assert headers[name] == value


def test_every_file(url: str) -> None:
    assert PAGE in NAMES
    for name in NAMES:
        status, headers, body = get(url, f"/web/{name}")
        assert (status, body) == (200, (WEB / name).read_bytes()), name
        assert headers["content-type"] == MEDIA[Path(name).suffix]
        assert headers["cache-control"] == "no-cache" and headers["vary"] == "accept-encoding"


def test_what_is_packed_is_the_same(url: str) -> None:
    plain, packed = get(url, "/"), get(url, "/", accept_encoding="br, gzip;q=0.8")
    assert "content-encoding" not in plain[1] and packed[1]["content-encoding"] == "gzip"
    assert gzip.decompress(packed[2]) == plain[2]
    assert plain[1]["etag"] != packed[1]["etag"]
    for refused in ("br", "gzip;q=0", "gzip; q=0.0, br"):
        assert "content-encoding" not in get(url, "/", accept_encoding=refused)[1]


def test_what_a_browser_has_is_not_sent_again(url: str) -> None:
    for encoding in ("identity", "gzip"):
        tag = get(url, "/", accept_encoding=encoding)[1]["etag"]
        assert tag[0] == tag[-1] == '"'
        for known in (tag, f'"other", {tag}', f"W/{tag}"):
            asked = {"accept_encoding": encoding, "if_none_match": known}
            status, headers, body = get(url, "/", **asked)
            assert (status, headers["etag"], body) == (304, tag, b"")
        assert get(url, "/", accept_encoding=encoding, if_none_match='"other"')[0] == 200


def test_head(url: str) -> None:
    _, full, body = get(url, "/")
    status, headers, nothing = get(url, "/", "HEAD")
    assert (status, headers["content-length"], nothing) == (200, str(len(body)), b"")
    assert headers["etag"] == full["etag"]


@pytest.mark.parametrize(
    "path",
    [
        "/web/",
        "/web/nothing.js",
        "/web/../app.py",
        "/web/%2e%2e/server/app.py",
        "/web/..%2fserver/app.py",
        "/web//etc/passwd",
        "/web/types.d.ts",
        "/web/jsconfig.json",
        "/t",
    ],
)
def test_nothing_else_is_there(url: str, path: str) -> None:
    status, _, body = get(url, path)
    assert status == 404 and json.loads(body)["code"] == "not_found"


def test_what_browsers_ask_for_by_themselves(url: str) -> None:
    for path, name in (
        ("/manifest.webmanifest", "manifest.webmanifest"),
        ("/favicon.ico", "icons/icon.svg"),
    ):
        status, headers, _ = get(url, path)
        assert status == (200 if name in NAMES else 404)
        assert status == 404 or headers["content-type"] == MEDIA[Path(name).suffix]


def test_files_as_they_are_now_but_only_those_of_the_start(tmp_path: Path) -> None:
    for name in ("a.js", "a.test.js", "types.d.ts", "one.yaml"):
        (tmp_path / name).write_text("1")
    (tmp_path / "b.js").mkdir()
    files = Files(tmp_path)
    assert files.answer("a.js", {}).body == b"1"
    (tmp_path / "a.js").write_text("22")
    os.utime(tmp_path / "a.js", (1, 1))
    assert files.answer("a.js", {}).body == b"22"
    (tmp_path / "a.js").unlink()
    assert files.answer("a.js", {}).body == b"22"
    (tmp_path / "late.js").write_text("3")
    for name in ("late.js", "a.test.js", "types.d.ts", "one.yaml", "b.js", "", "/etc/passwd"):
        with pytest.raises(Refused):
            files.answer(name, {})


def test_many_files_are_no_requests(tmp_path: Path) -> None:
    limits = Limits(requests_per_second=1, files_for_a_request=10)
    with inside(Application(f"sqlite:///{tmp_path / 'tables.db'}", limits)) as url:
        assert {get(url, "/")[0] for _ in range(40)} == {200}
        assert get(url, "/api/games")[0] == 200
        assert 429 in {get(url, "/api/games")[0] for _ in range(10)}
        assert 429 in {get(url, "/")[0] for _ in range(100)}
