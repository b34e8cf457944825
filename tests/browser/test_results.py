"""The end of a round: each player's cards are counted, line by line, and it adds up."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.harness import GAMES, LANGUAGES, Site, Table, Visitor, becomes

OPTIONS = {"chiko": {"target": 500}, "sixth_sense": {}}  # others: two rounds
SMALL = [{"width": 360, "height": 640}, {"width": 640, "height": 360}]

TALLIES = """() => [...document.querySelectorAll('dialog.round .tally')].map((player) => {
  const number = (element) => Number(element.textContent.replace('\\u2212', '-').replace('+', ''));
  return {
    name: player.querySelector('h3').textContent,
    parts: [...player.querySelectorAll('li')].map((line) => ({
      text: line.querySelector('.words').textContent,
      points: line.querySelector('.n') && number(line.querySelector('.n')),
      cards: line.querySelectorAll('.shown-cards svg').length,
      seen: getComputedStyle(line).visibility === 'visible',
    })),
    round: number(player.querySelector('.of-round')),
    total: number(player.querySelector('.in-total')),
    leads: player.querySelector('.leads') !== null,
  };
})"""


def at_the_end_of_a_round(site: Site, visitor: Visitor, game: str, players: int = 3) -> Table:
    """The page is there when it comes; somebody quicker plays until then."""
    seat = site.table(game, players, options=OPTIONS.get(game, {"rounds": 2}))
    table = visitor.sit(seat)
    if table.next() == "turn":
        site.quick(seat).play(until=lambda view: any(view["scores"]))
    assert table.ended() == "round"
    return table


def tallies(page: Page) -> list[dict[str, Any]]:
    expect(page.locator("dialog.round .adding")).to_have_count(0)
    found: list[dict[str, Any]] = page.evaluate(TALLIES)
    return found


def fits(page: Page) -> bool:
    """The way on is on the screen, nothing goes beyond its sides, and it is read from the top."""
    answer: bool = page.evaluate(
        """() => {
          const result = document.querySelector('.round-result');
          const inside = (element) => {
            const { left, right } = element.getBoundingClientRect();
            return left >= 0 && right <= innerWidth;
          };
          const { top, bottom } = document.querySelector('[data-go-on]').getBoundingClientRect();
          return top >= 0 && bottom <= innerHeight && result.scrollTop === 0
            && result.scrollWidth <= result.clientWidth
            && [...result.querySelectorAll('*')].every(inside);
        }"""
    )
    return answer


@pytest.mark.parametrize("game", GAMES)
def test_points_add_up(visitor: Visitor, site: Site, game: str) -> None:
    table, page = at_the_end_of_a_round(site, visitor, game), visitor.page
    match = site.match(table.id)
    found = tallies(page)
    names = ["Ann", "Ada", "Leo"]
    assert sorted(one["name"] for one in found) == sorted(names)
    for one in found:
        assert one["parts"] and all(part["text"] and part["seen"] for part in one["parts"])
        assert sum(part["points"] or 0 for part in one["parts"]) == one["round"] == one["total"]
    totals = [one["total"] for one in found]
    assert totals == sorted(totals, reverse=not match.game.rules.LOWEST_WINS)
    assert [one["leads"] for one in found] == [total == totals[0] for total in totals]
    assert sorted(totals) == sorted(match.scores)  # the server has dealt already


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_on_small_screens(visitor: Visitor, site: Site, game: str, language: str) -> None:
    visitor.open("/")
    visitor.speak(language)
    at_the_end_of_a_round(site, visitor, game)
    for size in SMALL:
        visitor.page.set_viewport_size(size)  # type: ignore[arg-type]
        becomes(visitor.page, lambda: fits(visitor.page))


RECORD = """
  window.recorded = [];
  new MutationObserver(() => {
    const result = document.querySelector('dialog.round .round-result');
    if (!result) return;
    const lines = result.querySelectorAll('.tally li.seen').length;
    const sums = [...result.querySelectorAll('.of-round')].map((one) => one.textContent);
    const now = [result.classList.contains('adding'), lines, ...sums];
    if (String(window.recorded.at(-1)) !== String(now)) window.recorded.push(now);
  }).observe(document, { subtree: true, childList: true, attributes: true });
"""


def quit_a_round(site: Site, visitor: Visitor) -> None:
    """The others play on, and what moves may move."""
    table, page = visitor.sit(site.table("chiko", 3, options=OPTIONS["chiko"])), visitor.page
    table.turn()
    page.emulate_media(reduced_motion="no-preference")
    page.locator('[data-action="quit"]').click()
    assert table.ended() == "round"


def test_it_adds_up_before_ones_eyes(visitor: Visitor, site: Site) -> None:
    visitor.page.add_init_script(RECORD)
    quit_a_round(site, visitor)
    found = tallies(visitor.page)
    adding, *after = zip(*visitor.page.evaluate("recorded"), strict=True)
    assert adding[0] and not adding[-1]
    lines = after[0]
    assert lines[0] == 0 and list(lines) == sorted(lines)  # one after the other
    assert lines[-1] == sum(len(one["parts"]) for one in found)
    for sums, one in zip(after[1:], found, strict=True):
        assert sums[0] == "0" and int(sums[-1]) == one["round"]


def test_a_tap_ends_the_counting(visitor: Visitor, site: Site) -> None:
    visitor.page.add_init_script("window.setInterval = () => 0")  # it would count for ever
    quit_a_round(site, visitor)
    page = visitor.page
    expect(page.locator("dialog.round .adding")).to_have_count(1)
    assert not any(part["seen"] for one in page.evaluate(TALLIES) for part in one["parts"])
    page.locator("dialog.round h2").click()
    for one in tallies(page):
        assert all(part["seen"] for part in one["parts"])
        assert sum(part["points"] for part in one["parts"]) == one["round"] == one["total"]


def test_a_blitz_is_seen_move_by_move(visitor: Visitor, site: Site) -> None:
    """Bots place as many tiles as they like; each is seen before the next, unless somebody taps."""
    page = visitor.page
    page.add_init_script("""
      const later = window.setTimeout; // the time to look at a move does not pass by itself
      window.setTimeout = (work, ms, ...more) => (ms === 650 ? 0 : later(work, ms, ...more));
    """)
    before, last = blitz(site, visitor)
    while last < before + 4:  # the others have made two moves or fewer
        before, last = blitz(site, visitor)
    for version in range(before + 1, last):
        expect(page.locator(".board")).to_have_attribute("data-version", str(version))
        page.keyboard.press("Shift")


def blitz(site: Site, visitor: Visitor) -> tuple[int, int]:
    """A turn, and then those of the others, who are quick: from which version to which."""
    options = {"blitz": True, "rounds": 1, "opener": 0}
    table, end = visitor.sit(site.table("chichiko", 3, options=options)), '[data-action="end"]'
    hosted = site.hosted(table.id)
    while table.next() == "turn" and not visitor.page.locator(end).count():
        table.play_one()
    before = table.version
    visitor.page.locator(end).click()
    while hosted.table.version == before or hosted.table.waiting not in ([0], []):
        visitor.page.wait_for_timeout(20)
    return before, hosted.table.version
