"""Takes pictures of every screen of the page, in three languages and two sizes.

usage: .venv/bin/python tools/screens.py FOLDER [--only TEXT]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import product
from pathlib import Path

from playwright.sync_api import Browser, Page

sys.path.insert(0, str(Path(__file__).parent.parent))

from lastcard.core.registry import games
from tests.browser.chromium import chromium
from tests.browser.harness import (
    DESK,
    LANGUAGES,
    PHONE,
    Site,
    Table,
    Visitor,
    serving,
)

SIZES = {"large": DESK, "phone": PHONE}
NAMES = {"en": "Dana", "he": "דנה", "ru": "Дана"}
MOVES = 4  # before the picture of a table
TRIES = 12  # matches to look for something worth showing
SCREENS: dict[str, Callable[[Site, Visitor, str], None]] = {}


def screen(work: Callable[[Site, Visitor, str], None]) -> Callable[[Site, Visitor, str], None]:
    SCREENS[work.__name__.replace("_", "-")] = work
    return work


@screen
def lobby(site: Site, visitor: Visitor, language: str) -> None:
    visitor.open("/").locator("[data-play]").first.wait_for()


@screen
def new_table(site: Site, visitor: Visitor, language: str) -> None:
    visitor.open("/new/chichiko").locator("details summary").click()


@screen
def waiting_room(site: Site, visitor: Visitor, language: str) -> None:
    seat = site.table("taki", 4, people=3, name=NAMES[language])
    visitor.page.goto(seat.own_path)
    visitor.page.locator(".waiting-room").wait_for()


@screen
def choices(site: Site, visitor: Visitor, language: str) -> None:
    """A card that can be played in several ways, if one comes up."""
    for _ in range(TRIES):
        table = at_turn(site, visitor, "chichiko", language)
        with suppress(AssertionError):  # the match is over
            for _ in range(TRIES):
                table.turn()
                thing = table.offered()[0]
                table.seen = thing["version"]
                table.click(thing)
                if visitor.page.locator(".choices").count():
                    return


@screen
def log(site: Site, visitor: Visitor, language: str) -> None:
    at_turn(site, visitor, "eight_half", language)
    visitor.page.locator("[data-log]").click()
    visitor.page.locator(".drawer li").first.wait_for()


@screen
def menu(site: Site, visitor: Visitor, language: str) -> None:
    at_turn(site, visitor, "taki", language)
    visitor.page.locator("[data-menu]").click()


@screen
def round_result(site: Site, visitor: Visitor, language: str) -> None:
    seat = site.table("chichiko", name=NAMES[language], options={"rounds": 2})
    table = visitor.sit(seat)
    while (what := table.next()) == "turn":
        table.play_one()
    assert what == "round", what


@screen
def final_standing(site: Site, visitor: Visitor, language: str) -> None:
    visitor.sit(site.table("taki", name=NAMES[language])).play_to_end()


@screen
def replay(site: Site, visitor: Visitor, language: str) -> None:
    seat = site.table("taki", 4, name=NAMES[language])
    site.quick(seat).play()
    visitor.sit(seat)
    page = visitor.open(f"/t/{seat.table}/matches/1")
    page.locator(".board").wait_for()
    for _ in range(6):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(100)


@screen
def settings(site: Site, visitor: Visitor, language: str) -> None:
    visitor.open("/settings")


def at_turn(site: Site, visitor: Visitor, game: str, language: str, players: int = 4) -> Table:
    """A table in the middle of a match, on the visitor's turn."""
    for _ in range(TRIES):
        seat = site.table(game, players, name=NAMES[language], options={})
        site.quick(seat).play(MOVES)
        table = visitor.sit(seat)
        with suppress(AssertionError):  # the match is over
            table.turn()
            return table
    raise AssertionError(f"no match of {game} was long enough")


def screens_of_games() -> Iterator[tuple[str, Callable[[Site, Visitor, str], None]]]:
    for game in games():
        yield f"table-{game}", partial(table, game)
        yield f"rules-{game}", partial(rules, game)


def table(game: str, site: Site, visitor: Visitor, language: str) -> None:
    at_turn(site, visitor, game, language)


def rules(game: str, site: Site, visitor: Visitor, language: str) -> None:
    visitor.open(f"/rules/{game}").locator(".example .board").first.wait_for()


def take(browser: Browser, site: Site, folder: Path, only: str) -> int:
    screens = {**SCREENS, **dict(screens_of_games())}
    taken = 0
    for language, size, name, theme in product(LANGUAGES, SIZES, screens, ("light", "dark")):
        title = f"{language}-{size}-{name}{'-dark' if theme == 'dark' else ''}"
        if only not in title or (theme == "dark" and not name.startswith("table")):
            continue
        visitor = Visitor(
            browser,
            site.url,
            locale=LANGUAGES[language],
            viewport=SIZES[size],
            color_scheme=theme,
        )
        screens[name](site, visitor, language)
        picture(visitor.page, folder / f"{title}.png")
        visitor.close()
        taken += 1
        print(f"{title}.png", flush=True)
    return taken


def picture(page: Page, path: Path) -> None:
    page.wait_for_timeout(150)
    page.screenshot(path=path)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="where the pictures go")
    parser.add_argument(
        "--only", default="", help="only screens with this in their name, such as he-phone"
    )
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as here,
        serving(f"sqlite:///{here}/tables.db") as site,
        chromium() as browser,
    ):
        taken = take(browser, site, asked.folder, asked.only)
    print(f"{taken} pictures in {asked.folder}")


if __name__ == "__main__":
    main()
