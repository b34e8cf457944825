"""Your own bot: anything with `choose(view, legal)` can play. This one plays every game.

    lastcard arena chiko --bots examples/first_bot.py:FirstBot,random --matches 100

`view` is what the seat may see (as `match.view(seat)` gives it), `legal` its actions by name.
"""

from typing import Any


class FirstBot:
    """Calls if it must, plays the card it has most of, or else the first legal action."""

    def choose(self, view: dict[str, Any], legal: list[str]) -> str | None:
        if "call" in legal:
            return "call"  # TAKI: the last card
        if view["seat"] not in view["waiting"]:
            return None  # it may act out of turn, but need not
        hand = view["hands"][view["seat"]]["cards"]
        playable = [action for action in legal if action.startswith(("play ", "put "))]
        return max(playable or legal, key=lambda action: hand.count(action.split()[-1]))
