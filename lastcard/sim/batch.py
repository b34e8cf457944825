"""Many matches of one game, stepped from outside: for learners, and whoever drives matches."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.core.positions import write_position
from lastcard.core.registry import game as find_game
from lastcard.errors import BadOption, IllegalAction
from lastcard.kernel import NOBODY
from lastcard.kernel.texts import show

from .host import Host, arrays_for
from .stepping import MATCH, ROUND, SCORE, SEED_WORDS, Settings

if TYPE_CHECKING:
    from .cuda import Gpu

WAIT = "wait"  # the action of a seat that is asked out of turn and does nothing
DEVICES = ("cpu", "cuda")
REWARDS = {"match": MATCH, "round": ROUND, "score": SCORE}
MOST_LISTED = 12  # of what is possible, when an illegal action is refused
WORTH_A_THREAD = 256  # matches; with fewer, handing them over takes longer than stepping them


class Batch:
    """Matches that are stepped together, in compiled code and without Python for each of them.

        batch = lastcard.Batch("taki", 1024, players=4, seed=1)
        while learning:
            batch.step(choose(batch.observations, batch.legal))
            learn(batch.rewards, batch.done)

    Arrays are by match, and stay the same memory as long as the batch lives. They are there to be
    read; `step` writes into them.

    - `seats` (int8): who decides now. -1: the match is over, and nobody does.
    - `legal` (bool, by action): what this seat may do. `choices` (int16) has the same as numbers,
      ascending: the first `counts` (int16) of each row.
    - `observations` (float32, by `observed`): what this seat sees, made from its hidden record. Of
      a match that is over, what a spectator sees.
    - `rewards` (float32, by seat): what the last step brought each seat.
    - `done` (bool): whether the last step ended the match. `final_scores` (int16, by seat) and
      `final_winners` (bool, by seat) are those of the last match that ended here,
      `final_observations` (float32, by `observed`) its end as the seat saw it that acted last, and
      `played` (int64) says how many have ended.
    - `records`: the matches as the rules know them, secrets included.

    When a match ends, the next one starts in the same step: `rewards` and `done` are of the one
    that has ended, `seats`, `legal` and `observations` of the new one. With `restart=False` a
    match that is over stays as it is until `reset`; it is `done`, and its actions are ignored.

    Rewards are for

    - "match": a seat's share of the win, which winners split evenly, when the match ends. They add
      up to 1: take off 1/players for a game with sum zero.
    - "round": by how much a round has changed the seat's chance to win, as search reckons it from
      the scores. They add up to zero in each round; and over a match to the seat's share of the
      win, less 1/players.
    - "score": points, the more the better: where the fewest points win, they count as negative.

    Forced moves, where a seat has a single legal action, are played without asking, unless
    `through` is False. Dice always are, from the match's key. Seats that decide at the same time
    are asked one after the other, the lowest first; what they have decided so far is hidden from
    those who are still to decide.

    With `out_of_turn` seats that may act although it is not their turn are asked, too, before the
    one that is waited for, in playing order from there on. One more action, the last one, is to
    `wait`. After any other action they are asked again. Without it they never act out of turn.
    Only a seat that has something to play is asked, so `seats` gives away more than any seat may
    know: an agent should be given the rows in which it decides, and no others.

    Options that are left out are those of simulations (`Game.simulated_options`). The key of a
    match is seed + slot * 2**128 + number * 2**192, where `slot` is its place in the arrays and
    `number` counts the matches there from 0: nothing depends on threads, or on how long others
    last. So the first match of a batch with seed 7 is the one of `Game.match(players, 7, options)`.

    `threads` is by default as many as there are cores, but fewer in small batches. With
    `on="cuda"` the arrays are in the memory of an NVIDIA GPU, and all of this happens there, on the
    stream that `stream` names.
    """

    def __init__(
        self,
        game: str | Game,
        count: int,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        seed: int = 0,
        rewards: str = "match",
        through: bool = True,
        out_of_turn: bool = False,
        restart: bool = True,
        threads: int | None = None,
        on: str = "cpu",
        stream: Any = None,
    ) -> None:
        self.game = game if isinstance(game, Game) else find_game(game)
        self.count = read_count("count", count)
        self.players = self.game.read_players(self.game.fewest if players is None else players)
        if not isinstance(rewards, str) or rewards not in REWARDS:
            raise BadOption("rewards", f"are for {', '.join(REWARDS)}, not for {show(rewards)}.")
        if on not in DEVICES:
            raise BadOption("on", f"is {' or '.join(DEVICES)}, not {show(on)}.")
        through, restart = read_flag("through", through), read_flag("restart", restart)
        out_of_turn = read_flag("out_of_turn", out_of_turn)
        self.actions: tuple[str, ...] = self.game.actions + (WAIT,) * out_of_turn
        self.observed: tuple[str, ...] = self.game.rules.OBSERVED
        settings = Settings(
            seed=_words(seed),
            options=np.array(_options(self.game, options, self.players), np.int16),
            players=self.players,
            rewarding=REWARDS[rewards],
            through=through,
            wait=len(self.game.actions) if out_of_turn else NOBODY,
            restarting=restart,
        )
        self.options = self.game.write_options(settings)
        arrays = arrays_for(self.game, self.count, self.players, len(self.actions))
        if on == "cuda":
            from .cuda import Gpu

            if threads is not None:
                raise BadOption("threads", "are for the CPU: a GPU has one for each match.")
            self._live(Gpu(self.game, settings, arrays))
        else:
            self._live(Host(self.game, settings, arrays, _threads(threads, self.count)))
        self.stream = stream
        self.reset()

    def _live(self, device: Host | Gpu) -> None:
        """Takes its arrays from where it lives."""
        told = device.told()
        self.records: Any = told.records
        self.seats: Any = told.seats
        self.legal: Any = told.legal
        self.choices: Any = told.choices
        self.counts: Any = told.counts
        self.observations: Any = told.observations
        self.rewards: Any = told.rewards
        self.done: Any = told.done
        self.played: Any = told.played
        self.final_scores: Any = told.final_scores
        self.final_winners: Any = told.final_winners
        self.final_observations: Any = told.final_observations
        self._device = device
        self._take, self._advance = device.take, device.advance
        self._find_illegal = device.find_illegal

    def __repr__(self) -> str:
        return f"<Batch of {self.count}, {self.game.id}, {self.players} players>"

    @property
    def stream(self) -> Any:
        """Where a GPU does the work: None for its default stream, or a stream of PyTorch, of CuPy,
        or its address. It may be set from one step to the next."""
        return self._device.stream

    @stream.setter
    def stream(self, stream: Any) -> None:
        self._device.use(stream)

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Starts anew with the first match of each slot, in the same arrays; with the same seed and
        the same options, if none are given. Options that are given are all there are, as in a new
        batch."""
        if seed is not None:
            self._device.write("seed", _words(seed))
        if options is not None:
            stored = np.array(_options(self.game, options, self.players), np.int16)
            self._device.write("options", stored)
            self.options = self.game.write_options(SimpleNamespace(options=stored))
        self._device.rewind()
        self._device.start()

    def step(self, actions: Any, check: bool = True) -> None:
        """Carries out an action, given by its number, in every match, and goes on to the next
        decision. If any is illegal, nothing happens in any of them.

        With `check=False` nobody looks for illegal actions first: a match with one stands still,
        without rewards, and not `done`; the others go on. Then a GPU is handed its work without
        waiting for it, and if the actions are in its memory, a step may be captured in a CUDA
        graph."""
        self._take(actions, check)
        if check:
            wrong = self._find_illegal()
            if wrong != NOBODY:
                raise IllegalAction(self._why_not(int(wrong)))
        self._advance()

    def observe(self, seats: Any) -> Any:
        """What other seats see, one for each match or the same in all; -1 is a spectator. A new
        array like `observations`."""
        viewers = np.asarray(seats)
        if viewers.dtype.kind not in "iu" or viewers.shape not in ((), (self.count,)):
            raise BadOption(
                "seats", f"must be a whole number, or {self.count} of them, not {show(seats)}."
            )
        viewers = np.array(np.broadcast_to(viewers, self.count), np.int64)
        if ((viewers < NOBODY) | (viewers >= self.players)).any():
            raise BadOption("seats", f"are 0 to {self.players - 1}, or {NOBODY} for a spectator.")
        return self._device.observe(viewers)

    def advise(self) -> Any:
        """What the game's policy (the bot `normal`) would do in every match, as actions to step
        with. In a match that is over it is 0. It is given the hidden record of who decides. On a
        GPU it is always the same array."""
        return self._device.advise()

    def match(self, number: int) -> Match:
        """A copy of one of the matches, as it stands."""
        self._check_number(number)
        array = self._device.record(number)
        return Match(self.game, array, start=write_position(self.game, array[0]))

    def put(self, number: int, match: Match) -> None:
        """Has a slot go on from a match, such as one that starts from a position."""
        self._check_number(number)
        if match.game.id != self.game.id or match.players != self.players:
            raise BadOption(
                "match", f"must be of {self.game.title} with {self.players} players, not {match!r}."
            )
        self._device.put(number, match.record)

    def copy(self) -> Batch:
        """The same matches once more, to be stepped on their own."""
        twin = object.__new__(Batch)
        twin.__dict__.update(self.__dict__)
        twin._live(self._device.copy())
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Batch:
        return self.copy()

    def state(self) -> dict[str, Any]:
        """Everything that further steps depend on, as bytes by name: whatever happens after
        `restore` is what would have happened here. It is for batches of the same game, size,
        players and ways of stepping, of the same version."""
        return {
            name: np.ascontiguousarray(array).reshape(-1).view(np.uint8)
            for name, array in self._device.state().items()
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Goes on from a `state`, in the same arrays. It is trusted: only give back what a batch
        has told."""
        here = self._device.state()
        sizes = {name: array.nbytes for name, array in here.items()}
        if sizes != {name: content.nbytes for name, content in state.items()}:
            raise BadOption("state", "is that of another batch.")
        for name, array in here.items():
            content = np.frombuffer(state[name].tobytes(), array.dtype)
            self._device.write(name, content.reshape(array.shape))
        stored = self._device.state()["options"]
        self.options = self.game.write_options(SimpleNamespace(options=stored))

    def _check_number(self, number: object) -> None:
        if number not in range(self.count):
            raise BadOption("number", f"is 0 to {self.count - 1}, not {show(number)}.")

    def _why_not(self, number: int) -> str:
        action, seat, count, choices = (
            self._device.row(name, number) for name in ("chosen", "deciding", "counts", "choices")
        )
        if not 0 <= action < len(self.actions):
            last = len(self.actions) - 1
            return f"actions[{number}] is {action}, but there are only actions 0 to {last}."
        return (
            f"actions[{number}] is {action}, but seat {seat} cannot {self.actions[action]} now. "
            f"Possible: {listed(choices[:count], self.actions)}."
        )


def listed(choices: Sequence[int], names: Sequence[str]) -> str:
    """Actions by number and name, for a sentence: the first ones of many."""
    some = [f"{one} ({names[one]})" for one in choices[:MOST_LISTED]]
    return ", ".join([*some, "..."] if len(choices) > MOST_LISTED else some)


def read_flag(what: str, value: object) -> bool:
    """Not what merely counts as true in Python: "no" would."""
    if not isinstance(value, bool | np.bool_):
        raise BadOption(what, f"must be True or False, not {show(value)}.")
    return bool(value)


def read_count(what: str, number: object) -> int:
    """A number of matches, or of anything else of which there is at least one."""
    if isinstance(number, bool) or not isinstance(number, int | np.integer) or number < 1:
        raise BadOption(what, f"must be a whole number of 1 or more, not {show(number)}.")
    return int(number)


def _threads(wish: int | None, count: int) -> int:
    if wish is None:
        has_affinity = hasattr(os, "sched_getaffinity")  # only on Linux
        cores = len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1
        return min(cores, max(count // WORTH_A_THREAD, 1))
    return min(read_count("threads", wish), count)


def read_seed(seed: object) -> int:
    bits = 32 * SEED_WORDS
    whole = isinstance(seed, int | np.integer) and not isinstance(seed, bool)
    if not whole or not 0 <= int(seed) < 1 << bits:  # type: ignore[call-overload]
        raise BadOption("seed", f"must be a whole number below 2**{bits}, not {show(seed)}.")
    return int(seed)  # type: ignore[call-overload]


def _words(seed: object) -> Any:
    """A seed as the first words of a key."""
    key = read_seed(seed).to_bytes(4 * SEED_WORDS, "little")
    return np.frombuffer(key, "<u4").astype(np.uint32)


def _options(game: Game, given: Mapping[str, Any] | None, players: int) -> list[int]:
    """The options as a record keeps them; those of simulations where nothing is said."""
    simulated = {
        option.name: option.simulated for option in game.options if option.simulated is not None
    }
    if given is None or isinstance(given, Mapping):
        given = simulated | dict(given or {})
    return game.read_options(given, players)
