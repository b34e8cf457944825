from itertools import product

from tests.games.faces import FacePlan, shuffled

DOUBLES = ("put ys-ys @0", "put gn-gn @1", "put bs-bs @2", "put bk-bk @3")

FACE = FacePlan(
    title="Chi-Chi-Ko",
    short={"rounds": 1},
    rounds={"rounds": 2},
    same="laid ends hands direction points scores",
    sizes="bazaar",
    right={
        "draw": {("draw", "draw", "put rk-gp @1")},
        "event": {("put bs-b+2 @1",)},
        "fits": {
            *((f"put {tile} @0",) for tile in ("rs-bp", "bp-rs", "rn-rx", "rx-rn")),
            *((f"put {tile} @1",) for tile in ("bk-gn", "rp-gc", "rn-rx", "rx-rn")),
        },
        "sausage": {("across gn-bk right",)},
        "telephone": {
            order
            for closed in product(("", " closed"), repeat=4)
            for order in shuffled(*map("".join, zip(DOUBLES, closed, strict=True)))
        },
    },
)
