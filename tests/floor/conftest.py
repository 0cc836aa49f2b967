"""One server for the tests of a module."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.floor.world import World, serving


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A server on loopback with people, and no table yet."""
    with serving(Path(tmp_path_factory.mktemp("floor"))) as found:
        yield found
