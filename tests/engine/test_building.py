"""What is shipped was built from the sources beside it, and the same way every time."""

from __future__ import annotations

from pathlib import Path

from lastcard.core.game import Game
from lastcard.engine.places import folder_of, manifest_of, sources_of, state_of
from lastcard.kernel.compiling import digest_of


def test_what_is_built_belongs_to_the_sources(any_game: Game) -> None:
    manifest = manifest_of(folder_of(any_game.folder))
    assert manifest and manifest["state"] == state_of(any_game.folder), (
        f"The libraries of {any_game.id} were built from other sources. Run: make engine"
    )


def test_a_library_needs_nothing(any_game: Game) -> None:
    """No symbol is left for the system to find: whatever runs the file runs all of it."""
    for path in sorted(folder_of(any_game.folder).glob("*.so")):
        assert undefined(path.read_bytes()) == []


def undefined(elf: bytes) -> list[str]:
    """The names in an ELF file's dynamic symbol table that it does not define."""

    def number(at: int, size: int) -> int:
        return int.from_bytes(elf[at : at + size], "little")

    sections = [number(0x28, 8) + number(0x3A, 2) * index for index in range(number(0x3C, 2))]
    found = []
    for at in sections:
        if number(at + 4, 4) != 11:  # SHT_DYNSYM
            continue
        names = number(sections[number(at + 0x28, 4)] + 0x18, 8)
        start, size = number(at + 0x18, 8), number(at + 0x20, 8)
        for symbol in range(start + 24, start + size, 24):
            if number(symbol + 6, 2) == 0:
                where = names + number(symbol, 4)
                found.append(elf[where : elf.index(b"\0", where)].decode())
    return found


def test_a_change_in_any_source_is_seen(any_game: Game, tmp_path: Path) -> None:
    files = sources_of(any_game.folder)
    names = {file.name for file in files}
    assert {"seats.py", "playouts.py", "selfplay.py", "rules.py", "policy.py"} <= names
    before = digest_of(*files)
    for number, file in enumerate(files):
        changed = tmp_path / file.name
        changed.write_text(file.read_text() + "# changed\n")
        assert digest_of(*files[:number], changed, *files[number + 1 :]) != before, file.name
