"""What a browser finds at the address of the server, or at a table's link."""

from __future__ import annotations

from html import escape

from lastcard.core.registry import game
from lastcard.table.messages import TableShown

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<h1>{title}</h1>
{body}
</html>
"""


def front() -> str:
    body = (
        "<p>This is a server of live tables for Last Card. Programs talk to it as "
        "<code>docs/protocol.md</code> says; what there is to play, it tells at "
        '<a href="/api/games">/api/games</a>, and open tables at '
        '<a href="/api/tables">/api/tables</a>.</p>'
    )
    return PAGE.format(title="Last Card", body=body)


def of_table(table: TableShown) -> str:
    seats = "".join(
        f"<li>{escape(seat.name or (f'a bot ({seat.level})' if seat.level else 'free'))}</li>"
        for seat in table.seats
    )
    picture = f'<img src="/api/tables/{table.id}/qr.svg" width="296" height="296" alt="QR code">'
    body = f"<p>This table is {table.status}. Its seats:</p><ol>{seats}</ol><p>{picture}</p>"
    return PAGE.format(title=f"{escape(game(table.game).title)}: a table", body=body)
