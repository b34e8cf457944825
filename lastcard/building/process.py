"""One game, built by a process that `builder` has set up: `python -m lastcard.building.process`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lastcard.bots import playouts
from lastcard.bots.chance import EXPORTS as POLICY
from lastcard.bots.simple import policy_of
from lastcard.core.game import EXPORTS, Game
from lastcard.core.registry import game as find
from lastcard.engine.places import MANIFEST
from lastcard.kernel.exports import Signature, signatures

from .entries import Entry, compile_entry
from .linking import TARGETS, link
from .manifest import dimensions_of, layouts_of, manifest_of

TEMPLATES = ("lastcard.bots.playouts", "lastcard.sim.selfplay")


def parts_of(game: Game) -> Iterator[tuple[str, Any, list[Signature]]]:
    """The modules that go into a library, and what each exports."""
    policy = policy_of(game)
    yield "rules", game.rules, signatures(EXPORTS, {})
    yield "policy", policy, signatures(POLICY, {})
    yield "telling", game.telling, signatures(game.telling.EXPORTS, {})
    for template in TEMPLATES:
        parts = {"policy": policy} if template == playouts.__name__ else {}
        module = game.bound(template, **parts)
        found = signatures(module.EXPORTS, getattr(module, "STRUCTURES", {}))
        yield template.rpartition(".")[2], module, found


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
    every = [entry for some in entries.values() for entry in some]
    for target in TARGETS:
        link(every, target, scratch, out / target.file)
    facts = manifest_of(game, entries)
    (out / MANIFEST).write_text(json.dumps(facts, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
