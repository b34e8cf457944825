"""A batch does what matches do that are played one by one in Python."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest

import lastcard
from lastcard.bots.simple import NormalBot, policy_of
from lastcard.core.game import Game
from lastcard.core.match import Match, Seat
from lastcard.core.registry import packages
from lastcard.engine import PLAIN
from lastcard.errors import BadOption, IllegalAction, UnknownGame
from lastcard.kernel import NOBODY
from lastcard.sim.batch import WAIT, Batch
from tests.helpers import choose, moments, permuted, random_options, times

REWARDS = ("match", "round", "score")
ARRAYS = (
    *("seats", "legal", "observations", "rewards", "done", "choices", "counts", "played"),
    *("final_scores", "final_winners", "records"),
)


class Slot:
    """A slot of a batch, the slow way: what `Batch` says in words, by `Match`."""

    def __init__(self, batch: Batch, number: int, seed: int, settings: dict[str, Any]) -> None:
        self.batch, self.number, self.seed, self.settings = batch, number, seed, settings
        self.seat: Seat = -1
        self.legal: list[str] = []
        self.played = 0
        self.done = False
        self.rewards = [0.0] * batch.players
        self._start()

    def _start(self) -> None:
        key = self.seed + (self.number << 128) + (self.played << 192)
        self.match = self.batch.game.match(self.batch.players, key, self.batch.options)
        self.worth = self._worth()
        self._go_on()

    def _go_on(self) -> None:
        """Up to the next decision."""
        self.waived: set[int] = set()
        while not self.match.over:
            self._ask()
            if isinstance(self.seat, int) and (len(self.legal) > 1 or not self.settings["through"]):
                return
            if self.seat == "chance":
                self.match.roll()
            else:
                self.match.play(self.seat, self.legal[0])
        self.seat, self.legal = -1, []

    def _ask(self) -> None:
        """The next seat that is asked about this moment, and what it may choose from."""
        match = self.match
        self.seat = match.waiting[0]
        self.legal = match.legal(self.seat)
        if self.settings["out_of_turn"]:
            assert isinstance(self.seat, int)
            players = match.players
            order = [(self.seat + step) % players for step in range(1, players)]
            asked = [one for one in order if one in match.bystanders and one not in self.waived]
            if asked:
                self.seat = asked[0]
                self.legal = [*match.legal(self.seat), WAIT]

    def step(self, action: str) -> None:
        over_before = self.match.over and self.done
        if not self.match.over:
            assert isinstance(self.seat, int)
            if action == WAIT:
                self.waived.add(self.seat)
                self._ask()
                if len(self.legal) == 1 and self.settings["through"]:
                    self.match.play(self.seat, self.legal[0])
                    self._go_on()
            else:
                self.match.play(self.seat, action)
                self._go_on()
        now = self._worth()
        self.rewards = [a - b for a, b in zip(now, self.worth, strict=True)]
        self.worth = now
        self.done = self.match.over
        if self.match.over and not over_before:
            self.played += 1
            self.final = self.match.scores, self.match.winners
            if self.settings["restart"]:
                self._start()

    def _worth(self) -> list[float]:
        match, kind = self.match, self.settings["rewards"]
        sign = -1 if match.game.rules.LOWEST_WINS else 1
        scores = [sign * score for score in match.scores]
        seats = range(match.players)
        if kind == "score":
            return [float(score) for score in scores]
        if match.over:
            return [(seat in match.winners) / len(match.winners) for seat in seats]
        if kind == "match":
            return [0.0] * match.players
        luck = policy_of(match.game).luck(match.record)
        weights = [math.exp((score - max(scores)) / luck) for score in scores]
        return [weight / sum(weights) for weight in weights]

    def compare(self) -> None:
        """Every array at this place says what is true."""
        batch, number, match = self.batch, self.number, self.match
        assert batch.seats[number] == self.seat
        assert batch.records[number].tobytes() == match.state
        legal = [batch.actions.index(name) for name in self.legal]
        assert np.flatnonzero(batch.legal[number]).tolist() == legal
        assert batch.choices[number, : batch.counts[number]].tolist() == legal
        viewer = None if self.seat == -1 else int(self.seat)
        seen = np.zeros(len(batch.observed), np.float32)
        batch.game.rules.observe(match.hidden(viewer)[0], int(self.seat), seen)
        assert batch.observations[number].tobytes() == seen.tobytes()
        assert batch.rewards[number] == pytest.approx(self.rewards, abs=1e-6)
        assert batch.done[number] == self.done
        assert batch.played[number] == self.played
        if self.played:
            scores, winners = self.final
            assert batch.final_scores[number].tolist() == scores
            assert np.flatnonzero(batch.final_winners[number]).tolist() == winners


def pick(batch: Batch, rng: random.Random) -> Any:
    """A legal action for each match; for one that is over, any number."""
    return np.array(
        [
            rng.choice(row[:count].tolist()) if count else rng.randrange(-5, 5)
            for row, count in zip(batch.choices, batch.counts, strict=True)
        ]
    )


def bytes_of(batch: Batch) -> dict[str, bytes]:
    every = {name: getattr(batch, name) for name in ARRAYS}
    filled = np.arange(batch.choices.shape[1]) < batch.counts[:, None]
    every["choices"] = np.where(filled, batch.choices, 0)  # the rest means nothing
    return {name: array.tobytes() for name, array in every.items()}


def test_steps_are_those_of_matches(any_game: Game) -> None:
    """With any number of players, options and settings; until some have played several matches."""
    rng = random.Random(any_game.id)
    ended = 0
    for number in range(times(12, 2)):
        players = rng.randint(any_game.fewest, any_game.most)
        options = random_options(rng, any_game, players)
        settings: dict[str, Any] = {
            "rewards": REWARDS[number % len(REWARDS)],
            "through": number % 4 != 1,
            "out_of_turn": number % 2 == 0,
            "restart": number % 4 != 3,
        }
        seed = rng.getrandbits(128)
        batch = Batch(any_game, 2, players, options, seed, **settings)
        slots = [Slot(batch, one, seed, settings) for one in range(batch.count)]
        for _ in range(times(120, 25)):
            for slot in slots:
                slot.compare()
            actions = pick(batch, rng)
            batch.step(actions)
            for slot, action in zip(slots, actions, strict=True):
                slot.step(batch.actions[action])
        ended += sum(slot.played for slot in slots)
    assert ended >= times(3, 0)


@pytest.mark.parametrize(
    ("id", "options"), [("taki", {"announce": "call"}), ("chichiko", {"out_of_turn": True})]
)
def test_seats_are_asked_out_of_turn(id: str, options: dict[str, Any]) -> None:
    settings: dict[str, Any] = {
        "rewards": "score",
        "through": True,
        "out_of_turn": True,
        "restart": True,
    }
    batch = Batch(id, 2, 4, options, 11, **settings)
    slots = [Slot(batch, number, 11, settings) for number in range(batch.count)]
    rng = random.Random(11)
    acted = waited = 0
    for _ in range(300):
        asked = batch.legal[:, -1].copy()
        assert batch.actions[-1] == WAIT
        actions = pick(batch, rng)
        batch.step(actions)
        acted += (asked & (actions != len(batch.actions) - 1)).sum()
        waited += (asked & (actions == len(batch.actions) - 1)).sum()
        for slot, action in zip(slots, actions, strict=True):
            slot.step(batch.actions[action])
            slot.compare()
    assert acted > 0 and waited > 0


def test_threads_change_nothing(any_game: Game) -> None:
    alone = Batch(any_game, 37, seed=5, rewards="round", threads=1)
    others = [Batch(any_game, 37, seed=5, rewards="round", threads=number) for number in (2, 3)]
    rng = random.Random(5)
    for _ in range(times(200, 10)):
        actions = pick(alone, rng)
        for batch in (alone, *others):
            batch.step(actions)
    for batch in others:
        assert bytes_of(batch) == bytes_of(alone)


def test_plain_python_gives_the_same_bytes(any_game: Game) -> None:
    slow = Game(any_game.id, packages()[any_game.id], PLAIN)
    settings: dict[str, Any] = {"rewards": "round", "out_of_turn": True, "seed": 9}
    batches = [Batch(rules, 2, **settings) for rules in (any_game, slow)]
    rng = random.Random(9)
    for _ in range(15):
        assert bytes_of(batches[0]) == bytes_of(batches[1])
        actions = pick(batches[0], rng)
        for batch in batches:
            batch.step(actions)


@pytest.mark.parametrize("out_of_turn", [False, True])
def test_cards_that_a_seat_cannot_see_change_nothing_for_it(
    any_game: Game, out_of_turn: bool
) -> None:
    """What others hold may decide whether they are asked first; when it is the seat's turn to
    decide, it is told the same."""
    compared = 0
    for match, rng in moments(any_game, times(60, 5), seed=21):
        if match.over or match.waiting == ["chance"]:
            continue
        batch = Batch(any_game, 2, match.players, through=False, out_of_turn=out_of_turn)
        batch.put(0, match)
        seat = int(batch.seats[0])
        batch.put(1, permuted(match, seat, rng))
        while batch.seats[1] != seat and batch.legal[1, -1] and out_of_turn:
            batch.put(0, match)
            batch.step(np.array([batch.choices[0, 0], len(batch.actions) - 1]))
            batch.put(0, match)
        assert batch.seats.tolist() == [seat, seat]
        assert batch.observations[0].tobytes() == batch.observations[1].tobytes()
        assert batch.legal[0].tolist() == batch.legal[1].tolist()
        compared += 1
    assert compared > times(40, 1)


def test_an_illegal_action_changes_nothing(chiko: Game) -> None:
    batch = Batch(chiko, 4, players=3, seed=2)
    rng = random.Random(2)
    for _ in range(5):
        batch.step(pick(batch, rng))
    before = bytes_of(batch)
    for wrong in (np.flatnonzero(~batch.legal[2])[0], len(batch.actions), -1, 1 << 40):
        actions = pick(batch, rng)
        actions[2] = wrong
        with pytest.raises(IllegalAction) as raised:
            batch.step(actions)
        why = f"seat {batch.seats[2]} cannot " if 0 <= wrong < len(batch.actions) else "there are "
        assert str(raised.value).startswith(f"actions[2] is {wrong}, but {why}")
        assert bytes_of(batch) == before
    batch.step(pick(batch, rng))
    assert bytes_of(batch) != before


def test_without_a_check_a_match_with_an_illegal_action_stands_still(any_game: Game) -> None:
    """And the others go on as ever, over several matches, with or without restarts."""
    rng = random.Random(12)
    for restart in (True, False):
        settings: dict[str, Any] = {"seed": 12, "rewards": "score", "restart": restart}
        batch, other = (Batch(any_game, 3, threads=1, **settings) for _ in range(2))
        for number in range(times(300, 20)):
            actions = pick(other, rng)
            other.step(actions)
            if number % 3 == 0:
                before = bytes_of(batch)
                wrong = [rng.choice([-1, len(batch.actions), 1 << 40, -(1 << 63)]) for _ in actions]
                illegal = np.flatnonzero(~batch.legal[1])
                wrong[1] = rng.choice(illegal.tolist()) if len(illegal) else -1
                batch.step(np.array(wrong), check=False)
                assert not batch.rewards.any()
                stood = batch.seats != NOBODY
                assert not batch.done[stood].any() and batch.done[~stood].all()
                after = bytes_of(batch)
                for name in set(ARRAYS) - {"rewards", "done"}:
                    assert after[name] == before[name], name
            batch.step(actions, check=False)
            assert bytes_of(batch) == bytes_of(other)


def test_a_wrong_mask_does_not_make_an_action_legal(chiko: Game) -> None:
    batch = Batch(chiko, 1, seed=2)
    wrong = np.flatnonzero(~batch.legal[0])[:1]
    batch.legal[:] = True
    batch.seats[:] = 1 - batch.seats
    with pytest.raises(IllegalAction):
        batch.step(wrong)
    for name in ("choices", "counts", "records"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(batch, name)[:] = getattr(batch, name)


def test_predictions_are_made_one_by_one_and_unseen() -> None:
    batch = lastcard.Batch("sixth_sense", 2, players=4, seed=3)
    rng = random.Random(3)
    for seat in range(4):
        assert batch.seats.tolist() == [seat, seat]
        twin = batch.copy()
        batch.step(batch.choices[:, 0].copy())
        twin.step(twin.choices[np.arange(2), twin.counts - 1].copy())
        if seat < 3:  # whatever was predicted
            assert batch.observations.tobytes() == twin.observations.tobytes()
            assert batch.legal.tobytes() == twin.legal.tobytes()
        assert (batch.observe(0).tobytes() == twin.observe(0).tobytes()) == (seat > 0)
    assert pick(batch, rng).shape == (2,)


def test_rewards_of_a_match_add_up(any_game: Game) -> None:
    players = any_game.fewest
    options = random_options(random.Random(8), any_game, players)
    totals = {}
    for kind in REWARDS:
        batch = Batch(any_game, 3, players, options, seed=8, rewards=kind, restart=False)
        totals[kind] = np.zeros((3, players))
        rng = random.Random(8)
        while not batch.done.all():
            batch.step(pick(batch, rng))
            totals[kind] += batch.rewards
    assert batch.played.tolist() == [1] * 3
    share = batch.final_winners / batch.final_winners.sum(axis=1, keepdims=True)
    assert totals["match"] == pytest.approx(share)
    assert totals["round"] == pytest.approx(share - 1 / players, abs=1e-5)
    sign = -1 if any_game.rules.LOWEST_WINS else 1
    assert totals["score"].tolist() == (sign * batch.final_scores).tolist()
    best = totals["score"].max(axis=1, keepdims=True)
    assert (totals["score"] == best).tolist() == batch.final_winners.tolist()


def test_resetting_begins_again(chiko: Game) -> None:
    batch = Batch(chiko, 3, seed=4)
    memory = [getattr(batch, name).ctypes.data for name in ARRAYS]
    first = bytes_of(batch)
    rng = random.Random(4)
    for _ in range(times(200, 20)):
        batch.step(pick(batch, rng))
    batch.reset()
    assert bytes_of(batch) == first
    batch.reset(5)
    assert bytes_of(batch) != first
    assert bytes_of(batch) == bytes_of(Batch(chiko, 3, seed=5))
    assert [getattr(batch, name).ctypes.data for name in ARRAYS] == memory


def test_resetting_with_other_options(any_game: Game) -> None:
    rng = random.Random(15)
    batch = Batch(any_game, 2, seed=4)
    memory = [getattr(batch, name).ctypes.data for name in ARRAYS]
    for seed in range(3):
        options = random_options(rng, any_game, batch.players)
        twin = batch.copy()
        left = bytes_of(twin)
        batch.reset(seed, options=options)
        new = Batch(any_game, 2, options=options, seed=seed)
        assert batch.options == new.options and bytes_of(batch) == bytes_of(new)
        batch.step(pick(batch, rng))
        assert bytes_of(twin) == left
    with pytest.raises(BadOption, match="options: 'nothing' is none of"):
        batch.reset(options={"nothing": 1})
    assert [getattr(batch, name).ctypes.data for name in ARRAYS] == memory


def test_copies_go_their_own_way(chiko: Game) -> None:
    batch = Batch(chiko, 3, seed=4)
    rng = random.Random(4)
    batch.step(pick(batch, rng))
    twin, before = batch.copy(), bytes_of(batch)
    assert bytes_of(twin) == before
    actions = pick(batch, rng)
    twin.step(actions)
    assert bytes_of(batch) == before
    batch.step(actions)
    assert bytes_of(twin) == bytes_of(batch)
    twin.reset(1)
    batch.reset()
    assert bytes_of(batch) == bytes_of(Batch(chiko, 3, seed=4))


def test_a_state_goes_on_as_if_nothing_had_happened(any_game: Game) -> None:
    rng = random.Random(6)
    settings: dict[str, Any] = {"rewards": "round", "out_of_turn": True, "threads": 1}
    batch = Batch(any_game, 3, seed=9, **settings)
    other = Batch(any_game, 3, seed=1, **settings)
    options = random_options(rng, any_game, batch.players)
    batch.reset(options=options)
    for _ in range(20):
        batch.step(pick(batch, rng))
    state = batch.state()
    other.restore(state)
    assert other.options == batch.options
    for _ in range(40):
        assert bytes_of(other) == bytes_of(batch)
        assert other.advise().tolist() == batch.advise().tolist()
        actions = pick(batch, rng)
        for one in (batch, other):
            one.step(actions)
    batch.restore(state)
    batch.reset()
    other.reset()
    assert bytes_of(other) == bytes_of(batch)  # the seed and the options as well
    with pytest.raises(BadOption, match="of another batch"):
        Batch(any_game, 4, seed=1, **settings).restore(state)


def test_a_match_of_a_batch_goes_on_alone(any_game: Game) -> None:
    batch = Batch(any_game, 2, seed=6)
    rng = random.Random(6)
    for _ in range(10):
        batch.step(pick(batch, rng))
    match = batch.match(1)
    assert match.state == batch.records[1].tobytes()
    assert match.start == match.position()
    again = Match(any_game, np.frombuffer(match.state, any_game.rules.RECORD).copy())
    match.play(*choose(rng, match))
    assert again.state == batch.records[1].tobytes() != match.state


def test_options_are_those_of_simulations_unless_given() -> None:
    rules = lastcard.game("taki")
    expected = rules.match(3, 0).options | {"rounds": 4}
    for option in rules.options:
        if option.simulated is not None:
            expected[option.name] = option.simulated
    batch = Batch("taki", 1, 3, {"rounds": 4}, seed=7)
    assert batch.options == expected != rules.match(3, 0).options
    fresh = Batch("taki", 1, 3, {"rounds": 4}, seed=7, through=False)
    assert fresh.records[0].tobytes() == rules.match(3, 7, expected).state


@pytest.mark.parametrize(
    ("arguments", "start"),
    [
        ({"count": 0}, "count: must be a whole number of 1 or more, not 0"),
        ({"count": 2.0}, "count: must be a whole number"),
        ({"players": 6}, "players: Chiko is for 2 to 5, not 6"),
        ({"options": {"nothing": 1}}, "options: 'nothing' is none of"),
        ({"options": 3}, "options: must be a mapping"),
        ({"seed": -1}, "seed: must be a whole number below 2\\*\\*128, not -1"),
        ({"seed": 1 << 128}, "seed: must be"),
        ({"rewards": "money"}, "rewards: are for match, round, score, not for 'money'"),
        ({"threads": 0}, "threads: must be a whole number of 1 or more, not 0"),
        ({"stream": 7}, "stream: is for cuda"),
        ({"through": "no"}, "through: must be True or False, not 'no'"),
        ({"out_of_turn": 1}, "out_of_turn: must be True or False, not 1"),
        ({"restart": None}, "restart: must be True or False"),
        ({"on": "tpu"}, "on: is cpu or cuda, not 'tpu'"),
        ({"on": "cuda"}, "on: cuda "),  # what is missing: numba-cuda, or a GPU
    ],
)
def test_bad_arguments_are_named(arguments: dict[str, Any], start: str) -> None:
    with pytest.raises(BadOption, match=f"^{start}"):
        Batch(**{"game": "chiko", "count": 1, **arguments})


def test_there_is_no_such_game() -> None:
    with pytest.raises(UnknownGame, match="no game 'bridge'"):
        Batch("bridge", 1)


@pytest.mark.parametrize(
    "actions",
    [np.zeros(2), np.zeros(3, np.int64), np.zeros((2, 1), np.int64), 1, [0.5, 1], ["draw", "draw"]],
)
def test_actions_are_whole_numbers_one_for_each_match(chiko: Game, actions: Any) -> None:
    batch = Batch(chiko, 2)
    before = bytes_of(batch)
    with pytest.raises(BadOption, match=r"^actions: must be"):
        batch.step(actions)
    assert bytes_of(batch) == before


def test_seats_to_look_over_and_numbers_of_matches(chiko: Game) -> None:
    batch = Batch(chiko, 2, players=3)
    for seats in (3, -2, [0, 1, 2], 0.5):
        with pytest.raises(BadOption, match=r"^seats: "):
            batch.observe(seats)
    assert batch.observe(batch.seats).tobytes() == batch.observations.tobytes()
    for number in (-1, 2, "0"):
        with pytest.raises(BadOption, match=r"^number: is 0 to 1"):
            batch.match(number)  # type: ignore[arg-type]
    with pytest.raises(BadOption, match=r"^match: must be of Chiko with 3 players"):
        batch.put(0, chiko.match(2))


def test_the_policy_advises(any_game: Game) -> None:
    """What it would do is what the bot `normal` does, given the same luck; also out of turn."""
    players = min(any_game.most, 3)
    batch = Batch(any_game, 24, players, seed=5, out_of_turn=True, threads=1)
    normal, wait = NormalBot(any_game, 1), batch.actions.index(WAIT)
    for _ in range(30):
        states = batch._device.rngs.copy()
        advice = batch.advise()
        for row in range(batch.count):
            match, seat = batch.match(row), int(batch.seats[row])
            normal.rng[0] = states[row]
            legal = [int(one) for one in batch.choices[row, : batch.counts[row]] if one != wait]
            chosen = normal.decide(match.hidden(seat), seat, legal)
            assert advice[row] == (wait if chosen == NOBODY else chosen)
        batch.step(advice)


def test_the_luck_of_the_policy_begins_again_with_a_reset() -> None:
    """In the game whose policy sometimes draws."""
    batch = Batch("eight_half", 8, players=4, seed=5)
    advised = []
    for _ in range(2):
        batch.reset()
        before = batch._device.rngs.copy()
        for _ in range(times(60, 10)):
            advised.append(batch.advise().tolist())
            batch.step(np.array(advised[-1]))
        assert (before != batch._device.rngs).any() or times(0, 1)
    half = len(advised) // 2
    assert advised[:half] == advised[half:]


def test_advice_where_a_match_is_over(chiko: Game) -> None:
    batch = Batch(chiko, 3, options={"target": 1}, restart=False)
    while not batch.done.all():
        batch.step(batch.advise())
    assert batch.advise().tolist() == [0, 0, 0]
