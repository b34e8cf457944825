"""Training: that it learns, can be repeated and resumed, and leaves a network that bots play by."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import lastcard  # noqa: E402
from lastcard.bots import bot, play_out  # noqa: E402
from lastcard.bots.learned import FACTS, WEIGHTS, LearnedBot, Trained, outputs_of, read  # noqa: E402
from lastcard.cli import main  # noqa: E402
from lastcard.core.game import Game  # noqa: E402
from lastcard.core.registry import games  # noqa: E402
from lastcard.errors import BadOption  # noqa: E402
from lastcard.learn.curve import curve  # noqa: E402
from lastcard.learn.model import Model  # noqa: E402
from lastcard.learn.others import others_of  # noqa: E402
from lastcard.learn.playing import Tables, groups_of, variant  # noqa: E402
from lastcard.learn.ppo import Learner, Rates  # noqa: E402
from lastcard.learn.strength import Strength, strength  # noqa: E402
from lastcard.learn.training import CHECKPOINT, CURVE, LOG, Plan, Progress, Training  # noqa: E402

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


def test_what_is_stopped_goes_on(tmp_path: Path) -> None:
    def stop(progress: Progress) -> None:
        if progress.decisions > 30_000:
            raise KeyboardInterrupt

    training = Training(SMALL, tmp_path)
    with pytest.raises(KeyboardInterrupt):
        training.run(stop)
    done = training.done
    assert 30_000 < done < SMALL.decisions
    with pytest.raises(BadOption, match="--resume"):
        Training(SMALL, tmp_path)
    with pytest.raises(BadOption, match="width 32, not 64"):
        Training(replace(SMALL, width=64), tmp_path, resume=True)
    resumed = Training(SMALL, tmp_path, resume=True)
    assert resumed.done == done
    before, after = training.model.state_dict(), resumed.model.state_dict()
    assert all(torch.equal(before[name], after[name]) for name in before)
    resumed.run(ignore)
    assert json.loads((tmp_path / FACTS).read_text())["decisions"] >= SMALL.decisions
    with pytest.raises(BadOption, match="decisions 200000, not 100000"):
        Training(replace(SMALL, decisions=100_000), tmp_path, resume=True)
    more = replace(SMALL, decisions=240_000, against="normal", part=0.5)
    Training(more, tmp_path, resume=True).run(ignore)
    facts = json.loads((tmp_path / FACTS).read_text())
    first, second = facts["command"].split(" && ")
    assert facts["decisions"] >= 240_000 and "--decisions 200000" in first
    assert "--decisions 240000 --against normal --part 0.5" in second and "--resume" in second


def test_what_cannot_work_is_said_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadOption, match="nothing to go on from"):
        Training(SMALL, tmp_path, resume=True)
    (tmp_path / "file").touch()
    with pytest.raises(BadOption, match="cannot be written"):
        Training(SMALL, tmp_path / "file" / "folder")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(BadOption, match="no NVIDIA GPU"):
        Training(replace(SMALL, on="cuda"), tmp_path / "gpu")
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
        best = scores.masked_fill(~torch.from_numpy(batch.legal), -1e9).argmax(1)
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


@pytest.mark.parametrize("id", ["chiko", "taki"])
def test_a_network_in_whole_numbers_chooses_as_its_bot_does(id: str) -> None:
    game = lastcard.game(id)
    player = LearnedBot(game)
    frozen = others_of("learned", game, "cpu")
    batch = lastcard.Batch(id, 16, players=3, seed=5, out_of_turn=True)
    for _ in range(30):
        seen, legal = torch.from_numpy(batch.observations), torch.from_numpy(batch.legal)
        actions = frozen(seen, legal, list).numpy()
        for row, action in enumerate(actions):
            seat, hidden = int(batch.seats[row]), game.blank()
            hidden[0] = batch.records[row]
            game.rules.hide(hidden[0], seat)
            out = player.weigh(hidden, seat)
            choices = batch.choices[row, : batch.counts[row]].tolist()
            assert max(choices, key=lambda one: (out[one], -one)) == action
        batch.step(actions)


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
