"""Tables on the device, as tests open them."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from tests.browser.harness import SHORT, WORKER, Seat

# What the page's own modules do, in their joined form.
OPEN = """
async ([setup, others]) => {
  const { $need } = await import(document.querySelector('script[type=module]').src);
  const { joinTable, openTable } = $need('web/lib/api.js');
  const { keep, keepToken } = $need('web/lib/settings.js');
  const seats = [await openTable(setup, { here: true })];
  for (const name of others) seats.push(await joinTable(seats[0].table, name, null));
  keep(seats[0].table, { game: setup.game });
  for (const { table, seat, token } of seats) keepToken(table, seat, token);
  return seats;
}
"""


def open_here(
    page: Page, game: str, players: int = 3, *, names: tuple[str, ...] = ("Ann",), **more: Any
) -> list[Seat]:
    """A table on the device of a page, with these people and bots."""
    setup = {"game": game, "players": players, "bots": ["easy"] * (players - len(names))}
    setup |= {"name": names[0], "options": SHORT[game], "grace": None, **more}
    made = page.evaluate(OPEN, [setup, list(names[1:])])
    return [Seat(one["table"], one["seat"], one["token"]) for one in made]


def call(page: Page, module: str, name: str, *given: Any) -> Any:
    """What a function of one of the page's modules returns."""
    return page.evaluate(
        """async ([module, name, given]) => {
          const { $need } = await import(document.querySelector('script[type=module]').src);
          return $need(module)[name](...given);
        }""",
        [module, name, list(given)],
    )


def setup_here(page: Page, table: str) -> dict[str, Any]:
    """How a table on the device of a page was opened."""
    [worker] = [one for one in page.workers if WORKER.search(one.url)]
    found: dict[str, Any] = worker.evaluate("(id) => self.house.store.get(id)", table)
    setup: dict[str, Any] = found["setup"]
    return setup
