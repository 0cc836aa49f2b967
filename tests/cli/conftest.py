"""Fixtures of the command-line tests."""

from __future__ import annotations

import pytest

from tests.support.floor_server import WEAK_HASHER


@pytest.fixture(autouse=True)
def weak_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash passwords in microseconds; every command that opens accounts hashes one."""
    monkeypatch.setattr("croupier.server.auth.accounts.PasswordHasher", lambda: WEAK_HASHER)
