"""Kinds of events, places of options and offsets of features come from the lists that name them.

A game counts nothing itself: it adds a name to a list (`Numbered`) and is told its number. These
tests read the games' sources, so a number from anywhere else is found wherever it is used.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from lastcard.core.registry import game, games

LADDER = Path(__file__).parents[2] / "examples" / "ladder" / "lastcard_ladder"
FOLDERS = [*(game(id).folder for id in games()), LADDER]
# The argument that is a kind of event.
TELLS = {"emit": 1, "show_hand": 3, "tell_winners": 1}


def constants(sources: dict[str, str]) -> dict[str, set[str]]:
    """By list: the constants that are numbers of what was added to it."""
    found: dict[str, set[str]] = {}
    for source in sources.values():
        for node in ast.parse(source).body:
            if not isinstance(node, ast.Assign):
                continue
            for call in ast.walk(node.value):
                if (
                    isinstance(call, ast.Call)
                    and isinstance(call.func, ast.Attribute)
                    and call.func.attr in ("add", "row")
                ):
                    names = {
                        one.id for one in ast.walk(node.targets[0]) if isinstance(one, ast.Name)
                    }
                    found.setdefault(ast.unparse(call.func.value), set()).update(names)
    return found


def ends(node: ast.expr) -> Iterator[ast.expr]:
    """What an expression can come to: both sides of a condition."""
    if isinstance(node, ast.IfExp):
        yield from ends(node.body)
        yield from ends(node.orelse)
    else:
        yield node


def terms(node: ast.expr) -> Iterator[ast.expr]:
    """The terms of a sum. A product is a stride, not an offset."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield from terms(node.left)
        yield from terms(node.right)
    elif not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult)):
        yield node


def is_local(node: ast.expr) -> bool:
    """A variable, parameter or table entry; a constant is upper case."""
    return not isinstance(node, ast.Constant | ast.Name) or (
        isinstance(node, ast.Name) and node.id.islower()
    )


def uses(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """What is used as a kind of event, an option's place or an offset: the list, and what."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in TELLS:
                for end in ends(node.args[TELLS[node.func.id]]):
                    yield "events", end
            elif node.func.id.startswith("_observe"):
                for n in node.args[3:4]:
                    yield from (("observed", term) for term in terms(n))
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "event":
            for end in ends(node.value):
                yield "events", end
        elif isinstance(node, ast.Subscript) and ast.unparse(node.value) == "s.options":
            yield "options", node.slice
        elif isinstance(node, ast.Subscript) and ast.unparse(node.value) == "out":
            for term in terms(node.slice):
                yield "observed", term


def strays(sources: dict[str, str]) -> list[str]:
    """Numbers that do not come from the list that names them."""
    named = constants(sources)
    offsets = {
        name
        for key, names in named.items()
        if key.startswith(("observed", "of_"))
        for name in names
    }
    allowed = {
        "events": named.get("events", set()),
        "options": named.get("options", set()),
        "observed": offsets,
    }
    found = []
    for module, source in sources.items():
        for key, node in uses(ast.parse(source)):
            if key == "observed" and module != "features":
                continue  # `out` is a list of legal actions there
            if not is_local(node) and ast.unparse(node) not in allowed[key]:
                found.append(f"{module}.py:{node.lineno} {ast.unparse(node)}")
    return found


def sources_of(folder: Path) -> dict[str, str]:
    return {file.stem: file.read_text() for file in sorted(folder.glob("*.py"))}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_numbers_come_from_their_lists(folder: Path) -> None:
    sources = sources_of(folder)
    named = constants(sources)
    assert all(named[key] for key in ("actions", "options", "events", "observed"))
    assert strays(sources) == []


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_nothing_is_counted_by_hand(folder: Path) -> None:
    """No `A, B, C = range(9, 12)` beside a list of names."""
    for node in ast.walk(ast.parse((folder / "components.py").read_text())):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
            assert "range(" not in ast.unparse(node.value), f"line {node.lineno}"


@pytest.mark.parametrize("id", games())
def test_events_that_are_added_together_have_their_own_names(id: str) -> None:
    """`SHOWED, COUNTED = (events.add(one) for ...)` would still run in another order."""
    components = import_module(f"{game(id).package}.components")
    for node in ast.parse(Path(str(components.__file__)).read_text()).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
            if "events.add" in ast.unparse(node.value):
                for name in ast.unparse(node.targets[0]).strip("()").split(", "):
                    assert components.EVENTS[getattr(components, name)].kind == name.lower()


@pytest.mark.parametrize("id", games())
def test_features_of_a_seat_lie_where_their_names_say(id: str) -> None:
    features = import_module(f"{game(id).package}.features")
    for place in range(features.SEATS):
        for offset, what in enumerate(features.of_seat):
            at = features.OF_SEATS + features.PER_SEAT * place + offset
            assert features.OBSERVED[at] == f"{what} {place}"


def test_a_number_that_drifts_is_found() -> None:
    good = {
        "components": "DEALT = events.add(1)\nWON = events.add(2)\nROUNDS = options.add(1)\n",
        "rules": "emit(log, WON if won else DEALT, seat)\nemit(log, event)\ns.options[ROUNDS]\n",
        "features": "OWN = observed.row(1)\nHERE = of_seat.add(1)\nout[OWN + 3 * a], out[n + HERE]",
    }
    assert strays(good) == []
    for module, bad, found in (
        ("rules", "emit(log, WON if won else 3, seat)", "rules.py:1 3"),
        ("rules", "emit(log, LOST, seat)", "rules.py:1 LOST"),
        ("rules", "tell_winners(s, ROUNDS, log)", "rules.py:1 ROUNDS"),
        ("rules", "event = LOST", "rules.py:1 LOST"),
        ("rules", "s.options[1]", "rules.py:1 1"),
        ("features", "OWN = observed.row(1)\nout[OWN + 1] = 1.0", "features.py:2 1"),
        ("features", "out[OWN + card] = 1.0", "features.py:1 OWN"),
        ("features", "OWN = 7\n_observe_hand(s, seat, out, OWN)", "features.py:2 OWN"),
    ):
        assert strays({**good, module: bad}) == [found], bad
