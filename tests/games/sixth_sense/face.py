from tests.games.faces import FacePlan

FACE = FacePlan(
    title="Sixth Sense",
    short={"target": 1, "beginner": True},  # it ends when somebody has a point: beginners soon do
    rounds={"target": 40, "beginner": True},
    same="hands predictions aims tricks scores",
    right={
        "block": {("block r0 2",)},
        "double": {("split",)},
        "follow": {("play r6",)},
        "predict": {("predict r1",), ("predict y2",), ("predict g4",)},
        "reversal": {("play b14",)},
    },
)
