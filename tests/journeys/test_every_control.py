"""Every link and every button of every screen is pressed once: something must come of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import cycle

import pytest
from playwright.sync_api import expect

from lastcard.bots import LEVELS
from lastcard.core.registry import games
from lastcard.server.files import WEB
from tests.journeys.crawler import Crawler
from tests.journeys.people import Person

Meet = Callable[..., Person]
# In all languages, on a phone and on a desk.
PHONES = [("en", "phone"), ("he", "phone"), ("ru", "phone")]
EVERYWHERE = [("en", "desk"), *PHONES[1:]]
# The games, each of which has screens of its own, take turns with languages and devices.
GAMES = [(id, *where) for id, where in zip(games(), cycle([*EVERYWHERE, *PHONES]), strict=False)]
TURNS = 3  # in which all that is offered is pressed
everywhere = pytest.mark.parametrize(("language", "device"), EVERYWHERE)
on_phones = pytest.mark.parametrize(("language", "device"), PHONES)
of_games = pytest.mark.parametrize(("game", "language", "device"), GAMES)


def begin(meet: Meet, language: str, device: str) -> Crawler:
    person = meet(language=language, device=device)
    person.visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    crawler = Crawler(person)
    person.opens()
    return crawler


@everywhere
def test_the_lobby_and_the_settings(meet: Meet, language: str, device: str) -> None:
    crawler = begin(meet, language, device)
    crawler.press_all()
    crawler.finally_press("link", "settings.title")
    crawler.press_all()
    crawler.finally_press("link", "nav.back")


@on_phones
def test_waiting_for_others(meet: Meet, language: str, device: str) -> None:
    """The room before a match; who is invited, who leaves, and bots instead."""
    crawler = begin(meet, language, device)
    ann = crawler.person
    ann.makes_a_table("taki", players=3, company="new.friends")
    ann.sees("room.invite")
    levels = [f"level.{level}" for level in LEVELS]
    crawler.press_all("menu.leave", "fair.give", *levels)
    ann.types("our own words", ann.finds("textbox", "fair.seed"))
    crawler.finally_press("button", "fair.give")
    link = ann.finds("textbox", "room.link").input_value()
    guest = begin(meet, language, device)
    guest.person.opens(link)
    guest.person.sees("room.sit")
    guest.press_all("room.sit")
    guest.finally_press("button", "room.sit")
    guest.person.sees("room.invite")
    guest.finally_press("button", "menu.leave")
    guest.person.sees("lobby.lead")
    crawler.finally_press("button", levels[PHONES.index((language, device))])
    expect(ann.hand()).not_to_have_count(0)
    for button in ("menu.title", "menu.copy", "menu.title", "menu.leave", "choices.none"):
        crawler.finally_press("button", button)
    for button in ("menu.title", "menu.leave", "menu.leave"):  # it is asked again
        crawler.finally_press("button", button)
    ann.sees("lobby.lead")


@on_phones
def test_the_end_and_the_replay(meet: Meet, language: str, device: str) -> None:
    crawler = begin(meet, language, device)
    ann = crawler.person
    ann.makes_a_table("chiko", players=2, numbers={"target": 1})
    ann.favourite = "chiko.offer.quit"
    ann.plays_to_the_end()
    crawler.finally_press("button", "close")
    crawler.press_all("result.rematch", "lobby.delete")
    crawler.finally_press("button", "menu.title")
    crawler.finally_press("button", "menu.result")
    crawler.finally_press("link", "result.watch")
    crawler.press_all()
    crawler.finally_press("link", "nav.back")
    ann.dialog("dialog.final").wait_for()
    crawler.finally_press("button", "result.rematch")
    expect(ann.dialog("dialog.final")).to_have_count(0)


@of_games
def test_a_game(meet: Meet, game: str, language: str, device: str) -> None:
    """The form for a table, and the table itself with all that opens over it."""
    crawler = begin(meet, language, device)
    ann = crawler.person
    title = ann.words(f"{game}.title")
    crawler.finally_press("link", "lobby.newOf", game=title)
    crawler.press_all("new.make")
    crawler.finally_press("link", "nav.back")
    crawler.finally_press("link", "lobby.newOf", game=title)
    ann.chooses("new.with", "new.bots")
    ann.chooses("new.level", "level.easy")
    crawler.finally_press("button", "new.make")
    expect(ann.hand()).not_to_have_count(0)
    over = ann.says("table.over").or_(ann.says("result.youWin"))
    for _ in range(TURNS):
        crawler.press_all("lobby.delete", most=40)
        ann.offered().or_(over).first.wait_for()
        if over.count():
            break
    crawler.finally_press("button", "menu.title")
    crawler.finally_press("button", "lobby.delete")
    crawler.finally_press("button", "choices.none")
    crawler.finally_press("button", "menu.title")
    crawler.finally_press("button", "lobby.delete")
    crawler.finally_press("button", "lobby.delete")  # it is asked again
    ann.sees("lobby.lead")


@of_games
def test_rules(meet: Meet, game: str, language: str, device: str) -> None:
    crawler = begin(meet, language, device)
    crawler.finally_press("link", "lobby.rulesOf", game=crawler.person.words(f"{game}.title"))
    crawler.press_all()
    crawler.finally_press("link", "nav.back")


def test_a_link_with_a_slip(meet: Meet) -> None:
    """What somebody typed wrong leads to the first page."""
    crawler = begin(meet, "en", "phone")
    crawler.person.opens("/ruels/chiko")
    crawler.person.sees("missing.text")
    crawler.press_all()
    crawler.finally_press("link", "nav.back")
    crawler.person.sees("lobby.lead")
    crawler.person.visitor.forgive("status of 404")


def test_every_screen_has_a_tour() -> None:
    """Whoever adds a screen adds a journey."""
    tours = {
        "lobby": test_the_lobby_and_the_settings,
        "settings": test_the_lobby_and_the_settings,
        "new": test_a_game,
        "table": test_a_game,
        "replay": test_the_end_and_the_replay,
        "rules": test_rules,
        "missing": test_a_link_with_a_slip,
    }
    router = (WEB / "lib" / "router.js").read_text()
    assert set(re.findall(r"screens/(\w+)\.js", router)) == set(tours)
