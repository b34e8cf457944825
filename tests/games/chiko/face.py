from tests.games.faces import FacePlan

FACE = FacePlan(
    title="Chiko",
    short={"target": 1},
    rounds={"target": 40},
    same="top hands quit last scores",
    sizes="stock",
    right={
        "alone": {("play 4", "play 5", "play 5", "play 6")},
        "dice": {("play 1",)},
        "egg": {("play e",)},
        "step": {("play 3",), ("play 4",)},
        "stop": {("quit",)},
    },
)
