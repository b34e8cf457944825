"""TAKI in the plainest Python, as a reference for the fast rules."""

from collections.abc import Mapping
from typing import Any

from tests.games.chance import BEFORE_THE_FIRST_ROUND, Chance

COLOURS = ["r", "y", "g", "b"]
NUMBERS = ["1", "3", "4", "5", "6", "7", "8", "9"]

TWO_PLUS = "2+"
STOP = "s"
REVERSE = "r"
PLUS = "+"
TAKI = "t"
COMMANDS = [TWO_PLUS, STOP, REVERSE, PLUS, TAKI]

CHANGE_COLOUR = "cc"
SUPER_TAKI = "st"
CRAZY = "cz"

# In each colour two of each number and of each command; without colour 4 that change the
# colour, 2 Super TAKI, 2 crazy: 112 cards.
COLOURED = [colour + shape for colour in COLOURS for shape in NUMBERS + COMMANDS]
COPIES = {**dict.fromkeys(COLOURED, 2), CHANGE_COLOUR: 4, SUPER_TAKI: 2, CRAZY: 2}
CARDS = list(COPIES)
DECK = [card for card in CARDS for _ in range(COPIES[card])]
SORTED_DECK = sorted(DECK)

# A number counts its value, every command 10.
POINTS = {card: int(card[1:]) if card[1:] in NUMBERS else 10 for card in CARDS}
WINNER_POINTS = -100

CLOCKWISE = "cw"
COUNTER_CLOCKWISE = "ccw"
STEPS = {CLOCKWISE: 1, COUNTER_CLOCKWISE: -1}

PLAYERS = range(2, 11)
ROUNDS = 5
HAND_SIZE = 8
PENALTY = 4
PLUS_THREE = 3
LAST_TURN = 2000

NOBODY = "-"
NONE = "-"


def ways_to_play(card: str) -> list[str]:
    """The actions that lay this card, one for each thing its player may name with it."""
    if card in (CHANGE_COLOUR, SUPER_TAKI):
        return [f"play {card}>{colour}" for colour in COLOURS]
    if card == CRAZY:
        return [f"play {card}>{direction}" for direction in STEPS]
    return [f"play {card}"]


class Twin:
    """A match of TAKI."""

    def __init__(self, players: int, key: bytes, options: Mapping[str, object]) -> None:
        assert players in PLAYERS
        rounds = options.get("rounds", ROUNDS)
        assert isinstance(rounds, int) and 1 <= rounds <= 20
        must_play = options.get("must_play", True)
        assert isinstance(must_play, bool)
        crazy_all = options.get("crazy_all", False)
        assert isinstance(crazy_all, bool)
        announce = options.get("announce", "call")
        assert announce in ("call", "auto")
        opener = options.get("opener")
        if opener is None:
            opener = Chance(key, BEFORE_THE_FIRST_ROUND).pick(players)
        assert isinstance(opener, int) and 0 <= opener < players

        self.players = players
        self.key = key
        self.rounds = rounds
        self.must_play = must_play
        self.crazy_all = crazy_all
        self.auto = announce == "auto"
        self.scores = [0] * players
        self.over = False
        self.deal(1, opener)

    @classmethod
    def from_position(
        cls, position: Mapping[str, Any], players: int, key: bytes, options: Mapping[str, object]
    ) -> "Twin":
        twin = cls(players, key, options)
        twin.round = position["round"]
        twin.opener = position["opener"]
        twin.chance = Chance(key, twin.round, position["chance"])
        twin.turn = position["turn"]
        twin.top = position["top"]
        twin.colour = position["colour"]
        twin.direction = position["direction"]
        twin.debt = position["debt"]
        twin.open = position["open"]
        twin.run = position["run"]
        twin.plus = position["plus"]
        twin.asked = None if position["asked"] == NOBODY else position["asked"]
        twin.hands = [hand.split() for hand in position["hands"]]
        twin.stock = position["stock"].split()
        twin.pile = position["pile"].split()
        twin.called = list(position["called"])
        twin.exposed = None if position["exposed"] == NOBODY else position["exposed"]
        twin.idle = position["idle"]
        twin.turns = position["turns"]
        twin.scores = list(position["scores"])
        twin.over = position["over"]

        # What lies nowhere is out of play until the next deal.
        assert position["rest"] == "out"
        twin.out = list(DECK)
        for card in sum(twin.hands, [*twin.stock, *twin.pile, twin.top]):
            twin.out.remove(card)
        twin.check()
        return twin

    def deal(self, number: int, opener: int) -> None:
        """Eight cards each, the rest is the stock, its top card is turned up."""
        self.round = number
        self.opener = opener
        self.chance = Chance(self.key, number)

        # The opener starts, clockwise.
        self.turn = opener
        self.direction = CLOCKWISE
        self.turns = 0
        self.idle = 0

        self.debt = 0
        self.open = NONE
        self.run = False
        self.plus = False
        self.asked: int | None = None
        self.called: list[int] = []
        self.exposed: int | None = None

        # The end of the list is the top of the face-down cards.
        talon = list(DECK)
        self.chance.shuffle(talon)
        self.hands = [[talon.pop() for _ in range(HAND_SIZE)] for _ in range(self.players)]

        # Unless the card turned up is a number it goes back into the stock at a random place,
        # and another is turned up.
        turned = talon.pop()
        while turned[1:] not in NUMBERS:
            cards_below = self.chance.pick(len(talon) + 1)
            talon.insert(cards_below, turned)
            turned = talon.pop()

        self.top = turned
        self.colour = NONE
        self.pile: list[str] = []
        self.stock = talon[::-1]
        self.out: list[str] = []
        self.check()

    def check(self) -> None:
        """Every card of the deck is in exactly one place."""
        cards = [*self.stock, *self.pile, self.top, *self.out]
        for hand in self.hands:
            cards += hand
        cards.sort()
        assert cards == SORTED_DECK
        assert len(self.hands) == len(self.scores) == self.players
        # A colour is named for a leading card that has none, and a crazy card never leads.
        assert (self.colour in COLOURS) == (self.top in (CHANGE_COLOUR, SUPER_TAKI))
        assert self.top != CRAZY
        assert self.open in COLOURS or not self.run

    @property
    def winners(self) -> list[int]:
        """Lowest total wins; ties are shared."""
        if not self.over:
            return []
        return [seat for seat in range(self.players) if self.scores[seat] == min(self.scores)]

    def position(self) -> dict[str, object]:
        return {
            "turn": self.turn,
            "top": self.top,
            "colour": self.colour,
            "direction": self.direction,
            "debt": self.debt,
            "open": self.open,
            "run": self.run,
            "plus": self.plus,
            "asked": NOBODY if self.asked is None else self.asked,
            "hands": [" ".join(sorted(hand, key=CARDS.index)) for hand in self.hands],
            "stock": " ".join(self.stock),
            "pile": " ".join(self.pile),
            "called": sorted(self.called),
            "exposed": NOBODY if self.exposed is None else self.exposed,
            "idle": self.idle,
            "turns": self.turns,
            "scores": list(self.scores),
            "opener": self.opener,
            "round": self.round,
            "chance": self.chance.counter,
            "over": self.over,
            "rest": "out",
        }

    def waiting(self) -> list[int | str]:
        if self.over:
            return []
        if self.asked is not None:
            return [self.asked]
        return [self.turn]

    def legal(self, seat: int | str) -> list[str]:
        if self.over or not isinstance(seat, int):
            return []

        # While somebody is asked about a +3 only he acts: nobody plays on, nobody may call.
        if self.asked is not None:
            if seat != self.asked:
                return []
            return [f"break {colour}" for colour in self.pairs(seat)] + ["accept"]

        actions = self.turn_actions(seat) if seat == self.turn else []
        if self.may_call(seat):
            actions.append("call")
        return actions

    def pairs(self, seat: int) -> list[str]:
        """The colours of which the seat holds a plus and a 3."""
        hand = self.hands[seat]
        return [colour for colour in COLOURS if colour + PLUS in hand and colour + "3" in hand]

    def may_call(self, seat: int) -> bool:
        # With `announce: auto` the call is made for everybody. Nobody calls twice.
        if self.auto or seat in self.called:
            return False
        # From the moment his turn has left him with one card...
        if seat == self.exposed:
            return True
        # ... and already during his own turn when he holds two, or is in a run.
        return seat == self.turn and (len(self.hands[seat]) == 2 or self.run)

    def turn_actions(self, seat: int) -> list[str]:
        hand = self.hands[seat]
        playable = [card for card in CARDS if card in hand and self.fits(card)]
        actions = [action for card in playable for action in ways_to_play(card)]

        if self.run:
            # In a run a Super TAKI has the run's colour.
            for colour in COLOURS:
                other = f"play {SUPER_TAKI}>{colour}"
                if colour != self.open and other in actions:
                    actions.remove(other)
            # A run is ended by close, but not while a TAKI or a Super TAKI is the top card ...
            if self.top != SUPER_TAKI and self.top[1:] != TAKI:
                actions.append("close")
            # ... or by leave.
            actions.append("leave")
            return actions

        # Who cannot play draws; who can play must, unless `must_play` is turned off. The choice
        # to draw for an active 2+ is always free. Who has no card left after a plus can only draw.
        if not playable or not self.must_play or self.debt > 0:
            actions.append("draw")
        return actions

    def fits(self, card: str) -> bool:
        """Whether the player whose turn it is may lay this card now."""
        # While a 2+ is active only another 2+, of any colour, is legal.
        if self.debt > 0:
            return card in COLOURED and card[1:] == TWO_PLUS

        # Change colour, Super TAKI and crazy go on everything else, also into a run.
        if card not in COLOURED:
            return True

        # A run takes the cards of its colour.
        if self.run:
            return card[0] == self.open

        # The leading card's colour, or its number or shape. For a leading card without colour it
        # is the colour named. A Super TAKI on the pile is a TAKI also by its shape; a change of
        # colour has no shape that another card could share.
        if self.top == CHANGE_COLOUR:
            return card[0] == self.colour
        if self.top == SUPER_TAKI:
            return card[0] == self.colour or card[1:] == TAKI
        return card[0] == self.top[0] or card[1:] == self.top[1:]

    def play(self, seat: int | str, action: str) -> None:
        if action not in self.legal(seat):
            raise ValueError(f"{seat} cannot {action!r} now")
        assert isinstance(seat, int)

        if action == "call":
            self.called.append(seat)
            if self.exposed == seat:
                self.exposed = None
            self.check()
            return

        # Who should have called and has not before another seat acts draws four, before that
        # action takes effect. A call is no such action.
        if self.exposed is not None and self.exposed != seat:
            late = self.exposed
            self.exposed = None
            self.draw(late, PENALTY)

        if action == "draw":
            self.draw_in_turn(seat)
        elif action in ("close", "leave"):
            self.end_run(seat, action)
        elif action == "accept":
            self.accept(seat)
        elif action.startswith("break "):
            self.break_plus_three(seat, action.removeprefix("break "))
        else:
            card, _, named = action.removeprefix("play ").partition(">")
            self.play_card(seat, card, named)
        self.check()

    def draw(self, seat: int, count: int) -> int:
        """The seat takes so many cards from the stock, or what there is: how many it got."""
        for drawn in range(count):
            # When a card must be drawn and the stock is empty, the pile under the leading card is
            # shuffled into a new stock.
            if not self.stock:
                self.chance.shuffle(self.pile)
                self.stock = self.pile[::-1]
                self.pile = []
            if not self.stock:
                return drawn
            self.hands[seat].append(self.stock.pop(0))
        return count

    def draw_in_turn(self, seat: int) -> None:
        """One card, or all that an active 2+ asks for; it ends the turn."""
        out_on_a_plus = not self.hands[seat]
        drawn = self.draw(seat, self.debt if self.debt > 0 else 1)

        # After the draw the 2+ on top is an ordinary card. An open TAKI stays open.
        self.debt = 0
        self.plus = False

        # Nobody goes out on a plus, but if there is nothing to draw he has won.
        if out_on_a_plus and drawn == 0:
            self.end_round(winner=seat)
            return
        self.end_turn(drew_nothing=drawn == 0)

    def play_card(self, seat: int, card: str, named: str) -> None:
        hand = self.hands[seat]
        under = self.top
        hand.remove(card)

        if card == CRAZY:
            # It is transparent: the leading card is the one under it, with a colour that was
            # named for it, and the crazy card lies in the pile under the leading card.
            self.pile.append(CRAZY)
        else:
            self.lay(card, named or NONE)

        # On an open TAKI a card of its colour makes a run, or goes on with the run. A 2+ laid on
        # an active 2+ starts no run.
        in_run = self.debt == 0 and card in COLOURED and card[0] == self.open

        # A 3 played directly on one's own plus of the same colour, in the extra turn, is a +3;
        # inside a run there is none.
        own_plus = self.plus and not in_run
        plus_three = own_plus and card[1:] == "3" and under == card[0] + PLUS

        # The round ends when a player has no cards left, and other commands of his last card have
        # no effect any more; but nobody goes out on a plus, and a +3 is settled first.
        if not hand and card[1:] != PLUS and not plus_three:
            self.end_round(winner=seat)
            return

        self.plus = False
        if card == CRAZY:
            # It closes an open TAKI, and ends a run.
            self.run = False
            self.open = NONE
            self.pass_hands_on(seat, named)
            # Play goes on in the direction named.
            self.direction = named
            self.end_turn(new_hand=self.crazy_all)
        elif card == CHANGE_COLOUR:
            # It closes an open TAKI, and ends a run.
            self.run = False
            self.open = NONE
            self.end_turn()
        elif card == SUPER_TAKI:
            # Its player names the colour, then it is a TAKI of that colour. On an open TAKI it
            # opens its own.
            self.run = True
            self.open = named
        elif card[1:] == TAKI:
            # Its player may lay cards of its colour on it. On an open TAKI one of another colour
            # opens its own.
            self.run = True
            self.open = card[0]
        elif in_run:
            # Commands inside a run do nothing.
            self.run = True
        else:
            # A card of another colour closes an open TAKI.
            if card[0] != self.open:
                self.open = NONE
            if plus_three:
                self.ask_from(seat)
            else:
                self.command(card[1:])

    def lay(self, card: str, colour: str) -> None:
        """The card becomes the leading card, with the colour named for it."""
        self.pile.append(self.top)
        self.top = card
        self.colour = colour

    def pass_hands_on(self, seat: int, direction: str) -> None:
        """The other players pass their whole hands on to the next of the other players.

        He who played the crazy card keeps his, unless `crazy_all` makes him take part. With two
        players the only other one passes to himself.
        """
        givers = self.seats_after(seat, direction)
        if self.crazy_all:
            givers = [seat, *givers]
        takers = [*givers[1:], givers[0]]
        given = [self.hands[giver] for giver in givers]
        for taker, hand in zip(takers, given, strict=True):
            self.hands[taker] = hand

    def end_run(self, seat: int, action: str) -> None:
        assert seat == self.turn
        self.run = False
        # When its player leaves the run the TAKI stays open.
        if action == "close":
            self.open = NONE

        # Only the last card of a run takes effect as a command. A Super TAKI is a TAKI.
        self.command(TAKI if self.top == SUPER_TAKI else self.top[1:])

    def command(self, shape: str) -> None:
        """What the leading card does, laid by the player whose turn it is."""
        if shape == PLUS:
            # The player has another turn.
            self.plus = True
        elif shape == TWO_PLUS:
            # The next player draws two cards for every 2+ of the chain, or plays another.
            self.debt += 2
            self.end_turn()
        elif shape == STOP:
            # The next player misses his turn; with two players the same player plays again.
            self.end_turn(stop=True)
        elif shape == REVERSE:
            # It turns the direction of play. With two players the turn simply passes.
            clockwise = self.direction == CLOCKWISE
            self.direction = COUNTER_CLOCKWISE if clockwise else CLOCKWISE
            self.end_turn()
        else:
            # Numbers, and a TAKI at the end of its run.
            self.end_turn()

    def ask_from(self, seat: int) -> None:
        """Each other player who holds a plus and a 3 of one colour is asked, in order.

        The order begins with the seat after the one given; when nobody is left to be asked, the
        others draw three cards each, in order from the seat after the one who played the +3.
        """
        others = self.seats_after(self.turn, self.direction)
        left = others if seat == self.turn else others[others.index(seat) + 1 :]
        for other in left:
            if self.pairs(other):
                self.asked = other
                return

        self.asked = None
        for other in others:
            self.draw(other, PLUS_THREE)

        # If the +3 was his last card he has won, since nobody has broken it. The others have
        # drawn before the count.
        if self.hands[self.turn]:
            self.end_turn()
        else:
            self.end_round(winner=self.turn)

    def accept(self, seat: int) -> None:
        self.ask_from(seat)

    def break_plus_three(self, seat: int, colour: str) -> None:
        """Plus, then 3, out of turn; that 3 is the new leading card."""
        for card in (colour + PLUS, colour + "3"):
            self.hands[seat].remove(card)
            self.lay(card, NONE)
        self.asked = None

        # Nobody else draws, and the first player draws three himself.
        self.draw(self.turn, PLUS_THREE)

        # A breaker whose hand is empty then wins. The turn passes to the player after the one
        # who played the +3.
        if self.hands[seat]:
            self.end_turn(breaker=seat)
        else:
            self.end_round(winner=seat)

    def end_turn(
        self,
        drew_nothing: bool = False,
        stop: bool = False,
        new_hand: bool = False,
        breaker: int | None = None,
    ) -> None:
        self.turns += 1
        self.idle = self.idle + 1 if drew_nothing else 0

        # When as many turns in a row as there are players end with a draw that gives no card, the
        # round ends without a winner. So does a round that reaches 2,000 turns.
        if self.idle >= self.players or self.turns >= LAST_TURN:
            self.end_round(winner=None)
            return

        # A call lapses when its player ends a turn holding other than one card.
        seat = self.turn
        if len(self.hands[seat]) != 1 and seat in self.called:
            self.called.remove(seat)

        # Who is left with exactly one card after his turn must call. A hand that comes by a crazy
        # card needs no call.
        if self.exposed == seat:
            self.exposed = None
        if not new_hand:
            self.must_call(seat)

        # A breaker left with one card must call too.
        if breaker is not None:
            self.must_call(breaker)

        after = self.seats_after(seat, self.direction)
        if stop:
            after = [*after[1:], seat]
        self.turn = after[0]

    def must_call(self, seat: int) -> None:
        """With one card and no call he is exposed; `announce: auto` makes the call for him."""
        if len(self.hands[seat]) != 1 or seat in self.called:
            return
        if self.auto:
            self.called.append(seat)
        else:
            self.exposed = seat

    def seats_after(self, seat: int, direction: str) -> list[int]:
        """All other seats, in order from the next one in this direction."""
        step = STEPS[direction]
        return [(seat + step * far) % self.players for far in range(1, self.players)]

    def end_round(self, winner: int | None) -> None:
        for seat in range(self.players):
            # The winner gets -100, the others add what they hold; without a winner everybody
            # does.
            if seat == winner:
                self.scores[seat] += WINNER_POINTS
            else:
                self.scores[seat] += sum(POINTS[card] for card in self.hands[seat])

        # The match is `rounds` rounds.
        if self.round >= self.rounds:
            self.over = True
            return

        # The winner opens the next round; without one the same opener opens again.
        self.deal(self.round + 1, self.opener if winner is None else winner)
