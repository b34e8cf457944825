"""Stories of people, from the first page to the end."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.test_connection import Line
from tests.journeys.people import Person, play_together

OFFERED = ("chiko", "taki", "chichiko")  # in the lobby, among others
LONG = 60_000  # milliseconds; search may have to be compiled

Meet = Callable[..., Person]


def test_a_family_by_link(meet: Meet) -> None:
    """Three phones join; one loses its connection, one is put away for a while; a match is played
    to the scores, and they want another one."""
    ann = meet("Ann")
    dan = meet("Dan", language="he", device="phone")
    vera = meet("Вера", language="ru", device="phone")
    eve = meet("Eve", device="phone")
    line = Line(eve.page)
    phones = [dan, vera, eve]
    family = [ann, *phones]
    ann.opens()
    ann.makes_a_table("chiko", players=4, company="new.friends", numbers={"target": 1})
    ann.sees("room.invite")
    link = ann.finds("textbox", "room.link").input_value()
    for person in phones:
        person.sits_down(link)
    for person in family:
        expect(person.hand()).to_have_count(6)

    line.break_off()
    eve.sees("table.lost")
    ann.sees("plate.away")
    line.cut = False
    eve.sees_no("table.lost")
    ann.sees_no("plate.away")
    dan.page.close()
    ann.sees("plate.away")
    dan.visitor.page = dan.visitor.context.new_page()
    dan.opens()
    dan.follows("lobby.back")
    expect(dan.hand()).to_have_count(6)
    ann.sees_no("plate.away")

    play_together(family)
    for person in family:
        final = person.dialog("dialog.final")
        for other in family:
            expect(final.get_by_role("rowheader", name=other.name)).to_be_visible()
    for person in family:
        person.presses("result.rematch", within=person.dialog("dialog.final"))
    for person in family:
        expect(person.dialog("dialog.final")).to_have_count(0)
        expect(person.hand()).to_have_count(6)


def test_a_tablet_is_passed_around(meet: Meet) -> None:
    """In Hebrew; at the end all want to play again, and nothing complains."""
    dana = meet("דנה", language="he", device="tablet")
    dana.opens()
    names = ["דנה", "יוסי", "נועה"]
    dana.makes_a_table("chiko", players=3, company="new.here", names=names, numbers={"target": 1})
    seen = set()
    for _ in range(200):
        if dana.is_asked_soon() == "covered":
            seen |= {name for name in names if dana.says("pass.to", name=name).count()}
            expect(dana.hand()).to_have_count(0)
        if not dana.goes_on():
            break
    assert seen == set(names)
    final = dana.dialog("dialog.final")
    for name in names:
        expect(final.get_by_role("rowheader", name=name)).to_be_visible()
    dana.presses("result.rematch", within=final)
    expect(final).to_have_count(0)
    dana.sees("pass.help")
    expect(dana.complaints()).to_have_count(0)
    assert dana.goes_on() and dana.goes_on()
    expect(dana.complaints()).to_have_count(0)


def test_a_stranger(meet: Meet) -> None:
    """Plays now, asks for a hint, takes back, loses, and looks at it all again."""
    ann = meet("Ann", device="phone")
    ann.opens()
    ann.plays_now("chiko")
    card = ann.finds("button", "hand.legal")
    while ann.is_asked_soon() != "turn" or not card.count():
        assert ann.goes_on()
    ann.presses("hint.ask")
    hint = ann.says("hint.same").or_(ann.says("hint.other"))
    expect(hint.first).to_be_visible(timeout=LONG)
    ann.visitor.bots_wait(600.0)  # so that a move can be taken back
    before = ann.names(ann.hand())
    ann.lays(card)
    ann.presses("table.undo")
    ann.sees("table.undoneYou")
    expect(ann.hand()).to_have_count(len(before))
    ann.visitor.bots_wait(0.0)

    ann.presses("log.title")
    log = ann.finds("list", "log.title").get_by_role("listitem")
    expect(log).not_to_have_count(0)
    ann.presses("close", within=ann.dialog("log.title"))
    expect(log).to_have_count(0)
    ann.favourite = "chiko.offer.quit"  # whoever stops at once has many points, and the fewest win
    ann.plays_to_the_end()
    final = ann.dialog("dialog.final")
    expect(final).to_contain_text(ann.words.within("table.over"))
    expect(final).not_to_contain_text(ann.words("result.youWin"))

    ann.follows("result.watch", within=final)
    expect(ann.finds("heading", "replay.of")).to_be_visible()
    step, said = ann.finds("slider", "replay.step"), ann.page.get_by_role("status")
    told = []
    for n in range(3):
        expect(step).to_have_value(str(n))
        told.append(said.last.inner_text())
        ann.presses("replay.next")
    assert len(set(told)) == 3
    ann.presses("replay.play")
    expect(step).to_have_value("5")
    ann.presses("replay.stop")
    ann.taps(step)
    ann.page.keyboard.press("End")
    expect(ann.says("table.over")).to_be_visible()
    ann.goes_back()
    ann.sees("result.match")


def test_somebody_watches(meet: Meet) -> None:
    """A table that is in the list of the first page; who watches sees nobody's cards."""
    ann, eve = meet("Ann", device="phone"), meet("Eve", language="ru")
    ann.opens()
    company, numbers = "new.friends", {"rounds": 1}
    ann.makes_a_table(
        "eight_half", players=2, company=company, numbers=numbers, ticks=["new.public"]
    )
    ann.presses("level.easy")
    assert ann.is_asked_soon()
    eve.opens()
    eve.follows("lobby.watch")
    eve.sees("table.watching")
    for _ in range(2):
        before = eve.sight()
        ann.goes_on()
        eve.sees_a_change(before)
        expect(eve.hand()).to_have_count(0)
        expect(eve.offered()).to_have_count(0)
    ann.plays_to_the_end()
    final = eve.dialog("dialog.final")
    expect(final.get_by_role("rowheader", name="Ann")).to_be_visible()
    expect(eve.finds("button", "result.rematch")).to_have_count(0)
    eve.follows("nav.lobby", within=final)
    expect(eve.finds("heading", "lobby.open")).to_be_visible()


@pytest.mark.parametrize(("language", "device"), [("en", "desk"), ("he", "phone")])
def test_against_bots_that_taught_themselves(meet: Meet, language: str, device: str) -> None:
    """They are chosen in the lobby, and every game says so. Their network comes once, when they
    first decide."""
    ann = meet("Ann", language=language, device=device)
    asked: list[str] = []
    ann.page.on("request", lambda one: asked.append(one.url))
    ann.opens()
    ann.chooses("new.level", "level.hard")
    ann.sees("level.hard.help")
    told = ann.words("level.hard")
    for game in OFFERED:
        tile = ann.page.get_by_role("article").filter(has_text=ann.words(f"{game}.title"))
        expect(tile).to_contain_text(told)
    assert not [url for url in asked if "/learned/" in url]
    ann.plays_now("chiko", "level.hard")
    ann.plays_to_the_end()
    expect(ann.dialog("dialog.final")).to_be_visible()
    networks = [url for url in asked if url.endswith("/learned/network.bin")]
    assert len(networks) == 1 and "/chiko/" in networks[0]
