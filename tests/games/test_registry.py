"""The registry finds games by entry points, Croupier's and those of other packages."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from croupier.games import find, installed_games, registry
from tests.plugin_game import install


def test_games_of_other_packages_are_installed_beside_ours(tmp_path: Path) -> None:
    """With one edition or two, while their package is on the path."""
    own = installed_games()

    assert {1} == set(own["top_five"])
    for number, editions in enumerate(((1,), (1, 2))):
        with install.installed(tmp_path / str(number), editions):
            assert set(editions) == set(installed_games()["harbor_duel"])
            assert editions[-1] == find("harbor_duel").edition
    assert own == installed_games()


def test_a_package_that_is_installed_twice_counts_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the first on the path counts, which is the one that Python imports."""
    first = install.metadata(tmp_path / "a", (1,))
    second = install.metadata(tmp_path / "b", (1, 2))
    monkeypatch.setattr(sys, "path", [str(first), str(second), *sys.path])

    assert {1} == set(installed_games()["harbor_duel"])


@pytest.mark.parametrize("name", ["games.x", "top_five", ".1"])
def test_an_entry_without_an_edition_is_a_packaging_error(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error names the entry point."""
    entry = EntryPoint(name, "a:B", registry.GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda group: (entry,))

    with pytest.raises(AssertionError, match=r"expected an entry named key\.edition"):
        installed_games()
