"""Somebody who presses every link and every button once, and looks whether anything comes of it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Download, FileChooser, Request

from tests.journeys.people import PATIENCE, POINT, SIGHT, Person

AWAY = 15_000  # milliseconds; all that is shown for a moment is gone then
GLANCE = 10  # milliseconds between looks
SLOW = 3 * PATIENCE  # what a game is asked for while it is still being compiled
NAMES = {"English": "en", "עברית": "he", "Русский": "ru"}
MOST_STEPS = 6  # of a way back

# What can be pressed, as people and screen readers find it: what a modal dialog covers cannot.
CONTROLS = """
() => {
  const top = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body;
  const kinds = 'a[href], button, summary, [role=button], input[type=radio], input[type=checkbox]';
  const seen = (one) => [one, ...(one.labels ?? [])].some((part) => {
    const box = part.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && part.checkVisibility({ visibilityProperty: true });
  });
  const able = (one) => !one.disabled && one.getAttribute('aria-disabled') !== 'true';
  return [...top.querySelectorAll(kinds)].filter((one) => able(one) && seen(one));
}
"""
# Its number, role and name, and whether it need not do anything: what is chosen already, and a link
# to the page where one is. Of buttons that stay pressed those for languages do not come up again.
TOLD = f"""
() => ({CONTROLS})().map((one, n) => {{
  const told = (name) => one.getAttribute(`aria-${{name}}`);
  const labels = [...(one.labels ?? [])].map((label) => label.innerText).join(' ');
  const name = told('label') || labels || one.innerText || one.title;
  const roles = {{ A: 'link', BUTTON: 'button', SUMMARY: 'button' }};
  const role = one.getAttribute('role') ?? roles[one.tagName] ?? one.type;
  const idle = (one.checked && role === 'radio')
    || (told('pressed') === 'true' && one.lang) || told('current') === 'page';
  return [n, role, name.replace(/\\s+/g, ' ').trim(), Boolean(idle)];
}})
"""
# Where one of this role and name can be hit: all in one go, since cards change hands meanwhile.
WHERE = f"""
(wanted) => {{
  const found = ({TOLD})().find(([, ...told]) => wanted.every((one, n) => one === told[n]));
  return found ? ({POINT})(({CONTROLS})()[found[0]]) : null;
}}
"""
# Where one is, whether all of it is there, what can be seen, and what can be pressed.
LOOK = f"""
() => {{
  const dialog = [...document.querySelectorAll('dialog:modal')].at(-1);
  const place = [location.pathname, dialog?.getAttribute('aria-label') ?? '',
    document.documentElement.lang];
  const ready = !document.querySelector('[aria-busy=true]');
  return [place, ready, ({SIGHT})(), ({TOLD})()];
}}
"""


@dataclass(frozen=True)
class Control:
    role: str
    name: str


@dataclass(frozen=True)
class Place:
    """Where one is: an address, what is open over it, and its language."""

    path: str
    dialog: str
    language: str


Key = tuple[Place, Control]


class Crawler:
    def __init__(self, person: Person) -> None:
        self.person = person
        self.page = person.page
        self.pressed: set[Key] = set()
        self._shows: dict[Key, set[Control]] = {}
        self.place = Place("", "", "")
        self.controls: list[tuple[Control, bool]] = []
        self._files = 0  # saved, or asked for
        self._requests: set[Request] = set()
        self._spared: Callable[[Control], object] = lambda _: False
        self.page.clock.install()  # what is shown for a moment can be made to pass at once
        self.page.on("download", self._file)
        self.page.on("filechooser", self._file)
        self.page.on("request", self._asked)
        self.page.on("requestfinished", self._answered)
        self.page.on("requestfailed", self._answered)

    def _asked(self, request: Request) -> None:
        self._requests.add(request)

    def _answered(self, request: Request) -> None:
        self._requests.discard(request)

    def _file(self, _: Download | FileChooser) -> None:
        self._files += 1

    # --- One press ---

    def press(self, control: Control) -> bool:
        """It must change something that can be seen, or save or ask for a file. Whether it could
        be hit: something else may lie over it for now."""
        self.page.clock.fast_forward(AWAY)  # what is shown for a moment passes
        self.look()
        place, files = self.place, self._files
        at = self.page.evaluate(WHERE, [control.role, control.name])
        if not at:
            return False
        if not self.person.touches:
            self.page.mouse.move(0, 0)  # what is told of where the mouse rests is put away
        before = self.person.sight()
        self.person.taps_at(at)
        until = time.monotonic() + PATIENCE / 1000
        while self._files == files and self.person.sight() == before:
            assert time.monotonic() < until, f"{control} at {place} does nothing"
            self.page.wait_for_timeout(GLANCE)
        self.pressed.add(self._key(place, control))
        if control.name in NAMES:
            self.page.wait_for_function(
                "(lang) => document.documentElement.lang === lang", arg=NAMES[control.name]
            )
        self.look()
        return True

    def look(self) -> None:
        """Around, once nothing is on its way any more and nothing changes."""
        until, before = time.monotonic() + SLOW / 1000, ""
        while True:
            place, ready, sight, controls = self.page.evaluate(LOOK)
            if ready and sight == before and not self._requests:
                break
            assert time.monotonic() < until, f"{[one.url for one in self._requests]} take too long"
            before = sight
            self.page.wait_for_timeout(GLANCE)
        self.place = Place(*place)
        self.controls = []  # with whether they need not do anything now
        for _, role, name, idle in controls:
            assert name, f"a {role} without a name at {self.place}: {self.person.reads()}"
            self.controls.append((Control(role, name), idle))

    # --- All of them ---

    def press_all(self, *but: str, most: int = 1000) -> None:
        """Whatever is here, and in what opens over it. What leads away is followed, and back."""
        spared = self.person.words.like("nav.back", *but)
        self._spared = lambda control: spared.match(control.name)
        self.look()
        self._explore([], most)

    def finally_press(self, role: str, key: str, **values: str | int) -> None:
        """What was spared, because there is no way back."""
        self.look()
        wanted = self.person.words.like(key, **values)
        controls = [one for one, _ in self.controls]
        found = [one for one in controls if one.role == role and wanted.match(one.name)]
        assert found, f"no {role} {key} among {controls}"
        assert self.press(found[0]), f"{found[0]} at {self.place} cannot be hit"

    def _explore(self, openers: list[Control], most: int = 1000) -> None:
        place = self.place
        if self.person.words.like("dialog.rules").match(place.dialog):
            most = 2  # the rules have a tour of their own
        for _ in range(most):
            todo = self._unpressed(place) or self._hidden(place)
            if not todo:
                return
            control = self._press_one(todo)
            if control is None:
                continue
            self._note_what_came(place, control, todo)
            now = self.place
            opened = now.dialog and now.path == place.path and now.dialog != place.dialog
            if opened and self._unpressed(now):
                self._explore([*openers, control])
            if openers and len(todo) == 1:
                return  # that was all: it need not be opened again
            if not self._come_back(place, openers):
                return

    def _press_one(self, todo: list[Control]) -> Control | None:
        """The first that can be hit; what was shown a moment ago may be gone by now."""
        words, order = self.person.words, dict[Control, int]()
        for n, keys in ((0, ["choices.none"]), (2, ["close", "result.goOn"])):
            order |= {one: n for one in todo if words.like(*keys).match(one.name)}
        for control in sorted(todo, key=lambda one: order.get(one, 1)):
            if self.press(control):
                return control
        left = {one for one, _ in self.controls} & set(todo)
        assert not left, f"{left} at {self.place} cannot be hit"
        return None

    def _unpressed(self, place: Place) -> list[Control]:
        return [
            control
            for control, idle in self.controls
            if not (idle or self._spared(control) or self._key(place, control) in self.pressed)
        ]

    def _note_what_came(self, place: Place, control: Control, before: list[Control]) -> None:
        """What a control shows at the same place, and hides again when one of it is pressed."""
        if self.place == place and not self._spared(control):
            came = set(self._unpressed(place)) - set(before)
            if not self._is_a_card(control):
                self._shows[self._key(place, control)] = came

    def _hidden(self, place: Place) -> list[Control]:
        """A control that shows something which is still to be pressed."""
        controls = [one for one, _ in self.controls]
        for control in controls:
            shown = self._shows.get(self._key(place, control), set())
            left = {one for one in shown if self._key(place, one) not in self.pressed}
            if left and not left & set(controls):
                return [control]
        return []

    def _is_a_card(self, control: Control) -> bool:
        """It changes hands: what it shows does not come again."""
        return bool(self.person.words.offered().match(control.name))

    def _key(self, place: Place, control: Control) -> Key:
        """Tables are alike, and so are buttons that differ by a number: cards, and points."""
        parts = place.path.split("/")
        path = "/".join("" if n == 2 and parts[1] == "t" else part for n, part in enumerate(parts))
        name = re.sub(r"\d+", "#", control.name) if control.role == "button" else control.name
        return Place(path, place.dialog, place.language), Control(control.role, name)

    def _come_back(self, wanted: Place, openers: list[Control]) -> bool:
        """Whether there is a way: what was opened by a move does not open again."""
        for _ in range(MOST_STEPS):
            now = self.place
            if now == wanted:
                return True
            if now.language != wanted.language:
                self._speak(wanted.language)
            elif now.path != wanted.path:
                self.page.go_back()
            elif now.dialog:
                self.page.keyboard.press("Escape")
            elif not all(self.press(opener) for opener in openers):
                return False
            self.look()
        raise AssertionError(f"no way back to {wanted} from {self.place}")

    def _speak(self, language: str) -> None:
        name = next(name for name, one in NAMES.items() if one == language)
        role = next(control.role for control, _ in self.controls if control.name == name)
        self.press(Control(role, name))
