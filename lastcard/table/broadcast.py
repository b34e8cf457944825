"""What the clients of a table are sent."""

from __future__ import annotations

from .hosted import Client, HostedTable
from .messages import MatchChanged, Reaction, TableChanged, UndoneMove, Welcome, encode
from .table import Happened


def welcome(hosted: HostedTable, client: Client) -> None:
    """Everything the client may know."""
    match = hosted.window(client.seat).shown(hosted.table)
    client.send(encode(Welcome(client.seat, hosted.shown(), match)))


def tell(hosted: HostedTable, happened: Happened) -> None:
    """What an entry has changed: to each client as much as its seat may know."""
    table = hosted.table
    if happened.undone is not None:
        undone = encode(UndoneMove(happened.undone))
        for client in hosted.clients:
            client.send(undone)
    made: dict[int | None, bytes | None] = {}
    if happened.log is not None or happened.whole:
        seconds = hosted.seconds
        for client in hosted.clients:
            seat = client.seat
            if seat in made:
                message = made[seat]
            else:
                window = hosted.window(seat)
                if happened.whole:
                    message = window.anew(table)
                else:
                    message = window.update(table, happened, seconds)
                made[seat] = message
            if message is not None:
                client.send(message)
    if happened.table:
        tell_table(hosted)


def tell_table(hosted: HostedTable, but: Client | None = None) -> None:
    """The table as it is now, without its cards."""
    others = [client for client in hosted.clients if client is not but]
    if others:
        message = encode(TableChanged(hosted.shown()))
        for client in others:
            client.send(message)


def tell_match(hosted: HostedTable, client: Client) -> None:
    """The whole match, to one client that has fallen behind."""
    match = hosted.window(client.seat).shown(hosted.table)
    if match is not None:
        client.send(encode(MatchChanged(match)))


def tell_reaction(hosted: HostedTable, seat: int, reaction: str) -> None:
    message = encode(Reaction(seat, reaction))
    for client in hosted.clients:
        client.send(message)
