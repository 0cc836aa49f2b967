"""Fixtures of the server tests."""

from __future__ import annotations

from tests.support.server_fixtures import browser as browser
from tests.support.server_fixtures import chromium as chromium
from tests.support.server_fixtures import world as world
