"""The page as a folder of files."""

from __future__ import annotations

import errno
import json
import os
import re
from pathlib import Path

import pytest

from lastcard.core.registry import games
from lastcard.errors import LastCardError
from lastcard.server import site
from lastcard.server.files import Files
from lastcard.server.security import POLICY
from lastcard.server.site import write_site


def names(folder: Path) -> set[str]:
    return {one.relative_to(folder).as_posix() for one in folder.rglob("*") if one.is_file()}


def test_all_that_a_page_needs(tmp_path: Path) -> None:
    out = tmp_path / "new" / "site"
    done = write_site(out, "https://cards.example/?a=1&b=%3C")
    files = Files()
    assert {f"web/{files.version}/{name}" for name in files.sent} <= names(out)
    assert (done.files, done.kept, done.left_out) == (len(names(out)), 0, [])
    assert done.plain == sum((out / name).stat().st_size for name in names(out))
    # Networks hardly get smaller.
    networks = sum(len(one.plain.body) for name, one in files.sent.items() if name.endswith(".bin"))
    assert done.packed - networks < (done.plain - networks) / 2
    page = (out / "index.html").read_text()
    for address in re.findall(r'\b(?:href|src)="([^"]*)"', page):
        assert (out / address).is_file(), address
    manifest = json.loads((out / "manifest.webmanifest").read_bytes())
    assert all((out / icon["src"]).is_file() for icon in manifest["icons"])
    kept = json.loads((out / f"web/{files.version}/files.json").read_bytes())
    assert names(out) - {*kept} == {"index.html", "service.js", "site.json"} | {
        name for name in names(out) if name.endswith("files.json")
    }
    found = re.search(r'data-answer="/api/games">(.*?)</script>', page)
    assert found
    offered = json.loads(found[1])
    assert offered["invite"] is None and offered["live"] == "https://cards.example/?a=1&b=%3C"
    assert sorted(one["id"] for one in offered["games"]) == games()


def test_its_policy_is_the_servers(tmp_path: Path) -> None:
    """But for what a page cannot say of itself; and no script is written into it."""
    write_site(tmp_path / "site")
    page = (tmp_path / "site/index.html").read_text()
    [policy] = re.findall(r'<meta http-equiv="content-security-policy" content="([^"]*)">', page)
    assert f"{policy}; frame-ancestors 'none'" == POLICY
    assert page.index("http-equiv") < page.index("<script")
    for attributes, text in re.findall(r"<script([^>]*)>(.*?)</script>", page, re.DOTALL):
        assert 'type="application/json"' in attributes or not text
    assert not re.search(r"\son\w+=|\sstyle=", page)


def test_a_new_version_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "site"
    versions, kept = [], []
    for number in range(3):
        with monkeypatch.context() as patch:
            patch.setattr(site, "Files", _another(number))
            for _ in range(2):  # the same once more changes nothing
                kept.append(write_site(out).kept)
        [version] = set(re.findall(r"web/([0-9a-f]{16})/", (out / "index.html").read_text()))
        versions.append(version)
    assert len(set(versions)) == 3
    assert {one.name for one in (out / "web").iterdir()} == {*versions[1:], "icons"}
    count = len(names(out / "web" / versions[1]))
    assert kept == [0, 0, count, count, count, count]


def _another(number: int) -> type[Files]:
    class Changed(Files):
        def _read(self, found: object) -> None:
            super()._read(found)  # type: ignore[arg-type]
            old, self.version = self.version, f"{number}{self.version[1:]}"
            self._page = self._page.replace(old, self.version)

    return Changed


def test_nothing_of_others_is_touched(tmp_path: Path) -> None:
    out = tmp_path / "photos"
    out.mkdir()
    (out / "cat.jpg").write_bytes(b"cat")
    with pytest.raises(LastCardError, match="is not empty, and no site of ours"):
        write_site(out)
    assert names(out) == {"cat.jpg"}
    with pytest.raises(LastCardError, match="is not a folder"):
        write_site(out / "cat.jpg")
    with pytest.raises(LastCardError, match=r"live: must look like"):
        write_site(tmp_path / "other", "cards.example")
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("there", [False, True])
def test_a_full_disk(there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was there is as it was, and nothing is left of what was begun."""
    out = tmp_path / "site"
    if there:
        write_site(out)
    before = {name: (out / name).read_bytes() for name in names(out)}
    write, left = Path.write_bytes, 10

    def full(path: Path, data: bytes) -> int:
        nonlocal left
        left -= 1
        if left < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(LastCardError, match=f"^{out}: No space left on device"):
        write_site(out, "https://cards.example")
    assert {name: (out / name).read_bytes() for name in names(out)} == before
    assert out.exists() == there


def test_after_somebody_was_stopped(tmp_path: Path) -> None:
    out = tmp_path / "site"
    (out / ".new-abc/web").mkdir(parents=True)
    (out / ".new-abc/web/rest.js").write_text("rest")
    write_site(out)
    assert not [name for name in names(out) if name.endswith("rest.js")]
