from tests.games.faces import FacePlan, shuffled

RUNS = [("play gt", *two, "play gs", "close") for two in shuffled("play g4", "play gr")]

FACE = FacePlan(
    title="TAKI",
    short={"rounds": 1},
    rounds={"rounds": 2},
    same="top colour direction hands pile scores",
    sizes="stock",
    right={
        "chain": {("play y2+",)},
        "last_card": {order for card in ("play y4", "play y7") for order in shuffled(card, "call")},
        "match": {("play r8",), ("play y5",)},
        "plus_three": {("play b+", "play b3")},
        # Nobody has to call with two cards left, but in a run everybody may.
        "run": {*RUNS, *((*run[:n], "call", *run[n:]) for run in RUNS for n in range(1, 5))},
    },
)
