"""A server on loopback, and a browser where a test asks for one."""

from __future__ import annotations

from tests.support.server_fixtures import browser as browser
from tests.support.server_fixtures import world as world
