from tests.games.plans import Plan
from tests.helpers import times

PLAN = Plan(
    twins=times(500, 25),
    playthroughs={
        "default": (3, {}),
        "target": (5, {"target": 120}),
        "opener": (2, {"opener": 1}),
    },
    short=lambda _: ("target", (1, 1, 1, 10, 20, 40)),
)
