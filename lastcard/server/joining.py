"""Modules of the page, many to a file: over a slow connection every request takes its time.

A module becomes a function that is called when it is first needed and returns what the module
exports. That is the same as long as modules keep to a few plain forms of `import` and `export`, do
not import each other in a circle and export nothing that changes; whatever else is refused.
Lines stay lines, and a source map says where each comes from.

The page's files share their modules. A worker has one file, with all that it needs.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

APP = "app.js"
SHELL, FACE = "web", "games/{}/face"  # where modules lie in the package
MAIN = f"{SHELL}/main.js"
DEVICE = f"{SHELL}/device/"  # what runs in workers; the page has only what it imports of it
WORKERS = (f"{DEVICE}worker.js", f"{DEVICE}thinker.js")  # in the browser under the same names
SERVICE = f"{SHELL}/service.js"  # the service worker: one plain script, no module

NAME = r"[A-Za-z_$][\w$]*"
# What begins a line with these words is a statement: comments and texts of the page do not.
IMPORT = re.compile(
    rf"^import\s+(?:(?P<what>(?:{NAME}|\*\s+as\s+{NAME}|\{{[\w$\s,]*\}}|,|\s)+?)\s*\bfrom\s+)?"
    r"'(?P<path>\.\.?/[^'\n]+)';$",
    re.MULTILINE,
)
EXPORT = re.compile(
    rf"^export (?P<default>default )?(?:(?P<kind>(?:async )?function ?\*?|class|const) "
    rf"?(?P<name>{NAME})(?=[\s(=]))?",
    re.MULTILINE,
)
LISTED = re.compile(
    r"^export \{(?P<names>[\w$\s,]*)\}(?: from '(?P<path>\.\.?/[^'\n]+)')?;$", re.MULTILINE
)
STATEMENT = re.compile(r"^(?:import|export)\b(?!\s*\().*", re.MULTILINE)
# These begin with the word, which is quicker to look for than what must not be before it.
DYNAMIC = re.compile(r"import(?<![\w$.]import)\(")
META = re.compile(r"import(?<![\w$.]import)\.meta\b(?P<url>\.url\b)?")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
REMARK = re.compile(r"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)[ \t]*$", re.DOTALL | re.MULTILINE)

# What every program brings, the page's or a worker's.
PRELUDE = """\
const $base = new URL('{up}', import.meta.url).href, $bodies = new Map(), $made = new Map();
export const $define = (path, body) => $bodies.set(path, body);
export function $need(path) {{
  if (!$made.has(path)) $made.set(path, $bodies.get(path)($base + path));
  return $made.get(path);
}}
"""
# A file that is not there any more belongs to an older page, as it was before the server was
# brought up to date: then the page is loaded anew.
LOADING = """\
export const $from = (url) => async (path) => {
  const wanted = new URL(path, url).href.slice($base.length);
  if (!$bodies.has(wanted)) await $fetch($base + ($files[wanted] ?? wanted));
  return $need(wanted);
};
async function $fetch(url) {
  try {
    await import(url);
  } catch (problem) {
    const answer = await fetch(url, { method: 'HEAD' }).catch(() => null);
    if (answer?.status !== 404) throw problem;
    location.reload();
    await new Promise(() => {});
  }
}
"""


class Unjoinable(Exception):
    """A module that is written in a way we do not know."""


@dataclass(frozen=True)
class Module:
    path: str
    lines: tuple[str, ...]  # of the function's body, as many as the source has
    imports: tuple[str, ...]
    exports: Mapping[str, str]  # by the names that others import: what it is called inside
    loads: bool  # whether it imports something later


def file_of(path: str) -> str:
    """In which file a module is sent: what is needed together is together."""
    match path.split("/"):
        case ["web", "words", name]:
            return f"words.{name}"
        case ["games", _, "face", name] if name.startswith("words."):
            return name
        case ["games", game, "face", name] if name.startswith("rules."):
            return f"{game}.{name}"
        case ["games", game, "face", *rest] if rest != ["emblem.js"]:
            return f"{game}.js"
    return APP


def read(path: str, source: str) -> Module:
    """Takes a module apart."""
    imports: list[str] = []
    exports: dict[str, str] = {}

    def wanted(relative: str) -> str:
        where = posixpath.normpath(posixpath.join(posixpath.dirname(path), relative))
        imports.append(where)
        return where

    def imported(found: re.Match[str]) -> str:
        where = wanted(found["path"])
        what, rows = found["what"], "\n" * found[0].count("\n")
        if what is None:
            return f"$need('{where}');{rows}"
        what = " ".join(what.split())
        whole = re.fullmatch(rf"\* as ({NAME})", what)
        if whole:
            return f"const {whole[1]} = $need('{where}');{rows}"
        parts = re.fullmatch(rf"(?:({NAME}))?(?:, )?(?:\{{(.*)\}})?", what)
        if not parts:
            raise Unjoinable(f"{path}: {found[0]}")
        names = [f"default: {parts[1]}"] if parts[1] else []
        names += [one.strip() for one in (parts[2] or "").split(",") if one.strip()]
        taken = ", ".join(re.sub(r"^(\S+) as (\S+)$", r"\1: \2", one) for one in names)
        return f"const {{ {taken} }} = $need('{where}');{rows}"

    def listed(found: re.Match[str]) -> str:
        where = wanted(found["path"]) if found["path"] else ""
        for one in found["names"].split(","):
            inside, _, name = one.strip().partition(" as ")
            if inside:
                exports[name or inside] = f"$need('{where}').{inside}" if where else inside
        return (f"$need('{where}');" if where else "") + "\n" * found[0].count("\n")

    def exported(found: re.Match[str]) -> str:
        kind, name = found["kind"], found["name"]
        if found["default"] and (name is None or kind == "const"):
            exports["default"] = "$default"
            return "const $default = "
        if name is None:
            raise Unjoinable(f"{path}: {found.string[found.start() :].splitlines()[0]}")
        exports["default" if found["default"] else name] = name
        return found[0].removeprefix("export ").removeprefix("default ")

    text = IMPORT.sub(imported, _without_remarks(source))
    text = LISTED.sub(listed, text)
    text = EXPORT.sub(exported, text)
    if left := STATEMENT.search(COMMENT.sub("", text)):
        raise Unjoinable(f"{path}: {left[0]}")
    for meta in META.finditer(text):
        if not meta["url"]:
            raise Unjoinable(f"{path}: of import.meta only the url is known")
    loads = DYNAMIC.search(COMMENT.sub("", text)) is not None
    text = META.sub("$url", DYNAMIC.sub("$import(", text))
    lines = tuple(text.removesuffix("\n").split("\n"))
    assert len(lines) == len(source.removesuffix("\n").split("\n"))
    return Module(path, lines, tuple(imports), exports, loads)


def _without_remarks(source: str) -> str:
    """Without comments that have lines of their own, a fifth of all: nobody reads them there. What
    looks like one in a template is text."""
    kept, end = "", 0
    for found in REMARK.finditer(source):
        before = kept + source[end : found.start()]
        if COMMENT.sub("", before).count("`") % 2 == 0:
            kept, end = before + "\n" * found[0].count("\n"), found.end()
    return kept + source[end:]


def join(sources: Mapping[str, str]) -> dict[str, str]:
    """Files, with their source maps, of all modules."""
    modules = {path: read(path, source) for path, source in sources.items() if path != SERVICE}
    _check(modules)
    files: dict[str, list[Module]] = {}
    for path in _needed(modules, [one for one in modules if not one.startswith(DEVICE)]):
        files.setdefault(file_of(path), []).append(modules[path])
    made: dict[str, str] = {}
    for name, some in sorted(files.items()):
        others = sorted(
            {file_of(path) for one in some for path in one.imports} - {name, APP}
            | ({APP} if name != APP else set())
        )
        if name == APP:
            if others:
                raise Unjoinable(f"{APP} must not need {', '.join(others)}")
            elsewhere = {one.path: file for file in files if file != APP for one in files[file]}
            known = json.dumps(dict(sorted(elsewhere.items())))
            head = f"{PRELUDE.format(up='.')}{LOADING}const $files = {known};\n"
            tail = f"$need('{MAIN}');\n"
        else:
            head = f"import {{ $define, $from, $need }} from './{APP}';\n"
            head += "".join(f"import './{other}';\n" for other in others if other != APP)
            tail = ""
        made[name], made[f"{name}.map"] = _written(name, head, some, tail)
    for entry in WORKERS:
        if entry in modules:
            made[entry], made[f"{entry}.map"] = _worker(entry, modules)
    return made


def _worker(entry: str, modules: Mapping[str, Module]) -> tuple[str, str]:
    """A worker in one file, and its map. It draws nothing, and fetches no modules later."""
    some = [modules[path] for path in _needed(modules, [entry])]
    for one in some:
        if not one.path.startswith(f"{SHELL}/"):
            raise Unjoinable(f"{entry} must not need {one.path}")
        if one.loads:
            raise Unjoinable(f"{one.path}: a worker cannot import() anything")
    head = PRELUDE.format(up="../" * entry.count("/"))
    return _written(posixpath.basename(entry), head, some, f"$need('{entry}');\n")


def _needed(modules: Mapping[str, Module], by: Iterable[str]) -> list[str]:
    """These modules, and all that they import."""
    found, left = set(), list(by)
    while left:
        path = left.pop()
        if path not in found:
            found.add(path)
            left += modules[path].imports
    return sorted(found)


def _check(modules: Mapping[str, Module]) -> None:
    """What is imported is there, and no module waits for itself."""
    done: set[str] = set()

    def visit(path: str, above: tuple[str, ...]) -> None:
        if path in above:
            raise Unjoinable(f"modules import each other: {' -> '.join([*above, path])}")
        if path in done:
            return
        for other in modules[path].imports:
            if other not in modules:
                raise Unjoinable(f"{path} imports {other}, which is not there")
            visit(other, (*above, path))
        done.add(path)

    for path in modules:
        visit(path, ())


def _written(name: str, head: str, modules: Iterable[Module], tail: str) -> tuple[str, str]:
    """One file, and its map."""
    lines = head.removesuffix("\n").split("\n")
    places: list[tuple[int, int] | None] = [None] * len(lines)
    paths = []
    for number, module in enumerate(modules):
        paths.append(module.path)
        given = ", ".join(
            inside if known == inside else f"{known}: {inside}"
            for known, inside in module.exports.items()
        )
        loading = " const $import = $from($url);" if module.loads else ""
        lines.append(f"$define('{module.path}', ($url) => {{{loading}")
        lines += module.lines
        lines.append(f"return {{ {given} }}; }});")
        places += [None, *((number, line) for line in range(len(module.lines))), None]
    text = "\n".join(lines) + f"\n{tail}//# sourceMappingURL={name}.map\n"
    facts = {"version": 3, "sources": paths, "names": [], "mappings": _mappings(places)}
    return text, json.dumps(facts)


def _mappings(places: Iterable[tuple[int, int] | None]) -> str:
    """Where each line comes from: its source and its line there, as differences."""
    found = []
    source = line = 0
    for place in places:
        if place is None:
            found.append("")
            continue
        found.append(f"A{_number(place[0] - source)}{_number(place[1] - line)}A")
        source, line = place
    return ";".join(found)


@cache
def _number(value: int) -> str:
    """A number as source maps write it: groups of five bits, the lowest first, then the sign."""
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    rest = -value << 1 | 1 if value < 0 else value << 1
    text = ""
    while True:
        rest, low = rest >> 5, rest & 31
        text += digits[low | (32 if rest else 0)]
        if not rest:
            return text
