"""Runs the command line in this process, with typed answers."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from lastcard.cli import main


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


class Result:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


class Runner:
    def __init__(self, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self.capsys, self.patch = capsys, patch

    def __call__(self, *arguments: str, answers: str = "") -> Result:
        lines = iter(answers.splitlines())

        def answer(prompt: str = "") -> str:
            print(prompt, end="")
            try:
                return next(lines)
            except StopIteration:
                raise EOFError from None

        self.patch.setattr("builtins.input", answer)
        code = 0
        try:
            main(list(arguments))
        except SystemExit as exit:
            code = int(exit.code or 0)
        out, err = self.capsys.readouterr()
        assert "Traceback" not in out + err
        return Result(code, out, err)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Runner:
    return Runner(capsys, monkeypatch)


def the_save(home: Path) -> Path:
    (path,) = (home / "data" / "lastcard" / "matches").glob("*.json")
    return path


def heed_interrupts() -> None:
    """Background jobs ignore SIGINT, and their children inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
