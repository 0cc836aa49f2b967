"""Every test of this folder runs with the sixth game installed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.plugin_game.install import installed


@pytest.fixture(autouse=True, scope="package")
def plugin_game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Found like any other package, and gone when the folder is done."""
    with installed(tmp_path_factory.mktemp("site")):
        yield
