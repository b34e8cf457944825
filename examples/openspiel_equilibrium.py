"""How far from perfect? Games with a short deck, solved by OpenSpiel, and our bots beside them.

usage: examples/openspiel_equilibrium.py [GAME] [--iterations 128] [--picture FILE.svg]
GAME is an OpenSpiel game for two with a short deck. For CFR, CFR+ and two kinds of Monte Carlo CFR
it prints the exploitability of their average policy as iterations go on, and that of our bots: how
much a perfect opponent wins against it on average, where a win is 1 and a loss -1; 0 is perfect.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyspiel

import lastcard.envs.openspiel  # noqa: F401  registers the games
from lastcard.envs.openspiel_bots import policy_of

GAME = "lastcard_chiko(deck=1 1 2 2 c c e,hand=2)"
BOTS = ("easy", "normal", "learned", "search:200", "search:2000", "search:200:guided:trust=0.01")
SEED = 1
Curve = list[tuple[int, float]]  # iterations, exploitability


def solvers(tree: Any) -> dict[str, tuple[Callable[[], None], Callable[[], Any], int]]:
    """What makes a step, what the average policy is then, and steps for one of CFR's iterations."""
    plain, plus = pyspiel.CFRSolver(tree), pyspiel.CFRPlusSolver(tree)
    external = pyspiel.ExternalSamplingMCCFRSolver(tree, SEED)
    outcome = pyspiel.OutcomeSamplingMCCFRSolver(tree, 0.6, SEED)
    return {
        "CFR": (plain.evaluate_and_update_policy, plain.average_policy, 1),
        "CFR+": (plus.evaluate_and_update_policy, plus.average_policy, 1),
        "MCCFR, external sampling": (external.run_iteration, external.average_policy, 50),
        "MCCFR, outcome sampling": (outcome.run_iteration, outcome.average_policy, 500),
    }


def doubling(last: int) -> Iterator[int]:
    """1, 2, 4, ... and the last."""
    step = 1
    while step < last:
        yield step
        step *= 2
    yield last


def curves(tree: Any, iterations: int) -> dict[str, Curve]:
    found = {}
    for name, (step, policy, many) in solvers(tree).items():
        curve, done = [], 0
        for stop in doubling(iterations):
            for _ in range((stop - done) * many):
                step()
            done = stop
            curve.append((done * many, pyspiel.exploitability(tree, policy())))
        found[name] = curve
        print(f"{name:28} {curve[-1][0]:7} iterations  {curve[-1][1]:.4f}", flush=True)
    return found


def bots(tree: Any, at: Any) -> dict[str, float]:
    uniform = pyspiel.exploitability(tree, pyspiel.UniformRandomPolicy(tree))
    found = {"random": uniform}
    print(f"{'random':28} {'':18}  {uniform:.4f}", flush=True)
    for name in BOTS:
        found[name] = pyspiel.exploitability(tree, policy_of(at, name, SEED))
        print(f"{name:28} {'':18}  {found[name]:.4f}", flush=True)
    return found


# --- The picture ---------------------------------------------------------------------------------

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 400, 60, 210, 20, 45
COLOURS = ("#1b6ca8", "#c2410c", "#15803d", "#7e22ce")
LOWEST = 1e-4  # exploitability


def picture(title: str, lines: dict[str, Curve], marks: dict[str, float]) -> str:
    """Both axes are logarithmic. Bots are dotted lines with their names on the right."""
    from math import log10

    most = max(x for line in lines.values() for x, _ in line)
    inner = WIDTH - LEFT - RIGHT

    def across(x: float) -> float:
        return LEFT + inner * log10(x) / log10(most)

    def down(y: float) -> float:
        part = log10(max(y, LOWEST)) / log10(LOWEST)
        return TOP + (HEIGHT - TOP - BOTTOM) * min(max(part, 0), 1)

    parts = [f"<title>{title}</title>", f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>']
    for power in range(5):
        y = down(10.0**-power)
        parts.append(f'<path d="M{LEFT} {y:.1f}h{inner}" stroke="#ddd"/>')
        parts.append(_text(LEFT - 8, y + 4, f"{10.0**-power:g}", "end"))
    for power in range(int(log10(most)) + 1):
        parts.append(_text(across(10**power), HEIGHT - BOTTOM + 20, f"{10**power:,}", "middle"))
    parts.append(_text(LEFT + inner / 2, HEIGHT - 6, "iterations", "middle"))
    labels = []
    for name, y in marks.items():
        parts.append(
            f'<path d="M{LEFT} {down(y):.1f}h{inner}" stroke="#888" stroke-dasharray="2 4"/>'
        )
        labels.append((down(y), name, "#555"))
    for (name, line), colour in zip(lines.items(), COLOURS, strict=True):
        points = " ".join(f"{across(x):.1f},{down(y):.1f}" for x, y in line)
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
        )
        labels.append((down(line[-1][1]), name, colour))
    last = 0.0
    for y, name, colour in sorted(labels):
        last = max(y + 4, last + 15)  # names do not lie on each other
        parts.append(_text(WIDTH - RIGHT + 8, last, name, "start", colour))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="sans-serif" font-size="12">\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _text(x: float, y: float, words: str, anchor: str, colour: str = "#333") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{words}</text>'


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", nargs="?", default=GAME)
    parser.add_argument("--iterations", type=int, default=128)
    parser.add_argument("--picture", type=Path)
    given = parser.parse_args()
    started = time.perf_counter()
    at = pyspiel.load_game(given.game)
    tree = pyspiel.convert_to_cached_tree(at)
    found = curves(tree, given.iterations)
    marks = bots(tree, at)
    print(f"{time.perf_counter() - started:.0f} s")
    if given.picture:
        given.picture.write_text(picture(f"Distance to equilibrium: {at}", found, marks))


if __name__ == "__main__":
    main()
