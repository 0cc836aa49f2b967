"""A real Chromium: found, or installed where that is possible, or asked for in plain words.

`make test` runs this before the tests, so that workers that run side by side do not install the
same browser at once.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from playwright.sync_api import sync_playwright

# The first draws pages as the others do, has no windows, and takes two thirds of their work.
SHELL = "chromium-headless-shell"
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "chrome")
# Another installation on the same machine may hold the lock of the packages: it is waited for.
APT = ["apt-get", "-o", "DPkg::Lock::Timeout=300", "-qq", "-y"]
WAYS = (
    ([*APT, "update"], [*APT, "install", "--no-install-recommends", SHELL]),
    ([*APT, "install", "--no-install-recommends", "chromium"],),
    ([sys.executable, "-m", "playwright", "install", "chromium"],),
)
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
    found, said = there(), ""
    for way in WAYS:
        if not found:
            said += installed(way)
            found = there()
    assert found, f"{HELP}\n{said}".strip()
    return found


def there() -> str:
    """A Chromium on the path, or the one that Playwright keeps for itself."""
    on_path = next((path for name in NAMES if (path := shutil.which(name))), "")
    return on_path or of_playwright()


def of_playwright() -> str:
    """The browser that belongs to the installed Playwright, where it was downloaded."""
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else ""


def installed(way: tuple[list[str], ...]) -> str:
    """One way of installing, tried; what it said where it failed."""
    said = ""
    for command in way:
        if not shutil.which(command[0]):
            return f"{command[0]} is not here\n"
        tried = subprocess.run(command, check=False, capture_output=True, timeout=900, text=True)
        said += tried.stdout[-2000:] + tried.stderr[-2000:] if tried.returncode else ""
    return said


if __name__ == "__main__":
    print(f"the browser of the page tests: {chromium()}")
