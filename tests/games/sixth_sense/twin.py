"""Sixth Sense in the plainest Python, as a reference for the fast rules."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from tests.games.chance import BEFORE_THE_FIRST_ROUND, Chance

# Five colours of fourteen cards. There is no 9: the 6 is also the 9.
COLOURS = ["r", "y", "g", "b", "p"]
NUMBERS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14]
CARDS = [f"{colour}{number}" for colour in COLOURS for number in NUMBERS]
ORDER = {card: place for place, card in enumerate(CARDS)}
LEFT_OUT_WITH_TWO = "p"

BLOCK = 0
REVERSAL = 4
SIX = 6
NINE = 9
PEEK = 8
DOUBLE = 12

PLAYERS = range(2, 7)
ROUNDS = {2: 6, 3: 6, 4: 4, 5: 5, 6: 6}
HAND_SIZE = {2: 15, 3: 14, 4: 14, 5: 13, 6: 11}
LAST_ROUND_WITH_TARGET = 30

# Of a beginner's round, by the difference of 0, 1, 2, 3 and 4; more gives nothing.
BEGINNER_POINTS = [6, 4, 3, 2, 1]

NO_COLOUR = "-"
NOT_LAID = "-"


def colour_of(card: str) -> str:
    return card[0]


def number_of(card: str) -> int:
    return int(card[1:])


class Laid(NamedTuple):
    """A card in the trick, with the number it counts as; a block names the seat it covers."""

    seat: int
    card: str
    number: int
    covers: int | None


def laid_from_text(seat: int, name: str) -> Laid:
    """What the seat lays: `r5`, a six as nine `b6=9`, a block `g0>2`."""
    if ">" in name:
        card, covers = name.split(">")
        assert number_of(card) == BLOCK
        return Laid(seat, card, BLOCK, int(covers))
    if "=" in name:
        card, number = name.split("=")
        assert number_of(card) == SIX and int(number) == NINE
        return Laid(seat, card, NINE, None)
    return Laid(seat, name, number_of(name), None)


def laid_to_text(laid: Laid) -> str:
    if laid.covers is not None:
        return f"{laid.seat} {laid.card}>{laid.covers}"
    if laid.number == NINE:
        return f"{laid.seat} {laid.card}=9"
    return f"{laid.seat} {laid.card}"


def unblocked(trick: list[Laid]) -> list[Laid]:
    """A block and the card it was laid on leave the trick; the others, in playing order."""
    covered = [laid.covers for laid in trick if laid.covers is not None]
    return [laid for laid in trick if laid.covers is None and laid.seat not in covered]


def asked_colour(trick: list[Laid]) -> str:
    """The colour of the first card that is not blocked, in playing order."""
    for laid in unblocked(trick):
        return colour_of(laid.card)
    return NO_COLOUR


def lowest_wins(trick: list[Laid]) -> bool:
    """The order is turned upside down while the number of unblocked 4s is odd."""
    reversals = [laid for laid in unblocked(trick) if laid.number == REVERSAL]
    return len(reversals) % 2 == 1


def is_double(trick: list[Laid]) -> bool:
    """Several unblocked 12s change nothing more than one."""
    return any(laid.number == DOUBLE for laid in unblocked(trick))


def winner_of(trick: list[Laid], trump: str) -> int | None:
    """The seat that wins the trick as it lies; None if no unblocked card is in it."""
    asked = asked_colour(trick)
    trumps: list[Laid] = []
    followers: list[Laid] = []
    others: list[Laid] = []
    for laid in unblocked(trick):
        if colour_of(laid.card) == trump:
            trumps.append(laid)
        elif colour_of(laid.card) == asked:
            followers.append(laid)
        else:
            others.append(laid)

    if lowest_wins(trick):
        # The lowest of the colours neither trump nor asked, else the lowest of the asked
        # colour, else the lowest trump.
        group = others or followers or trumps
        best = min(laid.number for laid in group)
    elif trumps or followers:
        # The highest trump, else the highest of the asked colour.
        group = trumps or followers
        best = max(laid.number for laid in group)
    else:
        # The first unblocked card gives the asked colour, so there is none at all.
        assert not others
        return None

    # Of equals in different colours the later played.
    return [laid.seat for laid in group if laid.number == best][-1]


def aims(prediction: str) -> list[int]:
    """How many tricks the prediction means: a 6 means 6 or 9."""
    number = number_of(prediction)
    return [SIX, NINE] if number == SIX else [number]


def difference(prediction: str, tricks: int) -> int:
    """How far the tricks are from the prediction, with a 6 from the nearer of 6 and 9."""
    return min(abs(tricks - aim) for aim in aims(prediction))


def points(prediction: str, tricks: int) -> int:
    """As many as predicted if it was met, otherwise the difference is lost."""
    if tricks in aims(prediction):
        return tricks
    return -difference(prediction, tricks)


def beginner_points(prediction: str, tricks: int) -> int:
    off = difference(prediction, tricks)
    return BEGINNER_POINTS[off] if off < len(BEGINNER_POINTS) else 0


class Twin:
    """A match of Sixth Sense."""

    def __init__(self, players: int, key: bytes, options: Mapping[str, object]) -> None:
        assert players in PLAYERS
        beginner = options.get("beginner", False)
        late_trump = options.get("late_trump", False)
        assert isinstance(beginner, bool) and isinstance(late_trump, bool)
        # Where no trump is turned up it cannot be turned up late.
        assert not (beginner and late_trump)
        target = options.get("target")
        assert target is None or (isinstance(target, int) and 1 <= target <= 1000)
        opener = options.get("opener")
        if opener is None:
            opener = Chance(key, BEFORE_THE_FIRST_ROUND).pick(players)
        assert isinstance(opener, int) and 0 <= opener < players

        self.players = players
        self.key = key
        self.beginner = beginner
        self.late_trump = late_trump
        self.target = target
        self.scores = [0] * players
        self.over = False

        # With two players one colour is left out.
        self.deck = list(CARDS)
        if players == 2:
            self.deck = [card for card in CARDS if colour_of(card) != LEFT_OUT_WITH_TWO]
        self.sorted_deck = sorted(self.deck)

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
        twin.leader = position["leader"]
        twin.trump = position["trump"]
        twin.hands = [sorted(hand.split(), key=ORDER.__getitem__) for hand in position["hands"]]
        twin.predictions = list(position["predictions"])
        twin.trick = []
        for entry in position["trick"]:
            seat, name = entry.split()
            twin.trick.append(laid_from_text(int(seat), name))
        twin.tricks = list(position["tricks"])
        twin.stock = position["stock"].split()
        twin.seen = []
        for entry in position["seen"]:
            peeker, peeked = entry.split()
            twin.seen.append((int(peeker), int(peeked)))
        twin.void = [colours.split() for colours in position["void"]]
        twin.scores = list(position["scores"])

        # A position of the last round with nothing left to play is over.
        played_out = twin.all_predicted() and not twin.trick and not any(twin.hands)
        twin.over = position["over"] or (played_out and twin.is_last_round())

        # What lies nowhere was played before in this round.
        assert position["rest"] == "out"
        in_play = twin.cards_in_play()
        assert len(in_play) == len(set(in_play))
        twin.out = [card for card in twin.deck if card not in in_play]
        twin.check()
        return twin

    def deal(self, number: int, opener: int) -> None:
        """Everybody takes his cards; the first of what is left is turned up as the trump."""
        self.round = number
        self.opener = opener
        self.leader = opener
        self.turn = opener
        self.chance = Chance(self.key, number)
        self.predictions = [NOT_LAID] * self.players
        self.trick: list[Laid] = []
        self.tricks = [0] * self.players
        self.seen: list[tuple[int, int]] = []
        self.void: list[list[str]] = [[] for _ in range(self.players)]
        self.out: list[str] = []

        # The end of the list is the top of the face-down cards.
        talon = list(self.deck)
        self.chance.shuffle(talon)
        self.hands: list[list[str]] = []
        for _ in range(self.players):
            hand = [talon.pop() for _ in range(HAND_SIZE[self.players])]
            self.hands.append(sorted(hand, key=ORDER.__getitem__))
        self.stock = talon[::-1]

        # Beginners have no trump; the late trump waits for the predictions.
        self.trump = NO_COLOUR
        if not self.beginner and not self.late_trump:
            self.turn_up_trump()
        self.check()

    def turn_up_trump(self) -> None:
        """The card that is turned up stays where it lies."""
        self.trump = colour_of(self.stock[0]) if self.stock else NO_COLOUR

    def all_predicted(self) -> bool:
        return NOT_LAID not in self.predictions

    def trick_is_complete(self) -> bool:
        return len(self.trick) == self.players

    def cards_in_play(self) -> list[str]:
        cards = self.stock + [laid.card for laid in self.trick]
        cards += [card for card in self.predictions if card != NOT_LAID]
        for hand in self.hands:
            cards += hand
        return cards

    def check(self) -> None:
        """Every card of the deck is in exactly one place, and the phases exclude each other."""
        cards = self.cards_in_play() + self.out
        cards.sort()
        assert cards == self.sorted_deck
        assert len(self.hands) == len(self.predictions) == len(self.tricks) == self.players
        assert len(self.void) == len(self.scores) == self.players

        # All began the round with equally many cards, and have played equally many.
        in_trick = [laid.seat for laid in self.trick]
        sizes: list[int] = []
        for seat in range(self.players):
            laid_down = 0 if self.predictions[seat] == NOT_LAID else 1
            sizes.append(len(self.hands[seat]) + laid_down + in_trick.count(seat))
        assert min(sizes) == max(sizes) <= HAND_SIZE[self.players]

        # Nothing is played before the last prediction is laid.
        if not self.all_predicted():
            assert self.turn == self.leader == self.opener
            assert not self.trick and not self.seen and not any(self.tricks)
            assert not any(self.void)
            assert self.trump == NO_COLOUR or not self.late_trump
            # With one card each a hand is empty once it is laid.
            assert min(sizes) >= 1
        assert self.trump == NO_COLOUR or not self.beginner

        # The trick was played in turn; at most one block lies in it, and not the leader's.
        assert in_trick == self.seats_from(self.leader)[: len(in_trick)]
        blocks = [laid for laid in self.trick if laid.covers is not None]
        assert len(blocks) <= 1
        for laid in blocks:
            assert laid.covers in in_trick[: in_trick.index(laid.seat)]

        # Nobody holds a colour that he has shown to have none of.
        for seat in range(self.players):
            for colour in self.void[seat]:
                assert colour not in [colour_of(card) for card in self.hands[seat]]
        assert all(peeker != peeked for peeker, peeked in self.seen)
        if self.over:
            return

        # A complete trick lies on the table only for its winner's choice.
        if self.trick_is_complete():
            assert is_double(self.trick) and self.turn == winner_of(self.trick, self.trump)
        else:
            assert self.turn == (self.leader + len(self.trick)) % self.players
            assert self.hands[self.turn] or not self.all_predicted()

    def seats_from(self, seat: int) -> list[int]:
        """All seats, in order from this one."""
        return [(seat + far) % self.players for far in range(self.players)]

    @property
    def winners(self) -> list[int]:
        """Most points win; ties are shared."""
        if not self.over:
            return []
        return [seat for seat in range(self.players) if self.scores[seat] == max(self.scores)]

    def position(self) -> dict[str, object]:
        return {
            "turn": self.turn,
            "trump": self.trump,
            "hands": [" ".join(hand) for hand in self.hands],
            "predictions": list(self.predictions),
            "trick": [laid_to_text(laid) for laid in self.trick],
            "leader": self.leader,
            "tricks": list(self.tricks),
            "stock": " ".join(self.stock),
            "seen": [f"{peeker} {peeked}" for peeker, peeked in sorted(self.seen)],
            "void": [" ".join(sorted(void, key=COLOURS.index)) for void in self.void],
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
        # The predictions are laid at the same time.
        if not self.all_predicted():
            return [seat for seat in range(self.players) if self.predictions[seat] == NOT_LAID]
        return [self.turn]

    def legal(self, seat: int | str) -> list[str]:
        if seat not in self.waiting() or not isinstance(seat, int):
            return []
        if not self.all_predicted():
            return [f"predict {card}" for card in self.hands[seat]]
        # The winner of a trick with a 12 chooses: one trick, or two.
        if self.trick_is_complete():
            return ["split", "whole"]
        return [action for card in self.playable(seat) for action in self.ways_to_play(card)]

    def playable(self, seat: int) -> list[str]:
        """Cards of the asked colour if he has any, otherwise any card."""
        hand = self.hands[seat]
        asked = asked_colour(self.trick)
        following = [card for card in hand if colour_of(card) == asked]
        return following or hand

    def ways_to_play(self, card: str) -> list[str]:
        ways = [f"play {card}"]
        # A 6 is a 6 or a 9, as its player says.
        if number_of(card) == SIX:
            ways.append(f"play {card}=9")
        # A 0 may be laid on a card in the trick; there is none before the leader's. One block
        # per trick.
        if number_of(card) == BLOCK:
            if all(laid.covers is None for laid in self.trick):
                ways += [f"block {card} {laid.seat}" for laid in self.trick]
        return ways

    def play(self, seat: int | str, action: str) -> None:
        if action not in self.legal(seat):
            raise ValueError(f"{seat} cannot {action!r} now")
        assert isinstance(seat, int)
        if action == "split":
            self.take_trick(worth=2)
        elif action == "whole":
            self.take_trick(worth=1)
        elif action.startswith("predict "):
            self.predict(seat, action.removeprefix("predict "))
        elif action.startswith("block "):
            _, card, covers = action.split()
            self.lay(laid_from_text(seat, f"{card}>{covers}"))
        else:
            self.lay(laid_from_text(seat, action.removeprefix("play ")))
        self.check()

    def predict(self, seat: int, card: str) -> None:
        """The card is out of play until the end of the round."""
        self.hands[seat].remove(card)
        self.predictions[seat] = card
        if not self.all_predicted():
            return

        # The late trump is turned up after all predictions are laid.
        if self.late_trump:
            self.turn_up_trump()
        # Who has nothing but his prediction has no trick to play.
        if not any(self.hands):
            self.end_round()

    def lay(self, laid: Laid) -> None:
        """A card into the trick, also a block."""
        # Who does not follow shows that he has none of the asked colour.
        asked = asked_colour(self.trick)
        if asked not in (NO_COLOUR, colour_of(laid.card)) and asked not in self.void[laid.seat]:
            self.void[laid.seat].append(asked)

        self.hands[laid.seat].remove(laid.card)
        self.trick.append(laid)
        self.turn = (laid.seat + 1) % self.players
        if self.trick_is_complete():
            self.end_trick()

    def end_trick(self) -> None:
        winner = winner_of(self.trick, self.trump)
        self.peek(winner)
        # After a 12 the winner chooses before he takes the trick.
        if is_double(self.trick):
            assert winner is not None
            self.turn = winner
        else:
            self.take_trick(worth=1)

    def peek(self, winner: int | None) -> None:
        """Who led with an 8 that is not blocked sees the prediction of another who wins."""
        first = self.trick[0]
        if first.number != PEEK or first not in unblocked(self.trick):
            return
        if winner is None or winner == first.seat:
            return
        if (first.seat, winner) not in self.seen:
            self.seen.append((first.seat, winner))

    def take_trick(self, worth: int) -> None:
        """The winner leads next; if nobody wins, whoever led leads again."""
        winner = winner_of(self.trick, self.trump)
        if winner is None:
            # Only with two players can a block leave no card in the trick.
            assert self.players == 2
        else:
            self.tricks[winner] += worth
            self.leader = winner
        self.turn = self.leader
        self.out += [laid.card for laid in self.trick]
        self.trick = []
        if not any(self.hands):
            self.end_round()

    def is_last_round(self) -> bool:
        """A fixed number of rounds; with a target, until someone has it or after 30."""
        if self.target is None:
            return self.round >= ROUNDS[self.players]
        return max(self.scores) >= self.target or self.round >= LAST_ROUND_WITH_TARGET

    def end_round(self) -> None:
        counted = beginner_points if self.beginner else points
        for seat in range(self.players):
            self.scores[seat] += counted(self.predictions[seat], self.tricks[seat])

        # At the end of the match the table stays as it lay.
        if self.is_last_round():
            self.over = True
            return

        # The next round is opened by the player to the left of this round's opener.
        self.deal(self.round + 1, (self.opener + 1) % self.players)
