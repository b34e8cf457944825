"""What goes into a game's library, in order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lastcard.bots.chance import EXPORTS as POLICY
from lastcard.bots.learned import network_of
from lastcard.bots.search import playouts_of
from lastcard.bots.simple import policy_of
from lastcard.core.game import EXPORTS, Game
from lastcard.kernel.exports import Signature, signatures

# Parts that the page does not need: they are left out of WebAssembly, where size counts.
NATIVE = ("stepping", "recording")


def parts_of(game: Game) -> Iterator[tuple[str, Any, list[Signature]]]:
    """The modules that go into a library, and what each exports."""
    policy = policy_of(game)
    yield "rules", game.rules, signatures(EXPORTS, {})
    yield "policy", policy, signatures(POLICY, {})
    yield "telling", game.telling, signatures(game.telling.EXPORTS, {})
    search = playouts_of(game)
    deciding = game.bound("lastcard.sim.deciding", policy=policy)
    templates = {
        "network": network_of(game),
        "playouts": search,
        "selfplay": game.bound("lastcard.sim.selfplay"),
        "stepping": game.bound("lastcard.sim.stepping", playouts=search, policy=policy),
        "recording": game.bound("lastcard.sim.recording", deciding=deciding),
    }
    for name, module in templates.items():
        yield name, module, signatures(module.EXPORTS, getattr(module, "STRUCTURES", {}))
