from tests.games.faces import FacePlan

FACE = FacePlan(
    title="Eight and a Half",
    short={"rounds": 1},
    rounds={"rounds": 2},
    same="pot value open burned counts scores",
    sizes="hands blind banks",
    right={
        "blind": {("flip 0",), ("flip 1",)},
        "eight": {("play 8h",)},
        "five": {("play 2",)},
        "jokers": {("play 0",), ("play h",), ("play g",)},
        "police": {("play 4",)},
    },
)
