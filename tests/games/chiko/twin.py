"""Chiko in the plainest Python, as a reference for the fast rules."""

from collections.abc import Mapping
from typing import Any

from tests.games.chance import BEFORE_THE_FIRST_ROUND, Chance

EGG = "e"
CHICK = "c"

# In the order of play: each value is followed by the next one, and the chick by the 1.
VALUES = ["1", "2", "3", "4", "5", "6", CHICK]
CARDS = [*VALUES, EGG]
DECK = [value for value in VALUES for _ in range(7)] + [EGG]

POINTS = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, CHICK: 10}

FACES = [1, 2, 3, 4, 5, 10]
ROLLS = {f"roll {a} {b}": a + b for a in FACES for b in FACES}

PLAYERS = range(2, 6)
HAND_SIZE = 6
TARGET = 50
LAST_ROUND = 100

NOBODY = "-"


def value_after(value: str) -> str:
    """After 6 comes the chick, after the chick comes 1."""
    return VALUES[(VALUES.index(value) + 1) % len(VALUES)]


def hand_points(hand: list[str], top: str) -> int:
    """The sum of the different ranks held; the egg counts as much as the pile's value.

    The egg is a rank of its own here, so it counts also beside a card of that value.
    """
    points = 0
    for card in CARDS:
        if card in hand:
            points += POINTS[top] if card == EGG else POINTS[card]
    return points


class Twin:
    """A match of Chiko."""

    def __init__(self, players: int, key: bytes, options: Mapping[str, object]) -> None:
        assert players in PLAYERS
        target = options.get("target", TARGET)
        assert isinstance(target, int)
        opener = options.get("opener")
        if opener is None:
            opener = Chance(key, BEFORE_THE_FIRST_ROUND).pick(players)
        assert isinstance(opener, int) and 0 <= opener < players

        self.players = players
        self.key = key
        self.target = target
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
        twin.hands = [hand.split() for hand in position["hands"]]
        twin.stock = position["stock"].split()
        twin.quit = list(position["quit"])
        twin.last = None if position["last"] == NOBODY else position["last"]
        twin.scores = list(position["scores"])

        # A position with a score at the target is over.
        twin.over = position["over"] or max(twin.scores) >= twin.target

        # What is neither held nor in the stock lies on the pile, or is out of play like it.
        assert position["rest"] == "out"
        twin.pile = list(DECK)
        for card in sum(twin.hands, twin.stock):
            twin.pile.remove(card)
        twin.check()
        return twin

    def deal(self, number: int, opener: int) -> None:
        """Six cards to each player, the rest face down as the stock."""
        self.round = number
        self.opener = opener
        self.turn = opener
        self.quit: list[int] = []
        self.last: int | None = None
        self.chance = Chance(self.key, number)

        # The end of the list is the top of the face-down cards.
        talon = list(DECK)
        self.chance.shuffle(talon)
        self.hands = [[talon.pop() for _ in range(HAND_SIZE)] for _ in range(self.players)]

        # The top card is turned up as the pile. If it is the egg, it goes back into the stock
        # at a random place and the new top card is turned up, until it is not the egg.
        turned = talon.pop()
        while turned == EGG:
            cards_below = self.chance.pick(len(talon) + 1)
            talon.insert(cards_below, EGG)
            turned = talon.pop()

        self.top = turned
        self.pile = [turned]
        self.stock = talon[::-1]
        self.check()

    def check(self) -> None:
        """Every card of the deck is in exactly one place."""
        assert sorted(sum(self.hands, self.stock + self.pile)) == sorted(DECK)
        assert len(self.hands) == len(self.scores) == self.players
        # Only the egg can stand for a value of which no card lies on the pile.
        assert self.top in self.pile or EGG in self.pile

    @property
    def winners(self) -> list[int]:
        """Lowest score wins; ties are shared."""
        if not self.over:
            return []
        return [seat for seat in range(self.players) if self.scores[seat] == min(self.scores)]

    def position(self) -> dict[str, object]:
        return {
            "turn": self.turn,
            "top": self.top,
            "hands": [" ".join(sorted(hand, key=CARDS.index)) for hand in self.hands],
            "stock": " ".join(self.stock),
            "quit": sorted(self.quit),
            "last": NOBODY if self.last is None else self.last,
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
        # An empty hand ends the round, and the next deal fills it: one that can be seen
        # before the end of the match belongs to the roller.
        if [] in self.hands:
            return ["chance"]
        return [self.turn]

    def legal(self, seat: int | str) -> list[str]:
        if seat not in self.waiting():
            return []
        if isinstance(seat, str):
            return list(ROLLS)

        # One card equal to the pile's value or exactly one higher; the egg on anything.
        playable = [self.top, value_after(self.top), EGG]
        hand = self.hands[seat]
        actions = [f"play {card}" for card in CARDS if card in hand and card in playable]

        # When the stock is empty nobody can draw.
        # When all but one have quit, the last player can no longer draw.
        alone = len(self.quit) == self.players - 1
        if self.stock and not alone:
            actions.append("draw")

        # A player may quit at any time.
        actions.append("quit")
        return actions

    def play(self, seat: int | str, action: str) -> None:
        if action not in self.legal(seat):
            raise ValueError(f"{seat} cannot {action!r} now")
        if isinstance(seat, str):
            self.score_round(rolled=ROLLS[action])
        elif action == "draw":
            self.hands[seat].append(self.stock.pop(0))
            self.pass_turn()
        elif action == "quit":
            self.quit.append(seat)
            # The round ends at once when all have quit.
            if len(self.quit) == self.players:
                self.score_round(rolled=0)
            else:
                self.pass_turn()
        else:
            self.play_card(seat, action.removeprefix("play "))
        self.check()

    def play_card(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.pile.append(card)
        self.last = seat
        # The egg takes the value that comes next.
        self.top = value_after(self.top) if card == EGG else card

        if self.hands[seat]:
            self.pass_turn()
        # The round ends at once when a player has no cards. With points from earlier rounds
        # he rolls first, and until then nothing is written down; with 0 points he does not roll.
        elif self.scores[seat] == 0:
            self.score_round(rolled=0)

    def pass_turn(self) -> None:
        """Clockwise, skipping players who have quit."""
        self.turn = (self.turn + 1) % self.players
        while self.turn in self.quit:
            self.turn = (self.turn + 1) % self.players

    def score_round(self, rolled: int) -> None:
        for seat in range(self.players):
            if self.hands[seat]:
                # Every player with cards left, quit or not, adds what he holds.
                self.scores[seat] += hand_points(self.hands[seat], self.top)
            else:
                # Who got rid of all his cards takes the dice off his score, never below 0.
                self.scores[seat] = max(0, self.scores[seat] - rolled)

        # The match ends after a round in which someone has reached the target, and after
        # 100 rounds in any case.
        if max(self.scores) >= self.target or self.round == LAST_ROUND:
            self.over = True
            return

        # The next round is opened by whoever put the last card on the pile; if nobody played
        # a card, the opener of this round opens again.
        self.deal(self.round + 1, self.opener if self.last is None else self.last)
