"""The shape of the package: files and functions that fit the eye."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import lastcard

PACKAGE = Path(lastcard.__file__).parent
LONGEST_FILE = 700  # lines
LONGEST_RULES = 630  # of a game's rules.py: the rulebook and what carries it out
LONGEST_FUNCTION = 60
DEEPEST = 4

FILES = sorted(PACKAGE.rglob("*.py"))
Function = ast.FunctionDef | ast.AsyncFunctionDef
BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.Match)


def functions(source: str) -> Iterator[Function]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, Function):
            yield node


def depth(node: ast.AST) -> int:
    """How deep blocks are nested in it; `elif` is no deeper than its `if`, and functions within
    functions count for themselves."""
    deepest = 0
    for field, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, Function):
                continue
            is_elif = field == "orelse" and isinstance(node, ast.If) and isinstance(child, ast.If)
            deeper = isinstance(child, BLOCKS) and not (is_elif and len(value) == 1)
            deepest = max(deepest, deeper + depth(child))
    return deepest


def problems(source: str) -> list[str]:
    return [
        f"{one.name}: {what}"
        for one in functions(source)
        for what, bad in (
            ("too long", (one.end_lineno or 0) - one.lineno >= LONGEST_FUNCTION),
            ("nested too deep", depth(one) > DEEPEST),
        )
        if bad
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_file_fits_the_eye(path: Path) -> None:
    source = path.read_text()
    longest = LONGEST_RULES if path.name == "rules.py" else LONGEST_FILE
    assert len(source.splitlines()) <= longest
    assert problems(source) == []


def nested(levels: int) -> str:
    ifs = "".join(f"{'    ' * n}if a > {n}:\n" for n in range(1, levels + 1))
    return f"def nested(a):\n{ifs}{'    ' * (levels + 1)}pass\n"


def test_what_is_too_long_or_too_deep_is_found() -> None:
    assert problems(nested(DEEPEST)) == []
    assert problems(nested(DEEPEST + 1)) == ["nested: nested too deep"]
    assert problems("def short():\n" + "    pass\n" * (LONGEST_FUNCTION - 1)) == []
    assert len(problems("def long():\n" + "    pass\n" * LONGEST_FUNCTION)) == 1
    chain = "def chain(a):\n    if a == 0:\n        pass\n"
    chain += "".join(f"    elif a == {n}:\n        pass\n" for n in range(1, 9))
    assert problems(chain) == []
