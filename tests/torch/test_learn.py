"""Training: that it learns, can be repeated and resumed, and leaves a network that bots play by."""

from __future__ import annotations

import json
import random
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from typer import Exit

torch = pytest.importorskip("torch")

import lastcard  # noqa: E402
from lastcard.bots import bot, play_out  # noqa: E402
from lastcard.bots.learned import FACTS, WEIGHTS, LearnedBot, Trained, outputs_of, read  # noqa: E402
from lastcard.cli import main  # noqa: E402
from lastcard.cli.training import carry_out, compete  # noqa: E402
from lastcard.core.game import Game  # noqa: E402
from lastcard.core.registry import games  # noqa: E402
from lastcard.errors import BadOption  # noqa: E402
from lastcard.kernel import NOBODY  # noqa: E402
from lastcard.learn.curve import curve  # noqa: E402
from lastcard.learn.model import Model  # noqa: E402
from lastcard.learn.others import Choices, Frozen, others_of  # noqa: E402
from lastcard.learn.playing import Tables, groups_of, tensor, variant  # noqa: E402
from lastcard.learn.ppo import Learner, Rates  # noqa: E402
from lastcard.learn.revision import revision  # noqa: E402
from lastcard.learn.strength import Strength, strength  # noqa: E402
from lastcard.learn.training import (  # noqa: E402
    CHECKPOINT,
    CURVE,
    GENTLE,
    LOG,
    WARMING,
    Plan,
    Progress,
    Training,
    lasting,
)

SMALL = Plan(
    "chiko",
    decisions=200_000,
    width=32,
    depth=2,
    matches=256,
    steps=32,
    batch=1024,
    imitating=0.3,
    measuring=200,
)


def ignore(progress: Progress) -> None:
    pass


def learner_for(id: str, steps: int = 16) -> Learner:
    game = lastcard.game(id)
    torch.manual_seed(1)
    tables = Tables(game, 64, random.Random(1), "cpu", 1)
    return Learner(Model(len(game.rules.OBSERVED), 24, 2, outputs_of(game)), tables, steps, 256)


def choices_of(batch: Any) -> Choices:
    return Choices(tensor(batch.choices), tensor(batch.counts))


def wins_against_random(game: Game, trained: Trained, matches: int) -> float:
    won = 0.0
    for number in range(matches):
        match = game.match(players=2, seed=number, options={"target": 20})
        seat = number % 2
        others = bot("random", game, seed=number)
        player = LearnedBot(game, trained)
        play_out(match, [player if one == seat else others for one in range(2)])
        won += (seat in match.winners) / len(match.winners)
    return won / matches


def test_a_small_network_learns_in_seconds(tmp_path: Path) -> None:
    told: list[Progress] = []
    Training(SMALL, tmp_path).run(told.append)
    chiko = lastcard.game("chiko")
    assert wins_against_random(chiko, read(chiko, tmp_path), 60) > 0.65
    assert told[-1].decisions >= SMALL.decisions and told[-1].left <= 0
    measured = [one for one in told if one.strengths]
    assert [one.players for one in measured[-1].strengths] == [2, 4]
    assert measured[-1].strengths[0].share > 0.1  # a random player wins about 2 %
    rows = [json.loads(line) for line in (tmp_path / LOG).read_text().splitlines()]
    assert len(rows) == len(told)
    assert rows[-1]["entropy"] < rows[0]["entropy"]
    facts = json.loads((tmp_path / FACTS).read_text())
    assert facts["command"].startswith("lastcard train chiko --decisions 200000 --width 32")
    assert facts["decisions"] == told[-1].decisions
    assert (tmp_path / CURVE).read_text().startswith("<svg")


def test_the_same_seed_leads_to_the_same_network(tmp_path: Path) -> None:
    plan = replace(SMALL, decisions=20_000)
    for folder, chosen in (("a", plan), ("b", plan), ("c", replace(plan, seed=2))):
        Training(chosen, tmp_path / folder).run(ignore)
    first, again, other = ((tmp_path / one / WEIGHTS).read_bytes() for one in "abc")
    assert first == again != other


def stop_after(training: Training, rounds: int) -> None:
    """As a user does who presses Ctrl-C."""
    left = iter(range(rounds - 1))

    def stop(progress: Progress) -> None:
        if next(left, None) is None:
            training.stop()

    with pytest.raises(KeyboardInterrupt):
        training.run(stop)


@pytest.mark.parametrize(
    "others", [{}, {"against": "normal", "part": 0.5, "players": 2, "options": (("target", 20),)}]
)
def test_what_is_stopped_goes_on_as_if_it_had_not(tmp_path: Path, others: dict[str, Any]) -> None:
    """Byte for byte: also while it imitates, and with others whose policy draws lots."""
    plan = replace(SMALL, decisions=60_000, measuring=40, **others)
    Training(plan, tmp_path / "whole").run(ignore)
    folder = tmp_path / "parts"
    training = Training(plan, folder)
    for rounds in (1, 4):
        stop_after(training, rounds)
        done = training.done
        training = Training(plan, folder, resume=True)
        assert training.done == done < plan.decisions
    training.run(ignore)
    for name in (WEIGHTS, CURVE):
        assert (folder / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    whole, parts = (torch.load(one / CHECKPOINT) for one in (tmp_path / "whole", folder))
    assert whole["measured"] == parts["measured"] != []
    assert all(torch.equal(whole["model"][name], parts["model"][name]) for name in whole["model"])
    rows = [json.loads(row)["decisions"] for row in (folder / LOG).read_text().splitlines()]
    assert rows == sorted(set(rows))


def test_rounds_after_the_last_checkpoint_are_learned_again(tmp_path: Path) -> None:
    """Who is killed within a round goes on from what was saved last."""
    plan = replace(SMALL, decisions=60_000, measuring=40)
    Training(plan, tmp_path / "whole").run(ignore)
    folder = tmp_path / "killed"
    training = Training(plan, folder)
    stop_after(training, 2)
    kept = (folder / CHECKPOINT).read_bytes()
    stop_after(training, 2)
    (folder / CHECKPOINT).write_bytes(kept)
    with (folder / LOG).open("a") as log:
        log.write('{"decisions": 4')  # half a row

    def killed(rates: Rates) -> None:
        raise KeyboardInterrupt

    torn = Training(plan, folder, resume=True)
    torn.learner.learn = killed  # type: ignore[method-assign, assignment]
    with pytest.raises(KeyboardInterrupt):
        torn.run(ignore)
    assert (folder / CHECKPOINT).read_bytes() == kept
    Training(plan, folder, resume=True).run(ignore)
    assert (folder / WEIGHTS).read_bytes() == (tmp_path / "whole" / WEIGHTS).read_bytes()
    rows = [json.loads(row)["decisions"] for row in (folder / LOG).read_text().splitlines()]
    assert rows == sorted(set(rows))


def test_only_the_same_goes_on_or_more_of_it(tmp_path: Path) -> None:
    plan = replace(SMALL, decisions=20_000, measuring=40)
    Training(plan, tmp_path).run(ignore)
    weights = (tmp_path / WEIGHTS).read_bytes()
    with pytest.raises(BadOption, match="--resume"):
        Training(plan, tmp_path)
    for other, says in (
        (replace(plan, width=64), "width 32, not 64"),
        (replace(plan, decisions=10_000), "decisions 20000, not 10000"),
        (replace(plan, decisions=30_000, players=2), "players 0, not 2"),
    ):
        with pytest.raises(BadOption, match=says):
            Training(other, tmp_path, resume=True)
    Training(plan, tmp_path, resume=True).run(ignore)
    assert (tmp_path / WEIGHTS).read_bytes() == weights  # nothing was left to do
    more = replace(plan, decisions=30_000, against="normal", part=0.5)
    Training(more, tmp_path, resume=True).run(ignore)
    facts = json.loads((tmp_path / FACTS).read_text())
    first, second = facts["command"].split(" && ")
    assert facts["decisions"] >= 30_000 and "--decisions 20000" in first
    assert "--decisions 30000 --against normal --part 0.5" in second and "--resume" in second
    state = torch.load(tmp_path / CHECKPOINT)
    torch.save({**state, "form": 1}, tmp_path / CHECKPOINT)
    with pytest.raises(BadOption, match="another version"):
        Training(more, tmp_path, resume=True)


def test_what_cannot_work_is_said_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadOption, match="nothing to go on from"):
        Training(SMALL, tmp_path, resume=True)
    (tmp_path / "file").touch()
    with pytest.raises(BadOption, match="cannot be written"):
        Training(SMALL, tmp_path / "file" / "folder")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(BadOption, match=r"no NVIDIA GPU.*With --on cpu this would take \d.* days"):
        Training(replace(SMALL, on="cuda", decisions=10**15), tmp_path / "gpu")
    with pytest.raises(BadOption, match=r"no driver for it\.$"):
        Training(replace(SMALL, on="cuda", minutes=10), tmp_path / "gpu")
    training = Training(replace(SMALL, decisions=10**15), tmp_path / "long")
    with pytest.raises(BadOption, match="days here"):
        training.run(ignore)
    assert not (tmp_path / "gpu").exists()  # what cannot work leaves nothing behind
    assert (tmp_path / "long" / CHECKPOINT).exists()  # with --patient it can go on


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = "--width 16 --depth 1 --matches 16"
    folder = tmp_path / "net"
    run = [*f"train chiko --decisions 1k {small}".split(), "--out", str(folder)]
    with pytest.raises(SystemExit) as ended:
        main(run)
    assert not ended.value.code
    shown = capsys.readouterr().out
    assert "against normal:" in shown and str(folder) in shown.replace("\n", "")
    for wrong, says in (
        ([*run[:3], "many", *run[4:]], "500k, 200M or 2G"),
        ([*run, "--on", "moon"], "cpu or cuda"),
        (run, "--resume goes on"),
        (["train", "nothing"], "nothing"),
        ([*run, "--minutes", "1"], "only one of them"),
        ([*run, "--start", "learned"], "no --width"),
        ([*run, "--arena", "10"], "arena: goes with --against"),
        ([*run, "--part", "0.5"], "part: goes with --against"),
    ):
        with pytest.raises(SystemExit) as refused:
            main(wrong)
        assert refused.value.code == 2
        assert says in capsys.readouterr().err
    matches = ["--matches", "10", "--workers", "1", "--save", str(tmp_path / "arena.json")]
    with pytest.raises(SystemExit):
        main(["arena", "chiko", "--bots", f"learned:{folder},random", *matches])
    assert "10 matches" in capsys.readouterr().out


@pytest.mark.parametrize("id", games())
def test_in_whole_numbers(id: str) -> None:
    """Bots nearly always choose what the network chooses as it was trained."""
    learner = learner_for(id)
    learner.play(imitating=True)
    learner.model.adjust(learner.seen.flatten(0, 1))
    for _ in range(8):
        learner.learn(Rates(3e-3, 0.01, imitating=True))
    game, model = learner.tables.game, learner.model
    sample = learner.seen.flatten(0, 1)
    player = LearnedBot(game, Trained(model.in_whole_numbers(sample), {}))
    same = total = 0
    for batch in learner.tables.batches:
        with torch.no_grad():
            scores, _ = model(torch.from_numpy(batch.observations))
        best = choices_of(batch).best(scores)
        for row in range(batch.count):
            seat, hidden = int(batch.seats[row]), game.blank()
            hidden[0] = batch.records[row]
            game.rules.hide(hidden[0], seat)
            out = player.weigh(hidden, seat)
            choices = batch.choices[row, : batch.counts[row]].tolist()
            same += max(choices, key=lambda one: out[one]) == int(best[row])
            total += 1
    assert same / total > 0.9


def test_gains_are_followed_to_the_end_of_a_round() -> None:
    """By hand: two seats take turns in one match; after the third step the round ends."""
    learner = learner_for("chiko", steps=5)
    learner.trace = 0.5
    learner.seats[:, 0] = torch.tensor([0, 1, 0, 1, 0])
    learner.values[:, 0] = torch.tensor([0.1, 0.2, 0.3, 0.4, 0.5])
    learner.ended[:, 0] = torch.tensor([False, False, True, False, False])
    learner.rewards[2, 0, :2] = torch.tensor([1.0, -1.0])
    gains, use = learner._gains()
    last = 1.0 - 0.3  # what seat 0 did last in the round
    expected = [0.3 - 0.1 + 0.5 * last, -1.0 - 0.2, last, 0.0, 0.0]
    assert gains[:, 0].tolist() == pytest.approx(expected)
    assert use[:, 0].tolist() == [True, True, True, False, False]


@pytest.mark.parametrize("id", games())
def test_variants(id: str) -> None:
    game, rng = lastcard.game(id), random.Random(1)
    found = [variant(game, game.fewest, rng) for _ in range(60)]
    assert {} in found and len({str(one) for one in found}) >= 5
    for options in found:
        game.read_options(options, game.fewest)


def test_strength_of_the_policy_itself() -> None:
    """A model that plays what the policy plays wins half; here one that knows nothing does not."""
    torch.manual_seed(1)
    chiko = lastcard.game("chiko")
    found = strength(Model(len(chiko.rules.OBSERVED), 8, 1, outputs_of(chiko)), chiko, 2, 200)
    assert found.share < 0.2 and 0 < found.margin < 0.1
    assert str(Strength(2, 100, 0.625, 0.031)) == "62.5 % ± 3.1 with 2 players"


def test_the_picture() -> None:
    chiko = lastcard.game("chiko")
    measured = [(n * 10**6, Strength(2, 100, n / 10, 0.02)) for n in range(1, 8)]
    text = curve(chiko, measured, "normal")
    assert "2 players: 70.0 %" in text and text.count("<polyline") == 1
    assert curve(chiko, [], "normal").startswith("<svg")


def test_numbers_that_hardly_differ_count_as_much() -> None:
    model = Model(3, 4, 1, 5)
    sample = torch.tensor([[0.0, 0.5, 1.0], [0.1, 0.5, -1.0]] * 8)
    model.adjust(sample)
    spread = (sample * model.scales).std(0)
    assert spread[0] > 0.5 and spread[1] == 0 and np.isclose(float(spread[2]), 1.0)
    assert bool(torch.isfinite(model.scales).all())


def test_groups_begin_anew_with_other_options() -> None:
    game = lastcard.game("taki")
    tables = Tables(game, 54, random.Random(2), "cpu", 1)
    assert groups_of(game) == [*range(2, 11), 2, 4, 2, 4, 2, 4, 2, 4, 2]
    assert [one.players for one in tables.batches] == groups_of(game)
    assert tables.count == 54 and tables.each == 3
    before = [(str(one.options), one.records.tobytes()) for one in tables.batches]
    for _ in tables.batches:
        tables.renew()
    after = [(str(one.options), one.records.tobytes()) for one in tables.batches]
    assert all(old[1] != new[1] for old, new in zip(before, after, strict=True))
    assert len({options for options, _ in before + after}) > 5


@pytest.mark.parametrize("id", games())
def test_a_frozen_network_chooses_as_its_bot_does(id: str) -> None:
    """In matches that are learned from, and to the last bit: all of its choices are the bot's."""
    game = lastcard.game(id)
    player, frozen, compared = LearnedBot(game), others_of("learned", game, "cpu"), 0

    def compare(seen: Any, choices: Choices, theirs: Any, advise: Callable[[], Any]) -> Any:
        nonlocal compared
        actions = frozen(seen, choices, theirs, advise)
        places = enumerate((one, row) for one in tables.batches for row in range(one.count))
        for at, (batch, row) in places:
            if not theirs[at]:
                continue
            seat, hidden = int(batch.seats[row]), game.blank()
            hidden[0] = batch.records[row]
            game.rules.hide(hidden[0], seat)
            waited = batch.choices[row, : batch.counts[row]].tolist()
            action = player.decide(hidden, seat, [one for one in waited if one < wait])
            assert (wait if action == NOBODY else action) == actions[at]
            compared += 1
        return actions

    wait = len(game.actions)
    tables = Tables(game, 48, random.Random(4), "cpu", 1)
    model = Model(len(game.rules.OBSERVED), 8, 1, outputs_of(game))
    Learner(model, tables, 12, 256, others=compare).play(imitating=False)
    assert compared > 200


@pytest.mark.parametrize("id", ["chiko", "taki"])
def test_what_a_network_has_learned_is_taken_over(id: str) -> None:
    game, net = lastcard.game(id), LearnedBot(lastcard.game(id)).trained.net
    model = Model(int(net.sizes[0]), int(net.sizes[1]), len(net.sizes) - 2, outputs_of(game))
    batch = lastcard.Batch(id, 200, players=2, seed=5, out_of_turn=True)
    frozen, same = Frozen(net, "cpu"), []
    model.adjust(torch.from_numpy(batch.observations))
    model.take_over(net)
    for _ in range(20):
        seen, choices = torch.from_numpy(batch.observations), choices_of(batch)
        with torch.no_grad():
            best = choices.best(model(seen)[0])
        actions = frozen.choose(seen, choices)
        same.append((best == actions).float().mean())
        batch.step(actions.numpy())
    assert sum(same) / len(same) > 0.97
    again = model.in_whole_numbers(torch.from_numpy(batch.observations))
    assert again.sizes.tolist() == net.sizes.tolist()


def test_learning_to_beat_one_bot(tmp_path: Path) -> None:
    """What the others do is not learned from, and strength is measured against them."""
    plan = replace(SMALL, decisions=30_000, against="normal")
    training = Training(plan, tmp_path / "first")
    training.run(ignore)
    learner = training.learner
    learner.play(imitating=False)
    _, use = learner._gains()
    rows = torch.arange(learner.tables.count)
    theirs = ~learner.mine[rows, learner.seats]
    assert bool(use.any()) and bool(theirs.any()) and not bool((use & theirs).any())
    facts = json.loads((tmp_path / "first" / FACTS).read_text())
    assert "--against normal" in facts["command"] and "against normal" in facts
    chiko = lastcard.game("chiko")
    by_folder = others_of(str(tmp_path / "first"), chiko, "cpu")
    even = strength(training.model, chiko, 2, 400, others=by_folder)
    assert abs(even.share - 0.5) < 0.1  # against what is nearly itself
    with pytest.raises(BadOption, match="no trained network"):
        Training(replace(plan, against=str(tmp_path / "nowhere")), tmp_path / "second")


@pytest.fixture(scope="module")
def weak(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network that has hardly begun to learn."""
    folder = tmp_path_factory.mktemp("weak")
    Training(replace(SMALL, decisions=8_000, imitating=0.0, measuring=40), folder).run(ignore)
    return folder


def test_a_network_that_is_begun_from_is_changed_slowly_at_first(tmp_path: Path) -> None:
    """The optimiser's first steps are as long as its rate, however small the gradients are."""
    plan = replace(SMALL, start="learned", players=2, against="learned")
    rates = [plan.rates(part).learning for part in (0.0, WARMING / 2, WARMING, 0.5)]
    assert rates[0] == 0.0 < rates[1] < rates[2] > rates[3]
    assert rates[2] == pytest.approx(GENTLE * plan.rate)
    assert replace(plan, start="", imitating=0.0).rates(0.0).learning == plan.rate
    training = Training(replace(plan, decisions=40_000, measuring=40), tmp_path)
    begun = [one.clone() for one in training.model.parameters()]
    stop_after(training, 1)
    assert all(map(torch.equal, begun, training.model.parameters()))
    stop_after(training, 1)
    assert not all(map(torch.equal, begun, training.model.parameters()))


def test_a_best_response_beats_a_frozen_network(weak: Path, tmp_path: Path) -> None:
    """In seconds, and from nothing: an even share is 50 %."""
    plan = replace(SMALL, rate=3e-3, players=2, against=str(weak), measuring=40)
    training = Training(plan, tmp_path)
    training.run(ignore)
    compete(Console(), training, 400)
    saved = json.loads((tmp_path / "arena-2.json").read_text())
    assert saved["bots"] == [f"learned:{tmp_path}", f"learned:{weak}"]
    assert len(saved["matches"]) == 400 and saved["standings"][0]["wins"]["mean"] > 0.6


def test_the_command_for_a_best_response(
    weak: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = "--decisions 1k --matches 16 --players 2 --option target=20"
    given = f"--start {weak} --against {weak} --arena 10 --out {tmp_path}"
    with pytest.raises(SystemExit) as ended:
        main(f"train chiko {small} {given}".split())
    assert not ended.value.code
    shown = capsys.readouterr().out
    assert "10 matches; an even share is 50 %" in shown
    bots = f"--bots learned:{tmp_path},learned:{weak}"
    assert f"lastcard arena chiko {bots} --players 2 --matches 10 --option target=20" in shown
    facts, begun = (json.loads((one / FACTS).read_text()) for one in (tmp_path, weak))
    assert facts["sizes"] == begun["sizes"]
    assert f"--start {weak} --players 2 --against {weak}" in facts["command"]
    assert facts["command"].endswith("--option target=20") and "--width" not in facts["command"]
    assert facts["revision"] == revision()
    assert json.loads((tmp_path / "arena-2.json").read_text())["options"]["target"] == 20


def test_training_for_some_time(tmp_path: Path) -> None:
    plan = replace(SMALL, minutes=0.01, measuring=40, players=3)
    told: list[Progress] = []
    training = Training(plan, tmp_path)
    training.run(told.append)
    assert training.seconds >= 0.6 and told[-1].part == 1 and told[-1].left == 0
    assert all(one.players == 3 for one in training.tables.batches)
    assert {str(one.options) for one in training.tables.batches} == {
        str(lastcard.game("chiko").match(3, 0).options)
    }
    facts = json.loads((tmp_path / FACTS).read_text())
    assert "--minutes 0.01 --players 3" in facts["command"]
    assert "--decisions" not in facts["command"]
    assert facts["decisions"] == training.done and facts["against normal"][0].endswith("3 players")
    with pytest.raises(BadOption, match="--players"):
        Training(replace(SMALL, options=(("target", 20),)), tmp_path / "other")


def test_ctrl_c_waits_for_the_end_of_a_round(tmp_path: Path) -> None:
    training = Training(replace(SMALL, decisions=60_000), tmp_path)
    before = signal.getsignal(signal.SIGINT)

    def press(progress: Progress) -> None:
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(Exit) as stopped:
        carry_out(training, press, patient=False)  # type: ignore[arg-type]
    assert stopped.value.exit_code == 130
    assert training.done == training.kept == training.learner.decisions
    assert signal.getsignal(signal.SIGINT) is before


def test_the_revision_of_these_sources(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(lastcard, "__file__", str(tmp_path / "__init__.py"))
    assert revision() == "unknown"  # not that of a folder in which it is installed


@pytest.mark.parametrize(
    ("seconds", "says"), [(-1, "0 s"), (60, "60 s"), (7200, "2.0 h"), (86400 * 40, "40 days")]
)
def test_how_long_it_takes_is_said_in_words(seconds: float, says: str) -> None:
    assert lasting(seconds) == says
