"""The data card: what a folder of rows is, in Markdown."""

from __future__ import annotations

import shlex

from lastcard.kernel.texts import text_of

from .plans import DECISION, MATCH, Plan

MATCH_COLUMNS = {
    "match": "the match's number, from 0 on",
    "seats": "the bot in each seat",
    "opener": "the seat that opens the first round",
    "rounds": "how many rounds were played",
    "decisions": "how many actions players took; dice are none",
    "choices": "how many of these had an alternative",
    "scores": "the scores at the end, by seat",
    "winners": "the seats that won, by the rules of the game",
}
ROUND_COLUMNS = {
    **{name: MATCH_COLUMNS[name] for name in ("match", "seats", "decisions", "choices")},
    "round": "the round's number, from 1 on",
    "opener": "the seat that opens the round",
    "points": "what the round added to the scores, by seat",
    "scores": "the scores after the round, by seat",
    "winners": "the seats with the best points in this round",
}
DECISION_COLUMNS = {
    "match": MATCH_COLUMNS["match"],
    "decision": "its number in the match, from 0 on",
    "round": ROUND_COLUMNS["round"],
    "seat": "who decides",
    "observation": "what the seat knows, as numbers (`OBSERVED` of the game names them)",
    "hidden": "what the seat knows, as the bytes of its hidden record (`RECORD` of the game)",
    "legal": "its legal actions",
    "action": "what it did; null if it was not waited for, and did nothing",
    "share": "its share of the win in the end: 1 for the only winner, 0 for others",
    "score": "its score in the end",
    "points": "its points in this round",
}


def card_of(plan: Plan, written: int, capped: int | None) -> str:
    """The card of a plan of which so many matches are written; so many of them were ended by the
    limit of rounds, if there is one."""
    rules = plan.rules
    state = "" if written == plan.matches else f" {written} are here; `--resume` adds the rest."
    facts = {
        "game": f"{rules.title} (`{plan.game}`)",
        "players": plan.players,
        "options": ", ".join(f"{name} {text_of(value) or 'none'}" for name, value in plan.options),
        "bots by seat": ", ".join(plan.bots),
        "seed": f"{plan.seed}, matches 0 to {plan.matches - 1}",
        **({"ruling": f"`{plan.ruling}`, instead of ours"} if plan.ruling else {}),
        **({} if capped is None else {"ended by the limit of rounds": capped}),
        "made by": f"lastcard {plan.version}, sources {plan.sources}",
    }
    lines = "\n".join(f"- {name}: {value}" for name, value in facts.items())
    columns = "\n".join(f"| `{name}` | {what} |" for name, what in columns_of(plan).items())
    return f"""# {rules.title}: {plan.matches} simulated matches

A row for each {plan.rows}.{state}

{lines}

To make it again:

```
{command_of(plan)}
```

{repeats(plan)}

| column | |
|---|---|
{columns}

Files are partitioned by game and players, in Hive's way. Each holds {plan.part} matches, the last
one perhaps fewer, and all of the above in its metadata, under `lastcard`; under `lastcard-part` are
the first match that it holds and the last. To deal a match again:

```python
from lastcard.sim.plans import key_of
{dealer(plan)}.match({plan.players}, key_of({plan.seed}, match), {dict(plan.options)})
```

{secrets(plan)}"""


def dealer(plan: Plan) -> str:
    """What a game is called by, in Python."""
    if plan.ruling:
        return f'lastcard.sim.rulings.ruled("{plan.game}", "{plan.ruling}")'
    return f'lastcard.game("{plan.game}")'


def repeats(plan: Plan) -> str:
    """Whether the same rows come out again."""
    names = plan.unrepeatable()
    if not names:
        return "The same command gives the same bytes, whatever the workers and the machine."
    told = ", ".join(f"`{name}`" for name in names)
    return (
        f"The deals are the same every time, but not what {told} will choose: it depends on the "
        "clock, or on a user's code. Search with a number of playouts, such as `search:1000`, "
        "repeats itself."
    )


def secrets(plan: Plan) -> str:
    """What rows tell that players do not know."""
    if plan.rows == DECISION:
        return (
            "What a seat sees is made from its hidden record, so no row tells what the seat could "
            "not know when it decided; but `share`, `score` and `points` tell how it ended.\n"
        )
    return "Rows tell how matches ended, and nobody's cards.\n"


def columns_of(plan: Plan) -> dict[str, str]:
    if plan.rows == DECISION:
        unwanted = "observation" if plan.hidden else "hidden"
        return {name: what for name, what in DECISION_COLUMNS.items() if name != unwanted}
    columns = dict(MATCH_COLUMNS if plan.rows == MATCH else ROUND_COLUMNS)
    kinds = ", ".join(event.kind for event in plan.rules.events)
    columns["event_..."] = (
        f"how many events of a kind there were, other than in the first deal: {kinds}"
    )
    return columns


def command_of(plan: Plan) -> str:
    """The command that makes the same rows."""
    words = ["lastcard", "simulate", plan.game, "--matches", str(plan.matches)]
    words += ["--players", str(plan.players), "--bots", ",".join(plan.bots)]
    words += ["--seed", str(plan.seed), "--rows", plan.rows, "--part", str(plan.part)]
    for name, value in plan.options:
        words += ["--option", f"{name}={text_of(value) or 'none'}"]
    words += ["--ruling", plan.ruling] if plan.ruling else []
    words += ["--hidden"] if plan.hidden else []
    return shlex.join([*words, "--out", "FOLDER"])
