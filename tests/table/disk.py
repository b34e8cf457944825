"""A disk for SQLite that can fail, and that remembers what was synced: a layer over SQLite's own
VFS, by way of its C interface, in the library that Python's sqlite3 uses."""

from __future__ import annotations

import _sqlite3
import contextlib
import ctypes
import random
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

OK, CANTOPEN, READONLY, FULL, IOERR = 0, 14, 8, 13, 10
OPEN_READONLY, OPEN_READWRITE, OPEN_CREATE = 0x1, 0x2, 0x4
SECTOR = 512  # bytes; a write is torn at most between two of these

Pointer, Int, Int64 = ctypes.c_void_p, ctypes.c_int, ctypes.c_int64
Open = ctypes.CFUNCTYPE(Int, Pointer, Pointer, Pointer, Int, Pointer)
Write = ctypes.CFUNCTYPE(Int, Pointer, Pointer, Int, Int64)
Truncate = ctypes.CFUNCTYPE(Int, Pointer, Int64)
Sync = ctypes.CFUNCTYPE(Int, Pointer, Int)
Delete = ctypes.CFUNCTYPE(Int, Pointer, Pointer, Int)
Close = ctypes.CFUNCTYPE(Int, Pointer)


class _Methods(ctypes.Structure):
    """sqlite3_io_methods, as far as it is needed; the rest is copied as it is."""

    _fields_ = (
        ("version", Int),
        ("close", Pointer),
        ("read", Pointer),
        ("write", Pointer),
        ("truncate", Pointer),
        ("sync", Pointer),
        ("rest", Pointer * 13),
    )


class _Vfs(ctypes.Structure):
    """sqlite3_vfs, likewise."""

    _fields_ = (
        ("version", Int),
        ("file_size", Int),
        ("longest_path", Int),
        ("next", Pointer),
        ("name", ctypes.c_char_p),
        ("data", Pointer),
        ("open", Pointer),
        ("delete", Pointer),
        ("rest", Pointer * 14),
    )


@dataclass
class _File:
    """What a file holds, and what of it is safe."""

    synced: bytes | None = None  # None: not even its name
    since: list[tuple[int, bytes | None]] = field(default_factory=list)  # None: cut off there

    def left(self, rng: random.Random) -> bytes | None:
        """After the power failed: some of what was not synced, in any order, may be there."""
        content = bytearray(self.synced or b"")
        kept = [one for one in self.since if rng.random() < 0.5]
        rng.shuffle(kept)
        for at, data in kept:
            if data is None:
                del content[at:]
                continue
            size = len(data)
            if rng.random() < 0.3:  # torn
                size = rng.randrange(0, len(data), SECTOR) if len(data) > SECTOR else 0
            content.extend(bytes(max(0, at - len(content))))
            content[at : at + size] = data[:size]
        return None if self.synced is None and not kept else bytes(content)


class Disk:
    """All files that SQLite opens while it is installed."""

    def __init__(self) -> None:
        self.fails: Callable[[str, str], int] = lambda what, path: OK
        self._files: dict[str, _File] = {}
        self._open: dict[int, str] = {}  # paths by the address of SQLite's file
        self._lock = threading.Lock()
        self._kept: list[Any] = []  # what SQLite points to

    def lose_power(self, folder: Path, rng: random.Random) -> None:
        """Puts what is left of all files into another folder."""
        with self._lock:
            for path, file in self._files.items():
                content = file.left(rng)
                if content is not None:
                    (folder / Path(path).name).write_bytes(content)

    @contextlib.contextmanager
    def installed(self) -> Iterator[Disk]:
        """New connections of this process use it."""
        library = ctypes.CDLL(_sqlite3.__file__)
        library.sqlite3_vfs_find.restype = Pointer
        library.sqlite3_vfs_register.argtypes = (Pointer, Int)
        below = _Vfs.from_address(library.sqlite3_vfs_find(None))
        vfs = _Vfs.from_buffer_copy(below)
        vfs.name, vfs.next = b"failing", None
        vfs.open, vfs.delete = self._opener(below), self._deleter(below)
        self._kept.append(vfs)
        library.sqlite3_vfs_register(ctypes.byref(vfs), 1)
        try:
            yield self
        finally:
            library.sqlite3_vfs_unregister(ctypes.byref(vfs))
            library.sqlite3_vfs_register(ctypes.byref(below), 1)

    def _keep(self, function: Any) -> Any:
        self._kept.append(function)
        return ctypes.cast(function, Pointer).value

    def _opener(self, below: _Vfs) -> Any:
        real = Open(below.open)

        def open(vfs: Any, name: Any, file: int, flags: int, out: Any) -> int:
            path = ctypes.string_at(name).decode() if name else ""
            if fault := self.fails("open", path):
                if fault != READONLY:
                    return fault
                flags = flags & ~(OPEN_READWRITE | OPEN_CREATE) | OPEN_READONLY
            result = real(ctypes.addressof(below), name, file, flags, out)
            if result == OK and path:
                self._watch(file, path)
                if fault == READONLY and out:
                    ctypes.c_int.from_address(out).value = flags
            return result

        return self._keep(Open(open))

    def _deleter(self, below: _Vfs) -> Any:
        real = Delete(below.delete)

        def delete(vfs: Any, name: Any, sync: int) -> int:
            with self._lock:
                self._files.pop(ctypes.string_at(name).decode(), None)
            return real(ctypes.addressof(below), name, sync)

        return self._keep(Delete(delete))

    def _watch(self, file: int, path: str) -> None:
        """Puts our functions between SQLite and this file."""
        with self._lock:
            self._open[file] = path
            if path not in self._files:
                content = Path(path).read_bytes()
                self._files[path] = _File(content or None)
        at = ctypes.c_void_p.from_address(file)
        assert at.value is not None
        real = _Methods.from_address(at.value)
        ours = _Methods.from_buffer_copy(real)
        write, truncate, sync = Write(real.write), Truncate(real.truncate), Sync(real.sync)

        def do_write(one: int, data: int, size: int, offset: int) -> int:
            return self._do("write", one, (offset, ctypes.string_at(data, size))) or write(
                one, data, size, offset
            )

        def do_truncate(one: int, size: int) -> int:
            return self._do("truncate", one, (size, None)) or truncate(one, size)

        def do_sync(one: int, flags: int) -> int:
            result = self._do("sync", one, None) or sync(one, flags)
            if result == OK:
                with self._lock:
                    path = self._open[one]
                    self._files[path] = _File(Path(path).read_bytes())
            return result

        ours.write = self._keep(Write(do_write))
        ours.truncate = self._keep(Truncate(do_truncate))
        ours.sync = self._keep(Sync(do_sync))
        self._kept.append(ours)
        at.value = ctypes.addressof(ours)

    def _do(self, what: str, file: int, change: tuple[int, bytes | None] | None) -> int:
        with self._lock:
            path = self._open[file]
            if fault := self.fails(what, path):
                return fault
            if change is not None:
                self._files[path].since.append(change)
        return OK


@contextlib.contextmanager
def disk() -> Iterator[Disk]:
    with Disk().installed() as one:
        yield one
