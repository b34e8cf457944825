"""A card that is chosen before one's turn, and a tap that answers before the server does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.harness import GAMES, OFFERED, ROUNDS, Seat, Site, Visitor
from tests.browser.test_connection import Line, dealt, said, seats

Visit = Callable[..., Visitor]


class Waiting:
    """Ann, who has drawn a card at a table of Chiko and now waits for Ben."""

    def __init__(self, visit: Visit, site: Site, *, advance: bool = True, **more: Any) -> None:
        self.site = site
        [self.ann, self.ben] = seats(site.url, **more)
        legal = dealt(site.url, self.ann)["legal"]
        self.fitting = next(one.split()[1] for one in legal if one.startswith("play"))
        self.visitor = visit()
        self.visitor.open()
        self.visitor.remember(advance=advance)
        self.line = Line(self.visitor.page)
        self.table = self.visitor.sit(self.ann)
        self.table.turn()
        self.table.take(self.table.things(["[data-place=stock].tappable"])[0])
        expect(self.page.locator('.board[data-version="2"]:not(.mine-to-act)')).to_be_visible()
        self.line.moves.clear()

    @property
    def page(self) -> Page:
        return self.table.page

    @property
    def expects(self) -> Locator:
        return self.page.locator(".expects")

    @property
    def chosen(self) -> Locator:
        return self.page.locator(".hand .card.next")

    def card(self, name: str) -> Locator:
        return self.page.locator(f'.hand .card[data-place="hand:{name}"]').first

    def choose(self, name: str) -> None:
        self.card(name).click(position={"x": 6, "y": 20}, force=True)  # disabled or not

    def misfit(self) -> str:
        """A card of hers that will not fit."""
        view = self.site.match(self.ann.table).view(0)
        fits = {one.split()[1] for one in self.fits() if one.startswith("play")}
        return next(card for card in view["hands"][0]["cards"] if card not in fits)

    def fits(self) -> list[str]:
        """What she may do after Ben has drawn, too."""
        match = self.site.match(self.ann.table).copy()
        match.play(1, "draw")
        return list(match.legal(0))

    def ben_draws(self) -> None:
        self.site.quick(self.ben).make("draw")


def test_nothing_is_chosen_unless_it_is_wanted(visit: Visit, site: Site) -> None:
    wait = Waiting(visit, site, advance=False)
    wait.choose(wait.fitting)
    expect(wait.expects).to_contain_text(said("table.notYet", waiting=""))
    expect(wait.chosen).to_have_count(0)
    expect(wait.card(wait.fitting)).to_have_attribute("aria-disabled", "true")
    wait.ben_draws()
    wait.table.shows(3)
    assert wait.line.moves == []


def test_it_goes_when_the_turn_comes(visit: Visit, site: Site) -> None:
    wait = Waiting(visit, site)
    expect(wait.card(wait.fitting)).to_have_attribute("aria-pressed", "false")
    wait.choose(wait.fitting)
    expect(wait.chosen).to_have_count(1)  # of several equal ones, too
    expect(wait.chosen).to_have_attribute("aria-pressed", "true")
    expect(wait.expects).to_contain_text("Tap it again to take it back.")
    assert wait.line.moves == []  # until then, nobody but this page knows
    wait.ben_draws()
    wait.table.shows(4)
    assert [(one["version"], one["action"]) for one in wait.line.moves] == [
        (3, f"play {wait.fitting}")
    ]
    expect(wait.chosen).to_have_count(0)


def test_it_is_taken_back(visit: Visit, site: Site) -> None:
    """By a tap, and by keys alone; another card takes the place of the first."""
    wait = Waiting(visit, site)
    wait.choose(wait.fitting)
    wait.choose(wait.fitting)
    expect(wait.chosen).to_have_count(0)
    wait.card(wait.fitting).focus()
    wait.page.keyboard.press("Enter")
    expect(wait.chosen).to_be_focused()
    wait.page.keyboard.press("Escape")
    expect(wait.chosen).to_have_count(0)
    wait.choose(wait.misfit())
    wait.choose(wait.fitting)
    expect(wait.chosen).to_have_attribute("data-place", f"hand:{wait.fitting}")
    wait.page.keyboard.press("Escape")
    wait.ben_draws()
    wait.table.shows(3)
    expect(wait.page.locator(".mine-to-act")).to_be_visible()
    assert wait.line.moves == []


def test_what_does_not_fit_stays(visit: Visit, site: Site) -> None:
    wait = Waiting(visit, site)
    misfit = wait.misfit()
    wait.choose(misfit)
    wait.ben_draws()
    expect(wait.page.locator(".expects.warning")).to_contain_text("Not played: ")
    expect(wait.chosen).to_have_count(0)
    assert wait.line.moves == []


def test_a_lost_connection_drops_it(visit: Visit, site: Site) -> None:
    wait = Waiting(visit, site)
    wait.choose(wait.fitting)
    wait.line.break_off()
    expect(wait.page.locator(".notice.lost")).to_be_visible()
    wait.line.cut = False
    expect(wait.expects).to_have_text(said("advance.off"))
    expect(wait.chosen).to_have_count(0)
    assert wait.line.moves == []


def test_a_move_taken_back_drops_it(visit: Visit, site: Site) -> None:
    wait = Waiting(visit, site, undo=True)
    site.quick(wait.ben).make("draw")
    wait.table.shows(3)
    wait.table.take(wait.table.things([f'.hand .card.legal[data-place="hand:{wait.fitting}"]'])[0])
    wait.table.shows(4)
    wait.choose(wait.misfit())
    expect(wait.chosen).to_have_count(1)
    wait.page.locator("[data-undo]").click()
    wait.table.shows(5)
    expect(wait.page.locator(".mine-to-act")).to_be_visible()
    assert len(wait.line.moves) == 1
    expect(wait.chosen).to_have_count(0)


def test_several_ways_are_offered(visit: Visit, site: Site) -> None:
    """A card of TAKI that needs a colour: which one, nobody can choose in advance."""
    ann, ben = colourful(site)
    visitor = visit()
    visitor.open()
    visitor.remember(advance=True)
    line = Line(visitor.page)
    page = visitor.sit(ann).page
    page.locator('.hand .card[data-place="hand:cc"]').first.click(position={"x": 6, "y": 20})
    expect(page.locator(".card.next")).to_have_count(1)
    site.quick(ben).make("draw")
    expect(page.locator(".choices .choice[data-action]")).to_have_count(4)
    assert line.moves == []


def colourful(site: Site) -> tuple[Seat, Seat]:
    """Ann, who has a card that changes the colour, and Ben, who begins."""
    for _ in range(60):
        ann = site.table("taki", 2, people=2, options={"opener": 1})
        ben = site.join(ann.table, "Ben")
        match = site.match(ann.table)
        if "cc" in match.view(0)["hands"][0]["cards"] and "draw" in match.legal(1):
            return ann, ben
    raise AssertionError("nobody is dealt such a card")


# --- A tap answers at once --------------------------------------------------------------------

MOVES, MOST_MOVES = 14, 60  # of each game; more until all kinds have come
KINDS = dict.fromkeys(GAMES, 2) | {"eight_half": 1}  # of what is tapped, at least


@pytest.mark.parametrize("game", GAMES)
def test_every_tap_is_answered_before_the_server_speaks(
    visit: Visit, site: Site, game: str
) -> None:
    """Whatever is tapped is no longer offered; a card is on its way; nothing is sent twice."""
    seat = site.table(game, 2, options={**ROUNDS[game], "opener": 0})
    visitor = visit()
    line = Line(visitor.page)
    table = visitor.sit(seat)
    kinds: dict[str, int] = {}
    while (made := sum(kinds.values())) < MOST_MOVES and (asked := table.next()) != "final":
        if made >= MOVES and len(kinds) >= KINDS[game]:
            break
        if asked == "round":
            table.go_on()
            continue
        offered = [one for one in table.offered() if one["at"]]
        thing = min(offered, key=lambda one: (kinds.get(kind_of(one), 0), one["text"]))
        line.slow = True
        sent = len(line.moves)
        table.take(thing)
        expect(table.page.locator(", ".join(OFFERED))).to_have_count(0)
        assert len(line.moves) == sent + 1, thing
        action = line.moves[-1]["action"].split()[0]
        flies = thing["place"].startswith("hand:") or action == "draw"
        expect(table.page.locator(".flyer")).to_have_count(int(flies))
        kinds[kind_of(thing)] = kinds.get(kind_of(thing), 0) + 1
        line.let_through()
        expect(table.page.locator(".flyer")).to_have_count(0)
    assert made > 3 and len(kinds) >= KINDS[game], kinds


def kind_of(thing: dict[str, Any]) -> str:
    return str(thing["action"] or thing["place"]).split(":")[0].split()[0]
