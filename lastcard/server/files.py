"""The page for people: the files of lastcard/web, sent as they are."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from starlette.responses import Response

import lastcard
from lastcard.table.refusals import Code, Refused

WEB = Path(lastcard.__file__).parent / "web"
PAGE, MANIFEST, ICON = "index.html", "manifest.webmanifest", "icons/icon.svg"
TEXT = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
MEDIA = {**TEXT, ".png": "image/png", ".ico": "image/x-icon"}
TEST = re.compile(r"(^|/)tests/|\.test\.js$")  # not for people
GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))")  # is accepted; q=0 says that it is not


@dataclass(frozen=True, slots=True)
class Content:
    """What is sent, and by which name a browser asks whether it still is the same."""

    body: bytes
    tag: str


class File:
    """One file in memory."""

    def __init__(self, path: Path) -> None:
        self.media = MEDIA[path.suffix]
        self._path = path
        self._read()

    def look(self) -> None:
        """Reads it again if it has changed: who works on the page sees at once what he does."""
        with contextlib.suppress(OSError):  # what was there is good enough
            if self._path.stat().st_mtime_ns != self._changed:
                self._read()

    def _read(self) -> None:
        changed, body = self._path.stat().st_mtime_ns, self._path.read_bytes()
        self.plain = self.packed = _content(body)
        if self._path.suffix in TEXT:
            self.packed = _content(gzip.compress(body, mtime=0))
        self._changed = changed


class Files:
    """All that are there at the start; nothing else is ever looked for, so no path leads out."""

    def __init__(self, folder: Path = WEB) -> None:
        self._files = {
            name: File(folder / name)
            for name in (path.relative_to(folder).as_posix() for path in folder.rglob("*"))
            if Path(name).suffix in MEDIA and (folder / name).is_file() and not TEST.search(name)
        }

    def answer(self, name: str, headers: Mapping[str, str]) -> Response:
        file = self._files.get(name)
        if file is None:
            raise Refused(Code.NOT_FOUND, "There is nothing here.")
        file.look()
        packed = GZIP.search(headers.get("accept-encoding", "").lower()) is not None
        content = file.packed if packed else file.plain
        # Kept, but not used without asking: there is no version in the names of files.
        facts = {"etag": content.tag, "cache-control": "no-cache", "vary": "accept-encoding"}
        if content.tag in headers.get("if-none-match", ""):
            return Response(status_code=304, headers=facts)
        if content is not file.plain:
            facts["content-encoding"] = "gzip"
        return Response(content.body, headers={"content-type": file.media, **facts})


def _content(body: bytes) -> Content:
    return Content(body, f'"{hashlib.sha256(body).hexdigest()}"')
