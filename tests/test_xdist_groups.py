"""Tests that share something dear (a browser, a solved game) run in one process."""

from __future__ import annotations

import os

import pytest


@pytest.mark.xdist_group("workers")
def test_groups_are_kept_together(request: pytest.FixtureRequest) -> None:
    """The group is part of a test's name where tests are shared out; otherwise it means nothing."""
    grouped = "PYTEST_XDIST_WORKER" in os.environ and request.config.getoption("loadgroup")

    assert request.node.nodeid.endswith("@workers" if grouped else "together")
