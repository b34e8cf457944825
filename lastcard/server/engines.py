"""The rules as browsers run them: each game's engine, as it was built from the sources that run
here."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from lastcard.bots import levels_of
from lastcard.bots.learned import BELIEF, FACTS, FOLDER, WEIGHTS, has_learned, packed, trained_for
from lastcard.bots.network import Network
from lastcard.core.registry import folder_of, games
from lastcard.core.registry import game as find
from lastcard.engine import places

ENGINE = "games/{}/engine"  # under which browsers ask for it
LEARNED = "games/{}/learned"  # and for its network
EXAMPLES = "games/{}/examples.json"  # and for the examples in the rules, which it plays
FOR_LEARNERS = "observed"  # names of the numbers that a learner sees: no page needs them


@cache  # for good: rules that are changed meanwhile do not run here either
def engines() -> dict[str, dict[str, bytes]]:
    """The files of all engines, by the ids of their games. One of other rules than those that run
    here is none, and a game of another package may have none."""
    return {id: files for id in games() if (files := read_engine(folder_of(id)))}


@cache
def networks(id: str) -> dict[str, bytes]:
    """What a self-taught bot plays a game by, where browsers ask for it."""
    game = find(id)
    if not has_learned(game):
        return {}
    trained = trained_for(game)
    files = {WEIGHTS: packed(trained.net), FACTS: sizes_of(trained.net)}
    if trained.believed is not None:
        weights, facts = BELIEF
        files |= {weights: packed(trained.believed), facts: sizes_of(trained.believed)}
    return {f"{LEARNED.format(id)}/{name}": body for name, body in files.items()}


def sizes_of(net: Network) -> bytes:
    """All that a page needs to know about a network."""
    return msgspec.json.encode({"sizes": net.sizes.tolist()})


def read_engine(game: Path) -> dict[str, bytes]:
    """Of one game, from its folder."""
    folder = places.folder_of(game)
    facts, code = places.manifest_of(folder), folder / places.WASM
    if facts is None or facts["state"] != places.state_of(game) or not code.is_file():
        return {}
    told = {name: value for name, value in facts.items() if name != FOR_LEARNERS}
    told["levels"] = dict(levels_of(find(facts["game"])))  # the bot of each level
    told["learned"] = (game / FOLDER / FACTS).is_file()  # whether there is a network to ask for
    told["belief"] = (game / FOLDER / BELIEF[1]).is_file()
    return {places.WASM: code.read_bytes(), places.MANIFEST: msgspec.json.encode(told)}
