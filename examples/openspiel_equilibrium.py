"""How far from perfect? Games with a short deck, solved by OpenSpiel, and our bots beside them.

usage: examples/openspiel_equilibrium.py [GAME ...] [--iterations 128] [--pictures FOLDER]
GAME is an OpenSpiel game for two with a short deck. Prints how large each is, and a table in
Markdown: the exploitability of the average policies that CFR, CFR+ and two kinds of Monte Carlo CFR
end with, and that of our bots. It is how much a perfect opponent wins against them on average,
where a win is 1 and a loss -1; 0 is perfect. The pictures, one for each game, show how it falls.
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

GAMES = (
    "lastcard_chiko(deck=1 1 2 2 c c e,hand=2)",
    "lastcard_sixth_sense(deck=r0 r1 r2 r4 y0 y1 y2,hand=3)",
)
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
    return found


def bots(tree: Any, at: Any) -> dict[str, float]:
    found = {"random": pyspiel.exploitability(tree, pyspiel.UniformRandomPolicy(tree))}
    for name in BOTS:
        found[name] = pyspiel.exploitability(tree, policy_of(at, name, SEED))
    return found


def size(tree: Any) -> str:
    """Counted by walking the whole tree."""
    histories, keys = 0, set()
    states = [tree.new_initial_state()]
    deals = len(states[0].legal_actions())
    while states:
        state = states.pop()
        histories += 1
        if state.is_player_node():
            keys.add(state.information_state_string())
        states += [state.child(action) for action in state.legal_actions()]
    return f"{deals:,} deals, {histories:,} histories, {len(keys):,} information sets"


def table(names: list[str], lines: list[dict[str, Curve]], marks: list[dict[str, float]]) -> str:
    """A row for each solver and each bot, a column for each game."""
    rows = [("", "iterations", *names), ("-",) * (2 + len(names))]
    for solver, curve in lines[0].items():
        ends = [f"{line[solver][-1][1]:.4f}" for line in lines]
        rows.append((solver, f"{curve[-1][0]:,}", *ends))
    for bot in marks[0]:
        rows.append((f"`{bot}`", "", *(f"{mark[bot]:.4f}" for mark in marks)))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


# --- The picture ---------------------------------------------------------------------------------

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 410, 60, 210, 30, 45
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
    parts.append(_text(4, TOP - 10, "exploitability", "start"))
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
    parser.add_argument("games", nargs="*", default=GAMES, metavar="GAME")
    parser.add_argument("--iterations", type=int, default=128)
    parser.add_argument("--pictures", type=Path, metavar="FOLDER")
    given = parser.parse_args()
    names, lines, marks = [], [], []
    for name in given.games:
        at = pyspiel.load_game(name)
        tree = pyspiel.convert_to_cached_tree(at)
        names.append(at.rules.title)
        print(f"{name}: {size(tree)}", flush=True)
        lines.append(curves(tree, given.iterations))
        marks.append(bots(tree, at))
        if given.pictures:
            file = given.pictures / f"equilibrium_{at.rules.id}.svg"
            file.write_text(picture(f"Distance to equilibrium: {name}", lines[-1], marks[-1]))
    print(table(names, lines, marks))
    print(f"{time.process_time():.0f} s of CPU")


if __name__ == "__main__":
    main()
