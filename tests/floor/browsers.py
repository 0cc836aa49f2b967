"""A real Chromium: found, or installed where that is possible, or asked for in plain words."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
HELP = (
    "the browser tests need Chromium: install it (apt-get install chromium) "
    "or say where it is with CROUPIER_CHROMIUM=/path/to/chromium"
)


@cache
def chromium() -> str:
    """The path of a Chromium."""
    named = os.environ.get("CROUPIER_CHROMIUM", "")
    if named:
        assert os.access(named, os.X_OK), f"CROUPIER_CHROMIUM={named} cannot be run"
        return named
    found = on_path()
    if not found and shutil.which("apt-get") and os.geteuid() == 0:
        install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"]
        for command in (["apt-get", "update", "-qq"], install):
            subprocess.run(command, check=False, capture_output=True, timeout=300)
        found = on_path()
    assert found, HELP
    return found


def on_path() -> str:
    """A Chromium on the path."""
    return next((path for name in NAMES if (path := shutil.which(name))), "")
