from tests.games.plans import Plan
from tests.helpers import times

PLAN = Plan(
    twins=times(60, 4),  # few, since there are nine numbers of players
    playthroughs={
        "default": (4, {}),
        "rounds": (10, {"rounds": 2}),
        "must_play": (3, {"must_play": False, "rounds": 1}),
        "crazy_all": (6, {"crazy_all": True, "rounds": 1}),
        "announce": (5, {"announce": "auto", "rounds": 1}),
        "opener": (2, {"opener": 1, "rounds": 1}),
    },
    short=lambda _: ("rounds", (1, 1, 1, 2)),
)
