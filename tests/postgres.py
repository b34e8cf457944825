"""A PostgreSQL of one's own for as long as a test runs."""

from __future__ import annotations

import os
import pwd
import random
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

NAME = "lastcard"  # of the database, and of who may do everything with it
PATIENCE = 60  # seconds for each step; all together take about two
MISSING = "PostgreSQL's server is missing. Please run: sudo apt-get install postgresql"


class NoPostgres(Exception):
    pass


@contextmanager
def postgres() -> Iterator[str]:
    """Starts a fresh PostgreSQL that nobody else uses, and gives the URL of its empty database."""
    cluster = _Cluster()
    try:
        cluster.start()
        yield f"postgresql://{NAME}@127.0.0.1:{cluster.port}/{NAME}"
    finally:
        cluster.destroy()


def free_port() -> int:
    """A loopback port that nobody listens on.

    It is none of those that the system gives to outgoing connections: who calls a server that is
    down again and again would at last be connected to himself, and the server could not come back.
    """
    while True:
        port = random.SystemRandom().randrange(20_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class _Cluster:
    def __init__(self) -> None:
        self._binaries = _binaries()
        self._user = _user()
        self._folder = Path(tempfile.mkdtemp(prefix="lastcard-pg-", dir=_room(self._user)))
        self._data = self._folder / "data"
        self.port = free_port()
        if self._user is not None:
            shutil.chown(self._folder, self._user, pwd.getpwnam(self._user).pw_gid)

    def start(self) -> None:
        self._run("initdb", "-U", NAME, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        self._run("postgres", "--single", "postgres", orders=f"CREATE DATABASE {NAME};\n")
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": str(self.port),
            "unix_socket_directories": str(self._folder),
            "fsync": "on",
        }
        with (self._data / "postgresql.auto.conf").open("a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())
        # Its own log: else a server in the background would hold on to our pipes.
        log = str(self._folder / "log")
        self._run("pg_ctl", "start", "--silent", "-w", "-t", str(PATIENCE), "-l", log)

    def destroy(self) -> None:
        try:
            if (self._data / "postmaster.pid").exists():
                self._run("pg_ctl", "stop", "--silent", "-m", "immediate", "-w")
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _run(self, program: str, *arguments: str, orders: str = "") -> None:
        done = subprocess.run(
            [str(self._binaries / program), *arguments],
            input=orders,
            env=self._environment(),
            cwd=self._folder,
            user=self._user,
            group=None if self._user is None else pwd.getpwnam(self._user).pw_gid,
            extra_groups=None if self._user is None else [],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=2 * PATIENCE,
            check=False,
        )
        if done.returncode:
            log = self._folder / "log"
            more = log.read_text(errors="replace") if log.exists() else ""
            raise NoPostgres(f"{program} failed ({done.returncode}):\n{done.stdout}{more}")

    def _environment(self) -> dict[str, str]:
        """Nothing of a PostgreSQL that the user may have."""
        own = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
        return {**own, "PGDATA": str(self._data), "LC_ALL": "C"}


def _binaries() -> Path:
    """The folder of initdb and the others; Debian keeps them off the PATH."""
    folders = []
    if found := shutil.which("initdb"):
        folders.append(Path(found).resolve().parent)
    if config := shutil.which("pg_config"):
        told = subprocess.run(
            [config, "--bindir"], capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        folders.append(Path(told.stdout.strip()))
    debian = Path("/usr/lib/postgresql")
    numbered = [folder for folder in debian.glob("*/bin") if folder.parent.name.isdigit()]
    folders += sorted(numbered, key=lambda folder: int(folder.parent.name), reverse=True)
    for folder in folders:
        if all((folder / program).is_file() for program in ("initdb", "pg_ctl", "postgres")):
            return folder
    raise NoPostgres(MISSING)


def _user() -> str | None:
    """Who runs it: PostgreSQL does not let root."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam("postgres").pw_name
    except KeyError:
        raise NoPostgres(MISSING) from None


def _room(user: str | None) -> str | None:
    """The folder for temporary files, or one that another user can get into as well."""
    if user is None:
        return None
    for place in (tempfile.gettempdir(), "/tmp", "/var/tmp"):
        path = Path(place).resolve()
        if all(folder.stat().st_mode & 0o001 for folder in (path, *path.parents)):
            return place
    raise NoPostgres("There is no temporary folder that the user postgres can get into.")
