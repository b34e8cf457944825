"""Whole matches from the first page with the keyboard alone, and by what a screen reader says."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from tests.journeys.people import MOST_MOVES, Passed, Person, Role

Meet = Callable[..., Person]
MOST_TABS = 150
# What people press or fill in.
CONTROLS: tuple[Role, ...] = (
    "button", "checkbox", "combobox", "link", "radio", "slider", "spinbutton", "switch", "textbox",
)  # fmt: skip
LINE = re.compile(r"""^\s*- '?(\w+)(?: "((?:[^"\\]|\\.)*)")?""")


def read(snapshot: str) -> Iterator[tuple[str, str, bool]]:
    """Role, name, and whether it can be pressed, of all that is in an accessibility tree."""
    for line in snapshot.splitlines():
        found = LINE.match(line)
        if found:
            yield found[1], re.sub(r"\\(.)", r"\1", found[2] or ""), "[disabled]" not in line


# --- The keyboard ---------------------------------------------------------------------------------


class Typist(Person):
    """Somebody who has only a keyboard, and sees what has the focus."""

    def goes_to(self, role: Role, name: str | re.Pattern[str], key: str = "Tab") -> None:
        self.page.get_by_role(role, name=name, exact=True).first.wait_for()
        self.goes_on_to(role, name, key)

    def goes_on_to(self, role: Role, name: str | re.Pattern[str], key: str = "Tab") -> None:
        """While it is there."""
        wanted = self.page.get_by_role(role, name=name, exact=True)
        for _ in range(MOST_TABS):
            there = wanted.evaluate_all("(all) => all.map((one) => one.matches(':focus'))")
            if any(there):
                return
            if not there:
                raise Passed
            self.page.keyboard.press(key)
        raise AssertionError(f"the keyboard does not come to the {role} {name}")

    def enters(self, role: Role, name: str | re.Pattern[str]) -> None:
        self.goes_to(role, name)
        self.page.keyboard.press("Enter")

    def opens_up(self, text: str) -> None:
        """What is folded up under some words."""
        here = self.page.locator(":focus").filter(has_text=text)
        for _ in range(MOST_TABS):
            if here.count():
                break
            self.page.keyboard.press("Tab")
        self.page.keyboard.press("Enter")

    def picks(self, group: str, choice: str) -> None:
        """One of several: Tab comes to the group, arrows go through it."""
        radios = self.finds("group", group).get_by_role("radio")
        here = radios.and_(self.page.locator(":focus"))
        for _ in range(MOST_TABS):
            if here.count():
                break
            self.page.keyboard.press("Tab")
        self.goes_to("radio", choice, "ArrowRight")
        expect(radios.and_(self.page.get_by_role("radio", name=choice, exact=True))).to_be_checked()

    def plays(self) -> None:
        with contextlib.suppress(Passed):
            for things in (self.offered, self.ways):
                liked = self._liked(things())
                if liked is not None:
                    before = self.sight()
                    self.goes_on_to("button", liked[0])
                    self.page.keyboard.press("Enter")
                    self.sees_a_change(before)

    def taps_at(self, at: list[float]) -> None:
        raise AssertionError("there is no mouse")


def test_with_the_keyboard_alone(meet: Meet) -> None:
    """A table is made, a match is played to its end, and looked at again."""
    ann = meet("Ann", kind=Typist)
    assert isinstance(ann, Typist)
    words, page = ann.words, ann.page
    ann.opens()
    ann.enters("link", words.like("lobby.newOf", game=words("taki.title")))
    expect(ann.finds("button", "new.make")).to_be_visible()
    ann.picks("new.players", "2")
    ann.picks("new.with", words("new.bots"))
    ann.goes_to("textbox", words.like("new.name"))
    page.keyboard.type("Ann")
    ann.picks("new.level", words("level.easy"))
    ann.opens_up(words("new.options"))
    ann.goes_to("spinbutton", words.within("taki.options.rounds"))
    page.keyboard.press("Control+A")
    page.keyboard.type("1")
    page.keyboard.press("Enter")  # that is all
    assert ann.is_asked_soon() == "turn"

    ann.enters("button", words("menu.title"))
    menu = ann.dialog("dialog.menu")
    expect(menu).to_be_visible()
    page.keyboard.press("Escape")
    expect(menu).to_have_count(0)
    ann.goes_to("button", words("menu.title"))

    for _ in range(MOST_MOVES):
        match ann.is_asked_soon():
            case "turn":
                ann.plays()
            case "round":
                ann.enters("button", words("result.goOn"))
            case _:
                break
    final = ann.dialog("dialog.final")
    expect(final.get_by_role("rowheader", name="Ann")).to_be_visible()
    ann.enters("link", words("result.watch"))
    step = ann.finds("slider", "replay.step")
    expect(step).to_have_value("0")
    page.keyboard.press("ArrowRight")
    expect(step).to_have_value("1")
    page.keyboard.press("End")
    ann.sees("table.over")
    ann.enters("link", words("nav.back"))
    ann.enters("button", words("result.rematch"))
    expect(final).to_have_count(0)


# --- A screen reader ------------------------------------------------------------------------------


class Listener(Person):
    """Somebody who does not see the page: roles, names and what is read out are all there is."""

    def hears(self) -> list[tuple[str, str, bool]]:
        """All of the page, or of the dialog that is open. What can be pressed has a name."""
        dialog = self.page.get_by_role("dialog").and_(self.page.locator(":modal"))
        place = dialog.last if dialog.count() else self.page.locator("body")
        heard = list(read(place.aria_snapshot()))
        nameless = [role for role, name, _ in heard if role in CONTROLS and not name]
        assert not nameless, f"{nameless} without a name: {place.aria_snapshot()}"
        return heard

    def activates(self, role: Role, name: str | re.Pattern[str]) -> None:
        thing = self.page.get_by_role(role, name=name, exact=True, disabled=False).first
        thing.focus()
        thing.press("Space" if role in ("radio", "checkbox") else "Enter")

    def plays(self) -> None:
        """Something that is called as what can be played, and a way if it is asked for."""
        heard = self.hears()
        offered, shy = self.words.offered(), self.words.shy()
        names = [name for role, name, able in heard if role == "button" and able]
        names = [name for name in names if offered.match(name)]
        bold = [name for name in names if not shy.match(name)]
        if not names:
            return  # a chance has passed
        before = self.sight()
        self.activates("button", self.rng.choice(bold or names))
        self.sees_a_change(before)
        ways = [name for name in self.names(self.ways()) if name]
        if ways:
            self.hears()
            before = self.sight()
            self.activates("button", self.words.other_than("choices.none"))
            self.sees_a_change(before)

    def taps_at(self, at: list[float]) -> None:
        raise AssertionError("nothing is pointed at")


SHORT = {
    "sixth_sense": ("target", ["sixth_sense.options.beginner"]),
    "chichiko": ("rounds", []),
}


@pytest.mark.parametrize("game", SHORT)
def test_by_names_only(meet: Meet, game: str) -> None:
    eve = meet("Eve", kind=Listener, language={"sixth_sense": "ru", "chichiko": "he"}[game])
    assert isinstance(eve, Listener)
    words = eve.words
    eve.opens()
    eve.hears()
    eve.activates("link", words.like("lobby.newOf", game=words(f"{game}.title")))
    expect(eve.finds("button", "new.make")).to_be_visible()
    eve.hears()
    eve.finds("textbox", "new.name").fill("Eve")
    eve.activates("radio", words("new.bots"))
    eve.activates("radio", words("level.easy"))
    eve.page.get_by_text(words("new.options"), exact=True).dispatch_event("click")
    number, ticks = SHORT[game]
    field = eve.page.get_by_role("spinbutton", name=words.within(f"{game}.options.{number}"))
    field.fill("1")
    for tick in ticks:
        eve.activates("checkbox", words.within(tick))
    eve.hears()
    eve.activates("button", words("new.make"))
    for _ in range(MOST_MOVES):
        match eve.is_asked_soon():
            case "turn":
                eve.plays()
            case "round":
                eve.hears()
                eve.activates("button", words("result.goOn"))
            case _:
                break
    heard = eve.hears()
    assert any(role == "rowheader" and "Eve" in name for role, name, _ in heard), heard
