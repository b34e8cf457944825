"""What people can do wrong in any of the interfaces: a sentence that names the argument."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pyspiel
import pytest
from rlcard.agents import RandomAgent

import lastcard
from lastcard.envs import openspiel_deals
from lastcard.envs.gymnasium import SeatEnv, SeatVectorEnv, SelfPlayEnv
from lastcard.envs.openspiel_bots import Player, RandomPlayouts, policy_of
from lastcard.envs.pettingzoo import AtOnceEnv, TurnsEnv, environments
from lastcard.envs.pufferlib import SeatsEnv
from lastcard.envs.rlcard import make
from lastcard.envs.single import LOSE
from lastcard.errors import BadOption, IllegalAction, LastCardError, UnknownGame
from lastcard.sim.batch import WAIT

Do = Callable[[], Any]
Wish = dict[str, Any]
LONG = 1 << 128
CLASH = {"beginner": True, "late_trump": True}


def rlcard(game: Any, **config: Any) -> Any:
    return make(game, config)


def spiel(text: str = "") -> Any:
    return pyspiel.load_game(f"lastcard_chiko{text}")


def named(argument: str, does: Do, kind: type[LastCardError] = BadOption) -> None:
    """A sentence that begins with the argument."""
    with pytest.raises(kind) as raised:
        does()
    assert type(raised.value) is kind
    said = str(raised.value)
    assert said.startswith(argument) and said.endswith("."), said


# --- What all of them take -----------------------------------------------------------------------

MAKERS: dict[str, Callable[..., Any]] = {
    "pettingzoo": TurnsEnv,
    "pettingzoo, at once": AtOnceEnv,
    "gymnasium": SeatEnv,
    "gymnasium, many": SelfPlayEnv,
    "gymnasium, many seats": SeatVectorEnv,
    "pufferlib": SeatsEnv,
    "rlcard": rlcard,
    "batch": lambda game, **wish: lastcard.Batch(game, 1, **wish),
}
WRONG: list[tuple[str, Wish]] = [
    ("players: ", {"players": 9}),
    ("players: ", {"players": 1}),
    ("players: ", {"players": "two"}),
    ("players: ", {"players": True}),
    ("options: target ", {"options": {"target": -1}}),
    ("options: 'targt' ", {"options": {"targt": 5}}),
    ("options: ", {"options": ["target"]}),
    ("rewards: ", {"rewards": "glory"}),
    ("rewards: ", {"rewards": ["match"]}),
    ("through: ", {"through": "no"}),
    ("out_of_turn: ", {"out_of_turn": 1}),
    ("illegal: ", {"illegal": "ignore"}),
    ("illegal: ", {"illegal": None}),
    ("render_mode: ", {"render_mode": "film"}),
    ("observer: ", {"observer": 2}),
    ("observer: ", {"observer": 0}),
    ("threads: ", {"threads": 0}),
]
LACKS = {  # what has no such argument, as Python says by itself
    "pettingzoo": {"threads"},
    "pettingzoo, at once": {"threads", "out_of_turn"},
    "gymnasium": {"threads", "observer"},
    "gymnasium, many": {"illegal", "observer"},
    "gymnasium, many seats": {"illegal", "observer"},
    "pufferlib": {"render_mode", "observer"},
    "rlcard": {"illegal", "render_mode", "observer", "threads"},
    "batch": {"illegal", "render_mode", "observer"},
}


@pytest.mark.parametrize("where", MAKERS)
def test_arguments_that_all_share(where: str) -> None:
    maker = MAKERS[where]
    for unknown in ("whist", 7, None):
        with pytest.raises(UnknownGame, match=r"^There is no game .*; there are .*chiko.*\.$"):
            maker(unknown)
    named("options: beginner and late_trump ", lambda: maker("sixth_sense", options=CLASH))
    for argument, wish in WRONG:
        if LACKS[where].isdisjoint(wish):
            named(argument, lambda wish=wish: maker("chiko", **wish))  # type: ignore[misc]


# --- What is peculiar to each --------------------------------------------------------------------


def begun(env: Any, **how: Any) -> Any:
    env.reset(**how)
    return env


def buffers(**others: Any) -> Wish:
    """Those of two seats."""
    env = SeatsEnv("chiko")
    names = ("observations", "rewards", "terminals", "truncations", "masks", "actions")
    return {name: getattr(env, name).copy() for name in names} | others


def with_buffers(**others: Any) -> Do:
    return lambda: SeatsEnv("chiko", buf=buffers(**others))


def dealt() -> Any:
    state = spiel().new_initial_state()
    while state.now.record is None:
        state.apply_action(1)
    return state


def over() -> Any:
    state, rng = spiel().new_initial_state(), random.Random(1)
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    return state


READ_ONLY = np.frombuffer(bytes(8), np.float32)
SENSE = "lastcard_sixth_sense"
SHORT = "(deck=1 1 2 2 3 3,hand=2"
BAD: dict[str, list[tuple[str, Do]]] = {
    "pettingzoo": [
        ("players: ", lambda: pettingzoo.make("aec", "lastcard/Chiko-v1", players=9)),
        ("players: ", lambda: environments("taki").parallel_env(players=11)),
        ("seed: ", lambda: TurnsEnv("chiko").reset(seed=-1)),
        ("seed: ", lambda: AtOnceEnv("chiko").reset(seed="x")),  # type: ignore[arg-type]
        ("seed: ", lambda: TurnsEnv("chiko").reset(seed=LONG)),
        ("options: ", lambda: TurnsEnv("chiko").reset(options=["position"])),  # type: ignore[arg-type]
        ("agent: ", lambda: begun(TurnsEnv("chiko")).observe("seat_2")),
        ("agent: ", lambda: AtOnceEnv("chiko").action_space(0)),  # type: ignore[arg-type]
        ("agent: ", lambda: TurnsEnv("chiko").observation_space("")),
        ("action: ", lambda: begun(TurnsEnv("chiko")).step("draw")),
        ("action: ", lambda: begun(TurnsEnv("chiko")).step(np.zeros(1, int))),
        ("actions: ", lambda: begun(AtOnceEnv("chiko")).step([0, 0])),
        ("actions: lack seat_1", lambda: begun(AtOnceEnv("chiko")).step({"seat_0": 0})),
        ("agent: ", lambda: begun(AtOnceEnv("chiko")).step({"seat_7": 0})),
        ("action: ", lambda: begun(AtOnceEnv("chiko")).step({"seat_0": 0.5, "seat_1": 0})),
    ],
    "gymnasium": [
        ("seat: ", lambda: SeatEnv("chiko", seat=2)),
        ("seat: ", lambda: SeatEnv("chiko", seat="first")),  # type: ignore[arg-type]
        ("bots: there is no bot 'clever'", lambda: SeatEnv("chiko", bots="clever")),
        ("bots: there is no bot ''", lambda: SeatEnv("chiko", 3, bots=["normal", ""])),
        ("bots: budget: ", lambda: SeatEnv("chiko", bots="search:fast")),
        ("bots: nowhere.py:Bot: ", lambda: SeatEnv("chiko", bots="nowhere.py:Bot")),
        ("bots: ", lambda: SeatEnv("chiko", bots=["normal", "normal"])),
        ("bots: ", lambda: SeatEnv("chiko", bots=None)),  # type: ignore[arg-type]
        ("bots: ", lambda: SeatEnv("chiko", bots=[3])),  # type: ignore[list-item]
        ("bots: ", lambda: begun(SeatEnv("chiko", bots=lambda *_: 3))),  # type: ignore[arg-type]
        ("players: ", lambda: gymnasium.make("lastcard/Chiko-v1", players=9)),
        ("seed: ", lambda: SeatEnv("chiko").reset(seed=-1)),
        ("seed: ", lambda: SeatEnv("chiko").reset(seed="x")),  # type: ignore[arg-type]
        ("seed: ", lambda: SeatEnv("chiko").reset(seed=1.5)),  # type: ignore[arg-type]
        ("seed: ", lambda: SeatEnv("chiko").reset(seed=LONG)),
        ("options: ", lambda: SeatEnv("chiko").reset(options={"potision": {}})),
        ("action: ", lambda: begun(SeatEnv("chiko")).step(None)),
    ],
    "gymnasium, many": [
        ("num_envs: ", lambda: SelfPlayEnv("chiko", num_envs=0)),
        ("num_envs: ", lambda: SelfPlayEnv("chiko", num_envs="two")),  # type: ignore[arg-type]
        ("num_envs: ", lambda: gymnasium.make_vec("lastcard/Chiko-SelfPlay-v1", num_envs=0)),
        ("copy: ", lambda: SelfPlayEnv("chiko", copy=1)),  # type: ignore[arg-type]
        ("render_mode: ", lambda: SelfPlayEnv("chiko", render_mode="ansi")),  # type: ignore[arg-type]
        ("seed: ", lambda: SelfPlayEnv("chiko").reset(seed=-1)),
        ("seed: ", lambda: SelfPlayEnv("chiko", 2).reset(seed=[1, 2])),  # type: ignore[arg-type]
        ("options: ", lambda: SelfPlayEnv("chiko").reset(options={"position": {}})),
        ("actions: ", lambda: begun(SelfPlayEnv("chiko", 2)).step(None)),
        ("actions: ", lambda: begun(SelfPlayEnv("chiko", 2)).step([0.0, 0.0])),
        ("actions: ", lambda: begun(SelfPlayEnv("chiko", 2)).step([0, 0, 0])),
    ],
    "gymnasium, many seats": [
        ("num_envs: ", lambda: gymnasium.make_vec("lastcard/Chiko-v1", num_envs=0)),
        ("seat: ", lambda: SeatVectorEnv("chiko", seat=2)),
        ("bots: are normal or random, not 'hard'", lambda: SeatVectorEnv("chiko", bots="hard")),
        ("bots: ", lambda: SeatVectorEnv("chiko", bots=["normal"])),  # type: ignore[arg-type]
        ("seed: ", lambda: SeatVectorEnv("chiko").reset(seed=-1)),
        ("options: ", lambda: SeatVectorEnv("chiko").reset(options={"position": {}})),
        ("actions: ", lambda: begun(SeatVectorEnv("chiko", 2)).step([0, 0, 0])),
    ],
    "pufferlib": [
        ("count: ", lambda: SeatsEnv("chiko", 0)),
        ("count: ", lambda: SeatsEnv("chiko", 2.0)),  # type: ignore[arg-type]
        ("seed: ", lambda: SeatsEnv("chiko", seed=-1)),
        ("seed: ", lambda: SeatsEnv("chiko").reset("x")),  # type: ignore[arg-type]
        ("penalty: is for illegal='replace'", lambda: SeatsEnv("chiko", penalty=0.5)),
        *(
            ("penalty: must be ", lambda p=wrong: SeatsEnv("chiko", illegal="replace", penalty=p))
            for wrong in ("some", True, -1, float("nan"), float("inf"))
        ),
        ("buf: observations must be ", lambda: SeatsEnv("chiko", buf=[1])),
        ("buf: observations must be ", lambda: SeatsEnv("chiko", buf=SimpleNamespace())),
        ("buf: observations must be ", with_buffers(observations=np.zeros((2, 3), np.float32))),
        ("buf: rewards must be ", with_buffers(rewards=np.zeros(2))),
        ("buf: rewards must be writeable", with_buffers(rewards=READ_ONLY)),
        ("buf: masks must be ", with_buffers(masks=np.zeros(2, int))),
        ("buf: terminals must be ", with_buffers(terminals=None)),
        ("buf: actions must be ", with_buffers(actions=np.zeros(2, np.int8))),
        ("buf: actions must be ", with_buffers(actions=[0, 0])),
        ("actions: ", lambda: begun(SeatsEnv("chiko")).step([0.5, 0.5])),
        ("actions: ", lambda: begun(SeatsEnv("chiko")).step([0])),
    ],
    "rlcard": [
        ("config: must be a mapping", lambda: make("chiko", 2)),  # type: ignore[arg-type]
        ("config: 'plyers' ", lambda: make("chiko", {"plyers": 2})),
        ("seed: ", lambda: make("chiko", {"seed": "x"})),
        ("seed: ", lambda: make("chiko").seed(-1)),
        ("allow_step_back: ", lambda: make("chiko", {"allow_step_back": "no"})),
        ("allow_step_back: ", lambda: make("chiko").step_back()),
        ("agents: ", lambda: make("chiko").set_agents(None)),  # type: ignore[arg-type]
        ("agents: ", lambda: make("chiko").set_agents([RandomAgent(1)])),
        ("agents: number 1 ", lambda: make("chiko").set_agents([RandomAgent(1), 3])),
        ("agents: are missing", lambda: make("chiko").run()),
        *(
            ("player_id: ", lambda one=wrong: begun(make("chiko")).get_state(one))
            for wrong in (2, -1, "a", None, 1.5, True)
        ),
        ("action: ", lambda: make("chiko").get_action_feature(46)),
        ("action: ", lambda: begun(make("chiko")).step("draw")),
    ],
    "openspiel": [
        ("players: ", lambda: spiel("(players=9)")),
        ("players: ", lambda: spiel("(players=0)")),
        ("options: target ", lambda: spiel("(target=0)")),
        ("options: opener ", lambda: spiel("(opener=3)")),
        ("options: announce ", lambda: pyspiel.load_game("lastcard_taki(announce=loud)")),
        (
            "options: beginner ",
            lambda: pyspiel.load_game(f"{SENSE}(beginner=True,late_trump=True)"),
        ),
        ("recall: ", lambda: spiel("(recall=-1)")),
        ("hand: ", lambda: spiel("(deck=1 1 2 2 3 3)")),
        ("hand: ", lambda: spiel("(deck=1 1 2 2 3 3,hand=-2)")),
        ("deck: ", lambda: spiel("(hand=2)")),
        ("deck: there is no card '9'", lambda: spiel("(deck=1 2 9 9 9,hand=2)")),
        ("deck: 2 of the card e", lambda: spiel("(deck=e e 1 2 3,hand=2)")),
        ("deck: must have 5 cards", lambda: spiel("(deck=1 2 3 4,hand=2)")),
        ("target: says nothing with a deck", lambda: spiel(f"{SHORT},target=5)")),
        ("start: ", lambda: spiel().new_initial_state("somewhere")),
        ("observer: ", lambda: spiel().make_py_observer(None, {"depth": 1})),
        ("player: ", lambda: spiel().make_py_observer().set_from(dealt(), -1)),
        ("player: ", lambda: spiel().make_py_observer().string_from(dealt(), 2)),
        ("player: ", lambda: dealt().resample_from_infostate(2, lambda: 0.5)),
        ("at: ", lambda: Player(pyspiel.load_game("kuhn_poker"), "normal", 0)),
        ("at: ", lambda: policy_of(pyspiel.load_game("kuhn_poker"), "normal")),
        ("seat: ", lambda: Player(spiel(), "normal", 2)),
        ("seat: ", lambda: Player(spiel(), "normal", "0")),  # type: ignore[arg-type]
        ("seed: ", lambda: Player(spiel(), "normal", 0, seed=-1)),
        ("seed: ", lambda: RandomPlayouts(spiel(), "x")),  # type: ignore[arg-type]
        ("bot: there is no bot 'clever'", lambda: Player(spiel(), "clever", 0)),
    ],
}


@pytest.mark.parametrize("where", BAD)
def test_arguments_of_its_own(where: str) -> None:
    for argument, does in BAD[where]:
        named(argument, does)


def test_a_deck_with_too_many_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openspiel_deals, "MOST_DEALS", 20)
    named("deck: has more than 20 deals", lambda: spiel("(deck=1 2 3 4 5 6,hand=2)"))


def test_openspiel_itself_refuses_what_it_checks_first() -> None:
    for wrong, why in (
        ("lastcard_whist", "lastcard_whist"),
        ("lastcard_chiko(cards=3)", "cards"),
        ("lastcard_chiko(players=two)", "players"),
        ("lastcard_taki(deck=r1 r2,hand=1)", "deck"),
    ):
        with pytest.raises(pyspiel.SpielError, match=why):
            pyspiel.load_game(wrong)
    with pytest.raises(pyspiel.SpielError, match="player"):
        dealt().observation_tensor(2)


# --- What is not legal now -----------------------------------------------------------------------


def at_once(env: Any, action: int) -> Any:
    """A step in which seat 0, which decides, does this."""
    masks = {agent: env.observe(agent)["action_mask"] for agent in env.agents}
    legal = {agent: int(np.argmax(mask)) for agent, mask in masks.items()}
    return env.step(legal | {"seat_0": action})


DRAW = lastcard.game("chiko").parse_action("draw")
NONE = len(lastcard.game("chiko").actions)
OPENS = {"opener": 0}
ILLEGAL: dict[str, list[tuple[str, Do]]] = {
    "pettingzoo": [
        ("step: ", lambda: TurnsEnv("chiko").step(0)),
        ("step: ", lambda: AtOnceEnv("chiko").step({})),
        ("state: ", lambda: TurnsEnv("chiko").state()),
        ("render: ", lambda: AtOnceEnv("chiko").render()),
        ("observe: ", lambda: TurnsEnv("chiko").observe("seat_0")),
        ("action: seat ", lambda: begun(TurnsEnv("chiko")).step(NONE)),
        ("actions['seat_0']: ", lambda: at_once(begun(AtOnceEnv("chiko", options=OPENS)), NONE)),
        ("actions['seat_0']: ", lambda: at_once(begun(AtOnceEnv("chiko", options=OPENS)), -1)),
    ],
    "gymnasium": [
        ("step: ", lambda: SeatEnv("chiko").step(0)),
        ("render: ", lambda: SeatEnv("chiko", render_mode="ansi").render()),
        ("action: seat 0 ", lambda: begun(SeatEnv("chiko")).step(NONE)),
        ("step: ", lambda: SelfPlayEnv("chiko").step([0])),
        ("actions[0] ", lambda: begun(SelfPlayEnv("chiko")).step([NONE])),
        ("step: ", lambda: SeatVectorEnv("chiko").step([0])),
        ("actions[0] ", lambda: begun(SeatVectorEnv("chiko")).step([NONE])),
    ],
    "pufferlib": [
        ("step: ", lambda: SeatsEnv("chiko").step(np.zeros(2, int))),
        ("recv: ", lambda: SeatsEnv("chiko").recv()),
        ("actions[0] ", lambda: begun(SeatsEnv("chiko")).step([NONE] * 2)),
        # Not 0 in a buffer of 32 bits.
        ("actions[0] ", lambda: begun(SeatsEnv("chiko")).step([DRAW + (1 << 32)] * 2)),
    ],
    "rlcard": [
        ("step: ", lambda: make("chiko").step(0)),
        ("get_state: ", lambda: make("chiko").get_state(0)),
        ("get_player_id: ", lambda: make("chiko").get_player_id()),
        ("action: seat ", lambda: begun(make("chiko")).step(NONE)),
        ("action: there is no 'fold'", lambda: begun(make("chiko")).step("fold", raw_action=True)),
        ("action: there is no 0", lambda: begun(make("chiko")).step(0, raw_action=True)),
    ],
    "openspiel": [
        ("action: chance ", lambda: spiel().new_initial_state().apply_action(16)),
        ("action: seat ", lambda: dealt().apply_action(NONE)),
        ("action: seat ", lambda: dealt().apply_action(NONE + 1)),
        ("action: the match is over", lambda: over().apply_action(DRAW)),
        ("action: there is no action ", lambda: dealt().action_to_string(0, NONE + 1)),
        ("action: chance ", lambda: spiel().new_initial_state().action_to_string(-1, 99)),
        ("step: ", lambda: Player(spiel(), "normal", 0).step(spiel().new_initial_state())),
        (
            "resample_from_infostate: ",
            lambda: spiel().new_initial_state().resample_from_infostate(0, lambda: 0.5),
        ),
    ],
}


@pytest.mark.parametrize("where", ILLEGAL)
def test_what_cannot_be_done_now(where: str) -> None:
    for argument, does in ILLEGAL[where]:
        named(argument, does, IllegalAction)


def test_steps_after_the_end() -> None:
    """Of matches that are lost by an illegal action, and one that is played out."""
    aec, single = TurnsEnv("chiko", illegal=LOSE), SeatEnv("chiko", illegal=LOSE)
    for env in (aec, single):
        begun(env, seed=1).step(NONE)
    named("action: must be None", lambda: aec.step(0), IllegalAction)
    while aec.agents:
        aec.step(None)
    named("step: ", lambda: aec.step(None), IllegalAction)
    named("step: ", lambda: single.step(0), IllegalAction)
    together = begun(AtOnceEnv("chiko", illegal=LOSE, options=OPENS), seed=1)
    at_once(together, together.actions.index(WAIT))
    named("step: ", lambda: together.step({}), IllegalAction)
    np.random.seed(1)
    played = make("chiko", {"seed": 1})
    played.set_agents([RandomAgent(played.num_actions)] * 2)
    played.run()
    named("step: ", lambda: played.step(0), IllegalAction)


def test_numbers_may_be_of_any_kind() -> None:
    """Of NumPy, as they come out of arrays."""
    one, rate = np.int64(1), np.float32(0.5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = SeatEnv("chiko", players=np.int64(3), seat=one)  # type: ignore[arg-type]
        assert env.reset(seed=one)[1]["seat"] == 1  # type: ignore[arg-type]
    assert SelfPlayEnv("chiko", np.int64(2)).num_envs == 2  # type: ignore[arg-type]
    penalty = SeatsEnv("chiko", illegal="replace", penalty=rate).penalty  # type: ignore[arg-type]
    assert (penalty, SeatsEnv("chiko").penalty) == (0.5, 0.1)
    assert begun(make("chiko", {"seed": one})).get_state(one)["action_record"] == []
    assert Player(spiel(), "normal", one, seed=one).player_id() == 1  # type: ignore[arg-type]
