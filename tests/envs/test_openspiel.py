"""The games in OpenSpiel: its own checks, and what is ours to keep: secrets, recall, chance."""

from __future__ import annotations

import itertools
import json
import pickle
import random
import re
import runpy
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.tests import games_sim_test

import lastcard.envs.openspiel as spiel
from lastcard.bots import bot
from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.core.registry import game, games
from lastcard.envs.openspiel_bots import Player, RandomPlayouts, policy_of
from lastcard.errors import BadOption, IllegalAction
from lastcard.games.chiko.components import DRAW
from lastcard.kernel import CHANCE

SMALL_CHIKO = "lastcard_chiko(deck=1 1 2 2 3 3,hand=2)"
SMALL_SENSE = "lastcard_sixth_sense(deck=r0 r1 r2 y1 y2,hand=2)"
SHORT = (
    "lastcard_chiko(target=15,players=3)",
    "lastcard_chichiko(rounds=1)",
    "lastcard_chichiko(rounds=1,out_of_turn=True,players=4)",
    "lastcard_eight_half(rounds=1,players=3)",
    "lastcard_sixth_sense(target=1,beginner=True,players=3)",
    "lastcard_taki(rounds=1)",
    "lastcard_taki(rounds=1,announce=call,players=3)",
    SMALL_CHIKO,
    SMALL_SENSE,
)


def load(name: str) -> Any:
    return pyspiel.load_game(name)


def begun(name: str, seed: int = 1) -> Any:
    """A state after the deal."""
    rng, state = random.Random(seed), load(name).new_initial_state()
    while state.now.record is None:
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def course(name: str, seed: int) -> Iterator[Any]:
    """The states of a random match in which somebody decides."""
    rng, state = random.Random(seed), load(name).new_initial_state()
    while not state.is_terminal():
        if state.is_player_node():
            yield state
        state.apply_action(rng.choice(state.legal_actions()))


# --- OpenSpiel's own checks ----------------------------------------------------------------------


def sim_game(name: str) -> None:
    """Their test of games in Python, which also pickles them."""
    np.random.seed(1)  # it draws from there
    games_sim_test.GamesSimTest().sim_game(load(name))


@pytest.mark.parametrize("name", SHORT)
def test_it_passes_their_simulations(name: str) -> None:
    pyspiel.random_sim_test(load(name), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("id", games())
def test_all_games_are_registered_with_their_options(id: str) -> None:
    at = load(f"lastcard_{id}")
    rules = game(id)
    assert {option.name for option in rules.options} < set(at.get_parameters())
    assert at.options.tolist() == rules.simulated_options(rules.fewest)
    assert at.num_players() == rules.fewest
    kind = at.get_type()
    assert (kind.min_num_players, kind.max_num_players) == (rules.fewest, rules.most)


def test_whole_matches_pass_both_of_their_simulations(any_game: Game) -> None:
    """As they are by default, and with more players."""
    name = f"lastcard_{any_game.id}"
    for one in (name, f"{name}(players={any_game.most})"):
        pyspiel.random_sim_test(load(one), num_sims=1, serialize=True, verbose=False)
    for one in (name, f"{name}(players=4)"):
        sim_game(one)


def test_short_decks_pass_their_simulation_in_python() -> None:
    sim_game(SMALL_CHIKO)


def test_their_learning_environment_runs() -> None:
    from open_spiel.python import rl_environment

    env = rl_environment.Environment(load(SMALL_SENSE))
    env.seed(1)
    step = env.reset()
    while not step.last():
        seat = step.observations["current_player"]
        step = env.step([step.observations["legal_actions"][seat][0]])
    assert sum(step.rewards) == 0


# --- The same rules ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHORT[:7])
def test_a_match_is_the_one_that_its_seed_deals(name: str) -> None:
    rng, at = random.Random(2), load(name)
    state, digits = at.new_initial_state(), []
    while state.now.record is None:
        digits.append(rng.randrange(spiel.SEED_OUTCOMES))
        state.apply_action(digits[-1])
    seed = sum(digit << 4 * place for place, digit in enumerate(digits))
    match = at.rules.match(at.players, seed, at.chosen)
    while not state.is_terminal():
        assert match.state == state.now.record.tobytes()
        action = rng.choice(state.legal_actions())
        if state.is_chance_node():
            assert len(match.legal_ids("chance")) == len(state.chance_outcomes())
            match.play("chance", state.action_to_string(action))
        elif action != at.wait:
            match.play(state.current_player(), action)
        state.apply_action(action)
    assert match.over
    share = [(seat in match.winners) / len(match.winners) for seat in range(at.players)]
    expected = [(at.players * one - 1) / (at.players - 1) for one in share]
    assert state.returns() == pytest.approx(expected)


def test_dice_are_explicit() -> None:
    at, chance = load("lastcard_chiko"), random.Random(1)
    players = [Player(at, "normal", seat, seed=seat) for seat in range(2)]
    state = at.new_initial_state()
    while not (state.is_chance_node() and state.now.record is not None):
        assert not state.is_terminal()
        if state.is_chance_node():
            state.apply_action(chance.choice(state.legal_actions()))
        else:
            state.apply_action(players[state.current_player()].step(state))
    outcomes = state.chance_outcomes()
    assert len(outcomes) == 36 and sum(p for _, p in outcomes) == pytest.approx(1)
    before = state.now.record[0].scores[:2].tolist()
    roller = int(state.now.record[0].turn)
    assert state.action_to_string(7) == "roll 2 2"
    told = state.child(7).information_state_string(1 - roller)
    assert f'"a":2,"b":2,"score":{max(before[roller] - 4, 0)}' in told


# --- Who decides when ----------------------------------------------------------------------------


def test_predictions_laid_at_once_are_not_seen() -> None:
    state = begun("lastcard_sixth_sense", 4)
    assert state.current_player() == 0
    seen = set()
    for action in state.legal_actions():
        after = state.child(action)
        assert after.current_player() == 1
        seen.add((after.information_state_string(1), *after.information_state_tensor(1)))
    assert len(seen) == 1


def test_who_may_act_out_of_turn_is_asked_and_may_wait_unnoticed() -> None:
    name = "lastcard_taki(rounds=1,announce=call,players=3)"
    asked = [state.clone() for seed in range(3) for state in course(name, seed) if state.now.aside]
    assert asked
    wait = asked[0].at.wait
    for state in asked:
        seat = state.current_player()
        assert state.legal_actions()[-1] == wait and len(state.legal_actions()) > 1
        after = state.child(wait)
        assert after.now.record.tobytes() == state.now.record.tobytes()
        assert after.current_player() != seat
        for other in range(3):
            before = state.information_state_string(other)
            assert (after.information_state_string(other) == before) == (other != seat)
        acted = state.child(state.legal_actions()[0])
        assert acted.now.record.tobytes() != state.now.record.tobytes()


# --- What a player knows -------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHORT)
def test_a_resampled_state_looks_the_same_and_can_be_played(name: str) -> None:
    sampler, rng, differ = pyspiel.UniformProbabilitySampler(5, 0.0, 1.0), random.Random(3), 0
    for number, state in enumerate(course(name, 5)):
        if number % 5:
            continue
        for seat in range(state.num_players()):
            other = state.resample_from_infostate(seat, sampler)
            assert other.current_player() == state.current_player()
            assert other.information_state_string(seat) == state.information_state_string(seat)
            assert other.information_state_tensor(seat) == state.information_state_tensor(seat)
            assert other.observation_string(seat) == state.observation_string(seat)
            assert other.observation_tensor(seat) == state.observation_tensor(seat)
            differ += other.now.record.tobytes() != state.now.record.tobytes()
        while not other.is_terminal():
            other.apply_action(rng.choice(other.legal_actions()))
    assert differ


@pytest.mark.parametrize("name", SHORT)
def test_a_resampled_state_can_be_stored(name: str) -> None:
    """It has no history, so all of it must be in what is stored."""
    sampler = pyspiel.UniformProbabilitySampler(6, 0.0, 1.0)
    for state in itertools.islice(course(name, 6), 3, None, 20):
        seat = state.current_player()
        guessed = state.resample_from_infostate(seat, sampler)
        stored = pyspiel.serialize_game_and_state(state.at, guessed)
        for again in (
            pyspiel.deserialize_game_and_state(stored)[1],
            pickle.loads(pickle.dumps(guessed)),
        ):
            assert str(again) == str(guessed)
            assert again.legal_actions() == guessed.legal_actions()
            for viewer in range(state.num_players()):
                for ask in ("string", "tensor"):
                    one, other = (
                        getattr(at, f"information_state_{ask}")(viewer) for at in (again, guessed)
                    )
                    assert one == other
            for action in guessed.legal_actions():
                assert str(again.child(action)) == str(guessed.child(action))
            twice = again.resample_from_infostate(seat, sampler)
            assert twice.information_state_string(seat) == state.information_state_string(seat)


@pytest.mark.parametrize("name", [SMALL_CHIKO, SMALL_SENSE])
def test_nothing_is_forgotten(name: str) -> None:
    """An information state follows from one sequence of own information states and actions only,
    and its tensor says as much as its string."""
    ways: dict[str, tuple[Any, ...]] = {}
    tensors: dict[str, set[tuple[float, ...]]] = {}

    def visit(state: Any, own: tuple[tuple[Any, ...], ...]) -> None:
        if state.is_terminal():
            return
        seat, key = state.current_player(), ""
        if seat >= 0:
            key = state.information_state_string()
            assert ways.setdefault(key, own[seat]) == own[seat]
            tensors.setdefault(key, set()).add(tuple(state.information_state_tensor()))
        for action in state.legal_actions():
            then = list(own)
            if seat >= 0:
                then[seat] = (*own[seat], key, action)
            visit(state.child(action), tuple(then))

    visit(load(name).new_initial_state(), ((), ()))
    assert all(len(same) == 1 for same in tensors.values())
    assert len(set.union(*tensors.values())) == len(ways) > 100


def test_tensors_keep_the_newest_events() -> None:
    long, short = load("lastcard_chiko(recall=64)"), load("lastcard_chiko(recall=3)")
    *_, state = course("lastcard_chiko", 6)
    actions = state.history()
    one, other = long.new_initial_state(), short.new_initial_state()
    for action in actions:
        one.apply_action(action)
        other.apply_action(action)
    whole = np.array(one.information_state_tensor(0))[-64 * 5 :].reshape(64, 5)
    kept = np.array(other.information_state_tensor(0))[-3 * 5 :].reshape(3, 5)
    filled = whole[whole[:, 0] > 0]
    assert len(filled) > 3
    assert kept.tolist() == filled[-3:].tolist()


def test_tensors_hide_what_events_hide() -> None:
    """A card that another player draws is unknown; one's own is not."""
    drawn = Counter[bool]()
    for state in course("lastcard_chiko(target=60)", 7):
        if DRAW not in state.legal_actions():
            continue
        seat = state.current_player()
        after = state.child(DRAW)
        for viewer in range(2):
            past = np.array(after.information_state_tensor(viewer))[-128 * 5 :].reshape(-1, 5)
            last = past[past[:, 0] > 0][-1]
            assert last[1] == (seat != viewer)
            assert (last[2] == -1) == (seat != viewer)
            drawn[seat == viewer] += 1
    assert drawn[True] and drawn[False]


def test_observers_tell_public_and_private_apart() -> None:
    state = begun("lastcard_chiko", 8)
    kinds = pyspiel.PrivateInfoType
    public = state.at.make_py_observer(pyspiel.IIGObservationType(True, False, kinds.NONE))
    private = state.at.make_py_observer(
        pyspiel.IIGObservationType(False, False, kinds.SINGLE_PLAYER)
    )
    assert public.string_from(state, 0) == public.string_from(state, 1)
    for seat in range(2):  # nothing else differs from what a spectator sees
        told = json.loads(private.string_from(state, seat))
        assert {"seat", "hands"} <= set(told) <= {"seat", "hands", "points", "legal"}
        assert len(told["hands"][seat]["cards"]) == 6 and not told["hands"][1 - seat]["cards"]
    public.set_from(state, 0)
    assert not public.dict["observation"][:8].any()  # nobody's own cards
    private.set_from(state, 0)
    assert private.dict["observation"][:8].sum() == pytest.approx(6 / 7)
    assert not private.dict["observation"][8:].any()
    with pytest.raises(BadOption, match="nobody sees"):
        state.at.make_py_observer(pyspiel.IIGObservationType(True, False, kinds.ALL_PLAYERS))


# --- Short decks ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "turned"), [("lastcard_chiko(deck=1 2 2 c e,hand=2)", 0), (SMALL_SENSE, 0)]
)
def test_deals_are_as_likely_as_shuffles_make_them(name: str, turned: int) -> None:
    """Counted by dealing every order of the deck."""
    at = load(name)
    deck, hand = at.deals.deck, at.deals.hand
    ordered = at.deals.reduced.ORDERED
    found: Counter[str] = Counter()
    for order in itertools.permutations(range(len(deck))):
        cards = [deck[i] for i in order]
        hands = [sorted(cards[seat * hand : (seat + 1) * hand]) for seat in range(2)]
        rest = cards[2 * hand :]
        if ordered is not None:
            rest = rest[:ordered] + sorted(rest[ordered:])
        if rest[turned] != "e":
            found[" | ".join(" ".join(one) for one in (*hands, rest))] += 1
    total = sum(found.values())
    expected = {deal: Fraction(count, total) for deal, count in found.items()}
    given = {
        str(deal): Fraction(probability).limit_denominator(total)
        for deal, (_, probability) in zip(at.deals.all, at.deals.outcomes, strict=True)
    }
    assert given == expected


def test_a_short_match_is_one_round_with_these_cards() -> None:
    for state in course(SMALL_CHIKO, 1):
        record = state.now.record[0]
        inside = record.hands[:2].sum(0) + record.gone
        for card in record.stock[: record.stock_size]:
            inside[card] += 1
        assert inside.tolist() == list(state.at.rules.rules.DECK)
        assert record.round_number == 100 and not record.over


def test_counterfactual_regret_finds_the_equilibrium() -> None:
    tree = pyspiel.convert_to_cached_tree(load(SMALL_CHIKO))
    uniform = pyspiel.exploitability(tree, pyspiel.UniformRandomPolicy(tree))
    solver = pyspiel.CFRPlusSolver(tree)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    assert uniform > 0.5
    assert pyspiel.exploitability(tree, solver.average_policy()) < 0.01


# --- Bots ----------------------------------------------------------------------------------------


def test_our_bots_play_there_as_they_do_here() -> None:
    at = load("lastcard_taki(rounds=1,announce=call,players=3)")
    theirs = [Player(at, "normal", seat, seed=seat) for seat in range(3)]
    ours = [bot("normal", at.rules, seat) for seat in range(3)]
    for state in course(str(at), 9):
        seat = state.current_player()
        match = Match(at.rules, state.now.record)
        decide = ours[seat].interject if state.now.aside else ours[seat].choose
        expected = decide(match, seat)
        assert theirs[seat].step(state) == (at.wait if expected is None else expected)


def test_search_is_closer_to_equilibrium_than_rules_of_thumb() -> None:
    at = load(SMALL_CHIKO)
    policy, search = (
        pyspiel.exploitability(at, policy_of(at, name)) for name in ("normal", "search:200")
    )
    assert search < policy < 0.2


@pytest.mark.parametrize("compiled", [False, True])
def test_their_search_plays(compiled: bool) -> None:
    at = load("lastcard_chiko(target=10)")
    rng = np.random.RandomState(1)
    playouts = RandomPlayouts(at, 1) if compiled else mcts.RandomRolloutEvaluator(1, rng)
    search = ismcts.ISMCTSBot(at, playouts, 2.0, max_simulations=8, random_state=rng)
    normal = Player(at, "normal", 1, seed=1)
    state, chance = at.new_initial_state(), random.Random(1)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(chance.choice(state.legal_actions()))
        else:
            state.apply_action(int((search, normal)[state.current_player()].step(state)))
    assert sum(state.returns()) == 0


def test_illegal_actions_are_refused_before_anything_changes() -> None:
    state = begun("lastcard_chiko", 1)
    before = str(state)
    for action in (CHANCE * 100, state.at.wait):
        with pytest.raises(IllegalAction, match=r"^action: seat \d .*Possible: "):
            state.apply_action(action)
    assert str(state) == before


# --- Examples ------------------------------------------------------------------------------------

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_the_example_of_their_search_plays_every_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And prints the same when it is asked again."""
    example = runpy.run_path(str(EXAMPLES / "openspiel_ismcts.py"))
    monkeypatch.setattr("sys.argv", ["openspiel_ismcts.py", "--matches=10", "--simulations=2"])
    example["main"]()
    title, *results = capsys.readouterr().out.splitlines()
    assert title == "ISMCTS, 2 simulations, against normal: 10 matches each"
    shares = dict(re.fullmatch(r"(\w+) +(.*)", line).groups() for line in results)  # type: ignore
    assert list(shares) == games()
    for share in shares.values():
        assert re.fullmatch(r"\d+\.\d\d ± \d+\.\d\d %", share)
    assert example["share"]("chiko", 10, 2, seed=1) == shares["chiko"]


def test_the_example_of_equilibria_draws_what_it_finds() -> None:
    example = runpy.run_path(str(EXAMPLES / "openspiel_equilibrium.py"))
    tree = pyspiel.convert_to_cached_tree(load(SMALL_CHIKO))
    curves = example["curves"](tree, 8)
    assert len(curves) == 4
    for line in curves.values():
        assert line[-1][1] < line[0][1]
    picture = example["picture"]("Chiko", curves, {"normal": 0.1})
    lines = list(ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}polyline"))
    assert [len(one.attrib["points"].split()) for one in lines] == [4] * 4
    rows = example["table"](["Chiko", "again"], [curves] * 2, [{"normal": 0.1}] * 2).splitlines()
    assert len(rows) == 2 + 4 + 1
    assert rows[-1] == "| `normal` |  | 0.1000 | 0.1000 |"


def test_the_example_of_equilibria_counts_whole_trees() -> None:
    """Two like cards each: play one, or quit. Who has quit waits until the other has played both or
    quits, too. So there are seven decisions and eight ends: counted by hand."""
    example = runpy.run_path(str(EXAMPLES / "openspiel_equilibrium.py"))
    tree = load("lastcard_chiko(deck=1 1 1 1 1,hand=2)")
    assert example["size"](tree) == "1 deals, 16 histories, 7 information sets"
