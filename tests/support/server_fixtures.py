"""One server and one browser for the tests of a module, which run in one worker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.chromium import chromium_path
from tests.support.floor_server import World, serving

expect.set_options(timeout=20_000)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A server on loopback with people, and no table yet."""
    with serving(Path(tmp_path_factory.mktemp("floor"))) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of this module."""
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
        yield found
        found.close()
