"""The games in OpenSpiel. Importing this registers `lastcard_chiko` and all the others.

- `players`, every option of the game, and `recall` are parameters. An option that can be none has
  the number that stands for it: -1 for a seat, 0 for a limit.
- Chance is explicit. A match is dealt from a seed of 32 bits, which eight nodes of chance draw,
  16 outcomes each: games in Python that sample in secret cannot be serialized. All shuffles
  follow from that seed, also later ones. Dice are nodes of chance with all their outcomes. Games
  with a short form take a `deck` and the size of a `hand`: then a match is one round, and one node
  of chance has all deals with their probabilities.
- Play is sequential. Seats that decide at once do so in the order of their numbers, and see
  nothing of each other's choices. A seat that may act out of turn, and has something to play, is
  asked first, and may also `wait`, the last action; nobody else is told that it was asked. Those
  are asked in playing order, after the one that is waited for: as in a `Batch`.
- A player's return is the share of the win, scaled so that all of it is 1 and the sum is 0.
- The information state is all that a seat has seen and done. As a string it goes back to the
  first deal; as a tensor it has the observation, and the newest `recall` events and own actions.
- `resample_from_infostate` guesses what a seat does not know. Such a state has no
  history, and its other seats have forgotten their past secrets.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

from lastcard.bots.simple import new_rng
from lastcard.core.game import KEY_BYTES, Game
from lastcard.core.match import duplicate, seat_name
from lastcard.core.registry import game, games
from lastcard.core.scratch import scratch
from lastcard.core.views import legal_of, seats_of
from lastcard.errors import BadOption, IllegalAction
from lastcard.kernel import CHANCE, NOBODY, Record
from lastcard.kernel.options import Choice, Flag, Option
from lastcard.sim.batch import WAIT

from .openspiel_deals import Deals
from .openspiel_past import (
    COLUMNS,
    NO_EVENTS,
    Dealt,
    Moved,
    Past,
    Remembered,
    action_name,
    beyond,
    flat,
    rebuilt,
    rows_of,
    text_of,
    view,
)
from .single import read_seat, refusal

PREFIX = "lastcard_"
SEED_NODES, SEED_OUTCOMES = 8, 16  # of chance, before a match is dealt
SEEDS = [(outcome, 1 / SEED_OUTCOMES) for outcome in range(SEED_OUTCOMES)]
LONGEST = 1 << 20  # far more decisions than any match takes
RECALL = 128
ROLLING = 1 << CHANCE  # when a match waits for dice
BY_CHANCE, OVER = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)


class LastCardGame(pyspiel.Game):  # type: ignore[misc]
    """One of our games with its options. Each has a class of its own: what OpenSpiel is given to
    make a game by must outlive the interpreter, as only classes do."""

    rules: Game
    type: Any

    def __init__(self, params: dict[str, Any]) -> None:
        rules = self.rules
        self.players = rules.read_players(params["players"])
        self.chosen = {one.name: _read_parameter(one, params[one.name]) for one in rules.options}
        self.options = np.array(rules.read_options(self.chosen, self.players), np.int16)
        self.recall: int = params["recall"]
        if self.recall < 0:
            raise BadOption("recall", f"must be 0 or more, not {self.recall}.")
        self.deals: Deals | None = None
        if params.get("deck") or params.get("hand"):
            self.deals = Deals(rules, self.players, self.chosen, params["deck"], params["hand"])
        self.wait = len(rules.actions)  # the action's number
        seeds = SEED_OUTCOMES if self.deals is None else len(self.deals.all)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(rules.actions) + 1,
            max_chance_outcomes=max(seeds, rules.rules.MOST_LEGAL),
            num_players=self.players,
            min_utility=-1.0 / (self.players - 1),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(self.type, info, params)

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle holds its name with all parameters."""
        return pyspiel.load_game, (str(self),)

    def new_initial_state(self, start: Any = None) -> LastCardState:
        if start is not None:
            raise BadOption("start", "matches begin with their deal.")
        return LastCardState(self)

    def max_chance_nodes_in_history(self) -> int:
        return SEED_NODES + LONGEST

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        return Observer(self, iig_obs_type, params)


def _read_parameter(option: Option, value: Any) -> Any:
    """An option as our games read it."""
    return value if isinstance(option, Flag | Choice) else option.write(value)


def _parameter(option: Option, players: int) -> Any:
    """What an option is unless somebody says otherwise, of a type that OpenSpiel has."""
    default = option.default if option.simulated is None else option.simulated
    return default if isinstance(option, Flag | Choice) else option.read(default, players)


class Now:
    """All of a state that is ours, in one attribute: OpenSpiel copies attributes one by one."""

    __slots__ = ("aside", "at", "legal", "past", "record", "round", "s", "seed", "turn", "waived")

    def __init__(self, at: LastCardGame | None) -> None:
        self.at = at
        self.seed: tuple[int, ...] = ()  # as far as it is drawn
        self.record: Any = None  # an array of one, once the match is dealt
        self.s: Any = None  # the one
        self.round: Any = None  # its number of the round: a field takes longer to find
        self.turn = BY_CHANCE
        self.aside = False  # whether it is somebody's turn who is not waited for
        self.waived = 0  # who has been asked like that, and did not want to: seats as bits
        self.past: Past | None = None
        self.legal: list[int] | None = None  # of whose turn it is, once somebody asks

    def begin(self, record: Any) -> None:
        self.record, self.s, self.round = record, record[0], record["round_number"]

    def __copy__(self) -> Now:
        other = Now(self.at)
        other.seed, other.turn, other.aside = self.seed, self.turn, self.aside
        other.waived, other.past, other.legal = self.waived, self.past, self.legal
        if self.record is not None:
            other.begin(duplicate(self.record))
        return other

    def __deepcopy__(self, memo: object) -> Now:
        return copy.copy(self)

    def __getstate__(self) -> tuple[Any, ...]:
        return self.seed, self.record, self.turn, self.aside, self.waived, flat(self.past)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        Now.__init__(self, None)
        self.seed, record, self.turn, self.aside, self.waived, steps = state
        self.past = rebuilt(steps)
        if record is not None:
            self.begin(record)


class LastCardState(pyspiel.State):  # type: ignore[misc]
    """A match, or the chance before it."""

    def __init__(self, at: LastCardGame) -> None:
        super().__init__(at)
        self.now = Now(at)

    @property
    def at(self) -> LastCardGame:
        now = self.now
        if now.at is None:  # a pickle has no game
            now.at = self.get_game()
        return now.at

    # --- Whose turn it is, and what is possible --------------------------------------------------

    def current_player(self) -> int:
        return self.now.turn

    def is_terminal(self) -> bool:
        return self.now.turn == OVER

    def _legal_actions(self, player: int) -> list[int]:
        now = self.now
        if player != now.turn:
            return []
        if now.legal is None:
            at = self.at
            now.legal = legal_of(at.rules, now.s, player)
            if now.aside:
                now.legal.append(at.wait)
        return now.legal

    def chance_outcomes(self) -> list[tuple[int, float]]:
        if self.now.s is None:
            deals = self.at.deals
            return SEEDS if deals is None else deals.outcomes
        faces = len(legal_of(self.at.rules, self.now.s, CHANCE))
        return [(outcome, 1 / faces) for outcome in range(faces)]

    # --- What an action does ---------------------------------------------------------------------

    def _apply_action(self, action: int) -> None:
        now, turn, at = self.now, self.now.turn, self.at
        if turn >= 0:
            legal = self._legal_actions(turn)
            if action not in legal:
                raise refusal(turn, action, legal, (*at.rules.actions, WAIT))
            if action == at.wait:
                self._wait(turn, action)
            else:
                self._play(at, turn, action)
        elif turn == OVER:
            raise IllegalAction("action: the match is over.")
        elif now.s is not None:
            outcomes = legal_of(at.rules, now.s, CHANCE)
            self._play(at, CHANCE, outcomes[_outcome(action, len(outcomes))])
        elif not self._draw(at, action):
            return
        self._settle(at)

    def _draw(self, at: LastCardGame, action: int) -> bool:
        """Chance before the match: a part of the seed, or the deal. Says whether it has begun."""
        now, deals = self.now, at.deals
        possible = SEED_OUTCOMES if deals is None else len(deals.all)
        now.seed = (*now.seed, _outcome(action, possible))
        if deals is not None:
            now.begin(np.frombuffer(bytearray(deals.start(action)), at.rules.rules.RECORD))
        elif len(now.seed) == SEED_NODES:
            now.begin(at.rules.blank(_key(now.seed)))
            at.rules.rules.new(now.s, at.players, at.options)
        else:
            return False
        now.past = Dealt(None, duplicate(now.record))
        return True

    def _wait(self, seat: int, action: int) -> None:
        now = self.now
        now.waived |= 1 << seat
        assert now.past is not None
        now.past = Moved(now.past, seat, action, NO_EVENTS)

    def _play(self, at: LastCardGame, seat: int, action: int) -> None:
        now, log = self.now, scratch().log
        log[0, 0] = 0
        round_number = now.round.item()
        at.rules.rules.apply(now.s, seat, action, log)
        assert now.past is not None
        now.past = Moved(now.past, seat, action, log[: 1 + log.item(0)].copy())
        if now.round.item() != round_number:
            now.past = Dealt(now.past, duplicate(now.record))
        now.waived = 0

    def _settle(self, at: LastCardGame) -> None:
        """Whose turn it is now."""
        now, rules = self.now, at.rules.rules
        now.legal, now.aside = None, False
        waiting = rules.waiting(now.s)
        if not waiting:
            now.turn = OVER
            return
        rolling = waiting == ROLLING
        first = 0 if rolling else (waiting & -waiting).bit_length() - 1
        may = rules.bystanders(now.s) & ~now.waived
        for seat in _in_order(may, first, at.players) if may else ():
            if legal_of(at.rules, now.s, seat):
                now.turn, now.aside = seat, True
                return
        now.turn = BY_CHANCE if rolling else first

    # --- The end ---------------------------------------------------------------------------------

    def returns(self) -> list[float]:
        players = self.num_players()
        return returns_of(self.now.s, players) if self.now.turn == OVER else [0.0] * players

    # --- In words --------------------------------------------------------------------------------

    def _action_to_string(self, player: int, action: int) -> str:
        at = self.at
        rules, deals = at.rules, at.deals
        if player >= 0:
            if not 0 <= action <= at.wait:
                raise IllegalAction(f"action: there is no action {action} in {rules.title}.")
            return action_name(rules, action)
        if self.now.s is not None:
            outcomes = legal_of(rules, self.now.s, CHANCE)
            return rules.actions[outcomes[_outcome(action, len(outcomes))]]
        if deals is not None:
            return f"deal {deals.all[_outcome(action, len(deals.all))]}"
        return f"seed {_outcome(action, SEED_OUTCOMES)}"

    def __str__(self) -> str:
        """All of it, secrets included."""
        if self.now.record is None:
            return f"not dealt yet {list(self.now.seed)}"
        moves = [
            f"{seat_name(step.seat)}: {action_name(self.at.rules, step.action)}"
            for step in (self.now.past.whole() if self.now.past else ())
            if isinstance(step, Moved)
        ]
        record = self.now.record.tobytes().hex()
        return "\n".join([*reversed(moves), f"waived {self.now.waived}", record])

    # --- What a seat does not know ---------------------------------------------------------------

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> LastCardState:
        """A state that this player cannot tell from this one."""
        at, now, player = self.at, self.now, read_seat("player", player, self.num_players())
        if now.past is None:
            raise IllegalAction("resample_from_infostate: nothing is dealt yet.")
        other = at.new_initial_state()
        other.now = guessed = copy.copy(now)
        rng = new_rng(int(sampler() * (1 << 53)))
        at.rules.rules.hide(guessed.s, player)
        at.rules.rules.guess(guessed.s, player, rng, at.rules.new_deal())
        guessed.past = Remembered(now.past, at.rules, player, at.players, at.recall)
        if guessed.turn != player:
            guessed.legal = None
        return other


def returns_of(s: Record, players: int) -> list[float]:
    """Of a match that is over: the whole win is 1, and the sum is 0."""
    winners = seats_of(int(s.winners))
    share = players / len(winners)
    return [((seat in winners) * share - 1) / (players - 1) for seat in range(players)]


def _in_order(seats: int, first: int, players: int) -> list[int]:
    """A set of seats in playing order, after the first."""
    return sorted(seats_of(seats), key=lambda seat: (seat - first - 1) % players)


def _outcome(action: int, possible: int) -> int:
    if not 0 <= action < possible:
        last = possible - 1
        raise IllegalAction(f"action: chance has no outcome {action} now, only 0 to {last}.")
    return action


def _key(seed: tuple[int, ...]) -> bytes:
    """The key of a match from what chance has drawn, the lowest digit first."""
    number = sum(digit * SEED_OUTCOMES**place for place, digit in enumerate(seed))
    return number.to_bytes(KEY_BYTES, "little")


class Observer:
    """What a player sees, as OpenSpiel's PyObserver: all of it, or only what everybody sees, or
    only what others do not."""

    def __init__(self, at: LastCardGame, kind: Any, params: Any) -> None:
        if params:
            raise BadOption("observer", f"has no parameters, so not {', '.join(params)}.")
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise BadOption("observer", "nobody sees what all players have.")
        self.at = at
        self.recalls = kind.perfect_recall
        self.private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.public = kind.public_info
        shapes: dict[str, tuple[int, ...]] = {"player": (at.players,)}
        shapes["observation"] = (len(at.rules.rules.OBSERVED),)
        if self.recalls:
            shapes["past"] = (at.recall, COLUMNS)
        self.tensor = np.zeros(sum(math.prod(shape) for shape in shapes.values()), np.float32)
        self.dict: dict[str, Any] = {}
        end = 0
        for name, shape in shapes.items():
            start, end = end, end + math.prod(shape)
            self.dict[name] = self.tensor[start:end].reshape(shape)

    def set_from(self, state: LastCardState, player: int) -> None:
        now, player = state.now, read_seat("player", player, self.at.players)
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        if now.record is None:
            return
        self._numbers(now, player if self.private else NOBODY)
        if not self.public:
            own = self.tensor.copy()
            self._numbers(now, NOBODY)
            self.tensor[:] = np.where(own == self.tensor, 0, own)

    def _numbers(self, now: Now, seat: int) -> None:
        rules = self.at.rules
        hidden = duplicate(now.record)
        rules.rules.hide(hidden[0], seat)
        self.dict["observation"][:] = 0
        rules.rules.observe(hidden[0], seat, self.dict["observation"])
        if self.recalls:
            rows = rows_of(now.past, rules, seat, self.at.players, self.at.recall)
            self.dict["past"][: len(rows)] = rows

    def string_from(self, state: LastCardState, player: int) -> str:
        player = read_seat("player", player, self.at.players)
        if state.now.record is None:
            return "not dealt yet"
        seat = player if self.private else NOBODY
        lines, seen = self._past(state.now, seat), view(self.at.rules, state.now.record, seat)
        if not self.public:
            known = set(self._past(state.now, NOBODY))
            lines = [line for line in lines if line not in known]
            seen = beyond(seen, view(self.at.rules, state.now.record, NOBODY))
        return "\n".join([*lines, seen])

    def _past(self, now: Now, seat: int) -> list[str]:
        return text_of(now.past, self.at.rules, seat).splitlines() if self.recalls else []


def _register(rules: Game) -> None:
    parameters: dict[str, Any] = {"players": rules.fewest, "recall": RECALL}
    if rules.part("reduced") is not None:
        parameters |= {"deck": "", "hand": 0}
    parameters |= {option.name: _parameter(option, rules.fewest) for option in rules.options}
    kind = pyspiel.GameType(
        short_name=PREFIX + rules.id,
        long_name=f"Last Card: {rules.title}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=rules.most,
        min_num_players=rules.fewest,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )
    made = type(rules.id, (LastCardGame,), {"rules": rules, "type": kind})
    pyspiel.register_game(kind, made)


for _id in games():
    _register(game(_id))
