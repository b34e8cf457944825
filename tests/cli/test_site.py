"""lastcard site."""

from __future__ import annotations

from pathlib import Path

from tests.cli.runner import Runner


def test_what_was_written_is_told(run: Runner, tmp_path: Path) -> None:
    out = tmp_path / "site"
    said = run("site", str(out))
    assert said.code == 0
    files = [one for one in out.rglob("*") if one.is_file()]
    size = sum(one.stat().st_size for one in files)
    assert f"{out}: {len(files)} files, {size / 1000:,.0f} kB, " in said.out
    assert "--live" in said.out and "before" not in said.out
    (out / "web/0123456789abcdef").mkdir()
    (out / "web/0123456789abcdef/app.js").write_text("older")
    said = run("site", str(out), "--live", "https://cards.example")
    assert "for pages that are open: 1." in said.out and "--live" not in said.out


def test_a_folder_that_cannot_be_used(run: Runner, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/letter.txt").write_text("Dear Ann")
    said = run("site", str(tmp_path / "mine"))
    assert (said.code, said.out) == (2, "")
    assert said.err.strip() == (
        f"lastcard: {tmp_path / 'mine'} is not empty, and no site of ours: nothing was written."
    )
    said = run("site", "/dev/null/site")
    assert said.code == 2 and "Not a directory" in said.err
