"""A study as one HTML page that needs nothing else."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from .estimates import Estimate
from .svg import mark

STYLE = Path(__file__).with_name("page.css")
PERCENT = "\N{NO-BREAK SPACE}%"
MINUS, NONE = "\N{MINUS SIGN}", "\N{EN DASH}"


@dataclass(frozen=True)
class Unit:
    """How numbers of a kind are written: `percent` are shares, `signed` are differences."""

    digits: int = 2
    percent: bool = False
    signed: bool = False

    def number(self, value: float) -> str:
        if not math.isfinite(value):
            return NONE
        value = round(100 * value if self.percent else value, self.digits) + 0.0  # no -0
        return f"{value:{'+' if self.signed else ''},.{self.digits}f}".replace("-", MINUS)

    def text(self, found: Estimate) -> str:
        """A number with its interval."""
        if not math.isfinite(found.value):
            return NONE
        sign = PERCENT if self.percent else ""
        if found.low is None or found.high is None:
            return f"{self.number(found.value)}{sign}"
        ends = f"{self.number(found.low)} to {self.number(found.high)}"
        return f"{self.number(found.value)}{sign} ({ends})"

    def html(self, found: Estimate) -> str:
        value, bracket, interval = self.text(found).partition(" (")
        if not bracket:
            return value
        return f'{value} <span class="interval">({interval}</span>'


SHARE = Unit(1, percent=True)
SHARE_OVER = Unit(1, percent=True, signed=True)
RARE = Unit(2, percent=True)


@dataclass(frozen=True)
class Table:
    """Cells are HTML. The first of a row is what the row is about."""

    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]

    def html(self) -> str:
        head = "".join(f'<th scope="col">{one}</th>' if one else "<td></td>" for one in self.head)
        rows = "".join(
            f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in rest)}</tr>'
            for first, *rest in self.rows
        )
        return (
            f'<div class="scroll" tabindex="0" role="group" aria-label="{escape(self.caption)}">'
            f"<table><caption>{escape(self.caption)}</caption>"
            f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
        )


@dataclass
class Section:
    """A question, what was found, and where it comes from."""

    id: str
    title: str
    parts: list[str] = field(default_factory=list)

    def say(self, *sentences: str) -> None:
        """A paragraph. Sentences are plain text."""
        self.parts.append(f"<p>{escape(' '.join(sentences))}</p>")

    def note(self, text: str) -> None:
        self.parts.append(f'<p class="note">{escape(text)}</p>')

    def list(self, items: Iterable[str]) -> None:
        self.parts.append(f"<ul>{''.join(f'<li>{escape(item)}</li>' for item in items)}</ul>")

    def head(self, text: str) -> None:
        self.parts.append(f"<h3>{escape(text)}</h3>")

    def plot(self, drawn: str, caption: str, series: Sequence[str] = ()) -> None:
        if not drawn:
            return
        keys = "".join(f"<span>{mark(n)} {escape(name)}</span>" for n, name in enumerate(series))
        legend = f'<div class="legend">{keys}</div>' if series else ""
        text = f"<figcaption>{escape(caption)}</figcaption>"
        self.parts.append(f"<figure>{legend}{drawn}{text}</figure>")

    def details(self, tables: Sequence[Table], commands: Sequence[str], summary: str = "") -> None:
        """The numbers behind a plot, and the commands that give them again."""
        lines = "\n".join(map(escape, commands))
        run = f'<pre tabindex="0"><code>{lines}</code></pre>' if commands else ""
        inside = "".join(table.html() for table in tables) + run
        said = escape(summary or "The numbers, and how to get them again")
        self.parts.append(f"<details><summary>{said}</summary>{inside}</details>")

    def html(self) -> str:
        inside = "\n".join(self.parts)
        return (
            f'<section aria-labelledby="{self.id}">\n'
            f'<h2 id="{self.id}">{escape(self.title)}</h2>\n{inside}\n</section>'
        )


def page(title: str, lead: Sequence[str], sections: Sequence[Section]) -> str:
    links = "".join(f'<li><a href="#{one.id}">{escape(one.title)}</a></li>' for one in sections)
    return "\n".join(
        (
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>",
            f"<style>\n{STYLE.read_text(encoding='utf-8')}</style>",
            "</head>",
            "<body>",
            f"<header>\n<h1>{escape(title)}</h1>",
            *(f"<p>{escape(text)}</p>" for text in lead),
            "</header>",
            f'<nav aria-label="Questions"><ul>{links}</ul></nav>',
            "<main>",
            *(one.html() for one in sections),
            "</main>",
            "</body>",
            "</html>",
            "",
        )
    )
