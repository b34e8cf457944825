"""Access to the database. `Database` and `Connection` hide how SQLite (`sqlite.py`) and PostgreSQL
(`postgres.py`) differ.

Callers pass an async function of a connection to `read` or `write`. With SQLite it runs in a thread
from its beginning to its end, for nothing in it ever waits.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from lastcard.errors import BadOption

T = TypeVar("T")
Row: TypeAlias = Sequence[Any]
EntryNumber: TypeAlias = tuple[str, int]  # its table, and which of the table's entries it is
EntryRow: TypeAlias = tuple[str, int, float, bytes]  # a row of `entries`
Work: TypeAlias = "Callable[[Connection], Coroutine[Any, Any, T]]"

SQLITE, POSTGRESQL = "sqlite", "postgresql"
ADDRESS = re.compile(
    r"(?P<kind>\w+)(?:\+\w+)?://"
    r"(?:(?P<user>[^:/@]*)(?::(?P<password>[^@]*))?@)?"
    r"(?P<host>[^/?]*)"  # and port, or several of them
    r"(?:/(?P<name>[^?]*))?"
    r"(?:\?(?P<more>.*))?"
)
HOST = re.compile(r"(?:\[[^]]*\]|[^:\[\]]*)(?::(?P<port>\d+))?")
LAST_PORT = 65_535


class DatabaseError(Exception):
    """The database failed. Whether anything was written shows only when it is read again."""

    def __init__(self, error: Exception | str, of_one: bool = False) -> None:
        lines = str(error).splitlines()
        super().__init__(lines[0] if lines else type(error).__name__)  # a timeout has no message
        self.of_one = of_one  # one of the rows is bad, not the database


class Connection(ABC):
    """What a function can do with the database."""

    bytes_type: str  # of columns

    @abstractmethod
    async def execute(self, statement: str, *values: object) -> Sequence[Row]:
        """Carries out a statement, with a value for each `?`; returns the rows found."""

    @abstractmethod
    async def add_entries(self, entries: Sequence[EntryRow]) -> set[EntryNumber]:
        """Adds them in one statement; returns those that were written. Where processes share the
        database another one may have been faster; where they do not, that is an error."""

    @abstractmethod
    async def notify(self, body: str) -> None:
        """Notifies all listeners when the transaction commits."""

    @abstractmethod
    async def has_table(self, name: str) -> bool: ...

    @abstractmethod
    async def wait_for_other_migrations(self) -> None:
        """Until this transaction ends, no other can migrate the database."""


class Database(ABC):
    """Where tables are kept."""

    shared: bool  # other processes may use it, too

    @abstractmethod
    async def read(self, work: Work[T]) -> T:
        """Returns what `work` does, or raises DatabaseError."""

    @abstractmethod
    async def write(self, work: Work[T]) -> T:
        """The same in a transaction, once everything is safe on disk. Never waits for readers,
        however many."""

    @abstractmethod
    async def close(self) -> None: ...

    @abstractmethod
    def listen(self, hear: Callable[[str], None], again: Callable[[], Awaitable[None]]) -> None:
        """Calls `hear` with each notification, and `again` when some may have been lost."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a database is: sqlite:///file, or postgresql://user:password@host/name."""

    kind: str  # SQLITE or POSTGRESQL
    name: str  # of the file, or of the database
    host: str = ""
    user: str | None = None
    password: str | None = None
    more: str = ""  # PostgreSQL's parameters, such as sslmode=require

    def __str__(self) -> str:
        """Without secrets."""
        password = "" if self.password is None else ":***"
        who = "" if self.user is None else f"{self.user}{password}@"
        return f"{self.kind}://{who}{self.host}/{self.name}"


def read_address(address: str) -> Address:
    found = ADDRESS.fullmatch(address)
    if found is None or not all(map(_is_host, found["host"].split(","))):
        raise BadOption(
            "database", "must look like sqlite:///file or postgresql://user:password@host/name."
        )
    parts = found.groupdict(default="")
    kind = POSTGRESQL if parts["kind"] == "postgres" else parts["kind"]
    if kind == SQLITE:
        if parts["name"] in ("", ":memory:") or parts["host"] or found["user"] is not None:
            raise BadOption("database", "sqlite needs a file: sqlite:///tables.db.")
        if parts["more"]:
            raise BadOption("database", "sqlite takes no parameters, only a file.")
        return Address(SQLITE, parts["name"])
    if kind != POSTGRESQL:
        raise BadOption("database", f"must be sqlite or postgresql, not {kind}.")
    who = found["user"], found["password"]
    return Address(POSTGRESQL, parts["name"], parts["host"], *who, parts["more"])


def _is_host(text: str) -> bool:
    found = HOST.fullmatch(text)
    return found is not None and int(found["port"] or 0) <= LAST_PORT
