from lastcard.core.match import Match
from lastcard.games.chiko.components import LAST_ROUND
from tests.games.plans import Plan
from tests.helpers import times


def in_last_round(match: Match) -> None:
    match.record.round_number = LAST_ROUND


PLAN = Plan(
    twins=times(500, 25),
    playthroughs={
        "default": (3, {}),
        "target": (5, {"target": 120}),
        "opener": (2, {"opener": 1}),
    },
    short=lambda _: ("target", (1, 1, 1, 10, 20, 40)),
    one_round={"target": 1},
    more_rounds={"target": 40},
    asks_which=False,
    ended=("top", "hands", "quit", "last", "scores"),
    ended_sizes=("stock",),
    in_last_round=in_last_round,
)
