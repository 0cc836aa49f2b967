"""Fixtures: a server per test module, a browser per process; a ledger that does not exist yet."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.chromium import HELP, find_chromium
from tests.support.floor_server import PASSWORD, ServerThread, serving

expect.set_options(timeout=20_000)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    """A server with accounts and no tables."""
    with serving(Path(tmp_path_factory.mktemp("floor"))) as server:
        yield server


def chromium_or_skip() -> str:
    """The path of Chromium; without one the test is skipped, or fails if CI=true."""
    path = find_chromium()
    if not path:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(HELP)
    return path


@pytest.fixture(scope="session")
def chromium() -> Iterator[tuple[Browser, asyncio.AbstractEventLoop]]:
    """A headless Chromium per test process, and Playwright's event loop, which is suspended."""
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=chromium_or_skip(), args=["--no-sandbox"]
        )
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)  # other tests run loops of their own in this thread
        yield launched, loop
        asyncio._set_running_loop(loop)
        launched.close()


@pytest.fixture
def browser(chromium: tuple[Browser, asyncio.AbstractEventLoop]) -> Iterator[Browser]:
    """The browser without open pages; those of the test are closed after it."""
    launched, loop = chromium
    asyncio._set_running_loop(loop)
    yield launched
    for context in launched.contexts:
        context.close()
    asyncio._set_running_loop(None)


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The path of a ledger that does not exist yet; all accounts get the same password."""
    path = str(tmp_path / "harbor.db")
    monkeypatch.setenv("CROUPIER_DATABASE", path)
    monkeypatch.setenv("CROUPIER_PASSWORD", PASSWORD)
    return path
