"""Messages of clients: what they ask for is carried out, or refused."""

from __future__ import annotations

import logging

from . import broadcast, messages
from .entries import Entry
from .hosted import Client, HostedTable
from .messages import Asked, HintShown, Ok
from .processes import Processes
from .refusals import Code, Refused
from .thinking import Thinkers
from .window import advice_of
from .writer import Writer

log = logging.getLogger("lastcard.table")


class MessageHandler:
    def __init__(self, writer: Writer, thinkers: Thinkers, processes: Processes) -> None:
        self._writer = writer
        self._thinkers = thinkers
        self._processes = processes

    async def handle(self, hosted: HostedTable, client: Client, asked: Asked) -> Ok | HintShown:
        """Does what a client asks, or raises Refused. Answers once it is on disk."""
        seat = client.seat
        if isinstance(asked, messages.Move) and seat is not None:  # first, as most are
            made = await self._writer.in_turn(hosted, self._move, hosted, client, seat, asked)
            return Ok(asked.id, made)
        if isinstance(asked, messages.Ping):
            return Ok(asked.id)
        if isinstance(asked, messages.Hello):
            raise Refused(Code.MALFORMED, "You have already said hello.")
        if seat is None:
            raise Refused(Code.NOT_SEATED, "Spectators cannot do this; take a seat first.")
        if isinstance(asked, messages.React):
            broadcast.tell_reaction(hosted, seat, asked.reaction)
            await self._processes.tell_reaction(hosted, seat, asked.reaction)
            return Ok(asked.id)
        if isinstance(asked, messages.Hurry):
            if seat not in hosted.table.waiting:
                hosted.hurry(seat)
            return Ok(asked.id)
        if isinstance(asked, messages.Hint):
            return await self._advise(hosted, seat, asked.id)
        version = await self._writer.in_turn(hosted, self._carry_out, hosted, client, seat, asked)
        return Ok(asked.id, version)

    async def _carry_out(
        self, hosted: HostedTable, client: Client, seat: int, asked: Asked
    ) -> int | None:
        """The version that an undo led to."""
        table = hosted.table
        _check_seated(client, seat)
        match asked:
            case messages.Undo():
                entry: Entry = table.undo(seat, asked.version)
            case messages.Pause():
                entry = table.pause(seat, hosted.electorate)
                if seat in table.agreed and not entry.all:
                    return None
            case messages.Resume():
                entry = table.resume(seat)
            case messages.Fill():
                entry = table.fill(asked.level)
            case messages.Seed():
                entry = table.seed(seat, asked.seed)
            case messages.Rematch():
                entry = table.rematch(seat, hosted.electorate, asked.seed)
            case messages.Leave():
                entry = table.leave(seat)
            case _:
                raise Refused(Code.MALFORMED, "This is not a message to a table.")
        await self._writer.write(hosted, entry)
        return table.version if isinstance(asked, messages.Undo) else None

    async def _move(
        self, hosted: HostedTable, client: Client, seat: int, asked: messages.Move
    ) -> int:
        table, id = hosted.table, asked.id or ""
        _check_seated(client, seat)
        done = table.moved_already(seat, id)
        if done is not None:
            return done
        try:
            await self._writer.write(hosted, table.move(seat, asked.version, asked.action, id))
        except Refused as refused:
            if refused.code == Code.STALE:
                broadcast.tell_match(hosted, client)
            raise
        return table.version

    async def _advise(self, hosted: HostedTable, seat: int, id: str | None) -> HintShown:
        """Changes nothing, so the table goes on meanwhile."""
        if seat in hosted.advised:
            raise Refused(Code.TOO_FAST, "One hint at a time.")
        table = hosted.table
        table.may_be_advised(seat)
        hosted.advised.add(seat)
        try:
            await self._thinkers.get_ready(table.game)
            match, version = table.may_be_advised(seat), table.version  # as of now
            judged = await self._thinkers.advise(match, seat)
        except Refused:
            raise
        except Exception:
            log.exception("a hint has failed")
            raise Refused(Code.UNAVAILABLE, "Something went wrong here. Try again.") from None
        finally:
            hosted.advised.discard(seat)
        return HintShown(id, version, advice_of(table.game, judged))


def _check_seated(client: Client, seat: int) -> None:
    if client.seat != seat:  # given up while the message was waiting
        raise Refused(Code.NOT_SEATED, "You have left this seat.")
