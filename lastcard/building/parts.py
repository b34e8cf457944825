"""What goes into a game's library, in order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lastcard.bots import playouts
from lastcard.bots.chance import EXPORTS as POLICY
from lastcard.bots.simple import policy_of
from lastcard.core.game import EXPORTS, Game
from lastcard.kernel.exports import Signature, signatures

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
