"""Messages of clients: what they ask for is carried out, or refused."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Generic, TypeAlias, TypeVar

from . import broadcast, messages
from .entries import Entry
from .hosted import Client, HostedTable
from .messages import Asked, HintShown, Ok
from .processes import Processes
from .refusals import Code, Refused
from .thinking import Thinkers
from .window import advice_of, liked_of
from .writer import Job, Writer

log = logging.getLogger("lastcard.table")

Kind = TypeVar("Kind", bound=Asked)
Answer: TypeAlias = Callable[[Ok | Exception], None]  # called once, with what went wrong if it did


class Request(Job, Generic[Kind]):
    """What a player asks for."""

    __slots__ = ("answer", "asked", "client", "seat")

    def __init__(
        self, hosted: HostedTable, client: Client, seat: int, asked: Kind, answer: Answer
    ) -> None:
        super().__init__(hosted)
        self.client = client
        self.seat = seat
        self.asked = asked
        self.answer = answer

    def check_seated(self) -> None:
        if self.client.seat != self.seat:  # given up while the message was waiting
            raise Refused(Code.NOT_SEATED, "You have left this seat.")


class Move(Request[messages.Move]):
    __slots__ = ("before",)

    before: int | None  # the version it led to when it was sent before

    def decide(self) -> Entry | None:
        asked, table, id = self.asked, self.hosted.table, self.asked.id or ""
        self.check_seated()
        self.before = table.moved_already(self.seat, id)
        if self.before is not None:
            return None
        try:
            return table.move(self.seat, asked.version, asked.action, id)
        except Refused as refused:
            if refused.code == Code.STALE:
                broadcast.tell_match(self.hosted, self.client)
            raise

    def done(self, error: Exception | None) -> None:
        if error is not None:
            self.answer(error)
        else:
            made = self.hosted.table.version if self.before is None else self.before
            self.answer(Ok(self.asked.id, made))


class Change(Request[Asked]):
    """Anything else that changes a table."""

    __slots__ = ()

    def decide(self) -> Entry | None:
        hosted, seat, asked = self.hosted, self.seat, self.asked
        table = hosted.table
        self.check_seated()
        match asked:
            case messages.Undo():
                return table.undo(seat, asked.version)
            case messages.Pause():
                agreed = table.pause(seat, hosted.electorate)
                return None if seat in table.agreed and not agreed.all else agreed
            case messages.Resume():
                return table.resume(seat)
            case messages.Fill():
                return table.fill(asked.level)
            case messages.Seed():
                return table.seed(seat, asked.seed)
            case messages.Rematch():
                return table.rematch(seat, hosted.electorate, asked.seed)
            case messages.Leave():
                return table.leave(seat)
        raise Refused(Code.MALFORMED, "This is not a message to a table.")

    def done(self, error: Exception | None) -> None:
        if error is not None:
            self.answer(error)
            return
        undone = isinstance(self.asked, messages.Undo)
        self.answer(Ok(self.asked.id, self.hosted.table.version if undone else None))


class MessageHandler:
    def __init__(self, writer: Writer, thinkers: Thinkers, processes: Processes) -> None:
        self._writer = writer
        self._thinkers = thinkers
        self._processes = processes

    def handle(self, hosted: HostedTable, client: Client, asked: Asked, answer: Answer) -> None:
        """Does what a client asks, and answers once it is on disk."""
        seat = client.seat
        if isinstance(asked, messages.Move) and seat is not None:  # first, as most are
            self._writer.do(Move(hosted, client, seat, asked, answer))
        elif isinstance(asked, messages.Ping):
            answer(Ok(asked.id))
        elif isinstance(asked, messages.Hello):
            answer(Refused(Code.MALFORMED, "You have already said hello."))
        elif seat is None:
            answer(_only_for_players())
        elif isinstance(asked, messages.React):
            broadcast.tell_reaction(hosted, seat, asked.reaction)
            self._processes.tell_reaction(hosted, seat, asked.reaction)
            answer(Ok(asked.id))
        elif isinstance(asked, messages.Hurry):
            if seat not in hosted.table.waiting:
                hosted.hurry(seat)
            answer(Ok(asked.id))
        else:
            self._writer.do(Change(hosted, client, seat, asked, answer))

    async def advise(self, hosted: HostedTable, client: Client, asked: messages.Hint) -> HintShown:
        """Changes nothing, so the table goes on meanwhile."""
        seat = client.seat
        if seat is None:
            raise _only_for_players()
        if seat in hosted.advised:
            raise Refused(Code.TOO_FAST, "One hint at a time.")
        table = hosted.table
        table.may_be_advised(seat)
        hosted.advised.add(seat)
        try:
            await self._thinkers.get_ready(table.game)
            match, version = table.may_be_advised(seat), table.version  # as of now
            opinions = self._thinkers.opinions(match, seat)
            judged = await self._thinkers.advise(match, seat)
        except Refused:
            raise
        except Exception:
            log.exception("a hint has failed")
            raise Refused(Code.UNAVAILABLE, "Something went wrong here. Try again.") from None
        finally:
            hosted.advised.discard(seat)
        best = advice_of(table.game, judged, opinions)
        return HintShown(asked.id, version, best, liked_of(table.game, opinions))


def _only_for_players() -> Refused:
    return Refused(Code.NOT_SEATED, "Spectators cannot do this; take a seat first.")
