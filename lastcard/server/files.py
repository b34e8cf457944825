"""The page for people: lastcard/web, the faces of all games and their engines in a few files, under
names that change with their content."""

from __future__ import annotations

import gzip
import hashlib
import html
import json
import logging
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from pathlib import Path

from starlette.responses import Response

import lastcard
from lastcard.table.refusals import Code, Refused

from .engines import ENGINE, EXAMPLES, engines, networks
from .examples import compiled, scenarios_of
from .faces import FILES, LANGUAGES
from .faces import faces as registered
from .joining import APP, FACE, MAIN, SERVICE, SHELL, Unjoinable, join

log = logging.getLogger("lastcard.server")

WEB = Path(lastcard.__file__).parent / "web"
PAGE, MANIFEST, ICON = "index.html", "manifest.webmanifest", "icons/icon.svg"
STYLE = "app.css"
LIST = "files.json"
PACKED = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".map": "application/json",
    ".json": "application/json",
    ".wasm": "application/wasm",
    ".bin": "application/octet-stream",
}
MEDIA = {**PACKED, ".png": "image/png", ".ico": "image/x-icon"}
MADE = (".map", ".json", ".wasm", ".bin")  # what is found in folders is not sent
TEST = re.compile(r"(^|/)tests/|\.test\.js$")  # not for people
GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))")  # is accepted; q=0 says that it is not
ICONS = f"{SHELL}/icons/"
AT = "/web/"
VERSION = re.compile(r"(?P<version>[0-9a-f]{16})/(?P<name>.+)", re.DOTALL)
SHEET = re.compile(rf'[ \t]*<link rel="stylesheet" href="{AT}([^"]+)">\n')
ADDRESS = re.compile(rf'(?<="){AT}([^"]+)(?=")')
FOREVER = "public, max-age=31536000, immutable"
ASKING = "no-cache"  # kept, but not used without asking
SPOKEN = {**{one: one for one in LANGUAGES}, "iw": "he"}  # iw is the old code for Hebrew


@dataclass(frozen=True, slots=True)
class Content:
    """What is sent, and by which name a browser asks whether it still is the same."""

    body: bytes
    tag: str


class File:
    """One file in memory, or to be made when it is first asked for."""

    def __init__(self, name: str, body: bytes | Callable[[], bytes]) -> None:
        self._suffix = Path(name).suffix
        self._body = body
        self.media = MEDIA[self._suffix]

    @cached_property
    def plain(self) -> Content:
        return _content(self._body if isinstance(self._body, bytes) else self._body())

    @cached_property  # not at the start: it would take longer than all the rest
    def packed(self) -> Content:
        if self._suffix not in PACKED:
            return self.plain
        return _content(gzip.compress(self.plain.body, mtime=0))

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
    """The page's folder and the faces, as they are now: who works on the page sees at once what he
    does. Nothing else is ever looked for, so no path leads out.

    Files are named as they lie in the package: `web/main.js`, `games/GAME/face/game.js`. Those of
    another package are named in the same way, wherever they lie."""

    def __init__(self, web: Path = WEB, faces: Mapping[str, Path] | None = None) -> None:
        found = registered() if faces is None else faces
        self._folders = {SHELL: web} | {FACE.format(id): found[id] for id in sorted(found)}
        self._seen: dict[str, int] = {}
        self._files: dict[str, File] = {}
        self.version = ""
        self._read(self._found())

    def _found(self) -> dict[str, Path]:
        """The files that are there, by their names."""
        return {
            f"{folder}/{name}": root / name
            for folder, root in self._folders.items()
            for name in sorted(path.relative_to(root).as_posix() for path in root.rglob("*"))
            if Path(name).suffix in MEDIA.keys() - MADE
            and (root / name).is_file()
            and not TEST.search(name)
        }

    def look(self) -> None:
        """Reads everything again if something has changed."""
        try:
            if any(os.stat(path).st_mtime_ns != then for path, then in self._seen.items()):
                self._read(self._found())
        except (OSError, Unjoinable) as problem:  # what was there is good enough
            log.error("the page cannot be read anew: %s", problem)

    def _read(self, found: Mapping[str, Path]) -> None:
        seen = {str(path): path.stat().st_mtime_ns for path in found.values()}
        bodies = {name: path.read_bytes() for name, path in found.items()}
        faces = [folder for folder in self._folders if folder != SHELL]
        if missing := [
            f"{face}/{name}" for face in faces for name in FILES if f"{face}/{name}" not in bodies
        ]:
            raise Unjoinable(f"there is no {', '.join(missing)}")
        scripts = {name: bodies[name].decode() for name in bodies if name.endswith(".js")}
        joined: dict[str, bytes] = {}
        if MAIN in scripts:
            joined = {name: text.encode() for name, text in join(scripts).items()}
        page = bodies.get(f"{SHELL}/{PAGE}", b"").decode()
        # One sheet instead of many; they name no files.
        sheets = [f"{SHELL}/{name}" for name in SHEET.findall(page)]
        sheets += [f"{face}/style.css" for face in faces]
        joined[STYLE] = b"".join(bodies[name] for name in sheets)
        for id, files in engines().items():
            if FACE.format(id) in faces:
                joined |= {f"{ENGINE.format(id)}/{name}": body for name, body in files.items()}
                joined |= networks(id)
        scenarios = self._scenarios(faces)
        seen |= {str(path): path.stat().st_mtime_ns for path in scenarios.values()}
        told = {name: path.read_bytes() for name, path in scenarios.items()}
        digest = hashlib.sha256()
        for name, body in (bodies | joined | told).items():
            digest.update(f"{name} {len(body)}\n".encode() + body)
        self.version = digest.hexdigest()[:16]
        self._files = {name: File(name, body) for name, body in bodies.items()}
        self._joined = {name: File(name, body) for name, body in joined.items()}
        self._joined |= {
            EXAMPLES.format(id): File(EXAMPLES, partial(compiled, self._folders[FACE.format(id)]))
            for id in engines()
            if FACE.format(id) in faces
        }
        self._page = self._with_addresses(page)
        self._joined[LIST] = self._listed()
        self.released = self._released(bodies.get(SERVICE, b""))
        self._seen = seen

    def _scenarios(self, faces: Iterable[str]) -> dict[str, Path]:
        """What the rules' examples are made of, by their names."""
        return {
            f"{face}/{path.name}": path
            for face in faces
            for path in scenarios_of(self._folders[face])
        }

    @property
    def sent(self) -> dict[str, File]:
        """What browsers need of this version, by the names that follow it in their addresses."""
        icons = {
            name: self._files[name] for name in self._files if self.address(name) in self._page
        }
        joined = {name: one for name, one in self._joined.items() if not name.endswith(".map")}
        return joined | icons

    @property
    def kept(self) -> dict[str, File]:
        """What else the page needs, by addresses that stay the same for all versions."""
        files = {MANIFEST: self._files.get(f"{SHELL}/{MANIFEST}")}
        files |= {name: file for name, file in self._files.items() if name.startswith(ICONS)}
        return {name: file for name, file in files.items() if file}

    def _listed(self) -> File:
        """The addresses of all of it, relative to where the page lies."""
        files = [*(f"{SHELL}/{self.version}/{name}" for name in self.sent), *self.kept]
        return File(LIST, json.dumps(sorted(files)).encode())

    def _released(self, source: bytes) -> File:
        """The service worker, with the version that it keeps: each is another script."""
        return File(SERVICE, f'const RELEASE = "{self.version}";\n'.encode() + source)

    def _with_addresses(self, page: str) -> str:
        """The page with the addresses of what is sent instead of what is written."""
        sheets = 0

        def sheet(found: re.Match[str]) -> str:
            nonlocal sheets
            sheets += 1
            return found[0].replace(found[1], STYLE) if sheets == 1 else ""

        def address(found: re.Match[str]) -> str:
            name = found[1]
            return self.address(name if name in self._joined else f"{SHELL}/{name}")

        page = SHEET.sub(sheet, page).replace(f'"/{MAIN}"', f'"{AT}{APP}"')
        return ADDRESS.sub(address, page)

    def address(self, name: str) -> str:
        return f"{AT}{self.version}/{name}"

    def answer(self, path: str, headers: Mapping[str, str]) -> Response:
        """A file of the page's folder, by its name there; or any, to be kept for good, by the
        version and its name."""
        if found := VERSION.fullmatch(path):
            if found["version"] != self.version:
                self.look()  # another process may have looked already
            file = self._joined.get(found["name"]) or self._files.get(found["name"])
            if file is None or found["version"] != self.version:
                raise Refused(Code.NOT_FOUND, "There is nothing here.")
            return file.answer(headers, FOREVER)
        self.look()
        file = self._files.get(f"{SHELL}/{path}")
        if file is None:
            raise Refused(Code.NOT_FOUND, "There is nothing here.")
        return file.answer(headers, ASKING)

    def played(self, path: str) -> str | None:
        """The game that has to be played to make a file, which is quick once its rules run."""
        return next((id for id in engines() if path.endswith(EXAMPLES.format(id))), None)

    def service(self, headers: Mapping[str, str]) -> Response:
        """The service worker. Browsers ask for it again and again, to learn of a new version."""
        self.look()
        return self.released.answer(headers, ASKING)

    def text(self, known: Mapping[str, bytes]) -> str:
        """The page with answers that it need not ask for."""
        return _filled(self._page, (), known)

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
        text = _filled(self._page, links, known or {})
        return _page(text).answer(headers, ASKING, ", accept-language")


def _filled(page: str, links: Iterable[str], known: Mapping[str, bytes]) -> str:
    # A browser does not run it, so the policy need not allow it; it must not end early.
    data = "".join(
        f'  <script type="application/json" data-answer="{html.escape(path)}">'
        f"{body.decode().replace('<', chr(92) + 'u003c')}</script>\n"
        for path, body in known.items()
    )
    page = page.replace("</head>", f"{''.join(links)}</head>", 1)
    return page.replace("</body>", f"{data}</body>", 1)


@lru_cache(256)
def _page(text: str) -> File:
    """To pack it takes longer than all the rest."""
    return File(PAGE, text.encode())


def _language(accepted: str) -> str:
    """Which of ours a browser asks for first."""
    wanted = (part.partition(";")[0].strip().lower().split("-")[0] for part in accepted.split(","))
    return next((SPOKEN[one] for one in wanted if one in SPOKEN), "en")


def _content(body: bytes) -> Content:
    return Content(body, f'"{hashlib.sha256(body).hexdigest()}"')
