"""One game, built by a process that `builder` has set up: `python -m lastcard.building.process`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from lastcard.core.registry import game as find
from lastcard.engine.places import MANIFEST

from .entries import Entry, compile_entry
from .linking import TARGETS, link
from .manifest import dimensions_of, layouts_of, manifest_of
from .parts import parts_of


def main(id: str, scratch: Path) -> None:
    game = find(id)
    layouts, known = layouts_of(game), dimensions_of(game)
    entries: dict[str, list[Entry]] = {}
    for part, module, found in parts_of(game):
        tuples = {name: getattr(module, name) for name in getattr(module, "STRUCTURES", {})}
        entries[part] = [
            compile_entry(one, getattr(module, one.name), tuples, layouts, known) for one in found
        ]
    out = scratch / "built"
    out.mkdir()
    for target in TARGETS:
        link(entries, target, scratch, out / target.file)
    facts = manifest_of(game, entries)
    (out / MANIFEST).write_text(json.dumps(facts, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
