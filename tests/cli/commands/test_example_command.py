"""`croupier example` and `croupier audit verifier`: files that the other commands accept."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.games import catalogue
from croupier.submission import example, load
from tests.support.cli import fail, succeed
from tests.support.run_python import run_python


@pytest.mark.parametrize("key", [game.key for game in catalogue()])
def test_example_submission_is_that_of_the_game(key: str, tmp_path: Path) -> None:
    """The file has the game's example House."""
    file = tmp_path / "harbor.toml"

    assert "croupier check" in succeed("example", str(file), "--game", key)
    assert example(key) == load(file)


def test_example_ledger_verifies_and_exports(tmp_path: Path) -> None:
    """Croupier and the standalone verifier accept it."""
    file, export, verifier = (tmp_path / name for name in ("c.db", "c.jsonl", "verifier.py"))
    succeed("example", str(file))
    assert succeed("audit", "verify", str(file)).startswith("verified: ")
    succeed("export", str(export), "--database", str(file))
    succeed("audit", "verifier", str(verifier))
    done = run_python(str(verifier), str(export), cwd=tmp_path)

    assert (0, "whole: ") == (done.returncode, done.stdout[:7]), done.stderr


def test_files_are_never_overwritten(tmp_path: Path) -> None:
    """Neither are files of other kinds written."""
    file = tmp_path / "harbor.toml"
    file.write_text("mine")

    assert "exists already" in fail("example", str(file))
    assert "expected a .toml or .db file" in fail("example", str(tmp_path / "harbor.txt"))
    assert "did you mean" in fail("example", str(tmp_path / "x.toml"), "--game", "ultimat3").lower()
    assert "mine" == file.read_text()


def test_a_name_without_suffix_is_a_submission(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`croupier example harbor` writes harbor.toml."""
    monkeypatch.chdir(tmp_path)

    assert "harbor.toml" in succeed("example", "harbor")
    assert example("ultimate_texas_holdem") == load(tmp_path / "harbor.toml")
