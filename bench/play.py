"""How smoothly the page runs: tasks longer than 50 ms while a person plays against bots, as the
browser counts them (Long Tasks).

usage: python bench/play.py [--minutes 4] [--game taki] [--size 1280x800]
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import tempfile
import time
from pathlib import Path
from unittest import mock

from lastcard.core.registry import games
from lastcard.table.times import Times
from tests.browser.chromium import chromium
from tests.browser.harness import Table, Visitor, serving

LONG = 100  # milliseconds: what people notice
OBSERVE = """
window.tasks = [];
new PerformanceObserver((list) => {
  for (const { duration, startTime } of list.getEntries()) window.tasks.push([startTime, duration]);
}).observe({ type: 'longtask', buffered: true });
"""


def play(table: Table, seconds: float) -> int:
    """Plays by clicking until the time is up or the match is over; returns the number of moves."""
    until, made = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        what = table.next(10)
        if what == "round":
            table.go_on()
        elif what == "turn":
            table.play_one()
            made += 1
        else:
            break
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--minutes", type=float, default=4.0, help="of play in total")
    parser.add_argument("--game", choices=games(), action="append", help="(all games)")
    parser.add_argument("--size", default="1280x800", help="of the window, WxH")
    asked = parser.parse_args()
    width, height = map(int, asked.size.split("x"))
    chosen = asked.game or games()
    secrets = (hashlib.sha256(f"play {n}".encode()).hexdigest() for n in itertools.count())
    print(f"{'game':12} {'moves':>6} {'seconds':>8} {'> 50 ms':>8} {'> 100 ms':>9} {'worst':>8}")
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch("lastcard.table.house.new_secret", side_effect=secrets),
        serving(f"sqlite:///{Path(folder) / 'tables.db'}", Times(pace=0.3, patience=0.3)) as site,
        chromium() as browser,
    ):
        for game in chosen:
            visitor = Visitor(
                browser,
                site.url,
                viewport={"width": width, "height": height},
                reduced_motion="no-preference",
            )
            visitor.context.add_init_script(OBSERVE)
            made, started, tasks = 0, time.monotonic(), []
            while (left := started + 60 * asked.minutes / len(chosen) - time.monotonic()) > 1:
                table = visitor.sit(site.table(game, 4, options={}))
                made += play(table, left)
                tasks += [took for _, took in visitor.page.evaluate("() => window.tasks")]
            seconds, worst = time.monotonic() - started, max(tasks, default=0)
            over = sum(took > LONG for took in tasks)
            print(f"{game:12} {made:6} {seconds:8.0f} {len(tasks):8} {over:9} {worst:5.0f} ms")
            visitor.close()


if __name__ == "__main__":
    main()
