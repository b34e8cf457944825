"""The games in Gymnasium: a seat against bots, in one match or many, and many matches in which one
agent has all seats.

    import gymnasium, lastcard.envs.gymnasium
    env = gymnasium.make("lastcard/Taki-v1", players=4, bots="hard")
    envs = gymnasium.make_vec("lastcard/Taki-v1", num_envs=1024, players=4, bots="normal")
    envs = gymnasium.make_vec("lastcard/Taki-SelfPlay-v1", num_envs=1024, players=4)

Importing this module registers both for every game. An observation has `observation`, the numbers
of the game's features, and `action_mask`; the mask is in the info, too. `lastcard.Batch` says what
rewards are, and what `through` and `out_of_turn` mean.

An illegal action raises `IllegalAction` and changes nothing. `SeatEnv` can end the match instead,
with a reward of -1 (`illegal="lose"`): that is for whoever samples actions without a mask, as
Gymnasium's own `check_env` does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from lastcard.bots import SEARCH, Bot, bot
from lastcard.bots.others import other_bot
from lastcard.core.game import Game
from lastcard.core.registry import games
from lastcard.errors import BadOption, IllegalAction
from lastcard.kernel import NOBODY
from lastcard.kernel.texts import show
from lastcard.sim.batch import Batch, read_count, read_flag, read_seed

from .drawing import MODES
from .rendering import FPS, Renderer
from .single import (
    ERROR,
    LOSE,
    PENALTY,
    POSITION,
    Single,
    begun,
    read_action,
    read_choice,
    read_reset,
    read_seat,
)
from .spaces import MASK, both, masked, title_of

BotMaker = Callable[[Game, int], Bot]
NORMAL = "normal"
COMPILED = (NORMAL, "random")  # bots that play in a batch
SEEDS = 1 << 63


class SeatEnv(gymnasium.Env[dict[str, Any], int]):
    """One seat; the others are bots.

    `bots` is a bot for all of them, or one each in playing order from the seat on: a name that
    `lastcard arena` takes ("normal", "search:20ms", "my_bot.py:MyBot"), or a function of the game
    and a seed that makes a `Bot`. They are made anew for every match, and get to know what their
    own seat may know. Without a `seat` each match draws one; `info["seat"]` says which.
    """

    metadata = {"render_modes": list(MODES), "render_fps": FPS}  # noqa: RUF012

    def __init__(
        self,
        game: str | Game,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        seat: int | None = 0,
        bots: str | BotMaker | Sequence[str | BotMaker] = "normal",
        rewards: str = "match",
        through: bool = True,
        out_of_turn: bool = False,
        illegal: str = ERROR,
        render_mode: str | None = None,
    ) -> None:
        self.match = Single(game, players, options, rewards, through, out_of_turn)
        if seat is not None:
            seat = read_seat("seat", seat, self.match.players, ", or None for any")
        self._wish = seat
        self.seat = seat or 0
        self.makers = _makers(bots, self.match)
        self.bots: dict[int, Bot] = {}
        self.illegal = read_choice("illegal", illegal, (ERROR, LOSE))
        self.renderer, self.render_mode = Renderer(self.match, render_mode, None), render_mode
        self.actions = self.match.actions
        self.observation_space = masked(len(self.match.batch.observed), len(self.actions))
        self.action_space = spaces.Discrete(len(self.actions))  # type: ignore[assignment]
        self._running = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Deals a match, or with options={"position": ...} starts from a position."""
        given = read_reset(options)
        position = given.get(POSITION)
        if unknown := set(given) - {POSITION}:
            raise BadOption("options", f"can have a position, not {show(unknown.pop())}.")
        seed = None if seed is None else read_seed(seed)
        super().reset(seed=seed)
        self._running = False
        while not self._running:  # a match may end before the seat has anything to decide
            self.match.reset(self._draw() if seed is None else seed, position)
            seed = None
            self._seat_bots()
            self._let_bots_play()
            self._running = not self.match.over
            if position is not None and not self._running:
                raise BadOption(POSITION, f"leads to the end before seat {self.seat} decides.")
        return self._seen()

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        if not self._running:
            raise IllegalAction("step: the match is over, or has not begun; call reset.")
        number = read_action(action)
        if self.match.allows(number):
            self.match.act(number)
            reward = self.match.rewards[self.seat] + self._let_bots_play()
            self._running = not self.match.over
        elif self.illegal == LOSE:
            reward, self._running = PENALTY, False
        else:
            raise self.match.refusal(number)
        observation, info = self._seen()
        return observation, reward, not self._running, False, info

    def render(self) -> Any:
        begun(bool(self.bots), "render")
        return self.renderer.render()

    def _seat_bots(self) -> None:
        players = self.match.players
        self.seat = self._draw() % players if self._wish is None else self._wish
        self.bots = {
            (self.seat + 1 + place) % players: make(self.match.game, self._draw())
            for place, make in enumerate(self.makers)
        }
        for made in self.bots.values():
            if not isinstance(made, Bot):
                raise BadOption("bots", f"are functions that make a Bot, not {show(made)}.")
        self.renderer.observer = self.seat

    def _draw(self) -> int:
        return int(self.np_random.integers(SEEDS))

    def _let_bots_play(self) -> float:
        """Until the seat decides; what that brings to it."""
        reward, match = 0.0, self.match
        while not match.over and match.seat != self.seat:
            match.act(self._chosen(match.seat))
            reward += match.rewards[self.seat]
        return reward

    def _chosen(self, seat: int) -> int:
        """What a bot does. One that is asked out of turn may wait: the last action."""
        wait = len(self.match.game.actions)
        legal = [action for action in self.match.choices if action != wait]
        action = self.bots[seat].decide(self.match.hidden(seat), seat, legal)
        return wait if action == NOBODY else action

    def _seen(self) -> tuple[dict[str, Any], dict[str, Any]]:
        if self._running or self.match.seat == self.seat:
            observation, mask = self.match.observation, self.match.mask
        else:
            observation, mask = self.match.observe(self.seat), np.zeros(len(self.actions), np.int8)
        return both(observation, mask), {MASK: mask, "seat": self.seat}


class _ManyEnv(VectorEnv[dict[str, Any], Any, Any]):
    """Many matches over one `lastcard.Batch`, at its speed."""

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(self, batch: Batch, copy: bool, render_mode: None) -> None:
        if render_mode is not None:
            raise BadOption("render_mode", "must be None: many matches are not drawn.")
        self.batch = batch
        self.num_envs, self.copy = batch.count, read_flag("copy", copy)
        self.actions = batch.actions
        self.single_observation_space = masked(len(batch.observed), len(self.actions))
        self.single_action_space = spaces.Discrete(len(self.actions))
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._mask = batch.legal.view(np.int8)
        self._begun = False

    def _start(self, seed: int | None, options: dict[str, Any] | None) -> int:
        """What every `reset` begins with. Returns the seed of the matches."""
        if read_reset(options):
            raise BadOption(
                "options", f"must be empty: many matches have none, not {show(options)}."
            )
        seed = None if seed is None else read_seed(seed)
        super().reset(seed=seed)
        self._begun = True
        seed = int(self.np_random.integers(SEEDS)) if seed is None else seed
        self.batch.reset(seed)
        return seed

    def _seen(self) -> dict[str, Any]:
        observations, mask = self.batch.observations, self._mask
        return both(observations.copy(), mask.copy()) if self.copy else both(observations, mask)

    def _told(self, infos: dict[str, Any], mask: Any) -> dict[str, Any]:
        """Infos that all matches have, with the mask, in Gymnasium's way."""
        if self.copy:
            infos = {key: value.copy() for key, value in infos.items()}
        infos[MASK] = mask
        everywhere = np.ones(self.num_envs, np.bool_)
        return infos | {f"_{key}": everywhere for key in infos}

    def _final(self, done: Any, seen: Any) -> dict[str, Any]:
        """Of matches that have ended. In Gymnasium's way: what is not final is None, or zero."""
        batch, last = self.batch, np.full(self.num_envs, None, object)
        where = done[:, None]
        nothing = np.zeros(len(self.actions), np.int8)  # nobody decides any more
        nothing.flags.writeable = False  # all share it
        last[done] = [both(row, nothing) for row in seen[done]]
        info = {"scores": batch.final_scores * where, "winners": batch.final_winners & where}
        info |= {f"_{key}": done for key in info}
        return {"final_obs": last, "_final_obs": done, "final_info": info, "_final_info": done}


class SelfPlayEnv(_ManyEnv):
    """Many matches in which one agent decides for all seats.

    Every step is one decision in each match, and shows what the seat sees that decides next:
    `infos["seats"]`. `rewards` are for the seats that have acted; `infos["rewards"]` has those of
    all seats, and a learner needs them, as most rewards come by what others do.

    Matches that end start again in the same step (`AutoresetMode.SAME_STEP`): `infos["final_obs"]`
    has their last observations, of the seats that acted last, and `infos["final_info"]` scores and
    winners; `infos["_final_obs"]` says where. Observations and masks are copies, unless `copy` is
    False: then they are the batch's own memory, which the next step changes.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        rewards: str = "match",
        through: bool = True,
        out_of_turn: bool = False,
        threads: int | None = None,
        copy: bool = True,
        render_mode: None = None,
    ) -> None:
        batch = Batch(
            *(game, read_count("num_envs", num_envs), players, options, 0, rewards),
            through=through,
            out_of_turn=out_of_turn,
            threads=threads,
        )
        super().__init__(batch, copy, render_mode)
        self._rewards = batch.rewards.reshape(-1)
        self._first_rewards = np.arange(num_envs) * batch.players  # of each match, in there

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """The same seed gives the same matches, whatever the number of threads."""
        self._start(seed, options)
        seen = self._seen()
        return seen, self._infos(seen[MASK])

    def step(self, actions: Any) -> tuple[dict[str, Any], Any, Any, Any, dict[str, Any]]:
        begun(self._begun, "step")
        batch = self.batch
        acting = self._first_rewards + batch.seats
        batch.step(actions)
        rewards, done = self._rewards.take(acting), batch.done.copy()
        seen = self._seen()
        infos = self._infos(seen[MASK])
        if done.any():
            infos |= self._final(done, batch.final_observations)
        return seen, rewards, done, np.zeros(self.num_envs, np.bool_), infos

    def _infos(self, mask: Any) -> dict[str, Any]:
        return self._told({"seats": self.batch.seats, "rewards": self.batch.rewards}, mask)


class SeatVectorEnv(_ManyEnv):
    """Many matches in which the agent has one seat, and compiled bots have the others.

    `bots` are "normal", the game's policy, or "random". Every step is one decision of the agent in
    each match and all that others do until its next one; what that brings is its reward. Matches
    end and start again as in `SelfPlayEnv`, but are always seen from the agent's seat:
    `infos["seat"]`. Without a `seat` each match draws one.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        seat: int | None = 0,
        bots: str = NORMAL,
        rewards: str = "match",
        through: bool = True,
        out_of_turn: bool = False,
        threads: int | None = None,
        copy: bool = True,
        render_mode: None = None,
    ) -> None:
        batch = Batch(
            *(game, read_count("num_envs", num_envs), players, options, 0, rewards),
            through=through,
            out_of_turn=out_of_turn,
            restart=False,  # so that the end can be seen from the agent's seat
            threads=threads,
        )
        super().__init__(batch, copy, render_mode)
        if bots not in COMPILED:
            many = 'for others make_vec(..., vectorization_mode="sync")'
            raise BadOption("bots", f"are {' or '.join(COMPILED)}, not {show(bots)}; {many}.")
        if seat is not None:
            seat = read_seat("seat", seat, batch.players, ", or None for any")
        self._wish, self.bots = seat, bots
        self._rows = np.arange(num_envs)
        self.seats = np.zeros(num_envs, np.int8)  # the agent's

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """The same seed gives the same matches, whatever the number of threads."""
        self._seed = self._start(seed, options)
        self._take_seats(self._rows)
        self._let_bots_play()
        self._deal_again()
        seen = self._seen()
        return seen, self._told({"seat": self.seats}, seen[MASK])

    def step(self, actions: Any) -> tuple[dict[str, Any], Any, Any, Any, dict[str, Any]]:
        begun(self._begun, "step")
        batch, final = self.batch, {}
        batch.step(actions)
        rewards = batch.rewards[self._rows, self.seats] + self._let_bots_play()
        done = batch.seats == NOBODY
        if done.any():
            final = self._final(done, batch.observe(self.seats))
            self._deal_again()
        seen = self._seen()
        infos = self._told({"seat": self.seats}, seen[MASK]) | final
        return seen, rewards, done, np.zeros(self.num_envs, np.bool_), infos

    def _let_bots_play(self) -> Any:
        """Until the agent decides everywhere, or the match is over; what that brings to it."""
        batch, brought = self.batch, np.zeros(self.num_envs, np.float32)
        while True:
            theirs = (batch.seats != self.seats) & (batch.seats != NOBODY)
            if not theirs.any():
                return brought
            chosen = batch.advise() if self.bots == NORMAL else self._drawn()
            # A match whose action is illegal stands still.
            batch.step(np.where(theirs, chosen, NOBODY), check=False)
            brought += batch.rewards[self._rows, self.seats]

    def _drawn(self) -> Any:
        drawn = (self.np_random.random(self.num_envs) * self.batch.counts).astype(np.int64)
        return self.batch.choices[self._rows, drawn]

    def _deal_again(self) -> None:
        """Where matches are over. Some end before the agent has anything to decide."""
        batch = self.batch
        while len(over := np.flatnonzero(batch.seats == NOBODY)):
            self._take_seats(over)
            for row in over.tolist():
                key = self._seed + (row << 128) + (int(batch.played[row]) << 192)
                batch.put(row, batch.game.match(batch.players, key, batch.options))
            self._let_bots_play()

    def _take_seats(self, rows: Any) -> None:
        players = self.batch.players
        drawn = self.np_random.integers(players, size=len(rows))
        self.seats[rows] = drawn if self._wish is None else self._wish


def _makers(bots: str | BotMaker | Sequence[str | BotMaker], match: Single) -> list[BotMaker]:
    """What makes the bots, in playing order from the seat on."""
    others = match.players - 1
    if isinstance(bots, str) or callable(bots):
        bots = [bots] * others
    if not isinstance(bots, Sequence) or len(bots) != others:
        raise BadOption("bots", f"must be one for all, or {others} of them, not {show(bots)}.")
    return [_maker(one, match.game) for one in bots]


def _maker(wish: str | BotMaker, game: Game) -> BotMaker:
    if callable(wish):
        return wish
    if not isinstance(wish, str):
        raise BadOption("bots", f"are names, or functions that make bots, not {show(wish)}.")
    kind, colon, _ = wish.partition(":")

    def make(game: Game, seed: int) -> Bot:
        return other_bot(wish, game) if colon and kind != SEARCH else bot(wish, game, seed)

    try:
        make(game, 0)
    except BadOption as problem:  # it names what is wrong with the bot; here that is an argument
        raise BadOption("bots", str(problem).removeprefix("bot: ")) from None
    return make


def register() -> None:
    """Registers `lastcard/Taki-v1` and `lastcard/Taki-SelfPlay-v1`, and so for every game."""
    for id in games():
        name = f"lastcard/{title_of(id)}"
        if f"{name}-v1" not in gymnasium.registry:
            gymnasium.register(
                f"{name}-v1",
                f"{__name__}:SeatEnv",
                vector_entry_point=f"{__name__}:SeatVectorEnv",
                kwargs={"game": id},
                disable_env_checker=True,  # it draws actions without looking at the mask
            )
            gymnasium.register(
                f"{name}-SelfPlay-v1",
                vector_entry_point=f"{__name__}:SelfPlayEnv",
                kwargs={"game": id},
            )


register()
