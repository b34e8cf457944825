"""Eight and a Half in the plainest Python, as a reference for the fast rules."""

from collections.abc import Mapping
from typing import Any

from tests.games.chance import BEFORE_THE_FIRST_ROUND, Chance

ZERO = "0"
HALF = "h"
GHOST = "g"
NUMBERS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"]

# The yellow cards are 1 to 8; the 9 is red.
YELLOW = NUMBERS[:8]

# Four each of 1 and 2, six each of 0 and of 3 to 9, eight halves and eight ghosts: 72 cards.
CARDS = [ZERO, *NUMBERS, HALF, GHOST]
COPIES = {**dict.fromkeys(CARDS, 6), "1": 4, "2": 4, HALF: 8, GHOST: 8}
DECK = [card for card in CARDS for _ in range(COPIES[card])]
SORTED_DECK = sorted(DECK)

# An 8 and a half put down together are one card.
EIGHT_HALF = "8h"

# The value of the pot is counted in halves.
VALUE_FIVE = 2 * 5
VALUE_EIGHT_HALF = 2 * 8 + 1

PLAYERS = range(2, 6)
ROUNDS = 5
HAND_SIZE = 3
SLOTS = range(3)
LAST_TURN = 500
WINNER_POINTS = 2
LOWEST_COUNT_POINTS = 1

NOBODY = "-"
EMPTY = "-"
NO_SWAP = "-"


def fits(card: str, value: int | None) -> bool:
    """Whether the card is legal on a pot of this value, in halves; None is an empty pot."""
    # A pot is opened with any card.
    if value is None:
        return True
    # A ghost is always legal.
    if card == GHOST:
        return True
    # A half is legal on anything but 8½.
    if card == HALF:
        return value != VALUE_EIGHT_HALF
    # A zero is legal when the value is whole.
    if card == ZERO:
        return value % 2 == 0
    # 8 and half together are legal up to 8½, but not on five.
    if card == EIGHT_HALF:
        return value <= VALUE_EIGHT_HALF and value != VALUE_FIVE
    # On five a number must be 5 or lower.
    if value == VALUE_FIVE:
        return 2 * int(card) <= VALUE_FIVE
    # A number is legal if it is equal to or higher than the value.
    return 2 * int(card) >= value


def value_after(card: str, value: int | None) -> int:
    """What the card makes of the value. A ghost or a half starts an empty pot from 0."""
    if card == GHOST:
        return value or 0
    if card == HALF:
        return (value or 0) + 1
    # A number is its own value, and so is the zero.
    return 2 * int(card)


def pot_value(pot: list[str]) -> int | None:
    """The value that the cards of a pot make, from bottom to top; None if there are none."""
    value = None
    for card in pot:
        value = value_after(card, value)
    return value


def policeman(value: int | None) -> str | None:
    """The next whole number above a half number; 9½ and higher have none."""
    if value is None or value % 2 == 0 or value > VALUE_EIGHT_HALF:
        return None
    return str((value + 1) // 2)


def identical(card: str, hand: list[str], value: int | None) -> list[str]:
    """One or more of this card together; each must be legal on the one before it."""
    actions: list[str] = []
    for count in range(1, hand.count(card) + 1):
        if not fits(card, value):
            break
        actions.append(f"play {card}" if count == 1 else f"play {card}x{count}")
        value = value_after(card, value)
    return actions


def lowest_yellow(hand: list[str]) -> str | None:
    for card in YELLOW:
        if card in hand:
            return card
    return None


def sorted_text(cards: list[str]) -> str:
    return " ".join(sorted(cards, key=CARDS.index))


class Twin:
    """A match of Eight and a Half."""

    def __init__(self, players: int, key: bytes, options: Mapping[str, object]) -> None:
        assert players in PLAYERS
        rounds = options.get("rounds", ROUNDS)
        assert isinstance(rounds, int) and 1 <= rounds <= 100
        opener = options.get("opener")
        if opener is None:
            opener = Chance(key, BEFORE_THE_FIRST_ROUND).pick(players)
        assert isinstance(opener, int) and 0 <= opener < players

        self.players = players
        self.key = key
        self.rounds = rounds
        self.scores = [0] * players
        self.over = False
        self.deal(1, opener, swap=None)

    @classmethod
    def from_position(
        cls, position: Mapping[str, Any], players: int, key: bytes, options: Mapping[str, object]
    ) -> "Twin":
        twin = cls(players, key, options)
        twin.round = position["round"]
        twin.opener = position["opener"]
        twin.chance = Chance(key, twin.round, position["chance"])
        twin.turn = position["turn"]
        twin.pot = position["pot"].split()
        twin.last = None if position["last"] == NOBODY else position["last"]
        twin.hands = [hand.split() for hand in position["hands"]]
        twin.banks = [bank.split() for bank in position["banks"]]
        twin.open = [slots.split() for slots in position["open"]]
        twin.blind = [slots.split() for slots in position["blind"]]
        twin.burned = [burned.split() for burned in position["burned"]]
        twin.table = list(position["table"])
        twin.turns = position["turns"]
        twin.swap = None if position["swap"] == NO_SWAP else list(position["swap"])
        twin.scores = list(position["scores"])

        # A position in the last round in which a seat has no cards, or with 500 turns, is over.
        ended = twin.turns >= LAST_TURN or [] in map(twin.cards_left, range(players))
        twin.over = position["over"] or (twin.round >= twin.rounds and ended)

        # What lies nowhere is out of play until the next deal.
        assert position["rest"] == "out"
        in_play = twin.cards_in_play()
        twin.out = list(DECK)
        for card in in_play:
            twin.out.remove(card)
        twin.check()
        return twin

    def deal(self, number: int, opener: int, swap: list[int] | None) -> None:
        """All cards as evenly as possible; each lays three blind, three open, takes three."""
        self.round = number
        self.opener = opener
        self.chance = Chance(self.key, number)
        self.turns = 0
        self.pot: list[str] = []
        self.last: int | None = None
        self.table: list[int] = []
        self.burned: list[list[str]] = [[] for _ in range(self.players)]
        self.hands: list[list[str]] = []
        self.banks: list[list[str]] = []
        self.open: list[list[str]] = []
        self.blind: list[list[str]] = []
        self.out: list[str] = []

        # The extra cards go to the seats from the opener on.
        share, extra = divmod(len(DECK), self.players)
        with_extra = self.seats_from(opener)[:extra]

        deck = list(DECK)
        self.chance.shuffle(deck)
        for seat in range(self.players):
            size = share + 1 if seat in with_extra else share
            # The pile's end is its top.
            pile = deck[:size]
            deck = deck[size:]
            self.blind.append([pile.pop() for _ in SLOTS])
            self.open.append([pile.pop() for _ in SLOTS])
            self.hands.append([pile.pop() for _ in range(HAND_SIZE)])
            self.banks.append(pile[::-1])

        # Before play starts the last round's winner may exchange an open card for one of the big
        # loser's.
        self.swap = swap
        self.turn = self.first_to_open() if swap is None else swap[0]
        self.check()

    def seats_from(self, seat: int) -> list[int]:
        """All seats, in order from this one."""
        return [(seat + far) % self.players for far in range(self.players)]

    def first_to_open(self) -> int:
        """Whose hand has the lowest yellow card; ties go to the first from the opener on."""
        for card in YELLOW:
            for seat in self.seats_from(self.opener):
                if card in self.hands[seat]:
                    return seat
        # If nobody holds a yellow card the opener opens.
        return self.opener

    def cards_left(self, seat: int) -> list[str]:
        """What the seat has in bank, hand, open and blind."""
        cards = self.banks[seat] + self.hands[seat] + self.open[seat] + self.blind[seat]
        return [card for card in cards if card != EMPTY]

    def cards_in_play(self) -> list[str]:
        cards = list(self.pot)
        for seat in range(self.players):
            cards += self.cards_left(seat)
            cards += self.burned[seat]
        return cards

    def check(self) -> None:
        """Every card of the deck is in exactly one place."""
        cards = self.cards_in_play() + self.out
        cards.sort()
        assert cards == SORTED_DECK
        assert len(self.hands) == len(self.scores) == self.players
        # A pot has cards when somebody has played on it.
        assert (self.last is None) == (not self.pot)
        for seat in range(self.players):
            assert len(self.open[seat]) == len(self.blind[seat]) == len(SLOTS)
            # Beside a bank a hand is never empty, and nothing is played from the table.
            assert not self.banks[seat] or (self.hands[seat] and seat not in self.table)
        if self.over:
            return
        # Nobody plays on his own card: the others put theirs on it, or somebody eats.
        assert self.last != self.turn
        assert self.turns < LAST_TURN
        assert all(self.cards_left(seat) for seat in range(self.players))
        # The exchange comes before the first pot.
        if self.swap is not None:
            assert self.turn == self.swap[0] and self.turns == 0 and not self.pot

    @property
    def winners(self) -> list[int]:
        """Most points win; ties are shared."""
        if not self.over:
            return []
        return [seat for seat in range(self.players) if self.scores[seat] == max(self.scores)]

    def position(self) -> dict[str, object]:
        return {
            "turn": self.turn,
            "pot": " ".join(self.pot),
            "last": NOBODY if self.last is None else self.last,
            "hands": [sorted_text(hand) for hand in self.hands],
            "banks": [" ".join(bank) for bank in self.banks],
            "open": [" ".join(slots) for slots in self.open],
            "blind": [" ".join(slots) for slots in self.blind],
            "burned": [sorted_text(burned) for burned in self.burned],
            "table": sorted(self.table),
            "turns": self.turns,
            "swap": NO_SWAP if self.swap is None else list(self.swap),
            "scores": list(self.scores),
            "opener": self.opener,
            "round": self.round,
            "chance": self.chance.counter,
            "over": self.over,
            "rest": "out",
        }

    def waiting(self) -> list[int | str]:
        return [] if self.over else [self.turn]

    def legal(self, seat: int | str) -> list[str]:
        if seat not in self.waiting() or not isinstance(seat, int):
            return []
        if self.swap is not None:
            return self.exchanges(*self.swap)

        # With a card in the hand he plays from the hand. With bank and hand empty he plays from
        # the table: first the open cards, then the blind ones. A turn never mixes them.
        if self.hands[seat]:
            actions = self.hand_actions(seat)
        elif self.open[seat] != [EMPTY, EMPTY, EMPTY]:
            actions = self.open_actions(seat)
        else:
            actions = [f"flip {slot}" for slot in SLOTS if self.blind[seat][slot] != EMPTY]

        # A player must put a card on the pot if he has a legal one; with none he eats.
        return actions or ["eat"]

    def exchanges(self, winner: int, loser: int) -> list[str]:
        """One of the winner's open cards for one of the big loser's, or none."""
        own = [slot for slot in SLOTS if self.open[winner][slot] != EMPTY]
        others = [slot for slot in SLOTS if self.open[loser][slot] != EMPTY]
        return [f"swap {i} {j}" for i in own for j in others] + ["keep"]

    def hand_actions(self, seat: int) -> list[str]:
        hand = self.hands[seat]
        value = pot_value(self.pot)

        # The first pot is opened with the lowest yellow card and cards identical to it, not as 8h.
        # Without a yellow card it is opened with any card.
        if self.turns == 0 and not self.pot:
            lowest = lowest_yellow(hand)
            if lowest is not None:
                return identical(lowest, hand, value)

        actions = [action for card in CARDS for action in identical(card, hand, value)]
        if "8" in hand and HALF in hand and fits(EIGHT_HALF, value):
            actions.append(f"play {EIGHT_HALF}")
        return actions

    def open_actions(self, seat: int) -> list[str]:
        """The open cards are played one at a time."""
        value = pot_value(self.pot)
        return [f"play {card}" for card in CARDS if card in self.open[seat] and fits(card, value)]

    def play(self, seat: int | str, action: str) -> None:
        if action not in self.legal(seat):
            raise ValueError(f"{seat} cannot {action!r} now")
        assert isinstance(seat, int)
        if self.swap is not None:
            self.exchange(action, *self.swap)
        else:
            self.take_turn(seat, action)
        self.check()

    def exchange(self, action: str, winner: int, loser: int) -> None:
        if action != "keep":
            _, i, j = action.split()
            own, others = self.open[winner], self.open[loser]
            own[int(i)], others[int(j)] = others[int(j)], own[int(i)]
        self.swap = None
        self.turn = self.first_to_open()

    def take_turn(self, seat: int, action: str) -> None:
        self.turns += 1
        caught = False
        if action == "eat":
            self.eat(seat)
        elif action.startswith("flip "):
            caught = self.play_blind(seat, int(action.removeprefix("flip ")))
        elif self.hands[seat]:
            caught = self.play_from_hand(seat, action.removeprefix("play "))
        else:
            caught = self.play_open(seat, action.removeprefix("play "))

        # The round ends at once when a player has no card left; he wins it.
        if not self.cards_left(seat):
            self.end_round(winner=seat)
            return

        # After a turn the hand is filled up to three from the bank.
        while len(self.hands[seat]) < HAND_SIZE and self.banks[seat]:
            self.hands[seat].append(self.banks[seat].pop(0))

        # A round that reaches 500 turns ends without a winner.
        if self.turns == LAST_TURN:
            self.end_round(winner=None)
            return

        # A player who caught another opens the next pot.
        if not caught:
            self.turn = (seat + 1) % self.players

    def play_from_hand(self, seat: int, name: str) -> bool:
        """One card, several identical ones, or 8 and half as one card."""
        card, _, count = name.partition("x")
        cards = ["8", HALF] if card == EIGHT_HALF else [card] * int(count or 1)
        for one in cards:
            self.hands[seat].remove(one)
        return self.put(seat, card, cards)

    def play_open(self, seat: int, card: str) -> bool:
        """Of two identical ones the leftmost slot empties."""
        self.open[seat][self.open[seat].index(card)] = EMPTY
        self.play_from_table(seat)
        return self.put(seat, card, [card])

    def play_blind(self, seat: int, slot: int) -> bool:
        """Turning a blind card counts as playing from the table, also when it does not fit."""
        card = self.blind[seat][slot]
        self.blind[seat][slot] = EMPTY
        self.play_from_table(seat)
        return self.put(seat, card, [card])

    def play_from_table(self, seat: int) -> None:
        if seat not in self.table:
            self.table.append(seat)

    def put(self, seat: int, card: str, cards: list[str]) -> bool:
        """Puts the cards, which play as this card, on the pot; whether they caught an offender."""
        value = pot_value(self.pot)
        offender = self.last
        self.pot += cards
        self.last = seat

        # If a blind card is not legal its player eats the pot and that card.
        if not fits(card, value):
            self.eat(seat)
            return False

        # Who left the pot on a half number, or passed it on with a ghost, is caught by the
        # policeman: he eats the whole pot, policeman included. 8 and half are never a policeman.
        if card == policeman(value):
            assert offender is not None
            self.eat(offender)
            return True
        return False

    def eat(self, seat: int) -> None:
        """Eaten cards are burned; after playing from the table they go into the hand."""
        if seat in self.table:
            self.hands[seat] += self.pot
        else:
            self.burned[seat] += self.pot
        self.pot = []
        self.last = None

    def count(self, seat: int) -> int:
        """All cards the seat has left anywhere, and its burned ones."""
        return len(self.cards_left(seat)) + len(self.burned[seat])

    def big_loser(self, winner: int) -> int:
        """The highest count apart from the winner; among several the first after the winner."""
        others = self.seats_from(winner)[1:]
        highest = max(self.count(seat) for seat in others)
        return next(seat for seat in others if self.count(seat) == highest)

    def score(self, winner: int) -> None:
        """Two points for the winner, one for everybody with the lowest count, also for him."""
        self.scores[winner] += WINNER_POINTS
        counts = [self.count(seat) for seat in range(self.players)]
        for seat in range(self.players):
            if counts[seat] == min(counts):
                self.scores[seat] += LOWEST_COUNT_POINTS

    def end_round(self, winner: int | None) -> None:
        # A round without a winner scores nothing, and there is no exchange after it.
        swap = None
        if winner is not None:
            self.score(winner)
            swap = [winner, self.big_loser(winner)]

        # The match is `rounds` rounds.
        if self.round >= self.rounds:
            self.over = True
            return

        # The opener of a later round is the seat after the last opener.
        self.deal(self.round + 1, (self.opener + 1) % self.players, swap)
