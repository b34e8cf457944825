"""The page as a folder of files, for any host: everything but live tables, and no server.

Addresses in it are relative, so it works under any path. Its version's files have a folder of their
own; `index.html` names them and is replaced last, so that whoever comes meanwhile gets either the
old page or the new one, whole.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from lastcard import __version__
from lastcard.errors import BadOption, LastCardError

from .catalogue import offered
from .faces import faces
from .files import PAGE, File, Files
from .joining import SERVICE, SHELL
from .security import POLICY

MARK = "site.json"  # by which we know a folder of ours
STAGE = ".new-"  # where files wait until all are written
OUTER = "frame-ancestors"  # a page cannot say this of itself
ROOTED = re.compile(r'\b(href|src)="/')
VERSION = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True)
class Written:
    """What a folder has got."""

    files: int
    plain: int  # bytes
    packed: int  # as hosts send it
    kept: int  # files of the version before
    left_out: list[str]  # games that cannot be played without a server


def write_site(out: Path, live: str | None = None) -> Written:
    """Writes the folder, or brings one up to date; `live` is where live tables are to be had."""
    if live is not None and (urlsplit(live).scheme not in ("http", "https") or " " in live):
        raise BadOption("live", "must look like https://cards.example.")
    _check(out)
    playable = [one for one in offered(None)["games"] if one["face"] and one["engine"]]
    ids = {one["id"] for one in playable}
    found = faces()
    files = Files(faces={id: found[id] for id in found if id in ids})
    content = _content(files, playable, live)
    try:
        kept = _replace(out, content, files.version)
    except OSError as error:
        where = error.filename or out
        raise LastCardError(f"{where}: {error.strerror}. {out} is as it was before.") from None
    return Written(
        files=len(content),
        plain=sum(len(file.plain.body) for file in content.values()),
        packed=sum(len(file.packed.body) for file in content.values()),
        kept=kept,
        left_out=[one["id"] for one in offered(None)["games"] if one["id"] not in ids],
    )


def _content(files: Files, games: list[object], live: str | None) -> dict[str, File]:
    """All files by their names, in the order in which they come into place."""
    known = {**offered(None), "games": games, **({"live": live} if live else {})}
    page = files.text({"/api/games": msgspec.json.encode(known)})
    policy = "; ".join(one for one in POLICY.split("; ") if not one.startswith(OUTER))
    meta = f'<meta http-equiv="content-security-policy" content="{policy}">'
    page = page.replace("<html ", '<html data-server="none" ', 1)
    page = page.replace("</title>\n", f"</title>\n  {meta}\n", 1)
    mark = msgspec.json.encode({"site": "Last Card", "lastcard": __version__})
    return {
        MARK: File(MARK, mark),
        **{f"{SHELL}/{files.version}/{name}": file for name, file in files.sent.items()},
        **files.kept,
        Path(SERVICE).name: files.released,
        PAGE: File(PAGE, ROOTED.sub(r'\1="', page).encode()),
    }


def _check(out: Path) -> None:
    """Only a folder of ours is replaced."""
    if not out.exists():
        return
    if not out.is_dir():
        raise LastCardError(f"{out} is not a folder.")
    there = [one for one in out.iterdir() if not one.name.startswith(STAGE)]
    if there and not (out / MARK).is_file():
        raise LastCardError(f"{out} is not empty, and no site of ours: nothing was written.")


def _replace(out: Path, content: dict[str, File], version: str) -> int:
    """Writes everything beside what is there, then puts it into place. How many files of the
    version before are kept."""
    with _folder(out):
        for left in out.glob(f"{STAGE}*"):  # by somebody who was stopped
            shutil.rmtree(left)
        with tempfile.TemporaryDirectory(prefix=STAGE, dir=out) as stage:
            for name, file in content.items():
                path = Path(stage) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(file.plain.body)
            for name in content:
                (out / name).parent.mkdir(parents=True, exist_ok=True)
                os.replace(Path(stage) / name, out / name)
    return _forget(out / SHELL, version)


@contextmanager
def _folder(out: Path) -> Iterator[None]:
    """A folder that is gone again if nothing could be written into it."""
    new = not out.exists()
    out.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except OSError:
        if new:
            shutil.rmtree(out)
        raise


def _forget(folder: Path, version: str) -> int:
    """Of older versions only the last is kept, for pages that are open; how many files it has."""
    older = [one for one in folder.iterdir() if VERSION.fullmatch(one.name) and one.name != version]
    older.sort(key=lambda one: one.stat().st_mtime_ns)
    for one in older[:-1]:
        shutil.rmtree(one, ignore_errors=True)  # the new version is in place already
    return sum(one.is_file() for folder in older[-1:] for one in folder.rglob("*"))
