"""A study from beginning to end: plays, writes the page, and the rows behind it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from lastcard.errors import BadOption

from .gathering import Tell, gather
from .questions import Design
from .report import Number, Report

KINDS = ("rounds", "decisions", "dealt", "skill", "numbers")  # of files beside a page


def rows_folder(page: Path) -> Path:
    """Where the rows behind a page go: beside it."""
    return page.with_name(f"{page.stem}-rows")


def write_study(
    design: Design, page: Path, workers: int | None = None, tell: Tell = lambda _: None
) -> None:
    """Plays, and writes the page and the rows."""
    with _whole(page) as unfinished, Rows(rows_folder(page)) as rows:
        report = Report(gather(design, workers, tell, rows.add))
        unfinished.write_text(report.page(), encoding="utf-8")
        columns: dict[str, list[Any]] = {
            one.name: [getattr(number, one.name) for number in report.numbers]
            for one in fields(Number)
        }
        rows.add("numbers", pa.table(columns))


@contextmanager
def _whole(page: Path) -> Iterator[Path]:
    """A file that takes the page's place when it is whole. If none can be written there, that is
    said before anything is played."""
    if page.is_dir():
        raise BadOption("out", f"{page} is a folder; name a file, such as study.html.")
    unfinished = page.with_name(f"{page.name}.part")
    unfinished.touch()
    try:
        yield unfinished
        unfinished.replace(page)
    finally:
        unfinished.unlink(missing_ok=True)


class Rows(ExitStack):
    """Parquet files for a folder, which grow table by table. They take their places when all are
    whole: until then, those of an earlier study stay."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder
        self.files: dict[str, pq.ParquetWriter] = {}
        beside = TemporaryDirectory(prefix=".study-", dir=folder.parent)
        self.unfinished = Path(self.enter_context(beside))

    def add(self, name: str, rows: pa.Table) -> None:
        if name not in self.files:
            path = self.unfinished / f"{name}.parquet"
            self.files[name] = pq.ParquetWriter(path, rows.schema, compression="zstd")
        self.files[name].write_table(rows)

    def __exit__(self, kind: Any, *error: Any) -> None:
        for file in self.files.values():
            file.close()
        if kind is None:
            self._take_their_places()
        super().__exit__(kind, *error)

    def _take_their_places(self) -> None:
        self.folder.mkdir(exist_ok=True)
        for known in KINDS:  # of an earlier study, perhaps with other numbers of players
            for file in self.folder.glob(f"{known}*.parquet"):
                file.unlink()
        for file in self.unfinished.iterdir():
            file.replace(self.folder / file.name)
