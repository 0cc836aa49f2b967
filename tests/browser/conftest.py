"""Fixtures of the browser tests: a server on loopback and a browser."""

from __future__ import annotations

from tests.support.server_fixtures import browser as browser
from tests.support.server_fixtures import chromium as chromium
from tests.support.server_fixtures import world as world
