"""All tests of this folder run with the plugin game installed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.plugin_game.install import installed


@pytest.fixture(autouse=True, scope="package")
def plugin_game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Installed for the package, removed afterwards."""
    with installed(tmp_path_factory.mktemp("site")):
        yield
