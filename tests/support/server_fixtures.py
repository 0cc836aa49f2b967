"""Fixtures: one server and one browser per test module; a ledger that does not exist yet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.chromium import chromium_path
from tests.support.floor_server import PASSWORD, ServerThread, serving

expect.set_options(timeout=20_000)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    """A server with accounts and no tables."""
    with serving(Path(tmp_path_factory.mktemp("floor"))) as server:
        yield server


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A headless Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The path of a ledger that does not exist yet; all accounts get the same password."""
    path = str(tmp_path / "harbor.db")
    monkeypatch.setenv("CROUPIER_DATABASE", path)
    monkeypatch.setenv("CROUPIER_PASSWORD", PASSWORD)
    return path
