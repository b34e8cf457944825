"""Chi-Chi-Ko in the plainest Python, as a reference for the fast rules."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from tests.games.chance import BEFORE_THE_FIRST_ROUND, Chance

COLOURS = ["r", "y", "g", "b"]

ROCK = "k"
SCISSORS = "s"
PAPER = "p"
SNAKE = "n"
CROOK = "c"
PICTURES = [ROCK, SCISSORS, PAPER, SNAKE, CROOK]

TAKE_TWO = "+2"
TAKE_FOUR = "+4"
REVERSE = "v"
SKIP = "x"
SPECIALS = [TAKE_TWO, TAKE_FOUR, REVERSE, SKIP]

BEATS = {
    SCISSORS: [PAPER, SNAKE],
    PAPER: [CROOK, ROCK],
    ROCK: [SCISSORS, SNAKE],
    SNAKE: [CROOK, PAPER],
    CROOK: [ROCK, SCISSORS],
}

# One double for each picture and colour.
DOUBLES = [f"{colour}{picture}-{colour}{picture}" for picture in PICTURES for colour in COLOURS]

# For every pair of different pictures P < Q and every colour C one tile with P in colour C and Q
# in colour (C + P + Q) mod 4.
MIXED = [
    f"{COLOURS[c]}{PICTURES[p]}-{COLOURS[(c + p + q) % 4]}{PICTURES[q]}"
    for p in range(5)
    for q in range(p + 1, 5)
    for c in range(4)
]

# For every picture P and colour C one tile of colour C with P and the special (P + C) mod 4.
SUPERS = [
    f"{COLOURS[c]}{PICTURES[p]}-{COLOURS[c]}{SPECIALS[(p + c) % 4]}"
    for p in range(5)
    for c in range(4)
]

DECK = DOUBLES + MIXED + SUPERS
SORTED_DECK = sorted(DECK)
PLACE_IN_DECK = {tile: place for place, tile in enumerate(DECK)}

# One point for every ordinary tile left, doubles too, five for every super tile.
POINTS = {tile: 5 if tile in SUPERS else 1 for tile in DECK}

CLOCKWISE = "cw"
COUNTER_CLOCKWISE = "ccw"
STEPS = {CLOCKWISE: 1, COUNTER_CLOCKWISE: -1}

# The two parallel lines of each side of the sausage, upper and lower.
SIDES = {"left": (0, 1), "right": (2, 3)}
NEIGHBOUR = {0: 1, 1: 0, 2: 3, 3: 2}

# How many tiles the next player takes for each event that makes him miss his turn.
ACROSS = "across"
TAKES = {TAKE_TWO: 2, TAKE_FOUR: 4, SKIP: 0, ACROSS: 2}

PLAYERS = range(2, 9)
ROUNDS = 5
FACE_PENALTY = 3
FACE_TILES = 3
OUT_OF_TURN_PENALTY = 5
OUT_OF_TURN_MISSED = 2

NOBODY = "-"
CLOSED = "-"


def halves(name: str) -> tuple[str, str]:
    first, second = name.split("-")
    return first, second


def orders(tile: str) -> list[str]:
    """The ways to name the tile: either half first, a double only one way."""
    first, second = halves(tile)
    return [tile] if first == second else [tile, f"{second}-{first}"]


# Both orders name the same tile.
TILE = {name: tile for tile in DECK for name in orders(tile)}


def tiles_of(text: str) -> list[str]:
    return [TILE[name] for name in text.split()]


def fits(half: str, tile: str, end: str) -> bool:
    """Whether this half of the tile may be put against this end."""
    # At a closed double nothing may be put any more.
    if end == CLOSED:
        return False

    colour, picture = half[0], half[1:]
    end_colour, end_picture = end[0], end[1:]

    # Against a special picture any half of its colour; or the same special picture in another
    # colour.
    if end_picture in SPECIALS:
        return colour == end_colour or picture == end_picture

    # Against an ordinary picture a super tile of the same colour, with either half, even the
    # end's own picture.
    if tile in SUPERS and colour == end_colour:
        return True

    # A special half fits no other way. The ordinary half of a super tile fits wherever an
    # ordinary tile's half would.
    if picture in SPECIALS:
        return False

    # The same picture in another colour, or a picture that beats it in the same colour.
    if picture == end_picture:
        return colour != end_colour
    return colour == end_colour and end_picture in BEATS[picture]


@cache
def ways_to_fit(tile: str, end: str) -> list[str]:
    """The orders in which the tile may be put against the end, the touching half first."""
    return [name for name in orders(tile) if fits(halves(name)[0], tile, end)]


class Twin:
    """A match of Chi-Chi-Ko."""

    def __init__(self, players: int, key: bytes, options: Mapping[str, object]) -> None:
        assert players in PLAYERS
        rounds = options.get("rounds", ROUNDS)
        assert isinstance(rounds, int) and 1 <= rounds <= 100
        opener = options.get("opener")
        if opener is None:
            opener = Chance(key, BEFORE_THE_FIRST_ROUND).pick(players)
        assert isinstance(opener, int) and 0 <= opener < players

        # Seven tiles each, six with 7 or 8 players; the option deals fewer.
        hand = options.get("hand")
        if hand is None:
            hand = 6 if players >= 7 else 7
        assert isinstance(hand, int) and 3 <= hand <= 7

        self.players = players
        self.key = key
        self.rounds = rounds
        self.hand = hand
        self.out_of_turn = bool(options.get("out_of_turn", False))
        self.blitz = bool(options.get("blitz", False))
        self.phone = bool(options.get("phone", False))
        self.sausage = bool(options.get("sausage", False))
        self.faces = bool(options.get("faces", False))
        self.apocalypse = bool(options.get("apocalypse", False))

        # `phone` and `sausage` exclude each other, `faces` needs `open`.
        assert not (self.phone and self.sausage)
        assert not self.faces or bool(options.get("open", False))
        assert self.players * self.hand <= len(DECK) - self.taken_out()

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
        twin.direction = position["direction"]
        twin.ends = position["ends"].split()
        twin.lengths = list(position["lengths"])
        twin.laid = position["laid"].split()
        twin.hands = [tiles_of(hand) for hand in position["hands"]]
        twin.bazaar = tiles_of(position["bazaar"])
        twin.used = list(position["used"])
        twin.begun = position["begun"]
        twin.missing = list(position["missing"])
        twin.owes_face = None if position["owes_face"] == NOBODY else position["owes_face"]
        twin.scores = list(position["scores"])
        twin.over = position["over"]

        # What lies nowhere is out of play until the next deal.
        assert position["rest"] == "out"
        twin.out = []
        seen = twin.tiles()
        twin.out = [tile for tile in DECK if tile not in seen]
        twin.check()
        return twin

    def taken_out(self) -> int:
        """How many tiles the apocalypse takes out of the game, rounded down."""
        if not self.apocalypse:
            return 0
        # Two thirds with 2-3 players, half with 4-5, a third with 6-8.
        if self.players <= 3:
            return len(DECK) * 2 // 3
        if self.players <= 5:
            return len(DECK) // 2
        return len(DECK) // 3

    def deal(self, number: int, opener: int) -> None:
        """A hand for each player, the rest is the bazaar."""
        self.round = number
        self.opener = opener
        self.chance = Chance(self.key, number)

        self.direction = CLOCKWISE
        self.ends: list[str] = []
        self.lengths = [0, 0, 0, 0] if self.sausage else []
        self.laid: list[str] = []
        self.used: list[int] = []
        self.begun = False
        self.missing = [0] * self.players
        self.owes_face: int | None = None

        # If nobody has a double all tiles are shuffled and dealt again.
        self.shuffle_and_deal()
        while not any(self.doubles(seat) for seat in range(self.players)):
            self.shuffle_and_deal()

        # The opener starts; without a double the right passes to the next player.
        self.turn = opener
        while not self.doubles(self.turn):
            self.turn = self.next_seat(self.turn)
        self.check()

    def shuffle_and_deal(self) -> None:
        # The end of the list is the top of the face-down tiles.
        talon = list(DECK)
        self.chance.shuffle(talon)
        self.out = [talon.pop() for _ in range(self.taken_out())]
        self.hands = [[talon.pop() for _ in range(self.hand)] for _ in range(self.players)]
        self.bazaar = talon[::-1]

    def tiles(self) -> list[str]:
        """All tiles: in the hands, in the bazaar, in the chain, out of the game."""
        tiles = self.bazaar + self.out
        tiles += [TILE[name.partition("@")[0]] for name in self.laid]
        for hand in self.hands:
            tiles += hand
        return tiles

    def check(self) -> None:
        """Every tile is in exactly one place, and the chain has its shape."""
        assert sorted(self.tiles()) == SORTED_DECK
        assert len(self.hands) == len(self.scores) == len(self.missing) == self.players
        assert min(self.missing) >= 0
        assert len(self.ends) in (0, self.number_of_ends())
        assert self.phone or CLOSED not in self.ends

        # On one side of the sausage the two lines never differ by more than one tile.
        assert len(self.lengths) == (4 if self.sausage else 0)
        if self.sausage:
            for upper, lower in SIDES.values():
                assert abs(self.lengths[upper] - self.lengths[lower]) <= 1

        # Only a blitz or a phone turn has more than one tile, and only the phone without blitz
        # remembers which ends it has used.
        if self.begun:
            assert self.ends and (self.blitz or self.phone)
        if self.used:
            assert self.begun and self.phone and not self.blitz
            assert len(set(self.used)) == len(self.used)

        # Only the player whose turn it is can owe a face.
        if self.owes_face is not None:
            assert self.faces and self.owes_face == self.turn

        # Nothing goes on after the moment at which the round has ended.
        if not self.over:
            assert [] not in self.hands
            assert not self.fish()

    @property
    def winners(self) -> list[int]:
        """Lowest total wins; ties are shared."""
        if not self.over:
            return []
        return [seat for seat in range(self.players) if self.scores[seat] == min(self.scores)]

    def position(self) -> dict[str, object]:
        return {
            "turn": self.turn,
            "direction": self.direction,
            "ends": " ".join(self.ends),
            "lengths": list(self.lengths),
            "laid": " ".join(self.laid),
            "hands": [" ".join(sorted(hand, key=PLACE_IN_DECK.__getitem__)) for hand in self.hands],
            "bazaar": " ".join(self.bazaar),
            "used": sorted(self.used),
            "begun": self.begun,
            "missing": list(self.missing),
            "owes_face": NOBODY if self.owes_face is None else self.owes_face,
            "scores": list(self.scores),
            "opener": self.opener,
            "round": self.round,
            "chance": self.chance.counter,
            "over": self.over,
            "rest": "out",
        }

    def number_of_ends(self) -> int:
        """Left and right; the first double of the phone has four sides, the sausage four lines."""
        return 4 if self.phone or self.sausage else 2

    def next_seat(self, seat: int) -> int:
        return (seat + STEPS[self.direction]) % self.players

    def doubles(self, seat: int) -> list[str]:
        return [tile for tile in self.hands[seat] if tile in DOUBLES]

    def waiting(self) -> list[int | str]:
        return [] if self.over else [self.turn]

    def legal(self, seat: int | str) -> list[str]:
        if self.over or isinstance(seat, str):
            return []

        # The round starts with any double.
        if not self.ends:
            return [f"start {tile}" for tile in self.doubles(seat)] if seat == self.turn else []

        # Out of turn only a plain put, only after the start.
        if seat != self.turn:
            return self.plain_puts(seat) if self.out_of_turn else []

        # A player who puts a double may close it; a tile may be put across both lines of a side.
        actions = self.puts_of_turn(seat)
        if self.phone:
            doubles = self.puts(self.doubles(seat), self.ends_not_used())
            actions += [f"{put} closed" for put in doubles]
        if self.sausage:
            actions += self.across_puts(seat)

        # After at least one tile he may end his turn. A player who cannot put a first tile draws,
        # with an empty bazaar he passes; a player who can put a tile must.
        if self.begun:
            actions.append("end")
        elif not actions:
            actions.append("draw" if self.bazaar else "pass")

        # Before his move, also after drawing.
        if seat == self.owes_face:
            actions.append("face")
        return actions

    def free_ends(self) -> list[int]:
        """The ends at which a tile may be put: not closed, in the sausage not the longer line's."""
        free = [number for number, end in enumerate(self.ends) if end != CLOSED]
        if self.sausage:
            free = [n for n in free if self.lengths[n] <= self.lengths[NEIGHBOUR[n]]]
        return free

    def ends_not_used(self) -> list[int]:
        """The free ends at which no double has been put in this turn."""
        return [number for number in self.free_ends() if number not in self.used]

    def puts(self, tiles: list[str], ends: list[int]) -> list[str]:
        """All ways to put one of these tiles at one of these ends."""
        return [
            f"put {name} @{number}"
            for tile in tiles
            for number in ends
            for name in ways_to_fit(tile, self.ends[number])
        ]

    def plain_puts(self, seat: int) -> list[str]:
        return self.puts(self.hands[seat], self.free_ends())

    def puts_of_turn(self, seat: int) -> list[str]:
        """The plain puts of the player whose turn it is."""
        # When a turn of the phone has begun with a double only doubles follow, at most one at
        # each end; with blitz any tiles, and ends may be used again.
        if self.begun and not self.blitz:
            return self.puts(self.doubles(seat), self.ends_not_used())
        return self.plain_puts(seat)

    def across_puts(self, seat: int) -> list[str]:
        """Across both lines of a side where they are equally long, also at the very start.

        The upper half must fit the upper line's end, the lower half the lower line's.
        """
        actions = []
        for side, (upper, lower) in SIDES.items():
            if self.lengths[upper] == self.lengths[lower]:
                for tile in self.hands[seat]:
                    for name in orders(tile):
                        above, below = halves(name)
                        if fits(above, tile, self.ends[upper]):
                            if fits(below, tile, self.ends[lower]):
                                actions.append(f"across {name} {side}")
        return actions

    def can_put(self, seat: int) -> bool:
        """Whether any tile of his fits anywhere, whatever ends he has used in this turn."""
        return self.plain_puts(seat) != []

    def play(self, seat: int | str, action: str) -> None:
        if action not in self.legal(seat):
            raise ValueError(f"{seat} cannot {action!r} now")
        assert isinstance(seat, int)

        match action.split():
            case ["start", double]:
                self.start(seat, double)
            case ["put", name, end, *closed]:
                number = int(end.removeprefix("@"))
                if seat == self.turn:
                    self.put_in_turn(seat, name, number, bool(closed))
                else:
                    self.put_out_of_turn(seat, name, number)
            case ["across", name, side]:
                self.put_across(seat, name, side)
            case ["draw"]:
                self.draw(seat)
            case ["pass"]:
                self.end_turn(put_a_tile=False)
            case ["end"]:
                self.end_turn(put_a_tile=True)
            case ["face"]:
                self.owes_face = None
        self.check()

    def take(self, seat: int, count: int) -> int:
        """The seat takes so many tiles from the bazaar, or what is left: how many it got."""
        taken = self.bazaar[:count]
        self.bazaar = self.bazaar[count:]
        self.hands[seat] += taken
        return len(taken)

    def draw(self, seat: int) -> None:
        """One at a time; the turn does not pass. The last tile can make it a fish."""
        self.take(seat, 1)
        if self.fish():
            self.end_round()

    def start(self, seat: int, double: str) -> None:
        """All ends show the double's half; with blitz the starter may go on."""
        self.hands[seat].remove(double)
        self.laid.append(double)
        half, _ = halves(double)
        self.ends = [half] * self.number_of_ends()
        self.after_tile(seat, may_go_on=self.blitz)

    def put(self, seat: int, name: str, number: int, closed: bool = False) -> None:
        """The first-named half goes against the end, the second becomes the end."""
        self.hands[seat].remove(TILE[name])
        self.laid.append(f"{name}@{number}")
        _, new_end = halves(name)
        self.ends[number] = CLOSED if closed else new_end
        if self.sausage:
            self.lengths[number] += 1

    def put_in_turn(self, seat: int, name: str, number: int, closed: bool) -> None:
        self.put(seat, name, number, closed)

        # If its special picture becomes the end, its event happens; if its ordinary picture does,
        # nothing happens.
        _, new_end = halves(name)
        event = new_end[1:] if new_end[1:] in SPECIALS else None

        if self.blitz:
            # As many tiles as the player likes; a super tile always ends the turn.
            self.after_tile(seat, event, may_go_on=TILE[name] not in SUPERS)
        elif self.phone and TILE[name] in DOUBLES:
            # After a first double further doubles, at most one at each end.
            self.after_tile(seat, event, may_go_on=True, used=[number])
        else:
            self.after_tile(seat, event)

    def put_across(self, seat: int, name: str, side: str) -> None:
        """It lengthens both lines and its halves are their new ends; it ends the turn.

        A super tile put across has no other event.
        """
        self.hands[seat].remove(TILE[name])
        self.laid.append(f"{name}@{side}")
        for number, half in zip(SIDES[side], halves(name), strict=True):
            self.ends[number] = half
            self.lengths[number] += 1
        self.after_tile(seat, ACROSS)

    def after_tile(
        self,
        seat: int,
        event: str | None = None,
        may_go_on: bool = False,
        used: list[int] | None = None,
    ) -> None:
        """All that follows when the player whose turn it is has put a tile."""
        # If he puts a tile without the face he owes he takes three, before going out is checked.
        if self.owes_face == seat:
            self.take(seat, FACE_PENALTY)
            self.owes_face = None

        # The event of a tile that ends the round does not happen.
        if not self.hands[seat] or self.fish():
            self.end_round()
            return

        # What the event makes the next player take can leave the bazaar empty.
        if event is not None:
            self.happen(event)
        if self.fish():
            self.end_round()
            return

        if may_go_on:
            self.begun = True
            self.used += used or []
        # The turn ends by itself when nothing more fits.
        if not may_go_on or not self.puts_of_turn(seat):
            self.end_turn(put_a_tile=True)

    def happen(self, event: str) -> None:
        if event == REVERSE:
            clockwise = self.direction == CLOCKWISE
            self.direction = COUNTER_CLOCKWISE if clockwise else CLOCKWISE
            return

        # The next player takes so many and misses his turn; missed turns add up.
        after = self.next_seat(self.turn)
        self.take(after, TAKES[event])
        self.missing[after] += 1

    def put_out_of_turn(self, seat: int, name: str, number: int) -> None:
        """The tile stays, without its event; the turn stays with whoever had it."""
        self.put(seat, name, number)

        # He takes five tiles; if there are fewer he takes them all and misses his next two turns.
        if self.take(seat, OUT_OF_TURN_PENALTY) < OUT_OF_TURN_PENALTY:
            self.missing[seat] += OUT_OF_TURN_MISSED

        # If it was his last tile he has the new ones, or, from an empty bazaar, has won.
        if not self.hands[seat] or self.fish():
            self.end_round()
            return

        # If the player whose turn it is has begun and nothing fits him any more, his turn ends.
        if self.begun and not self.puts_of_turn(self.turn):
            self.end_turn(put_a_tile=True)

    def fish(self) -> bool:
        """Nobody can put a tile and the bazaar is empty, or all ends are closed."""
        if not self.ends:
            return False
        if all(end == CLOSED for end in self.ends):
            return True
        return not self.bazaar and not any(self.can_put(seat) for seat in range(self.players))

    def end_turn(self, put_a_tile: bool) -> None:
        seat = self.turn
        self.begun = False
        self.used = []

        # A seat reached with missed turns left loses one and is passed over.
        self.turn = self.next_seat(seat)
        while self.missing[self.turn] > 0:
            self.missing[self.turn] -= 1
            self.turn = self.next_seat(self.turn)

        # After a turn in which a player put a tile and that leaves him with exactly three tiles,
        # whoever has the next turn, if that is another player, must make a face. An older debt
        # ends with its turn.
        three_left = put_a_tile and len(self.hands[seat]) == FACE_TILES
        self.owes_face = self.turn if self.faces and three_left and self.turn != seat else None

    def end_round(self) -> None:
        """Everybody adds what he has left; who has shed all his tiles has nothing to add."""
        for seat in range(self.players):
            self.scores[seat] += sum(POINTS[tile] for tile in self.hands[seat])

        # The match is `rounds` rounds.
        if self.round >= self.rounds:
            self.over = True
            return

        # The next round is opened by the seat clockwise after this round's opener, whoever
        # actually started.
        self.deal(self.round + 1, (self.opener + 1) % self.players)
