"""The page for people: lastcard/web in a few files, under names that change with their content."""

from __future__ import annotations

import gzip
import hashlib
import html
import logging
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from starlette.responses import Response

import lastcard
from lastcard.table.refusals import Code, Refused

from .joining import APP, MAIN, Unjoinable, join

log = logging.getLogger("lastcard.server")

WEB = Path(lastcard.__file__).parent / "web"
PAGE, MANIFEST, ICON = "index.html", "manifest.webmanifest", "icons/icon.svg"
STYLE = "app.css"
TEXT = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".map": "application/json",
}
MEDIA = {**TEXT, ".png": "image/png", ".ico": "image/x-icon"}
TEST = re.compile(r"(^|/)tests/|\.test\.js$")  # not for people
GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))")  # is accepted; q=0 says that it is not
AT = "/web/"
VERSION = re.compile(r"(?P<version>[0-9a-f]{16})/(?P<name>.+)", re.DOTALL)
SHEET = re.compile(rf'[ \t]*<link rel="stylesheet" href="{AT}([^"]+)">\n')
ADDRESS = re.compile(rf'(?<="){AT}([^"]+)(?=")')
FOREVER = "public, max-age=31536000, immutable"
ASKING = "no-cache"  # kept, but not used without asking
LANGUAGES = {"en": "en", "he": "he", "iw": "he", "ru": "ru"}  # iw is the old code for Hebrew


@dataclass(frozen=True, slots=True)
class Content:
    """What is sent, and by which name a browser asks whether it still is the same."""

    body: bytes
    tag: str


class File:
    """One file in memory."""

    def __init__(self, name: str, body: bytes) -> None:
        suffix = Path(name).suffix
        self.media = MEDIA[suffix]
        self.plain = self.packed = _content(body)
        if suffix in TEXT:
            self.packed = _content(gzip.compress(body, mtime=0))

    def answer(self, headers: Mapping[str, str], keep: str, vary: str = "") -> Response:
        packed = GZIP.search(headers.get("accept-encoding", "").lower()) is not None
        content = self.packed if packed else self.plain
        facts = {"etag": content.tag, "cache-control": keep, "vary": f"accept-encoding{vary}"}
        if content.tag in headers.get("if-none-match", ""):
            return Response(status_code=304, headers=facts)
        if content is not self.plain:
            facts["content-encoding"] = "gzip"
        return Response(content.body, headers={"content-type": self.media, **facts})


class Files:
    """All of a folder, as it is now: who works on the page sees at once what he does. Nothing else
    is ever looked for, so no path leads out."""

    def __init__(self, folder: Path = WEB) -> None:
        self._folder = folder
        self._seen: dict[str, int] = {}
        self._files: dict[str, File] = {}
        self.version = ""
        self._read(self._names())

    def _names(self) -> dict[str, int]:
        """The files, and when they were changed."""
        return {
            name: (self._folder / name).stat().st_mtime_ns
            for name in sorted(
                path.relative_to(self._folder).as_posix() for path in self._folder.rglob("*")
            )
            if Path(name).suffix in MEDIA
            and (self._folder / name).is_file()
            and not TEST.search(name)
        }

    def look(self) -> None:
        """Reads everything again if something has changed."""
        try:
            root = f"{self._folder}/"
            now = {name: os.stat(root + name).st_mtime_ns for name in self._seen}
            if now != self._seen:
                self._read(self._names())
        except (OSError, Unjoinable) as problem:  # what was there is good enough
            log.error("the page cannot be read anew: %s", problem)

    def _read(self, names: dict[str, int]) -> None:
        bodies = {name: (self._folder / name).read_bytes() for name in names}
        scripts = {name: bodies[name].decode() for name in names if name.endswith(".js")}
        joined: dict[str, bytes] = {}
        if MAIN in scripts:
            joined = {name: text.encode() for name, text in join(scripts).items()}
        page = bodies.get(PAGE, b"").decode()
        # One sheet instead of many; they name no files.
        joined[STYLE] = b"".join(bodies[name] for name in SHEET.findall(page))
        digest = hashlib.sha256()
        for name, body in (bodies | joined).items():
            digest.update(f"{name} {len(body)}\n".encode() + body)
        self.version = digest.hexdigest()[:16]
        self._files = {name: File(name, body) for name, body in bodies.items()}
        self._joined = {name: File(name, body) for name, body in joined.items()}
        self._page = self._with_addresses(page)
        self._seen = names

    def _with_addresses(self, page: str) -> str:
        """The page with the addresses of what is sent instead of what is written."""
        sheets = 0

        def sheet(found: re.Match[str]) -> str:
            nonlocal sheets
            sheets += 1
            return found[0].replace(found[1], STYLE) if sheets == 1 else ""

        page = SHEET.sub(sheet, page).replace(f'"{AT}{MAIN}"', f'"{AT}{APP}"')
        return ADDRESS.sub(lambda found: self.address(found[1]), page)

    def address(self, name: str) -> str:
        return f"{AT}{self.version}/{name}"

    def answer(self, path: str, headers: Mapping[str, str]) -> Response:
        """A file by its name, or, to be kept for good, by the version and its name."""
        if found := VERSION.fullmatch(path):
            if found["version"] != self.version:
                self.look()  # another process may have looked already
            file = self._joined.get(found["name"]) or self._files.get(found["name"])
            if file is None or found["version"] != self.version:
                raise Refused(Code.NOT_FOUND, "There is nothing here.")
            return file.answer(headers, FOREVER)
        self.look()
        if path not in self._files:
            raise Refused(Code.NOT_FOUND, "There is nothing here.")
        return self._files[path].answer(headers, ASKING)

    def page(
        self,
        headers: Mapping[str, str],
        *,
        known: Mapping[str, bytes] | None = None,
        modules: Iterable[str] = (),
        asks: Iterable[str] = (),
    ) -> Response:
        """The page itself, with what it would ask for next: answers by their requests, which it
        need not make any more; modules; and requests, to be made by the browser at once.

        In the names of modules {language} is the one that the browser asks for."""
        self.look()
        language = _language(headers.get("accept-language", ""))
        links = [
            f'  <link rel="modulepreload" href="{self.address(name)}">\n'
            for name in (one.format(language=language) for one in ("words.{language}.js", *modules))
            if name in self._joined
        ]
        links += [
            f'  <link rel="preload" as="fetch" crossorigin href="{html.escape(path)}">\n'
            for path in asks
        ]
        # A browser does not run it, so the policy need not allow it; it must not end early.
        data = "".join(
            f'  <script type="application/json" data-answer="{html.escape(path)}">'
            f"{body.decode().replace('<', chr(92) + 'u003c')}</script>\n"
            for path, body in (known or {}).items()
        )
        text = self._page.replace("</head>", f"{''.join(links)}</head>", 1)
        text = text.replace("</body>", f"{data}</body>", 1)
        return _page(text).answer(headers, ASKING, ", accept-language")


@lru_cache(256)
def _page(text: str) -> File:
    """To pack it takes longer than all the rest."""
    return File(PAGE, text.encode())


def _language(accepted: str) -> str:
    """Which of ours a browser asks for first."""
    wanted = (part.partition(";")[0].strip().lower().split("-")[0] for part in accepted.split(","))
    return next((LANGUAGES[one] for one in wanted if one in LANGUAGES), "en")


def _content(body: bytes) -> Content:
    return Content(body, f'"{hashlib.sha256(body).hexdigest()}"')
