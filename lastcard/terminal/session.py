"""People and bots at one terminal."""

from __future__ import annotations

import re
import secrets
import time
from contextlib import nullcontext
from functools import cache
from itertools import chain, islice, product
from pathlib import Path
from string import ascii_lowercase

from rich.columns import Columns
from rich.console import Console
from rich.markdown import Markdown
from rich.markup import escape
from rich.text import Text

from lastcard.bots import adviser, bot
from lastcard.bots.learned import opinions_of
from lastcard.bots.playouts import TREE
from lastcard.bots.search import Budget
from lastcard.core import files
from lastcard.core.files import HUMAN
from lastcard.core.game import Game
from lastcard.core.match import Events, Match
from lastcard.core.views import legal_of
from lastcard.kernel.texts import CHANCE_NAME, text_of

from .advice import advice_of, labels_of
from .drawing import names_of, own_drawing, standing_of, table_of

HELP = "Type an action's letter or the start of its name. Also: hint, help, rules, log, exit."
HELP_OUT_OF_TURN = "player 2 (and so on): another player at this screen wants to act out of turn."
DICE_SECONDS = 0.6
HINTS = 5  # actions listed
HINT_BUDGET = Budget(ms=1000)
RECALLED = 6  # moves to retell when a match is resumed
CLEAR_SCROLLBACK = "\x1b[3J"


def beginnings(game: Game, action: str, label: str) -> set[str]:
    """How an action may be typed, in full or in part: play r5, r5, red 5, red-5; change colour g.

    The verb is always optional.
    """
    words = re.split(r"[ >]", action)
    ways = product(*({word, game.say(word)} for word in words))
    texts = {" ".join(way) for way in ways} | {game.say(action), label}
    return {squeezed(text) for one in texts for text in (one, without_verb(one)) if text}


def without_verb(text: str) -> str:
    return text.partition(" ")[2]


def spellings(game: Game, action: str, label: str) -> set[str]:
    """How an action may be typed in full, with the game's other words as well."""
    also = getattr(own_drawing(game), "SPELLINGS", {})
    words = re.split(r"[ >]", action)
    ways = {" ".join(way) for way in product(*({word, *also.get(word, ())} for word in words))}
    ways |= {without_verb(way) for way in ways}
    return beginnings(game, action, label) | {squeezed(way) for way in ways if way}


@cache
def all_spellings(game: Game) -> frozenset[str]:
    """Of every action. Such a name never stands for a longer one that starts with it."""
    return frozenset().union(*(spellings(game, name, game.say(name)) for name in game.actions))


def squeezed(text: str) -> str:
    """Only letters, digits and plus signs count; ½ is a half."""
    return re.sub(r"[^a-z0-9+]", "", re.sub(r"½|\.5\b", "half", text.lower()))


def marks(game: Game, count: int) -> list[str]:
    """Letters for the actions in the menu; numbers could be cards.

    Initials of cards and actions are left out, as they start their names.
    """
    taken = {name[0] for name in (*game.cards, *game.actions)}
    letters = [letter for letter in ascii_lowercase if letter not in taken]
    pairs = (a + b for a, b in product(letters, repeat=2))
    return [*islice(chain(letters, pairs), count)]


class LeaveSession(Exception):
    """A player wants to stop for now."""


class Session:
    """People and bots at one terminal. The match is saved after every move."""

    def __init__(self, console: Console, match: Match, seats: list[str], path: Path) -> None:
        self.console = console
        self.match = match
        self.seats = seats
        self.path = path
        self.people = [seat for seat, kind in enumerate(seats) if kind == HUMAN]
        self.names = names_of(seats, self.people[0] if len(self.people) == 1 else None)
        self.bots = {
            seat: bot(kind, match.game) for seat, kind in enumerate(seats) if kind != HUMAN
        }
        # Last, so that its background compilation does not delay the others.
        self.adviser = adviser(match.game, secrets.randbits(64), HINT_BUDGET)
        for one in [*self.bots.values(), self.adviser]:
            one.warm()
        # Each reader's log, and how much of it they have read. None is for all at the screen.
        self.told: dict[int | None, list[str]] = {seat: [] for seat in [None, *self.people]}
        self.read_so_far: dict[int | None, int] = dict.fromkeys(self.told, 0)
        self.looking = self.people[0] if len(self.people) == 1 else None
        self.round_seen = match.round

    def recall(self, file: files.MatchFile) -> None:
        """Fills the logs of a resumed match."""
        match = files.start(file, self.path)
        for number, (seat, action) in enumerate(file.moves, 1):
            if number == len(file.moves) - RECALLED + 1:
                self.read_so_far = {reader: len(lines) for reader, lines in self.told.items()}
            self.note(files.step(match, seat, action, number, self.path))

    def play(self) -> None:
        """Plays to the end, or raises LeaveSession."""
        files.save(self.match, self.path, self.seats)
        game = self.match.game
        chosen = [
            f"{option.name} {text_of(value)}"
            for option, value in zip(game.options, self.match.options.values(), strict=True)
            if value != option.default
        ]
        options = f" ({', '.join(chosen)})" if chosen else ""
        self.console.print(f"[bold]{game.title}[/]: {game.tagline}{options} [dim]{HELP}[/]")
        while not self.match.over:
            self.let_others_act()
            if self.match.over:
                break
            self.pause_between_rounds()
            waiting = self.match.waiting
            if waiting == [CHANCE_NAME]:
                self.roll()
                continue
            seat = next((seat for seat in waiting if seat in self.bots), waiting[0])
            assert isinstance(seat, int)
            if seat in self.bots and self.somebody_interrupts(seat):
                continue
            if seat in self.bots:
                self.let_bot_act(seat)
            else:
                self.ask(seat)
        reader = self.looking if len(self.people) == 1 else None
        self.tell(reader)
        self.console.print()
        self.console.print(table_of(game, self.match.view(reader), self.names))
        self.console.print()
        self.console.print(standing_of(self.match, self.names))

    def let_bot_act(self, seat: int) -> None:
        bot = self.bots[seat]
        status = self.console.status(f"{self.names[seat]} is thinking ...")
        with status if bot.thinks else nullcontext():
            action = bot.choose(self.match, seat)
        self.done(self.match.play(seat, action))

    def let_others_act(self) -> None:
        """Lets seats act that may do so out of turn.

        With several people at one screen, one of them is asked only if everybody knows that they
        may act. Otherwise the question would give their hand away; they can still call `player 2`.
        """
        for seat in range(self.match.players):
            if seat not in self.match.bystanders:
                continue
            if len(self.people) > 1 and seat in self.people and not self.all_know(seat):
                continue
            if seat in self.bots:
                action = self.bots[seat].interject(self.match, seat)
                if action is not None:
                    self.done(self.match.play(seat, action))
            elif self.ask(seat, waited=False):
                self.let_others_act()
                return

    def interruptible(self) -> bool:
        """Whether people may act out of turn without being asked, as a game's view may say."""
        return len(self.people) > 1 and bool(self.match.view(None).get("interruptible"))

    def somebody_interrupts(self, bot: int) -> bool:
        """Asks whether one of several people at the screen wants to act before a bot does."""
        if not self.interruptible():
            return False
        self.tell(None)
        prompt = (
            f"{self.names[bot]} is next. Press Enter, or type player 1, player 2 to act first. "
        )
        answer = self.read(prompt)
        if answer == "exit":
            raise LeaveSession
        other = self.called_by(answer)
        return other is not None and self.ask(other, waited=False)

    def all_know(self, seat: int) -> bool:
        """Whether everybody can see that a seat may act."""
        return bool(legal_of(self.match.game, self.match.hidden(None)[0], seat))

    def pause_between_rounds(self) -> None:
        """Gives people time to read how a round ended."""
        if self.match.round != self.round_seen and self.console.is_terminal:
            self.tell(self.looking if len(self.people) == 1 else None)
            self.wait("Press Enter for the next round. ")
            if len(self.people) > 1:
                self.looking = None  # everybody is looking: show no hand yet
        self.round_seen = self.match.round

    def roll(self) -> None:
        if len(self.people) == 1:
            self.tell(self.looking)
        if self.console.is_terminal:
            with self.console.status("Rolling the dice ..."):
                time.sleep(DICE_SECONDS)
        self.done(self.match.roll())

    def done(self, events: Events) -> None:
        """After every move: first to disk, then to the logs."""
        files.save(self.match, self.path, self.seats)
        self.note(events)

    def note(self, events: Events) -> None:
        for reader, lines in self.told.items():
            lines.extend(self.match.lines(events, reader, self.names))

    def tell(self, reader: int | None) -> None:
        """Prints what happened since this reader last looked."""
        lines = self.told[reader][self.read_so_far[reader] :]
        self.read_so_far[reader] = len(self.told[reader])
        self.read_so_far[None] = len(self.told[None])
        if lines:
            self.console.print()
        for line in lines:
            self.console.print(f"[dim]{escape(line)}[/]")

    def ask(self, seat: int, waited: bool = True) -> bool:
        """Asks a person until they choose a legal action; returns whether they did.

        A player who is not waited for may also choose nothing.
        """
        self.hand_over(seat, waited)
        self.tell(seat)
        self.show(seat, waited)
        while True:
            answer = self.read(f"{self.names[seat]} > ")
            if answer == "exit":
                raise LeaveSession
            if answer == "" and not waited:
                return False
            other = self.called_by(answer)
            if other is not None and other != seat and waited:
                if other not in self.match.waiting and not self.interruptible():
                    self.console.print("Nobody can act out of turn now.")
                    continue
                if self.ask(other, waited=other in self.match.waiting):
                    return True
                self.hand_over(seat)
            elif answer in ("", "?", "help"):
                self.help()
            elif answer == "hint":
                self.hint(seat)
                continue
            elif answer == "rules":
                self.console.print(Markdown(self.match.game.page))
            elif answer == "log":
                self.console.print(escape("\n".join(self.told[seat])) or "Nothing yet.")
            elif self.try_to(seat, answer):
                return True
            else:
                continue
            self.show(seat, waited)

    def help(self) -> None:
        self.console.print(HELP)
        if self.interruptible():
            self.console.print(HELP_OUT_OF_TURN)
        if hasattr(drawing := own_drawing(self.match.game), "LEGEND"):
            self.console.print(drawing.LEGEND)

    def called_by(self, answer: str) -> int | None:
        """The person at the screen whom an answer such as `player 2` calls."""
        names = {self.names[seat].lower(): seat for seat in self.people}
        return names.get(answer) if len(self.people) > 1 else None

    def show(self, seat: int, waited: bool) -> None:
        """Prints the table as a seat sees it, and what it may do."""
        view = self.match.view(seat)
        game = self.match.game
        labels = self.labels(seat)
        items = [
            Text.assemble((f"{mark} ", "bold cyan"), labels[name])
            for mark, name in self.menu(seat).items()
        ]
        if not waited:
            items.append(Text.assemble(("Enter ", "bold cyan"), "do nothing"))
        self.console.print()
        self.console.print(table_of(game, view, self.names))
        self.console.print()
        if not waited:
            turn = " and ".join(self.names[s] for s in view["waiting"] if s != CHANCE_NAME)
            self.console.print(f"[bold]It is not your turn: waiting for {escape(turn)}.[/]")
        self.console.print(Columns(items, padding=(0, 3)))

    def menu(self, seat: int) -> dict[str, str]:
        """The listed legal actions by their letters."""
        game, legal = self.match.game, self.match.legal(seat)
        unlisted = getattr(own_drawing(game), "unlisted", lambda action: False)
        names = [name for name in legal if not unlisted(name)]
        return dict(zip(marks(game, len(names)), names, strict=True))

    def labels(self, seat: int) -> dict[str, str]:
        """What people read for each legal action."""
        return labels_of(self.match.game, self.match.view(seat))

    def hint(self, seat: int) -> None:
        """Prints what search would do in this seat."""
        with self.console.status("Thinking ..."):
            judged = self.adviser.advise(self.match, seat)
        self.console.print()
        view = self.match.view(seat)
        trusting = self.adviser.manner(self.match.players).way != TREE
        game = self.match.game
        opinions = opinions_of(game, self.match, seat)
        self.console.print(advice_of(game, view, judged, trusting, HINTS, opinions))

    def try_to(self, seat: int, answer: str) -> bool:
        """Plays what a person typed, a letter of the menu or a name, if it is legal."""
        labels = self.labels(seat)
        meant = self.meant(seat, labels, answer)
        if len({labels[name] for name in meant}) == 1:
            self.done(self.match.play(seat, meant[0]))
            return True
        possible = ", ".join(dict.fromkeys(labels[name] for name in meant or labels)) or "nothing"
        if meant:
            self.console.print(f"Which one? {possible}.")
            return False
        sorry = f"[red]You cannot do that now: {escape(answer)}.[/]{self.why_not(seat, answer)}"
        self.console.print(f"{sorry} You can: {possible}.")
        return False

    def why_not(self, seat: int, answer: str) -> str:
        """Why what was typed cannot be played, if the game's drawing knows."""
        game = self.match.game
        drawing = own_drawing(game)
        if not hasattr(drawing, "why"):
            return ""
        verbs = {action.partition(" ")[0] for action in game.actions}
        first, _, rest = answer.partition(" ")
        verb, typed = (first, rest) if first in verbs else ("", answer)
        return f" {drawing.why(game, self.match.view(seat), verb, squeezed(typed))}".rstrip()

    def ways(self, seat: int, action: str) -> set[str]:
        """More ways to type an action at this moment, from the game's drawing."""
        game = self.match.game
        drawing = own_drawing(game)
        if not hasattr(drawing, "ways"):
            return set()
        ways = drawing.ways(game, self.match.view(seat), action, self.names)
        return {squeezed(way) for way in ways}

    def meant(self, seat: int, labels: dict[str, str], answer: str) -> list[str]:
        """The legal actions that an answer can mean: a letter, a name, or the start of names."""
        game, legal, marked = self.match.game, list(labels), self.menu(seat)
        if answer in marked:
            return [marked[answer]]
        typed = squeezed(answer)
        exact = [
            name
            for name in legal
            if typed in spellings(game, name, labels[name]) | self.ways(seat, name)
        ]
        if not exact and typed in all_spellings(game):
            return []
        begun = [
            name
            for name in legal
            if any(way.startswith(typed) for way in beginnings(game, name, labels[name]))
        ]
        enough = len(typed) > 1 or (len(typed) == 1 and len(legal) == 1)
        return exact or (begun if enough else [])

    def hand_over(self, seat: int, waited: bool = True) -> None:
        """Hides each hand from the other people at the screen, in the scrollback as well."""
        if seat == self.looking:
            return
        self.console.clear()
        if self.console.is_terminal:
            self.console.file.write(CLEAR_SCROLLBACK)
        what = "it is your turn." if waited else "you may act out of turn."
        self.console.print(f"{self.names[seat]}, {what}")
        self.wait("Press Enter when only you are looking. ")
        self.looking = seat

    def wait(self, prompt: str) -> None:
        if self.read(prompt) == "exit":
            raise LeaveSession

    def read(self, prompt: str) -> str:
        try:
            return " ".join(self.console.input(f"[bold]{escape(prompt)}[/]").split()).lower()
        except (EOFError, RuntimeError, UnicodeDecodeError):  # no input, or not text
            raise LeaveSession from None
