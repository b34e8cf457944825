"""A shuffle can be checked, and what does not fit is found."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from lastcard.cli import main
from lastcard.core import files
from lastcard.core.registry import game
from lastcard.core.shuffle import Shuffle, commitment_of, key_of, new_secret
from tests.helpers import choose


def match_file(path: Path, shuffle: Shuffle, key: bytes) -> Path:
    match = game("chiko").match(2, key)
    match.play(match.waiting[0], match.legal(match.waiting[0])[0])
    path.write_text(files.dumps(match, ["human", "easy"], shuffle))
    return path


def verify(path: Path, *more: str) -> int:
    try:
        main(["verify", str(path), *more])
    except SystemExit as stopped:
        return int(stopped.code or 0)
    return 0


def test_what_fits_and_what_does_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    secret, seeds = new_secret(), ["blue", None]
    right = Shuffle(commitment_of(secret), secret, seeds)
    key, path = key_of(secret, seeds), tmp_path / "match.json"
    assert verify(match_file(path, right, key)) == 0
    assert "not over in this file" in capsys.readouterr().out
    assert verify(path, "--commitment", right.commitment.upper(), "--seed", "blue") == 0
    for more, words in (
        (("--commitment", "0" * 64), "not the one you were shown"),
        (("--seed", "red"), "was not used"),
    ):
        assert verify(path, *more) == 2
        assert words in capsys.readouterr().err
    for wrong, with_key, words in (
        (Shuffle(commitment_of("x"), secret, seeds), key, "does not match the hash"),
        (Shuffle(right.commitment, secret, ["red", None]), key, "does not follow"),
        (Shuffle(right.commitment, secret, ["blue"]), key, "seeds for 1 seats, not 2"),
        (right, bytes(32), "does not follow"),
    ):
        assert verify(match_file(path, wrong, with_key)) == 2
        assert words in capsys.readouterr().err
    path.write_text(files.dumps(game("chiko").match(2, 1)))
    assert verify(path) == 2
    assert "does not say how its key came about" in capsys.readouterr().err


def test_dice_that_the_key_did_not_throw(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secret, seeds, path = "5" * 64, [None, None], tmp_path / "match.json"
    shuffle = Shuffle(commitment_of(secret), secret, list(seeds))
    match, rng = game("chiko").match(2, key_of(secret, seeds)), random.Random("dice")
    while match.waiting != ["chance"]:
        match.play(*choose(rng, match, ("quit", "draw")))
    fair = match.tossed()
    for outcome in match.legal_ids("chance"):
        thrown = match.copy()
        thrown.play("chance", outcome)
        path.write_text(files.dumps(thrown, shuffle=shuffle))
        assert verify(path) == (0 if outcome == fair else 2)
        assert ("dice of move" in capsys.readouterr().err) == (outcome != fair)
