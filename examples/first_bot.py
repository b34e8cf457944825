"""A bot of your own: anything with `choose(view, legal)` can play. Here is one for every game.

    lastcard arena chiko --bots examples/first_bot.py:FirstBot,random --matches 100

`view` is what the seat may see (as `match.view(seat)` gives it), `legal` its actions by name.
"""

from typing import Any


class FirstBot:
    """Says what has to be said, plays a card that it has most of, else whatever comes first."""

    def choose(self, view: dict[str, Any], legal: list[str]) -> str | None:
        if "call" in legal:
            return "call"  # TAKI: one's last card
        if view["seat"] not in view["waiting"]:
            return None  # it may act out of turn, but lets it be
        hand = view["hands"][view["seat"]]["cards"]
        playable = [action for action in legal if action.startswith(("play ", "put "))]
        return max(playable or legal, key=lambda action: hand.count(action.split()[-1]))
