"""The page for people, and its files."""

from __future__ import annotations

import gzip
import http.client
import json
import os
import re
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from lastcard.bots import levels_of
from lastcard.bots.learned import has_learned
from lastcard.core.registry import folder_of, games
from lastcard.core.registry import game as find
from lastcard.server import app
from lastcard.server.app import Application
from lastcard.server.engines import read_engine
from lastcard.server.faces import faces
from lastcard.server.files import MEDIA, PAGE, WEB, Files
from lastcard.server.joining import WORKERS
from lastcard.server.limits import Buckets, Limits
from lastcard.server.security import HEADERS
from lastcard.table.refusals import Refused
from tests.server.client import request
from tests.server.inside import inside

PAGES = ("/", "/new/chiko", "/t/AAAAAAAAAAAAAAAA", "/t/x/matches/1", "/rules", "/rules/taki")
FOREVER = "public, max-age=31536000, immutable"
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
    assert headers["cache-control"] == "no-cache"
    assert headers["vary"] == "accept-encoding, accept-language"
    assert addresses(body) >= {"app.js", "app.css", "words.en.js", "web/icons/icon.svg"}
    assert b"main.js" not in body and b"base.css" not in body
    for name, value in HEADERS.items():
        assert headers[name] == value


def addresses(page: bytes) -> set[str]:
    """The files that a page names, all of one version."""
    found = re.findall(r'"/web/([0-9a-f]{16})/([^"]+)"', page.decode())
    assert len({version for version, _ in found}) == 1
    return {name for _, name in found}


def test_files_of_a_page_are_kept_for_good(url: str) -> None:
    _, _, page = get(url, "/")
    for address in sorted(set(re.findall(r'"(/web/[0-9a-f]{16}/[^"]+)"', page.decode()))):
        status, headers, body = get(url, address)
        assert status == 200 and body, address
        assert headers["cache-control"] == FOREVER
        assert headers["content-type"] == MEDIA[Path(address).suffix]
        older = address.replace(address.split("/")[2], "0123456789abcdef")
        assert get(url, older)[0] == 404
    version = address.split("/")[2]
    assert get(url, f"/web/{version}/app.js.map")[0] == 200
    assert get(url, f"/web/{version}/web/lib/dom.js")[2] == (WEB / "lib/dom.js").read_bytes()
    for game, face in faces().items():
        name = f"games/{game}/face/game.js"
        assert get(url, f"/web/{version}/{name}")[2] == (face / "game.js").read_bytes()
    assert get(url, f"/web/{version}/nothing.js")[0] == 404


def test_engines_come_along(url: str) -> None:
    """Those of the rules that run here, for a browser to compile while they arrive."""
    version = Files().version
    for game in games():
        folder = folder_of(game) / "engine"
        at = f"/web/{version}/games/{game}/engine"
        status, headers, body = get(url, f"{at}/engine.wasm", accept_encoding="gzip")
        assert (status, headers["content-type"]) == (200, "application/wasm")
        assert headers["cache-control"] == FOREVER
        assert gzip.decompress(body) == (folder / "engine.wasm").read_bytes()
        told = json.loads(get(url, f"{at}/engine.json")[2])
        known = json.loads((folder / "engine.json").read_bytes())
        learned = told.pop("learned")
        assert told.pop("levels") == dict(levels_of(find(game)))
        assert told.pop("belief") == (folder_of(game) / "learned" / "belief.json").is_file()
        assert {**known} == {**told, "observed": known["observed"]}
        at = f"/web/{version}/games/{game}/learned"
        status, headers, body = get(url, f"{at}/network.bin", accept_encoding="gzip")
        assert learned == has_learned(find(game)) == (status == 200)
        if learned:
            network = folder_of(game) / "learned"
            assert gzip.decompress(body) == (network / "network.bin").read_bytes()
            sizes = json.loads((network / "network.json").read_bytes())["sizes"]
            assert json.loads(get(url, f"{at}/network.json")[2]) == {"sizes": sizes}
        assert get(url, f"/web/{version}/games/{game}/engine/engine.x86_64.so")[0] == 404


def test_an_engine_of_other_rules_is_none(tmp_path: Path) -> None:
    same, changed, none = (tmp_path / name for name in ("same", "changed", "none"))
    for folder in (same, changed, none):
        shutil.copytree(folder_of("chiko"), folder)
    (changed / "rules.py").write_text("# something else\n")
    shutil.rmtree(none / "engine")
    assert read_engine(same).keys() == {"engine.wasm", "engine.json"}
    assert read_engine(changed) == read_engine(none) == {}


def test_workers_come_in_one_file(url: str) -> None:
    version = Files().version
    for name in WORKERS:
        body = get(url, f"/web/{version}/{name}")[2].decode()
        assert f"$define('{name}'" in body and "import '" not in body
        assert "$define('games/" not in body
        assert f"$define('{name}'" not in get(url, f"/web/{version}/app.js")[2].decode()


def test_one_sheet_has_all(url: str) -> None:
    _, _, page = get(url, "/")
    [address] = re.findall(r'<link rel="stylesheet" href="([^"]+)">', page.decode())
    sheets = [*(WEB / "style").glob("*.css"), *(face / "style.css" for face in faces().values())]
    body = get(url, address)[2].decode()
    assert len(body) == sum(len(sheet.read_text()) for sheet in sheets)
    for sheet in sheets:
        assert sheet.read_text() in body
        assert "url(" not in sheet.read_text() and "@import" not in sheet.read_text()


@pytest.mark.parametrize(
    ("accepted", "language"),
    [("he-IL,he;q=0.9,en;q=0.8", "he"), ("iw", "he"), ("de, RU;q=0.5", "ru"), ("de", "en")],
)
def test_the_words_of_the_reader_come_along(url: str, accepted: str, language: str) -> None:
    body = get(url, "/", accept_language=accepted)[2]
    assert {f"words.{language}.js"} == {name for name in addresses(body) if "words" in name}


def test_a_page_names_what_it_needs_next(url: str) -> None:
    assert "chiko.js" not in addresses(get(url, "/")[2])
    assert "chiko.js" not in addresses(get(url, "/new/chiko")[2])
    assert {"taki.js", "taki.rules.en.js"} <= addresses(get(url, "/rules/taki")[2])
    setup = {"game": "chiko", "players": 2, "name": "Ann"}
    status, made = request("POST", f"{url}/api/tables", setup)
    assert status == 201
    for path in (f"/t/{made['table']}", f"/t/{made['table']}/matches/1"):
        page = get(url, path)[2]
        assert "chiko.js" in addresses(page)
        asked = f'<link rel="preload" as="fetch" crossorigin href="/api/tables/{made["table"]}">'
        assert asked in page.decode()
    for path in (
        "/t/AAAAAAAAAAAAAAAA",
        "/t/%22%3E%3Cscript%3E",
        "/rules/none",
        "/rules/%22%3E",
        "/rules/{0}",
    ):
        page = get(url, path)[2]
        assert b'as="fetch"' not in page and b"<script>" not in page and b'"">' not in page
        assert addresses(page) == addresses(get(url, "/")[2])


def test_what_a_page_would_ask_for_is_in_it(url: str) -> None:
    page = get(url, "/")[2].decode()
    [data] = re.findall(
        r'<script type="application/json" data-answer="/api/games">(.*?)</script>', page
    )
    assert json.loads(data) == json.loads(get(url, "/api/games")[2])
    assert "<" not in data


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


def test_files_as_they_are_now(tmp_path: Path) -> None:
    for name in ("a.js", "a.test.js", "types.d.ts", "one.yaml"):
        (tmp_path / name).write_text("1")
    (tmp_path / "b.js").mkdir()
    files = Files(tmp_path, faces={})
    assert files.answer("a.js", {}).body == b"1"
    (tmp_path / "a.js").write_text("22")
    os.utime(tmp_path / "a.js", (1, 1))
    assert files.answer("a.js", {}).body == b"22"
    for name in ("a.test.js", "types.d.ts", "one.yaml", "b.js", "", "/etc/passwd"):
        with pytest.raises(Refused):
            files.answer(name, {})
    (tmp_path / "a.js").unlink()
    assert files.answer("a.js", {}).body == b"22"  # until something else is there


def test_who_works_on_the_page_sees_what_he_does(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Every change gives another version; what cannot be joined is told, and changes nothing."""
    folder = tmp_path / "web"
    shutil.copytree(WEB, folder)
    files = Files(folder)
    first = files.version
    assert Files(folder).version == first == Files().version

    def change(name: str, text: str) -> None:
        before = (folder / name).stat().st_mtime_ns
        (folder / name).write_text(text)
        os.utime(folder / name, ns=(before, before + 1_000_000))

    def joined(version: str) -> bytes:
        return bytes(files.answer(f"{version}/app.js", {}).body)

    assert b"something new" not in joined(first)
    change("lib/dom.js", f"{(folder / 'lib/dom.js').read_text()}const news = 'something new';\n")
    (folder / "lib/late.js").write_text("export const late = 1;\n")
    page = bytes(files.page({}).body)
    second = files.version
    assert second != first and second.encode() in page and first.encode() not in page
    assert b"something new" in joined(second) and b"web/lib/late.js" in joined(second)
    with pytest.raises(Refused):
        joined(first)
    change("lib/late.js", "export let late = 1;\n")
    assert bytes(files.page({}).body) == page and files.version == second
    assert "lib/late.js: export let late" in caplog.text
    change("lib/late.js", "export const late = 2;\n")
    files.look()
    assert b"late = 2" in joined(files.version)


def test_many_files_are_no_requests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Time stands still: however long the requests take, none is forgotten."""
    monkeypatch.setattr(app, "Buckets", partial(Buckets, clock=lambda: 0.0))
    limits = Limits(requests_per_second=1, files_for_a_request=10)
    with inside(Application(f"sqlite:///{tmp_path / 'tables.db'}", limits)) as url:
        assert {get(url, "/")[0] for _ in range(40)} == {200}
        assert get(url, "/api/games")[0] == 200
        assert 429 in {get(url, "/api/games")[0] for _ in range(10)}
        assert 429 in {get(url, "/")[0] for _ in range(100)}
