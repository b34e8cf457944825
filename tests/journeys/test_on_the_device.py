"""Stories of people who need no server, or do not trust it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from tests.journeys.people import Person, play_together

Meet = Callable[..., Person]

# Whether the page is kept for times without a network.
KEPT = "async () => Boolean((await navigator.serviceWorker.ready).active)"


def test_a_match_that_outlives_its_page(meet: Meet, tmp_path: Path) -> None:
    """Begun on a phone, in Hebrew; the tab is killed, and the match goes on where it was. It is
    saved, opened in another browser, watched there, and deleted here."""
    dan = meet("Dan", language="he", device="phone")
    dan.opens()
    dan.plays_now("chiko")
    for _ in range(3):
        assert dan.goes_on()
    dan.is_asked_soon()
    before = dan.names(dan.hand())
    dan.page.close()
    dan.visitor.page = dan.visitor.context.new_page()
    dan.opens()
    dan.sees("lobby.mine")
    dan.follows("lobby.back")
    dan.is_asked_soon()
    assert dan.names(dan.hand()) == before
    dan.favourite = "chiko.offer.quit"
    dan.plays_to_the_end()

    final = dan.dialog("dialog.final")
    with dan.page.expect_download() as saving:
        dan.presses("result.file", within=final)
    file = tmp_path / saving.value.suggested_filename
    saving.value.save_as(file)
    dan.follows("nav.lobby", within=final)
    # There once it is known to be over; before, it stands among those to go back to.
    dan.presses("lobby.delete", within=dan.finds("region", "lobby.again"))
    dan.presses("lobby.delete", within=dan.dialog("dialog.question"))
    dan.sees_no("lobby.again")

    eva = meet("Eva")
    eva.opens()
    eva.opens_a_file(file)
    expect(eva.finds("heading", "replay.of")).to_be_visible()
    eva.presses("replay.next")
    expect(eva.finds("slider", "replay.step")).to_have_value("1")
    eva.goes_back()
    eva.sees("lobby.again")


def test_a_match_from_elsewhere_is_played_on(meet: Meet, tmp_path: Path) -> None:
    """What cannot be opened is explained, by each in their language; then the right file."""
    vera = meet("Вера", language="ru")
    vera.opens()
    whole = tmp_path / "match.json"
    moves: list[list[int | str]] = []
    content = {"lastcard": 1, "game": "chiko", "players": 2, "options": {"opener": 0}}
    content |= {"key": "00" * 32, "seats": ["human", "easy"], "moves": moves}
    bad = {
        "error.file.damaged": "no JSON",
        "error.file.foreign": json.dumps({"name": "something else"}),
        "error.file.format": json.dumps(content | {"lastcard": 99}),
        "error.file.game": json.dumps(content | {"game": "bridge"}),
        "error.file.position": json.dumps(content | {"position": {"round": 1}}),
        "error.file.move": json.dumps(content | {"moves": [[0, "roll 6"]]}),
    }
    for key, text in bad.items():
        whole.write_text(text)
        vera.opens_a_file(whole)
        vera.sees(key)
    whole.write_text(json.dumps(content))
    vera.opens_a_file(whole, dropped=True)
    expect(vera.hand()).to_have_count(6)
    vera.favourite = "chiko.offer.quit"
    assert vera.goes_on()
    vera.opens()
    vera.sees("lobby.back")


def test_passed_around_without_a_network(meet: Meet) -> None:
    """After the first visit nothing is needed: not even to load the page again."""
    dana = meet("דנה", language="he", device="tablet", service_workers="allow")
    dana.opens()
    dana.page.wait_for_function(KEPT)
    dana.page.reload()  # from here on it is the kept one that answers
    dana.visitor.context.set_offline(True)
    dana.opens()
    dana.sees("lobby.offline")
    names = ["דנה", "יוסי"]
    dana.makes_a_table("chiko", players=2, company="new.here", names=names, numbers={"target": 1})
    for _ in range(4):
        assert dana.goes_on()
    dana.page.reload()
    dana.favourite = "chiko.offer.quit"
    dana.plays_to_the_end()
    dana.follows("nav.lobby", within=dana.dialog("dialog.final"))
    dana.makes_a_table("chiko", players=2, company="new.friends")
    dana.sees("new.offline")
    dana.visitor.forgive("ERR_INTERNET_DISCONNECTED")


def test_whoever_does_not_trust_verifies(meet: Meet) -> None:
    """Two people at a live table. Their devices check the shuffle; one has chosen moves in advance
    while the other one thought."""
    ann, ben = meet("Ann"), meet("Ben", language="he", device="phone")
    ann.opens()
    ann.follows("settings.title")
    ann.taps(ann.page.get_by_role("switch", name=ann.words.within("settings.advance")))
    ann.follows("nav.back")
    ann.makes_a_table("chiko", players=2, company="new.friends", numbers={"target": 1})
    ben.sits_down(ann.finds("textbox", "room.link").input_value())
    for person in (ann, ben):
        expect(person.hand()).to_have_count(6)
    chosen = False
    for _ in range(6):
        if ann.offered().count():
            ann.plays()
            continue
        ann.sees("table.waiting")  # her last move has been answered
        ann.taps(ann.hand().first)
        ann.sees("advance.line")
        ann.taps(ann.hand().first)
        ann.sees_no("advance.line")
        ann.taps(ann.hand().last)
        ann.sees("advance.line")
        ben.is_asked_soon()
        ben.plays()
        ann.sees_no("advance.line")
        chosen = True
        break
    assert chosen
    for person in (ann, ben):
        person.favourite = "chiko.offer.quit"
    play_together([ann, ben])
    for person in (ann, ben):
        final = person.dialog("dialog.final")
        expect(final.get_by_text(person.words.within("check.ok"))).to_be_visible()
        person.taps(final.get_by_text(person.words("check.each")))
        expect(final.get_by_text(person.words("check.seen")).first).to_be_visible()
