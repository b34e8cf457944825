"""The contract that every registered game must keep, compiled and as plain Python."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from typing import Any

import numpy as np
import pytest

from lastcard.core.game import Game
from lastcard.core.match import Match
from lastcard.core.views import Watch, legal_of, shown, view_of
from lastcard.errors import IllegalAction
from lastcard.kernel import CHANCE, LOG_COLUMNS, NOBODY
from tests.helpers import (
    choose,
    held,
    moments,
    permuted,
    play_on,
    random_match,
    random_options,
    shy_of,
    times,
)


def observers(match: Match) -> list[int | None]:
    return [None, *range(match.players)]


def text(view: Any) -> str:
    return json.dumps(view, sort_keys=True)


def words(lines: list[str]) -> list[str]:
    """In any order."""
    return sorted(re.split(r"[ .]", " ".join(lines)))


# --- Names ---------------------------------------------------------------------------------------


def test_every_card_and_action_has_one_name(any_game: Game) -> None:
    for card in range(len(any_game.cards)):
        assert any_game.parse_card(any_game.card_name(card)) == card
    for action in range(len(any_game.actions)):
        assert any_game.parse_action(any_game.action_name(action)) == action
    assert len(any_game.rules.DECK) == len(any_game.cards)


def test_a_game_says_what_it_is(any_game: Game) -> None:
    assert any_game.title
    assert any_game.tagline.endswith(".")
    assert 2 <= any_game.fewest <= any_game.most <= 10
    assert len(any_game.page) > 500


# --- Playing -------------------------------------------------------------------------------------


def test_whoever_is_waited_for_can_act_and_matches_end(any_game: Game) -> None:
    rng = random.Random(1)
    for _ in range(times(40, 6)):
        match = random_match(any_game, rng)
        for _ in play_on(match, rng, shy_of(rng, match)):
            assert len(match.moves) < 50_000
            for seat in match.waiting:
                ids = match.legal_ids(seat)
                assert ids
                assert ids == sorted(set(ids))
                assert len(ids) <= any_game.rules.MOST_LEGAL
                assert match.legal(seat) == [any_game.actions[action] for action in ids]
        assert match.waiting == []
        assert match.winners
        assert all(match.legal(seat) == [] for seat in [*range(match.players), "chance"])


def test_whoever_can_act_without_being_waited_for_is_a_bystander(any_game: Game) -> None:
    """The game names all possible bystanders, and who they are is no secret."""
    rules = any_game.rules
    for match, _ in moments(any_game, times(200, 40), seed=12):
        may_be = int(rules.bystanders(match.record))
        assert may_be & int(rules.waiting(match.record)) == 0
        for seat in range(match.players):
            assert int(rules.bystanders(match.hidden(seat)[0])) == may_be
            if match.legal_ids(seat) and seat not in match.waiting:
                assert may_be >> seat & 1
        assert match.over <= (may_be == 0)
        assert may_be >> match.players == 0


def test_cards_are_conserved(any_game: Game) -> None:
    rng = random.Random(2)
    deck = Counter(dict(enumerate(any_game.rules.DECK)))
    for _ in range(times(40, 6)):
        match = random_match(any_game, rng)
        before, round = held(match), match.round
        assert before <= deck
        for _ in play_on(match, rng, shy_of(rng, match)):
            now = held(match)
            assert now <= deck
            if match.round == round:
                assert now <= before  # within a round cards leave the table, none appear
            before, round = now, match.round


def test_the_same_key_gives_the_same_match(any_game: Game) -> None:
    rng = random.Random(3)
    for _ in range(times(40, 4)):
        match = random_match(any_game, rng)
        for _ in play_on(match, rng):
            pass
        again = any_game.match(match.players, match.seed, match.options)
        for seat, action in match.moves:
            again.play(seat, action)
        assert again.state == match.state
        assert again.moves == match.moves


def test_a_new_match_forgets_the_record_it_is_dealt_in(any_game: Game) -> None:
    rng = random.Random(4)
    match = random_match(any_game, rng)
    for _ in play_on(match, rng):
        pass
    dirty = np.frombuffer(match.state, any_game.rules.RECORD).copy()
    options = any_game.read_options(match.options, match.players)
    any_game.rules.new(dirty[0], match.players, np.array(options, np.int16))
    fresh = any_game.match(match.players, match.seed, match.options)
    assert dirty.tobytes() == fresh.state


def test_what_is_not_legal_is_refused_and_changes_nothing(any_game: Game) -> None:
    for match, rng in moments(any_game, times(40, 10)):
        before, moves = match.state, list(match.moves)
        seats = [*range(match.players), "chance"]
        for seat in seats:
            legal = match.legal_ids(seat)
            illegal = [a for a in range(len(any_game.actions)) if a not in legal]
            for action in rng.sample(illegal, min(10, len(illegal))):
                for form in (action, any_game.actions[action]):
                    with pytest.raises(IllegalAction, match=r"\.$"):
                        match.play(seat, form)
        no_seats: list[Any] = [-1, match.players, 99, "nobody", None, True, 1.0]
        for nobody in no_seats:
            with pytest.raises(IllegalAction):
                match.play(nobody, 0)
        no_actions: list[Any] = [-1, len(any_game.actions), "no such thing", None, 1.5]
        for nothing in no_actions:
            with pytest.raises(IllegalAction):
                match.play(0, nothing)
        assert (match.state, match.moves) == (before, moves)


def test_copies_go_their_own_ways(any_game: Game) -> None:
    rng = random.Random(5)
    match = random_match(any_game, rng)
    copy = match.copy()
    before = match.state
    for _ in play_on(copy, rng):
        pass
    assert match.state == before
    assert match.moves == []


def test_the_log_changes_nothing_and_may_be_too_small(any_game: Game) -> None:
    rules = any_game.rules
    for match, rng in moments(any_game, times(100, 20)):
        if match.over:
            continue
        seat, action = choose(rng, match)
        number = CHANCE if seat == "chance" else int(seat)
        states = []
        for rows in (0, 1, 3, 512):
            array = np.frombuffer(match.state, rules.RECORD).copy()
            log = np.full((rows + 1, LOG_COLUMNS), 77, np.int32)  # the last row is out of bounds
            log[0, 0] = 0 if rows else 77
            rules.apply(array[0], number, any_game.parse_action(action), log[:rows])
            assert (log[rows] == 77).all()
            assert rows == 0 or log[0, 0] < rows
            states.append(array.tobytes())
        assert len(set(states)) == 1


# --- Positions -----------------------------------------------------------------------------------


def test_positions_round_trip(any_game: Game) -> None:
    for match, _ in moments(any_game, times(300, 40)):
        position = match.position()
        again = any_game.position(position, match.players, match.options, match.seed)
        assert again.state == match.state
        assert again.position() == position
        as_text = json.loads(json.dumps(position))
        assert (
            any_game.position(as_text, options=match.options, seed=match.seed).state == again.state
        )


# --- What a seat may know ------------------------------------------------------------------------


def test_a_view_does_not_change_with_cards_that_cannot_be_seen(any_game: Game) -> None:
    different = 0
    for match, rng in moments(any_game, times(150, 20)):
        for seat in observers(match):
            other = permuted(match, seat, rng)
            different += other.state != match.state
            assert match.hidden(seat).tobytes() == other.hidden(seat).tobytes()
            views = [shown(any_game, one.hidden(seat)[0], seat) for one in (match, other)]
            assert views[0] == views[1]
    assert different > times(300, 40)


def test_events_tell_no_more_than_the_record_does(any_game: Game) -> None:
    """If two moves leave a seat with the same hidden record, it is told the same about both.

    Except for the order in which it took cards: it saw that, and the record need not keep it.
    """
    compared = 0
    for match, rng in moments(any_game, times(150, 20), seed=1):
        if match.over:
            continue
        for seat in observers(match):
            other = permuted(match, seat, rng)
            actor, action = choose(rng, match)
            if action not in other.legal(actor):
                continue
            one, two = match.copy(), other
            events = one.play(actor, action)
            others = two.play(actor, action)
            if one.hidden(seat).tobytes() == two.hidden(seat).tobytes():
                compared += 1
                told, others_told = one.tell(events, seat), two.tell(others, seat)
                assert sorted(map(text, told)) == sorted(map(text, others_told))
                lines, others_lines = one.lines(events, seat), two.lines(others, seat)
                assert words(lines) == words(others_lines)
    assert compared > times(100, 15)


def test_refusals_tell_no_more_than_the_seat_knows(any_game: Game) -> None:
    for match, rng in moments(any_game, times(100, 10), seed=7):
        for seat in range(match.players):
            other = permuted(match, seat, rng)
            legal = match.legal_ids(seat)
            illegal = [action for action in range(len(any_game.actions)) if action not in legal]
            for action in rng.sample(illegal, min(100, len(illegal))):
                texts = []
                for one in (match, other):
                    with pytest.raises(IllegalAction) as error:
                        one.play(seat, action)
                    texts.append(str(error.value))
                assert texts[0] == texts[1]


def test_hiding_is_enough_to_act(any_game: Game) -> None:
    """A hidden record knows whose move it is, and what its own seat may do."""
    for match, _ in moments(any_game, times(100, 20)):
        for seat in range(match.players):
            hidden = match.hidden(seat)
            assert any_game.rules.waiting(hidden[0]) == match.waited
            assert legal_of(any_game, hidden[0], seat) == match.legal_ids(seat)
            assert not hidden[0].key.any()
            twice = hidden.copy()
            any_game.rules.hide(twice[0], seat)
            assert twice.tobytes() == hidden.tobytes()


def test_the_end_is_seen_by_everybody(any_game: Game) -> None:
    rng = random.Random(6)
    match = random_match(any_game, rng)
    for _ in play_on(match, rng):
        pass
    for seat in observers(match):
        view = match.view(seat)
        assert view["winners"] == match.winners
        assert view["scores"] == match.scores
        assert view["legal"] == []


def test_guesses_fit_all_that_the_seat_knows(any_game: Game) -> None:
    rules = any_game.rules
    deck = Counter(dict(enumerate(rules.DECK)))
    rng64 = np.array([12345], np.uint64)
    kinds = set()
    for match, _ in moments(any_game, times(500, 30), seed=2):
        for seat in [NOBODY, *range(match.players)]:
            hidden = match.hidden(None if seat == NOBODY else seat)
            guessed = hidden.copy()
            rules.guess(guessed[0], seat, rng64, any_game.new_deal())
            as_match = Match(any_game, guessed.copy())
            assert held(as_match) <= deck
            assert held(as_match).total() == held(match).total()
            kinds.add(guessed.tobytes())
            rules.hide(guessed[0], seat)
            assert guessed.tobytes() == hidden.tobytes()
    assert len(kinds) > times(500, 30)


def test_a_guess_can_be_played_to_its_end(any_game: Game) -> None:
    rng64 = np.array([54321], np.uint64)
    for match, rng in moments(any_game, times(50, 5), seed=3):
        seat = rng.randrange(match.players)
        guessed = match.hidden(seat)
        any_game.rules.guess(guessed[0], seat, rng64, any_game.new_deal())
        for _ in play_on(Match(any_game, guessed), rng):
            pass


def test_learners_see_what_the_hidden_record_holds(any_game: Game) -> None:
    rules = any_game.rules
    seen = set()
    for match, rng in moments(any_game, times(100, 20), seed=4):
        for seat in observers(match):
            number = NOBODY if seat is None else seat
            outs = []
            for one in (match, permuted(match, seat, rng)):
                out = np.zeros(len(rules.OBSERVED) + 1, np.float32)
                rules.observe(one.hidden(seat)[0], number, out[:-1])
                assert np.isfinite(out[:-1]).all()
                assert out[-1] == 0
                outs.append(out[:-1].tobytes())
            assert outs[0] == outs[1]
            seen.add(outs[0])
    assert len(seen) > times(150, 30)
    assert len(set(rules.OBSERVED)) == len(rules.OBSERVED)


def test_a_view_is_made_from_the_hidden_record_alone(any_game: Game) -> None:
    for match, _ in moments(any_game, times(50, 10), seed=5):
        for seat in observers(match):
            view = view_of(any_game, match.hidden(seat), seat)
            assert view == match.view(seat)
            assert json.loads(json.dumps(view)) == view


def test_a_view_that_is_kept_is_the_view_that_is_made_anew(any_game: Game) -> None:
    """Each key names the right fields of the record that it is made from."""
    rng = random.Random(11)
    reused = 0
    for _ in range(times(12, 1)):
        match = random_match(any_game, rng)
        watches = [(seat, Watch(any_game, seat)) for seat in observers(match)]
        views: dict[int | None, dict[str, Any]] = {}
        for _ in play_on(match, rng, shy_of(rng, match)):
            # Somebody may look seldom: then more has changed.
            for seat, watch in rng.sample(watches, times(len(watches), 2)):
                before, now = views.get(seat, {}), match.view(seat)
                changes = json.loads(watch.look(match.hidden(seat)))
                assert changes == {
                    k: v for k, v in now.items() if k not in before or before[k] != v
                }
                assert list(before | changes) == list(now)
                views[seat] = before | changes
                reused += len(now) - len(changes)
    assert reused > times(300, 20)


# --- Options -------------------------------------------------------------------------------------


def test_options_come_back_as_they_were_given(any_game: Game) -> None:
    rng = random.Random(7)
    for _ in range(50):
        players = rng.randint(any_game.fewest, any_game.most)
        options = random_options(rng, any_game, players)
        match = any_game.match(players, 0, options)
        assert {name: match.options[name] for name in options} == options
        assert any_game.match(players, 0, match.options).state == match.state
