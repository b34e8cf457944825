"""People who know nothing of how the page is made: they see, tap, type, press keys and go back.

They find things by their roles and by the words on the screen. The words come from the page's own
catalogues, by key and language: another wording does not end a journey.
"""

from __future__ import annotations

import contextlib
import random
import re
import time
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, ElementHandle, Locator, Page, expect

from tests.browser.harness import DESK, LANGUAGES, PHONE, Visitor
from tests.web.test_words import catalogues

TABLET = {"width": 820, "height": 1180}
DEVICES: dict[str, dict[str, Any]] = {
    "desk": {"viewport": DESK},
    "phone": {"viewport": PHONE, "has_touch": True, "is_mobile": True},
    "tablet": {"viewport": TABLET, "has_touch": True, "is_mobile": True},
}
PATIENCE = 40_000  # milliseconds: a journey has many steps, and other machines are slower
MOST_MOVES = 400
MOST_TAPS = 5  # at the same card,
TRY_AGAIN = 5_000  # after so many milliseconds
GLANCE = 50  # milliseconds: whether there is something to do at one of several tables
# What the pages of the games offer: by which keys of their words.
OFFERS = re.compile(r"(?:offer|do|see\.(?:blind|open))\b")
# What is done if there is nothing better: so that matches come to an end.
SHY = re.compile(r"\w+\.(?:offer|do)\.(?:quit|draw|draw\.n|eat|end|keep|leave|pass|accept)$")

Role = Literal[
    "button", "checkbox", "combobox", "dialog", "group", "heading", "link", "list", "radio",
    "spinbutton", "switch", "textbox", "status", "slider", "main", "region",
]  # fmt: skip

# All that can be seen at a moment, as a text: words, names, what is chosen, and where one has
# scrolled to. What only has the focus looks the same.
SIGHT = """
() => {
  const states = [...document.querySelectorAll('input, select, details, dialog, [aria-label], '
    + '[aria-expanded], [aria-pressed], [aria-current], [aria-disabled], :disabled')].map((one) => [
      one.getAttribute('aria-label'), one.getAttribute('aria-expanded'), one.open, one.disabled,
      one.getAttribute('aria-pressed'), one.getAttribute('aria-current'), one.value, one.checked,
      one.getAttribute('aria-disabled')]);
  if (!window.scrolled) {  // asking every element would take long
    window.scrolled = new Set();
    addEventListener('scroll', ({ target }) => scrolled.add(target), { capture: true });
  }
  const places = [...scrolled].map((one) => [one.scrollTop, one.scrollLeft]);
  const look = getComputedStyle(document.body);
  return JSON.stringify([location.pathname, document.body.innerText, states, places,
    scrollX, scrollY, document.querySelectorAll('svg').length, look.backgroundColor,
    look.direction]);
}
"""

# What a screen asks of who sits before it, by the words for it; an empty text if it asks nothing.
ASKED = """
(words) => {
  const seen = (one) => one.checkVisibility() && !one.disabled
    && one.getAttribute('aria-disabled') !== 'true';
  const name = (one) => (one.getAttribute('aria-label') ?? one.innerText).trim();
  const there = (kind, text) => [...document.querySelectorAll(kind)].some((one) =>
    seen(one) && new RegExp(text).test(name(one)));
  if (there('dialog', words.final)) return 'final';
  const asked = ['round', 'covered', 'turn'];
  return asked.find((what) => there('button, [role=button]', words[what])) ?? '';
}
"""

# A point at which a finger hits something, and nothing that lies over it: of a card under others
# only a strip is left. What belongs to a label is hit there. Nobody taps at what still moves.
POINT = """
async (element) => {
  const mine = [element, ...(element.labels ?? [])];
  const parts = [0.5, 0.12, 0.88, 0.3, 0.7];
  const hit = () => mine.flatMap((one) => {
    const box = one.getBoundingClientRect();
    return parts.flatMap((y) => parts.map((x) => [box.x + x * box.width, box.y + y * box.height]));
  }).find(([x, y]) => {
    const there = document.elementFromPoint(x, y);
    const edge = Math.min(x, y, innerWidth - x, innerHeight - y);
    return there && edge > 3 && mine.some((one) => one.contains(there));
  });
  if (!hit())
    mine.at(-1).scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => resolve(hit())));
  for (let [before, now, n] = [hit(), await frame(), 0]; n < 30; n++) {
    if (String(before) === String(now)) return now ?? null;
    [before, now] = [now, await frame()];
  }
  return null;
}
"""

NAME = "(one) => one.getAttribute('aria-label') ?? one.innerText.trim()"


# What a browser tells a page when somebody lets go of a file over it.
DROP = """
(place, text) => {
  const files = new DataTransfer();
  files.items.add(new File([text], 'match.json', { type: 'application/json' }));
  for (const kind of ['dragover', 'drop'])
    place.dispatchEvent(new DragEvent(kind, { bubbles: true, dataTransfer: files }));
}
"""


class Passed(Exception):
    """What was offered is not there any more."""


def parts(message: str) -> Iterator[str]:
    """What is said as it stands, and in braces, which may hold others, what is filled in."""
    depth, part = 0, ""
    for sign in message:
        if not depth and sign == "{":
            yield part
            part = ""
        depth += {"{": 1, "}": -1}.get(sign, 0)
        part += sign
        if not depth and sign == "}":
            yield part
            part = ""
    yield part


class Words:
    """What the page says in a language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._texts = catalogues(language)

    def __call__(self, key: str, **values: str | int) -> str:
        """A text, with all its values."""
        text = self._texts[key]
        for name, value in values.items():
            text = text.replace(f"{{{name}}}", str(value))
        assert "{" not in text, f"{key} is not complete: {text}"
        return text

    def like(self, *keys: str, **values: str | int) -> re.Pattern[str]:
        """Any of these texts; a value that is not given may be anything."""
        return re.compile(f"^(?:{'|'.join(self._like(key, values) for key in keys)})$")

    def within(self, key: str, **values: str | int) -> re.Pattern[str]:
        """The same as a part of something."""
        return re.compile(self._like(key, values))

    def _like(self, key: str, values: dict[str, str | int]) -> str:
        given = {f"{{{name}}}": re.escape(str(value)) for name, value in values.items()}
        return "".join(
            given.get(part, ".*") if part.startswith("{") else re.escape(part)
            for part in parts(self._texts[key])
        )

    def other_than(self, key: str) -> re.Pattern[str]:
        return re.compile(f"^(?!{self._like(key, {})}$)")

    def keys(self, wanted: Callable[[str], object]) -> list[str]:
        return [key for key in self._texts if wanted(key)]

    def offers(self) -> list[str]:
        """Keys of what a game offers as a button."""
        return self.keys(lambda key: OFFERS.match(key.partition(".")[2]))

    def offered(self) -> re.Pattern[str]:
        """The name of anything that can be played; more may be said of how it is."""
        offers = "|".join(self._like(key, {}) for key in self.offers())
        return re.compile(f"^(?:{self._like('hand.legal', {})}|(?:{offers})(?:, .*)?)$")

    def shy(self) -> re.Pattern[str]:
        return self.like(*self.keys(SHY.match))

    def errors(self) -> re.Pattern[str]:
        """Anything that says that something went wrong."""
        texts = [self._texts[key] for key in self.keys(lambda key: key.startswith("error."))]
        return re.compile("|".join(map(re.escape, texts)))


class Person:
    """Somebody with a name, a language and a device."""

    def __init__(
        self,
        browser: Browser,
        url: str,
        name: str = "Ann",
        *,
        language: str = "en",
        device: str = "desk",
        **more: Any,
    ) -> None:
        self.name = name
        self.words = Words(language)
        self.touches = device != "desk"
        self.visitor = Visitor(
            browser, url, locale=LANGUAGES[language], **{**DEVICES[device], **more}
        )
        self.visitor.context.set_default_timeout(PATIENCE)
        self.rng = random.Random(name)
        self.favourite = ""  # the key of what is preferred to all other moves

    @property
    def page(self) -> Page:
        return self.visitor.page

    # --- Looking around ---

    def finds(
        self, role: Role, *keys: str, within: Locator | None = None, **values: str | int
    ) -> Locator:
        """Something by its role and the words that name it."""
        place = within or self.page
        return place.get_by_role(role, name=self.words.like(*keys, **values))

    def sees(self, key: str, *, patience: float = PATIENCE, **values: str | int) -> None:
        """Waits for words."""
        expect(self.says(key, **values).first).to_be_visible(timeout=patience)

    def sees_no(self, key: str, **values: str | int) -> None:
        expect(self.says(key, **values)).to_have_count(0)

    def says(self, key: str, **values: str | int) -> Locator:
        """Where the page says something."""
        return self.page.get_by_text(self.words.like(key, **values)).filter(visible=True)

    def hand(self) -> Locator:
        return self.finds("group", "hand.label", "hand.tiles").get_by_role("button")

    def dialog(self, key: str) -> Locator:
        return self.finds("dialog", key)

    def complaints(self) -> Locator:
        return self.page.get_by_text(self.words.errors()).filter(visible=True)

    def sight(self) -> str:
        seen: str = self.page.evaluate(SIGHT)
        return seen

    def sees_a_change(self, before: str) -> None:
        changed = f"(before) => ({SIGHT})() !== before"
        self.page.wait_for_function(changed, arg=before, polling=GLANCE)

    # --- Doing something ---

    def opens(self, link: str = "/") -> None:
        """The first page, or a link that somebody gave."""
        self.page.goto(link)
        expect(self.page.get_by_role("heading", level=1)).to_be_visible()

    def taps(self, thing: Locator) -> None:
        """With a finger or the mouse, where it can be hit."""
        self.taps_at(self.aims_at(thing))

    def taps_and_sees(self, thing: Locator | ElementHandle) -> None:
        """What comes of it, that is."""
        at = self.aims_at(thing)
        before = self.sight()
        self.taps_at(at)
        self.sees_a_change(before)

    def aims_at(self, thing: Locator | ElementHandle) -> list[float]:
        if isinstance(thing, Locator):
            thing = thing.first
            thing.wait_for()
        until = time.monotonic() + PATIENCE / 1000
        while not (at := thing.evaluate(POINT)):
            if isinstance(thing, ElementHandle) and not thing.evaluate("(one) => one.isConnected"):
                raise Passed
            assert time.monotonic() < until, f"this cannot be hit: {thing}"
            self.page.wait_for_timeout(GLANCE)
        return list(at)

    def taps_at(self, at: list[float]) -> None:
        if self.touches:
            self.page.touchscreen.tap(*at)
        else:
            self.page.mouse.click(*at)

    def presses(self, *keys: str, within: Locator | None = None, **values: str | int) -> None:
        """A button."""
        self.taps(self.finds("button", *keys, within=within, **values))

    def follows(self, *keys: str, within: Locator | None = None, **values: str | int) -> None:
        """A link."""
        self.taps(self.finds("link", *keys, within=within, **values))

    def chooses(self, group: str, choice: str) -> None:
        """One of several, by the keys of both, or by what the choice says."""
        buttons = self.finds("group", group)
        known = self.words.keys(lambda key: key == choice)
        name: Any = self.words(choice) if known else choice
        radio = buttons.get_by_role("radio", name=name, exact=True)
        self.taps(radio)
        expect(radio).to_be_checked()

    def types(self, text: str, field: Locator) -> None:
        self.taps(field)
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)

    def ticks(self, key: str) -> None:
        name = self.words.within(key)  # more is said to it
        box = self.page.get_by_role("checkbox", name=name)
        self.taps(box)
        expect(box).to_be_checked()

    def opens_a_file(self, file: Path, *, dropped: bool = False) -> None:
        """A match, by the button for it, or dropped on the page."""
        if dropped:
            self.page.get_by_role("main").evaluate(DROP, file.read_text())
            return
        with self.page.expect_file_chooser() as asking:
            self.presses("lobby.import")
        asking.value.set_files(file)

    def goes_back(self) -> None:
        self.page.go_back()

    def leaves(self) -> None:
        self.visitor.settle()
        self.visitor.close()

    # --- Making a table ---

    def plays_now(self, game: str, level: str = "level.easy") -> None:
        """With one tap on the first page, against one bot."""
        if self.words.keys(lambda key: key == "lobby.bots"):
            self.chooses("lobby.bots", "1")
            self.chooses("new.level", level)
        now, title = self.words("lobby.now"), self.words(f"{game}.title")
        button = self.page.get_by_role("button", name=f"{now}: {title}")
        self.taps(button)
        expect(button).to_have_count(0)  # the first page offers things, too

    def makes_a_table(
        self,
        game: str,
        *,
        players: int = 3,
        company: str = "new.bots",
        names: Iterable[str] = (),
        numbers: dict[str, int] | None = None,
        ticks: Iterable[str] = (),
    ) -> None:
        """From the first page to a table, by its form. `numbers` and `ticks` are options."""
        self.follows("lobby.newOf", game=self.words(f"{game}.title"))
        self.chooses("new.players", str(players))
        self.chooses("new.with", company)
        names = list(names)
        if company == "new.here":
            self.chooses("new.people", str(len(names)))
        for n, name in enumerate(names or [self.name], 1):
            label = "new.nameOf" if len(names) > 1 else "new.name"
            self.types(name, self.finds("textbox", label, n=n))
        if company != "new.friends":
            self.chooses("new.level", "level.easy")
        self.taps(self.page.get_by_text(self.words("new.options"), exact=True))
        for option, number in (numbers or {}).items():
            name = self.words(f"{game}.options.{option}")
            self.types(str(number), self.page.get_by_role("spinbutton", name=name))
        for key in ticks:
            self.ticks(key)
        self.presses("new.make")

    def sits_down(self, link: str) -> None:
        """At a table that somebody else has made."""
        self.opens(link)
        self.types(self.name, self.finds("textbox", "new.name"))
        self.presses("room.sit")

    # --- Playing ---

    def offered(self, within: Locator | None = None) -> Locator:
        """All that can be played now."""
        return (within or self.page).get_by_role(
            "button", name=self.words.offered(), disabled=False
        )

    def is_asked(self) -> str:
        """`final`, `round`, `covered` or `turn`: what the screen asks for now."""
        what: str = self.page.evaluate(ASKED, self._questions)
        return what

    def is_asked_soon(self) -> str:
        """The same as soon as it asks for something; it may have passed since."""
        asked = self.page.wait_for_function(ASKED, arg=self._questions, polling=GLANCE)
        what: str = asked.json_value()
        return what

    @cached_property
    def _questions(self) -> dict[str, str]:
        words = self.words
        return {
            "final": words.like("dialog.final").pattern,
            "round": words.like("result.goOn").pattern,
            "covered": words.like("pass.me").pattern,
            "turn": words.offered().pattern,
        }

    def plays(self) -> None:
        """A move: something that is offered, and then how, if there are several ways."""
        with contextlib.suppress(Passed):  # such as to call one's last card
            for things in (self.offered, self.ways):
                liked = self._liked(things())
                if liked is not None:
                    self.taps_and_sees(liked[1])

    def lays(self, card: Locator) -> None:
        """Once more if it stays: a tap that lasts, as on a busy machine, only explains a card."""
        left = self.hand().count() - 1
        for _ in range(MOST_TAPS):
            self.taps_and_sees(card)
            with contextlib.suppress(AssertionError):
                expect(self.hand()).to_have_count(left, timeout=TRY_AGAIN)
                return
        raise AssertionError(f"the card cannot be played: {self.reads()}")

    def ways(self) -> Locator:
        """Where something can be played in several ways: these; not to play it is none of them."""
        choices = self.finds("group", "choices.for", "choices.label")
        return choices.get_by_role("button", name=self.words.other_than("choices.none"))

    def _liked(self, things: Locator) -> tuple[str, ElementHandle] | None:
        """One of several, and its name."""
        found = things.element_handles()
        names = [str(one.evaluate(NAME)) for one in found]
        shy, favourite = self.words.shy(), self.favourite and self.words.like(self.favourite)
        some = range(len(names))
        bold = [n for n in some if not shy.match(names[n])]
        best = [n for n in some if favourite and favourite.match(names[n])]
        if best or not some:
            return (names[best[0]], found[best[0]]) if best else None
        n = self.rng.choice(bold if bold and self.rng.random() < 0.95 else some)
        return names[n], found[n]

    def names(self, things: Locator) -> list[str]:
        found: list[str] = things.evaluate_all(f"(all) => all.map({NAME})")
        return found

    def goes_on(self, asked: str = "") -> bool:
        """Does what the screen asks for, or will soon; whether the match is still going on."""
        match asked or self.is_asked_soon():
            case "final":
                return False
            case "round":
                self.taps_and_sees(self.finds("button", "result.goOn"))
            case "covered":
                self.presses("pass.me")
            case "turn":
                self.plays()
        return True

    def reads(self) -> str:
        """The whole screen, for who has to find out what went wrong."""
        return self.page.get_by_role("main").aria_snapshot()

    def plays_to_the_end(self) -> None:
        for _ in range(MOST_MOVES):
            if not self.goes_on():
                return
        raise AssertionError("it does not end")


def play_together(people: list[Person]) -> None:
    """To the end of a match between these."""
    playing = list(people)
    for _ in range(20 * MOST_MOVES):
        for one in list(playing):
            asked = one.is_asked()
            if asked and not one.goes_on(asked):
                playing.remove(one)
        if not playing:
            return
    raise AssertionError(f"it does not end: {[one.reads() for one in playing]}")
