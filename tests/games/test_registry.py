"""Games are found as `importlib.metadata` finds them; it reads the same files and takes longer."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from croupier.games.registry_entered import asked, entered, entries, object_at
from tests.plugin_game.install import installed, metadata


def test_what_python_finds_is_found(tmp_path: Path) -> None:
    """Croupier's own games, and another package's with one edition or two."""
    own = asked()

    assert own == entered() and "top_five.1" in own
    for number, editions in enumerate(((1,), (1, 2))):
        with installed(tmp_path / str(number), editions):
            assert len(own) + len(editions) == len(entered())
            assert asked() == entered()
    assert own == entered()


def test_a_package_that_is_there_twice_is_taken_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What stands first on the path is imported, and only that is entered."""
    first, second = metadata(tmp_path / "a", (1,)), metadata(tmp_path / "b", (1, 2))
    monkeypatch.setattr(sys, "path", [str(first), str(second), *sys.path])

    assert asked() == entered()
    assert "harbor_duel.1" in entered() and "harbor_duel.2" not in entered()


def test_an_archive_is_left_to_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no file describes a package, Python's own library is asked."""
    known = asked()
    monkeypatch.setattr("croupier.games.registry_entered.texts", lambda: iter(()))

    assert known == entered()


def test_only_lines_of_our_group_are_read() -> None:
    """Other groups, comments, blanks and spaces around the sign."""
    text = (
        "[console_scripts]\nx = y:z\n\n[croupier.games]\n# a.1 = b:C\n  duel.1=duel:GAME \n[z]\nq=r"
    )

    assert [("duel.1", "duel:GAME")] == list(entries(text))


def test_an_object_inside_another_is_found() -> None:
    """`module:object.part`, as entry points may be written."""
    assert Path.cwd == object_at("pathlib:Path.cwd")
